/** Pipeline routes that the REST API and the app share, each under its own path. */
import { z } from 'zod';
import { UuidSchema } from '../contract/ids.ts';
import { resultRefusals } from '../contract/operation-docs.ts';
import {
  CancelledPipelineSchema,
  PipelinePageSchema,
  PipelineResultSchema,
  PipelineSchema,
} from '../contract/pipelines/pipeline.ts';
import { PageQuerySchema } from '../contract/whole-number.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { listPipelines } from './pipeline.table.ts';
import { presentPipeline, requirePipeline } from './present-pipeline.ts';
import { readPipelinePage, requireCompletedPipeline } from './results/read-pipeline.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

function addResultRoute(server: ApiServer, { environment }: PipelineRouteDeps, base: string): void {
  server.get(
    `${base}/:id/result`,
    {
      schema: {
        docs: {
          id: 'getPipelineResult',
          tag: 'Pipelines',
          summary: 'List the contacts of a completed pipeline',
          refusals: resultRefusals,
        },
        params: IdParamsSchema,
        querystring: PageQuerySchema,
        response: longAnswersOf(PipelineResultSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { database, directoryDatabase, folder } = environment;
      const pipeline = requireCompletedPipeline(database, accountId, request.params.id);
      const { query } = request;
      return success({
        pipeline_id: pipeline.uuid,
        status: pipeline.status,
        count: pipeline.total,
        ...linkPages(request, query, pipeline.total),
        results: readPipelinePage(database, directoryDatabase, folder, pipeline, query),
      });
    },
  );
}

/**
 * Adds the list of pipelines, and the status, result and cancel routes of a pipeline.
 * @param base path below the server's prefix: '' or a path such as '/pipelines'
 */
export function addPipelineRoutes(
  server: ApiServer,
  context: PipelineRouteDeps,
  base: string,
): void {
  const { environment } = context;
  server.get(
    `${base}/`,
    {
      schema: {
        docs: { id: 'listPipelines', tag: 'Pipelines', summary: 'List pipelines, newest first' },
        querystring: PageQuerySchema,
        response: longAnswersOf(PipelinePageSchema),
      },
    },
    async (request) => {
      const { account } = callerOf(request);
      const { count, pipelines } = listPipelines(environment.database, account.id, request.query);
      const results = pipelines.map(presentPipeline);
      return success({ count, ...linkPages(request, request.query, count), results });
    },
  );
  server.get(
    `${base}/:id`,
    {
      schema: {
        docs: {
          id: 'getPipeline',
          tag: 'Pipelines',
          summary: 'Get a pipeline',
          description: 'Poll it until `ready` is true. Webhook events have the same record.',
        },
        params: IdParamsSchema,
        response: answersOf(PipelineSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      return success(
        presentPipeline(requirePipeline(environment.database, accountId, request.params.id)),
      );
    },
  );
  addResultRoute(server, context, base);
  server.post(
    `${base}/:id/cancel`,
    {
      schema: {
        docs: {
          id: 'cancelPipeline',
          tag: 'Pipelines',
          summary: 'Cancel a pipeline',
          description:
            'Unlocked values stay owned and are charged; the rest of the hold is released. ' +
            'Webhooks receive no event.',
          refusals: ['already_finished'],
        },
        params: IdParamsSchema,
        response: answersOf(CancelledPipelineSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      return success(
        await environment.writer.cancelPipeline({ accountId, pipelineId: request.params.id }),
      );
    },
  );
}
