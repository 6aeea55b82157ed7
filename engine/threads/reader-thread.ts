/**
 * The entry of the reader thread: uploads, previews and exports, away from the HTTP door and the
 * writer.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { TaskProgress } from '../contract/app.ts';
import type { DirectoryStats } from '../contract/directory.ts';
import { EngineError } from '../contract/errors.ts';
import { progressEventIntervalMs } from '../contract/limits.ts';
import { prepareTable } from '../csv/prepare-table.ts';
import { writeRowsTable } from '../csv/write-rows-table.ts';
import { openDirectoryReadable } from '../directory/open-directory.ts';
import { readStats } from '../directory/stats.ts';
import {
  countExportRows,
  exportResult,
  nameExport,
  requireFinished,
} from '../domain/export-result.ts';
import { inspectRows } from '../domain/inspect-rows.ts';
import { previewRows } from '../domain/preview-rows.ts';
import { priceSelection } from '../domain/price-job.ts';
import { resolveMapping } from '../domain/recognize-input.ts';
import type { ExportCommand, ReaderCalls } from '../domain/world.ts';
import { type DirectoryProvider, openDirectoryProvider } from '../providers/directory-provider.ts';
import { syncFolder } from '../sqlite/sync-folder.ts';
import { getAccountById } from '../store/account.ts';
import { getJob } from '../store/job.ts';
import { openStoreReadable } from '../store/open-store.ts';
import { answerCalls } from './call-thread.ts';

/** What the reader thread answers; the directory's own work is the directory thread's. */
export interface ReaderThreadCalls
  extends Pick<
    ReaderCalls,
    | 'prepareUpload'
    | 'writeRows'
    | 'previewRows'
    | 'exportToFile'
    | 'openExport'
    | 'readExport'
    | 'closeExport'
    | 'findDamage'
  > {
  takeIndex(command: { buffer: SharedArrayBuffer }): Promise<void>;
  /** Closes the files, so that the thread can end. */
  stop(command: null): Promise<void>;
  readStats(command: null): Promise<Omit<DirectoryStats, 'index' | 'index_error'>>;
}

/** Bytes of an export that are handed over at once, at least. */
const exportPieceBytes = 256 * 1024;

const { folder } = workerData as { folder: string };
const store = openStoreReadable(folder);
const directory = openDirectoryReadable(folder);
let provider: DirectoryProvider | null = null;
let send: (event: TaskProgress) => void = () => undefined;
const exports = new Map<number, Generator<string>>();
let lastExportId = 0;

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

async function exportToFile(command: ExportCommand & { path: string }) {
  const job = findJob(command);
  const rows = countExportRows(job, command.status);
  const partial = `${command.path}.${randomUUID().slice(0, 8)}.partial`;
  const report = reportProgress('export', nameExport(job), 'rows');
  const handle = openSync(partial, 'wx');
  try {
    const pieces = exportResult(store, folder, command);
    let done = 0;
    for (const text of pieces) {
      writeSync(handle, text);
      done = Math.min(rows, done + 2_000);
      report(done, rows);
      await setImmediate();
    }
    fsyncSync(handle);
    closeSync(handle);
    renameSync(partial, command.path);
    syncFolder(dirname(command.path));
    return { rows };
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

const calls: ReaderThreadCalls = {
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
  async writeRows({ headers, rows, targetDir }) {
    const { rowCount, sha256, ...table } = writeRowsTable({ headers, rows, targetDir });
    return { dir: targetDir, headers: table.headers, rowCount, sha256 };
  },
  async previewRows({ accountId, dir, mapping, codes }) {
    const account = getAccountById(store, accountId);
    if (!account) throw new Error(`no account ${accountId}`);
    if (!provider)
      throw new EngineError(
        'not_ready',
        'The directory is still being indexed. The price is exact; try the preview again soon.',
      );
    return previewRows(directory, provider, {
      dir,
      mapping,
      codes,
      threshold: account.matchThreshold,
      chargePolicy: account.chargePolicy,
      ...priceSelection(store, accountId, codes),
    });
  },
  exportToFile,
  async openExport(command) {
    const job = findJob(command);
    lastExportId += 1;
    exports.set(lastExportId, exportResult(store, folder, command));
    const rows = countExportRows(job, command.status);
    return { exportId: lastExportId, fileName: nameExport(job), rows };
  },
  async readExport({ exportId }) {
    const pieces = exports.get(exportId);
    const piece = pieces ? readPiece(pieces) : null;
    if (!piece) exports.delete(exportId);
    return piece;
  },
  async closeExport({ exportId }) {
    exports.get(exportId)?.return(undefined);
    exports.delete(exportId);
  },
  async takeIndex({ buffer }) {
    provider = openDirectoryProvider(buffer);
  },
  readStats: async () => readStats(directory),
  async stop() {
    store.close();
    directory.close();
  },
  async findDamage({ file }) {
    const found = (file === 'engine.db' ? store : directory).pragma('quick_check(3)');
    return (found as { quick_check: string }[])
      .map((row) => row.quick_check)
      .filter((text) => text !== 'ok');
  },
};

if (parentPort) send = answerCalls<ReaderThreadCalls>(parentPort, calls);
