// The indexes of a directory, built and saved where their files are outdated.
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { BuiltIndex } from './index/built-index.ts';
import { buildIndex } from './index/index-build.ts';
import { readGeneration } from './open-directory.ts';
import { type IndexKind, loadSaved, saveBuilt } from './saved-indexes.ts';
import { buildSearchIndex } from './search/search-build.ts';

/**
 * The index of the current directory: from its file, or built and saved. Throws file-system errors.
 * @param onProgress is called while people are indexed
 */
export function readOrBuild(
  kind: IndexKind,
  folder: string,
  directory: ReadableDatabase,
  onProgress?: (done: number, total: number) => void,
): BuiltIndex {
  const saved = loadSaved(kind, folder, directory);
  if (saved) return saved;
  const build = kind === 'match' ? buildIndex : buildSearchIndex;
  const generation = readGeneration(directory);
  const { buffer } = build(directory, onProgress);
  saveBuilt(kind, folder, buffer);
  return { buffer, generation };
}
