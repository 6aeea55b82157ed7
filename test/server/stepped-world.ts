// A world whose jobs stand still until a test moves them: the real store, tables and rules, no
// threads and no matching.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppEvent } from '../../engine/contract/app.ts';
import type { DirectoryStats } from '../../engine/contract/directory.ts';
import { EngineError, type ErrorCode } from '../../engine/contract/errors.ts';
import { prepareTable } from '../../engine/csv/prepare-table.ts';
import { openRows } from '../../engine/csv/read-rows.ts';
import { writeRowsTable } from '../../engine/csv/write-rows-table.ts';
import { cancelJob } from '../../engine/domain/cancel-job.ts';
import { describeAccount } from '../../engine/domain/describe-job.ts';
import {
  countExportRows,
  exportResult,
  nameExport,
  requireFinished,
} from '../../engine/domain/export-result.ts';
import { failJob } from '../../engine/domain/fail-job.ts';
import { inspectRows } from '../../engine/domain/inspect-rows.ts';
import { jobDir } from '../../engine/domain/job-folder.ts';
import {
  changeAccount,
  createAccount,
  ensureFirstAccount,
  grantCredits,
} from '../../engine/domain/keep-account.ts';
import { createKey, revokeAccountKey } from '../../engine/domain/keep-key.ts';
import { priceRow } from '../../engine/domain/price-job.ts';
import { resolveMapping } from '../../engine/domain/recognize-input.ts';
import { retryJob, submitJob } from '../../engine/domain/submit-job.ts';
import type { ReaderCalls, World, WriterCalls } from '../../engine/domain/world.ts';
import type { WritableDatabase } from '../../engine/sqlite/open.ts';
import { inTransaction } from '../../engine/sqlite/transaction.ts';
import { touchKey } from '../../engine/store/api-key.ts';
import { advanceJob, endJob, getJobById, type JobRow, startJob } from '../../engine/store/job.ts';
import { insertBatch } from '../../engine/store/job-batch.ts';
import { resolveHold } from '../../engine/store/ledger.ts';
import { openStore, openStoreReadable } from '../../engine/store/open-store.ts';
import { setRate } from '../../engine/store/rate.ts';
import { insertResults } from '../../engine/store/result.ts';

/** The world, and the ways in which a test moves it. */
export interface SteppedWorld extends World {
  /** Puts a queued job to work on its first row, and no further. */
  begin(jobId: string): void;
  /** Finishes a job: rows whose email begins with `found` are enriched, with `failed` failed. */
  finish(jobId: string): void;
  /** Ends a job with an error of its source. */
  fail(jobId: string, code: ErrorCode): void;
  /** Exports that were opened and not closed. */
  readonly openExports: ReadonlyMap<number, unknown>;
  emit(event: AppEvent, accountId: number | null): void;
  /** What the directory's calls answer; a test may put its own in. */
  readonly directory: Partial<ReaderCalls>;
}

const now = () => new Date();

function jobOf(database: WritableDatabase, uuid: string): JobRow {
  const { id } = database.prepare('SELECT id FROM job WHERE uuid = ?').get(uuid) as { id: number };
  return getJobById(database, id)!;
}

/** L1 enriched where the email says so; the other layers found nothing. */
function writeRow(database: WritableDatabase, job: JobRow, index: number, email: string): void {
  const found = email.startsWith('found');
  const failed = email.startsWith('failed');
  const fields = found ? JSON.stringify({ 'First name': 'Ada', Email: email }) : '{}';
  const columns = [
    `${index} AS row_index`,
    `${found ? 0 : failed ? 2 : 1} AS status`,
    `${found ? 0 : failed ? 5 : 1} AS reason`,
    `'${found ? '0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f' : ''}' AS contact_uuid`,
    `${found ? 1 : 0} AS layer_bits`,
    `'${fields}' AS fields`,
    `${found ? 0.97 : 0} AS confidence`,
    '2 AS matched_on, NULL AS candidates, NULL AS provenance',
  ];
  insertResults(database, job.resultBase, `SELECT ${columns.join(', ')}`);
  const counts = { enriched: +found, skipped: +(!found && !failed), failed: +failed };
  insertBatch(database, {
    jobId: job.id,
    firstRow: index,
    rowCount: 1,
    ...counts,
    at: now().toISOString(),
  });
  advanceJob(database, job.id, {
    processed: 1,
    ...counts,
    pendingChargeUnits: priceRow(job, found, found ? 1 : 0),
  });
}

