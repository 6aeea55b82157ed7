/** Jobs, accounts and wallets in the words of the contract. */

import type { AccountRow } from '../accounts/account.table.ts';
import type { Account } from '../contract/accounts.ts';
import { formatCredits } from '../contract/credits.ts';
import { endStatuses, type StatusData, type SubmitData } from '../contract/jobs/job.ts';
import type { Wallet } from '../contract/ledger.ts';
import { readBalances } from '../ledger/ledger.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { JobRow } from './job.table.ts';

/** A job's status record (specification, GET /status/). */
export function presentJob(job: JobRow): StatusData {
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
export function presentSubmit(job: JobRow): SubmitData {
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
export function presentAccount(account: AccountRow): Account {
  return {
    id: account.uuid,
    name: account.name,
    charge_policy: account.chargePolicy,
    match_threshold: account.matchThreshold,
    created_at: account.createdAt,
  };
}

/** An account's balances in credits. */
export function presentWallet(database: ReadableDatabase, accountId: number): Wallet {
  const { availableUnits, heldUnits, spentUnits } = readBalances(database, accountId);
  return {
    available: formatCredits(availableUnits),
    held: formatCredits(heldUnits),
    spent: formatCredits(spentUnits),
  };
}
