// What every part of the benchmark receives: sizes, folders and the report.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FoundContacts } from '../../engine/contract/search.ts';
import { type EngineProcess, startEngineProcess } from '../../test/engine-process.ts';
import { type Generated, generate } from '../generate.ts';
import { readPrivateMegabytes } from '../measure.ts';

/** Sizes of one run. */
export interface BenchSizes {
  readonly people: number;
  readonly rows: number;
  readonly rounds: number;
  /** Companies of the part `companies`. */
  readonly companies: number;
  readonly searches: number;
  /** Searches that also run in SQL. */
  readonly compared: number;
}

/** One figure of the report. */
interface BenchFigure {
  readonly what: string;
  readonly figure: string;
  /** '' without a bar. */
  readonly bar: string;
  /** null without a bar. */
  readonly isMet: boolean | null;
}

/** The context of a run. */
export interface BenchContext {
  readonly sizes: BenchSizes;
  /** Folder of all data of the benchmark. */
  readonly root: string;
  /** `bound` says what bounds the figure; it is printed once if the bar is missed. */
  report(what: string, figure: string, bar: string, isMet: boolean | null, bound?: string): void;
  say(text: string): void;
}

/** Creates a context, and the table of the figures that its parts report. */
export function createBenchContext(sizes: BenchSizes): BenchContext & {
  /** The figures as a Markdown table. */
  writeTable(): string;
} {
  const root = join(import.meta.dirname, '../../.bench');
  mkdirSync(root, { recursive: true });
  const figures: BenchFigure[] = [];
  let lastBound = '';
  return {
    sizes,
    root,
    writeTable() {
      const lines = figures.map(({ what, figure, bar, isMet }) => {
        const verdict = isMet === null ? '' : isMet ? 'met' : 'missed';
        return `| ${what} | ${figure} | ${bar} | ${verdict} |`;
      });
      return ['| what | figure | bar | |', '| --- | --- | --- | --- |', ...lines, ''].join('\n');
    },
    report(what, figure, bar, isMet, bound) {
      figures.push({ what, figure, bar, isMet });
      const verdict = isMet === null ? '' : isMet ? ' met' : ' MISSED';
      console.log(`${what}: ${figure}${bar ? ` (bar: ${bar})` : ''}${verdict}`);
      if (isMet !== false || !bound || bound === lastBound) return;
      console.log(`  bounded by ${bound}`);
      lastBound = bound;
    },
    say: (text) => console.error(text),
  };
}

/** The generated files of a size, made once and kept. */
export function prepareFiles(
  { root, say }: BenchContext,
  { people, rows }: { readonly people: number; readonly rows: number },
): Generated {
  const folder = join(root, `${people}-${rows}`);
  const done = join(folder, 'done.json');
  if (existsSync(done)) return JSON.parse(readFileSync(done, 'utf8')) as Generated;
  say(`making ${people} people and ${rows} rows …`);
  const companies = Math.max(10, Math.floor(people / 10));
  const files = generate(folder, { people, companies, rows, seed: 42 });
  writeFileSync(done, JSON.stringify(files));
  return files;
}

/** Writes the first rows of a list to a file of its own. */
export function cutList(path: string, rows: number, target: string): string {
  const text = readFileSync(path, 'utf8');
  let end = text.indexOf('\n') + 1;
  for (let at = 0; at < rows; at++) end = text.indexOf('\n', end) + 1;
  writeFileSync(target, text.slice(0, end));
  return target;
}

/** Starts an engine on an empty data folder. */
export function startEmptyEngine(dataDir: string): Promise<EngineProcess> {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  return startEngineProcess(dataDir);
}

const pollMs = 200;

/** Imports files, and waits until searches find all of them. */
export async function importAndIndex(
  engine: EngineProcess,
  { people, companies }: { readonly people?: string; readonly companies?: string },
): Promise<void> {
  await engine.ask('POST', '/app/v1/directory/imports?wait=1', {
    ...(people && { people_path: people }),
    ...(companies && { companies_path: companies }),
  });
  const kind = people ? 'contacts' : 'companies';
  const stats = (await engine.ask('GET', '/app/v1/directory')) as Record<string, number>;
  const expected = stats[people ? 'people' : 'companies'];
  for (;;) {
    const found = await engine
      .ask('POST', `/app/v1/directory/search/${kind}`, { limit: 1 })
      .catch(() => null);
    if ((found as FoundContacts | null)?.total === expected) return;
    await wait(pollMs);
  }
}

const levelMegabytes = 1;
const levelSamples = 10;
const levelPollMs = 1_000;
const levelSamplesMax = 90;

/** The private memory of a process in MB, once it has not changed for ten seconds. */
export async function readLevelMemory(pid: number): Promise<number> {
  let level = 0;
  let before = readPrivateMegabytes(pid);
  for (let at = 0; at < levelSamplesMax && level < levelSamples; at++) {
    await wait(levelPollMs);
    const now = readPrivateMegabytes(pid);
    level = Math.abs(now - before) <= levelMegabytes ? level + 1 : 0;
    before = now;
  }
  return before;
}

/** Waits until the disk has written everything, so that it does not slow what follows. */
export function syncDisk(): void {
  spawnSync('sync');
}
