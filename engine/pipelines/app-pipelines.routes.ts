/**
 * Routes /app/v1/pipelines: pipelines of a search or an upload, with estimate, progress, rows and
 * CSV.
 */

import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { creditUnits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import { ExportAnswerSchema } from '../contract/jobs/app-jobs.ts';
import { pipelineContactsMax } from '../contract/limits/pipelines.ts';
import {
  type NewAppPipeline,
  NewAppPipelineSchema,
  PipelineEstimateSchema,
  PipelineExportSchema,
  PipelineGridPageSchema,
  PipelineQuestionSchema,
} from '../contract/pipelines/app-pipelines.ts';
import { pipelineKinds, StartedPipelineSchema } from '../contract/pipelines/pipeline.ts';
import { PipelineProgressSchema } from '../contract/pipelines/pipeline-progress.ts';
import { PageQuerySchema } from '../contract/whole-number.ts';
import { readPeopleByUuids } from '../directory/read/read-people.ts';
import { spenderOf } from '../http/approval-origin.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { checkDownload } from '../http/send-export.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { sampleList } from '../spreadsheet/sample-rows.ts';
import { priceValidation } from '../validations/validate-emails.ts';
import { startRequestedPipeline, withSubject } from './parse-pipeline-request.ts';
import type { PipelineSubject } from './pipelines.commands.ts';
import { addPipelineRoutes } from './pipelines.routes.ts';
import { requirePipeline } from './present-pipeline.ts';
import { presentProgress } from './present-progress.ts';
import { describeKnown } from './preview-pipeline.ts';
import { pricePipeline } from './price-pipeline.ts';
import { namePipelineExport } from './results/export-pipeline.ts';
import { requireCompletedPipeline } from './results/read-pipeline.ts';
import { readPipelineGrid } from './results/read-pipeline-grid.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

/**
 * The rows of an upload, within the limit of a pipeline. Throws `not_found`, `validation_error`.
 */
async function findUpload(
  { uploads }: PipelineRouteDeps,
  { upload_id, mapping: requestedMapping }: Pick<NewAppPipeline, 'upload_id' | 'mapping'>,
): Promise<PipelineSubject> {
  const { upload, input } = await uploads.find(upload_id ?? '');
  const mapping = requestedMapping ?? upload.mapping;
  checkColumnMapping(input.headers, mapping);
  if (input.rowCount > pipelineContactsMax)
    throw new EngineError(
      'validation_error',
      `${upload.file_name} has ${input.rowCount} rows. A pipeline can have at most ` +
        `${pipelineContactsMax}. Split the list.`,
    );
  return { source: 'contacts', input, mapping };
}

/** Passes the contacts of a body to `use`. Throws also what a search refuses. */
async function withPeople<Result>(
  context: PipelineRouteDeps,
  body: Omit<NewAppPipeline, 'title'>,
  use: (subject: PipelineSubject) => Promise<Result>,
): Promise<Result> {
  const { filters, uuids } = body;
  if (filters || uuids) return withSubject(context, { filters, uuids }, use);
  return use(await findUpload(context, body));
}

/** The subject of a dry run, with those of its sample that only the team's directory has. */
async function addTeamContacts(
  { directoryDatabase, writer }: PipelineRouteDeps['environment'],
  subject: PipelineSubject,
): Promise<PipelineSubject> {
  if (subject.source !== 'uuids') return subject;
  const sample = sampleList(subject.uuids);
  const known = readPeopleByUuids(directoryDatabase, sample, 'main');
  const missing = sample.filter((uuid) => !known.has(uuid));
  if (missing.length === 0) return subject;
  const team = (await writer.readTeamPeople({ uuids: missing })).map(describeKnown);
  return { ...subject, team };
}

const countContacts = (subject: PipelineSubject): number => {
  if (subject.source === 'contacts') return subject.input.rowCount;
  return subject.source === 'people' ? subject.personIds.length : subject.uuids.length;
};

function addStartRoutes(server: ApiServer, context: PipelineRouteDeps): void {
  const { environment } = context;
  server.post(
    '/pipelines/estimate',
    { schema: { body: PipelineQuestionSchema, response: answersOf(PipelineEstimateSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { body } = request;
      const kinds = pipelineKinds.filter((kind) => body.unlock.includes(kind));
      const verifyUnits = body.verify_emails
        ? priceValidation(environment.database, accountId)
        : null;
      return withPeople(context, body, async (subject) => {
        const wish = { kinds, verifyPriceUnits: verifyUnits };
        const price = pricePipeline(
          environment.database,
          spenderOf(request),
          wish,
          countContacts(subject),
        );
        const preview = await environment.reader.previewPipeline({
          accountId,
          kinds,
          verifyPriceUnits: verifyUnits ?? creditUnits(0),
          subject: await addTeamContacts(environment, subject),
        });
        return success({ ...price, preview });
      });
    },
  );
  server.post(
    '/pipelines',
    {
      schema: {
        body: NewAppPipelineSchema,
        response: answersOf(StartedPipelineSchema, 200, 202),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { data, replayed } = await withPeople(context, body, (subject) =>
        startRequestedPipeline(context, request, body, subject),
      );
      return reply.code(replayed ? 200 : 202).send(success(data));
    },
  );
}

function addReadRoutes(server: ApiServer, { environment }: PipelineRouteDeps): void {
  const params = IdParamsSchema;
  server.get(
    '/pipelines/:id/progress',
    { schema: { params, response: answersOf(PipelineProgressSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const pipeline = requirePipeline(environment.database, accountId, request.params.id);
      const unknown = { contacts_per_second: 0, seconds_left: null };
      return success({ ...presentProgress(pipeline), ...unknown });
    },
  );
  server.get(
    '/pipelines/:id/rows',
    {
      schema: {
        params,
        querystring: PageQuerySchema,
        response: longAnswersOf(PipelineGridPageSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const pipeline = requireCompletedPipeline(environment.database, accountId, request.params.id);
      return success(readPipelineGrid(environment, pipeline, request.query));
    },
  );
}

function addExportRoute(
  server: ApiServer,
  { basePath, tickets, environment }: PipelineRouteDeps,
): void {
  server.post(
    '/pipelines/:id/export',
    {
      schema: {
        params: IdParamsSchema,
        body: PipelineExportSchema,
        response: answersOf(ExportAnswerSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { path, format, for_excel: forExcel, protect_all: protectAll } = request.body;
      const pipeline = requireCompletedPipeline(environment.database, accountId, request.params.id);
      const options = { format, forExcel, protectAll };
      const command = { accountId, pipelineId: pipeline.uuid, ...options };
      const file_name = namePipelineExport(pipeline, format);
      if (path === undefined) {
        await checkDownload(environment.reader, command, request);
        const download_url = `${basePath}/app/v1/downloads/${tickets.issue(command)}`;
        return success({ path: null, download_url, file_name, rows: pipeline.total });
      }
      if (!isAbsolute(path))
        throw new EngineError('validation_error', `path: ${path} must be absolute.`);
      const { rows } = await environment.reader.exportToFile({ ...command, path });
      return success({ path, download_url: null, file_name, rows });
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addAppPipelineRoutes(server: ApiServer, context: PipelineRouteDeps): void {
  addStartRoutes(server, context);
  addPipelineRoutes(server, context, '/pipelines');
  addReadRoutes(server, context);
  addExportRoute(server, context);
}
