/** What the screens ask of pipelines, and how their events reach the cache. */
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
import { ApiError, call } from './client.ts';
import { notifyInBackground } from './desktop.ts';
import { cacheEvent, invalidate } from './query-cache.ts';

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });
const pathOf = (id: string) => `/app/v1/pipelines/${id}`;

/** What a pipeline would cost at most, and from a dry run; charges and keeps nothing. */
export const estimatePipeline = (
  body: z.input<typeof PipelineQuestionSchema>,
  signal: AbortSignal,
) => call(PipelineEstimateSchema, '/app/v1/pipelines/estimate', { ...post(body), signal });

/** Starts a pipeline; once, however often it is asked for under the same key. */
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

/** A slice of a completed one's contacts, what was given beside what became of it. */
export const readPipelineRows = (
  id: string,
  { limit, offset }: { limit: number; offset: number },
  signal: AbortSignal,
) => call(PipelineGridPageSchema, `${pathOf(id)}/rows?limit=${limit}&offset=${offset}`, { signal });

/** Stops a pipeline: what it unlocked stays and is charged, the rest is released. */
export const cancelPipeline = (id: string) =>
  call(CancelledPipelineSchema, `${pathOf(id)}/cancel`, post());

/** Writes the contacts to a path, or answers a one-time address to download them from. */
export const exportPipeline = (id: string, body: z.input<typeof PipelineExportSchema>) =>
  call(ExportAnswerSchema, `${pathOf(id)}/export`, post(body));

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/**
 * One pipeline, asked for again while it runs and no events come; `listed` is what a list said of
 * it, and enough once it has ended.
 * @param live whether events come
 */
export const usePipeline = (id: string, live: boolean, listed?: Pipeline) =>
  useQuery({
    queryKey: ['pipeline', id],
    queryFn: () => readPipeline(id),
    enabled: !listed?.ready,
    retry: (count, error) => count < 2 && !isGone(error),
    refetchInterval: ({ state }) => (state.data?.ready ? false : live ? 5_000 : 1_000),
  });

/** How far each step of a pipeline is, likewise. */
export const usePipelineProgress = (id: string, live: boolean, isRunning: boolean) =>
  useQuery({
    queryKey: ['pipeline-progress', id],
    queryFn: () => readPipelineProgress(id),
    refetchInterval: !isRunning ? false : live ? 5_000 : 1_000,
  });

/** Applies what is told of a pipeline to the cache. */
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
    );
}
