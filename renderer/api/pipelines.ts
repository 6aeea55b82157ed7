/** Requests for pipelines, and their events in the cache. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { AppEvent } from '../../engine/contract/events.ts';
import { ExportAnswerSchema } from '../../engine/contract/jobs/app-jobs.ts';
import {
  type NewAppPipelineSchema,
  PipelineEstimateSchema,
  type PipelineExportSchema,
  PipelineGridPageSchema,
  type PipelineQuestionSchema,
} from '../../engine/contract/pipelines/app-pipelines.ts';
import {
  CancelledPipelineSchema,
  type Pipeline,
  PipelinePageSchema,
  PipelineSchema,
  StartedPipelineSchema,
} from '../../engine/contract/pipelines/pipeline.ts';
import {
  type PipelineProgress,
  PipelineProgressSchema,
} from '../../engine/contract/pipelines/pipeline-progress.ts';
import { notifyInBackground } from '../preferences/notifications.ts';
import { ApiError, call } from './client.ts';
import { cacheEvent, invalidate } from './query-cache.ts';

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });
const pathOf = (id: string) => `/app/v1/pipelines/${id}`;

/** Maximum price and dry run of a pipeline. Charges and stores nothing. */
export const estimatePipeline = (
  body: z.input<typeof PipelineQuestionSchema>,
  signal: AbortSignal,
) => call(PipelineEstimateSchema, '/app/v1/pipelines/estimate', { ...post(body), signal });

/** Starts a pipeline. A repeat with the same key returns the same one. */
export const startPipeline = ({
  idempotencyKey,
  ...body
}: z.input<typeof NewAppPipelineSchema> & { readonly idempotencyKey: string }) =>
  call(StartedPipelineSchema, '/app/v1/pipelines', { ...post(body), idempotencyKey });

/** Pipelines, newest first. */
export const readPipelines = ({ limit, offset }: { limit: number; offset: number }) =>
  call(PipelinePageSchema, `/app/v1/pipelines?limit=${limit}&offset=${offset}`);

const readPipeline = (id: string) => call(PipelineSchema, pathOf(id));

const readPipelineProgress = (id: string) => call(PipelineProgressSchema, `${pathOf(id)}/progress`);

/** A range of a completed pipeline's contacts: input and output side by side. */
export const readPipelineRows = (
  id: string,
  { limit, offset }: { limit: number; offset: number },
  signal: AbortSignal,
) => call(PipelineGridPageSchema, `${pathOf(id)}/rows?limit=${limit}&offset=${offset}`, { signal });

/** Cancels a pipeline. Unlocked values stay and are charged; the rest is released. */
export const cancelPipeline = (id: string) =>
  call(CancelledPipelineSchema, `${pathOf(id)}/cancel`, post());

/** Writes the contacts to a path, or returns a one-time download address. */
export const exportPipeline = (id: string, body: z.input<typeof PipelineExportSchema>) =>
  call(ExportAnswerSchema, `${pathOf(id)}/export`, post(body));

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/**
 * One pipeline, polled while it runs without events. `listed` is its record from a list, which is
 * sufficient once it has ended.
 * @param live whether events arrive
 */
export const usePipeline = (id: string, live: boolean, listed?: Pipeline) =>
  useQuery({
    queryKey: ['pipeline', id],
    queryFn: () => readPipeline(id),
    enabled: !listed?.ready,
    retry: (count, error) => count < 2 && !isGone(error),
    refetchInterval: ({ state }) => (state.data?.ready ? false : live ? 5_000 : 1_000),
  });

/** Progress of each step of a pipeline, polled likewise. */
export const usePipelineProgress = (id: string, live: boolean, isRunning: boolean) =>
  useQuery({
    queryKey: ['pipeline-progress', id],
    queryFn: () => readPipelineProgress(id),
    refetchInterval: !isRunning ? false : live ? 5_000 : 1_000,
  });

/** Applies a pipeline event to the cache. */
export function applyPipelineEvent(
  client: QueryClient,
  { pipeline, progress }: Extract<AppEvent, { type: 'pipeline' }>,
): void {
  const { pipeline_id: id } = pipeline;
  const before = client.getQueryData<Pipeline>(['pipeline', id]);
  cacheEvent(client, ['pipeline', id], pipeline);
  cacheEvent<PipelineProgress>(client, ['pipeline-progress', id], progress);
  if (before?.status === pipeline.status) return;
  void invalidate(client, 'pipelines');
  if (before && !before.ready && pipeline.ready)
    notifyInBackground(
      `${pipeline.title || 'Pipeline'} ${pipeline.status}`,
      `${pipeline.unlocked} of ${pipeline.total} contacts unlocked`,
      `/directory/contacts/${pipeline.pipeline_id}`,
    );
}
