// Answers the calls about monitors, Career Monitor jobs and their findings.
import type { FastifyRequest } from 'fastify';
import type { Given } from '../contract/endpoints.ts';
import { invalid } from '../contract/errors.ts';
import { type ColumnMapping, namesPeople } from '../contract/jobs/row-input.ts';
import { careerMonitor } from '../contract/monitors/career-monitor.ts';
import { monitorJobs, monitors } from '../contract/monitors/monitors.ts';
import { idempotencyOf, spendingOf } from '../http/approval-origin.ts';
import { withSpreadsheet } from '../http/bodies/receive-spreadsheet.ts';
import { takeTable } from '../http/bodies/received-body.ts';
import { linkPages } from '../http/page-links.ts';
import type { ApiServer, ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { type Call, type Handlers, serve } from '../http/serve.ts';
import { parseList, readMonitorBody, readMonitorForm } from '../jobs/read-submission.ts';
import { nameExport, requireFinished } from '../jobs/results/export-result.ts';
import { requireJob } from '../jobs/results/read-result.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { checkColumnMapping, resolveMapping } from '../spreadsheet/recognize-input.ts';
import type { MonitorCalls } from './create-monitor-commands.ts';
import type { FindingsExport } from './findings-export.ts';
import { listMonitors } from './monitor.table.ts';
import { listMonitorJobs } from './monitor-job.table.ts';
import { requireMonitor } from './monitors.ts';
import { presentMonitor } from './present-monitor.ts';
import { monitorStatusOf, presentMonitorJob, presentSummary } from './present-monitor-job.ts';
import { countFindings, readFindingsPage, requireOpenFindings } from './read-findings.ts';
import { type MonitorJobAnswer, requireMonitorJob } from './start-monitor-job.ts';

interface MonitorRouteDeps extends RouteDepsWith<MonitorCalls, ExportCalls<FindingsExport>> {
  readonly tickets: ExportTickets<FindingsExport>;
}

interface MonitorInput {
  readonly input: PreparedInput;
  readonly title: string;
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
}

/**
 * Starts a job from a request's list. Throws every refusal of POST /career-monitor/jobs/:
 * `bad_rows`, then `validation_error`, then `idempotency_conflict`, then those of the key's limits.
 */
async function startRequestedMonitorJob(
  context: MonitorRouteDeps,
  request: FastifyRequest,
): Promise<MonitorJobAnswer> {
  const start = ({ input, ...rest }: MonitorInput) => {
    const { title, fileName } = rest;
    const shown = { title, rows: input.rowCount, ...(fileName !== null && { file: fileName }) };
    return context.environment.writer.startMonitorJob({
      ...spendingOf(request, 'POST /api/v1/career-monitor/jobs/', shown),
      idempotency: idempotencyOf(request),
      ...input,
      ...rest,
    });
  };
  if (request.isMultipart())
    return withSpreadsheet(context, request, readMonitorForm, async (parts, input) => {
      const { title, mapping: named } = parseList(parts);
      const mapping = resolveMapping(input.headers, named);
      return start({ input, title, mapping, fileName: parts.file.fileName });
    });
  const body = readMonitorBody(request.body);
  const { title } = parseList(body);
  const { mapping, ...rows } = takeTable(body.rows, 'rows');
  return context.uploads.withRows(rows, (input) =>
    start({ input, title, mapping, fileName: null }),
  );
}

/** Throws `validation_error` for a list of companies, in which no run would find anything. */
function requirePeople(mapping: ColumnMapping): void {
  const { company_name: name, company_domain: domain } = mapping;
  if (!namesPeople(mapping) && (name ?? domain) !== undefined)
    throw invalid(
      'This list names companies, and a monitor follows the jobs of people. Choose a list with ' +
        'a column of names, emails or profile URLs.',
    );
}

async function findRows(
  { uploads, environment }: MonitorRouteDeps,
  accountId: number,
  body: Given<typeof monitors.create>,
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

/** A page of the findings of a job. Throws `insufficient_credits` while they are not paid. */
const readFindings =
  ({ environment }: MonitorRouteDeps) =>
  ({ id, ...query }: Given<typeof monitorJobs.findings>, { accountId, request }: Call) => {
    const open = requireOpenFindings(environment.database, accountId, id);
    const count = countFindings(open.monitorJob, query.status);
    return {
      job_id: id,
      status: monitorStatusOf[open.job.status],
      count,
      ...linkPages(request, query, count),
      results: readFindingsPage(environment, open, query),
    };
  };

export function addCareerMonitorRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  const { environment } = context;
  serve(server, context, careerMonitor, {
    list(query, { accountId, request }) {
      const { count, jobs } = listMonitorJobs(environment.database, { accountId }, query);
      return { count, ...linkPages(request, query, count), results: jobs.map(presentSummary) };
    },
    async start(_input, { request, reply }) {
      const { data, replayed } = await startRequestedMonitorJob(context, request);
      if (replayed) reply.code(200);
      return data;
    },
    get: ({ id }, { accountId }) =>
      presentSummary(requireMonitorJob(environment.database, accountId, id)),
    findings: readFindings(context),
    async pay({ id }, { accountId, request }) {
      const operation = `POST /api/v1/career-monitor/jobs/${id}/pay/`;
      await environment.writer.payMonitorJob({ ...spendingOf(request, operation, {}), id });
      return presentSummary(requireMonitorJob(environment.database, accountId, id));
    },
  });
}

const monitorHandlers = (context: MonitorRouteDeps) => {
  const { environment } = context;
  return {
    list: (_input, { accountId }) =>
      listMonitors(environment.database, accountId).map((monitor) =>
        presentMonitor(environment.database, monitor),
      ),
    async create(body, { accountId }) {
      const { title, schedule, run_now: runNow } = body;
      const rows = await findRows(context, accountId, body);
      checkColumnMapping(rows.headers, rows.mapping);
      requirePeople(rows.mapping);
      return environment.writer.createMonitor({ accountId, title, schedule, runNow, ...rows });
    },
    get: ({ id }, { accountId }) =>
      presentMonitor(environment.database, requireMonitor(environment.database, accountId, id)),
    jobs({ id: monitorId, ...query }, { accountId, request }) {
      requireMonitor(environment.database, accountId, monitorId);
      const { count, jobs } = listMonitorJobs(environment.database, { monitorId }, query);
      return { count, ...linkPages(request, query, count), results: jobs.map(presentMonitorJob) };
    },
  } satisfies Partial<Handlers<typeof monitors>>;
};

const monitorJobHandlers = (context: MonitorRouteDeps) => {
  const { environment } = context;
  return {
    list(query, { accountId, request }) {
      const { count, jobs } = listMonitorJobs(environment.database, { accountId }, query);
      return { count, ...linkPages(request, query, count), results: jobs.map(presentMonitorJob) };
    },
    get: ({ id }, { accountId }) =>
      presentMonitorJob(requireMonitorJob(environment.database, accountId, id)),
    pay: ({ id }, { accountId }) =>
      environment.writer.payMonitorJob({ accountId, id, keyId: null }),
    findings: readFindings(context),
    exportFindings({ id: monitorJobId, path, status, ...options }, { accountId, request }) {
      const { job, monitorJob } = requireOpenFindings(
        environment.database,
        accountId,
        monitorJobId,
      );
      const command: FindingsExport = {
        kind: 'findings',
        accountId,
        monitorJobId,
        status: status ?? null,
        format: options.format,
        forExcel: options.for_excel,
        protectAll: options.protect_all,
      };
      const fileName = nameExport(job, options.format, 'findings');
      const countRows = () => countFindings(monitorJob, status);
      return answerExport(context, command, { path, fileName, countRows }, request);
    },
  } satisfies Partial<Handlers<typeof monitorJobs>>;
};

export function addMonitorRoutes(server: ApiServer, context: MonitorRouteDeps): void {
  serve(server, context, monitors, monitorHandlers(context));
  serve(server, context, monitorJobs, monitorJobHandlers(context));
}
