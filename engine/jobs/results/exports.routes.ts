/** Routes of a job's exports: a preview of overwrite rules, and the file. */
import { isAbsolute } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { EngineError } from '../../contract/errors.ts';
import { RecordIdsSchema } from '../../contract/exports/crm-presets.ts';
import {
  ExportPreviewSchema,
  JobExportAnswerSchema,
  JobExportSchema,
} from '../../contract/exports/job-exports.ts';
import { OverwriteDiffSchema } from '../../contract/exports/overwrite.ts';
import { type RowView, RowViewSchema } from '../../contract/jobs/row-view.ts';
import { whenClientLeaves } from '../../http/client-presence.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { checkDownload } from '../../http/send-export.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import type { JobRow } from '../job.table.ts';
import { JobParamsSchema } from '../jobs.routes.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { placeColumns } from './chosen-columns.ts';
import { checkPreset, findRecordIds } from './crm-table.ts';
import { countExportRows, nameExport, requireFinished } from './export-result.ts';
import { requireJob } from './read-result.ts';
import { listAddedColumns, noAdditions } from './result-columns.ts';
import type { ResultExport } from './result-export.ts';
import { listOwnColumnsOf } from './result-table.ts';
import { isStatusAlone, type RowLists } from './view/row-lists.ts';

/** The rows of an export: those of a status, or a list of their numbers. */
async function readChoice(
  lists: RowLists,
  job: JobRow,
  { rows, ...body }: RowView & { readonly rows: 'all' | 'shown' },
  request: FastifyRequest,
): Promise<Pick<ResultExport, 'status' | 'list'>> {
  const view = RowViewSchema.parse(body);
  const status = rows === 'shown' ? (view.status ?? null) : null;
  if (rows === 'all' || isStatusAlone(view)) return { status };
  return { status, list: await lists.read(job, view, whenClientLeaves(request)) };
}

function addPreviewRoute(server: ApiServer, { environment }: JobRouteDeps, lists: RowLists): void {
  server.post(
    '/jobs/:job_id/exports/preview',
    {
      schema: {
        params: JobParamsSchema,
        body: ExportPreviewSchema,
        response: answersOf(OverwriteDiffSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const job = requireFinished(requireJob(environment, accountId, request.params.job_id));
      const { overwrite } = request.body;
      const choice = await readChoice(lists, job, request.body, request);
      const { diff } = await environment.reader.previewExport(
        {
          accountId,
          jobId: job.uuid,
          ...choice,
          overwrite,
          format: 'csv',
          forExcel: false,
          protectAll: false,
        },
        whenClientLeaves(request),
      );
      if (!diff) throw new Error('the preview of rules has no diff');
      return success(diff);
    },
  );
}

function addFileRoute(
  server: ApiServer,
  { basePath, tickets, environment }: JobRouteDeps,
  lists: RowLists,
): void {
  server.post(
    '/jobs/:job_id/exports',
    {
      schema: {
        params: JobParamsSchema,
        body: JobExportSchema,
        response: answersOf(JobExportAnswerSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const job = requireFinished(requireJob(environment, accountId, request.params.job_id));
      const { path, format, overwrite = null } = request.body;
      const { for_excel: forExcel, protect_all: protectAll } = request.body;
      const choice = await readChoice(lists, job, request.body, request);
      const { preset, columns } = request.body;
      const { own_lists: ownLists, sources: hasSources } = request.body;
      if (columns) checkColumns(environment, job, columns);
      const options = {
        format,
        forExcel,
        protectAll,
        overwrite,
        preset,
        columns,
        ownLists,
        hasSources,
      };
      const command = { accountId, jobId: job.uuid, ...choice, ...options };
      const fileName = nameExport(job, format);
      if (path !== undefined && !isAbsolute(path))
        throw new EngineError('validation_error', `path: ${path} must be absolute.`);
      if (path !== undefined) {
        const written = await environment.reader.exportToFile({ ...command, path });
        return success({ path, download_url: null, file_name: fileName, ...written });
      }
      if (preset)
        withInput(environment, job, (rows) =>
          checkPreset(preset, job, rows, environment.directoryDatabase),
        );
      const checked = await checkDownload(environment.reader, command, request);
      const download_url = `${basePath}/app/v1/downloads/${tickets.issue(command)}`;
      const { rows, diff } = checked ?? { rows: countExportRows(job, choice), diff: null };
      return success({ path: null, download_url, file_name: fileName, rows, diff });
    },
  );
}

/** Refuses chosen columns that the job does not have. */
function checkColumns(
  { directoryDatabase }: JobRouteDeps['environment'],
  job: JobRow,
  columns: readonly string[],
): void {
  const own = listOwnColumnsOf(job, directoryDatabase);
  const added = listAddedColumns(job, { ...noAdditions, own }).map(({ name }) => name);
  placeColumns(job.headers, added, columns);
}

/** Reads the rows of a job's list. */
function withInput<Value>(
  { folder }: JobRouteDeps['environment'],
  { uuid, totalRows }: JobRow,
  read: (rows: RowsFile) => Value,
): Value {
  const rows = openInput(folder, uuid, totalRows);
  try {
    return read(rows);
  } finally {
    rows.close();
  }
}

function addRecordIdRoute(server: ApiServer, { environment }: JobRouteDeps): void {
  server.get(
    '/jobs/:job_id/exports/record-ids',
    { schema: { params: JobParamsSchema, response: answersOf(RecordIdsSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const job = requireFinished(requireJob(environment, accountId, request.params.job_id));
      return success(
        withInput(environment, job, (rows) =>
          findRecordIds(job, rows, environment.directoryDatabase),
        ),
      );
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addExportRoutes(server: ApiServer, deps: JobRouteDeps, lists: RowLists): void {
  addPreviewRoute(server, deps, lists);
  addFileRoute(server, deps, lists);
  addRecordIdRoute(server, deps);
}
