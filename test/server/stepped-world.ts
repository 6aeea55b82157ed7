// An environment whose jobs stand still until a test moves them: the real store, tables and rules,
// no threads and no matching.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAccountById } from '../../engine/accounts/account.table.ts';
import {
  changeAccount,
  createAccount,
  ensureFirstAccount,
  grantCredits,
} from '../../engine/accounts/accounts.ts';
import { admitStdioClient } from '../../engine/accounts/admit-stdio-client.ts';
import { touchKey } from '../../engine/accounts/api-key.table.ts';
import { changeKey, createKey, revokeAccountKey } from '../../engine/accounts/api-keys.ts';
import { createIdentityCommands } from '../../engine/accounts/identity-providers.ts';
import { presentAccount } from '../../engine/accounts/present-account.ts';
import type { Environment } from '../../engine/app/environment.ts';
import { openExport } from '../../engine/app/open-export.ts';
import type { ReaderCalls } from '../../engine/app/reader-calls.ts';
import type { WriterCalls } from '../../engine/app/writer-calls.ts';
import { createListFolderCommands } from '../../engine/assistants/list-folders.ts';
import { insertToolCall } from '../../engine/assistants/tool-call.table.ts';
import type { DirectoryStats } from '../../engine/contract/directory.ts';
import { EngineError, type ErrorCode } from '../../engine/contract/errors.ts';
import type { AppEvent } from '../../engine/contract/events.ts';
import type { Provider } from '../../engine/contract/provider.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import { openDirectory, readGeneration } from '../../engine/directory/open-directory.ts';
import { buildSearchIndex } from '../../engine/directory/search/search-build.ts';
import { openSearch } from '../../engine/directory/search/search-directory.ts';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import { failJob } from '../../engine/jobs/fail-job.ts';
import {
  advanceJob,
  endJob,
  getJobById,
  type JobRow,
  startJob,
} from '../../engine/jobs/job.table.ts';
import { matchContact } from '../../engine/jobs/matching/match-contact.ts';
import { insertBatch } from '../../engine/jobs/results/job-batch.table.ts';
import { insertResults } from '../../engine/jobs/results/result.table.ts';
import { retryJob, submitJob } from '../../engine/jobs/submit-job.ts';
import { answerApproval } from '../../engine/ledger/approve-spending.ts';
import { resolveHold } from '../../engine/ledger/ledger.ts';
import { priceRow } from '../../engine/ledger/price-job.ts';
import { setRate } from '../../engine/ledger/rate.table.ts';
import { unlock } from '../../engine/ledger/unlock.ts';
import { unlockOnce } from '../../engine/ledger/unlock-once.ts';
import { createMonitorCommands } from '../../engine/monitors/create-monitor-commands.ts';
import { chargeMonitorJob, recordFindings } from '../../engine/monitors/record-findings.ts';
import { createOauthCommands } from '../../engine/oauth/create-oauth-commands.ts';
import { cancelPipeline } from '../../engine/pipelines/end-pipeline.ts';
import { startPipeline } from '../../engine/pipelines/start-pipeline.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore, openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import {
  type DirectoryProvider,
  openDirectoryProvider,
} from '../../engine/providers/directory-provider.ts';
import { openEncryptionKey } from '../../engine/secrets/encryption-key.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { prepareUpload } from '../../engine/spreadsheet/prepare-upload.ts';
import { openRows } from '../../engine/spreadsheet/read-rows.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { startValidation } from '../../engine/validations/validate-emails.ts';
import { createWebhookCommands } from '../../engine/webhooks/webhooks.ts';

