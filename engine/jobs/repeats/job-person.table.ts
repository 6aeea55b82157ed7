// The table `job_person`: in which rows of completed jobs a person is.
import { returnedRowsMax } from '../../contract/limits/jobs.ts';
import { findMerged } from '../../ledger/merged-person.table.ts';
import { hashText } from '../../platform/hash-text.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface PersonEntry {
  readonly rowIndex: number;
  readonly personUuid: string;
  /** Whether the row paid for layers; `job_person` may say so of a row that no longer does. */
  readonly isCharged: boolean;
}

/** Adds people, sorted, so that the table's pages are written once. Existing entries stay. */
export function insertPeople(
  database: WritableDatabase,
  job: { readonly id: number; readonly accountId: number },
  people: readonly PersonEntry[],
): void {
  const keyed = people.map(({ rowIndex, personUuid, isCharged }) => [
    isCharged ? 1 : 0,
    hashText(personUuid),
    rowIndex,
  ]);
  keyed.sort(
    ([charged = 0, key = 0, row = 0], [otherCharged = 0, otherKey = 0, otherRow = 0]) =>
      charged - otherCharged || key - otherKey || row - otherRow,
  );
  statement(
    database,
    `INSERT OR IGNORE INTO job_person (account_id, is_charged, person_key, job_id, row_index)
     SELECT ?, value ->> 0, value ->> 1, ?, value ->> 2 FROM json_each(?)`,
  ).run(job.accountId, job.id, JSON.stringify(keyed));
}

export interface SourceJobs {
  readonly accountId: number;
  /** Jobs that were completed at this time or later; null for none. */
  readonly since: string | null;
  /** UUIDs of further jobs. */
  readonly jobIds: readonly string[];
}

/** The condition of the jobs `j` among the sources. */
export const isSource = `(j.completed_at >= @since
  OR j.uuid IN (SELECT value FROM json_each(@jobIds)))`;

/** The values of `isSource`. */
export const valuesOf = ({ accountId, since, jobIds }: SourceJobs) => ({
  accountId,
  since,
  jobIds: JSON.stringify(jobIds),
});

/** Row ids of completed jobs among the sources whose people are not in the table yet. */
export const listUnindexed = (database: ReadableDatabase, sources: SourceJobs): number[] =>
  statement<{ id: number }>(
    database,
    `SELECT j.id FROM job j INDEXED BY job_without_people
     WHERE j.account_id = @accountId AND j.people_indexed = 0 AND j.status = 'completed'
       AND j.kind = 'enrichment' AND j.deleted_at IS NULL AND ${isSource}
     ORDER BY j.id`,
  )
    .all(valuesOf(sources))
    .map(({ id }) => id);

/** Records that the people of a completed job are in the table. */
export const markIndexed = (database: WritableDatabase, jobId: number): void =>
  void statement(database, 'UPDATE job SET people_indexed = 1 WHERE id = ?').run(jobId);

export interface PersonRow {
  readonly personUuid: string;
  readonly id: number;
  readonly jobId: number;
  /** Code of rowStatuses. */
  readonly status: number;
  readonly layerBits: number;
  /** Set of the layers that the row was not charged for. */
  readonly freeLayers: number;
}

const selectPersonRow = `SELECT r.contact_uuid AS personUuid, r.id, j.id AS jobId, r.status,
  r.layer_bits AS layerBits,
  ifnull((SELECT sum(free_layers) FROM repeat_row f WHERE f.id = r.id), 0) AS freeLayers`;

const ofSurvivor = (merged: ReadonlyMap<string, string>, row: PersonRow): PersonRow => ({
  ...row,
  personUuid: merged.get(row.personUuid) ?? row.personUuid,
});

/** The keys of people and of those who were merged into them, whose rows count as theirs. */
function keysOf(database: ReadableDatabase, people: readonly string[]) {
  const merged = findMerged(database, people);
  return {
    keys: JSON.stringify([...people, ...merged.keys()].map((personUuid) => hashText(personUuid))),
    ofSurvivor: (row: PersonRow) => ofSurvivor(merged, row),
  };
}

