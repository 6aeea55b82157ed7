// Keeps the search index of an environment up to date with its directory. The previous index is
// used meanwhile.
//
//   building ──read──> ready ──import, undo──> ready (the old one) ──read──> ready
//       └──error──> failed (load-indexes.ts retries)
import { EngineError } from '../../contract/errors.ts';
import { searchWaitMaxMs } from '../../contract/limits/directory.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { BuiltIndex } from '../index/built-index.ts';
import { openSearch, type SearchCalls } from './search-directory.ts';
import { openSearchIndex, type SearchIndex } from './search-layout.ts';

export interface SearchIndexHolder {
  readonly calls: SearchCalls;
  generation(): number | null;
  /**
   * Reads the index of the current directory. On failure the previous index remains, and nothing is
   * thrown, because the change of the directory itself has succeeded.
   */
  follow(read: () => Promise<BuiltIndex>): Promise<void>;
}

async function waitFor(promise: Promise<void>, maxMs: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, maxMs);
  await Promise.race([promise, over.promise]);
  clearTimeout(timer);
}

/** Right after startup, searches wait for the index. @param directory of the calling thread */
export function openSearchIndexHolder(
  directory: ReadableDatabase,
  isClosing: () => boolean,
): SearchIndexHolder {
  let index: SearchIndex | null = null;
  let hasFailed = false;
  const first = Promise.withResolvers<void>();
  return {
    calls: openSearch(directory, async () => {
      if (index === null) await waitFor(first.promise, searchWaitMaxMs);
      if (index === null && hasFailed)
        throw new EngineError(
          'not_ready',
          'The directory could not be indexed for searching. The engine retries automatically. ' +
            'If this persists, run doctor.',
        );
      return index;
    }),
    generation: () => index?.generation ?? null,
    async follow(read) {
      try {
        index = openSearchIndex((await read()).buffer);
        hasFailed = false;
      } catch (error) {
        if (isClosing()) return;
        hasFailed = true;
        logFailure('the directory could not be indexed for searching', error);
      } finally {
        first.resolve();
      }
    },
  };
}
