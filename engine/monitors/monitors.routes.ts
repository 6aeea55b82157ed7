/**
 * Routes /app/v1/monitors and /app/v1/monitor-jobs: lists on a schedule, their jobs and findings.
 */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import { ExportAnswerSchema } from '../contract/jobs/app-jobs.ts';
import {
  FindingsPageSchema,
  FindingsQuerySchema,
  MonitorJobPageSchema,
  MonitorJobSchema,
  MonitorJobsQuerySchema,
  MonitorParamsSchema,
} from '../contract/monitors/career-monitor.ts';
import {
  FindingsExportSchema,
  MonitorChangeSchema,
  MonitorSchema,
  NewMonitorSchema,
} from '../contract/monitors/monitors.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { checkDownload } from '../http/send-export.ts';
import { nameExport, requireFinished } from '../jobs/results/export-result.ts';
import { requireJob } from '../jobs/results/read-result.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { listMonitors } from './monitor.table.ts';
import { listMonitorJobs } from './monitor-job.table.ts';
import { requireMonitor } from './monitors.ts';
import { presentMonitor } from './present-monitor.ts';
import { monitorStatusOf, presentMonitorJob } from './present-monitor-job.ts';
import { countFindings, readFindingsPage, requireOpenFindings } from './read-findings.ts';
import type { MonitorRouteDeps } from './route-deps.ts';
import { requireMonitorJob } from './start-monitor-job.ts';

const targetOf = (request: Parameters<typeof callerOf>[0] & { params: { id: string } }) => ({
  accountId: callerOf(request).account.id,
  id: Number(request.params.id),
});

/** The rows of a new monitor: those of an upload, or of a completed job. */
async function findRows(
  { uploads, environment }: MonitorRouteDeps,
  accountId: number,
  body: z.output<typeof NewMonitorSchema>,
) {
  if (body.job_id !== undefined) {
    const job = requireFinished(requireJob(environment, accountId, body.job_id));
    const { headers, fileName, totalRows: rowCount } = job;
    const dir = jobDir(environment.folder, job.uuid);
    return { dir, headers, rowCount, fileName, mapping: body.mapping ?? job.mapping };
  }
  const { upload, input } = await uploads.find(body.upload_id ?? '');
  const { dir, headers, rowCount } = input;
  const mapping = body.mapping ?? upload.mapping;
  return { dir, headers, rowCount, fileName: upload.file_name, mapping };
}

function addListRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  const { environment } = context;
  server.get(
    '/monitors',
    { schema: { response: answersOf(z.array(MonitorSchema)) } },
    async (request) => {
      const monitors = listMonitors(environment.database, callerOf(request).account.id);
      return success(monitors.map((monitor) => presentMonitor(environment.database, monitor)));
    },
  );
  server.post(
    '/monitors',
    { schema: { body: NewMonitorSchema, response: answersOf(MonitorSchema, 201) } },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const { title, schedule, run_now: runNow } = request.body;
      const rows = await findRows(context, accountId, request.body);
      checkColumnMapping(rows.headers, rows.mapping);
      const order = { accountId, title, schedule, runNow, ...rows };
      return reply.code(201).send(success(await environment.writer.createMonitor(order)));
    },
  );
}

function addMonitorActions(server: ApiServer, { environment }: MonitorRouteDeps): void {
  const params = MonitorParamsSchema;
  server.get(
    '/monitors/:id',
    { schema: { params, response: answersOf(MonitorSchema) } },
    async (request) => {
      const { accountId, id } = targetOf(request);
      const monitor = requireMonitor(environment.database, accountId, id);
      return success(presentMonitor(environment.database, monitor));
    },
  );
  server.patch(
    '/monitors/:id',
    { schema: { params, body: MonitorChangeSchema, response: answersOf(MonitorSchema) } },
    async (request) => {
      const command = { ...targetOf(request), change: request.body };
      return success(await environment.writer.changeMonitor(command));
    },
  );
  server.delete(
    '/monitors/:id',
    { schema: { params, response: answersOf(MonitorParamsSchema) } },
    async (request) => {
      await environment.writer.removeMonitor(targetOf(request));
      return success(request.params);
    },
  );
  server.post(
    '/monitors/:id/run',
    { schema: { params, response: answersOf(MonitorJobSchema, 202) } },
    async (request, reply) =>
      reply.code(202).send(success(await environment.writer.runMonitor(targetOf(request)))),
  );
  server.get(
    '/monitors/:id/jobs',
    {
      schema: {
        params,
        querystring: MonitorJobsQuerySchema,
        response: longAnswersOf(MonitorJobPageSchema),
      },
    },
    async (request) => {
      const { accountId, id: monitorId } = targetOf(request);
      requireMonitor(environment.database, accountId, monitorId);
      const { count, jobs } = listMonitorJobs(environment.database, { monitorId }, request.query);
      const links = linkPages(request, request.query, count);
      return success({ count, ...links, results: jobs.map(presentMonitorJob) });
    },
  );
}

