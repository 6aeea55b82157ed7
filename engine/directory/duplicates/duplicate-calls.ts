// The calls of an environment for duplicates: on the directory thread, then everything follows.
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import { EngineError } from '../../contract/errors.ts';
import type { BuiltIndex } from '../index/built-index.ts';
import type { MergeRequest } from './merge-records.ts';

export interface DuplicateWork {
  mergeRecords(command: Omit<MergeRequest, 'at'>): Promise<number>;
  /** Returns what was merged. */
  undoMerge(command: { mergeId: number; author: string }): Promise<DuplicateKind>;
  dismissDuplicate(command: {
    pairId: number;
    author: string;
    isDismissed: boolean;
  }): Promise<boolean>;
  searchDuplicates(command: { restart: boolean; buffer: SharedArrayBuffer }): Promise<void>;
}

type MergeAction = 'duplicates_merged' | 'duplicates_merge_undone';

interface DuplicateDeps {
  readonly onDirectoryThread: <Value>(
    work: (calls: DuplicateWork) => Promise<Value>,
    signal?: AbortSignal,
  ) => Promise<Value>;
  /** The current match index, once there is one; null if it could not be built. */
  readonly readIndex: () => Promise<BuiltIndex | null>;
  readonly loadIndexes: () => void;
  readonly writer: {
    noteAudit(note: {
      action: MergeAction;
      accountId: null;
      subject: string;
      details: { kind: DuplicateKind };
    }): Promise<unknown>;
    followMerges(command: null): Promise<void>;
  };
  readonly announce: () => Promise<void>;
}

/**
 * Creates the calls. A change is answered once every read of people follows it, and returns the id
 * of the merge. Each call may reject with an EngineError. A merge is not queued with imports and
 * indexes, because a person waits for it; the indexes are built afterwards, once for several
 * merges.
 */
export function createDuplicateCalls(deps: DuplicateDeps) {
  let searching: AbortController | null = null;
  const change = async (
    action: MergeAction,
    work: (calls: DuplicateWork) => Promise<{ mergeId: number; kind: DuplicateKind }>,
  ) => {
    try {
      const { mergeId, kind } = await deps.onDirectoryThread(work);
      const note = { action, accountId: null, subject: String(mergeId) };
      await deps.writer.noteAudit({ ...note, details: { kind } });
      await deps.writer.followMerges(null);
      await deps.announce();
      return mergeId;
    } finally {
      deps.loadIndexes();
    }
  };
  return {
    mergeRecords: (command: Parameters<DuplicateWork['mergeRecords']>[0]) =>
      change('duplicates_merged', async (calls) => ({
        mergeId: await calls.mergeRecords(command),
        kind: command.kind,
      })),
    undoMerge: (command: { mergeId: number; author: string }) =>
      change('duplicates_merge_undone', async (calls) => ({
        mergeId: command.mergeId,
        kind: await calls.undoMerge(command),
      })),
    dismissDuplicate: (command: Parameters<DuplicateWork['dismissDuplicate']>[0]) =>
      deps.onDirectoryThread((calls) => calls.dismissDuplicate(command)),
    /** Resolves when the search has ended or was stopped. Rejects with `busy` if one runs. */
    async searchDuplicates({ restart }: { restart: boolean }, signal?: AbortSignal) {
      if (searching) throw new EngineError('busy', 'A search for duplicates is already running.');
      const stop = new AbortController();
      searching = stop;
      const ends = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      try {
        const index = await deps.readIndex();
        if (!index)
          throw new EngineError('unavailable', 'The directory is being indexed. Try again later.');
        const { buffer } = index;
        await deps.onDirectoryThread((calls) => calls.searchDuplicates({ restart, buffer }), ends);
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      } finally {
        searching = null;
      }
    },
    stopDuplicateSearch() {
      searching?.abort();
      return searching !== null;
    },
    isSearchingDuplicates: () => searching !== null,
  };
}

export type DuplicateCalls = ReturnType<typeof createDuplicateCalls>;
