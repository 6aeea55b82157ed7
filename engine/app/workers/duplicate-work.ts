/** The work of a directory worker on duplicates. */
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import { EngineError } from '../../contract/errors.ts';
import type { TaskProgress } from '../../contract/events.ts';
import { setDismissed } from '../../directory/duplicates/duplicate.table.ts';
import type { DuplicateCalls } from '../../directory/duplicates/duplicates.commands.ts';
import { mergeRecords } from '../../directory/duplicates/merge-records.ts';
import { searchDuplicates } from '../../directory/duplicates/search-duplicates.ts';
import { undoMerge } from '../../directory/duplicates/undo-merge.ts';
import { openIndex } from '../../directory/index/index-layout.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { withStore } from '../../platform/sqlite/open-store.ts';
import { isBusy, writeWhenFree } from '../../platform/sqlite/write-when-free.ts';
import { applySuppressions } from '../../suppression/apply-suppressions.ts';
import type { ReportProgress } from './report-progress.ts';

/** The calls of the worker. */
export interface DuplicateWorkerCalls
  extends Pick<DuplicateCalls, 'mergeRecords' | 'dismissDuplicate'> {
  /** Returns what was merged. */
  undoMerge(command: { mergeId: number; author: string }): Promise<DuplicateKind>;
  searchDuplicates(command: { restart: boolean; buffer: SharedArrayBuffer }): Promise<void>;
}

const task: TaskProgress['task'] = 'duplicates';

/** A write that a person waits for. Throws `busy` while an import writes. */
function writeNow<Result>(database: WritableDatabase, work: () => Result): Result {
  try {
    return database.transaction(work).immediate();
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new EngineError('busy', 'The directory is being imported. Try again when it has ended.');
  }
}

/** Creates the calls. */
export function createDuplicateWork(
  {
    folder,
    database,
    reportProgress,
  }: {
    readonly folder: string;
    readonly database: WritableDatabase;
    readonly reportProgress: ReportProgress;
  },
  signal: AbortSignal,
): DuplicateWorkerCalls {
  const now = () => new Date();
  // No one may read people of the suppression list, not even right after a merge.
  const beforeCommit = () => withStore(folder, (store) => applySuppressions(database, store));
  return {
    mergeRecords: async (command) =>
      writeNow(database, () =>
        mergeRecords(database, { ...command, at: now().toISOString() }, beforeCommit),
      ),
    undoMerge: async (command) =>
      writeNow(database, () =>
        undoMerge(database, { ...command, at: now().toISOString() }, beforeCommit),
      ),
    dismissDuplicate: async ({ pairId, author, isDismissed }) =>
      writeNow(database, () =>
        setDismissed(database, pairId, isDismissed ? { at: now().toISOString(), author } : null),
      ),
    async searchDuplicates({ restart, buffer }) {
      const index = openIndex(buffer);
      const report = reportProgress(task, 'Searching for duplicates', 'people');
      await searchDuplicates(database, index, {
        restart,
        signal,
        now,
        onProgress: (done, total) =>
          report(Math.round((done / Math.max(1, total)) * index.peopleCount), index.peopleCount),
        write: (work) => writeWhenFree(database, work, signal),
      });
    },
  };
}
