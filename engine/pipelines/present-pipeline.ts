// Pipelines in the format of the API, with the check of their account.
import { creditUnits, formatCredits } from '../contract/credits.ts';
import { notFound } from '../contract/errors.ts';
import type { Pipeline } from '../contract/pipelines/pipeline.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { getPipeline, type PipelineRow } from './pipeline.table.ts';

/** A pipeline, without its contacts. */
export const presentPipeline = (row: PipelineRow): Pipeline => ({
  pipeline_id: row.uuid,
  title: row.title,
  status: row.status,
  ready: row.completedAt !== null,
  total: row.total,
  matched: row.matched,
  unlocked: row.unlocked,
  locked: row.locked,
  verified: row.verified,
  credits_held: formatCredits(row.heldUnits),
  // As for a job, the hold is settled at the end. Nothing is charged until then.
  credits_charged: formatCredits(row.completedAt === null ? creditUnits(0) : row.chargedUnits),
  credits_released: formatCredits(row.releasedUnits),
  error: row.error,
  error_detail: row.errorDetail,
  created_at: row.createdAt,
  started_at: row.startedAt,
  completed_at: row.completedAt,
});

/** The account's pipeline. Throws `not_found`. */
export function requirePipeline(
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): PipelineRow {
  const row = getPipeline(database, accountId, uuid);
  if (!row) throw notFound('This pipeline does not exist. List your pipelines to find its id.');
  return row;
}
