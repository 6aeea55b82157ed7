// Submitting and retrying: hold, job and idempotency record are created in one transaction.
import { createHash, randomUUID } from 'node:crypto';
import { type AccountRow, getAccountById } from '../accounts/account.table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { CreditUnits } from '../contract/credits.ts';
import { EngineError, invalid } from '../contract/errors.ts';
import {
  type ChosenOptions,
  type JobOptions,
  JobOptionsSchema,
} from '../contract/jobs/app-jobs.ts';
import type { SubmitData } from '../contract/jobs/job.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { viaMax } from '../contract/limits/desk-provider.ts';
import { type Spending, spendAllowed } from '../ledger/approve-spending.ts';
import { findReplay, type IdempotencyUse, rememberIdempotent } from '../ledger/idempotency.ts';
import { type Permit, readProviderCap } from '../ledger/key-guard.ts';
import { hold } from '../ledger/ledger.ts';
import { type PricedLayers, priceJob, priceSelection, resolveLayers } from '../ledger/price-job.ts';
import { shortenArguments } from '../ledger/shorten-arguments.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { hasRequest } from '../providers/waterfall/provider-request.table.ts';
import { adoptInput, dropInput } from '../spreadsheet/input-folders.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import {
  getJob,
  insertJob,
  type JobRow,
  noSuchJob,
  optionsOf,
  requeueJob,
  type StoredOptions,
  storeOptions,
} from './job.table.ts';
import { presentSubmit } from './present-job.ts';
import { checkNewSince } from './repeats/check-new-since.ts';
import { requireWhole } from './require-whole.ts';
import { writeRowsAgain } from './rerun/write-rows-again.ts';

export interface SubmitCommand extends Spending {
  /** Codes, or `full`; the writer reads the account's rates for it, and nothing else does. */
  readonly selection: readonly string[];
  /** Whether `asking` shows the list with the layers that it means, not arguments of its own. */
  readonly showsLayers?: boolean;
  readonly title: string;
  readonly fileName: string | null;
  readonly input: PreparedInput;
  readonly mapping: ColumnMapping;
  readonly idempotency: IdempotencyUse | null;
  readonly options?: ChosenOptions;
  /** Ids of the requests by which other engines passed the rows on, oldest first. */
  readonly via?: readonly string[] | undefined;
}

/** `replayed`: an earlier request with the same idempotency key created this job. */
export interface SubmitAnswer {
  readonly data: SubmitData;
  readonly replayed: boolean;
}

interface JobHold {
  readonly uuid: string;
  readonly keyId: string | null;
  readonly permit: Permit;
  readonly at: string;
}

interface NewJob extends JobHold {
  readonly account: AccountRow;
  readonly layers: PricedLayers;
  readonly command: Pick<JobRow, 'title' | 'fileName' | 'mapping' | 'via'>;
  readonly headers: readonly string[];
  readonly rowCount: number;
  readonly retryOf: string | null;
  readonly options: StoredOptions;
}

const readAccount = (database: WritableDatabase, id: number): AccountRow => {
  const account = getAccountById(database, id);
  if (!account) throw new Error(`no account ${id}`);
  return account;
};

/** Throws `insufficient_credits`, `spending_cap_reached`, ApprovalNeeded. Call in a transaction. */
const holdForJob = (
  database: WritableDatabase,
  accountId: number,
  heldUnits: CreditUnits,
  { uuid, at, keyId, permit }: JobHold,
): { holdId: number; heldUnits: CreditUnits } => {
  const subject = { kind: 'job', id: uuid } as const;
  const holdId = hold(database, accountId, heldUnits, subject, at, keyId, permit);
  return { holdId, heldUnits };
};

const recordStart = (
  database: WritableDatabase,
  { accountId, uuid, totalRows, codes, heldUnits: units }: JobRow,
  action: 'job_started' | 'job_retried',
  { at, keyId }: Pick<JobHold, 'at' | 'keyId'>,
): void =>
  recordAudit(database, {
    action,
    at,
    accountId,
    keyId,
    subject: uuid,
    rows: totalRows,
    units,
    details: { layers: codes.join(' ') },
  });

