/** Progress and speed of pipelines, for their progress events. */
import type { PipelineProgress, PipelineStep } from '../contract/pipelines/pipeline-progress.ts';
import { measureSpeed } from '../platform/measure-speed.ts';
import type { PipelineRow } from './pipeline.table.ts';
import { presentProgress } from './present-progress.ts';

/**
 * Follows pipelines: called with a pipeline after each batch, returns its progress.
 * @param nowMs a monotonic clock
 */
export function followPipelines(nowMs: () => number): (pipeline: PipelineRow) => PipelineProgress {
  const speeds = new Map<number, { step: PipelineStep; read: ReturnType<typeof measureSpeed> }>();
  const speedOf = (id: number, step: PipelineStep) => {
    const kept = speeds.get(id);
    if (kept?.step === step) return kept;
    const fresh = { step, read: measureSpeed() };
    speeds.set(id, fresh);
    return fresh;
  };
  return (pipeline) => {
    const progress = presentProgress(pipeline);
    const inHand = progress.steps.find(({ done, total }) => done < total);
    if (!inHand || pipeline.completedAt !== null) {
      speeds.delete(pipeline.id);
      return { ...progress, contacts_per_second: 0, seconds_left: 0 };
    }
    const speed = speedOf(pipeline.id, inHand.step).read(nowMs(), inHand.done);
    const left = inHand.total - inHand.done;
    return {
      ...progress,
      contacts_per_second: Math.round(speed),
      seconds_left: speed > 0 ? Math.ceil(left / speed) : null,
    };
  };
}
