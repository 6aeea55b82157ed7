/** Lists the jobs, pipelines and monitors of which a stored value cannot be read. */
import { getJobById } from '../jobs/job.table.ts';
import { getMonitor } from '../monitors/monitor.table.ts';
import { requirePipelineById } from '../pipelines/pipeline.table.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** A record, and what of it cannot be read. */
type Damage = readonly [record: string, damage: string | null | undefined];

function listIds(database: ReadableDatabase, table: 'job' | 'monitor' | 'pipeline') {
  const sql = `SELECT id, account_id AS accountId FROM ${table} WHERE deleted_at IS NULL`;
  return statement<{ id: number; accountId: number }>(database, sql).all();
}

/** Reads every record, and yields each with its damage; null or undefined if it is whole. */
export function* listDamage(database: ReadableDatabase): Generator<Damage> {
  for (const { id } of listIds(database, 'job')) {
    const job = getJobById(database, id);
    yield [`job ${job?.uuid}`, job?.damage];
  }
  for (const { id } of listIds(database, 'pipeline')) {
    const { uuid, damage } = requirePipelineById(database, id);
    yield [`pipeline ${uuid}`, damage];
  }
  for (const { id, accountId } of listIds(database, 'monitor'))
    yield [`monitor ${id}`, getMonitor(database, accountId, id)?.damage];
}
