/** Matches rows over the shared directory, with the same answers as over an index in memory. */
import type { Pool } from 'pg';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';

/** How rows are matched over the shared directory. */
export interface SharedMatcherOptions {
  /** The secret of the tenant that seeds the keys: 16 bytes. */
  readonly secret: Uint8Array;
}

/** Matches batches one after another; several can be given at once. */
export interface SharedMatcher {
  /** The generation of the shared directory that the last batch was matched against. */
  readonly generation: number;
  /**
   * Matches a batch: record-aligned bytes of an input, as the match pool of jobs takes them.
   * Rejects with the error of the connection.
   */
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch; generation: number }>;
  /** Returns its connection; a batch in flight ends first. */
  close(): Promise<void>;
}

/** Opens a matcher: reads the companies and the names, which stay in memory. */
export async function openSharedMatcher(
  _connection: Pool,
  _options: SharedMatcherOptions,
): Promise<SharedMatcher> {
  throw new Error('not built yet');
}
