/** Erases the rows of a person from stored inputs and uploads. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jobDir } from '../spreadsheet/input-folders.ts';
import type { ErasedEntry } from './erase-store.ts';
import { blankInputRows } from './input-files.ts';
import { redactJson } from './redact.ts';
import { createMatcher, type Matcher, type Subject } from './subject.ts';

interface ErasedRow {
  readonly row: number;
  readonly columns: readonly number[] | null;
}

/** The facts of an upload have its first rows and its file name. */
function eraseFacts(dir: string, rows: readonly ErasedRow[], matcher: Matcher): void {
  const path = join(dir, 'upload.json');
  if (!existsSync(path)) return;
  const facts = JSON.parse(redactJson(readFileSync(path, 'utf8'), matcher)) as {
    upload: { first_rows: string[][] };
  };
  const first = facts.upload.first_rows;
  for (const { row, columns } of rows) {
    const cells = first[row];
    if (cells)
      first[row] = cells.map((cell, at) => (columns === null || columns.includes(at) ? '' : cell));
  }
  const draft = `${path}.partial`;
  writeFileSync(draft, JSON.stringify(facts), { mode: 0o600, flush: true });
  renameSync(draft, path);
}

/** Overwrites the entries of inputs and uploads. It can be repeated. */
export function eraseFromFiles(
  folder: string,
  subject: Subject,
  entries: readonly ErasedEntry[],
): void {
  const matcher = createMatcher(subject);
  const byFolder = new Map<string, ErasedRow[]>();
  for (const { place, key } of entries) {
    if (place !== 'inputs' && place !== 'uploads') continue;
    const [name, row, columns] = key as [string, number, readonly number[] | null];
    const dir = place === 'inputs' ? jobDir(folder, name) : join(folder, 'uploads', name);
    byFolder.set(dir, [...(byFolder.get(dir) ?? []), { row, columns }]);
  }
  for (const [dir, rows] of byFolder) {
    // The folder of an upload may have been removed meanwhile.
    const inFile = rows.filter(({ row }) => row >= -1);
    if (inFile.length > 0 && existsSync(join(dir, 'input.csv'))) blankInputRows(dir, inFile);
    // The facts of an upload quote lines that were left out.
    if (basename(dir) === 'left-out') eraseFacts(dirname(dir), [], matcher);
    else eraseFacts(dir, rows, matcher);
  }
}
