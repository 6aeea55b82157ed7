// Starts, stops and pays Career Monitor jobs. A working job processes their rows in the same
// batches as any other job. It has no hold, because it is charged at its end.
import { createHash, randomUUID } from 'node:crypto';
import { getAccountById } from '../accounts/account.table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError, invalid, notFound } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { monitorLayers, type StartedMonitorJob } from '../contract/monitors/career-monitor.ts';
import { releaseAndCancel } from '../jobs/cancel-job.ts';
import { getJobById, insertJob } from '../jobs/job.table.ts';
import { type Spending, spendAllowed } from '../ledger/approve-spending.ts';
import { findReplay, rememberIdempotent } from '../ledger/idempotency.ts';
import { authoriseSpending, type Permit } from '../ledger/key-guard.ts';
import { charge, hold } from '../ledger/ledger.ts';
import { listRates } from '../ledger/rate.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { adoptInput, dropInput } from '../spreadsheet/input-folders.ts';
import {
  findBaselineId,
  getMonitorJob,
  getMonitorJobByUuid,
  insertMonitorJob,
  type MonitorJobRow,
  payMonitorJob,
} from './monitor-job.table.ts';
import { describeShortfall, noteChanges, permitOf, subjectOf } from './record-findings.ts';

// Commands of Career Monitor to the writer thread. Each may reject with an EngineError.

export interface MonitorInput {
  readonly accountId: number;
  readonly title: string;
  readonly fileName: string | null;
  readonly headers: readonly string[];
  readonly mapping: ColumnMapping;
  readonly dir: string;
  readonly rowCount: number;
}

export interface MonitorJobCommand extends MonitorInput, Spending {
  /** SHA-256 of the canonical rows, lower-case hex. */
  readonly sha256: string;
  readonly idempotency: { readonly keyScope: string; readonly key: string } | null;
}
/** `replayed`: an earlier request with the same idempotency key started this job. */
export interface MonitorJobAnswer {
  readonly data: StartedMonitorJob;
  readonly replayed: boolean;
}

export interface MonitorTarget {
  readonly accountId: number;
  readonly id: number;
}

export interface MonitorJobOrder extends MonitorInput, Spending {
  readonly monitorId: number | null;
}

/** The price of a record with an answer: the account's price of L1. */
export function priceMonitor(database: ReadableDatabase, accountId: number): CreditUnits {
  const rate = listRates(database, accountId).find(({ code }) => code === 'L1');
  if (!rate) throw new Error(`account ${accountId} has no rate for L1`);
  return rate.priceUnits;
}

function assertLayersActive(database: ReadableDatabase, accountId: number): void {
  const off = listRates(database, accountId).find(
    ({ code, active }) => !active && monitorLayers.some((layer) => layer === code),
  );
  if (off)
    throw invalid(
      `Career Monitor checks ${monitorLayers.join(' and ')}, and ${off.code} is switched off for ` +
        'this account. Switch it on in Settings.',
    );
}

function insertOrder(
  database: WritableDatabase,
  order: MonitorJobOrder,
  uuid: string,
  permit: Permit,
  at: string,
): number {
  const account = getAccountById(database, order.accountId);
  if (!account) throw new Error(`no account ${order.accountId}`);
  assertLayersActive(database, account.id);
  const free = creditUnits(0);
  const priceUnits = priceMonitor(database, account.id);
  const mostUnits = creditUnits(order.rowCount * priceUnits);
  const authorisedUnits = authoriseSpending(database, order.keyId, mostUnits, permit, at);
  const job = insertJob(database, {
    kind: 'monitor',
    uuid,
    accountId: account.id,
    title: order.title,
    codes: [...monitorLayers],
    prices: {},
    pricePerRowUnits: free,
    chargePolicy: 'row',
    matchThreshold: account.matchThreshold,
    totalRows: order.rowCount,
    holdId: hold(database, account.id, free, { kind: 'job', id: uuid }, at),
    heldUnits: free,
    headers: [...order.headers],
    mapping: order.mapping,
    fileName: order.fileName,
    retryOf: null,
    at,
  });
  return insertMonitorJob(database, {
    accountId: account.id,
    monitorId: order.monitorId,
    jobId: job.id,
    keyId: order.keyId,
    authorisedUnits,
    priceUnits,
    chargeRule: account.monitorCharge,
    baselineId: order.monitorId === null ? null : findBaselineId(database, order.monitorId),
  });
}

/** The account's Career Monitor job. Throws `not_found`. */
export function requireMonitorJob(
  database: ReadableDatabase,
  accountId: number,
  id: number,
): MonitorJobRow {
  const job = getMonitorJob(database, accountId, id);
  if (!job)
    throw notFound(
      'This Career Monitor job does not exist. List your monitors to find its last run.',
    );
  return job;
}

