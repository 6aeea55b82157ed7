/** Runs the pipelines of an environment, in parallel with its jobs (round-robin-runner.ts). */
import type { AppEvent } from '../contract/events.ts';
import { progressEventIntervalMs } from '../contract/limits/jobs.ts';
import type { CancelledPipeline } from '../contract/pipelines/pipeline.ts';
import type { Provider } from '../contract/provider.ts';
import {
  type Runner,
  type RunningTurns,
  runInTurns,
} from '../platform/scheduler/round-robin-runner.ts';
import { createUpstreamClient, type Upstream, type Wait } from '../providers/upstream-client.ts';
import { cancelPipeline, failPipeline } from './end-pipeline.ts';
import { nextOpenPipeline, type PipelineRow, requirePipelineById } from './pipeline.table.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { followPipelines } from './pipeline-progress.ts';
import { presentPipeline, requirePipeline } from './present-pipeline.ts';
import { stepPipeline } from './run-pipeline.ts';

/** What running pipelines needs of the thread around it. */
interface RunningDeps extends Omit<PipelineDeps, 'upstream'> {
  readonly provider: Provider | null;
  readonly wait: Wait;
  /** How a pipeline stands: now and then, and at its end. */
  send(event: AppEvent, accountId: number): void;
  readonly storageRetryMs: number;
}

/** Pipelines that are being run. */
interface RunningPipelines extends RunningTurns {
  /** Cancels one; nobody waits for the answers to its batch any longer. Throws its refusals. */
  cancel(command: { accountId: number; pipelineId: string }): CancelledPipeline;
}

/** Notices when a pipeline enters a step, or holds: the batch behind it may take long. */
function watchStages() {
  const stages = new Map<number, string>();
  return {
    enter({ id, heldAt, lookedUpTo, unlockedTo, total }: PipelineRow): boolean {
      const before = stages.get(id);
      const stage = [lookedUpTo === total, heldAt !== null, unlockedTo === total].join();
      stages.set(id, stage);
      return stage !== before;
    },
    leave: (id: number) => void stages.delete(id),
  };
}

/** Begins with what an earlier run of the engine left open. */
export function runPipelines(deps: RunningDeps): RunningPipelines {
  const { database, provider, now } = deps;
  const follow = followPipelines(() => performance.now());
  const stages = watchStages();
  let atWorkId: number | null = null;
  let upstream: Upstream | undefined;
  let lastSentMs = Number.NEGATIVE_INFINITY;
  const work: Runner = {
    name: 'pipeline',
    next: (afterId) => nextOpenPipeline(database, afterId),
    step(id) {
      // For each batch anew: what one pipeline met says nothing of the next.
      upstream = provider ? createUpstreamClient(provider, deps.wait) : undefined;
      atWorkId = id;
      return stepPipeline({ ...deps, upstream }, id);
    },
    fail(id, { code, detail }) {
      const rest =
        'What was unlocked before is owned, and free from now on; start another pipeline for ' +
        'the rest.';
      failPipeline(database, id, { code, detail: `${detail} ${rest}` }, now());
    },
    onStep(id, outcome, accountId) {
      const row = requirePipelineById(database, id);
      const progress = follow(row);
      if (outcome === 'ended') stages.leave(id);
      const isFresh = performance.now() - lastSentMs < progressEventIntervalMs;
      if (outcome === 'open' && isFresh && !stages.enter(row)) return;
      lastSentMs = performance.now();
      const pipeline = presentPipeline(row);
      deps.send({ type: 'pipeline', pipeline, progress }, accountId);
    },
    abandon: () => upstream?.stop(),
    storageRetryMs: deps.storageRetryMs,
  };
  return {
    ...runInTurns(work),
    cancel(command) {
      const answer = cancelPipeline(database, command, now());
      const { id, accountId } = requirePipeline(database, command.accountId, command.pipelineId);
      if (id === atWorkId) upstream?.stop();
      work.onStep(id, 'ended', accountId);
      return answer;
    },
  };
}