function runRows(database: WritableDatabase, folder: string, uuid: string, rowsMax: number): void {
  inTransaction(database, () => {
    let job = jobOf(database, uuid);
    if (job.status === 'queued') startJob(database, job.id, now().toISOString());
    const rows = openRows(jobDir(folder, uuid));
    const email = job.mapping.email ?? -1;
    const last = Math.min(job.totalRows, rowsMax);
    for (let index = job.processedRows; index < last; index += 1)
      writeRow(database, job, index, rows.readRange(index, 1)[0]?.[email] ?? '');
    rows.close();
    job = jobOf(database, uuid);
    if (job.processedRows < job.totalRows) return;
    const at = now().toISOString();
    const end = resolveHold(database, job.holdId ?? 0, job.pendingChargeUnits, at);
    endJob(database, job.id, {
      status: 'completed',
      chargedUnits: end.settledUnits,
      releasedUnits: end.releasedUnits,
      at,
    });
  });
}

const writerCalls = (database: WritableDatabase, folder: string): WriterCalls => ({
  submitJob: async (command) => submitJob(database, folder, command, now()),
  cancelJob: async (command) => cancelJob(database, command, now()),
  retryJob: async (command) => retryJob(database, folder, command, now()),
  createAccount: async ({ name }) => describeAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }) =>
    describeAccount(changeAccount(database, accountUuid, change)),
  createKey: async (command) => createKey(database, 'live', command, now()),
  revokeKey: async (command) => revokeAccountKey(database, command, now()),
  touchKey: async ({ id }) => touchKey(database, id, now().toISOString()),
  grant: async (command) => grantCredits(database, command, now()),
  setRate: async ({ accountId, code, priceUnits, active }) =>
    setRate(database, accountId, code, { priceUnits, active }),
  copyStore: async ({ path }) => void (await database.backup(path)),
});

const refuse = async () => {
  throw new EngineError('internal_error', 'not part of this test');
};

const emptyDirectory: DirectoryStats = {
  people: 0,
  companies: 0,
  employments: 0,
  people_with_email: 0,
  people_with_phone: 0,
  people_with_profile_url: 0,
  imports: [],
  generation: 0,
  index: 'empty',
  index_error: null,
  bytes: 0,
};

function readerCalls(
  database: WritableDatabase,
  folder: string,
  openExports: Map<number, Generator<string>>,
): ReaderCalls {
  return {
    async prepareUpload({ sourcePath, fileName, targetDir }) {
      const table = await prepareTable({ sourcePath, fileName, targetDir });
      const mapping = resolveMapping(table.headers);
      const { rowsWithoutIdentity, duplicateRows } = inspectRows(targetDir, mapping);
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
        rows_without_identity: rowsWithoutIdentity,
        duplicate_rows: duplicateRows,
        warnings: table.warnings,
        sha256: table.sha256,
      };
    },
    async writeRows({ headers, rows, targetDir }) {
      const { rowCount, sha256 } = writeRowsTable({ headers, rows, targetDir });
      return { dir: targetDir, headers, rowCount, sha256 };
    },
    async previewRows({ dir }) {
      const rows = openRows(dir);
      const sampled = rows.rowCount;
      rows.close();
      const none = { enriched: 0, expected_match_rate: 0, expected_credits: '0.0000' };
      return { sampled, ...none, fill_rate: {}, reasons: { no_match: 1 } };
    },
    exportToFile: refuse,
    async openExport(command) {
      const job = requireFinished(jobOf(database, command.jobId));
      const exportId = openExports.size + 1;
      openExports.set(exportId, exportResult(database, folder, command));
      return { exportId, fileName: nameExport(job), rows: countExportRows(job, command.status) };
    },
    async readExport({ exportId }) {
      const next = openExports.get(exportId)?.next();
      return !next || next.done ? null : Buffer.from(next.value);
    },
    async closeExport({ exportId }) {
      openExports.delete(exportId);
    },
    importDirectory: refuse,
    importSample: refuse,
    undoImport: refuse,
    directoryStats: async () => emptyDirectory,
    matchCompanies: refuse,
    copyDirectory: refuse,
    findDamage: async () => [],
  };
}

/** Opens a world in a folder of its own, or in the one of an earlier world. */
export function openSteppedWorld(
  folder = mkdtempSync(join(tmpdir(), 'desk-world-')),
): SteppedWorld {
  const writing = openStore(folder);
  ensureFirstAccount(writing, now());
  const database = openStoreReadable(folder);
  const listeners = new Set<Parameters<World['subscribe']>[0]>();
  const openExports = new Map<number, Generator<string>>();
  const reader = readerCalls(writing, folder, openExports);
  return {
    name: 'live',
    folder,
    database,
    writer: writerCalls(writing, folder),
    reader,
    directory: reader,
    openExports,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(event, accountId) {
      for (const listener of listeners) listener(event, accountId);
    },
    begin: (jobId) => runRows(writing, folder, jobId, 1),
    finish: (jobId) => runRows(writing, folder, jobId, Number.POSITIVE_INFINITY),
    fail(jobId, code) {
      const { id } = jobOf(writing, jobId);
      startJob(writing, id, now().toISOString());
      failJob(writing, id, { code, detail: 'The upstream said no.' }, now());
    },
    async close() {
      database.close();
      writing.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
