// Answers the calls about the exports of a job: a preview of overwrite rules, and the files.
import { isAbsolute } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { invalid, notFound } from '../../contract/errors.ts';
import { type CrmExport, nameRows } from '../../contract/exports/crm-export.ts';
import { jobExports } from '../../contract/exports/job-exports.ts';
import { type RowView, RowViewSchema } from '../../contract/jobs/row-view.ts';
import { whenClientLeaves } from '../../http/client-presence.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { answerExport, checkDownload } from '../../http/send-export.ts';
import { type Handlers, serve } from '../../http/serve.ts';
import { type ExportEnd, endWhole } from '../../spreadsheet/export-calls.ts';
import { openInput, openLeftOut } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import type { JobRow } from '../job.table.ts';
import { readColumnRules } from '../overwrite/column-rules.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { placeColumns } from './chosen-columns.ts';
import { checkPreset, findRecordIds, readFirstRows } from './crm-table.ts';
import { countExportRows, nameExport, requireFinished } from './export-result.ts';
import { type LeftOutExport, nameLeftOut } from './left-out-export.ts';
import { requireJob } from './read-result.ts';
import { listAddedColumns, noAdditions } from './result-columns.ts';
import type { ResultExport } from './result-export.ts';
import { listOwnColumnsOf } from './result-table.ts';
import { isStatusAlone, type RowLists } from './view/row-lists.ts';

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

function checkColumns(
  { directoryDatabase }: JobRouteDeps['environment'],
  job: JobRow,
  columns: readonly string[],
): void {
  const own = listOwnColumnsOf(job, directoryDatabase);
  const added = listAddedColumns(job, { ...noAdditions(job), own }).map(({ name }) => name);
  placeColumns(job.headers, added, columns);
}

export function withInput<Value>(
  { folder }: { readonly folder: string },
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

function countLeftOut(folder: string, jobId: string): number {
  const rows = openLeftOut(folder, jobId);
  rows?.close();
  return rows?.rowCount ?? 0;
}

const exportHandlers = (context: JobRouteDeps, lists: RowLists): Handlers<typeof jobExports> => {
  const { basePath, tickets, environment } = context;
  /** The end of an export that is not kept. */
  const previewChoice = async (
    job: JobRow,
    view: RowView & { readonly rows: 'all' | 'shown' },
    content: Partial<ResultExport>,
    request: FastifyRequest,
  ): Promise<ExportEnd> => {
    const command = {
      kind: 'result',
      accountId: job.accountId,
      jobId: job.uuid,
      ...(await readChoice(lists, job, view, request)),
      format: 'csv',
      forExcel: false,
      protectAll: false,
      overwrite: null,
      ...content,
    } as const;
    return environment.reader.previewExport(command, whenClientLeaves(request));
  };
  const checkNames = (job: JobRow, preset: CrmExport): void =>
    withInput(environment, job, (rows) =>
      checkPreset(preset, job, readFirstRows(job, rows), environment.directoryDatabase),
    );
  return {
    async preview({ job_id, overwrite, ...view }, { accountId, request }) {
      const job = requireFinished(requireJob(environment, accountId, job_id));
      const { diff } = await previewChoice(job, view, { overwrite }, request);
      if (!diff) throw new Error('the preview of rules has no diff');
      return diff;
    },
    async countRecords({ job_id, preset, ...view }, { accountId, request }) {
      const job = requireFinished(requireJob(environment, accountId, job_id));
      const { records } = await previewChoice(job, view, { preset, isCount: true }, request);
      if (!records) throw new Error('the preview of a preset has no counts');
      return records;
    },
    async write({ job_id, ...body }, { accountId, request }) {
      const job = requireFinished(requireJob(environment, accountId, job_id));
      const { path, format, preset, columns } = body;
      const choice = await readChoice(lists, job, body, request);
      if (columns) checkColumns(environment, job, columns);
      const command: ResultExport = {
        kind: 'result',
        accountId,
        jobId: job.uuid,
        ...choice,
        format,
        forExcel: body.for_excel,
        protectAll: body.protect_all,
        overwrite: body.overwrite ?? null,
        preset,
        columns,
        ownLists: body.own_lists,
        hasSources: body.sources,
      };
      const fileName = nameExport(job, format, nameRows(preset));
      if (path !== undefined && !isAbsolute(path)) throw invalid(`path: ${path} must be absolute.`);
      if (path !== undefined) {
        const written = await environment.reader.exportToFile({ ...command, path });
        return { path, download_url: null, file_name: fileName, ...written };
      }
      if (preset) checkNames(job, preset);
      const checked = await checkDownload(environment.reader, command, request);
      const download_url = `${basePath}/app/v1/downloads/${tickets.issue(command)}`;
      const end = checked ?? endWhole(countExportRows(job, choice));
      return { path: null, download_url, file_name: fileName, ...end };
    },
    check({ job_id, preset, overwrite }, { accountId }) {
      const job = requireJob(environment, accountId, job_id);
      if (preset) checkNames(job, preset);
      if (overwrite) readColumnRules(job, overwrite);
      return {};
    },
    recordIds({ job_id }, { accountId }) {
      const job = requireFinished(requireJob(environment, accountId, job_id));
      return withInput(environment, job, (rows) =>
        findRecordIds(job, rows, environment.directoryDatabase),
      );
    },
    countLeftOut({ job_id }, { accountId }) {
      const job = requireJob(environment, accountId, job_id);
      return { count: countLeftOut(environment.folder, job.uuid) };
    },
    writeLeftOut(given, { accountId, request }) {
      const job = requireJob(environment, accountId, given.job_id);
      const { path, format, for_excel: forExcel, protect_all: protectAll } = given;
      const rows = countLeftOut(environment.folder, job.uuid);
      if (rows === 0) throw notFound('No row was left out of this job.');
      const command: LeftOutExport = {
        kind: 'left out',
        accountId,
        jobId: job.uuid,
        format,
        forExcel,
        protectAll,
      };
      const target = { path, fileName: nameLeftOut(job, format), countRows: () => rows };
      return answerExport(context, command, target, request);
    },
  };
};

export const addExportRoutes = (server: ApiServer, context: JobRouteDeps, lists: RowLists): void =>
  serve(server, context, jobExports, exportHandlers(context, lists));
