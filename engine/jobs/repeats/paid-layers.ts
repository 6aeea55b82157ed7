/** Which layers of people earlier jobs have paid for. */
import { chargedLayers } from '../../ledger/price-job.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { getJobById, type JobRow } from '../job.table.ts';
import { findPaidRows, type PersonRow, type SourceJobs } from './job-person.table.ts';

/** A row that paid for layers. */
export interface PaidLayers {
  /** result.id of the row. */
  readonly sourceId: number;
  /** Set of the layers. */
  readonly layers: number;
}

const dayMs = 86_400_000;

/** What decides whose charges a job does not repeat. */
export type RepeatRules = Pick<
  JobRow,
  'accountId' | 'freeRepeatDays' | 'createdAt' | 'retryOf' | 'newSince'
>;

/**
 * The jobs whose charges a job does not repeat: those of the account's window before the job's
 * submission, the job whose failed rows it retries, and the one whose people it excludes.
 */
export function listSources(job: RepeatRules): SourceJobs {
  const { freeRepeatDays: days, accountId, createdAt } = job;
  const since = new Date(Date.parse(createdAt) - days * dayMs).toISOString();
  const jobIds = [job.retryOf, job.newSince].flatMap((uuid) => uuid ?? []);
  return { accountId, since: days > 0 ? since : null, jobIds };
}

/** Whether there can be such jobs. */
export const hasSources = ({ since, jobIds }: SourceJobs): boolean =>
  since !== null || jobIds.length > 0;

/**
 * The selected layers of a job that earlier jobs have paid for, by person: the newest row of each
 * layer. Rows of one person name different layers.
 */
export const findPaidLayers = (
  database: ReadableDatabase,
  job: JobRow,
  wanted: ReadonlyMap<string, number>,
): Map<string, PaidLayers[]> => {
  const rows = findPaidRows(database, listSources(job), [...wanted.keys()]);
  return collectPaidLayers(
    database,
    rows.filter(({ jobId }) => jobId !== job.id),
    wanted,
  );
};

/**
 * The wanted layers that rows have paid for, by person. The first row of a layer counts.
 * @param wanted set of layers of each person
 */
export function collectPaidLayers(
  database: ReadableDatabase,
  rows: readonly PersonRow[],
  wanted: ReadonlyMap<string, number>,
): Map<string, PaidLayers[]> {
  const found = new Map<string, PaidLayers[]>();
  const jobs = new Map<number, JobRow | null>();
  for (const row of rows) {
    const layersWanted = wanted.get(row.personUuid);
    if (layersWanted === undefined) continue;
    const earlier = jobs.get(row.jobId) ?? getJobById(database, row.jobId);
    jobs.set(row.jobId, earlier);
    if (!earlier) continue;
    const known = found.get(row.personUuid) ?? [];
    const covered = known.reduce((set, { layers }) => set | layers, 0);
    const paid = chargedLayers(earlier, row.layerBits) & ~row.freeLayers;
    const layers = paid & layersWanted & ~covered;
    if (layers === 0) continue;
    found.set(row.personUuid, [...known, { sourceId: row.id, layers }]);
  }
  return found;
}
