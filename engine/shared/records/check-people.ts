// Checks the answer of a worker against the rows and the fetched records. Any login of the queue
// may answer, so that an answer is only a claim: each person that it names must fit the row.
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { buildIndex } from '../../directory/index/index-build.ts';
import { openIndex } from '../../directory/index/index-layout.ts';
import type { BatchCandidates, MatchBatch } from '../../directory/index/match-batch.ts';
import { createPairCheck } from '../../directory/match/pair-check.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { type FetchedRecords, fillFetched } from './fetched-tables.ts';
import { renumberRecords } from './renumber-records.ts';

export interface CheckedRows {
  readonly rows: readonly (readonly string[])[];
  readonly mapping: ColumnMapping;
  readonly threshold: number;
}

function listEmployers({ employment = [] }: FetchedRecords): ReadonlyMap<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const { person_id: person, company_id: company } of employment) {
    const known = found.get(Number(person));
    if (known) known.add(Number(company));
    else found.set(Number(person), new Set([Number(company)]));
  }
  return found;
}

export interface CheckedAnswer {
  /** With the candidates that fit. */
  readonly batch: MatchBatch;
  /** Positions of rows whose answer cannot be right. */
  readonly wrong: ReadonlySet<number>;
}

/** Rows that are checked before other work of the thread has its turn. */
const turnRows = 200;

type Fits = (row: number, personId: number, companyId: number) => boolean;

function openCheck(
  scratch: WritableDatabase,
  records: FetchedRecords,
  { rows, mapping }: CheckedRows,
): Fits {
  // An index of few people is small whatever their ids are.
  const { records: numbered, people } = renumberRecords(records);
  fillFetched(scratch, numbered);
  const employers = listEmployers(records);
  const doFit = createPairCheck(openIndex(buildIndex(scratch).buffer));
  return (row, personId, companyId) => {
    const isEmployer = companyId === 0 || employers.get(personId)?.has(companyId) === true;
    const person = people.get(personId);
    return isEmployer && person !== undefined && doFit(rows[row] ?? [], mapping, person);
  };
}

/** The candidates of a row that fit; null if none does. */
function keepFitting(candidates: BatchCandidates, fits: Fits): BatchCandidates | null {
  const { row, personIds, companyIds } = candidates;
  const kept = personIds.flatMap((id, nth) => (fits(row, id, companyIds[nth]!) ? [nth] : []));
  if (kept.length === 0) return null;
  const pick = (column: readonly number[]) => kept.map((nth) => column[nth]!);
  return {
    row,
    personIds: pick(personIds),
    scores: pick(candidates.scores),
    companyIds: pick(companyIds),
    employmentStatuses: pick(candidates.employmentStatuses),
    matchedOn: pick(candidates.matchedOn),
  };
}

/**
 * Checks an answer. It is wrong for a row if it accepts a person who is not in the shared directory
 * or has nothing in common with the row, an employer that is not the person's, or less confidence
 * than was asked for. Candidates who do not fit are left out.
 * @param scratch a directory, which is overwritten at once
 */
export async function checkAnswer(
  scratch: WritableDatabase,
  batch: MatchBatch,
  records: FetchedRecords,
  rows: CheckedRows,
): Promise<CheckedAnswer> {
  const wrong = new Set<number>();
  if (batch.candidates.length === 0 && batch.personIds.every((id) => id === 0))
    return { batch, wrong };
  const fits = openCheck(scratch, records, rows);
  // The columns have four bytes for a confidence.
  const least = Math.fround(rows.threshold);
  for (const [row, personId] of batch.personIds.entries()) {
    if (personId > 0)
      if (batch.confidences[row]! < least || !fits(row, personId, batch.companyIds[row]!))
        wrong.add(row);
    if (row % turnRows === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const candidates = batch.candidates.flatMap((one) => keepFitting(one, fits) ?? []);
  return { batch: { ...batch, candidates }, wrong };
}
