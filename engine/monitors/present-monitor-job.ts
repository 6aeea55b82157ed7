// Career Monitor jobs in the format of the API.
import { creditUnits, formatCredits, unitsPerCredit } from '../contract/credits.ts';
import type { JobStatus } from '../contract/jobs/job.ts';
import {
  findingStatuses,
  type MonitorJob,
  type MonitorJobStatus,
  type MonitorSummary,
} from '../contract/monitors/career-monitor.ts';
import { findingCounters } from './finding.table.ts';
import type { MonitorJobRow } from './monitor-job.table.ts';

/** The records that a completed job is charged for: those with an answer, by the account's rule. */
export const countCharged = (
  enrichedRows: number,
  { chargeRule, repeatedRows }: Pick<MonitorJobRow, 'chargeRule' | 'repeatedRows'>,
): number => enrichedRows - (chargeRule === 'changes' ? repeatedRows : 0);

/** The status in the API for the status of the job that does the work. */
export const monitorStatusOf: Readonly<Record<JobStatus, MonitorJobStatus>> = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Failed',
};

export function presentSummary(job: MonitorJobRow): MonitorSummary {
  const chargedUnits = job.paidAt === null ? 0 : (job.dueUnits ?? 0);
  return {
    job_id: job.id,
    title: job.title,
    status: monitorStatusOf[job.status],
    total_records: job.totalRows,
    processed_records: job.processedRows,
    submitted_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    total_credits_charged: chargedUnits / unitsPerCredit,
    credit_charge_failed: job.chargeError !== null,
    credit_charge_failure_reason: job.chargeError,
  };
}

export function presentMonitorJob(job: MonitorJobRow): MonitorJob {
  const counts = Object.fromEntries(
    findingStatuses.map((status) => [status, job[findingCounters[status].count]]),
  ) as MonitorJob['counts'];
  return {
    ...presentSummary(job),
    monitor_id: job.monitorId,
    file_name: job.fileName,
    price_per_record: formatCredits(job.priceUnits),
    credits_due: formatCredits(job.dueUnits ?? creditUnits(0)),
    charge_rule: job.chargeRule,
    charged_records: job.dueUnits === null ? 0 : countCharged(job.enrichedRows, job),
    counts,
    error_detail:
      job.status === 'cancelled' ? 'The job was stopped. Nothing was charged.' : job.errorDetail,
    ...(job.rowsAhead !== null && { rows_ahead: job.rowsAhead }),
  };
}
