// Waits for the end of a pipeline with the progress of its steps; the result is its record.
import { setTimeout as wait } from 'node:timers/promises';
import { pipelines } from '../../contract/pipelines/app-pipelines.ts';
import type { Pipeline } from '../../contract/pipelines/pipeline.ts';
import type { PipelineProgress, PipelineStep } from '../../contract/pipelines/pipeline-progress.ts';
import { type Call, type Outcome, repeatOptions } from './command.ts';
import type { EngineClient } from './engine-client.ts';
import { formatAmount, formatCount, formatCreditCount, formatNumber } from './format-text.ts';
import { createProgress, type Progress } from './progress.ts';
import { exitCodes } from './refusal.ts';

/** The interval doubles from one to the other: short ones end promptly, long ones poll rarely. */
const pollIntervalMinMs = 50;
const pollIntervalMaxMs = 500;

const stepLabels: Readonly<Record<PipelineStep, string>> = {
  look_up: 'Looking up',
  unlock: 'Unlocking',
  verify: 'Verifying',
};

export const readPipeline = (engine: EngineClient, id: string): Promise<Pipeline> =>
  engine.ask(pipelines.get, { id });

function showStep(progress: Progress, { steps }: PipelineProgress, isQueued: boolean): void {
  const inHand = steps.find(({ done, total }) => done < total) ?? steps.at(-1);
  if (!inHand) return;
  const { step, done, total } = inHand;
  const label = isQueued ? 'Waiting' : stepLabels[step];
  progress.show({ label, done, total, unit: 'contacts' });
}

async function waitForEnd(
  call: Call,
  engine: EngineClient,
  id: string,
  interrupt: AbortSignal,
): Promise<Pipeline> {
  const progress = createProgress(call.terminal);
  let intervalMs = pollIntervalMinMs;
  try {
    for (;;) {
      const pipeline = await readPipeline(engine, id);
      const steps = await engine.ask(pipelines.progress, { id });
      showStep(progress, steps, pipeline.status === 'queued');
      if (pipeline.ready || interrupt.aborted) return pipeline;
      // Only Ctrl+C rejects, and the loop checks for it.
      await wait(intervalMs, undefined, { signal: interrupt }).catch(() => {});
      intervalMs = Math.min(intervalMs * 2, pollIntervalMaxMs);
    }
  } finally {
    progress.end();
  }
}

const resultLine = (call: Call, id: string): string =>
  `desk pipeline result ${id} --out OUT.csv${repeatOptions(call)}`;

export function presentPipeline(pipeline: Pipeline): string {
  const charged = `${formatCreditCount(pipeline.credits_charged)} charged`;
  if (pipeline.status === 'failed')
    return `It failed (${pipeline.error}): ${pipeline.error_detail ?? ''} ${charged}.`;
  const locked = pipeline.locked > 0 ? `, ${formatCount(pipeline.locked)} with locked values` : '';
  const verified =
    pipeline.verified > 0 ? `, ${formatNumber(pipeline.verified, 'email')} verified` : '';
  return (
    `${pipeline.status}: ${formatCount(pipeline.matched)} of ` +
    `${formatNumber(pipeline.total, 'contact')} known, ` +
    `${formatCount(pipeline.unlocked)} unlocked${locked}${verified}, ${charged}`
  );
}

/** Cancels a pipeline and describes the credits. Throws `already_finished`. */
export async function cancelPipeline(engine: EngineClient, id: string): Promise<Outcome> {
  const cancelled = await engine.ask(pipelines.cancel, { id });
  return {
    json: cancelled,
    lines: [
      `Cancelled: ${formatCreditCount(cancelled.credits_charged)} charged for what was ` +
        `unlocked, which stays yours; ${formatAmount(cancelled.credits_released)} released.`,
    ],
  };
}

/** After Ctrl+C: offers to cancel the pipeline, else names the command for its result. */
async function leave(call: Call, engine: EngineClient, pipeline: Pipeline): Promise<Outcome> {
  const { pipeline_id: id } = pipeline;
  const exitCode = exitCodes.failed;
  const question = 'Cancel the pipeline? What it has unlocked stays yours, and is charged.';
  if (call.terminal.isInteractive && (await call.terminal.ask(question))) {
    const { lines } = await cancelPipeline(engine, id);
    return { exitCode, json: await readPipeline(engine, id), lines };
  }
  const where = engine.isOwn
    ? 'The current batch finishes. The pipeline continues whenever an engine runs on this folder.'
    : 'The pipeline continues in the running engine.';
  const lines = [where, `When it has ended: ${resultLine(call, id)}`];
  return { exitCode, json: pipeline, lines };
}

export async function followPipeline(
  call: Call,
  engine: EngineClient,
  id: string,
): Promise<Outcome> {
  const pipeline = await waitForEnd(call, engine, id, call.catchInterrupt());
  if (!pipeline.ready) return leave(call, engine, pipeline);
  if (pipeline.status !== 'completed')
    return { exitCode: exitCodes.failed, json: pipeline, lines: [presentPipeline(pipeline)] };
  call.terminal.note(`For its CSV: ${resultLine(call, id)}`);
  return { json: pipeline, lines: [presentPipeline(pipeline)] };
}
