// A pipeline, updated by events, and polled while none arrive.
import { pipelines } from '../../engine/contract/pipelines/app-pipelines.ts';
import type { Pipeline } from '../../engine/contract/pipelines/pipeline.ts';
import { ApiError } from './client.ts';
import { useAnswer } from './live.ts';

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/**
 * One pipeline, polled while it runs without events. `listed` is its record from a list, which is
 * sufficient once it has ended.
 * @param live whether events arrive
 */
export const usePipeline = (id: string, live: boolean, listed?: Pipeline) =>
  useAnswer(['pipeline', id], pipelines.get, {
    input: { id },
    enabled: !listed?.ready,
    retry: (count, error) => count < 2 && !isGone(error),
    refetchInterval: ({ state }) => (state.data?.ready ? false : live ? 5_000 : 1_000),
  });

export const usePipelineProgress = (id: string, live: boolean, isRunning: boolean) =>
  useAnswer(['pipeline-progress', id], pipelines.progress, {
    input: { id },
    refetchInterval: !isRunning ? false : live ? 5_000 : 1_000,
  });
