/**
 * The entry of a file thread: decodes one upload or writes one export, and ends, so that what it
 * needed of memory is given back at once.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { TaskProgress } from '../contract/app.ts';
import { progressEventIntervalMs } from '../contract/limits.ts';
import { prepareTable } from '../csv/prepare-table.ts';
import {
  countExportRows,
  exportResult,
  exportStretchRows,
  nameExport,
  requireFinished,
} from '../domain/export-result.ts';
import { inspectRows } from '../domain/inspect-rows.ts';
import { resolveMapping } from '../domain/recognize-input.ts';
import type { ExportCommand, ReaderCalls } from '../domain/world.ts';
import { syncFolder } from '../sqlite/sync-folder.ts';
import { getJob } from '../store/job.ts';
import { openStoreReadable } from '../store/open-store.ts';
import { answerCalls } from './call-thread.ts';

/** What a file thread answers: one upload, or one export. */
export interface FileThreadCalls extends Pick<ReaderCalls, 'prepareUpload' | 'exportToFile'> {
  /** Opens the export that `readPiece` then hands over. */
  openExport(command: ExportCommand): Promise<{ fileName: string; rows: number }>;
  /** The next bytes, null at the end. */
  readPiece(command: null): Promise<Uint8Array | null>;
  /** Closes the files, so that the thread can end. */
  stop(command: null): Promise<void>;
}

/** Bytes of an export that are handed over at once, at least. */
const exportPieceBytes = 256 * 1024;

const { folder } = workerData as { folder: string };
const store = openStoreReadable(folder);
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

const findJob = (command: ExportCommand) =>
  requireFinished(getJob(store, command.accountId, command.jobId));

/** Writes an export to an open file, with a breath after each stretch of rows. */
async function writeExport(handle: number, command: ExportCommand): Promise<number> {
  const job = findJob(command);
  const rows = countExportRows(job, command.status);
  const report = reportProgress('export', nameExport(job), 'rows');
  let done = 0;
  for (const text of exportResult(store, folder, command)) {
    writeSync(handle, text);
    done = Math.min(rows, done + exportStretchRows);
    report(done, rows);
    await setImmediate();
  }
  fsyncSync(handle);
  return rows;
}

async function exportToFile(command: ExportCommand & { path: string }) {
  findJob(command);
  const partial = `${command.path}.${randomUUID().slice(0, 8)}.partial`;
  const handle = openSync(partial, 'wx');
  try {
    const rows = await writeExport(handle, command);
    renameSync(partial, command.path);
    syncFolder(dirname(command.path));
    return { rows };
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

const calls: FileThreadCalls = {
  async prepareUpload({ sourcePath, fileName, targetDir }) {
    const onProgress = reportProgress('upload', fileName, 'bytes');
    const table = await prepareTable({ sourcePath, fileName, targetDir, onProgress });
    const mapping = resolveMapping(table.headers);
    const inspection = inspectRows(targetDir, mapping);
    return {
      file_name: fileName,
      kind: table.kind,
      encoding: table.encoding,
      delimiter: table.delimiter,
      bytes: table.sourceBytes,
      row_count: table.rowCount,
      headers: table.headers,
      labels: table.labels,
      first_rows: table.firstRows,
      mapping,
      rows_without_identity: inspection.rowsWithoutIdentity,
      duplicate_rows: inspection.duplicateRows,
      warnings: table.warnings,
      sha256: table.sha256,
    };
  },
  exportToFile,
  async openExport(command) {
    const job = findJob(command);
    opened = exportResult(store, folder, command);
    return { fileName: nameExport(job), rows: countExportRows(job, command.status) };
  },
  readPiece: async () => (opened ? readPiece(opened) : null),
  async stop() {
    opened?.return(undefined);
    store.close();
  },
};

if (parentPort) send = answerCalls<FileThreadCalls>(parentPort, calls);
