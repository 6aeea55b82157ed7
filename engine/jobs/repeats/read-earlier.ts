// Reads what earlier jobs of an account answered, for an estimate. A job adds the people of the
// jobs before it to `job_person`; an estimate writes nothing, so it reads the rows of jobs that are
// not there, up to a limit.
import { estimateEarlierRowsMax } from '../../contract/limits/jobs.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { getJob, getJobById } from '../job.table.ts';
import { findRowsOfJob, listUnindexed, type PersonRow, scanRowsOfJob } from './job-person.table.ts';
import {
  collectPaidLayers,
  hasSources,
  listPaidRows,
  listSources,
  type PaidLayers,
  type RepeatRules,
} from './paid-layers.ts';
import { firstByPerson } from './sort-rows.ts';

export interface EarlierAnswers {
  /** result.id of the first row of the excluded job, by person. */
  readonly known: ReadonlyMap<string, number>;
  /** False if earlier jobs have more rows than an estimate reads. */
  readonly isComplete: boolean;
  findPaid(wanted: ReadonlyMap<string, number>): ReadonlyMap<string, readonly PaidLayers[]>;
}

const none: EarlierAnswers = { known: new Map(), isComplete: true, findPaid: () => new Map() };

/** The rows of jobs that are not in `job_person`. Jobs are read in order, up to the limit. */
function scanJobs(
  database: ReadableDatabase,
  jobIds: readonly number[],
  people: readonly string[],
  rowsMax: number,
): { readonly rows: readonly PersonRow[]; readonly isComplete: boolean } {
  let rowsLeft = rowsMax;
  let isComplete = true;
  const rows: PersonRow[] = [];
  for (const id of jobIds) {
    const totalRows = getJobById(database, id)?.totalRows ?? 0;
    if (totalRows > rowsLeft) isComplete = false;
    if (rowsLeft > 0) rows.push(...scanRowsOfJob(database, id, people, rowsLeft));
    rowsLeft = Math.max(0, rowsLeft - totalRows);
  }
  return { rows, isComplete };
}

/**
 * Reads what the jobs that the rules name have answered about people.
 * @param rowsMax rows of jobs that are read because their people are not in `job_person`
 */
export function readEarlier(
  database: ReadableDatabase,
  rules: RepeatRules,
  people: readonly string[],
  rowsMax = estimateEarlierRowsMax,
): EarlierAnswers {
  const sources = listSources(rules);
  if (!hasSources(sources) || people.length === 0) return none;
  const { accountId, newSince } = rules;
  const excluded = newSince === null ? null : getJob(database, accountId, newSince);
  // Before the table is read, so that a job that is added meanwhile is not missed.
  const unindexed = listUnindexed(database, sources);
  const isExcluded = (id: number) => id === excluded?.id;
  unindexed.sort(
    (one, other) => Number(isExcluded(other)) - Number(isExcluded(one)) || other - one,
  );
  const { rows, isComplete } = scanJobs(database, unindexed, people, rowsMax);
  const ofExcluded =
    excluded && unindexed.includes(excluded.id)
      ? rows.filter(({ jobId }) => jobId === excluded.id)
      : excluded && findRowsOfJob(database, excluded, people);
  const scanned = rows.filter(({ status }) => status === 0);
  const paid = listPaidRows(database, sources, people, scanned);
  return {
    known: firstByPerson(ofExcluded ?? []),
    isComplete,
    findPaid: (wanted) => collectPaidLayers(paid, wanted),
  };
}
