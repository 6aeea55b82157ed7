/**
 * Finds the enrichment jobs that have a person in a row: by the key of `job_person`, and, for the
 * newest jobs whose people are not in that table, among their rows.
 */
import type { JobsOfPerson } from '../../contract/records/records.ts';
import { findMerged } from '../../ledger/merged-person.table.ts';
import { hashText } from '../../platform/hash-text.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { getJobById } from '../job.table.ts';
import { listUnindexed, scanRowsOfJob } from './job-person.table.ts';

interface FoundJob {
  readonly jobId: number;
  readonly rowIndex: number;
}

const indexedSql = `SELECT p.job_id AS jobId, min(p.row_index) AS rowIndex
  FROM json_each(@keys) k CROSS JOIN (SELECT 0 AS is_charged UNION ALL SELECT 1) c
  CROSS JOIN job_person p ON p.account_id = @accountId AND p.is_charged = c.is_charged
    AND p.person_key = k.value
  CROSS JOIN job j ON j.id = p.job_id AND j.people_indexed = 1
  CROSS JOIN result r ON r.id = j.result_base + p.row_index
    AND r.contact_uuid IN (SELECT value FROM json_each(@people))
  WHERE j.kind = 'enrichment' AND j.deleted_at IS NULL
  GROUP BY p.job_id`;

/** @param rowsMax rows that are read of jobs that are not in `job_person` */
export function findJobsOfPerson(
  database: ReadableDatabase,
  accountId: number,
  personUuid: string,
  rowsMax: number,
): JobsOfPerson {
  const people = [personUuid, ...findMerged(database, [personUuid]).keys()];
  const found = statement<FoundJob>(database, indexedSql).all({
    accountId,
    people: JSON.stringify(people),
    keys: JSON.stringify(people.map(hashText)),
  });
  let rowsLeft = rowsMax;
  let leftOut = 0;
  const unindexed = listUnindexed(database, { accountId, since: '', jobIds: [] });
  for (const id of unindexed.reverse()) {
    const job = getJobById(database, id);
    if (!job) continue;
    if (job.totalRows > rowsLeft) {
      leftOut += 1;
      continue;
    }
    rowsLeft -= job.totalRows;
    const [first] = scanRowsOfJob(database, id, [personUuid], job.totalRows);
    if (first) found.push({ jobId: id, rowIndex: first.id - job.resultBase });
  }
  const jobs = found
    .toSorted((one, other) => other.jobId - one.jobId)
    .flatMap(({ jobId, rowIndex }) => {
      const job = getJobById(database, jobId);
      if (!job) return [];
      const { uuid, title, completedAt } = job;
      return [{ job_id: uuid, title, row_index: rowIndex, completed_at: completedAt }];
    });
  return { jobs, jobs_left_out: leftOut };
}
