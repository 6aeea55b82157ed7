// A job over a data service with a rate limit, compared with what the limit itself allows.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import type { EngineProcess } from '../../test/engine-process.ts';
import { readCpuSeconds } from '../measure.ts';
import { type BenchContext, startEmptyEngine } from './bench-context.ts';
import { awaitJob, submitList } from './job.ts';

const rowsCount = 10_000;
const batchRows = 50;
const batchesPerSecond = 10;
const latencyMs = 50;
const ratioMax = 1.2;

/** A service on loopback that answers after its latency, and refuses what is over its limit. */
async function openLimitedApi() {
  const arrivals: number[] = [];
  let [answered, refused] = [0, 0];
  const server = createServer(async (request, response) => {
    const { people } = (await json(request)) as { people: readonly { ref: string }[] };
    const now = performance.now();
    while (arrivals[0] !== undefined && arrivals[0] <= now - 1_000) arrivals.shift();
    // A timer of the engine may fire a millisecond early.
    if (arrivals.filter((at) => at > now - 995).length >= batchesPerSecond) {
      refused += 1;
      response.writeHead(429).end('{}');
      return;
    }
    arrivals.push(now);
    answered += people.length;
    await wait(latencyMs);
    const found = people.map(({ ref }) => ({ ref, email: `person${ref}@found.example` }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ people: found, credits: people.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ answered, refused }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const definitionOf = (host: string) => ({
  id: 'limited',
  title: 'Limited',
  docs: 'https://limited.example/docs',
  dev: true,
  hosts: [host],
  auth: { in: 'header', name: 'X-Key' },
  limits: { perSecond: batchesPerSecond, concurrency: 4 },
  rules: [{ status: 429, means: 'slow', waitSec: 1 }],
  ops: [
    {
      id: 'find',
      gives: ['work_email'],
      needs: [['first_name', 'last_name']],
      batch: { max: batchRows, wrap: 'people', rowKey: 'ref' },
      request: {
        method: 'POST',
        url: `http://${host}/people`,
        each: { ref: '{{row_key}}', first: '{{row.first_name}}', last: '{{row.last_name}}' },
      },
      records: 'people',
      map: { email: 'email' },
      cost: { max: { row: 1 }, reported: { body: 'credits' } },
    },
  ],
});

/** A word of letters for each number. */
const wordOf = (number: number): string =>
  Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)]).join('');

async function addProvider(engine: EngineProcess, host: string): Promise<void> {
  const text = JSON.stringify(definitionOf(host));
  await engine.ask('POST', '/app/v1/provider-definitions', { text });
  await engine.ask('PUT', '/app/v1/providers/limited/key', { key: 'key-of-the-bench' });
  await engine.ask('PATCH', '/app/v1/providers/limited', { is_on: true });
}

/** Runs a job whose rows only the service knows. */
export async function benchWaterfall({ root, report, say }: BenchContext): Promise<void> {
  const list = join(root, 'waterfall.csv');
  const lines = Array.from(
    { length: rowsCount },
    (_, at) => `Ada,Q${wordOf(at)},Nowhere ${wordOf(at)}`,
  );
  writeFileSync(list, ['First Name,Last Name,Company', ...lines, ''].join('\n'));
  const api = await openLimitedApi();
  const engine = await startEmptyEngine(join(root, 'data'));
  try {
    await addProvider(engine, api.host);
    const pid = engine.child.pid ?? 0;
    const before = readCpuSeconds(pid);
    const id = await submitList(engine, list);
    const jobMs = await awaitJob(engine, id);
    const { enriched_rows: found } = (await engine.ask('GET', `/app/v1/jobs/${id}`)) as StatusData;
    const { answered, refused } = api.counts();
    const cpu = readCpuSeconds(pid) - before;
    say(`${answered} rows were paid, ${found} enriched, ${refused} requests over the limit`);
    report('processor time of the engine meanwhile', `${cpu.toFixed(1)} s`, '', null);
    // The first batches of a second are sent at its start.
    const seconds = Math.ceil(rowsCount / batchRows / batchesPerSecond) - 1;
    const boundMs = seconds * 1_000 + latencyMs;
    const ratio = jobMs / boundMs;
    report(
      `${rowsCount} rows over a service with ${latencyMs} ms latency and ${batchesPerSecond} ` +
        'batches/s ÷ the bound of its limit',
      `${ratio.toFixed(2)}× (${(jobMs / 1_000).toFixed(1)} s)`,
      `≤ ${ratioMax}×`,
      ratio <= ratioMax && refused === 0 && answered === rowsCount && found === rowsCount,
    );
  } finally {
    await engine.stop();
    api.close();
  }
}
