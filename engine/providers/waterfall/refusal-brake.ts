// Tells refusals of people from a service, or a network filter in front of it, that refuses
// everything (docs/rules.md, "Providers"). The last requests of a job count; without a job, the
// last ones of all lookups, tools and pipelines.
import { refusals } from '../../contract/limits/waterfall.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface RefusalCounts {
  readonly refused: number;
  /** That were answered otherwise. */
  readonly answered: number;
}

/** Requests in which the last ones of the same work are looked for. */
const requestsLookedAt = 10_000;

/** The rows of the last requests of a job, or of all work without one, to a provider. */
export const countRefusals = (
  database: ReadableDatabase,
  provider: string,
  jobId: number | null,
): RefusalCounts =>
  statement<RefusalCounts>(
    database,
    // From the newest request on: an index would have to be sorted for each refusal.
    `SELECT ifnull(sum(refused_rows), 0) AS refused,
       ifnull(sum(iif(state = 'answered', row_count - refused_rows, 0)), 0) AS answered
     FROM (SELECT refused_rows, state, row_count FROM provider_request
       WHERE id > (SELECT max(id) FROM provider_request) - ${requestsLookedAt}
         AND +provider = ? AND +job_id IS ? AND (state = 'answered' OR refused_rows > 0)
       ORDER BY id DESC LIMIT ${refusals.requestsLast})`,
  ).get(provider, jobId) ?? { refused: 0, answered: 0 };

/** Whether so many refusals cannot be about people. */
export const isRefusingAll = ({ refused, answered }: RefusalCounts): boolean =>
  refused >= refusals.rowsMin && refused > answered;

/** How many of the refused rows of a request are still about people. */
export function countBelieved(before: RefusalCounts, now: RefusalCounts): number {
  const refused = before.refused + now.refused;
  const answered = before.answered + now.answered;
  if (!isRefusingAll({ refused, answered })) return now.refused;
  return Math.max(0, Math.min(now.refused, refusals.rowsMin - before.refused));
}

export const findJobUuid = (database: ReadableDatabase, jobId: number | null): string | null =>
  statement<{ uuid: string }>(database, 'SELECT uuid FROM job WHERE id = ?').get(jobId)?.uuid ??
  null;

/** Why the rest of a run does not ask a provider that refuses everything, and what to do. */
export function describeRefusals(
  database: ReadableDatabase,
  provider: string,
  jobId: number | null,
): string {
  const { refused, answered } = countRefusals(database, provider, jobId);
  const job = findJobUuid(database, jobId);
  const undo = job === null ? '' : ` Undo those of this job: desk suppress remove --job ${job}.`;
  return (
    `It refused ${refused} of the last ${refused + answered} people for legal reasons, so it is ` +
    'not asked any more, and nobody else joins the suppression list. A network filter may answer ' +
    `in its place. Check it: desk providers test ${provider} --stored.${undo} Then run the rows ` +
    'again.'
  );
}
