// Messy lists from the file to the saved result, with the sample as directory and with generated
// people added to it: the product, and DuckDB with exact keys and with a probabilistic model.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { unpackSample } from '../../engine/directory/import/sample.ts';
import type { EngineProcess } from '../../test/engine-process.ts';
import { openExactPeer, type Peer } from '../duckdb-peer.ts';
import { openLinkageModel, type TrainingList } from '../linkage-model.ts';
import { describeThreads, measureThreads, percentile, sumMatching } from '../measure.ts';
import { makePeopleRows } from '../messy/make-people-rows.ts';
import { listVisibleRows, writeCsv } from '../messy/messy-directory.ts';
import { type Directory, readCsv, readSampleDirectory } from '../messy/sample-people.ts';
import { f1, precision, recall, tally } from '../messy/score.ts';
import {
  type BenchContext,
  importAndIndex,
  prepareFiles,
  startEmptyEngine,
  syncDisk,
} from './bench-context.ts';
import { bounds } from './bounds.ts';
import { awaitJob, submitList } from './job.ts';
import { drawPeers, type PeerPoint, shown } from './peers-plot.ts';

const listSizes = [600, 10_000, 100_000];
const trainingRows = 10_000;
const seeds: Readonly<Record<'choose' | 'report', number>> = { choose: 20_271, report: 20_272 };
/** Short enough for a job of 600 rows. */
const pollMs = 10;

/** The program's own name and those of the baselines, in the order of the table. */
const ownName = 'Enrichment Desk';
const peerNames = { exact: 'DuckDB, exact keys', model: 'DuckDB, Fellegi-Sunter' } as const;

