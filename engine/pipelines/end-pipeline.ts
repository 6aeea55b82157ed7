// The end of a pipeline: one transaction resolves its hold, settles what it unlocked and verified,
// releases the rest, and writes the event. A receiver of the event always finds the pipeline ended,
// and no event is lost.
import { recordAudit } from '../audit/record-audit.ts';
import { creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError, type ErrorCode } from '../contract/errors.ts';
import type { CancelledPipeline } from '../contract/pipelines/pipeline.ts';
import type { EventKind } from '../contract/webhooks.ts';
import { resolveHold } from '../ledger/ledger.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { noteEvent } from '../webhooks/outbox.table.ts';
import {
  endPipeline,
  type PipelineEnd,
  type PipelineRow,
  requirePipelineById,
} from './pipeline.table.ts';
import { dropAllSubjects } from './pipeline-subjects.ts';
import { presentPipeline, requirePipeline } from './present-pipeline.ts';

/** A cancelled pipeline sends no event (docs/webhooks.md). */
const eventOf: Readonly<Record<PipelineEnd['status'], EventKind | null>> = {
  completed: 'pipeline.completed',
  failed: 'pipeline.failed',
  cancelled: null,
};

/** Records what a pipeline unlocked and verified, as an action of the caller that started it. */
function recordUnlocked(database: WritableDatabase, pipeline: PipelineRow, at: string): void {
  const { accountId, keyId, uuid: subject, unlocked: rows, chargedUnits: units } = pipeline;
  if (rows === 0 && units === 0) return;
  const startedBy = { action: 'pipeline_started', subject } as const;
  const note = { action: 'values_unlocked', at, accountId, keyId, subject, startedBy } as const;
  recordAudit(database, { ...note, rows, units, details: { by: 'pipeline' } });
}

function end(
  database: WritableDatabase,
  { id, holdId, chargedUnits }: PipelineRow,
  how: Pick<PipelineEnd, 'status' | 'failure'>,
  now: Date,
): PipelineRow {
  const at = now.toISOString();
  const { releasedUnits } =
    holdId === null
      ? { releasedUnits: creditUnits(0) }
      : resolveHold(database, holdId, chargedUnits, at);
  endPipeline(database, id, { ...how, releasedUnits, at });
  dropAllSubjects(database, id);
  const ended = requirePipelineById(database, id);
  recordUnlocked(database, ended, at);
  const kind = eventOf[how.status];
  const data = presentPipeline(ended);
  if (kind) noteEvent(database, { accountId: ended.accountId, kind, data, at });
  return ended;
}

/** Completes a pipeline. Part of the transaction of the last batch. */
export const completePipeline = (
  database: WritableDatabase,
  pipeline: PipelineRow,
  now: Date,
): void => void end(database, pipeline, { status: 'completed', failure: null }, now);

/** What a failed pipeline paid for stays owned and is settled. An ended one is unchanged. */
export const failPipeline = (
  database: WritableDatabase,
  id: number,
  failure: { readonly code: ErrorCode; readonly detail: string },
  now: Date,
): void =>
  inTransaction(database, () => {
    const pipeline = requirePipelineById(database, id);
    if (pipeline.completedAt === null) end(database, pipeline, { status: 'failed', failure }, now);
  });

/**
 * Cancels a queued or running pipeline: what it has unlocked stays owned and is settled, the rest
 * is released, and nothing more is written. Throws `not_found` and `already_finished`.
 */
export function cancelPipeline(
  database: WritableDatabase,
  { accountId, pipelineId }: { readonly accountId: number; readonly pipelineId: string },
  now: Date,
): CancelledPipeline {
  return inTransaction(database, () => {
    const pipeline = requirePipeline(database, accountId, pipelineId);
    if (pipeline.completedAt !== null)
      throw new EngineError('already_finished', `This pipeline is already ${pipeline.status}.`);
    const ended = end(database, pipeline, { status: 'cancelled', failure: null }, now);
    return {
      pipeline_id: ended.uuid,
      status: 'cancelled',
      credits_charged: formatCredits(ended.chargedUnits),
      credits_released: formatCredits(ended.releasedUnits),
    };
  });
}
