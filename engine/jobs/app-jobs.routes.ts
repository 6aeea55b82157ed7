/** Routes of jobs in the app at /app/v1/jobs: submit an upload, read and export its rows. */
import { GridPageSchema, GridQuerySchema, SubmitUploadSchema } from '../contract/jobs/app-jobs.ts';
import { StatusDataSchema, SubmitDataSchema } from '../contract/jobs/job.ts';
import { NetworkCheckSchema, WhenOfflineChangeSchema } from '../contract/jobs/offline.ts';
import { OutcomesSchema } from '../contract/jobs/row-view.ts';
import { JobProvidersSchema } from '../contract/providers.ts';
import { whenClientLeaves } from '../http/client-presence.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { addJobRoutes, JobParamsSchema } from './jobs.routes.ts';
import { addJobListRoutes } from './list/job-list.routes.ts';
import { presentJob } from './present-job.ts';
import { presentJobProviders } from './present-job-providers.ts';
import { requireWhole } from './require-whole.ts';
import { addExportRoutes } from './results/exports.routes.ts';
import { readFacts } from './results/job-batch.table.ts';
import { addLeftOutRoutes } from './results/left-out.routes.ts';
import { readGridPage, requireJob } from './results/read-result.ts';
import { countOutcomes } from './results/view/row-facts.ts';
import { createRowLists, isStatusAlone, type RowLists } from './results/view/row-lists.ts';
import { addReviewRoutes } from './review/review.routes.ts';
import type { JobRouteDeps } from './route-deps.ts';

function addSubmitRoute(server: ApiServer, { uploads, environment }: JobRouteDeps): void {
  server.post(
    '/jobs',
    { schema: { body: SubmitUploadSchema, response: answersOf(SubmitDataSchema, 200, 202) } },
    async (request, reply) => {
      const { account, keyScope } = callerOf(request);
      const { body } = request;
      const kept = await uploads.find(body.upload_id);
      const { upload } = kept;
      const mapping = body.mapping ?? upload.mapping;
      checkColumnMapping(upload.headers, mapping);
      const input = await uploads.withoutRows(kept, mapping, body.leave_out);
      const { data, replayed } = await environment.writer.submitJob({
        accountId: account.id,
        keyId: null,
        selection: body.selected_layers,
        title: body.title ?? upload.file_name,
        fileName: upload.file_name,
        input,
        mapping,
        idempotency: body.idempotency_key ? { keyScope, key: body.idempotency_key } : null,
        newSince: body.new_since,
        usesProviders: body.use_providers,
        whenOffline: body.when_offline,
      });
      return reply.code(replayed ? 200 : 202).send(success(data));
    },
  );
}

function addProvidersRoute(server: ApiServer, { environment }: JobRouteDeps): void {
  server.get(
    '/jobs/:job_id/providers',
    { schema: { params: JobParamsSchema, response: answersOf(JobProvidersSchema) } },
    async (request) => {
      const job = requireJob(environment, callerOf(request).account.id, request.params.job_id);
      return success(presentJobProviders(environment.database, job.id));
    },
  );
}

/** Routes of jobs that wait for the network. */
function addOfflineRoutes(server: ApiServer, { environment }: JobRouteDeps): void {
  server.put(
    '/jobs/:job_id/when-offline',
    {
      schema: {
        params: JobParamsSchema,
        body: WhenOfflineChangeSchema,
        response: answersOf(StatusDataSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const jobId = request.params.job_id;
      const whenOffline = request.body.when_offline;
      await environment.writer.setWhenOffline({ accountId, jobId, whenOffline });
      return success(presentJob(requireJob(environment, accountId, jobId)));
    },
  );
  server.post('/network', { schema: { response: answersOf(NetworkCheckSchema) } }, async () => {
    await environment.writer.checkNetwork(null);
    return success({ checking: true } as const);
  });
}

function addRowsRoutes(server: ApiServer, { environment }: JobRouteDeps, lists: RowLists): void {
  server.get(
    '/jobs/:job_id/outcomes',
    { schema: { params: JobParamsSchema, response: answersOf(OutcomesSchema) } },
    async (request) => {
      const job = requireWhole(
        requireJob(environment, callerOf(request).account.id, request.params.job_id),
      );
      return success(countOutcomes(readFacts(environment.database, job.id), job.codes));
    },
  );
  server.get(
    '/jobs/:job_id/rows',
    {
      schema: {
        params: JobParamsSchema,
        querystring: GridQuerySchema,
        response: longAnswersOf(GridPageSchema),
      },
    },
    async (request) => {
      const job = requireWhole(
        requireJob(environment, callerOf(request).account.id, request.params.job_id),
      );
      const { limit, offset, ...view } = request.query;
      const { status } = view;
      // The counters of the job answer for a status alone.
      const list = isStatusAlone(view)
        ? undefined
        : await lists.read(job, view, whenClientLeaves(request));
      return success(readGridPage(environment, job, { limit, offset, status, list }));
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addAppJobRoutes(server: ApiServer, context: JobRouteDeps): void {
  addSubmitRoute(server, context);
  const lists = createRowLists(context.environment);
  addRowsRoutes(server, context, lists);
  addOfflineRoutes(server, context);
  addProvidersRoute(server, context);
  addJobRoutes(server, context, {
    status: '/jobs/:job_id',
    cancel: '/jobs/:job_id/cancel',
    retry: '/jobs/:job_id/retry',
  });
  addJobListRoutes(server, context);
  addReviewRoutes(server, context, '/jobs/:job_id/review');
  addExportRoutes(server, context, lists);
  addLeftOutRoutes(server, context);
}