/** The messy list of a size, made once and kept, with the reference of each row. */
function prepareList(
  { root, say }: BenchContext,
  directory: Directory,
  split: keyof typeof seeds,
  rows: number,
): TrainingList {
  const folder = join(root, 'messy');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${split}-${rows}.csv`);
  const truthPath = join(folder, `${split}-${rows}.truth.csv`);
  if (!existsSync(truthPath)) {
    say(`making ${rows} messy rows …`);
    const made = makePeopleRows(directory, { seed: seeds[split], split, count: rows });
    writeCsv(
      path,
      made.map(({ id, cells }) => ({ row_ref: id, ...cells })),
    );
    writeCsv(
      truthPath,
      made.map(({ id, personId }) => ({ row_ref: id, person_id: personId })),
    );
  }
  const known = readCsv(truthPath).filter((row) => row.person_id !== '');
  return { path, rows, truth: new Map(known.map((row) => [row.row_ref!, row.person_id!])) };
}

/** Saves what a method finds in a list; returns the person of each answered row. */
type Method = (list: string, target: string) => Promise<() => Promise<Map<string, string>>>;

const methodOf =
  (peer: Peer): Method =>
  async (list, target) => {
    await peer.match(list);
    await peer.save(list, target);
    return () => peer.readAnswers();
  };

const ownMethod =
  (engine: EngineProcess): Method =>
  async (list, target) => {
    const id = await submitList(engine, list);
    await awaitJob(engine, id, pollMs);
    await engine.ask('POST', `/app/v1/jobs/${id}/exports`, { path: target });
    return async () => {
      const withIds = `${target}.ids.csv`;
      rmSync(withIds, { force: true });
      await engine.ask('POST', `/app/v1/jobs/${id}/exports`, { path: withIds, own_lists: true });
      const rows = readCsv(withIds);
      const column = Object.keys(rows[0] ?? {}).find((name) => name.startsWith('Id in '))!;
      const answered = rows.filter((row) => row[column] !== '');
      return new Map(answered.map((row) => [row.row_ref!, row[column]!]));
    };
  };

/** The median time of the rounds, and the quality of the last. */
async function measure(
  { root, sizes }: BenchContext,
  method: Method,
  list: string,
  truth: TrainingList['truth'],
): Promise<Pick<PeerPoint, 'seconds' | 'precision' | 'recall' | 'f1'>> {
  const target = join(root, 'peers.csv');
  const times: number[] = [];
  let readAnswers = async () => new Map<string, string>();
  for (let round = 0; round < sizes.rounds; round++) {
    rmSync(target, { force: true });
    syncDisk();
    const startedAt = performance.now();
    readAnswers = await method(list, target);
    times.push((performance.now() - startedAt) / 1_000);
    if (!existsSync(target)) throw new Error(`${target} was not written`);
  }
  const answers = await readAnswers();
  const ids = new Set([...answers.keys(), ...truth.keys()]);
  const counts = tally(
    Array.from(ids, (id) => ({
      answer: answers.get(id) ?? '',
      truth: truth.get(id) ?? '',
      confidence: 1,
      kinds: [],
    })),
  );
  return {
    seconds: percentile(times, 0.5),
    precision: precision(counts),
    recall: recall(counts),
    f1: f1(counts),
  };
}

/** The points as a Markdown table: a line for each list, a column for each method. */
function writeTable(points: readonly PeerPoint[]): string {
  const names = [...new Set(points.map(({ name }) => name))];
  const lists = Map.groupBy(points, ({ people, rows }) => `${shown(people)} | ${shown(rows)}`);
  const lines = Array.from(lists, ([list, own]) => {
    const cells = names.map((name) => {
      const point = own.find((one) => one.name === name)!;
      const ratio = (point.seconds / own[0]!.seconds).toFixed(1);
      const quality = [point.precision, point.recall, point.f1].map((one) => one.toFixed(3));
      return `${point.seconds.toFixed(2)} s (${ratio}×): ${quality.join(', ')}`;
    });
    return `| ${list} | ${cells.join(' | ')} |`;
  });
  const head = ['people', 'rows', ...names];
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...lines].join('\n');
}

/** Measures every list with every method; the directory is that of the files. */
async function measureDirectory(
  context: BenchContext,
  engine: EngineProcess,
  files: readonly string[],
  people: number,
  lists: readonly TrainingList[],
  training: TrainingList,
): Promise<PeerPoint[]> {
  const threads = availableParallelism();
  const points: PeerPoint[] = [];
  const measureAll = async (name: string, method: Method) => {
    for (const { path, rows, truth } of lists) {
      const point = { name, people, rows, ...(await measure(context, method, path, truth)) };
      points.push(point);
      context.say(JSON.stringify(point));
    }
  };
  for (const [name, open] of [
    [peerNames.exact, () => openExactPeer(files, threads)],
    [peerNames.model, () => openLinkageModel(files, threads, training)],
  ] as const) {
    const peer = await open();
    await measureAll(name, methodOf(peer));
    peer.close();
  }
  await measureAll(ownName, ownMethod(engine));
  return points;
}

const rowsOfCoreMin = 7_000;

/** Reports how many messy rows one core matches in a second, V8's helpers included. */
async function reportRowsOfCore(
  { report }: BenchContext,
  engine: EngineProcess,
  { path, rows }: TrainingList,
): Promise<void> {
  const costs = await measureThreads(engine.child.pid ?? 0, rows, async () =>
    awaitJob(engine, await submitList(engine, path)),
  );
  const ofCore = 1e6 / sumMatching(costs);
  report(
    'messy rows that are matched in a second of one core',
    shown(Math.round(ofCore)),
    `≥ ${shown(rowsOfCoreMin)}`,
    ofCore >= rowsOfCoreMin,
    `${bounds.messyRows} CPU of a row: ${describeThreads(costs, 'µs')}.`,
  );
}

/** Prints the table and draws docs/peers.svg. */
export async function benchPeers(context: BenchContext): Promise<void> {
  const { root, sizes } = context;
  const directory = readSampleDirectory();
  const lists = listSizes
    .filter((rows) => rows <= sizes.rows)
    .map((rows) => prepareList(context, directory, 'report', rows));
  const training = prepareList(context, directory, 'choose', trainingRows);
  const sample = await unpackSample(join(root, 'messy', 'sample'));
  const visible = listVisibleRows(directory);
  const own = new Set(visible.map((row) => row.person_id)).size;
  const people = join(root, 'messy', 'people.csv');
  writeCsv(people, visible);
  const engine = await startEmptyEngine(join(root, 'peers'));
  try {
    await importAndIndex(engine, { people, companies: sample.companies });
    await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
    const points = await measureDirectory(context, engine, [people], own, lists, training);
    await reportRowsOfCore(context, engine, lists.at(-1)!);
    if (sizes.people > own) {
      const added = prepareFiles(context, { people: sizes.people - own, rows: 1_000 });
      await importAndIndex(engine, added);
      const files = [people, added.people];
      points.push(
        ...(await measureDirectory(context, engine, files, sizes.people, lists, training)),
      );
    }
    console.log(writeTable(points));
    writeFileSync(join(import.meta.dirname, '../../docs/peers.svg'), drawPeers(points));
  } finally {
    await engine.stop();
  }
}
