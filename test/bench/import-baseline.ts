/**
 * The import against its baseline: the very same rows, already normalised, loaded into the same
 * schema with its indices first.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { importDirectory } from '../../engine/directory/import-directory.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import type { Generated } from './generate.ts';

/** Loads every table of a finished directory into a fresh one whose indices stand already; ms. */
function loadIndicesFirst(finished: string, folder: string): number {
  const database = openDirectory(folder);
  database.prepare('ATTACH DATABASE ? AS finished').run(join(finished, 'directory.db'));
  const tables = database
    .prepare(
      `SELECT name FROM finished.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all() as string[];
  database.pragma('foreign_keys = OFF');
  const startedAt = performance.now();
  database.exec('BEGIN');
  for (const table of tables)
    database.exec(
      `DELETE FROM main."${table}"; INSERT INTO main."${table}" SELECT * FROM finished."${table}"`,
    );
  database.exec('COMMIT');
  const tookMs = performance.now() - startedAt;
  database.close();
  return tookMs;
}

/** How many times faster the import (reading, normalising, loading, then indices) is. */
export async function measureImport(
  files: Generated,
  folder: string,
  say: (text: string) => void,
): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const [ours, baseline] = [join(folder, 'ours'), join(folder, 'baseline')];
  for (const dir of [ours, baseline]) mkdirSync(dir, { recursive: true });
  const database = openDirectory(ours);
  const startedAt = performance.now();
  await importDirectory(database, { peoplePath: files.people, companiesPath: files.companies });
  const oursMs = performance.now() - startedAt;
  database.close();
  const baselineMs = loadIndicesFirst(ours, baseline);
  say(
    `import ${Math.round(oursMs)} ms, ` +
      `the same rows with indices first ${Math.round(baselineMs)} ms`,
  );
  rmSync(folder, { recursive: true, force: true });
  return baselineMs / oursMs;
}
