// Pipelines as work for the scheduler: they take turns of one batch, in parallel with jobs.
import type { AppEvent } from '../contract/events.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import { progressEventIntervalMs } from '../contract/limits/jobs.ts';
import type { CancelledPipeline, PipelineKind } from '../contract/pipelines/pipeline.ts';
import type { PipelineProgress, PipelineStep } from '../contract/pipelines/pipeline-progress.ts';
import type { ProviderField } from '../contract/provider.ts';
import { sharedContactMs } from '../contract/shared/limits.ts';
import { readProviderCap } from '../ledger/key-guard.ts';
import { measureSpeed } from '../platform/measure-speed.ts';
import { describeWait } from '../platform/scheduler/explain-failure.ts';
import type { WorkSource } from '../platform/scheduler/work-source.ts';
import type { Waterfalls } from '../providers/waterfall/create-waterfalls.ts';
import type { SharedRows } from '../shared/queue/ask-shared.ts';
import type { TeamDirectory } from '../shared/settings/team-directory.ts';
import { cancelPipeline, failPipeline } from './end-pipeline.ts';
import { nextOpenPipeline, type PipelineRow, requirePipelineById } from './pipeline.table.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { presentPipeline, requirePipeline } from './present-pipeline.ts';
import { presentProgress } from './present-progress.ts';
import { stepPipeline } from './run-pipeline.ts';

/** Takes a pipeline after each batch, returns its progress. @param nowMs a monotonic clock */
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

interface PipelineSourceDeps extends Omit<PipelineDeps, 'waterfall' | 'shared' | 'isStopping'> {
  readonly waterfalls: Waterfalls;
  /** The shared directory; without it, pipelines ask none. */
  readonly teamDirectory?: Pick<TeamDirectory, 'openRun'> | undefined;
  /** Sends the progress of a pipeline a few times a second, and its end. */
  send(event: AppEvent, accountId: number): void;
  /** Monotonic clock in milliseconds. */
  nowMs(): number;
}

interface PipelineSource extends WorkSource<PipelineRow> {
  /** Aborts the requests of its batch in flight. Throws `not_found`, `already_finished`. */
  cancel(command: { accountId: number; pipelineId: string }): CancelledPipeline;
}

/** Detects that a pipeline has started a step or held its price: the next batch may take long. */
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

function createReporter({ database, send, nowMs }: PipelineSourceDeps) {
  const follow = followPipelines(nowMs);
  const stages = watchStages();
  let lastSentMs = Number.NEGATIVE_INFINITY;
  return (id: number, outcome: 'open' | 'ended'): void => {
    const row = requirePipelineById(database, id);
    const progress = follow(row);
    if (outcome === 'ended') stages.leave(id);
    const isFresh = nowMs() - lastSentMs < progressEventIntervalMs;
    if (outcome === 'open' && isFresh && !stages.enter(row)) return;
    lastSentMs = nowMs();
    send({ type: 'pipeline', pipeline: presentPipeline(row), progress }, row.accountId);
  };
}

const fieldsByKind: Readonly<Record<PipelineKind, readonly ProviderField[]>> = {
  email: ['work_email', 'email_status'],
  phone: ['phone'],
};

const sharedLayers: readonly LayerCode[] = ['L1', 'MPA'];

async function openShared({ database, teamDirectory }: PipelineSourceDeps, id: number) {
  const { source, lookedUpTo, total, uuid } = requirePipelineById(database, id);
  if (source !== 'contacts' || lookedUpTo === total) return undefined;
  const shared = await teamDirectory?.openRun(uuid, sharedLayers);
  // What the batches before this one left behind.
  void shared?.forget(lookedUpTo);
  return shared;
}

export function createPipelineSource(deps: PipelineSourceDeps): PipelineSource {
  const { database, now, waterfalls } = deps;
  const report = createReporter(deps);
  /** Ends the requests of the batches in flight, by pipeline. */
  const stops = new Map<number, () => void>();
  return {
    name: 'pipeline',
    inFlightMax: 1,
    next({ afterId, isBusy }) {
      const first = nextOpenPipeline(database, afterId ?? 0);
      let item = first;
      while (item && isBusy(item.id)) {
        item = nextOpenPipeline(database, item.id);
        if (item?.id === first?.id) return null;
      }
      return item && { item };
    },
    async run({ id, kinds, keyId }, { isStopping, waitOutside }) {
      // One run per batch: a provider that failed one pipeline may answer the next.
      const wanted = kinds.flatMap((kind) => fieldsByKind[kind]);
      // A cap is for the whole request, which has many batches.
      const providerCap = readProviderCap(database, keyId) === null ? null : 0;
      const waterfall = waterfalls.open({ jobId: null, wanted, providerCap }) ?? undefined;
      const opened = await openShared(deps, id);
      // Other pipelines have their turn until a worker answers.
      const shared = opened && {
        ...opened,
        ask: (rows: SharedRows) => waitOutside(opened.ask(rows)),
      };
      stops.set(id, () => {
        waterfall?.stop();
        shared?.stop();
      });
      // The number of steps that wait is limited.
      const timer = setTimeout(() => shared?.stop(), sharedContactMs);
      try {
        report(id, await stepPipeline({ ...deps, waterfall, shared, isStopping }, id));
      } finally {
        stops.delete(id);
        clearTimeout(timer);
        waterfall?.stop();
        const after = requirePipelineById(database, id);
        // A batch whose answer is awaited still is the next time.
        void shared?.close(after.lookedUpTo === after.total || after.completedAt !== null);
      }
    },
    waiting({ id }, shortage) {
      const pipeline = requirePipelineById(database, id);
      const progress = {
        ...presentProgress(pipeline),
        contacts_per_second: 0,
        seconds_left: null,
      };
      const waiting = describeWait(shortage);
      deps.send(
        { type: 'pipeline', pipeline: presentPipeline(pipeline), progress, waiting },
        pipeline.accountId,
      );
    },
    fail({ id }, { code, detail }) {
      const rest =
        'What was unlocked before is owned, and free from now on; start another pipeline for ' +
        'the rest.';
      failPipeline(database, id, { code, detail: `${detail} ${rest}` }, now());
      report(id, 'ended');
    },
    abandon() {
      for (const stop of stops.values()) stop();
    },
    cancel(command) {
      const answer = cancelPipeline(database, command, now());
      const { id } = requirePipeline(database, command.accountId, command.pipelineId);
      stops.get(id)?.();
      report(id, 'ended');
      return answer;
    },
  };
}
