/** Jobs, accounts and wallets in the words of the contract. */
import type { Account, Wallet } from '../contract/app.ts';
import { formatCredits } from '../contract/credits.ts';
import { endStatuses, type StatusData, type SubmitData } from '../contract/job.ts';
import type { ReadableDatabase } from '../sqlite/open.ts';
import type { AccountRow } from '../store/account.ts';
import type { JobRow } from '../store/job.ts';
import { readBalances } from '../store/ledger.ts';

/** A job's status record (specification, GET /status/). */
export function describeJob(job: JobRow): StatusData {
  return {
    job_id: job.uuid,
    title: job.title,
    status: job.status,
    ready: endStatuses.includes(job.status),
    selected_layers: [...job.codes],
    total_rows: job.totalRows,
    processed_rows: job.processedRows,
    enriched_rows: job.enrichedRows,
    skipped_rows: job.skippedRows,
    failed_rows: job.failedRows,
    credits_held: formatCredits(job.heldUnits),
    credits_charged: formatCredits(job.chargedUnits),
    credits_released: formatCredits(job.releasedUnits),
    error: job.error,
    error_detail: job.errorDetail,
    retry_of: job.retryOf,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
  };
}

/** What submit and retry answer. */
export function describeSubmit(job: JobRow): SubmitData {
  return {
    job_id: job.uuid,
    title: job.title,
    status: job.status,
    ready: endStatuses.includes(job.status),
    selected_layers: [...job.codes],
    total_rows: job.totalRows,
    price_per_row: formatCredits(job.pricePerRowUnits),
    credits_held: formatCredits(job.heldUnits),
    created_at: job.createdAt,
  };
}

/** An account as the interface sees it. */
export function describeAccount(account: AccountRow): Account {
  return {
    id: account.uuid,
    name: account.name,
    charge_policy: account.chargePolicy,
    match_threshold: account.matchThreshold,
    created_at: account.createdAt,
  };
}

/** An account's balances in credits. */
export function describeWallet(database: ReadableDatabase, accountId: number): Wallet {
  const { availableUnits, heldUnits, spentUnits } = readBalances(database, accountId);
  return {
    available: formatCredits(availableUnits),
    held: formatCredits(heldUnits),
    spent: formatCredits(spentUnits),
  };
}
