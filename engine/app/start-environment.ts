// Opens an environment: its files, writer and reader, and a one-shot thread for each long task.
import { join } from 'node:path';
import type { DirectoryStats, ImportReport } from '../contract/directory.ts';
import { EngineError } from '../contract/errors.ts';
import type { AppEvent } from '../contract/events.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { TeamConfig } from '../contract/team/team-config.ts';
import { createDuplicateCalls } from '../directory/duplicates/duplicate-calls.ts';
import type { BuiltIndex } from '../directory/index/built-index.ts';
import {
  hasImport,
  openDirectory,
  openDirectoryReadable,
  readGeneration,
} from '../directory/open-directory.ts';
import {
  openSearchIndexHolder,
  type SearchIndexHolder,
} from '../directory/search/search-index-holder.ts';
import { describeEmptyStart, requireDatabases } from '../maintenance/check-databases.ts';
import { noteBackup } from '../maintenance/note-backup.ts';
import { backUpBeforeMigration } from '../maintenance/prepare-migration.ts';
import { isReadableDamage } from '../maintenance/read-only/read-damaged.ts';
import {
  createWriteGate,
  type Treatments,
  type WriteGate,
} from '../maintenance/read-only/write-gate.ts';
import { sweepLeftovers } from '../maintenance/sweep-leftovers.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { queueWork } from '../platform/queue-work.ts';
import { openStoreReadable } from '../platform/sqlite/open-store.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { setRealTimer } from '../platform/timers.ts';
import { runOnWorker, type WorkerHost } from '../platform/workers/one-shot-worker.ts';
import { ignoreEnd, WorkerEnded } from '../platform/workers/worker-rpc.ts';
import { sandboxSource } from '../providers/sandbox-directory.ts';
import { describeTeam, searchBoth } from '../shared/search/both-directories.ts';
import { createExportCalls } from '../spreadsheet/export-calls.ts';
import { isApplied } from '../suppression/apply-suppressions.ts';
import type { Environment } from './environment.ts';
import { type DirectoryIndexes, openIndexes } from './load-indexes.ts';
import { fileCalls, matchingCalls, type ReaderCalls, readerThreadCalls } from './reader-calls.ts';
import {
  createClosedWriter,
  makeReplaceable,
  type ReplaceableWriter,
} from './workers/closed-writer.ts';
import type { DirectoryChange, DirectoryWorkerCalls } from './workers/create-directory-worker.ts';
import type { FileWorkerCalls } from './workers/create-file-worker.ts';
import { threadWorkers, type Workers } from './workers/start-workers.ts';
import type { WriterThreadCalls } from './workers/writer.worker.ts';

/** Every other call of the writer changes engine.db. */
const writerTreatments: Treatments<WriterThreadCalls> = {
  whenOpen: 'passes',
  takeIndex: 'passes',
  stop: 'passes',
  copyStore: 'passes',
  'webhooks.secretKey': 'passes',
  searchTeam: 'passes',
  searchTeamCompanies: 'passes',
  readTeamValues: 'passes',
  readTeamPeople: 'passes',
  findHad: 'passes',
  findTeamPeople: 'passes',
  readTeamRecord: 'passes',
  readTeamCompany: 'passes',
  matchNow: 'passes',
  // An export or a backup is recorded when the engine writes again.
  noteAudit: 'waits',
  recordBackup: 'waits',
  touchBrowserSession: 'left out',
};

const changingReaderCalls: readonly (keyof ReaderCalls)[] = [
  'prepareUpload',
  'reviseRows',
  'writeRows',
  'importDirectory',
  'importSample',
  'undoImport',
  'erasePeople',
  'mergeRecords',
  'undoMerge',
  'dismissDuplicate',
  'searchDuplicates',
];

const guardWriter = (writer: ReplaceableWriter, gate: WriteGate): ReplaceableWriter => ({
  ...writer,
  calls: gate.guard(writer.calls, writerTreatments),
});

/** The calls of a reader, of which those that write pass the gate. */
const guardReader = (calls: ReaderCalls, gate: WriteGate): ReaderCalls =>
  gate.guardOnly(calls, changingReaderCalls);

/** Why an environment cannot be opened: the error of its thread, not the end of the thread. */
function findClosedBy(error: unknown): unknown {
  const isEnd = error instanceof WorkerEnded && error.code === 'unavailable';
  const cause = isEnd ? error.cause : error;
  return cause instanceof EngineError ? cause : (findSystemRefusal(cause) ?? cause);
}

