// Words about jobs, and the queries that a change of a job makes out of date.
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { countOf } from '../numbers.ts';

/** Names of the queries that show jobs and what they cost. */
export const jobQueries = [
  'jobs',
  'job-list',
  'job-queue',
  'job',
  'rerun',
  'state',
  'wallet',
  'entries',
] as const;

export const nameOf = ({ title }: Pick<StatusData, 'title'>): string => title || 'Untitled job';

/** Seconds that an ended job took; null if it has not started or not ended. */
export function secondsOf({ started_at: start, completed_at: end }: StatusData): number | null {
  if (!start || !end) return null;
  return Math.max(0, (Date.parse(end) - Date.parse(start)) / 1_000);
}

/** The sentence about work that is processed before the first row of a job. */
export const describeAhead = (rows = 0): string =>
  rows > 0 ? `Starts after ${countOf(rows, 'row')} of other jobs. ` : 'Starts next. ';
