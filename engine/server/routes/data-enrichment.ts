/** The data enrichment routes (specification, section A), under any base path. */
import { z } from 'zod';
import { UuidSchema } from '../../contract/ids.ts';
import {
  CancelDataSchema,
  EstimateDataSchema,
  JobsPageSchema,
  JobsQuerySchema,
  LayersDataSchema,
  ResultPageSchema,
  ResultQuerySchema,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../contract/job.ts';
import { MappingSchema } from '../../contract/row-input.ts';
import { describeJob } from '../../domain/describe-job.ts';
import { requireFinished } from '../../domain/export-result.ts';
import { describeLayers } from '../../domain/price-job.ts';
import { countRows, readResultPage, requireJob } from '../../domain/read-result.ts';
import { listJobs } from '../../store/job.ts';
import { answersOf, longAnswersOf, success } from '../answers.ts';
import { callerOf } from '../credentials.ts';
import { linkPages } from '../page-links.ts';
import { sendExport } from '../send-export.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';
import { answerEstimate, submitRequest } from '../submit-request.ts';

/** The id in a job's path; any case is understood. */
export const JobParamsSchema = z.object({ job_id: UuidSchema.toLowerCase() });

const SubmitBodySchema = z
  .object({
    selected_layers: z.array(z.string()).or(z.literal('full')),
    title: z.string().optional(),
    rows: z.array(z.record(z.string(), z.string().nullable())).optional(),
    meta: z.string().optional().describe('Form only: JSON of selected_layers, title, mapping.'),
    mapping: MappingSchema.optional().describe('Form only: row field → CSV header.'),
    file: z.string().optional().describe('Form only: the CSV file.'),
  })
  .describe('JSON with `rows`, or multipart/form-data with a `file`.');
const EstimateBodySchema = SubmitBodySchema.extend({ row_count: z.int().optional() });

// Refusals have a promised order, which no schema keeps: these two bodies are read by hand.
const readByHand = { validatorCompiler: () => (value: unknown) => ({ value }) };

function addPriceRoutes(server: ApiServer, context: ServerContext): void {
  server.get('/layers', { schema: { response: answersOf(LayersDataSchema) } }, async (request) =>
    success(describeLayers(context.world.database, callerOf(request).account.id)),
  );
  server.post(
    '/estimate',
    {
      ...readByHand,
      schema: { body: EstimateBodySchema, response: answersOf(EstimateDataSchema) },
    },
    async (request) => success(await answerEstimate(context, request)),
  );
}

function addJobRoutes(server: ApiServer, context: ServerContext): void {
  const { world } = context;
  server.post(
    '/submit',
    {
      ...readByHand,
      schema: { body: SubmitBodySchema, response: answersOf(SubmitDataSchema, 200, 202) },
    },
    async (request, reply) => {
      const { data, replayed } = await submitRequest(context, request);
      return reply.code(replayed ? 200 : 202).send(success(data));
    },
  );
  server.get(
    '/status/:job_id',
    { schema: { params: JobParamsSchema, response: answersOf(StatusDataSchema) } },
    async (request) =>
      success(describeJob(requireJob(world, callerOf(request).account.id, request.params.job_id))),
  );
  server.get(
    '/jobs',
    { schema: { querystring: JobsQuerySchema, response: longAnswersOf(JobsPageSchema) } },
    async (request) => {
      const { account } = callerOf(request);
      const { count, jobs } = listJobs(world.database, account.id, request.query);
      return success({
        count,
        ...linkPages(request, request.query, count),
        results: jobs.map(describeJob),
      });
    },
  );
  server.post(
    '/cancel/:job_id',
    { schema: { params: JobParamsSchema, response: answersOf(CancelDataSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      return success(await world.writer.cancelJob({ accountId, jobId: request.params.job_id }));
    },
  );
  server.post(
    '/retry/:job_id',
    { schema: { params: JobParamsSchema, response: answersOf(SubmitDataSchema, 202) } },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const data = await world.writer.retryJob({ accountId, jobId: request.params.job_id });
      return reply.code(202).send(success(data));
    },
  );
}

function addResultRoute(server: ApiServer, { world }: ServerContext): void {
  server.get(
    '/result/:job_id',
    {
      schema: {
        params: JobParamsSchema,
        querystring: ResultQuerySchema,
        response: longAnswersOf(ResultPageSchema),
      },
    },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const { status, format } = request.query;
      const job = requireFinished(requireJob(world, accountId, request.params.job_id));
      if (format === 'csv') {
        const options = { status: status ?? null, forExcel: false, protectAll: false };
        return sendExport(world.reader, { accountId, jobId: job.uuid, ...options }, reply);
      }
      const count = countRows(job, status);
      return success({
        job_id: job.uuid,
        status: job.status,
        count,
        ...linkPages(request, request.query, count),
        results: readResultPage(world, job, request.query),
      });
    },
  );
}

/** Adds the routes; keys and the rate limit are hooks of the server they are added to. */
export function addDataEnrichmentRoutes(server: ApiServer, context: ServerContext): void {
  addPriceRoutes(server, context);
  addJobRoutes(server, context);
  addResultRoute(server, context);
}
