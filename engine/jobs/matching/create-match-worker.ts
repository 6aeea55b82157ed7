// Matches batches of rows with the newest index. match.worker.ts serves it on a thread.
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import {
  type DirectoryProvider,
  openDirectoryProvider,
} from '../../providers/directory-provider.ts';

/** Rows to match: complete records of a canonical table, without the header. */
export interface MatchOrder {
  readonly bytes: Uint8Array;
  readonly mapping: ColumnMapping;
  readonly threshold: number;
}

export interface Matched {
  readonly batch: MatchBatch;
  /** Of the index that matched the rows. */
  readonly generation: number;
}

export interface MatchWorker {
  /** `folder`: the data folder, from which rows about companies are matched. */
  takeIndex(command: { buffer: SharedArrayBuffer; folder: string }): Promise<void>;
  match(order: MatchOrder): Promise<Matched>;
}

/** Creates a worker without an index. It needs no thread. */
export function createMatchWorker(): MatchWorker {
  let provider: DirectoryProvider | null = null;
  return {
    async takeIndex({ buffer, folder }) {
      provider?.close();
      provider = openDirectoryProvider(buffer, folder);
    },
    async match({ bytes, mapping, threshold }) {
      if (!provider) throw new Error('matching was asked for before there was an index');
      const batch = provider.answer(bytes, mapping, threshold);
      return { batch, generation: provider.generation };
    },
  };
}
