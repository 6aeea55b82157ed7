/**
 * `npm run bench`: the whole durable job, its memory, the HTTP server and the pages, as ratios to
 * baselines of the same run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { runPeer } from './duckdb-peer.ts';
import { type Generated, generate, type Sizes } from './generate.ts';
import { measureImport } from './import-baseline.ts';
import {
  measureLatency,
  percentile,
  readPrivateMegabytes,
  startOpenLoop,
  watchMemory,
} from './measure.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const sizes: Sizes = {
  people: Number(values.people),
  companies: Math.max(10, Math.floor(Number(values.people) / 10)),
  rows: Number(values.rows),
  seed: 42,
};
const rounds = Number(values.rounds);
const root = join(import.meta.dirname, '../../.bench');
const lines: string[] = [];

/** A line of the report: measurement, figure, bar, and whether it is met. */
function report(what: string, figure: string, bar: string, isMet: boolean | null): void {
  const verdict = isMet === null ? '' : isMet ? 'met' : 'MISSED';
  lines.push(`| ${what} | ${figure} | ${bar} | ${verdict} |`);
  console.log(`${what}: ${figure}${bar ? ` (bar: ${bar}) ${verdict}` : ''}`);
}

const say = (text: string) => console.error(text);

function prepareFiles(): Generated {
  const folder = join(root, `${sizes.people}-${sizes.rows}`);
  const done = join(folder, 'done.json');
  if (existsSync(done)) return JSON.parse(readFileSync(done, 'utf8')) as Generated;
  say(`making ${sizes.people} people and ${sizes.rows} rows …`);
  const files = generate(folder, sizes);
  writeFileSync(done, JSON.stringify(files));
  return files;
}

const readJob = async (engine: EngineProcess, id: string) =>
  (await engine.ask('GET', `/app/v1/jobs/${id}`)) as StatusData;

async function submit(engine: EngineProcess, path: string): Promise<string> {
  const upload = (await engine.ask('POST', '/app/v1/uploads', { path })) as Upload;
  const { job_id } = (await engine.ask('POST', '/app/v1/jobs', {
    upload_id: upload.upload_id,
    selected_layers: ['L1', 'L2'],
  })) as StatusData;
  return job_id;
}

/** Waits for the end; returns the milliseconds between the job's own start and end. */
async function awaitJob(engine: EngineProcess, id: string): Promise<number> {
  for (;;) {
    const job = await readJob(engine, id);
    if (job.ready) return Date.parse(job.completed_at ?? '') - Date.parse(job.started_at ?? '');
    await wait(100);
  }
}

async function benchJob(engine: EngineProcess, files: Generated): Promise<string> {
  const pid = engine.child.pid ?? 0;
  const ratios: number[] = [];
  const doorIdle: number[] = [];
  const doorBusy: number[] = [];
  let above = 0;
  let id = '';
  for (let round = 0; round < rounds; round++) {
    const peer = await runPeer(files, 2);
    const idle = readPrivateMegabytes(pid);
    const ping = () => engine.ask('GET', '/app/v1/wallet');
    doorIdle.push((await measureLatency(200, 4_000, ping)).p99);
    const memory = watchMemory(pid);
    id = await submit(engine, files.list);
    const loop = startOpenLoop(200, ping);
    const jobMs = await awaitJob(engine, id);
    await loop.stop();
    doorBusy.push(percentile(loop.latencies, 0.99));
    await engine.ask('POST', `/app/v1/jobs/${id}/export`, { path: join(root, 'export.csv') });
    above = Math.max(above, memory.stop() - idle);
    ratios.push(peer.readAndMatchMs / jobMs);
    say(
      `round ${round + 1}: DuckDB ${Math.round(peer.readAndMatchMs)} ms, job ${jobMs} ms ` +
        `(${Math.round((sizes.rows / jobMs) * 1000)} rows/s), idle ${Math.round(idle)} MB`,
    );
  }
  const ratio = percentile(ratios, 0.5);
  report(
    'durable job ÷ DuckDB read and match, 2 threads',
    `${ratio.toFixed(2)}×`,
    '≥ 0.4×',
    ratio >= 0.4,
  );
  report(
    'private memory above idle, upload to export',
    `${Math.round(above)} MB`,
    '≤ 300 MB',
    above <= 300,
  );
  const [idle, busy] = [percentile(doorIdle, 0.5), percentile(doorBusy, 0.5)];
  report(
    'HTTP door p99 during the job',
    `${busy.toFixed(1)} ms (idle ${idle.toFixed(1)} ms)`,
    '≤ 2 × idle + 5 ms',
    busy <= 2 * idle + 5,
  );
  return id;
}

/** From the very first page, including those served while their code is compiled. */
function benchPages(id: string): void {
  // The disk is still writing the job and its export; the pages wait for the sync.
  spawnSync('sync');
  // A separate process, so that this process's memory of DuckDB has no influence.
  const script = join(import.meta.dirname, 'pages.ts');
  const client = spawnSync(process.execPath, [script, socketPathOf(dataDir), id], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const latencies = JSON.parse(client.stdout) as Record<string, number>;
  for (const [filter, p99] of Object.entries(latencies)) {
    const what = `result page at any offset${filter.replace('&', ', ')}, p99`;
    report(what, `${p99.toFixed(1)} ms`, '≤ 5 ms', p99 <= 5);
  }
}

const files = prepareFiles();
const importRatio = await measureImport(files, join(root, 'import'), say);
report(
  'import with indices after ÷ indices first',
  `${importRatio.toFixed(2)}×`,
  '≥ 2×',
  importRatio >= 2,
);
const dataDir = join(root, 'data');
rmSync(dataDir, { recursive: true, force: true });
mkdirSync(dataDir, { recursive: true });
const engine = await startEngineProcess(dataDir);
try {
  const [people_path, companies_path] = [files.people, files.companies];
  const startedAt = performance.now();
  await engine.ask('POST', '/app/v1/directory/imports?wait=1', { people_path, companies_path });
  say(`import and index: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
  const indexMegabytes = statSync(join(dataDir, 'directory.index')).size / 1024 ** 2;
  report('match index', `${Math.round(indexMegabytes)} MB`, '', null);
  const id = await benchJob(engine, files);
  benchPages(id);
} finally {
  await engine.stop();
}
if (values.out)
  writeFileSync(
    values.out,
    ['| what | figure | bar | |', '| --- | --- | --- | --- |', ...lines, ''].join('\n'),
  );