/** Holds the price of a job and inserts it. Throws what `holdForJob` throws. */
function holdAndInsert(database: WritableDatabase, job: NewJob): JobRow {
  const { account, command, layers } = job;
  const inserted = insertJob(database, {
    ...layers,
    uuid: job.uuid,
    accountId: account.id,
    title: command.title,
    codes: [...layers.codes],
    chargePolicy: account.chargePolicy,
    matchThreshold: account.matchThreshold,
    totalRows: job.rowCount,
    ...holdForJob(database, account.id, priceJob(layers, job.rowCount), job),
    headers: [...job.headers],
    mapping: command.mapping,
    fileName: command.fileName,
    retryOf: job.retryOf,
    freeRepeatDays: account.freeRepeatDays,
    inferEmails: account.inferEmails,
    via: command.via ?? null,
    ...job.options,
    providerCap: readProviderCap(database, job.keyId),
    at: job.at,
  });
  recordStart(database, inserted, job.retryOf === null ? 'job_started' : 'job_retried', job);
  return inserted;
}

/** The options that no request names. */
const defaults = new Map<string, unknown>(Object.entries(JobOptionsSchema.parse({})));

/** The fingerprint of layers, title, mapping and rows (docs/api.md, "Answer"). */
const fingerprintOf = (command: SubmitCommand, codes: readonly LayerCode[], options: JobOptions) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        codes,
        command.title,
        Object.entries(command.mapping).sort(),
        command.input.headers,
        command.input.sha256,
        ...Object.entries(options).filter(([name, value]) => value !== defaults.get(name)),
      ]),
    )
    .digest('hex');

/** Whose credits are spent, and what an approval shows. */
function spendingOf(command: SubmitCommand, codes: readonly LayerCode[]): Spending {
  const { accountId, keyId, asking, title, input, fileName } = command;
  if (!asking || !command.showsLayers) return command;
  const shown = {
    title,
    selected_layers: codes,
    rows: input.rowCount,
    ...(fileName !== null && { file: fileName }),
  };
  return { accountId, keyId, asking: { ...asking, arguments: shortenArguments(shown) } };
}

function answerReplay(
  database: WritableDatabase,
  command: SubmitCommand,
  fingerprint: string,
  now: Date,
): SubmitAnswer | null {
  const uuid = findReplay(database, command.idempotency, fingerprint, now);
  if (uuid === null) return null;
  const job = getJob(database, command.accountId, uuid);
  if (!job) throw new EngineError('idempotency_conflict');
  return { data: presentSubmit(job), replayed: true };
}

/** Throws `validation_error` for rows that this engine passed on: both would wait. */
function checkVia(database: WritableDatabase, { via = [] }: Pick<SubmitCommand, 'via'>): void {
  if (via.length <= viaMax && !hasRequest(database, via)) return;
  throw invalid(
    'The rows come from this engine, by way of other engines. Two engines must not ask each ' +
      'other: switch off the data service in one of them.',
  );
}

/**
 * Creates a job from a decoded table. The caller's rows are on disk before the job exists. A
 * refusal (`insufficient_credits`, `spending_cap_reached`, `approval_required`,
 * `idempotency_conflict`) leaves neither behind.
 */
export function submitJob(
  database: WritableDatabase,
  folder: string,
  command: SubmitCommand,
  now: Date,
): SubmitAnswer {
  // Read once for the check, the fingerprint and the hold, because no other connection writes.
  const layers = resolveLayers(database, command.accountId, command.selection);
  const options = JobOptionsSchema.parse(command.options ?? {});
  const fingerprint = fingerprintOf(command, layers.codes, options);
  const replay = answerReplay(database, command, fingerprint, now);
  if (replay) return replay;
  checkNewSince(database, command.accountId, options.new_since);
  checkVia(database, command);
  const at = now.toISOString();
  const uuid = randomUUID();
  adoptInput(folder, uuid, command.input.dir);
  try {
    const spending = spendingOf(command, layers.codes);
    const job = spendAllowed(database, spending, fingerprint, now, (permit) => {
      const inserted = holdAndInsert(database, {
        uuid,
        permit,
        account: readAccount(database, command.accountId),
        keyId: command.keyId,
        layers,
        command: { ...command, via: command.via ?? null },
        headers: command.input.headers,
        rowCount: command.input.rowCount,
        retryOf: null,
        options: storeOptions(options),
        at,
      });
      if (command.idempotency)
        rememberIdempotent(database, {
          keyScope: command.idempotency.keyScope,
          key: command.idempotency.key,
          fingerprint,
          jobUuid: uuid,
          at,
        });
      return inserted;
    });
    return { data: presentSubmit(job), replayed: false };
  } catch (error) {
    dropInput(folder, uuid);
    throw error;
  }
}

