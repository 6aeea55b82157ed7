/**
 * Runs a pipeline, one batch of one step at a time:
 *
 *   queued ──> look up ──all looked up──> hold ──> unlock ──all paid for──> verify ──> completed
 *                 │ ──the upstream refuses, or stays unavailable──> failed: nothing was held
 *                 │ ──kill──> (found at the next start, continues after the written batches)
 *                 └ ──cancelPipeline, in any step──> cancelled: the current batch is not written
 *
 * A batch and the counters of its step are written in one transaction, together with the end after
 * the last batch.
 */
import { EngineError } from '../contract/errors.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { completePipeline, failPipeline } from './end-pipeline.ts';
import { holdForPipeline } from './hold-for-pipeline.ts';
import { lookUpContacts } from './look-up-contacts.ts';
import {
  beginPipeline,
  type PipelineRow,
  requirePipelineById,
  requireWholePipeline,
} from './pipeline.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';
import { unlockFound } from './unlock-found.ts';
import { verifyUnlocked } from './verify-unlocked.ts';

interface Step {
  readonly isOpen: (pipeline: PipelineRow) => boolean;
  /** Null if the engine is stopping. */
  readonly prepare: (deps: PipelineDeps, pipeline: PipelineRow) => Promise<WriteBatch | null>;
}

/** In order: each step ends before the next begins. */
const steps: readonly Step[] = [
  { isOpen: ({ lookedUpTo, total }) => lookedUpTo < total, prepare: lookUpContacts },
  { isOpen: ({ heldAt }) => heldAt === null, prepare: holdForPipeline },
  { isOpen: ({ unlockedTo, total }) => unlockedTo < total, prepare: unlockFound },
  {
    isOpen: ({ verifyPriceUnits, verifiedTo, total }) =>
      verifyPriceUnits !== null && verifiedTo < total,
    prepare: verifyUnlocked,
  },
];

const hasEnded = (database: ReadableDatabase, id: number): boolean =>
  requirePipelineById(database, id).completedAt !== null;

const findStep = (pipeline: PipelineRow): Step | undefined =>
  steps.find(({ isOpen }) => isOpen(pipeline));

function writeBatch(
  { database, now }: PipelineDeps,
  id: number,
  write: WriteBatch,
): 'open' | 'ended' {
  return inTransaction(database, () => {
    if (hasEnded(database, id)) return 'ended';
    write();
    const pipeline = requirePipelineById(database, id);
    if (findStep(pipeline)) return 'open';
    completePipeline(database, pipeline, now());
    return 'ended';
  });
}

/**
 * Runs the next batch of a pipeline completely or, after a kill, not at all; also not if the
 * pipeline is cancelled meanwhile. Returns whether the pipeline has ended. A refusal of its
 * upstream ends it; any other exception is a bug.
 */
export async function stepPipeline(deps: PipelineDeps, id: number): Promise<'open' | 'ended'> {
  const { database, now } = deps;
  beginPipeline(database, id, now().toISOString());
  const pipeline = requirePipelineById(database, id);
  if (pipeline.completedAt !== null) return 'ended';
  const isStopping = () => deps.isStopping() || hasEnded(database, id);
  let write: WriteBatch | null = () => undefined;
  try {
    const step = findStep(requireWholePipeline(pipeline));
    if (step) write = await step.prepare({ ...deps, isStopping }, pipeline);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    failPipeline(database, id, error, now());
    return 'ended';
  }
  if (write) return writeBatch(deps, id, write);
  return hasEnded(database, id) ? 'ended' : 'open';
}
