/** Routes of the app's list of jobs: pages, names, deletion with undo, the queue, run again. */
import { StatusDataSchema, SubmitDataSchema } from '../../contract/jobs/job.ts';
import {
  JobChangeSchema,
  JobDeletionSchema,
  JobListQuerySchema,
  JobListSchema,
  JobMoveSchema,
  JobQueueSchema,
  JobRestorationSchema,
  JobsDeletedSchema,
  JobsRestoredSchema,
  RerunOfferSchema,
  RerunSchema,
} from '../../contract/jobs/job-list.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, longAnswersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { JobParamsSchema } from '../jobs.routes.ts';
import { presentJob } from '../present-job.ts';
import { offerRerun } from '../rerun/rerun-job.ts';
import { requireJob } from '../results/read-result.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { countJobs, listJobPage } from './job-list.table.ts';
import { readQueue } from './job-queue.ts';

function addPageRoutes(server: ApiServer, { environment }: JobRouteDeps): void {
  server.get(
    '/job-list',
    { schema: { querystring: JobListQuerySchema, response: longAnswersOf(JobListSchema) } },
    async (request) => {
      const { id } = callerOf(request).account;
      const { jobs, next } = listJobPage(environment.database, id, request.query);
      const counts = countJobs(environment.database, id);
      return success({ jobs: jobs.map(presentJob), next, counts });
    },
  );
  server.patch(
    '/jobs/:job_id',
    {
      schema: {
        params: JobParamsSchema,
        body: JobChangeSchema,
        response: answersOf(StatusDataSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const jobId = request.params.job_id;
      await environment.writer.renameJob({ accountId, jobId, title: request.body.title });
      return success(presentJob(requireJob(environment, accountId, jobId)));
    },
  );
}

function addDeletionRoutes(server: ApiServer, { environment }: JobRouteDeps): void {
  server.post(
    '/job-deletions',
    { schema: { body: JobDeletionSchema, response: answersOf(JobsDeletedSchema) } },
    async (request) => {
      const { job_ids: jobIds, cancel } = request.body;
      const accountId = callerOf(request).account.id;
      return success(await environment.writer.removeJobs({ accountId, jobIds, cancel }));
    },
  );
  server.post(
    '/job-restorations',
    { schema: { body: JobRestorationSchema, response: answersOf(JobsRestoredSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const jobIds = request.body.job_ids;
      return success({ restored: await environment.writer.restoreJobs({ accountId, jobIds }) });
    },
  );
}

function addQueueRoutes(server: ApiServer, { environment }: JobRouteDeps): void {
  const response = longAnswersOf(JobQueueSchema);
  server.get('/job-queue', { schema: { response } }, async (request) =>
    success(readQueue(environment.database, callerOf(request).account.id)),
  );
  server.post(
    '/jobs/:job_id/move',
    { schema: { params: JobParamsSchema, body: JobMoveSchema, response } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { place } = request.body;
      await environment.writer.moveJob({ accountId, jobId: request.params.job_id, place });
      return success(readQueue(environment.database, accountId));
    },
  );
}

function addRerunRoutes(server: ApiServer, { environment }: JobRouteDeps): void {
  server.get(
    '/jobs/:job_id/rerun',
    { schema: { params: JobParamsSchema, response: answersOf(RerunOfferSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const job = { accountId, jobId: request.params.job_id };
      const counts = await environment.reader.countRerun(job);
      const { database, directoryDatabase: directory } = environment;
      return success(offerRerun({ database, directory }, job, counts));
    },
  );
  server.post(
    '/jobs/:job_id/rerun',
    {
      schema: {
        params: JobParamsSchema,
        body: RerunSchema,
        response: answersOf(SubmitDataSchema, 202),
      },
    },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const job = { accountId, jobId: request.params.job_id, rows: request.body.rows };
      const data = await environment.writer.rerunJob({ ...job, keyId: null });
      return reply.code(202).send(success(data));
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addJobListRoutes(server: ApiServer, context: JobRouteDeps): void {
  addPageRoutes(server, context);
  addDeletionRoutes(server, context);
  addQueueRoutes(server, context);
  addRerunRoutes(server, context);
}
