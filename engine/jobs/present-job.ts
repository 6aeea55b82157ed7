// Jobs in the format of the API.
import { creditUnits, formatCredits } from '../contract/credits.ts';
import { endStatuses, type StatusData, type SubmitData } from '../contract/jobs/job.ts';
import type { JobRow } from './job.table.ts';

function readWaitingReason({ waitingRows, teamFailure }: JobRow): StatusData['waiting_reason'] {
  if (waitingRows === 0) return null;
  if (teamFailure === null) return 'no_connection';
  return teamFailure === 'no_worker' ? 'no_worker' : 'no_team_directory';
}

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
    duplicate_rows: job.duplicateRows,
    paid_before_rows: job.paidBeforeRows,
    known_rows: job.knownRows,
    new_since: job.newSince,
    infer_emails: job.inferEmails === 1,
    when_offline: job.whenOffline,
    waiting_rows: job.waitingRows,
    waiting_since: job.waitingSince,
    waiting_reason: readWaitingReason(job),
    unanswered_rows: job.unansweredRows,
    credits_held: formatCredits(job.heldUnits),
    credits_charged: formatCredits(creditUnits(job.chargedUnits + job.reviewedUnits)),
    credits_released: formatCredits(job.releasedUnits),
    error: job.error,
    error_detail: job.errorDetail,
    retry_of: job.retryOf,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
  };
}

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
