// Decodes one upload or writes one export, on any thread; file.worker.ts serves it on one.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TaskProgress } from '../../contract/events.ts';
import { openRowSplit } from '../../directory/import/decode/split-row.ts';
import { openDirectoryReadable } from '../../directory/open-directory.ts';
import { getJob } from '../../jobs/job.table.ts';
import { requireFinished } from '../../jobs/results/export-result.ts';
import { exportStretchRows } from '../../jobs/results/result-table.ts';
import { openRowList } from '../../jobs/results/view/list-rows.ts';
import { checkCopies } from '../../maintenance/check-copies.ts';
import { findEntries } from '../../person-data/find-entries.ts';
import { checkFileTarget, explainTarget } from '../../platform/check-file-target.ts';
import { openStoreReadable } from '../../platform/sqlite/open-store.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { createPassingWork } from '../../platform/workers/one-shot-task.ts';
import { type ExportPiece, mediaTypes } from '../../spreadsheet/export/write-table.ts';
import {
  type ExportEnd,
  type ExportWorkerCalls,
  endWhole,
  type OpenedExport,
} from '../../spreadsheet/export-calls.ts';
import { inspectRows } from '../../spreadsheet/inspect-rows.ts';
import { prepareUpload } from '../../spreadsheet/prepare-upload.ts';
import { joinTables } from '../../spreadsheet/reading/join-tables.ts';
import { reviseRows } from '../../spreadsheet/reading/leave-out.ts';
import { type ExportCommand, openExport } from '../open-export.ts';
import type { FileCalls } from '../reader-calls.ts';
import { createProgressReporter } from './report-progress.ts';

const readEnd = ({ rows, readEnd: read }: OpenedExport): ExportEnd => read?.() ?? endWhole(rows);

/** A file worker does one thing: an upload, an export, a list of rows, a search, or a check. */
export interface FileWorkerCalls extends ExportWorkerCalls<ExportCommand>, FileCalls {
  cancel(command: null): Promise<void>;
  stop(command: null): Promise<void>;
}

/** Minimum number of bytes in a chunk of an export. */
const exportPieceBytes = 256 * 1024;

/** The chunks in a buffer of its own, which can be passed to another thread without a copy. */
function joinChunks(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** The next chunk of an export as bytes; null at the end. */
function readPiece(pieces: Generator<ExportPiece>): Uint8Array | null {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < exportPieceBytes) {
    const next = pieces.next();
    if (next.done) break;
    const chunk = typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    chunks.push(chunk);
    bytes += chunk.length;
  }
  return bytes === 0 ? null : joinChunks(chunks, bytes);
}

function writeAll(handle: number, piece: ExportPiece): void {
  let rest = typeof piece === 'string' ? Buffer.from(piece) : piece;
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}

async function passExport(
  { rows, pieces }: OpenedExport,
  take: (piece: ExportPiece) => void,
  report: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let done = 0;
  for (const piece of pieces) {
    take(piece);
    done = Math.min(rows, done + exportStretchRows);
    report(done, rows);
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** Writes an export next to `path`, then renames it. A failure leaves no file behind. */
async function writeExportFile(
  path: string,
  write: (handle: number) => Promise<void>,
): Promise<void> {
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  let handle = -1;
  try {
    handle = openSync(partial, 'wx');
    await write(handle);
    renameSync(partial, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(partial, { force: true });
    throw explainTarget(error, path);
  } finally {
    if (handle >= 0) closeSync(handle);
  }
}

async function drain<Value>(steps: Generator<void, Value>, signal: AbortSignal): Promise<Value> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await setImmediate();
      signal.throwIfAborted();
    }
  } finally {
    steps.return(undefined as never);
  }
}

interface FileWorkerDeps {
  readonly folder: string;
  readonly onProgress: (progress: TaskProgress) => void;
}

export function createFileWorker({ folder, onProgress }: FileWorkerDeps): FileWorkerCalls {
  const store = openStoreReadable(folder);
  const work = createPassingWork();
  const reportProgress = createProgressReporter(onProgress);
  let opened: Generator<ExportPiece> | null = null;
  const exportToFile: FileWorkerCalls['exportToFile'] = async ({ path, ...command }) => {
    checkFileTarget(path, 'export');
    const found = openExport({ database: store, folder }, command);
    const report = reportProgress('export', found.fileName, 'rows');
    await writeExportFile(path, async (handle) => {
      await passExport(found, (piece) => writeAll(handle, piece), report, work.signal);
      fsyncSync(handle);
    });
    return { ...readEnd(found), note: found.note };
  };
  const previewExport: FileWorkerCalls['previewExport'] = async (command) => {
    const found = openExport({ database: store, folder }, command);
    const report = reportProgress('export', found.fileName, 'rows');
    await passExport(found, () => undefined, report, work.signal);
    return readEnd(found);
  };
  return {
    prepareUpload: (command) => {
      const report = reportProgress('upload', command.fileName, 'bytes');
      return work.run(prepareUpload(command, report, work.signal, openRowSplit));
    },
    checkRows: ({ dir, mapping }) => work.run(inspectRows(dir, mapping, work.signal)),
    reviseRows: (command) => work.run(reviseRows(command, work.signal)),
    joinTables: (command) => work.run(joinTables(command, work.signal)),
    exportToFile: (command) => work.run(exportToFile(command)),
    previewExport: (command) => work.run(previewExport(command)),
    async openExport(command) {
      const { fileName, rows, pieces, note } = openExport({ database: store, folder }, command);
      opened = pieces;
      return { fileName, mediaType: mediaTypes[command.format], rows, note };
    },
    listRows: ({ accountId, jobId, view }) => {
      const job = requireFinished(getJob(store, accountId, jobId));
      return work.run(drain(openRowList(store, folder, job, view), work.signal));
    },
    async findPersonEntries({ subject }) {
      const directory = openDirectoryReadable(folder);
      try {
        return findEntries({ folder, store, directory }, subject);
      } finally {
        directory.close();
      }
    },
    checkCopies: async ({ paths }) => checkCopies(paths, true),
    readPiece: async () => (opened ? readPiece(opened) : null),
    cancel: work.cancel,
    async stop() {
      await work.end();
      opened?.return(undefined);
      store.close();
    },
  };
}
