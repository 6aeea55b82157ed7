/** /api/v1/pipeline: lists that are looked up, unlocked and verified in the background. */

import { NewPipelineSchema, StartedPipelineSchema } from '../contract/pipelines/pipeline.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { startRequestedPipeline, withSubject } from './parse-pipeline-request.ts';
import { addPipelineRoutes } from './pipelines.routes.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

/** Adds the routes; keys and the rate limit are hooks of the server they are added to. */
export function addRestPipelineRoutes(server: ApiServer, context: PipelineRouteDeps): void {
  server.post(
    '/',
    {
      config: { bodyPlan: 'pipeline' },
      schema: {
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
