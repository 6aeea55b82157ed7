/** The whole durable job, its memory, the HTTP server and the pages of its results. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import type { EngineProcess } from '../../test/engine-process.ts';
import { timeExactPeer } from '../duckdb-peer.ts';
import type { Generated } from '../generate.ts';
import {
  measureLatency,
  percentile,
  readCpuSeconds,
  readPrivateMegabytes,
  readThreadSeconds,
  startOpenLoop,
  watchMemory,
} from '../measure.ts';
import {
  type BenchContext,
  importAndIndex,
  prepareFiles,
  startEmptyEngine,
  syncDisk,
} from './bench-context.ts';
import { bounds } from './bounds.ts';
import { pageFilters, pagesPerFilter } from './page-client.ts';

const readJob = async (engine: EngineProcess, id: string) =>
  (await engine.ask('GET', `/app/v1/jobs/${id}`)) as StatusData;

/** Submits a list as a job; returns its id. */
export async function submitList(engine: EngineProcess, path: string): Promise<string> {
  const upload = (await engine.ask('POST', '/app/v1/uploads', { path })) as Upload;
  const { job_id } = (await engine.ask('POST', '/app/v1/jobs', {
    upload_id: upload.upload_id,
    selected_layers: ['L1', 'L2'],
  })) as StatusData;
  return job_id;
}

/** Waits for the end of a job; returns the milliseconds between the job's own start and end. */
export async function awaitJob(engine: EngineProcess, id: string, pollMs = 100): Promise<number> {
  for (;;) {
    const job = await readJob(engine, id);
    if (job.ready) return Date.parse(job.completed_at ?? '') - Date.parse(job.started_at ?? '');
    await wait(pollMs);
  }
}

async function runRounds(
  { sizes, root, report, say }: BenchContext,
  engine: EngineProcess,
  files: Generated,
): Promise<string> {
  const { rounds } = sizes;
  const pid = engine.child.pid ?? 0;
  const ratios: number[] = [];
  const idleLatencies: number[] = [];
  const busyLatencies: number[] = [];
  let above = 0;
  let id = '';
  for (let round = 0; round < rounds; round++) {
    const peerMs = await timeExactPeer(files, 2);
    const idle = readPrivateMegabytes(pid);
    const ping = () => engine.ask('GET', '/app/v1/wallet');
    idleLatencies.push((await measureLatency(200, 4_000, ping)).p99);
    const memory = watchMemory(pid);
    id = await submitList(engine, files.list);
    const loop = startOpenLoop(200, ping);
    const jobMs = await awaitJob(engine, id);
    await loop.stop();
    busyLatencies.push(percentile(loop.latencies, 0.99));
    await engine.ask('POST', `/app/v1/jobs/${id}/exports`, { path: join(root, 'export.csv') });
    above = Math.max(above, memory.stop() - idle);
    ratios.push(peerMs / jobMs);
    say(
      `round ${round + 1}: DuckDB ${Math.round(peerMs)} ms, job ${jobMs} ms ` +
        `(${Math.round((sizes.rows / jobMs) * 1000)} rows/s), idle ${Math.round(idle)} MB`,
    );
  }
  const ratio = percentile(ratios, 0.5);
  report(
    'durable job ÷ DuckDB read and match, 2 threads',
    `${ratio.toFixed(2)}×`,
    '≥ 0.8×',
    ratio >= 0.8,
    bounds.job,
  );
  report(
    'private memory above idle, upload to export',
    `${Math.round(above)} MB`,
    '≤ 200 MB',
    above <= 200,
  );
  const [idle, busy] = [percentile(idleLatencies, 0.5), percentile(busyLatencies, 0.5)];
  report(
    'HTTP server, p99 during the job',
    `${busy.toFixed(1)} ms (idle ${idle.toFixed(1)} ms)`,
    '≤ 2 × idle + 5 ms',
    busy <= 2 * idle + 5,
  );
  return id;
}

/** The CPU of a row of one more job by thread, while nothing else is asked of the engine. */
async function runQuietly(
  { sizes, report }: BenchContext,
  engine: EngineProcess,
  files: Generated,
): Promise<void> {
  const pid = engine.child.pid ?? 0;
  const before = readThreadSeconds(pid);
  await awaitJob(engine, await submitList(engine, files.list));
  const costs = [...readThreadSeconds(pid)]
    .map(([name, seconds]) => ({
      name,
      microseconds: ((seconds - (before.get(name) ?? 0)) * 1e6) / sizes.rows,
    }))
    .filter(({ microseconds }) => microseconds >= 0.5)
    .sort((one, other) => other.microseconds - one.microseconds);
  const words = costs.map(({ name, microseconds }) => `${name} ${microseconds.toFixed(1)} µs`);
  report('CPU of a row of a later job by thread', words.join(', '), '', null);
}

/** From the very first page, including those served while their code is compiled. */
function runPages(
  { report }: BenchContext,
  engine: EngineProcess,
  dataDir: string,
  id: string,
): void {
  const pid = engine.child.pid ?? 0;
  // The disk is still writing the job and its export.
  syncDisk();
  // A separate process, so that this process's memory of DuckDB has no influence.
  const script = join(import.meta.dirname, 'pages.ts');
  const before = readCpuSeconds(pid);
  const client = spawnSync(process.execPath, [script, socketPathOf(dataDir), id], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const milliseconds =
    ((readCpuSeconds(pid) - before) * 1_000) / (pageFilters.length * pagesPerFilter);
  report('CPU of such a page, mean of all', `${milliseconds.toFixed(2)} ms`, '', null);
  const latencies = JSON.parse(client.stdout) as Record<string, number>;
  for (const [filter, p99] of Object.entries(latencies)) {
    const what = `result page at any offset${filter.replace('&', ', ')}, p99`;
    report(what, `${p99.toFixed(1)} ms`, '≤ 2 ms', p99 <= 2, bounds.pages);
  }
}

/** Runs the job in rounds, then reads pages of its results. */
export async function benchJob(context: BenchContext): Promise<void> {
  const { root, report } = context;
  const files = prepareFiles(context, context.sizes);
  const dataDir = join(root, 'data');
  const engine = await startEmptyEngine(dataDir);
  try {
    await importAndIndex(engine, files);
    await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
    const indexMegabytes = statSync(join(dataDir, 'directory.index')).size / 1024 ** 2;
    report('match index', `${Math.round(indexMegabytes)} MB`, '', null);
    const id = await runRounds(context, engine, files);
    await runQuietly(context, engine, files);
    runPages(context, engine, dataDir, id);
  } finally {
    await engine.stop();
  }
}
