/** The user's directory as a provider: answers rows with the people that the match index finds. */
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { openIndex } from '../directory/index/index-layout.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';
import { createMatcher } from '../directory/match/match-rows.ts';
import { parseRecords } from '../spreadsheet/read-rows.ts';

/** Answers batches of rows from one index. */
export interface DirectoryProvider {
  /** Generation of the directory that the index was built from. */
  readonly generation: number;
  /** `bytes`: complete records of a canonical table, without the header. */
  answer(bytes: Uint8Array, mapping: ColumnMapping, threshold: number): MatchBatch;
}

/** Opens the provider with a shared index. Cheap, so every thread opens its own. */
export function openDirectoryProvider(buffer: SharedArrayBuffer): DirectoryProvider {
  const index = openIndex(buffer);
  const matcher = createMatcher(index);
  return {
    generation: index.generation,
    answer: (bytes, mapping, threshold) =>
      matcher.matchRows(parseRecords(bytes), mapping, threshold),
  };
}
