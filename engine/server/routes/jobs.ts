/** The routes of jobs that callers and the app share, each under paths of its own. */
import { z } from 'zod';
import { UuidSchema } from '../../contract/ids.ts';
import {
  CancelDataSchema,
  JobsPageSchema,
  JobsQuerySchema,
  LayersDataSchema,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../contract/job.ts';
import { describeJob } from '../../domain/describe-job.ts';
import { describeLayers } from '../../domain/price-job.ts';
import { requireJob } from '../../domain/read-result.ts';
import { listJobs } from '../../store/job.ts';
import { answersOf, longAnswersOf, success } from '../answers.ts';
import { spendingOf } from '../asking-of.ts';
import { callerOf } from '../credentials.ts';
import { linkPages } from '../page-links.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';

/** The id in a job's path; any case is understood. */
export const JobParamsSchema = z.object({ job_id: UuidSchema.toLowerCase() });

/** Where one job's own routes stand, each with `:job_id`. */
interface JobPaths {
  readonly status: string;
  readonly cancel: string;
  readonly retry: string;
}

function addListRoutes(server: ApiServer, { world }: ServerContext): void {
  server.get('/layers', { schema: { response: answersOf(LayersDataSchema) } }, async (request) =>
    success(describeLayers(world.database, callerOf(request).account.id)),
  );
  server.get(
    '/jobs',
    { schema: { querystring: JobsQuerySchema, response: longAnswersOf(JobsPageSchema) } },
    async (request) => {
      const { account } = callerOf(request);
      const { count, jobs } = listJobs(world.database, account.id, request.query);
      const links = linkPages(request, request.query, count);
      return success({ count, ...links, results: jobs.map(describeJob) });
    },
  );
}

/** Adds the layers, the list of jobs, and one job's status, cancel and retry. */
export function addJobRoutes(server: ApiServer, context: ServerContext, paths: JobPaths): void {
  const { world } = context;
  addListRoutes(server, context);
  server.get(
    paths.status,
    { schema: { params: JobParamsSchema, response: answersOf(StatusDataSchema) } },
    async (request) =>
      success(describeJob(requireJob(world, callerOf(request).account.id, request.params.job_id))),
  );
  server.post(
    paths.cancel,
    { schema: { params: JobParamsSchema, response: answersOf(CancelDataSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      return success(await world.writer.cancelJob({ accountId, jobId: request.params.job_id }));
    },
  );
  server.post(
    paths.retry,
    { schema: { params: JobParamsSchema, response: answersOf(SubmitDataSchema, 202) } },
    async (request, reply) => {
      const jobId = request.params.job_id;
      const operation = `POST /api/v1/data-enrichment/retry/${jobId}/`;
      const spending = spendingOf(request, operation, {});
      const data = await world.writer.retryJob({ ...spending, jobId });
      return reply.code(202).send(success(data));
    },
  );
}
