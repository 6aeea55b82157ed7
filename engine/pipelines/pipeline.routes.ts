/** Routes /api/v1/pipeline: lists that are looked up, unlocked and verified in the background. */

import { idempotencyKey, keyRefusals } from '../contract/operation-docs.ts';
import { NewPipelineSchema, StartedPipelineSchema } from '../contract/pipelines/pipeline.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { startRequestedPipeline, withSubject } from './parse-pipeline-request.ts';
import { addPipelineRoutes } from './pipelines.routes.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

/** Adds the routes. The server must have the hooks for keys and the rate limit. */
export function addRestPipelineRoutes(server: ApiServer, context: PipelineRouteDeps): void {
  server.post(
    '/',
    {
      config: { bodyPlan: 'pipeline' },
      schema: {
        docs: {
          id: 'startPipeline',
          tag: 'Pipelines',
          summary: 'Start a pipeline over a search, UUIDs or row inputs',
          description:
            'Costs 1 credit per unlocked email, 5 per unlocked phone, and the price of an email ' +
            'validation per verified email; owned values are free. After all contacts are looked ' +
            'up, the price of the known values is held, up to the available credits. Values that ' +
            'the hold does not cover stay locked. The end settles the hold and releases the ' +
            'rest. The key’s limits for one request apply to the maximum cost.',
          refusals: ['not_ready', ...keyRefusals, 'idempotency_conflict'],
          headers: idempotencyKey,
          answers: {
            200: 'The same request under the same Idempotency-Key: the pipeline that it started.',
            202: 'The pipeline was started.',
          },
        },
        body: NewPipelineSchema,
        response: answersOf(StartedPipelineSchema, 200, 202),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { data, replayed } = await withSubject(context, body, (subject) =>
        startRequestedPipeline(context, request, body, subject),
      );
      return reply.code(replayed ? 200 : 202).send(success(data));
    },
  );
  addPipelineRoutes(server, context, '');
}
