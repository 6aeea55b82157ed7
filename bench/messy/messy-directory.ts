// The directory that a messy list is matched against: the sample without its hidden people.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { sampleFiles, sampleSource, unpackSample } from '../../engine/directory/import/sample.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { formatRecord } from '../../engine/spreadsheet/format-record.ts';
import { type CsvRow, type Directory, readCsv } from './sample-people.ts';

/** Writes rows as CSV, with the columns of the first. */
export function writeCsv(path: string, rows: readonly CsvRow[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => formatRecord(columns.map((column) => row[column] ?? '')));
  writeFileSync(path, [formatRecord(columns), ...lines].join(''));
}

/** The rows of the sample's people.csv without the people who are hidden. */
export const listVisibleRows = (directory: Directory): CsvRow[] =>
  readCsv(sampleFiles().people).filter((row) => !directory.isHidden(row.person_id!));

/** Imports the sample into an empty directory database without the people who are hidden. */
export async function importMessyDirectory(
  db: WritableDatabase,
  dir: string,
  directory: Directory,
): Promise<void> {
  const { companies } = await unpackSample(join(dir, 'sample'));
  const peoplePath = join(dir, 'people.csv');
  writeCsv(peoplePath, listVisibleRows(directory));
  await importDirectory(db, { peoplePath, companiesPath: companies, source: sampleSource });
}
