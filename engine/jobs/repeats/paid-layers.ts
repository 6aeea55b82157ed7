// Which layers of people earlier jobs have paid for.
import { chargedLayers } from '../../ledger/price-job.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { getJobById, type JobRow } from '../job.table.ts';
import { findPaidRows, type PersonRow, type SourceJobs } from './job-person.table.ts';
import { findRememberedRows, type RememberedRow } from './paid-person.table.ts';

export interface PaidLayers {
  /** result.id of the row. */
  readonly sourceId: number;
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

export const hasSources = ({ since, jobIds }: SourceJobs): boolean =>
  since !== null || jobIds.length > 0;

/** Rows of earlier jobs that paid, newest job first. @param scanned those not in `job_person` */
export function listPaidRows(
  database: ReadableDatabase,
  sources: SourceJobs,
  people: readonly string[],
  scanned: readonly PersonRow[] = [],
): RememberedRow[] {
  const jobs = new Map<number, JobRow | null>();
  const stored = [...findPaidRows(database, sources, people), ...scanned].map(
    ({ personUuid, id, jobId, layerBits, freeLayers }): RememberedRow => {
      const earlier = jobs.get(jobId) ?? getJobById(database, jobId);
      jobs.set(jobId, earlier);
      const layers = earlier ? chargedLayers(earlier, layerBits) & ~freeLayers : 0;
      return { personUuid, id, jobId, layers };
    },
  );
  const remembered = findRememberedRows(database, sources, people);
  if (remembered.length === 0 && scanned.length === 0) return stored;
  return [...stored, ...remembered].sort((a, b) => b.jobId - a.jobId || a.id - b.id);
}

/** The wanted layers that rows have paid for, by person. The first row of a layer counts. */
export function collectPaidLayers(
  rows: readonly RememberedRow[],
  wanted: ReadonlyMap<string, number>,
): Map<string, PaidLayers[]> {
  const found = new Map<string, PaidLayers[]>();
  for (const row of rows) {
    const layersWanted = wanted.get(row.personUuid);
    if (layersWanted === undefined) continue;
    const known = found.get(row.personUuid) ?? [];
    const covered = known.reduce((set, { layers }) => set | layers, 0);
    const layers = row.layers & layersWanted & ~covered;
    if (layers === 0) continue;
    found.set(row.personUuid, [...known, { sourceId: row.id, layers }]);
  }
  return found;
}

/**
 * The selected layers of a job that earlier jobs have paid for, by person: the newest row of each
 * layer. Rows of one person name different layers.
 * @param wanted set of layers of each person
 */
export function findPaidLayers(
  database: ReadableDatabase,
  job: JobRow,
  wanted: ReadonlyMap<string, number>,
): Map<string, PaidLayers[]> {
  const rows = listPaidRows(database, listSources(job), [...wanted.keys()]);
  return collectPaidLayers(
    rows.filter(({ jobId }) => jobId !== job.id),
    wanted,
  );
}