export interface Retry extends Spending {
  readonly now: Date;
}

const retryFingerprint = ({ uuid }: JobRow): string => `retry ${uuid}`;

/** Holds the price of a failed job again and queues it. Finished rows are kept (docs/api.md). */
function requeueFailed(
  database: WritableDatabase,
  job: JobRow,
  { now, ...spending }: Retry,
): SubmitData {
  const { uuid, accountId } = job;
  const at = now.toISOString();
  return spendAllowed(database, spending, retryFingerprint(job), now, (permit) => {
    const holding = { uuid, permit, at, keyId: spending.keyId };
    const held = holdForJob(database, accountId, priceJob(job, job.totalRows), holding);
    const providerCap = readProviderCap(database, spending.keyId);
    requeueJob(database, job.id, { ...held, providerCap });
    const again = getJob(database, accountId, uuid);
    if (!again) throw new Error(`job ${uuid} disappeared`);
    recordStart(database, again, 'job_retried', holding);
    return presentSubmit(again);
  });
}

export interface AgainOrder {
  readonly title: string;
  readonly layers: PricedLayers;
  readonly rowCount: number;
  /** UUID of the earlier job if it retries its failed rows. */
  readonly retryOf: string | null;
  readonly newSince: string | null;
  writeInput(uuid: string): void;
}

/** Creates a job with the mapping and the rules of an earlier one, from rows of that one. */
export function submitAgain(
  database: WritableDatabase,
  folder: string,
  job: JobRow,
  { now, ...spending }: Retry,
  order: AgainOrder,
): SubmitData {
  const uuid = randomUUID();
  try {
    order.writeInput(uuid);
    return spendAllowed(database, spending, retryFingerprint(job), now, (permit) =>
      presentSubmit(
        holdAndInsert(database, {
          uuid,
          permit,
          at: now.toISOString(),
          account: readAccount(database, job.accountId),
          keyId: spending.keyId,
          layers: order.layers,
          command: { ...job, title: order.title },
          headers: job.headers,
          rowCount: order.rowCount,
          retryOf: order.retryOf,
          options: { ...optionsOf(job), newSince: order.newSince },
        }),
      ),
    );
  } catch (error) {
    dropInput(folder, uuid);
    throw error;
  }
}

/** Creates a job of the failed rows, with the same layers and mapping, at current prices. */
const submitFailedRows = (
  database: WritableDatabase,
  folder: string,
  job: JobRow,
  retry: Retry,
): SubmitData =>
  submitAgain(database, folder, job, retry, {
    title: job.title,
    layers: { codes: job.codes, ...priceSelection(database, job.accountId, job.codes) },
    rowCount: job.failedRows,
    retryOf: job.uuid,
    newSince: job.newSince,
    writeInput: (uuid) => writeRowsAgain(database, folder, job, { uuid, rows: 'failed' }),
  });

/** Retries a failed job, or the failed rows of a completed one. Throws `nothing_to_retry`. */
export function retryJob(
  database: WritableDatabase,
  folder: string,
  command: Spending & { readonly jobId: string },
  now: Date,
): SubmitData {
  const job = getJob(database, command.accountId, command.jobId);
  if (!job) throw noSuchJob();
  requireWhole(job);
  const retry = { ...command, now };
  if (job.status === 'failed') return requeueFailed(database, job, retry);
  if (job.status === 'completed' && job.failedRows > 0)
    return submitFailedRows(database, folder, job, retry);
  throw new EngineError(
    'nothing_to_retry',
    job.status === 'completed'
      ? 'No row of this job failed. Skipped rows have no match and are not retried.'
      : `A ${job.status} job cannot be retried. Submit its rows as a new job.`,
  );
}