/** Why an environment cannot be opened. A damaged database can be kept aside. */
function explainClosed(error: unknown, name: EnvironmentName): unknown {
  const reason = findClosedBy(error);
  return reason instanceof EngineError && reason.code === 'database_damaged'
    ? new EngineError(reason.code, `${reason.detail} ${describeEmptyStart(name)}`)
    : reason;
}

type Listener = Parameters<Environment['subscribe']>[0];

interface Opened extends WorkerHost, Pick<Environment, 'database' | 'directoryDatabase'> {
  readonly writer: ReturnType<Workers['startWriter']>;
  readonly reader: ReturnType<Workers['startReader']>;
  readonly emit: (event: AppEvent, accountId: number | null) => void;
  /** Queues work on the directory, which has a single writer. */
  readonly enqueue: ReturnType<typeof queueWork>;
  readonly indexes: DirectoryIndexes;
  readonly search: SearchIndexHolder;
}

const onDirectoryThread = <Value>(
  opened: Opened,
  work: (calls: DirectoryWorkerCalls) => Promise<Value>,
  signal?: AbortSignal,
) => runOnWorker<DirectoryWorkerCalls, Value>(opened, 'directory-thread', work, signal);

const onFileThread = <Value>(
  opened: Opened,
  work: (calls: FileWorkerCalls) => Promise<Value>,
  signal?: AbortSignal,
) => runOnWorker<FileWorkerCalls, Value>(opened, 'file-thread', work, signal);

async function readStats(opened: Opened): Promise<DirectoryStats> {
  const stats = await opened.reader.calls.readStats(null);
  const { state, error } = opened.indexes.now;
  return { ...stats, index: state, index_error: error, ...describeTeam(opened.database) };
}

/** Publishes the state of the directory. Never rejects: the page also polls it. */
async function announceDirectory(opened: Opened): Promise<void> {
  try {
    opened.emit({ type: 'directory', directory: await readStats(opened) }, null);
  } catch (error) {
    if (!opened.isClosing) console.error('publishing the state of the directory failed', error);
  }
}

async function changeDirectory(
  opened: Opened,
  work: (calls: DirectoryWorkerCalls) => Promise<DirectoryChange>,
  signal?: AbortSignal,
): Promise<ImportReport> {
  const { indexes, search } = opened;
  try {
    const report = await onDirectoryThread(
      opened,
      async (calls) => {
        const change = await work(calls);
        if (!change.index) return change.report;
        await indexes.take(change.index);
        await search.follow(() => calls.readSearchIndex(null));
        return change.report;
      },
      signal,
    );
    opened.emit({ type: 'import', report }, null);
    await announceDirectory(opened);
    return report;
  } finally {
    // If a thread ended between the change and an index, the index is updated later.
    void indexes.load();
  }
}

async function erasePeople(
  opened: Opened,
  command: Parameters<DirectoryWorkerCalls['erasePeople']>[0],
): Promise<void> {
  try {
    await onDirectoryThread(opened, async (calls) => {
      const index = await calls.erasePeople(command);
      if (!index) return;
      await opened.indexes.take(index);
      await opened.search.follow(() => calls.readSearchIndex(null));
    });
    await announceDirectory(opened);
  } finally {
    void opened.indexes.load();
  }
}

/**
 * Applies the suppression list to the directory. Not queued with the work on the directory, because
 * an index may take long to build; the indexes are updated afterwards.
 */
async function applySuppressions(opened: Opened): Promise<void> {
  const { database, directoryDatabase } = opened;
  if (isApplied(directoryDatabase, database)) return;
  await onDirectoryThread(opened, (thread) => thread.applySuppressions(null));
  void opened.indexes.load();
}

function directoryCalls(opened: Opened) {
  const { enqueue } = opened;
  return {
    importDirectory: (command, signal) =>
      enqueue(() => changeDirectory(opened, (thread) => thread.importDirectory(command), signal)),
    importSample: () =>
      enqueue(() => changeDirectory(opened, (thread) => thread.importSample(null))),
    erasePeople: (command) => enqueue(() => erasePeople(opened, command)),
    async undoImport(command) {
      const undo = () => changeDirectory(opened, (thread) => thread.undoImport(command));
      const report = await enqueue(undo);
      const subject = String(command.importId);
      const note = { action: 'import_undone', accountId: null, subject } as const;
      await opened.writer.calls.noteAudit({ ...note, rows: report.rows_read });
      return report;
    },
    matchCompanies: (command, signal) =>
      enqueue(() => onDirectoryThread(opened, (thread) => thread.matchCompanies(command), signal)),
    copyDirectory: (command) =>
      enqueue(() => onDirectoryThread(opened, (thread) => thread.copyDirectory(command))),
  } satisfies Partial<ReaderCalls>;
}

