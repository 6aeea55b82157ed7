// Updates what filters know of a result after its values were changed.
import type { WritableDatabase } from '../../../platform/sqlite/open-database.ts';
import { statement } from '../../../platform/sqlite/statement.ts';
import { listBatchesBetween, replaceFacts } from '../job-batch.table.ts';
import { summarizeRange } from '../result.table.ts';

/** Reads the batch that contains a result again. Call it in the transaction of the change. */
export function refreshFacts(database: WritableDatabase, resultId: number): void {
  const job = statement<{ id: number; resultBase: number }>(
    database,
    `SELECT id, result_base AS resultBase FROM job
     WHERE result_base <= ? AND ? < result_base + total_rows`,
  ).get(resultId, resultId);
  if (!job) return;
  const row = resultId - job.resultBase;
  const [batch] = listBatchesBetween(database, job.id, { firstRow: row, lastRow: row });
  if (!batch) return;
  const firstId = job.resultBase + batch.firstRow;
  const { facts } = summarizeRange(database, firstId, firstId + batch.rowCount - 1);
  replaceFacts(database, { jobId: job.id, firstRow: batch.firstRow, facts });
}