/** Enriched rows of the sources that may have paid for layers of people, newest job first. */
export const findPaidRows = (
  database: ReadableDatabase,
  sources: SourceJobs,
  people: readonly string[],
): PersonRow[] => {
  const { keys, ofSurvivor } = keysOf(database, people);
  const found = statement<PersonRow>(
    database,
    `${selectPersonRow} FROM json_each(@keys) k
     CROSS JOIN job_person p ON p.account_id = @accountId AND p.is_charged = 1
       AND p.person_key = k.value
     CROSS JOIN job j ON j.id = p.job_id AND j.status = 'completed'
     CROSS JOIN result r ON r.id = j.result_base + p.row_index AND r.status = 0
     WHERE ${isSource}
     ORDER BY p.job_id DESC, p.row_index`,
  ).all({ ...valuesOf(sources), keys });
  return found.map(ofSurvivor);
};

/**
 * The rows of a completed job that people are in, first row first, found without the table.
 * @param rowsMax rows that are read, from the start of the job
 */
export const scanRowsOfJob = (
  database: ReadableDatabase,
  jobId: number,
  people: readonly string[],
  rowsMax: number,
): PersonRow[] => {
  const merged = findMerged(database, people);
  const found = statement<PersonRow>(
    database,
    `${selectPersonRow} FROM job j
     CROSS JOIN result r ON r.id >= j.result_base
       AND r.id < j.result_base + min(j.total_rows, @rowsMax)
     WHERE j.id = @jobId AND r.contact_uuid IN (SELECT value FROM json_each(@people))
     ORDER BY r.id`,
  ).all({ jobId, rowsMax, people: JSON.stringify([...people, ...merged.keys()]) });
  return found.map((row) => ofSurvivor(merged, row));
};

export const findRowsOfJob = (
  database: ReadableDatabase,
  job: { readonly id: number; readonly accountId: number },
  people: readonly string[],
): PersonRow[] => {
  const { keys, ofSurvivor } = keysOf(database, people);
  const found = statement<PersonRow>(
    database,
    `${selectPersonRow} FROM json_each(@keys) k
     CROSS JOIN (SELECT 0 AS is_charged UNION ALL SELECT 1) c
     CROSS JOIN job_person p ON p.account_id = @accountId AND p.is_charged = c.is_charged
       AND p.person_key = k.value AND p.job_id = @jobId
     CROSS JOIN job j ON j.id = p.job_id
     CROSS JOIN result r ON r.id = j.result_base + p.row_index
     GROUP BY r.id ORDER BY r.id`,
  ).all({ accountId: job.accountId, jobId: job.id, keys });
  return found.map(ofSurvivor);
};

/** Stored fields of the newest rows that an account was charged for about a person. */
export function* findReturned(
  database: ReadableDatabase,
  accountId: number,
  personUuid: string,
): Generator<string> {
  for (const uuid of [personUuid, ...findMerged(database, [personUuid]).keys()])
    for (const { fields } of statement<{ fields: string }>(
      database,
      `SELECT r.fields FROM job_person p
       CROSS JOIN job j ON j.id = p.job_id AND j.status = 'completed' AND j.removed_at IS NULL
         AND j.deleted_at IS NULL
       CROSS JOIN result r ON r.id = j.result_base + p.row_index AND r.status = 0
         AND r.contact_uuid = @uuid
       WHERE p.account_id = @accountId AND p.is_charged = 1 AND p.person_key = @key
       ORDER BY p.job_id DESC LIMIT ${returnedRowsMax}`,
    ).all({ accountId, uuid, key: hashText(uuid) }))
      yield fields;
}

export function deletePeople(
  database: WritableDatabase,
  job: { readonly id: number; readonly accountId: number },
  people: readonly Pick<PersonEntry, 'rowIndex' | 'personUuid'>[],
): void {
  const keyed = people.map(({ rowIndex, personUuid }) => [hashText(personUuid), rowIndex]);
  statement(
    database,
    `DELETE FROM job_person WHERE (account_id, is_charged, person_key, job_id, row_index) IN (
       SELECT @accountId, c.is_charged, value ->> 0, @id, value ->> 1
       FROM json_each(@keyed) CROSS JOIN (SELECT 0 AS is_charged UNION ALL SELECT 1) c)`,
  ).run({ id: job.id, accountId: job.accountId, keyed: JSON.stringify(keyed) });
}
