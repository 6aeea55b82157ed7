/** The calls of an environment for duplicates: on the directory thread, then everything follows. */
import type { AuditCalls } from '../audit/create-audit-commands.ts';
import type { DuplicateKind } from '../contract/duplicates/duplicates.ts';
import { EngineError } from '../contract/errors.ts';
import type {
  DuplicateCalls,
  MergeFollowerCalls,
} from '../directory/duplicates/duplicates.commands.ts';
import type { BuiltIndex } from '../directory/index/built-index.ts';
import type { DirectoryWorkerCalls } from './workers/create-directory-worker.ts';

interface DuplicateDeps {
  readonly onDirectoryThread: <Value>(
    work: (calls: DirectoryWorkerCalls) => Promise<Value>,
    signal?: AbortSignal,
  ) => Promise<Value>;
  /** The current match index, once there is one; null if it could not be built. */
  readonly readIndex: () => Promise<BuiltIndex | null>;
  /** Updates the indexes in the background. */
  readonly loadIndexes: () => void;
  readonly writer: MergeFollowerCalls & AuditCalls;
  readonly announce: () => Promise<void>;
}

/**
 * Creates the calls. A merge is not queued with imports and indexes, because a person waits for it;
 * the indexes are built afterwards, once for several merges.
 */
export function createDuplicateCalls(deps: DuplicateDeps): DuplicateCalls {
  let searching: AbortController | null = null;
  const change = async (
    action: 'duplicates_merged' | 'duplicates_merge_undone',
    work: (calls: DirectoryWorkerCalls) => Promise<{ mergeId: number; kind: DuplicateKind }>,
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
    mergeRecords: (command) =>
      change('duplicates_merged', async (calls) => ({
        mergeId: await calls.mergeRecords(command),
        kind: command.kind,
      })),
    undoMerge: (command) =>
      change('duplicates_merge_undone', async (calls) => ({
        mergeId: command.mergeId,
        kind: await calls.undoMerge(command),
      })),
    dismissDuplicate: (command) =>
      deps.onDirectoryThread((calls) => calls.dismissDuplicate(command)),
    async searchDuplicates({ restart }, signal) {
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
