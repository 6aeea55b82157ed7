// The hooks of Career Monitor in the job runner: findings, their charge, and progress.
import type { JobHooks } from '../jobs/job-kind.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { deleteFindings } from './finding.table.ts';
import { getMonitorJobByJob } from './monitor-job.table.ts';
import { presentMonitorJob } from './present-monitor-job.ts';
import { chargeMonitorJob, recordFindings } from './record-findings.ts';

export const createMonitorHooks = (database: WritableDatabase): JobHooks => ({
  afterBatch: (job, rows, input) => recordFindings(database, job, rows, input),
  atEnd: (job, at) => chargeMonitorJob(database, job, at),
  clear: (job, first, end) =>
    deleteFindings(database, { jobId: job.id, resultBase: job.resultBase }, first, end),
  presentProgress(job) {
    const monitorJob = getMonitorJobByJob(database, job.id);
    return monitorJob && { type: 'monitor-job', job: presentMonitorJob(monitorJob) };
  },
});
