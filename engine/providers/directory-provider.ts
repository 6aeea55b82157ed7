// The user's directory as a provider: answers rows with what the match index finds.
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { withOwnDomains } from '../directory/index/index-companies.ts';
import { openIndex } from '../directory/index/index-layout.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';
import { createCompanyFinder } from '../directory/match/match-companies.ts';
import { createMatcher, type Matcher } from '../directory/match/match-rows.ts';
import { openDirectoryReadable } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';

/** Answers batches of rows from one index. */
export interface DirectoryProvider {
  readonly generation: number;
  /** `bytes`: complete records of a canonical table, without the header. */
  answer(bytes: Uint8Array, mapping: ColumnMapping, threshold: number): MatchBatch;
  close(): void;
}

/**
 * Opens the provider with a shared index. Cheap, so every thread opens its own.
 * @param folder the data folder, whose companies are read for the first row about one; without it,
 *   rows about companies are not matched
 */
export function openDirectoryProvider(
  buffer: SharedArrayBuffer,
  folder?: string,
): DirectoryProvider {
  const index = openIndex(buffer);
  let directory: ReadableDatabase | null = null;
  const openCompanies = (path: string) => () => {
    directory ??= openDirectoryReadable(path);
    return createCompanyFinder(directory, withOwnDomains(directory, index));
  };
  let matcher: Matcher | null = null;
  return {
    generation: index.generation,
    answer(bytes, mapping, threshold) {
      // Many threads answer nothing with an index.
      matcher ??= createMatcher(
        index,
        undefined,
        folder === undefined ? undefined : openCompanies(folder),
      );
      return matcher.matchRows(bytes, mapping, threshold);
    },
    close: () => directory?.close(),
  };
}
