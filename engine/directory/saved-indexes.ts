/** The files of a data folder that keep the indexes of its directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { BuiltIndex } from './index/built-index.ts';
import { loadIndex, saveIndex } from './index/index-file.ts';
import { matchIndexFormat, openIndex } from './index/index-layout.ts';
import { readGeneration } from './open-directory.ts';
import { openSearchIndex, searchIndexFormat } from './search/search-layout.ts';

const savedIndexes = {
  match: { name: 'directory.index', format: matchIndexFormat, open: openIndex },
  search: { name: 'directory.search', format: searchIndexFormat, open: openSearchIndex },
} as const;

export type IndexKind = keyof typeof savedIndexes;

/** The saved index of the current directory; null if the file is missing, damaged or outdated. */
export function loadSaved(
  kind: IndexKind,
  folder: string,
  directory: ReadableDatabase,
): BuiltIndex | null {
  const { name, format, open } = savedIndexes[kind];
  const generation = readGeneration(directory);
  const buffer = loadIndex(format, join(folder, name));
  return buffer && open(buffer).generation === generation ? { buffer, generation } : null;
}

/** Saves an index. Throws file-system errors. */
export const saveBuilt = (kind: IndexKind, folder: string, buffer: SharedArrayBuffer): void =>
  saveIndex(savedIndexes[kind].format, buffer, join(folder, savedIndexes[kind].name));

/** Whether a folder has the file of an index. */
export const hasSaved = (folder: string): boolean =>
  Object.values(savedIndexes).some(({ name }) => existsSync(join(folder, name)));

/** The names of damaged files, and of those from another version. */
export const listDamaged = (folder: string): string[] =>
  Object.values(savedIndexes).flatMap(({ name, format }) => {
    const path = join(folder, name);
    return existsSync(path) && loadIndex(format, path) === null ? [name] : [];
  });