function addJobRoutes(server: ApiServer, { environment }: MonitorRouteDeps): void {
  const params = MonitorParamsSchema;
  const one = answersOf(MonitorJobSchema);
  server.get(
    '/monitor-jobs',
    {
      schema: {
        querystring: MonitorJobsQuerySchema,
        response: longAnswersOf(MonitorJobPageSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { count, jobs } = listMonitorJobs(environment.database, { accountId }, request.query);
      const links = linkPages(request, request.query, count);
      return success({ count, ...links, results: jobs.map(presentMonitorJob) });
    },
  );
  server.get('/monitor-jobs/:id', { schema: { params, response: one } }, async (request) => {
    const { accountId, id } = targetOf(request);
    return success(presentMonitorJob(requireMonitorJob(environment.database, accountId, id)));
  });
  server.post('/monitor-jobs/:id/pay', { schema: { params, response: one } }, async (request) =>
    success(await environment.writer.payMonitorJob({ ...targetOf(request), keyId: null })),
  );
  server.post('/monitor-jobs/:id/stop', { schema: { params, response: one } }, async (request) =>
    success(await environment.writer.stopMonitorJob(targetOf(request))),
  );
}

function addFindingsRoutes(
  server: ApiServer,
  { basePath, tickets, environment }: MonitorRouteDeps,
): void {
  const params = MonitorParamsSchema;
  server.get(
    '/monitor-jobs/:id/findings',
    {
      schema: {
        params,
        querystring: FindingsQuerySchema,
        response: longAnswersOf(FindingsPageSchema),
      },
    },
    async (request) => {
      const { accountId, id } = targetOf(request);
      const open = requireOpenFindings(environment.database, accountId, id);
      const count = countFindings(open.monitorJob, request.query.status);
      const links = linkPages(request, request.query, count);
      const results = readFindingsPage(environment, open, request.query);
      const status = monitorStatusOf[open.job.status];
      return success({ job_id: id, status, count, ...links, results });
    },
  );
  server.post(
    '/monitor-jobs/:id/export',
    { schema: { params, body: FindingsExportSchema, response: answersOf(ExportAnswerSchema) } },
    async (request) => {
      const { accountId, id: monitorJobId } = targetOf(request);
      const { job, monitorJob } = requireOpenFindings(
        environment.database,
        accountId,
        monitorJobId,
      );
      const { path, format, for_excel: forExcel, protect_all: protectAll } = request.body;
      const status = request.body.status ?? null;
      const command = { accountId, monitorJobId, status, format, forExcel, protectAll };
      const file_name = nameExport(job, format, 'findings');
      if (path === undefined) {
        await checkDownload(environment.reader, command, request);
        const rows = countFindings(monitorJob, request.body.status);
        const download_url = `${basePath}/app/v1/downloads/${tickets.issue(command)}`;
        return success({ path: null, download_url, file_name, rows });
      }
      if (!isAbsolute(path))
        throw new EngineError('validation_error', `path: ${path} must be absolute.`);
      const { rows } = await environment.reader.exportToFile({ ...command, path });
      return success({ path, download_url: null, file_name, rows });
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addMonitorRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  addListRoutes(server, context);
  addMonitorActions(server, context);
  addJobRoutes(server, context);
  addFindingsRoutes(server, context);
}
