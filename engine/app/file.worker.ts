/**
 * The entry of a file thread: decodes one upload or writes one export, and ends, so that what it
 * needed of memory is given back at once.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { TaskProgress } from '../contract/events.ts';
import { progressEventIntervalMs } from '../contract/limits/jobs.ts';
import { exportStretchRows } from '../jobs/results/export-result.ts';
import { openStoreReadable } from '../platform/sqlite/open-store.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { createPassingWork } from '../platform/workers/one-shot-task.ts';
import { serveCalls } from '../platform/workers/worker-rpc.ts';
import { prepareUpload } from '../spreadsheet/prepare-upload.ts';
import type { ExportCommand } from './export-command.ts';
import { type OpenedExport, openExport } from './open-export.ts';
import type { ReaderCalls } from './reader-calls.ts';

/** What a file thread answers: one upload, or one export. */
export interface FileThreadCalls extends Pick<ReaderCalls, 'prepareUpload' | 'exportToFile'> {
  /** Opens the export that `readPiece` then hands over. */
  openExport(command: ExportCommand): Promise<{ fileName: string; rows: number }>;
  /** The next bytes, null at the end. */
  readPiece(command: null): Promise<Uint8Array | null>;
  cancel(command: null): Promise<void>;
  /** Cancels and closes the files, so that the thread can end. */
  stop(command: null): Promise<void>;
}

/** Bytes of an export that are handed over at once, at least. */
const exportPieceBytes = 256 * 1024;

const { folder } = workerData as { folder: string };
const store = openStoreReadable(folder);
const work = createPassingWork();
let send: (event: TaskProgress) => void = () => undefined;
let opened: Generator<string> | null = null;

/** Sends progress at most a few times a second. */
function reportProgress(task: 'upload' | 'export', label: string, unit: TaskProgress['unit']) {
  let lastAt = 0;
  return (done: number, total: number) => {
    const now = performance.now();
    if (now - lastAt < progressEventIntervalMs && done < total) return;
    lastAt = now;
    send({ task, label, done, total, unit });
  };
}

/** The next piece of an export as bytes, or null at its end. */
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

/** Writes an export to an open file, with a breath after each stretch of rows. */
async function writeExport(handle: number, { fileName, rows, pieces }: OpenedExport) {
  const report = reportProgress('export', fileName, 'rows');
  let done = 0;
  for (const text of pieces) {
    writeSync(handle, text);
    done = Math.min(rows, done + exportStretchRows);
    report(done, rows);
    await setImmediate();
    work.signal.throwIfAborted();
  }
  fsyncSync(handle);
}

async function exportToFile(command: ExportCommand & { path: string }) {
  const found = openExport(store, folder, command);
  const partial = `${command.path}.${randomUUID().slice(0, 8)}.partial`;
  const handle = openSync(partial, 'wx');
  try {
    await writeExport(handle, found);
    renameSync(partial, command.path);
    syncFolder(dirname(command.path));
    return { rows: found.rows };
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

const calls: FileThreadCalls = {
  prepareUpload: (command) => {
    const onProgress = reportProgress('upload', command.fileName, 'bytes');
    return work.run(prepareUpload(command, onProgress, work.signal));
  },
  exportToFile: (command) => work.run(exportToFile(command)),
  async openExport(command) {
    const { fileName, rows, pieces } = openExport(store, folder, command);
    opened = pieces;
    return { fileName, rows };
  },
  readPiece: async () => (opened ? readPiece(opened) : null),
  cancel: work.cancel,
  async stop() {
    await work.end();
    opened?.return(undefined);
    store.close();
  },
};

if (parentPort) send = serveCalls<FileThreadCalls>(parentPort, calls);
