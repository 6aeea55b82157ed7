// Reads a page of a review: rows, their candidates, and the evidence for and against each.
import { formatCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { type Candidate, reasons } from '../../contract/jobs/job.ts';
import type { Picked, ReviewPage, ReviewQuery, ReviewRow } from '../../contract/jobs/review.ts';
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import type { NameVerdicts } from '../../directory/match/compare-names.ts';
import { cleanCell } from '../../directory/normalize/messy/clean-cell.ts';
import { describeCandidates, findCandidateFit } from '../../directory/read/projection.ts';
import type { RouteEnvironment } from '../../http/route-deps.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import type { JobCalls } from '../create-job-commands.ts';
import type { JobRow } from '../job.table.ts';
import type { JobReads } from '../job-reads.ts';
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
  countWaitingReasons,
  listPicks,
  listWaiting,
  type PickRow,
  presentDecision,
} from './review-pick.table.ts';
import type { TeamPair } from './team-candidates.ts';

type ReviewEnvironment = Pick<RouteEnvironment, 'database' | 'directoryDatabase' | 'folder'> & {
  readonly reader: Pick<JobReads, 'compareNames'>;
  readonly writer: Pick<JobCalls, 'readTeamEvidence'>;
};

const presentPick = (pick: PickRow): Picked => ({
  contact_uuid: pick.contactUuid,
  ...presentDecision(pick),
  credits_charged: formatCredits(pick.priceUnits),
});

/** What a row says. A placeholder such as "n/a" is no value, except as a name. */
function readValues(job: JobRow, cells: readonly string[]): RowValues {
  const values: RowValues = {};
  for (const field of rowInputFields) {
    const column = job.mapping[field];
    const value = column === undefined ? '' : (cells[column] ?? '');
    const isName = field === 'first_name' || field === 'last_name';
    if ((isName ? value : cleanCell(value)) !== '') values[field] = value;
  }
  return values;
}

/** A candidate with what its directory has of the person; null if that cannot be read now. */
interface OpenCandidate {
  readonly shown: Candidate;
  readonly known: KnownContact | null;
  readonly names: NameVerdicts | null;
  /** Whether it is of the team's directory. */
  readonly isShared: boolean;
}

/** Who reads a review: in the app, values of the own directory are shown. */
interface ReviewCaller {
  readonly isOwner: boolean;
}

interface OpenRow {
  readonly record: ResultRecord;
  readonly values: RowValues;
  readonly candidates: readonly OpenCandidate[];
}

type ListedRow = Pick<OpenRow, 'record' | 'values'>;

const nameOf = ({ first_name: first = '', last_name: last = '' }: RowValues) => ({ first, last });

/** Reads what the team's directory has of candidates; undefined while it cannot be reached. */
async function readTeam({ writer }: ReviewEnvironment, pairs: readonly TeamPair[]) {
  if (pairs.length === 0) return [];
  try {
    return await writer.readTeamEvidence({ pairs });
  } catch (error) {
    // The rows are shown without evidence; a pick is refused with the reason.
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** Opens the candidates of all rows, and compares their names in one call for each directory. */
async function openRows(
  environment: ReviewEnvironment,
  rows: readonly ListedRow[],
): Promise<OpenRow[]> {
  const all = rows.flatMap(({ record, values }, row) =>
    describeCandidates(record.candidates).map((shown) => {
      const uuid = shown.upstream_contact_uuid;
      const isShared = findCandidateFit(record.candidates, uuid)?.isShared === true;
      const known = isShared ? null : readKnownContact(environment.directoryDatabase, uuid);
      return { row, shown, uuid, isShared, known, name: nameOf(values) };
    }),
  );
  const own = all.filter(({ known }) => known !== null && known.id > 0);
  const ofTeam = all.filter(({ isShared }) => isShared);
  const pairs = own.map(({ known, name }) => ({ ...name, personId: known?.id ?? 0 }));
  const [verdicts, evidence] = await Promise.all([
    pairs.length > 0 ? environment.reader.compareNames({ pairs }) : [],
    readTeam(
      environment,
      ofTeam.map(({ uuid, name }) => ({ uuid, ...name })),
    ),
  ]);
  const namesOf = new Map(own.map((one, at) => [one, verdicts[at] ?? null]));
  const teamOf = new Map(ofTeam.map((one, at) => [one, evidence?.[at]]));
  const opened = all.flatMap((one): (OpenCandidate & { row: number })[] => {
    const { row, shown, known, isShared } = one;
    if (!isShared)
      return known ? [{ row, shown, known, isShared, names: namesOf.get(one) ?? null }] : [];
    const found = teamOf.get(one);
    // Without an answer the person may still be there; with one, null is gone.
    if (found === null) return [];
    return [{ row, shown, isShared, known: found?.known ?? null, names: found?.names ?? null }];
  });
  return rows.map((row, at) => ({
    ...row,
    candidates: opened.filter((candidate) => candidate.row === at),
  }));
}

function presentRows(
  rows: readonly OpenRow[],
  picks: readonly PickRow[],
  { isOwner }: ReviewCaller,
): ReviewRow[] {
  return rows.map(({ record, values, candidates }, at) => {
    const pick = picks[at];
    return {
      row_index: record.rowIndex,
      reason: reasons[pick?.openReason ?? record.reason] ?? '',
      input: values,
      candidates: candidates.map(({ shown, known, names, isShared }) => ({
        ...shown,
        evidence: known
          ? compareContact(values, known, names, { showsPaid: isOwner && !isShared })
          : [],
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
  caller: ReviewCaller,
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
  const waitingReasons = countWaitingReasons(database, job);
  const input = openInput(environment.folder, job.uuid, job.totalRows);
  try {
    const cells = records.length > 0 ? readInputs(input, records) : [];
    const hidden = readHiddenRows(database, environment.directoryDatabase);
    const rows = records.map((stored, at) => {
      const { record, cells: own } = showRow(hidden, job, stored, cells[at] ?? []);
      return { record, values: readValues(job, own) };
    });
    return {
      job_id: job.uuid,
      waiting: Object.values(waitingReasons).reduce((sum, count) => sum + count, 0),
      waiting_reasons: waitingReasons,
      decided: countPicks(database, job.id),
      next: found.length > limit ? linkTo(shown.at(-1) ?? 0) : null,
      results: presentRows(await openRows(environment, rows), picks, caller),
    };
  } finally {
    input.close();
  }
}
