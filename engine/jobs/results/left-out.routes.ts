/** Routes of the rows that were left out of a job: their number, and a file of them. */
import { EngineError } from '../../contract/errors.ts';
import { ExportAnswerSchema, ExportRequestSchema } from '../../contract/jobs/app-jobs.ts';
import { LeftOutSchema } from '../../contract/reading/reading.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { answerExport } from '../../http/send-export.ts';
import { openLeftOut } from '../../spreadsheet/input-folders.ts';
import { JobParamsSchema } from '../jobs.routes.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { nameLeftOut } from './left-out-export.ts';
import { requireJob } from './read-result.ts';

function countLeftOut(folder: string, jobId: string): number {
  const rows = openLeftOut(folder, jobId);
  rows?.close();
  return rows?.rowCount ?? 0;
}

/** Adds the routes. The server must have the session hook. */
export function addLeftOutRoutes(server: ApiServer, deps: JobRouteDeps): void {
  const { environment } = deps;
  server.get(
    '/jobs/:job_id/left-out',
    { schema: { params: JobParamsSchema, response: answersOf(LeftOutSchema) } },
    async (request) => {
      const job = requireJob(environment, callerOf(request).account.id, request.params.job_id);
      return success({ count: countLeftOut(environment.folder, job.uuid) });
    },
  );
  server.post(
    '/jobs/:job_id/left-out/exports',
    {
      schema: {
        params: JobParamsSchema,
        body: ExportRequestSchema,
        response: answersOf(ExportAnswerSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const job = requireJob(environment, accountId, request.params.job_id);
      const { path, format, for_excel: forExcel, protect_all: protectAll } = request.body;
      const rows = countLeftOut(environment.folder, job.uuid);
      if (rows === 0) throw new EngineError('not_found', 'No row was left out of this job.');
      const command = { accountId, leftOutOf: job.uuid, format, forExcel, protectAll };
      const fileName = nameLeftOut(job, format);
      const target = { path, fileName, countRows: () => rows };
      return success(await answerExport(deps, command, target, request));
    },
  );
}
