/** The Career Monitor routes (docs/api.md). Answers have no envelope; errors do. */

import {
  FindingsPageSchema,
  FindingsQuerySchema,
  MonitorFormSchema,
  MonitorJobsQuerySchema,
  MonitorParamsSchema,
  MonitorSummaryPageSchema,
  MonitorSummarySchema,
  NewMonitorJobSchema,
  StartedMonitorJobSchema,
} from '../contract/monitors/career-monitor.ts';
import {
  approvalKey,
  idempotencyKey,
  keyRefusals,
  type OperationDocs,
  resultRefusals,
} from '../contract/operation-docs.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { bareAnswersOf } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { listMonitorJobs } from './monitor-job.table.ts';
import { startRequestedMonitorJob } from './parse-monitor-request.ts';
import { monitorStatusOf, presentSummary } from './present-monitor-job.ts';
import { countFindings, readFindingsPage, requireOpenFindings } from './read-findings.ts';
import type { MonitorRouteDeps } from './route-deps.ts';
import { requireMonitorJob } from './start-monitor-job.ts';

// Refusals have a fixed order that a schema cannot keep, so the route parses this body.
const readByHand = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  config: { bodyPlan: 'submission' },
} as const;

const startDocs: OperationDocs = {
  id: 'startMonitorJob',
  tag: 'Career Monitor',
  summary: 'Create a Career Monitor job',
  description:
    'Nothing is held. The end of the job charges the price of L1 per record with an answer. The ' +
    'key’s limits for one request apply to the price of all records.',
  refusals: ['bad_rows', ...keyRefusals, 'idempotency_conflict'],
  form: MonitorFormSchema,
  headers: idempotencyKey,
  answers: {
    200: 'A repeat with the same Idempotency-Key: the job of the first request.',
    202: 'The job was created.',
  },
};

function addJobRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  const { environment } = context;
  server.get(
    '/jobs',
    {
      schema: {
        docs: {
          id: 'listMonitorJobs',
          tag: 'Career Monitor',
          summary: "List the account's Career Monitor jobs, newest first",
        },
        querystring: MonitorJobsQuerySchema,
        response: bareAnswersOf(MonitorSummaryPageSchema, 200),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { count, jobs } = listMonitorJobs(environment.database, { accountId }, request.query);
      const links = linkPages(request, request.query, count);
      return { count, ...links, results: jobs.map(presentSummary) };
    },
  );
  server.post(
    '/jobs',
    {
      ...readByHand,
      schema: {
        docs: startDocs,
        body: NewMonitorJobSchema,
        response: bareAnswersOf(StartedMonitorJobSchema, 200, 202),
      },
    },
    async (request, reply) => {
      const { data, replayed } = await startRequestedMonitorJob(context, request);
      return reply.code(replayed ? 200 : 202).send(data);
    },
  );
  server.get(
    '/jobs/:id',
    {
      schema: {
        docs: { id: 'getMonitorJob', tag: 'Career Monitor', summary: 'Get a Career Monitor job' },
        params: MonitorParamsSchema,
        response: bareAnswersOf(MonitorSummarySchema, 200),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const id = Number(request.params.id);
      return presentSummary(requireMonitorJob(environment.database, accountId, id));
    },
  );
}

function addResultRoutes(server: ApiServer, { environment }: MonitorRouteDeps): void {
  server.get(
    '/jobs/:id/result',
    {
      schema: {
        docs: {
          id: 'getMonitorJobResult',
          tag: 'Career Monitor',
          summary: 'List the findings of a Career Monitor job',
          description: 'Refused with 402 while the charge of the job is unpaid.',
          refusals: [...resultRefusals, 'insufficient_credits'],
        },
        params: MonitorParamsSchema,
        querystring: FindingsQuerySchema,
        response: bareAnswersOf(FindingsPageSchema, 200),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const id = Number(request.params.id);
      const open = requireOpenFindings(environment.database, accountId, id);
      const count = countFindings(open.monitorJob, request.query.status);
      return {
        job_id: id,
        status: monitorStatusOf[open.job.status],
        count,
        ...linkPages(request, request.query, count),
        results: readFindingsPage(environment, open, request.query),
      };
    },
  );
  server.post(
    '/jobs/:id/pay',
    {
      schema: {
        docs: {
          id: 'payMonitorJob',
          tag: 'Career Monitor',
          summary: 'Pay for locked findings',
          refusals: ['not_ready', 'already_finished', 'insufficient_credits', ...keyRefusals],
          bodyOptional: true,
          headers: approvalKey,
        },
        params: MonitorParamsSchema,
        response: bareAnswersOf(MonitorSummarySchema, 200),
      },
    },
    async (request) => {
      const id = Number(request.params.id);
      const operation = `POST /api/v1/career-monitor/jobs/${id}/pay/`;
      const spending = spendingOf(request, operation, {});
      await environment.writer.payMonitorJob({ ...spending, id });
      return presentSummary(requireMonitorJob(environment.database, spending.accountId, id));
    },
  );
}

/** Adds the routes. The server must have the hooks for keys and the rate limit. */
export function addCareerMonitorRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  addJobRoutes(server, context);
  addResultRoutes(server, context);
}
