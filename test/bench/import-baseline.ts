/**
 * The import against its baseline: the very same import with every index standing from the start.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import type { Generated } from './generate.ts';

/** Imports both files into a fresh directory; milliseconds. */
async function timeImport(files: Generated, folder: string, keepsIndices: boolean) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const database = openDirectory(folder);
  const request = { peoplePath: files.people, companiesPath: files.companies, keepsIndices };
  const startedAt = performance.now();
  await importDirectory(database, request);
  const tookMs = performance.now() - startedAt;
  database.close();
  rmSync(folder, { recursive: true, force: true });
  return tookMs;
}

/** How many times faster the import is than with its indices first. */
export async function measureImport(
  files: Generated,
  folder: string,
  say: (text: string) => void,
): Promise<number> {
  const oursMs = await timeImport(files, folder, false);
  const baselineMs = await timeImport(files, folder, true);
  say(`import ${Math.round(oursMs)} ms, with indices first ${Math.round(baselineMs)} ms`);
  return baselineMs / oursMs;
}
