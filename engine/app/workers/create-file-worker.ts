/**
 * Creates a file worker, which decodes one upload or writes one export. It does not depend on a
 * thread; file.worker.ts serves it on one.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TaskProgress } from '../../contract/events.ts';
import { openDirectoryReadable } from '../../directory/open-directory.ts';
import { exportStretchRows } from '../../jobs/results/export-result.ts';
import { findEntries } from '../../person-data/find-entries.ts';
import { openStoreReadable } from '../../platform/sqlite/open-store.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { createPassingWork } from '../../platform/workers/one-shot-task.ts';
import { prepareUpload } from '../../spreadsheet/prepare-upload.ts';
import type { ExportCommand } from '../export-command.ts';
import { type OpenedExport, openExport } from '../open-export.ts';
import type { ReaderCalls } from '../reader-calls.ts';
import { createProgressReporter } from './report-progress.ts';

/** The calls of a file worker: one upload, one export, or one search for a person's data. */
export interface FileWorkerCalls
  extends Pick<ReaderCalls, 'prepareUpload' | 'exportToFile' | 'findPersonEntries'> {
  /** Opens the export that `readPiece` then returns in chunks. */
  openExport(command: ExportCommand): Promise<{ fileName: string; rows: number }>;
  /** The next bytes; null at the end. */
  readPiece(command: null): Promise<Uint8Array | null>;
  cancel(command: null): Promise<void>;
  /** Cancels the work and closes the files. */
  stop(command: null): Promise<void>;
}

/** Minimum number of bytes in a chunk of an export. */
const exportPieceBytes = 256 * 1024;

/** The next chunk of an export as bytes; null at the end. */
function readPiece(pieces: Generator<string>): Uint8Array | null {
  const texts: string[] = [];
  let characters = 0;
  while (characters < exportPieceBytes) {
    const next = pieces.next();
    if (next.done) break;
    texts.push(next.value);
    characters += next.value.length;
  }
  return texts.length === 0 ? null : new TextEncoder().encode(texts.join(''));
}

/** Writes an export to an open file, with a pause after each stretch of rows. */
async function writeExport(
  handle: number,
  { rows, pieces }: OpenedExport,
  report: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let done = 0;
  for (const text of pieces) {
    writeSync(handle, text);
    done = Math.min(rows, done + exportStretchRows);
    report(done, rows);
    await setImmediate();
    signal.throwIfAborted();
  }
  fsyncSync(handle);
}

/** Writes an export next to `path`, then renames it. A failure leaves no file behind. */
async function writeExportFile(
  path: string,
  write: (handle: number) => Promise<void>,
): Promise<void> {
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  const handle = openSync(partial, 'wx');
  try {
    await write(handle);
    renameSync(partial, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** Dependencies of a file worker. */
interface FileWorkerDeps {
  /** Data folder of the environment, absolute. */
  readonly folder: string;
  /** Receives progress, a few times a second. */
  readonly onProgress: (progress: TaskProgress) => void;
}

/** Creates a file worker. */
export function createFileWorker({ folder, onProgress }: FileWorkerDeps): FileWorkerCalls {
  const store = openStoreReadable(folder);
  const work = createPassingWork();
  const reportProgress = createProgressReporter(onProgress);
  let opened: Generator<string> | null = null;
  const exportToFile: FileWorkerCalls['exportToFile'] = async ({ path, ...command }) => {
    const found = openExport(store, folder, command);
    const report = reportProgress('export', found.fileName, 'rows');
    await writeExportFile(path, (handle) => writeExport(handle, found, report, work.signal));
    return { rows: found.rows };
  };
  return {
    prepareUpload: (command) => {
      const report = reportProgress('upload', command.fileName, 'bytes');
      return work.run(prepareUpload(command, report, work.signal));
    },
    exportToFile: (command) => work.run(exportToFile(command)),
    async openExport(command) {
      const { fileName, rows, pieces } = openExport(store, folder, command);
      opened = pieces;
      return { fileName, rows };
    },
    async findPersonEntries({ subject }) {
      const directory = openDirectoryReadable(folder);
      try {
        return findEntries({ folder, store, directory }, subject);
      } finally {
        directory.close();
      }
    },
    readPiece: async () => (opened ? readPiece(opened) : null),
    cancel: work.cancel,
    async stop() {
      await work.end();
      opened?.return(undefined);
      store.close();
    },
  };
}
