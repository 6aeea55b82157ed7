/**
 * Opens a world: its files, its writer and reader threads, and a passing thread for each upload,
 * export and piece of work on the directory. Keeps the indexes in step with the directory, the one
 * that jobs wait for first.
 *
 *   index: building ──readIndex──> ready | empty ──import, undo──> building ──> ready | empty
 *                    └──error──> failed (jobs wait; the next import or start tries again)
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AppEvent } from '../contract/app.ts';
import type { DirectoryStats, ImportReport } from '../contract/directory.ts';
import type { WorldName } from '../contract/ids.ts';
import { hasImport, openDirectory, openDirectoryReadable } from '../directory/open-directory.ts';
import type { ReaderCalls, World } from '../domain/world.ts';
import { openProviderOf } from '../providers/provider-of-world.ts';
import { sandboxSource } from '../providers/sandbox-directory.ts';
import { openStoreReadable } from '../store/open-store.ts';
import { callThread, type ThreadCaller } from './call-thread.ts';
import type { BuiltIndex, DirectoryChange, DirectoryThreadCalls } from './directory-thread.ts';
import { startThread } from './entry.ts';
import type { FileThreadCalls } from './file-thread.ts';
import { keepSearch, type SearchKeeper } from './keep-search.ts';
import {
  type PassingThread,
  runOnThread,
  startPassingThread,
  type Workplace,
} from './passing-thread.ts';
import type { ReaderThreadCalls } from './reader-thread.ts';
import type { WriterEvent, WriterThreadCalls } from './writer-thread.ts';

type Listener = Parameters<World['subscribe']>[0];

/** What every part of an open world shares. */
interface Opened extends Workplace {
  readonly writer: ThreadCaller<WriterThreadCalls>;
  readonly reader: ThreadCaller<ReaderThreadCalls>;
  readonly emit: (event: AppEvent, accountId: number | null) => void;
  readonly index: { state: DirectoryStats['index']; error: string | null };
  readonly search: SearchKeeper;
}

const onDirectoryThread = <Value>(
  opened: Opened,
  work: (calls: DirectoryThreadCalls) => Promise<Value>,
) => runOnThread<DirectoryThreadCalls, Value>(opened, 'directory-thread', work);

const onFileThread = <Value>(opened: Opened, work: (calls: FileThreadCalls) => Promise<Value>) =>
  runOnThread<FileThreadCalls, Value>(opened, 'file-thread', work);

