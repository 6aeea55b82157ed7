/** Job routes that the REST API and the app share, each under its own paths. */
import { z } from 'zod';
import { UuidSchema } from '../contract/ids.ts';
import {
  CancelDataSchema,
  JobsPageSchema,
  JobsQuerySchema,
  LayersDataSchema,
  StatusDataSchema,
  SubmitDataSchema,
} from '../contract/jobs/job.ts';
import { approvalKey, keyRefusals } from '../contract/operation-docs.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { describeLayers } from '../ledger/price-job.ts';
import { listJobs } from './job.table.ts';
import { presentJob } from './present-job.ts';
import { requireJob } from './results/read-result.ts';
import type { JobRouteDeps } from './route-deps.ts';

/** The id in a job's path, in any case. */
export const JobParamsSchema = z.object({ job_id: UuidSchema.toLowerCase() });

/** Paths of the routes of one job, each with `:job_id`. */
interface JobPaths {
  readonly status: string;
  readonly cancel: string;
  readonly retry: string;
}

function addListRoutes(server: ApiServer, { environment }: JobRouteDeps): void {
  server.get(
    '/layers',
    {
      schema: {
        docs: {
          id: 'listLayers',
          tag: 'Data enrichment',
          summary: 'List layers and the account’s current rate card',
        },
        response: answersOf(LayersDataSchema),
      },
    },
    async (request) => success(describeLayers(environment.database, callerOf(request).account.id)),
  );
  server.get(
    '/jobs',
    {
      schema: {
        docs: { id: 'listJobs', tag: 'Data enrichment', summary: 'List jobs, newest first' },
        querystring: JobsQuerySchema,
        response: longAnswersOf(JobsPageSchema),
      },
    },
    async (request) => {
      const { account } = callerOf(request);
      const { count, jobs } = listJobs(environment.database, account.id, request.query);
      const links = linkPages(request, request.query, count);
      return success({ count, ...links, results: jobs.map(presentJob) });
    },
  );
}

/** Adds the layers, the list of jobs, and the status, cancel and retry routes of a job. */
export function addJobRoutes(server: ApiServer, context: JobRouteDeps, paths: JobPaths): void {
  const { environment } = context;
  addListRoutes(server, context);
  server.get(
    paths.status,
    {
      schema: {
        docs: {
          id: 'getJobStatus',
          tag: 'Data enrichment',
          summary: 'Get the status of a job',
          description: 'Poll it until `ready` is true, as in every final status.',
        },
        params: JobParamsSchema,
        response: answersOf(StatusDataSchema),
      },
    },
    async (request) =>
      success(
        presentJob(requireJob(environment, callerOf(request).account.id, request.params.job_id)),
      ),
  );
  server.post(
    paths.cancel,
    {
      schema: {
        docs: {
          id: 'cancelJob',
          tag: 'Data enrichment',
          summary: 'Cancel a job and release its whole hold',
          refusals: ['already_finished'],
        },
        params: JobParamsSchema,
        response: answersOf(CancelDataSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      return success(
        await environment.writer.cancelJob({ accountId, jobId: request.params.job_id }),
      );
    },
  );
  server.post(
    paths.retry,
    {
      schema: {
        docs: {
          id: 'retryJob',
          tag: 'Data enrichment',
          summary: 'Retry a failed job, or the failed rows of a completed one',
          refusals: ['nothing_to_retry', 'input_damaged', 'insufficient_credits', ...keyRefusals],
          headers: approvalKey,
        },
        params: JobParamsSchema,
        response: answersOf(SubmitDataSchema, 202),
      },
    },
    async (request, reply) => {
      const jobId = request.params.job_id;
      const operation = `POST /api/v1/data-enrichment/retry/${jobId}/`;
      const spending = spendingOf(request, operation, {});
      const data = await environment.writer.retryJob({ ...spending, jobId });
      return reply.code(202).send(success(data));
    },
  );
}
