// The cost of a row by the length of the list, and by the size of the directory.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineProcess } from '../../test/engine-process.ts';
import { readCpuSeconds } from '../measure.ts';
import {
  type BenchContext,
  cutList,
  importAndIndex,
  prepareFiles,
  readLevelMemory,
  startEmptyEngine,
} from './bench-context.ts';
import { bounds } from './bounds.ts';
import { awaitJob, submitList } from './job.ts';
import { drawScale, type ScalePoints } from './scale-plot.ts';

const directorySizes = [100_000, 300_000, 1_000_000, 5_000_000];
/** The longest list is that of a file of 100 MB, the most that an upload may have. */
const listSizes = [10_000, 30_000, 100_000, 300_000, 1_000_000];
/** Rows of the list that is matched against each directory. */
const comparedRows = 50_000;
/** Rows of a job that runs before the first measurement of an engine. */
const warmUpRows = 20_000;
/** People of the directory that lists of each length are matched against. */
const comparedPeople = 100_000;
/** The most that the cost of a row may differ between the shortest and the longest list. */
const flatMax = 1.25;

/** Microseconds of CPU for one row of a job; the engine is idle otherwise. */
async function costOfRow(engine: EngineProcess, path: string, rows: number): Promise<number> {
  const pid = engine.child.pid ?? 0;
  const before = readCpuSeconds(pid);
  await awaitJob(engine, await submitList(engine, path));
  return ((readCpuSeconds(pid) - before) * 1e6) / rows;
}

async function startWithPeople(
  context: BenchContext,
  people: number,
  rows: number,
): Promise<{ engine: EngineProcess; list: string; importMicroseconds: number }> {
  const files = prepareFiles(context, { people, rows });
  const engine = await startEmptyEngine(join(context.root, 'scale'));
  const pid = engine.child.pid ?? 0;
  const before = readCpuSeconds(pid);
  await importAndIndex(engine, files);
  const importMicroseconds = ((readCpuSeconds(pid) - before) * 1e6) / people;
  await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
  // The first rows load the index, and V8 compiles the code while they run.
  const first = cutList(files.list, Math.min(warmUpRows, rows), join(context.root, 'first.csv'));
  await awaitJob(engine, await submitList(engine, first));
  return { engine, list: files.list, importMicroseconds };
}

/** Called after each measurement, with all points. */
type KeepPoints = () => void;

async function measureDirectories(
  context: BenchContext,
  points: ScalePoints,
  keep: KeepPoints,
): Promise<void> {
  for (const people of directorySizes.filter((size) => size <= context.sizes.people)) {
    const { engine, list, importMicroseconds } = await startWithPeople(
      context,
      people,
      comparedRows,
    );
    const rowMicroseconds = await costOfRow(engine, list, comparedRows);
    const idleMegabytes = await readLevelMemory(engine.child.pid ?? 0);
    await engine.stop();
    const file = join(context.root, 'scale', 'directory.index');
    const indexBytes = statSync(file).size / people;
    points.directories[people] = { rowMicroseconds, importMicroseconds, indexBytes, idleMegabytes };
    context.say(`${people} people: ${JSON.stringify(points.directories[people])}`);
    keep();
  }
}

async function measureLists(
  context: BenchContext,
  points: ScalePoints,
  keep: KeepPoints,
): Promise<void> {
  const sizes = listSizes.filter((size) => size <= context.sizes.rows);
  const { engine, list } = await startWithPeople(context, comparedPeople, sizes.at(-1) ?? 0);
  for (const rows of sizes) {
    const path = cutList(list, rows, join(context.root, 'cut.csv'));
    points.lists[rows] = await costOfRow(engine, path, rows);
    context.say(`${rows} rows: ${points.lists[rows]?.toFixed(0)} µs of CPU a row`);
    keep();
  }
  await engine.stop();
}

const ratioOf = (values: readonly number[]) => (values.at(-1) ?? 0) / (values[0] ?? 1);

/**
 * Measures both, adds the points to those of earlier runs and draws docs/scale.svg. CPU time,
 * because the time of the clock includes what other programs use.
 */
export async function benchScale(context: BenchContext): Promise<void> {
  const kept = join(context.root, 'scale.json');
  const points: ScalePoints = existsSync(kept)
    ? (JSON.parse(readFileSync(kept, 'utf8')) as ScalePoints)
    : { lists: {}, directories: {} };
  const keep = () => {
    writeFileSync(kept, JSON.stringify(points, null, 2));
    writeFileSync(join(import.meta.dirname, '../../docs/scale.svg'), drawScale(points));
  };
  await measureDirectories(context, points, keep);
  await measureLists(context, points, keep);
  const flat = ratioOf(Object.values(points.lists));
  context.report(
    'CPU of a row in the longest list ÷ in the shortest',
    `${flat.toFixed(2)}×`,
    `≤ ${flatMax}×`,
    flat <= flatMax,
  );
  const sizes = Object.keys(points.directories).map(Number);
  const logarithmic = Math.log(sizes.at(-1) ?? 1) / Math.log(sizes[0] ?? 1);
  const costs = Object.values(points.directories);
  for (const [what, key] of [
    ['a row of a job', 'rowMicroseconds'],
    ['a person of an import', 'importMicroseconds'],
  ] as const) {
    const grown = ratioOf(costs.map((cost) => cost[key]));
    context.report(
      `CPU of ${what}, ${sizes.at(-1)} people ÷ ${sizes[0]} people`,
      `${grown.toFixed(2)}×`,
      `≤ ${logarithmic.toFixed(2)}× (logarithmic)`,
      grown <= logarithmic,
      bounds.directories,
    );
  }
}
