// The whole durable job, its memory, the HTTP server and the pages of its results.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import { batchRowsMax } from '../../engine/contract/limits/jobs.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import { openStore, openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { inRepeatableTransaction } from '../../engine/platform/sqlite/transaction.ts';
import type { EngineProcess } from '../../test/engine-process.ts';
import { timeExactPeer } from '../duckdb-peer.ts';
import type { Generated } from '../generate.ts';
import {
  describeThreads,
  measureLatency,
  measureThreads,
  percentile,
  readCpuSeconds,
  readPrivateMegabytes,
  startOpenLoop,
  sumMatching,
  watchMemory,
} from '../measure.ts';
import { writeCsv } from '../messy/messy-directory.ts';
import { readCsv } from '../messy/sample-people.ts';
import {
  type BenchContext,
  cutList,
  importAndIndex,
  prepareFiles,
  startEmptyEngine,
  syncDisk,
} from './bench-context.ts';
import { bounds } from './bounds.ts';
import { openPageClient } from './page-client.ts';

/** The most CPU of a row in the writer, in µs, by which job of an engine. */
const writerMost = { 'the first': 10, 'a later': 6 } as const;
const resultColumns =
  'id, status, reason, contact_uuid, layer_bits, fields, confidence, matched_on, candidates, ' +
  'provenance';
/** The most CPU of a row that an exact pass settles, V8's helpers included. */
const exactMicroseconds = 4;
/** Rows of the costs of exact passes and of plain inserts. */
const costedRowsMax = 100_000;
const exactColumns = ['first_name', 'last_name', 'organization', 'email', 'profile_url'] as const;

type Costs = Awaited<ReturnType<typeof measureThreads>>;