const duplicateCalls = (opened: Opened, whenIndexed: () => Promise<void>) =>
  createDuplicateCalls({
    onDirectoryThread: (work, signal) => onDirectoryThread(opened, work, signal),
    async readIndex() {
      await whenIndexed();
      return opened.indexes.now.latest;
    },
    loadIndexes: () => void opened.indexes.load(),
    writer: opened.writer.calls,
    announce: () => announceDirectory(opened),
  });

const passCalls = <Table, Name extends keyof Table>(
  names: readonly Name[],
  pass: (name: Name, command: never, signal?: AbortSignal) => unknown,
) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (command: never, signal?: AbortSignal) => pass(name, command, signal),
    ]),
  ) as Pick<Table, Name>;

function readerCalls(opened: Opened): ReaderCalls {
  const { calls } = opened.reader;
  // Right after startup the index may not be loaded yet; matching waits for it.
  const whenIndexed = async () => {
    if (opened.indexes.now.state === 'building') await opened.enqueue(async () => undefined);
  };
  return {
    ...passCalls<ReaderCalls, (typeof fileCalls)[number]>(fileCalls, (name, command, signal) =>
      onFileThread<unknown>(opened, (thread) => thread[name](command), signal),
    ),
    ...passCalls<ReaderCalls, (typeof readerThreadCalls)[number]>(
      readerThreadCalls,
      (name, command) => calls[name](command),
    ),
    ...passCalls<ReaderCalls, (typeof matchingCalls)[number]>(
      matchingCalls,
      async (name, command) => {
        await whenIndexed();
        return calls[name](command);
      },
    ),
    // The thread that matches the job compiles the matcher, and no other one.
    async previewRows(command) {
      await whenIndexed();
      const sample = await calls.readSample(command);
      // Without an answer, the reader matches the sample.
      const matched = await opened.writer.calls.matchNow(sample).catch(() => null);
      return calls.previewRows({ ...command, matched });
    },
    directoryStats: () => readStats(opened),
    applySuppressions: () => applySuppressions(opened),
    ...duplicateCalls(opened, whenIndexed),
    ...createExportCalls({
      start: () => opened.startPassing<FileWorkerCalls>(opened, 'file-thread'),
      onFileThread: (work, signal) => onFileThread(opened, work, signal),
      writer: opened.writer.calls,
    }),
    ...directoryCalls(opened),
  };
}

/** Creates a missing directory. In staging it has the sandbox, unless that was undone. */
async function prepareDirectory(
  name: EnvironmentName,
  folder: string,
  { startPassing }: Workers,
): Promise<void> {
  const directory = openDirectory(folder);
  const lacksSandbox = name === 'staging' && !hasImport(directory, sandboxSource);
  directory.close();
  if (!lacksSandbox) return;
  const onProgress = () => undefined;
  await runOnWorker<DirectoryWorkerCalls, void>(
    { folder, onProgress, startPassing, working: new Set(), isClosing: false },
    'directory-thread',
    (calls) => calls.importSandbox(null),
  );
}

type EnvironmentParts = Pick<Opened, 'folder' | 'writer' | 'reader' | 'emit' | 'startPassing'> & {
  readonly gate: WriteGate;
} & Pick<Environment, 'name' | 'database' | 'directoryDatabase' | 'subscribe'>;

function composeParts(parts: EnvironmentParts): Opened {
  const enqueue = queueWork();
  const isClosing = () => opened.isClosing;
  const search = openSearchIndexHolder(parts.directoryDatabase, isClosing);
  const opened: Opened = {
    ...parts,
    onProgress: (progress) => parts.emit({ type: 'task', progress }, null),
    enqueue,
    search,
    indexes: openIndexes({
      search,
      isClosing,
      readGeneration: () => readGeneration(parts.directoryDatabase),
      enqueue,
      readSaved: () => parts.reader.calls.readIndexes(null),
      onDirectoryThread: (work) => onDirectoryThread(opened, work),
      async spread(index) {
        await parts.reader.calls.takeIndex(index).catch(ignoreEnd);
        await parts.writer.calls.takeIndex(index).catch(ignoreEnd);
      },
      onChange: () => announceDirectory(opened),
    }),
    working: new Set(),
    isClosing: false,
  };
  return opened;
}

