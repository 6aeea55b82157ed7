// Every kind of damage to a data folder is refused at the start with a remedy, or named by doctor.
// It never becomes a new installation, and is never reported as a bug.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from '../../engine/app/start-environment.ts';
import type { ErrorCode } from '../../engine/contract/errors.ts';
import type { Check } from '../../engine/contract/maintenance.ts';
import { runDoctor } from '../../engine/maintenance/doctor.ts';
import { contacts, people } from '../cli/lists.ts';
import { makePlace } from '../cli/run-desk.ts';
import { mergeLogs } from '../merge-logs.ts';
import { createRandom } from '../random.ts';

/** A folder with people, a finished job, and spent credits. */
const whole = makePlace();
beforeAll(async () => {
  whole.write('people.csv', people);
  whole.write('contacts.csv', contacts);
  await whole.here('directory', 'import', 'people.csv');
  const run = await whole.here('enrich', 'contacts.csv', '--layers', 'L1', '--out', 'o', '--yes');
  expect(run.code, run.stderr).toBe(0);
  mergeLogs(whole.dataDir);
});
afterAll(() => whole.remove());

type Harm = (path: (name: string) => string) => void;

const pageBytes = 8_192;

/** Changes some bytes after the header, always the same ones. */
const flip =
  (name: string, count: number, from = 100): Harm =>
  (path) => {
    const random = createRandom(count);
    const bytes = readFileSync(path(name));
    for (let turned = 0; turned < count; turned++)
      bytes[from + Math.floor(random() * (bytes.length - from))]! ^= 0xff;
    writeFileSync(path(name), bytes);
  };
/** Changes the first byte of some pages, which is the page type. */
const flipPages =
  (name: string, count: number): Harm =>
  (path) => {
    const bytes = readFileSync(path(name));
    for (let page = 1; page <= count; page++) bytes[page * pageBytes]! ^= 0xff;
    writeFileSync(path(name), bytes);
  };
const overwriteHeader =
  (name: string): Harm =>
  (path) =>
    writeFileSync(path(name), readFileSync(path(name)).fill(0, 0, 16));
const cutHalf =
  (name: string): Harm =>
  (path) =>
    truncateSync(path(name), Math.floor(statSync(path(name)).size / 2));
const empty =
  (name: string): Harm =>
  (path) =>
    writeFileSync(path(name), '');
const remove =
  (name: string): Harm =>
  (path) =>
    rmSync(path(name), { recursive: true });
const run =
  (name: string, sql: string): Harm =>
  (path) => {
    const database = new Database(path(name));
    database.exec(sql);
    database.close();
  };
const firstInput = (path: Parameters<Harm>[0], name: string) => {
  const [id = ''] = readdirSync(path('jobs'));
  return join(path('jobs'), id, name);
};

/** The expected outcome: a refusal with a code, checks that are wrong, both, or neither. */
type Expected =
  | { readonly refused: ErrorCode }
  | { readonly wrong: readonly string[] }
  | { readonly refused: ErrorCode; readonly orWrong: string };

const well: Expected = { wrong: [] };
const damagedStore: Expected = { refused: 'database_damaged', orWrong: 'engine.db' };
const damagedDirectory: Expected = { refused: 'database_damaged', orWrong: 'Directory' };
const missing: Expected = { refused: 'database_missing' };