/** One piece of work at a time: the directory has one writer. */
function queueWork(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

async function readStats(opened: Opened): Promise<DirectoryStats> {
  const stats = await opened.reader.calls.readStats(null);
  return { ...stats, index: opened.index.state, index_error: opened.index.error };
}

/** Hands a new index to every thread that matches. */
async function spreadIndex(opened: Opened, { buffer, generation }: BuiltIndex): Promise<void> {
  await opened.reader.calls.takeIndex({ buffer });
  await opened.writer.calls.takeIndex({ buffer, generation });
  const { people } = await opened.reader.calls.readStats(null);
  opened.index.state = people === 0 ? 'empty' : 'ready';
  opened.index.error = null;
}

/** Changes the directory, brings the indexes along, and tells everyone. */
async function changeDirectory(
  opened: Opened,
  work: (calls: DirectoryThreadCalls) => Promise<DirectoryChange>,
): Promise<ImportReport> {
  const report = await onDirectoryThread(opened, async (calls) => {
    const change = await work(calls);
    if (!change.index) return change.report;
    await spreadIndex(opened, change.index);
    await opened.search.follow(() => calls.readSearchIndex(null));
    return change.report;
  });
  opened.emit({ type: 'import', report }, null);
  opened.emit({ type: 'directory', directory: await readStats(opened) }, null);
  return report;
}

/** Loads the indexes at the start, without keeping the door shut meanwhile. */
const loadFirstIndexes = (opened: Opened): Promise<void> =>
  onDirectoryThread(opened, async (calls) => {
    try {
      await spreadIndex(opened, await calls.readIndex(null));
    } catch (error) {
      if (opened.isClosing) return;
      opened.index.state = 'failed';
      opened.index.error =
        'The directory could not be indexed, so jobs wait. Restart the app; if it stays, run ' +
        'doctor.';
      console.error('the index could not be built', error);
    }
    opened.emit({ type: 'directory', directory: await readStats(opened) }, null);
    await opened.search.follow(() => calls.readSearchIndex(null));
  });

/** Exports that are being pulled, each on a thread of its own. */
function exportCalls(
  opened: Opened,
): Pick<ReaderCalls, 'openExport' | 'readExport' | 'closeExport'> {
  const exports = new Map<number, PassingThread<FileThreadCalls>>();
  let lastExportId = 0;
  const closeExport = async ({ exportId }: { exportId: number }) => {
    const thread = exports.get(exportId);
    exports.delete(exportId);
    await thread?.end();
  };
  return {
    async openExport(command) {
      const thread = startPassingThread<FileThreadCalls>(opened, 'file-thread');
      try {
        const opening = await thread.calls.openExport(command);
        lastExportId += 1;
        exports.set(lastExportId, thread);
        return { exportId: lastExportId, ...opening };
      } catch (error) {
        await thread.end();
        throw error;
      }
    },
    async readExport({ exportId }) {
      const piece = (await exports.get(exportId)?.calls.readPiece(null)) ?? null;
      if (!piece) await closeExport({ exportId });
      return piece;
    },
    closeExport,
  };
}

/** Work on the directory: one piece at a time, since it has one writer. */
function directoryCalls(opened: Opened, enqueue: ReturnType<typeof queueWork>) {
  return {
    importDirectory: (command) =>
      enqueue(() => changeDirectory(opened, (thread) => thread.importDirectory(command))),
    importSample: () =>
      enqueue(() => changeDirectory(opened, (thread) => thread.importSample(null))),
    undoImport: (command) =>
      enqueue(() => changeDirectory(opened, (thread) => thread.undoImport(command))),
    matchCompanies: (command) =>
      enqueue(() => onDirectoryThread(opened, (thread) => thread.matchCompanies(command))),
    copyDirectory: (command) =>
      enqueue(() => onDirectoryThread(opened, (thread) => thread.copyDirectory(command))),
  } satisfies Partial<ReaderCalls>;
}

function readerCalls(opened: Opened): ReaderCalls {
  const enqueue = queueWork();
  void enqueue(() => loadFirstIndexes(opened)).catch(() => undefined);
  const { calls } = opened.reader;
  return {
    prepareUpload: (command) => onFileThread(opened, (thread) => thread.prepareUpload(command)),
    exportToFile: (command) => onFileThread(opened, (thread) => thread.exportToFile(command)),
    writeRows: calls.writeRows,
    findDamage: calls.findDamage,
    async previewRows(command) {
      // Right after the start the index may be a moment away; a preview waits for it.
      if (opened.index.state === 'building') await enqueue(async () => undefined);
      return calls.previewRows(command);
    },
    async previewPipeline(command) {
      if (opened.index.state === 'building') await enqueue(async () => undefined);
      return calls.previewPipeline(command);
    },
    async matchContact(command) {
      if (opened.index.state === 'building') await enqueue(async () => undefined);
      return calls.matchContact(command);
    },
    directoryStats: () => readStats(opened),
    ...exportCalls(opened),
    ...directoryCalls(opened, enqueue),
  };
}

/**
 * Makes the directory's file where it is missing. The staging world's begins with the sandbox; once
 * undone, that stays away.
 */
async function prepareDirectory(name: WorldName, folder: string): Promise<void> {
  const directory = openDirectory(folder);
  const lacksSandbox = name === 'test' && !hasImport(directory, sandboxSource);
  directory.close();
  if (!lacksSandbox) return;
  const onProgress = () => undefined;
  await runOnThread<DirectoryThreadCalls, void>(
    { folder, onProgress, working: new Set(), isClosing: false },
    'directory-thread',
    (calls) => calls.importSandbox(null),
  );
}

/**
 * Opens the world in `folder`, making what is missing. Resolves when commands are answered; the
 * index may still be loading, and jobs begin when it is there. Throws EngineError where a file is
 * from a newer version.
 */
export async function openWorld(name: WorldName, folder: string): Promise<World> {
  mkdirSync(join(folder, 'jobs'), { recursive: true, mode: 0o700 });
  await prepareDirectory(name, folder);
  const writerWorker = startThread('writer-thread', { folder, world: name });
  const writer = callThread<WriterThreadCalls>(writerWorker);
  await writer.calls.whenOpen(null);
  const readerWorker = startThread('reader-thread', { folder });
  const reader = callThread<ReaderThreadCalls>(readerWorker);
  const database = openStoreReadable(folder);
  const directoryDatabase = openDirectoryReadable(folder);
  const listeners = new Set<Listener>();
  const emit: Opened['emit'] = (event, accountId) => {
    for (const listener of listeners) listener(event, accountId);
  };
  writer.onEvent(({ event, accountId }: WriterEvent) => emit(event, accountId));
  const opened: Opened = {
    folder,
    onProgress: (progress) => emit({ type: 'task', progress }, null),
    writer,
    reader,
    emit,
    index: { state: 'building', error: null },
    search: keepSearch(directoryDatabase, () => opened.isClosing),
    working: new Set(),
    isClosing: false,
  };
  return {
    name,
    folder,
    database,
    directoryDatabase,
    provider: openProviderOf(name),
    writer: writer.calls,
    reader: readerCalls(opened),
    search: opened.search.calls,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      opened.isClosing = true;
      await Promise.all([...opened.working].map((thread) => thread.abandon()));
      // The writer goes last: a reader that outlives it would leave the write-ahead log behind.
      await reader.calls.stop(null);
      await reader.terminate();
      database.close();
      directoryDatabase.close();
      await writer.calls.stop(null);
      await writer.terminate();
    },
  };
}