function presentEnvironment(
  parts: EnvironmentParts,
  opened: Opened,
  close: () => Promise<void>,
): Environment {
  const { name, folder, database, directoryDatabase, subscribe, writer, reader, gate } = parts;
  return {
    name,
    folder,
    database,
    directoryDatabase,
    subscribe,
    writer: writer.calls,
    reader: guardReader(readerCalls(opened), gate),
    search: searchBoth(opened.search.calls, writer.calls),
    describeFault: () => writer.describeFault() ?? reader.describeFault(),
    describeReadOnly: gate.describe,
    async close() {
      opened.isClosing = true;
      opened.indexes.stop();
      gate.stop();
      await Promise.all([...opened.working].map((thread) => thread.abandon()));
      await close();
    },
  };
}

/**
 * Opens the environment in `folder`, creates missing files, and removes leftovers of a kill.
 * Resolves when commands can be answered; the index may still be loading, and jobs start when it is
 * available. Databases of an older version are migrated after a backup. Throws EngineError if a
 * database is missing, damaged, or from a newer version, and if
 * the folder cannot be written; nothing is left running then.
 * @param workers how the workers are started; by default each on a thread
 * @param policy what the machine rules; by default nothing
 */
export async function startEnvironment(
  name: EnvironmentName,
  folder: string,
  workers: Workers = threadWorkers,
  policy: TeamConfig = {},
): Promise<Environment> {
  try {
    requireDatabases(name, folder);
    const backup = await backUpBeforeMigration(name, folder);
    sweepLeftovers(folder);
    createPrivateFolder(join(folder, 'jobs'));
    await prepareDirectory(name, folder, workers);
    const environment = await openFiles(name, folder, workers, policy);
    if (backup) await noteBackup(environment.writer, backup, 'migration');
    return environment;
  } catch (error) {
    const reason = explainClosed(error, name);
    if (!isReadableDamage(reason, folder)) throw reason;
    const closed = { ...workers, startWriter: createClosedWriter };
    return openFiles(name, folder, closed, policy, reason).catch(() => {
      throw reason;
    });
  }
}

async function openFiles(
  name: EnvironmentName,
  folder: string,
  workers: Workers,
  policy: TeamConfig,
  damage: EngineError | null = null,
): Promise<Environment> {
  const listeners = new Set<Listener>();
  const emit: Opened['emit'] = (event, accountId) => {
    for (const listener of listeners) listener(event, accountId);
  };
  let opened: Opened | null = null;
  const onStart = async (calls: { takeIndex(index: BuiltIndex): Promise<void> }) => {
    const index = opened?.indexes.now.latest;
    if (index) await calls.takeIndex(index);
  };
  const writer = makeReplaceable(
    workers.startWriter({
      folder,
      environment: name,
      policy,
      onStart,
      onEvent: (event) =>
        'trouble' in event
          ? gate.note(new EngineError(event.trouble.code, event.trouble.detail))
          : emit(event.event, event.accountId),
    }),
  );
  const gate = createWriteGate({
    folder,
    damage,
    setTimer: setRealTimer,
    onDamage: writer.close,
    onChange: (readOnly) => emit({ type: 'read-only', read_only: readOnly }, null),
  });
  const closing: (() => unknown)[] = [writer.stop, gate.stop];
  // The writer is closed last: a reader that outlives it would leave the write-ahead log behind.
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    await writer.calls.whenOpen(null);
    const database = openStoreReadable(folder);
    closing.push(() => database.close());
    const directoryDatabase = openDirectoryReadable(folder);
    closing.push(() => directoryDatabase.close());
    const reader = workers.startReader({ folder, onStart });
    closing.push(reader.stop);
    const subscribe: Environment['subscribe'] = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const parts = {
      name,
      folder,
      database,
      directoryDatabase,
      reader,
      emit,
      subscribe,
      gate,
      writer: guardWriter(writer, gate),
      startPassing: workers.startPassing,
    };
    opened = composeParts(parts);
    // The list may have changed while this environment was closed.
    if (gate.describe() === null) await applySuppressions(opened);
    void opened.indexes.load();
    return presentEnvironment(parts, opened, close);
  } catch (error) {
    await close();
    throw error;
  }
}
