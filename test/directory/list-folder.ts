// A directory in its own folder, and lists to import into it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportOptions, ImportReport } from '../../engine/contract/directory.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { formatRecord } from '../../engine/spreadsheet/format-record.ts';

export type Row = Readonly<Record<string, string>>;

export interface ListFolder extends Disposable {
  readonly db: WritableDatabase;
  write(name: string, rows: readonly Row[] | string | Buffer): string;
  importPeople(
    rows: readonly Row[] | string | Buffer,
    options?: ImportOptions & { name?: string },
  ): Promise<ImportReport>;
  importCompanies(rows: readonly Row[] | string, options?: ImportOptions): Promise<ImportReport>;
  /** Imports people.csv and companies.csv together. */
  importBoth(
    people: readonly Row[],
    companies: readonly Row[],
    options?: ImportOptions,
  ): Promise<ImportReport>;
  /** All content of the directory without counters, for comparisons. */
  dump(): Record<string, unknown[]>;
}

const dumped = [
  'company',
  'company_alias',
  'person',
  'person_name',
  'person_key',
  'person_phone',
  'person_listing',
  'company_listing',
  'employment',
  'value_claim',
];

export function toCsv(rows: readonly Row[]): string {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => formatRecord(headers.map((header) => row[header] ?? '')));
  return formatRecord(headers) + lines.join('');
}

/** Creates an empty directory; disposing removes its folder. */
export function openListFolder(): ListFolder {
  const folder = mkdtempSync(join(tmpdir(), 'desk-lists-'));
  const db = openDirectory(folder);
  const write: ListFolder['write'] = (name, rows) => {
    const path = join(folder, name);
    const isContent = typeof rows === 'string' || Buffer.isBuffer(rows);
    writeFileSync(path, isContent ? rows : toCsv(rows));
    return path;
  };
  return {
    db,
    write,
    importPeople: (rows, { name = 'people.csv', ...options } = {}) =>
      importDirectory(db, { ...options, peoplePath: write(name, rows) }),
    importCompanies: (rows, options = {}) =>
      importDirectory(db, { ...options, companiesPath: write('companies.csv', rows) }),
    importBoth: (people, companies, options = {}) =>
      importDirectory(db, {
        ...options,
        peoplePath: write('people.csv', people),
        companiesPath: write('companies.csv', companies),
      }),
    dump() {
      const tables = dumped.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]);
      const counts = db.prepare('SELECT * FROM generation').get() as Record<string, unknown>;
      delete counts.number;
      return { ...Object.fromEntries(tables), counts: [counts] };
    },
    [Symbol.dispose]() {
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}
