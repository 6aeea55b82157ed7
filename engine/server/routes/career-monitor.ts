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
} from '../../contract/career-monitor.ts';
import { describeSummary, monitorStatusOf } from '../../domain/describe-monitor.ts';
import {
  countFindings,
  readFindingsPage,
  requireOpenFindings,
} from '../../domain/read-findings.ts';
import { requireMonitorJob } from '../../domain/start-monitor-job.ts';
import { listMonitorJobs } from '../../store/monitor-job.ts';
import { bareAnswersOf } from '../answers.ts';
import { spendingOf } from '../asking-of.ts';
import { callerOf } from '../credentials.ts';
import { linkPages } from '../page-links.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';
import { startRequestedMonitorJob } from '../start-requested-monitor-job.ts';

// Refusals have a promised order, which no schema keeps: this body is read by hand.
const readByHand = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  config: { bodyPlan: 'submission' },
} as const;

function addJobRoutes(server: ApiServer, context: ServerContext): void {
  const { world } = context;
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
      const { count, jobs } = listMonitorJobs(world.database, { accountId }, request.query);
      const links = linkPages(request, request.query, count);
      return { count, ...links, results: jobs.map(describeSummary) };
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
      return describeSummary(requireMonitorJob(world.database, accountId, id));
    },
  );
}

function addResultRoutes(server: ApiServer, { world }: ServerContext): void {
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
      const open = requireOpenFindings(world.database, accountId, id);
      const count = countFindings(open.monitorJob, request.query.status);
      return {
        job_id: id,
        status: monitorStatusOf[open.job.status],
        count,
        ...linkPages(request, request.query, count),
        results: readFindingsPage(world.database, world.folder, open, request.query),
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
      await world.writer.payMonitorJob({ ...spending, id });
      return describeSummary(requireMonitorJob(world.database, spending.accountId, id));
    },
  );
}

/** Adds the routes; keys and the rate limit are hooks of the server they are added to. */
export function addCareerMonitorRoutes(server: ApiServer, context: ServerContext): void {
  addJobRoutes(server, context);
  addResultRoutes(server, context);
}
