/**
 * The entry of a match thread: parses record-aligned bytes of a job's input and matches them over
 * the shared index.
 */
import { parentPort } from 'node:worker_threads';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { Stoppable } from '../../platform/workers/supervise-worker.ts';
import { serveCalls } from '../../platform/workers/worker-rpc.ts';
import {
  type DirectoryProvider,
  openDirectoryProvider,
} from '../../providers/directory-provider.ts';

/** What a match thread answers. */
export interface MatchCalls extends Stoppable {
  takeIndex(command: { buffer: SharedArrayBuffer }): Promise<void>;
  match(command: {
    bytes: Uint8Array;
    mapping: ColumnMapping;
    threshold: number;
  }): Promise<{ batch: MatchBatch; generation: number }>;
}

let provider: DirectoryProvider | null = null;

if (parentPort)
  serveCalls<MatchCalls>(parentPort, {
    async takeIndex({ buffer }) {
      provider = openDirectoryProvider(buffer);
    },
    async match({ bytes, mapping, threshold }) {
      if (!provider) throw new Error('matching was asked for before there was an index');
      const batch = provider.answer(bytes, mapping, threshold);
      return { batch, generation: provider.generation };
    },
    stop: async () => undefined,
  });
