// The import compared with its floor: the same files parsed by the same reader, every cell inserted
// as it is into one table without indexes, then the same indexes created.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { importFileBytesMax } from '../../engine/contract/limits/directory.ts';
import { importTableBytesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import type { Generated } from '../generate.ts';
import { describeThreads, readThreadSeconds } from '../measure.ts';
import { type BenchContext, prepareFiles } from './bench-context.ts';

const rowsPerInsert = 32;

/** The columns of the raw table: those of people.csv; companies.csv has as many, or fewer. */
const columns = [
  'person',
  'first_name',
  'last_name',
  'organization',
  'org',
  'title',
  'start',
  'end',
  'is_current',
  'url',
  'email',
  'mobile',
  'direct',
  'city',
  'country',
  'import_id',
];

const isPerson = "is_current = '1'";

/** The indexes of directory.db that an import fills, each over as many rows of the raw table. */
const indexes = [
  'employment_person ON raw (person) WHERE is_current IS NOT NULL',
  'employment_company ON raw (org, person) WHERE is_current IS NOT NULL',
  "employment_email ON raw (email COLLATE NOCASE) WHERE email <> ''",
  'employment_import ON raw (import_id) WHERE is_current IS NOT NULL',
  `person_uuid ON raw (person) WHERE ${isPerson}`,
  `person_profile_key ON raw (url) WHERE ${isPerson}`,
  `person_last_key ON raw (last_name) WHERE ${isPerson}`,
  `person_import ON raw (import_id) WHERE ${isPerson}`,
  ...['mobile', 'direct'].flatMap((phone) =>
    [phone, 'person', 'import_id'].map(
      (column) => `${phone}_${column} ON raw (${column}) WHERE ${isPerson} AND ${phone} <> ''`,
    ),
  ),
  ...['person', 'first_name', 'last_name', 'org', 'import_id'].map(
    (column) => `company_${column} ON raw (${column}) WHERE is_current IS NULL`,
  ),
];

/** Inserts the rows of a file, many at a time, like the import. */
async function insertRaw(db: Database.Database, path: string): Promise<void> {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const many = db.prepare(`INSERT INTO raw VALUES ${Array(rowsPerInsert).fill(row).join(', ')}`);
  const one = db.prepare(`INSERT INTO raw VALUES ${row}`);
  let waiting: unknown[] = [];
  await prepareTable({
    sourcePath: path,
    targetDir: null,
    fileName: 'list.csv',
    bytesMax: importFileBytesMax,
    tableBytesMax: importTableBytesMax,
    onRow(_line, cells) {
      for (let at = 0; at + 1 < columns.length; at++) waiting.push(cells[at] ?? null);
      waiting.push(1);
      if (waiting.length < columns.length * rowsPerInsert) return;
      many.run(waiting);
      waiting = [];
    },
  });
  for (let at = 0; at < waiting.length; at += columns.length)
    one.run(waiting.slice(at, at + columns.length));
}

async function importRaw(files: Generated, folder: string): Promise<void> {
  const db = new Database(join(folder, 'raw.db'));
  db.pragma('page_size = 8192');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -32000');
  db.pragma('threads = 2');
  db.exec('BEGIN IMMEDIATE');
  db.exec(`CREATE TABLE raw (${columns.map((column) => `"${column}"`).join(', ')})`);
  for (const path of [files.companies, files.people]) await insertRaw(db, path);
  // The size of a sort, as in the import.
  db.pragma('cache_size = -8000');
  for (const index of indexes) db.exec(`CREATE INDEX ${index}`);
  db.exec('COMMIT');
  db.close();
}

async function importAll({ people, companies }: Generated, folder: string): Promise<void> {
  const db = openDirectory(folder);
  await importDirectory(db, { peoplePath: people, companiesPath: companies });
  db.close();
}

/** What an import took. */
interface ImportTimes {
  readonly wallMs: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
  /** The same in seconds by thread. One that has ended counts until it was seen last. */
  readonly threads: ReadonlyMap<string, number>;
}

const samplePeriodMs = 100;

async function time(
  run: (files: Generated, folder: string) => Promise<void>,
  files: Generated,
  folder: string,
): Promise<ImportTimes> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const before = readThreadSeconds(process.pid);
  const threads = new Map<string, number>();
  const look = () => {
    for (const [name, seconds] of readThreadSeconds(process.pid))
      threads.set(name, Math.max(threads.get(name) ?? 0, seconds - (before.get(name) ?? 0)));
  };
  const timer = setInterval(look, samplePeriodMs);
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  await run(files, folder);
  const [wallMs, { user, system }] = [performance.now() - startedAt, process.cpuUsage(cpuBefore)];
  clearInterval(timer);
  look();
  rmSync(folder, { recursive: true, force: true });
  return { wallMs, cpuMs: (user + system) / 1000, threads };
}

const ratioMax = 1.7;

/** Times the import of both files into an empty directory, and its floor. */
export async function benchImport(context: BenchContext): Promise<void> {
  const { root, say, report, sizes } = context;
  const files = prepareFiles(context, { people: sizes.people, rows: 1_000 });
  const folder = join(root, 'import');
  const ours = await time(importAll, files, folder);
  const floor = await time(importRaw, files, folder);
  const seconds = ({ wallMs, cpuMs }: ImportTimes) =>
    `${(wallMs / 1000).toFixed(1)} s, CPU ${(cpuMs / 1000).toFixed(1)} s`;
  say(`import ${seconds(ours)}; floor ${seconds(floor)}`);
  const ratio = ours.wallMs / floor.wallMs;
  report(
    'import ÷ its floor',
    `${ratio.toFixed(2)}×`,
    `≤ ${ratioMax}×`,
    ratio <= ratioMax,
    'normalising in the reading thread, and inserts and indexes in the other: CPU by thread ' +
      `${describeThreads(ours.threads, 's')}; of the floor ${describeThreads(floor.threads, 's')}.`,
  );
  report('the same as CPU time', `${(ours.cpuMs / floor.cpuMs).toFixed(2)}×`, '', null);
}