const cases: readonly (readonly [what: string, harm: Harm, expected: Expected])[] = [
  ['nothing', () => undefined, well],
  ['engine.db without its header', overwriteHeader('engine.db'), { refused: 'database_damaged' }],
  ['three turned bytes in engine.db', flipPages('engine.db', 3), damagedStore],
  ['500 turned bytes in engine.db', flip('engine.db', 500), damagedStore],
  ['half of engine.db', cutHalf('engine.db'), damagedStore],
  ['an empty engine.db', empty('engine.db'), missing],
  ['no engine.db', remove('engine.db'), missing],
  [
    'a folder for engine.db',
    (path) => {
      rmSync(path('engine.db'));
      mkdirSync(path('engine.db'));
    },
    { refused: 'database_damaged' },
  ],
  [
    'another program’s engine.db',
    (path) => {
      rmSync(path('engine.db'));
      run('engine.db', 'CREATE TABLE account (x); PRAGMA user_version = 0')(path);
    },
    { refused: 'database_damaged' },
  ],
  [
    'directory.db without its header',
    overwriteHeader('directory.db'),
    { refused: 'database_damaged' },
  ],
  ['2,000 turned bytes in directory.db', flip('directory.db', 2_000), damagedDirectory],
  ['half of directory.db', cutHalf('directory.db'), damagedDirectory],
  ['an empty directory.db', empty('directory.db'), missing],
  ['no directory.db', remove('directory.db'), missing],
  ['200 turned bytes in the index', flip('directory.index', 200, 0), well],
  ['50 turned bytes in the index of searches', flip('directory.search', 50, 0), well],
  ['an empty index', empty('directory.index'), well],
  [
    'rows that were cut',
    (path) => truncateSync(firstInput(path, 'input.csv'), 20),
    { wrong: ['Jobs'] },
  ],
  ['no rows', (path) => rmSync(firstInput(path, 'input.csv')), { wrong: ['Jobs'] }],
  ['no folder of jobs', remove('jobs'), { wrong: ['Jobs'] }],
  ['a cut key', (path) => writeFileSync(path('engine.key'), 'x'), well],
  [
    'a ledger that was edited',
    (path) => {
      const database = new Database(path('engine.db'));
      const triggers = database
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ledger_entry'",
        )
        .pluck()
        .all();
      for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
      database.exec('UPDATE ledger_entry SET amount_units = amount_units + 1 WHERE id = 2');
      database.close();
    },
    { wrong: ['engine.db', 'Ledger'] },
  ],
  [
    'an engine.db of a newer version',
    run('engine.db', 'PRAGMA user_version = 999'),
    { refused: 'database_too_new' },
  ],
  [
    'a directory.db of a newer version',
    run('directory.db', 'PRAGMA user_version = 999'),
    { refused: 'database_too_new' },
  ],
];

/** Opens a copy and runs doctor, as the engine does; or returns the refusal. */
async function examine(folder: string): Promise<{ code: string } | { wrong: readonly Check[] }> {
  try {
    const environment = await startEnvironment('live', folder);
    try {
      const checks = await runDoctor({ environment, port: null, wasOpen: false });
      return { wrong: checks.filter(({ state }) => state === 'wrong') };
    } finally {
      await environment.close();
    }
  } catch (error) {
    const { code, detail } = error as { code: string; detail: string };
    expect(detail).toMatch(/desk restore FILE.*desk serve --new|newer version/);
    expect(detail).not.toContain('    at ');
    return { code };
  }
}

async function openDamaged(_what: string, harm: Harm, expected: Expected): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-damaged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(whole.dataDir, folder, { recursive: true });
  harm((name) => join(folder, name));
  const before = readdirSync(folder).sort();
  const found = await examine(folder);
  if ('code' in found) {
    expect({ refused: found.code }).toMatchObject({
      refused: 'refused' in expected && expected.refused,
    });
    // A refused folder is unchanged, so that a person can still repair it.
    expect(
      readdirSync(folder)
        .filter((name) => !/-(wal|shm)$/.test(name))
        .sort(),
    ).toEqual(before);
    return;
  }
  const names = found.wrong.map(({ name }) => name);
  for (const { detail } of found.wrong) {
    expect(detail).toMatch(/estore a backup/);
    expect(detail).not.toContain('    at ');
  }
  if ('orWrong' in expected) expect(names).toContain(expected.orWrong);
  else expect(names).toEqual('wrong' in expected ? expected.wrong : 'refused');
}

/** The same kinds of damage to other files, or more and less of it. */
const variants = [
  '500 turned bytes in engine.db',
  'half of engine.db',
  'an empty engine.db',
  'a folder for engine.db',
  'half of directory.db',
  'an empty directory.db',
  '50 turned bytes in the index of searches',
  'an empty index',
  'no folder of jobs',
  'no rows',
  'a directory.db of a newer version',
];
const isVariant = ([what]: (typeof cases)[number]) => variants.includes(what);
test.each(cases.filter((one) => !isVariant(one)))('a folder with %s', openDamaged);
test.each(cases.filter(isVariant))('a folder with %s', { tags: ['full'] }, openDamaged);
