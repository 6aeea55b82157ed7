// Refuses work on a job whose stored order is damaged.
import { EngineError } from '../contract/errors.ts';
import type { JobRow } from './job.table.ts';

/** Throws `database_damaged` for a job that can be listed, but neither run nor shown by row. */
export function requireWhole(job: JobRow): JobRow {
  if (job.damage !== null)
    throw new EngineError(
      'database_damaged',
      `What engine.db has about the job ${job.uuid} is damaged (${job.damage}). Restore a ` +
        'backup: desk restore FILE. Or submit its list again. Other jobs are not affected.',
    );
  return job;
}