interface ExactList {
  readonly path: string;
  readonly count: number;
}

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
  context: BenchContext,
  engine: EngineProcess,
  files: Generated,
): Promise<{ readonly id: string; readonly firstWriter: number }> {
  const { sizes, root, report, say } = context;
  const { rounds } = sizes;
  const pid = engine.child.pid ?? 0;
  const ratios: number[] = [];
  const idleLatencies: number[] = [];
  const busyLatencies: number[] = [];
  let above = 0;
  let id = '';
  let firstWriter = 0;
  for (let round = 0; round < rounds; round++) {
    const peerMs = await timeExactPeer(files, 2);
    const idle = readPrivateMegabytes(pid);
    const ping = () => engine.ask('GET', '/app/v1/wallet');
    idleLatencies.push((await measureLatency(200, 4_000, ping)).p99);
    const memory = watchMemory(pid);
    let jobMs = 0;
    const costs = await measureThreads(pid, sizes.rows, async () => {
      id = await submitList(engine, files.list);
      const loop = startOpenLoop(200, ping);
      jobMs = await awaitJob(engine, id);
      await loop.stop();
      busyLatencies.push(percentile(loop.latencies, 0.99));
    });
    if (round === 0) firstWriter = writerOf(costs);
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
  return { id, firstWriter };
}

/** Rows that an exact pass settles: people of the directory, as their current jobs are written. */
function writeExactList({ sizes, root }: BenchContext, files: Generated): ExactList {
  const rowsMax = Math.min(sizes.rows, costedRowsMax);
  // Most people have one or two jobs.
  const cut = cutList(files.people, 3 * rowsMax, join(root, 'cut.csv'));
  const rows = readCsv(cut)
    .filter((row) => row.is_current === '1' && row.email !== '')
    .slice(0, rowsMax)
    .map((row) => Object.fromEntries(exactColumns.map((name) => [name, row[name] ?? ''])));
  const path = join(root, 'exact.csv');
  writeCsv(path, rows);
  return { path, count: rows.length };
}

const writerOf = (costs: Costs): number => costs.get('writer-thread') ?? 0;

/** The CPU of a row in µs if the texts of the first job's results are ready, and only inserted. */
function timePlainInserts(root: string, dataDir: string): number {
  const written = openStoreReadable(dataDir);
  const rows = written
    .prepare(`SELECT ${resultColumns} FROM result ORDER BY id LIMIT ${costedRowsMax}`)
    .raw()
    .all();
  written.close();
  const folder = join(root, 'plain');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const store = openStore(folder);
  const insert = store.prepare(
    `INSERT INTO result (${resultColumns}) VALUES (${resultColumns.replace(/\w+/g, '?')})`,
  );
  const before = process.threadCpuUsage();
  for (let at = 0; at < rows.length; at += batchRowsMax)
    inRepeatableTransaction(store, () => {
      for (const row of rows.slice(at, at + batchRowsMax)) insert.run(row);
    });
  const { user, system } = process.threadCpuUsage(before);
  store.close();
  rmSync(folder, { recursive: true, force: true });
  return (user + system) / rows.length;
}

function reportWriter(
  { report }: BenchContext,
  which: keyof typeof writerMost,
  cost: number,
  plain: number,
): void {
  const most = writerMost[which];
  report(
    `writer, CPU of a row of ${which} job of an engine`,
    `${cost.toFixed(1)} µs, ${(cost / plain).toFixed(1)}× its floor`,
    `≤ ${most} µs`,
    cost <= most,
    `inserting the same rows from ready texts, which takes ${plain.toFixed(1)} µs.`,
  );
}

/**
 * The CPU of a row by thread in later jobs, while nothing else is asked of the engine.
 * @returns that of the writer, in µs
 */
async function runQuietly(
  context: BenchContext,
  engine: EngineProcess,
  files: Generated,
): Promise<number> {
  const { report, sizes } = context;
  const pid = engine.child.pid ?? 0;
  const run = async (path: string) => awaitJob(engine, await submitList(engine, path));
  const costs = await measureThreads(pid, sizes.rows, () => run(files.list));
  report('CPU of a row of a later job by thread', describeThreads(costs, 'µs'), '', null);
  const { path, count } = writeExactList(context, files);
  const exact = await measureThreads(pid, count, () => run(path));
  const matching = sumMatching(exact);
  report(
    'matching, CPU of a row that an exact pass settles',
    `${matching.toFixed(1)} µs`,
    `≤ ${exactMicroseconds} µs`,
    matching <= exactMicroseconds,
    `reading and judging, and V8's helpers of all threads: ${describeThreads(exact, 'µs')}.`,
  );
  return writerOf(costs);
}

/** Pages of which the CPU is measured by their number of rows. */
const costedPages = 500;

/** The CPU of a page of a job's first rows, in ms. */
async function costOfPage(
  engine: EngineProcess,
  socketPath: string,
  id: string,
  limit: number,
): Promise<number> {
  const client = openPageClient(socketPath);
  const before = readCpuSeconds(engine.child.pid ?? 0);
  for (let at = 0; at < costedPages; at++)
    await client.time(`/api/v1/data-enrichment/result/${id}/?limit=${limit}&offset=${50 * at}`);
  client.close();
  return ((readCpuSeconds(engine.child.pid ?? 0) - before) * 1_000) / costedPages;
}

/** From the very first page, including those served while their code is compiled. */
async function runPages(
  { report }: BenchContext,
  engine: EngineProcess,
  dataDir: string,
  id: string,
): Promise<void> {
  // The disk is still writing the job and its export.
  syncDisk();
  // A separate process, so that this process's memory of DuckDB has no influence.
  const script = join(import.meta.dirname, 'pages.ts');
  const socketPath = socketPathOf(dataDir);
  const client = spawnSync(process.execPath, [script, socketPath, id], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [one, many] = [
    await costOfPage(engine, socketPath, id, 1),
    await costOfPage(engine, socketPath, id, 50),
  ];
  const words = `${many.toFixed(2)} ms, ${one.toFixed(2)} ms of them for any page`;
  report('CPU of a page of 50 rows', words, '', null);
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
    const { id, firstWriter } = await runRounds(context, engine, files);
    const laterWriter = await runQuietly(context, engine, files);
    const plain = timePlainInserts(root, dataDir);
    reportWriter(context, 'the first', firstWriter, plain);
    reportWriter(context, 'a later', laterWriter, plain);
    await runPages(context, engine, dataDir, id);
  } finally {
    await engine.stop();
  }
}
