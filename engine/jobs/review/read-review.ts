/** Reads a page of a review: rows, their candidates, and the evidence for and against each. */
import { formatCredits } from '../../contract/credits.ts';
import { type Candidate, reasons } from '../../contract/jobs/job.ts';
import type { Picked, ReviewPage, ReviewQuery, ReviewRow } from '../../contract/jobs/review.ts';
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import { describeCandidates } from '../../directory/read/projection.ts';
import type { RouteEnvironment } from '../../http/route-deps.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import type { JobRow } from '../job.table.ts';
import type { JobReads } from '../jobs.commands.ts';
import { showRow } from '../results/hide-suppressed.ts';
import { readInputs } from '../results/read-result.ts';
import { type ResultRecord, readResults } from '../results/result.table.ts';
import {
  compareContact,
  type KnownContact,
  type RowValues,
  readKnownContact,
} from './compare-contact.ts';
import {
  countPicks,
  countWaiting,
  listPicks,
  listWaiting,
  type PickRow,
  presentDecision,
} from './review-pick.table.ts';

/** The parts of an environment that a review is read from. */
type ReviewEnvironment = Pick<RouteEnvironment, 'database' | 'directoryDatabase' | 'folder'> & {
  readonly reader: Pick<JobReads, 'compareNames'>;
};

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

/** A row of the page, with the candidates that are still in the directory. */
interface OpenRow {
  readonly record: ResultRecord;
  readonly values: RowValues;
  readonly candidates: readonly { readonly shown: Candidate; readonly known: KnownContact }[];
}

function openRow(directory: ReadableDatabase, record: ResultRecord, values: RowValues): OpenRow {
  const candidates = describeCandidates(record.candidates).flatMap((shown) => {
    const known = readKnownContact(directory, shown.upstream_contact_uuid);
    return known ? [{ shown, known }] : [];
  });
  return { record, values, candidates };
}

/** Compares the names of all rows with those of their candidates, in one call. */
async function presentRows(
  { reader }: ReviewEnvironment,
  rows: readonly OpenRow[],
  picks: readonly PickRow[],
): Promise<ReviewRow[]> {
  const pairs = rows.flatMap(({ values, candidates }) =>
    candidates.map(({ known }) => ({
      ...{ first: values.first_name ?? '', last: values.last_name ?? '', personId: known.id },
    })),
  );
  const verdicts = (pairs.length > 0 ? await reader.compareNames({ pairs }) : []).values();
  return rows.map(({ record, values, candidates }, at) => {
    const pick = picks[at];
    return {
      row_index: record.rowIndex,
      reason: reasons[pick?.openReason ?? record.reason] ?? '',
      input: values,
      candidates: candidates.map(({ shown, known }) => ({
        ...shown,
        evidence: compareContact(values, known, verdicts.next().value ?? null),
      })),
      pick: pick ? presentPick(pick) : null,
    };
  });
}

/**
 * A page of the rows of a completed job that wait for a decision, or that were decided.
 * @param linkTo URL of the page that begins after a row
 */
export async function readReviewPage(
  environment: ReviewEnvironment,
  job: JobRow,
  { status, after, limit }: ReviewQuery,
  linkTo: (after: number) => string,
): Promise<ReviewPage> {
  const { database } = environment;
  const firstRow = after === undefined ? 0 : after + 1;
  const range = { firstRow, lastRow: job.totalRows - 1, limit: limit + 1 };
  const picks = status === 'decided' ? listPicks(database, job.id, range) : [];
  const found =
    status === 'decided'
      ? picks.map(({ rowIndex }) => rowIndex)
      : listWaiting(database, job, { after: after ?? null, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const records = shown.flatMap((row) =>
    readResults(database, { resultBase: job.resultBase, firstRow: row, count: 1 }),
  );
  const input = openInput(environment.folder, job.uuid, job.totalRows);
  try {
    const cells = records.length > 0 ? readInputs(input, records) : [];
    const hidden = readHiddenRows(database, environment.directoryDatabase);
    const rows = records.map((stored, at) => {
      const { record, cells: own } = showRow(hidden, job, stored, cells[at] ?? []);
      return openRow(environment.directoryDatabase, record, readValues(job, own));
    });
    return {
      job_id: job.uuid,
      waiting: countWaiting(database, job),
      decided: countPicks(database, job.id),
      next: found.length > limit ? linkTo(shown.at(-1) ?? 0) : null,
      results: await presentRows(environment, rows, picks),
    };
  } finally {
    input.close();
  }
}
