// Adds the people of completed jobs to `job_person`. Only jobs that compare their people with
// earlier ones need them, so other jobs do not wait for the index.
import { chargedLayers } from '../../ledger/price-job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { getJobById, type JobRow } from '../job.table.ts';
import {
  insertPeople,
  listUnindexed,
  markIndexed,
  type PersonEntry,
  type SourceJobs,
} from './job-person.table.ts';

/** Rows per transaction: few passes over the pages of the table, and commands wait briefly. */
const stretchRows = 50_000;

type StoredPerson = [id: number, uuid: string, status: number, layerBits: number, free: number];

function readPeople(database: WritableDatabase, job: JobRow, firstRow: number): PersonEntry[] {
  const firstId = job.resultBase + firstRow;
  const endId = Math.min(firstId + stretchRows, job.resultBase + job.totalRows);
  const stored = statement(
    database,
    `SELECT id, contact_uuid, status, layer_bits,
       ifnull((SELECT sum(free_layers) FROM repeat_row f WHERE f.id = r.id), 0)
     FROM result r WHERE id >= ? AND id < ? AND contact_uuid <> '' ORDER BY id`,
  )
    .raw()
    .all(firstId, endId) as StoredPerson[];
  return stored.map(([id, personUuid, status, layerBits, free]) => ({
    rowIndex: id - job.resultBase,
    personUuid,
    isCharged: status === 0 && (chargedLayers(job, layerBits) & ~free) !== 0,
  }));
}

/**
 * Adds the people of every job of `sources` that is not in the table yet, in several transactions;
 * yields after each. A kill leaves entries that the next run finds again.
 */
export function* indexPeople(database: WritableDatabase, sources: SourceJobs): Generator<void> {
  for (const id of listUnindexed(database, sources)) {
    const job = getJobById(database, id);
    if (!job) continue;
    for (let first = 0; first < job.totalRows; first += stretchRows) {
      inTransaction(database, () => {
        insertPeople(database, job, readPeople(database, job, first));
        if (first + stretchRows >= job.totalRows) markIndexed(database, id);
      });
      yield;
    }
  }
}