interface OnceUse {
  readonly keyScope: string;
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * Creates a queued Career Monitor job from a decoded table. Its rows are on disk before the job
 * exists. A refusal (`validation_error` if a layer is switched off, `spending_cap_reached` and
 * `approval_required` if its key may not spend the maximum cost) leaves neither behind.
 * @param once stored in the transaction that creates the job; the caller has looked for a replay
 * @param fingerprint of everything that identifies the request; '' without a key
 */
export function startMonitorJob(
  database: WritableDatabase,
  folder: string,
  order: MonitorJobOrder,
  now: Date,
  once: OnceUse | null = null,
  fingerprint = '',
): MonitorJobRow {
  const uuid = randomUUID();
  const at = now.toISOString();
  adoptInput(folder, uuid, order.dir);
  try {
    return spendAllowed(database, order, fingerprint, now, (permit) => {
      const id = insertOrder(database, order, uuid, permit, at);
      if (once) rememberIdempotent(database, { ...once, jobUuid: uuid, at });
      recordAudit(database, {
        action: 'monitor_job_started',
        at,
        accountId: order.accountId,
        keyId: order.keyId,
        subject: String(id),
        rows: order.rowCount,
        details: { price_per_answer: formatCredits(priceMonitor(database, order.accountId)) },
      });
      return requireMonitorJob(database, order.accountId, id);
    });
  } catch (error) {
    dropInput(folder, uuid);
    throw error;
  }
}

/** Fingerprint that a repeat must share: title, mapping and rows. */
const fingerprintOf = ({ title, mapping, headers, sha256 }: MonitorJobCommand) =>
  createHash('sha256')
    .update(
      JSON.stringify(['career-monitor', title, Object.entries(mapping).sort(), headers, sha256]),
    )
    .digest('hex');

/**
 * Starts a requested job. A repeat with the same idempotency key returns the first job. Throws
 * `idempotency_conflict`, and what `startMonitorJob` throws.
 */
export function startMonitorJobOnce(
  database: WritableDatabase,
  folder: string,
  command: MonitorJobCommand,
  now: Date,
): { job: MonitorJobRow; replayed: boolean } {
  const { accountId, idempotency } = command;
  const fingerprint = fingerprintOf(command);
  const earlier = findReplay(database, idempotency, fingerprint, now);
  if (earlier !== null) {
    const job = getMonitorJobByUuid(database, accountId, earlier);
    if (!job) throw new EngineError('idempotency_conflict');
    return { job, replayed: true };
  }
  const once = idempotency && { ...idempotency, fingerprint };
  const order = { ...command, monitorId: null };
  const job = startMonitorJob(database, folder, order, now, once, fingerprint);
  return { job, replayed: false };
}

/** Ends a queued or running job without a charge. Throws `not_found` and `already_finished`. */
export function stopMonitorJob(
  database: WritableDatabase,
  command: { accountId: number; id: number },
  now: Date,
): MonitorJobRow {
  return inTransaction(database, () => {
    const { jobId } = requireMonitorJob(database, command.accountId, command.id);
    const job = getJobById(database, jobId);
    if (!job) throw new Error(`job ${jobId} disappeared`);
    if (endStatuses.includes(job.status)) throw new EngineError('already_finished');
    releaseAndCancel(database, job, now.toISOString());
    return requireMonitorJob(database, command.accountId, command.id);
  });
}

/**
 * Pays for locked findings, once: a job that is already paid is returned as it is. The key that
 * started the job was authorised then; another key is subject to its own limits. Throws
 * `not_found`, `not_ready` before its end, `insufficient_credits`, `spending_cap_reached`,
 * `approval_required`.
 */
export function payForFindings(
  database: WritableDatabase,
  command: Spending & { readonly id: number },
  now: Date,
): MonitorJobRow {
  const { accountId, id, keyId } = command;
  const at = now.toISOString();
  return spendAllowed(database, command, `pay ${id}`, now, (allowed) => {
    const job = requireMonitorJob(database, accountId, id);
    if (job.paidAt !== null) return job;
    if (job.dueUnits === null)
      throw new EngineError(
        endStatuses.includes(job.status) ? 'already_finished' : 'not_ready',
        endStatuses.includes(job.status)
          ? 'This job failed. Nothing is due for it.'
          : 'The job has not finished. Its cost is known when it ends.',
      );
    const permit = job.keyId === keyId && keyId !== null ? permitOf(job) : allowed;
    try {
      charge(database, accountId, job.dueUnits, subjectOf(id), at, keyId, permit);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'insufficient_credits')
        throw new EngineError(error.code, describeShortfall(database, accountId, job.dueUnits));
      throw error;
    }
    payMonitorJob(database, id, at);
    noteChanges(database, job, at);
    const note = { action: 'findings_paid', at, accountId, keyId, subject: String(id) } as const;
    recordAudit(database, { ...note, units: job.dueUnits });
    return requireMonitorJob(database, accountId, id);
  });
}
