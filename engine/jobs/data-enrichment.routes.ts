/** The data enrichment routes (docs/api.md), under any base path. */

import { resultFileExample } from '../contract/examples.ts';
import {
  EstimateDataSchema,
  ResultPageSchema,
  ResultQuerySchema,
  SubmitDataSchema,
} from '../contract/jobs/job.ts';
import {
  EstimateBodySchema,
  ListFormSchema,
  SubmitBodySchema,
} from '../contract/jobs/submission.ts';
import { idempotencyKey, keyRefusals, resultRefusals } from '../contract/operation-docs.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, longAnswersOf, sendTexts, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendExport } from '../http/send-export.ts';
import { addJobRoutes, JobParamsSchema } from './jobs.routes.ts';
import { answerEstimate, submitRequest } from './parse-submit.ts';
import { requireFinished } from './results/export-result.ts';
import { countRows, readResultPage, requireJob } from './results/read-result.ts';
import { addReviewRoutes } from './review/review.routes.ts';
import type { JobRouteDeps } from './route-deps.ts';

// Refusals have a fixed order that a schema cannot keep, so the routes parse these two bodies.
const readByHand = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  config: { bodyPlan: 'submission' },
} as const;

function addEstimateRoute(server: ApiServer, context: JobRouteDeps): void {
  server.post(
    '/estimate',
    {
      ...readByHand,
      schema: {
        docs: {
          id: 'estimateJob',
          tag: 'Data enrichment',
          summary: 'Estimate a job',
          description: 'An estimate charges, holds and stores nothing.',
          refusals: ['bad_meta', 'bad_layers', 'bad_rows'],
          form: ListFormSchema,
        },
        body: EstimateBodySchema,
        response: answersOf(EstimateDataSchema),
      },
    },
    async (request) => success(await answerEstimate(context, request)),
  );
}

function addSubmitRoute(server: ApiServer, context: JobRouteDeps): void {
  server.post(
    '/submit',
    {
      ...readByHand,
      schema: {
        docs: {
          id: 'submitJob',
          tag: 'Data enrichment',
          summary: 'Create a job',
          description:
            'Holds rows × price; only enriched rows are charged, at the end. Refusals are ' +
            'checked in the order bad_meta, bad_layers, bad_rows, validation_error, ' +
            'insufficient_credits, spending_cap_reached, approval_required.',
          refusals: [
            'bad_meta',
            'bad_layers',
            'bad_rows',
            'insufficient_credits',
            ...keyRefusals,
            'idempotency_conflict',
          ],
          form: ListFormSchema,
          headers: idempotencyKey,
          answers: {
            200: 'A repeat with the same Idempotency-Key: the job of the first request.',
            202: 'The job was created.',
          },
        },
        body: SubmitBodySchema,
        response: answersOf(SubmitDataSchema, 200, 202),
      },
    },
    async (request, reply) => {
      const { data, replayed } = await submitRequest(context, request);
      return reply.code(replayed ? 200 : 202).send(success(data));
    },
  );
}

function addResultRoute(server: ApiServer, { environment }: JobRouteDeps): void {
  server.get(
    '/result/:job_id',
    {
      schema: {
        docs: {
          id: 'getJobResult',
          tag: 'Data enrichment',
          summary: 'List the enriched rows, as a page or as one CSV file',
          refusals: resultRefusals,
          file: {
            when: 'With format=csv: all enriched rows in one file, without pages.',
            example: resultFileExample,
          },
        },
        params: JobParamsSchema,
        querystring: ResultQuerySchema,
        response: longAnswersOf(ResultPageSchema),
      },
    },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const { status, format } = request.query;
      const job = requireFinished(requireJob(environment, accountId, request.params.job_id));
      if (format === 'csv') {
        const { preset: crm, record_id, id_list, records, own_lists, sources } = request.query;
        const options = {
          format,
          forExcel: false,
          protectAll: false,
          overwrite: null,
          preset: crm && { crm, record_id, id_list, records },
          ownLists: own_lists === undefined ? undefined : own_lists === 'true',
          hasSources: sources === 'true',
        };
        const command = { accountId, jobId: job.uuid, status: status ?? null, ...options };
        return sendExport(environment.reader, command, reply);
      }
      const count = countRows(job, status);
      const links = linkPages(request, request.query, count);
      const head = { job_id: job.uuid, status: job.status, count, ...links };
      return sendTexts(reply, head, readResultPage(environment, job, request.query));
    },
  );
}

/** Adds the routes. The server must have the hooks for keys and the rate limit. */
export function addDataEnrichmentRoutes(server: ApiServer, context: JobRouteDeps): void {
  addEstimateRoute(server, context);
  addSubmitRoute(server, context);
  addJobRoutes(server, context, {
    status: '/status/:job_id',
    cancel: '/cancel/:job_id',
    retry: '/retry/:job_id',
  });
  addResultRoute(server, context);
  addReviewRoutes(server, context, '/review/:job_id');
}
