/** Routes /app/v1/uploads and /app/v1/estimate: spreadsheets before they become jobs. */

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import { AppEstimateSchema } from '../contract/jobs/app-estimate.ts';
import { UploadJobSchema } from '../contract/jobs/app-jobs.ts';
import { csvUploadBytesMax } from '../contract/limits/spreadsheet.ts';
import { type Reading, ReadingSchema, RowsCheckSchema } from '../contract/reading/reading.ts';
import {
  ColumnMappingSchema,
  JoinUploadsSchema,
  UploadPathSchema,
  UploadSchema,
} from '../contract/uploads.ts';
import { sampleFiles } from '../directory/import/sample.ts';
import { spenderOf } from '../http/approval-origin.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { type Form, readField, withForm } from '../http/bodies/receive-form.ts';
import { whenClientLeaves } from '../http/client-presence.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import type { SourceFile } from '../http/upload-store.ts';
import { estimate, resolveLayers } from '../ledger/price-job.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { checkNewSince } from './repeats/check-new-since.ts';
import type { JobRouteDeps } from './route-deps.ts';

const spreadsheet = { files: ['file'], bytesMax: csvUploadBytesMax };
const ParamsSchema = z.object({ upload_id: UuidSchema.toLowerCase() });

/** A file on this machine that the app named. Throws `validation_error` if it cannot be read. */
async function findFile(path: string): Promise<SourceFile> {
  if (!isAbsolute(path))
    throw new EngineError('validation_error', `path: ${path} must be absolute.`);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile())
    throw new EngineError(
      'validation_error',
      `The file ${path} does not exist. Choose the file again.`,
    );
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isReadable)
    throw new EngineError('validation_error', `${path} cannot be read. Check its permissions.`);
  if (found.size > csvUploadBytesMax)
    throw new EngineError(
      'validation_error',
      `${basename(path)} is larger than 100 MB (${csvUploadBytesMax} bytes). Split it.`,
    );
  return { path, fileName: basename(path) };
}

/** The reading options of a form. Throws `validation_error`. */
function readReading(form: Form): Reading {
  const parts = Object.keys(ReadingSchema.shape).flatMap((name) => {
    const value = readField(form, name);
    return value === undefined ? [] : [[name, value]];
  });
  return parseWith(ReadingSchema, Object.fromEntries(parts));
}

/** The rows of an upload that could be left out. */
function addCheckRoute(server: ApiServer, { uploads, environment }: JobRouteDeps): void {
  server.post(
    '/uploads/:upload_id/check',
    {
      schema: {
        params: ParamsSchema,
        body: z.object({ mapping: ColumnMappingSchema }),
        response: answersOf(RowsCheckSchema),
      },
    },
    async (request) => {
      const { upload, input } = await uploads.find(request.params.upload_id);
      const { mapping } = request.body;
      checkColumnMapping(upload.headers, mapping);
      const found = await environment.reader.checkRows({ dir: input.dir, mapping });
      return success({
        no_identity: found.rowsWithoutIdentity,
        duplicates: found.duplicateRows,
        examples: [...found.examples],
      });
    },
  );
}

/** The price of an upload. */
function addEstimateRoute(server: ApiServer, context: JobRouteDeps): void {
  const { uploads, environment } = context;
  server.post(
    '/estimate',
    { schema: { body: UploadJobSchema, response: answersOf(AppEstimateSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const kept = await uploads.find(request.body.upload_id);
      const { upload } = kept;
      const mapping = request.body.mapping ?? upload.mapping;
      checkColumnMapping(upload.headers, mapping);
      const input = await uploads.withoutRows(kept, mapping, request.body.leave_out);
      const newSince = request.body.new_since;
      checkNewSince(environment.database, accountId, newSince);
      const layers = resolveLayers(environment.database, accountId, request.body.selected_layers);
      const price = estimate(environment.database, spenderOf(request), layers, input.rowCount);
      const { dir } = input;
      const { codes } = layers;
      // The upload has counted them for the columns that it recognised.
      const isRecognised = input === kept.input && isDeepStrictEqual(mapping, upload.mapping);
      const duplicateRows = isRecognised ? upload.duplicate_rows : undefined;
      const at = new Date(context.now()).toISOString();
      const question = { accountId, dir, mapping, codes, duplicateRows, newSince, at };
      return success({ ...price, preview: await environment.reader.previewRows(question) });
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addUploadRoutes(server: ApiServer, context: JobRouteDeps): void {
  const { uploads } = context;
  const created = answersOf(UploadSchema, 201);
  /** Decodes a file and keeps it, unless the client disconnects first. */
  const keep = (file: SourceFile, request: FastifyRequest) =>
    context.tasks.run(uploads.keep(file, whenClientLeaves(request)));
  const keepPath = async (request: FastifyRequest) => {
    const { path, ...reading } = parseWith(UploadPathSchema, request.body);
    return keep({ ...(await findFile(path)), reading }, request);
  };
  server.post('/uploads', { schema: { response: created } }, async (request, reply) => {
    const { upload } = request.isMultipart()
      ? await withForm(context, request, spreadsheet, (form) => {
          const file = form.files.get('file');
          if (!file) throw new EngineError('bad_rows', 'Send the spreadsheet as the part `file`.');
          return keep({ ...file, reading: readReading(form) }, request);
        })
      : await keepPath(request);
    return reply.code(201).send(success(upload));
  });
  server.post('/uploads/sample', { schema: { response: created } }, async (request, reply) => {
    const path = sampleFiles().contacts;
    const { upload } = await keep({ path, fileName: basename(path) }, request);
    return reply.code(201).send(success(upload));
  });
  server.post(
    '/uploads/join',
    { schema: { body: JoinUploadsSchema, response: created } },
    async (request, reply) => {
      const { upload } = await context.tasks.run(uploads.join(request.body.upload_ids));
      return reply.code(201).send(success(upload));
    },
  );
  server.get(
    '/uploads/:upload_id',
    { schema: { params: ParamsSchema, response: answersOf(UploadSchema) } },
    async (request) => success((await uploads.find(request.params.upload_id)).upload),
  );
  server.delete(
    '/uploads/:upload_id',
    { schema: { params: ParamsSchema, response: answersOf(ParamsSchema) } },
    async (request) => {
      await uploads.find(request.params.upload_id);
      await uploads.remove(request.params.upload_id);
      return success(request.params);
    },
  );
  addCheckRoute(server, context);
  addEstimateRoute(server, context);
}
