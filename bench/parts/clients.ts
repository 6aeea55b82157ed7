// 300 clients over one engine during a job, and an idle engine on the same machine for comparison.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import { createRandom } from '../../test/random.ts';
import { percentile } from '../measure.ts';
import {
  type BenchContext,
  importAndIndex,
  prepareFiles,
  startEmptyEngine,
} from './bench-context.ts';
import { bounds } from './bounds.ts';
import { awaitJob, submitList } from './job.ts';
import { openPageClient } from './page-client.ts';

const clientsCount = 300;
/** Time between two requests of a client. */
const pauseMs = 1_000;
const rowsMax = 300_000;
const probePauseMs = 10;

/** Requests of one kind, with their times in ms. */
type Times = Map<string, number[]>;

/** Sends requests of a client, one after the other, until the signal is aborted. */
async function runClient(
  socketPath: string,
  choose: () => readonly [kind: string, path: string],
  times: Times,
  { signal, firstMs, everyMs }: { signal: AbortSignal; firstMs: number; everyMs: number },
): Promise<void> {
  const client = openPageClient(socketPath);
  await wait(firstMs);
  while (!signal.aborted) {
    const [kind, path] = choose();
    const tookMs = await client.time(path);
    const known = times.get(kind) ?? [];
    known.push(tookMs);
    times.set(kind, known);
    await wait(Math.max(0, everyMs - tookMs));
  }
  client.close();
}

/** Runs a job while clients read it, results of an earlier job, and the wallet. */
export async function benchClients(context: BenchContext): Promise<void> {
  const { root, report, say } = context;
  const { people } = context.sizes;
  const rows = Math.min(rowsMax, context.sizes.rows);
  const files = prepareFiles(context, { people, rows });
  const [dataDir, idleDir] = [join(root, 'data'), join(root, 'idle')];
  const engine = await startEmptyEngine(dataDir);
  const idle = await startEmptyEngine(idleDir);
  try {
    await importAndIndex(engine, files);
    await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
    const earlier = await submitList(engine, files.list);
    await awaitJob(engine, earlier);
    const job = await submitList(engine, files.list);
    const random = createRandom(11);
    const api = '/api/v1/data-enrichment';
    const page = () => Math.floor(random() * (rows - 50));
    const paths: readonly (() => readonly [string, string])[] = [
      () => ['healthz', '/healthz'],
      () => ['status', `${api}/status/${job}/`],
      () => ['wallet', '/app/v1/wallet'],
      () => ['page', `${api}/result/${earlier}/?limit=50&offset=${page()}`],
    ];
    const stop = new AbortController();
    const [times, probes]: [Times, Times] = [new Map(), new Map()];
    const clients = Array.from({ length: clientsCount }, (_, at) => {
      const choose = () => paths[Math.floor(random() * paths.length)]!();
      const pace = {
        signal: stop.signal,
        firstMs: (at * pauseMs) / clientsCount,
        everyMs: pauseMs,
      };
      return runClient(socketPathOf(dataDir), choose, times, pace);
    });
    const pace = { signal: stop.signal, firstMs: 0, everyMs: probePauseMs };
    const probe = runClient(socketPathOf(idleDir), () => ['idle', '/healthz'], probes, pace);
    const jobMs = await awaitJob(engine, job);
    stop.abort();
    await Promise.all([...clients, probe]);
    for (const [kind, all] of times)
      say(`${kind}: ${all.length} requests, p99 ${percentile(all, 0.99).toFixed(1)} ms`);
    const p99 = percentile([...times.values()].flat(), 0.99);
    const baseline = percentile([...probes.values()].flat(), 0.99);
    say(`job of ${rows} rows: ${jobMs} ms`);
    report(
      `${clientsCount} clients during a job of ${rows.toLocaleString('en')} rows, p99`,
      `${p99.toFixed(1)} ms (/healthz of an idle engine ${baseline.toFixed(1)} ms)`,
      '≤ 100 ms',
      p99 <= 100,
      bounds.clients,
    );
  } finally {
    await engine.stop();
    await idle.stop();
  }
}