/** The environment, and the ways in which a test moves it. */
export interface SteppedWorld extends Environment {
  /** Its directory, which a test may fill. */
  readonly directoryDatabase: WritableDatabase;
  /** None, unless a test puts one in. */
  provider: Provider | null;
  /** Puts a queued job to work on its first row, and no further. */
  begin(jobId: string): void;
  /** Finishes a job: rows whose email begins with `found` are enriched, with `failed` failed. */
  finish(jobId: string): void;
  /** Finishes a Career Monitor job likewise. */
  finishMonitorJob(id: number): void;
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

/** What is found of a row: `found-moved` has a new employer, `found-left` has none. */
const answerOf = (email: string): Record<string, string> => ({
  'First name': 'Ada',
  Email: email,
  ...(email.startsWith('found-moved') && {
    'Current company name': 'Globex',
    'Employment status': 'Changed',
  }),
  ...(email.startsWith('found-left') && { 'Employment status': 'Left' }),
});
const provenance = '[["crm.csv",0.8,"2026-11-01"],0,0,null,null,null]';

/** L1 enriched where the email says so; the other layers found nothing. */
function writeRow(database: WritableDatabase, job: JobRow, index: number, email: string): void {
  const found = email.startsWith('found');
  const failed = email.startsWith('failed');
  const fields = found ? JSON.stringify(answerOf(email)) : '{}';
  const columns = [
    `${index} AS row_index`,
    `${found ? 0 : failed ? 2 : 1} AS status`,
    `${found ? 0 : failed ? 5 : 1} AS reason`,
    `'${found ? '0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f' : ''}' AS contact_uuid`,
    `${found ? 1 : 0} AS layer_bits`,
    `'${fields}' AS fields`,
    `${found ? 0.97 : 0} AS confidence`,
    `2 AS matched_on, NULL AS candidates, ${found ? `'${provenance}'` : 'NULL'} AS provenance`,
  ];
  insertResults(database, job.resultBase, `SELECT ${columns.join(', ')}`);
  const counts = { enriched: +found, skipped: +(!found && !failed), failed: +failed };
  insertBatch(database, {
    jobId: job.id,
    firstRow: index,
    rowCount: 1,
    ...counts,
    at: now().toISOString(),
    parts: Uint8Array.of(counts.enriched, counts.skipped, counts.failed),
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
    for (let index = job.processedRows; index < last; index += 1) {
      writeRow(database, job, index, rows.readRange(index, 1)[0]?.[email] ?? '');
      if (job.kind === 'monitor')
        recordFindings(database, job, { firstRow: index, count: 1 }, rows);
    }
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
    if (job.kind === 'monitor') chargeMonitorJob(database, job, at);
  });
}

// No keychain.
const openSecrets = (database: WritableDatabase, folder: string) =>
  openEncryptionKey({ ...{ database, folder, environment: 'live', now }, askKeychain: refuse });

const writerCalls = (database: WritableDatabase, folder: string): WriterCalls => ({
  ...createMonitorCommands({
    ...{ database, folder, now },
    send: () => undefined,
    wake: () => undefined,
    wakeClock: () => undefined,
  }),
  ...createOauthCommands(database, 'live', now),
  ...createIdentityCommands({ database, secrets: openSecrets(database, folder), now }),
  ...createListFolderCommands(database, now, () => undefined),
  // Nothing is ever sent from here.
  ...createWebhookCommands({
    ...{ database, environment: 'live', now },
    secrets: openSecrets(database, folder),
    wake: () => undefined,
  }),
  submitJob: async (command) => submitJob(database, folder, command, now()),
  cancelJob: async (command) => cancelJob(database, command, now()),
  retryJob: async (command) => retryJob(database, folder, command, now()),
  startPipeline: async (command) => startPipeline(database, folder, command, now()),
  cancelPipeline: async (command) => cancelPipeline(database, command, now()),
  createAccount: async ({ name }) => presentAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }) =>
    presentAccount(changeAccount(database, accountUuid, change)),
  createKey: async (command) => createKey(database, 'live', command, now()),
  changeKey: async (command) => changeKey(database, command, now()),
  revokeKey: async (command) => revokeAccountKey(database, command, now()),
  admitStdioClient: async (command) => admitStdioClient(database, 'live', command, now()),
  touchKey: async ({ id }) => touchKey(database, id, now().toISOString()),
  grant: async (command) => grantCredits(database, command, now()),
  setRate: async ({ accountId, code, priceUnits, active }) =>
    setRate(database, accountId, code, { priceUnits, active }),
  unlock: async (command) => unlock(database, command, now()),
  unlockOnce: async (command) => unlockOnce(database, command, now()),
  answerApproval: async (command) => answerApproval(database, command, now()),
  noteToolCall: async (call) => insertToolCall(database, call),
  validateEmails: async (command) => startValidation(database, command, now()),
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
  let provider: DirectoryProvider | null = null;
  return {
    prepareUpload: (command, signal) => prepareUpload(command, undefined, signal),
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
    async previewPipeline({ subject }) {
      const sampled = subject.source === 'contacts' ? subject.input.rowCount : 0;
      const none = { matched: 0, with_email: 0, with_phone: 0, owned_values: 0 };
      return { sampled, ...none, expected_credits: '0.0000' };
    },
    async matchContact({ accountId, row }) {
      const directory = openDirectory(folder);
      // The index of an import serves until the next one.
      if (provider?.generation !== readGeneration(directory))
        provider = openDirectoryProvider(buildIndex(directory).buffer);
      const { matchThreshold } = getAccountById(database, accountId)!;
      const match = matchContact(directory, provider, row, matchThreshold);
      directory.close();
      return match;
    },
    exportToFile: refuse,
    async openExport(command) {
      const { pieces, fileName, rows } = openExport(database, folder, command);
      const exportId = openExports.size + 1;
      openExports.set(exportId, pieces);
      return { exportId, fileName, rows };
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

/** Opens an environment in a folder of its own, or in the one of an earlier environment. */
export function openSteppedWorld(
  folder = mkdtempSync(join(tmpdir(), 'desk-world-')),
): SteppedWorld {
  const writing = openStore(folder);
  ensureFirstAccount(writing, now());
  const database = openStoreReadable(folder);
  const listeners = new Set<Parameters<Environment['subscribe']>[0]>();
  const openExports = new Map<number, Generator<string>>();
  // Most tests look nobody up.
  let people: WritableDatabase | null = null;
  const openPeople = () => {
    people ??= openDirectory(folder);
    return people;
  };
  const reader = readerCalls(writing, folder, openExports);
  return {
    name: 'live',
    folder,
    database,
    get directoryDatabase() {
      return openPeople();
    },
    get search() {
      return openSearch(openPeople(), () => buildSearchIndex(openPeople()));
    },
    provider: null,
    writer: writerCalls(writing, folder),
    reader,
    directory: reader,
    openExports,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    describeFault: () => null,
    emit(event, accountId) {
      for (const listener of listeners) listener(event, accountId);
    },
    begin: (jobId) => runRows(writing, folder, jobId, 1),
    finish: (jobId) => runRows(writing, folder, jobId, Number.POSITIVE_INFINITY),
    finishMonitorJob(id) {
      const { uuid } = writing
        .prepare('SELECT uuid FROM job WHERE id = (SELECT job_id FROM monitor_job WHERE id = ?)')
        .get(id) as { uuid: string };
      runRows(writing, folder, uuid, Number.POSITIVE_INFINITY);
    },
    fail(jobId, code) {
      const { id } = jobOf(writing, jobId);
      startJob(writing, id, now().toISOString());
      failJob(writing, id, { code, detail: 'The upstream said no.' }, now());
    },
    async close() {
      database.close();
      people?.close();
      writing.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
