// Creates a directory worker: imports, undo, and the match and search indexes. It does not depend
// on a thread; directory.worker.ts serves it on one, for one piece of work.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportReport } from '../../contract/directory.ts';
import { EngineError, invalid } from '../../contract/errors.ts';
import type { TaskProgress } from '../../contract/events.ts';
import { setDismissed } from '../../directory/duplicates/duplicate.table.ts';
import type { DuplicateWork } from '../../directory/duplicates/duplicate-calls.ts';
import { mergeRecords } from '../../directory/duplicates/merge-records.ts';
import { searchDuplicates } from '../../directory/duplicates/search-duplicates.ts';
import { undoMerge } from '../../directory/duplicates/undo-merge.ts';
import { importDirectory, type OnImportProgress } from '../../directory/import/import-directory.ts';
import { sampleSource, unpackSample } from '../../directory/import/sample.ts';
import { undoImport } from '../../directory/import/undo-import.ts';
import type { BuiltIndex } from '../../directory/index/built-index.ts';
import { openIndex } from '../../directory/index/index-layout.ts';
import { matchCompanyList } from '../../directory/match/match-company-list.ts';
import { openDirectory, readGeneration } from '../../directory/open-directory.ts';
import { readOrBuild } from '../../directory/read-or-build.ts';
import { erasePeople } from '../../person-data/erase-directory.ts';
import { scrubFile } from '../../person-data/scrub-file.ts';
import type { Subject } from '../../person-data/subject.ts';
import { emptyLog, type WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { withStore } from '../../platform/sqlite/open-store.ts';
import { isBusy, writeWhenFree } from '../../platform/sqlite/write-when-free.ts';
import { createPassingWork } from '../../platform/workers/one-shot-task.ts';
import { writeSandboxLists } from '../../providers/sandbox-directory.ts';
import { applySuppressions, applyWhenFree } from '../../suppression/apply-suppressions.ts';
import type { ReaderCalls } from '../reader-calls.ts';
import { createProgressReporter, type ReportProgress } from './report-progress.ts';

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

function createDuplicateWork(
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
): DuplicateWork {
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

/** Report of an import or undo, and the index after it; null if nothing changed. */
export interface DirectoryChange {
  readonly report: ImportReport;
  readonly index: BuiltIndex | null;
}

type ImportCommand = Parameters<ReaderCalls['importDirectory']>[0];

export interface DirectoryWorkerCalls extends DuplicateWork {
  /** The match index of the current directory: from its file, or rebuilt if that is outdated. */
  readIndex(command: null): Promise<BuiltIndex>;
  readSearchIndex(command: null): Promise<BuiltIndex>;
  importDirectory(command: ImportCommand): Promise<DirectoryChange>;
  importSample(command: null): Promise<DirectoryChange>;
  /** Imports the sandbox's lists without building the index. */
  importSandbox(command: null): Promise<void>;
  undoImport(command: { importId: number }): Promise<DirectoryChange>;
  /** Deletes people and their bytes. Returns the new index; null if no one was deleted. */
  erasePeople(command: { readonly subject: Subject }): Promise<BuiltIndex | null>;
  applySuppressions(command: null): Promise<void>;
  matchCompanies: ReaderCalls['matchCompanies'];
  copyDirectory: ReaderCalls['copyDirectory'];
  /** Rolls an import back, unless it is already committed. */
  cancel(command: null): Promise<void>;
  stop(command: null): Promise<void>;
}

interface DirectoryContext {
  readonly folder: string;
  readonly database: WritableDatabase;
  readonly reportProgress: ReportProgress;
}

function readIndex({ folder, database, reportProgress }: DirectoryContext): BuiltIndex {
  const report = reportProgress('index', 'Indexing the directory', 'people');
  return readOrBuild('match', folder, database, report);
}

function readSearchIndex({ folder, database, reportProgress }: DirectoryContext): BuiltIndex {
  const report = reportProgress('index', 'Indexing the directory for searching', 'people');
  return readOrBuild('search', folder, database, report);
}

async function withFolder<Value>(
  folder: string,
  prefix: string,
  use: (dir: string) => Promise<Value>,
): Promise<Value> {
  const dir = mkdtempSync(join(folder, prefix));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Reports the rows of each file of an import, because the number of rows of all files would exceed
 * that of the file that is named.
 * @param label replaces the names of the files
 */
function reportByFile(reportProgress: ReportProgress, label: string | undefined): OnImportProgress {
  const reports = new Map<string, ReturnType<ReportProgress>>();
  return (done, total, fileName) => {
    const report = reports.get(fileName) ?? reportProgress('import', label ?? fileName, 'rows');
    reports.set(fileName, report);
    report(done, total);
  };
}

function createChanges(context: DirectoryContext, signal: AbortSignal) {
  const { folder, database, reportProgress } = context;
  // No one may read people of the list, not even right after the import that adds them.
  const beforeCommit = () => withStore(folder, (store) => applySuppressions(database, store));
  const change = async (
    makeChange: () => Promise<ImportReport> | ImportReport,
  ): Promise<DirectoryChange> => {
    const before = readGeneration(database);
    let report: ImportReport;
    try {
      report = await makeChange();
    } finally {
      // After a failure, too: the log has what was rolled back.
      emptyLog(database);
    }
    const isChanged = readGeneration(database) !== before;
    return { report, index: isChanged ? readIndex(context) : null };
  };
  const importFiles = (
    { peoplePath, companiesPath, ...options }: ImportCommand,
    label?: string,
  ): Promise<DirectoryChange> =>
    change(() => {
      if (!peoplePath && !companiesPath)
        throw invalid('Choose a file of people, of companies, or both.');
      return importDirectory(
        database,
        {
          ...options,
          beforeCommit,
          ...(peoplePath && { peoplePath }),
          ...(companiesPath && { companiesPath }),
        },
        reportByFile(reportProgress, label),
        signal,
      );
    });
  return {
    importDirectory: (command: ImportCommand) => importFiles(command),
    importSample: () =>
      withFolder(folder, 'sample-', async (dir) => {
        const { people, companies } = await unpackSample(dir);
        const command = { peoplePath: people, companiesPath: companies, source: sampleSource };
        return importFiles(command, sampleSource);
      }),
    undoImport: ({ importId }: { importId: number }) =>
      change(() => undoImport(database, importId, beforeCommit)),
  };
}

interface DirectoryWorkerDeps {
  readonly folder: string;
  /** Receives progress, a few times a second. */
  readonly onProgress: (progress: TaskProgress) => void;
}

/** Creates a directory worker. It has the only writing connection to directory.db. */
export function createDirectoryWorker({
  folder,
  onProgress,
}: DirectoryWorkerDeps): DirectoryWorkerCalls {
  const database = openDirectory(folder);
  const work = createPassingWork();
  const context = { folder, database, reportProgress: createProgressReporter(onProgress) };
  const changes = createChanges(context, work.signal);
  const duplicates = createDuplicateWork(context, work.signal);
  return {
    readIndex: async () => readIndex(context),
    readSearchIndex: async () => readSearchIndex(context),
    importDirectory: (command) => work.run(changes.importDirectory(command)),
    importSample: () => work.run(changes.importSample()),
    async importSandbox() {
      await withFolder(folder, 'sandbox-', (dir) =>
        importDirectory(database, writeSandboxLists(dir)),
      );
    },
    undoImport: changes.undoImport,
    async erasePeople({ subject }) {
      const before = readGeneration(database);
      const erase = () => erasePeople(database, subject);
      await work.run(writeWhenFree(database, erase, work.signal));
      scrubFile(join(folder, 'directory.db'));
      return readGeneration(database) === before ? null : readIndex(context);
    },
    ...duplicates,
    searchDuplicates: (command) => work.run(duplicates.searchDuplicates(command)),
    applySuppressions: () =>
      work.run(withStore(folder, (store) => applyWhenFree(database, store, work.signal))),
    matchCompanies: (command) =>
      work.run(matchCompanyList(database, { ...command, folder, signal: work.signal })),
    async copyDirectory({ path }) {
      await database.backup(path);
    },
    cancel: work.cancel,
    async stop() {
      await work.end();
      database.close();
    },
  };
}
