/**
 * The Career Monitor routes (specification, section E): answered without the envelope, refused in
 * it.
 */

import {
  FindingsPageSchema,
  FindingsQuerySchema,
  MonitorJobsQuerySchema,
  MonitorParamsSchema,
  MonitorSummaryPageSchema,
  MonitorSummarySchema,
  NewMonitorJobSchema,
  StartedMonitorJobSchema,
} from '../contract/monitors/career-monitor.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { bareAnswersOf } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { listMonitorJobs } from './monitor-job.table.ts';
import { startRequestedMonitorJob } from './parse-monitor-request.ts';
import { monitorStatusOf, presentSummary } from './present-monitor.ts';
import { countFindings, readFindingsPage, requireOpenFindings } from './read-findings.ts';
import type { MonitorRouteDeps } from './route-deps.ts';
import { requireMonitorJob } from './start-monitor-job.ts';

// Refusals have a promised order, which no schema keeps: this body is read by hand.
const readByHand = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  config: { bodyPlan: 'submission' },
} as const;

function addJobRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  const { environment } = context;
  server.get(
    '/jobs',
    {
      schema: {
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
      schema: { params: MonitorParamsSchema, response: bareAnswersOf(MonitorSummarySchema, 200) },
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
        results: readFindingsPage(environment.database, environment.folder, open, request.query),
      };
    },
  );
  server.post(
    '/jobs/:id/pay',
    {
      schema: { params: MonitorParamsSchema, response: bareAnswersOf(MonitorSummarySchema, 200) },
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

/** Adds the routes; keys and the rate limit are hooks of the server they are added to. */
export function addCareerMonitorRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  addJobRoutes(server, context);
  addResultRoutes(server, context);
}
