/** Reads a page of a review: rows, their candidates, and the evidence for and against each. */
import { formatCredits } from '../../contract/credits.ts';
import { reasons } from '../../contract/jobs/job.ts';
import type { Picked, ReviewPage, ReviewQuery, ReviewRow } from '../../contract/jobs/review.ts';
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import { describeCandidates } from '../../directory/read/projection.ts';
import type { RouteEnvironment } from '../../http/route-deps.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import type { JobRow } from '../job.table.ts';
import { readInputs } from '../results/read-result.ts';
import { type ResultRecord, readResults } from '../results/result.table.ts';
import { compareContact, type RowValues, readKnownContact } from './compare-contact.ts';
import {
  countPicks,
  countWaiting,
  listPicks,
  listWaiting,
  type PickRow,
  presentDecision,
} from './review-pick.table.ts';

/** The parts of an environment that a review is read from. */
type ReviewEnvironment = Pick<RouteEnvironment, 'database' | 'directoryDatabase' | 'folder'>;

const presentPick = (pick: PickRow): Picked => ({
  contact_uuid: pick.contactUuid,
  ...presentDecision(pick),
  credits_charged: formatCredits(pick.priceUnits),
});

function readValues(job: JobRow, cells: readonly string[]): RowValues {
  const values: RowValues = {};
  for (const field of rowInputFields) {
    const column = job.mapping[field];
    const value = column === undefined ? '' : (cells[column] ?? '');
    if (value !== '') values[field] = value;
  }
  return values;
}

function presentRow(
  { directoryDatabase }: ReviewEnvironment,
  record: ResultRecord,
  values: RowValues,
  pick: PickRow | undefined,
): ReviewRow {
  return {
    row_index: record.rowIndex,
    reason: reasons[pick?.openReason ?? record.reason] ?? '',
    input: values,
    candidates: describeCandidates(record.candidates).flatMap((candidate) => {
      const known = readKnownContact(directoryDatabase, candidate.upstream_contact_uuid);
      return known ? [{ ...candidate, evidence: compareContact(values, known) }] : [];
    }),
    pick: pick ? presentPick(pick) : null,
  };
}

/**
 * A page of the rows of a completed job that wait for a decision, or that were decided.
 * @param linkTo URL of the page that begins after a row
 */
export function readReviewPage(
  environment: ReviewEnvironment,
  job: JobRow,
  { status, after, limit }: ReviewQuery,
  linkTo: (after: number) => string,
): ReviewPage {
  const { database } = environment;
  const firstRow = after === undefined ? 0 : after + 1;
  const range = { firstRow, lastRow: job.totalRows - 1, limit: limit + 1 };
  const picks = status === 'decided' ? listPicks(database, job.id, range) : [];
  const found =
    status === 'decided'
      ? picks.map(({ rowIndex }) => rowIndex)
      : listWaiting(database, job, range);
  const shown = found.slice(0, limit);
  const records = shown.flatMap((row) =>
    readResults(database, { resultBase: job.resultBase, firstRow: row, count: 1 }),
  );
  const input = openInput(environment.folder, job.uuid, job.totalRows);
  try {
    const cells = records.length > 0 ? readInputs(input, records) : [];
    return {
      job_id: job.uuid,
      waiting: countWaiting(database, job),
      decided: countPicks(database, job.id),
      next: found.length > limit ? linkTo(shown.at(-1) ?? 0) : null,
      results: records.map((record, at) =>
        presentRow(environment, record, readValues(job, cells[at] ?? []), picks[at]),
      ),
    };
  } finally {
    input.close();
  }
}
