/** What a job does, in the words of its progress. */
import type { StatusData } from '../../contract/jobs/job.ts';
import { formatNumber } from '../kit/format-text.ts';

/**
 * What a job does.
 * @param services those that have not answered some of its rows
 */
export function describeStep(job: StatusData, services: readonly string[]): string {
  if (job.status === 'queued') return 'Waiting';
  const { waiting_rows: waiting, waiting_since: since, unanswered_rows: open } = job;
  if (open > 0) {
    const names = services.length > 0 ? services.join(', ') : 'data services';
    return `Enriching, ${formatNumber(open, 'row')} ${open === 1 ? 'waits' : 'wait'} for ${names}`;
  }
  if (since === null || waiting === 0) return 'Enriching';
  const time = new Date(since).toTimeString().slice(0, 5);
  const verb = waiting === 1 ? 'waits' : 'wait';
  const rows = `${formatNumber(waiting, 'row')} ${verb}`;
  return job.waiting_reason === 'no_worker'
    ? `No worker of the team’s directory answers since ${time}, ${rows} for one`
    : `No connection since ${time}, ${rows} for it`;
}
