// Answers the calls about spreadsheets, and those that make jobs of them.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { Given } from '../contract/endpoints.ts';
import { EngineError, invalid } from '../contract/errors.ts';
import { JobOptionsSchema, newJobs } from '../contract/jobs/app-jobs.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { csvUploadBytesMax } from '../contract/limits/spreadsheet.ts';
import { type Reading, ReadingSchema } from '../contract/reading/reading.ts';
import { UploadPathSchema, uploads as uploadCalls } from '../contract/uploads.ts';
import { sampleFiles } from '../directory/import/sample.ts';
import { idempotencyOf, spenderOf } from '../http/approval-origin.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { type Form, readField, withForm } from '../http/bodies/receive-form.ts';
import { whenClientLeaves } from '../http/client-presence.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { type Handlers, serve } from '../http/serve.ts';
import type { SourceFile } from '../http/upload-store.ts';
import { estimate, resolveLayers } from '../ledger/price-job.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { jobDir, requireInput } from '../spreadsheet/input-folders.ts';
import { labelColumns } from '../spreadsheet/label-columns.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { openRows } from '../spreadsheet/read-rows.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { haveSameRows } from '../spreadsheet/table-files.ts';
import {
  findJob,
  isShown,
  type JobRow,
  optionsOf,
  type StoredOptions,
  storeOptions,
} from './job.table.ts';
import { presentJob } from './present-job.ts';
import { listGivenColumns } from './preview/try-rows.ts';
import { checkNewSince } from './repeats/check-new-since.ts';
import { requireWhole } from './require-whole.ts';
import { checkPreset } from './results/crm-table.ts';
import { requireJob } from './results/read-result.ts';
import type { JobRouteDeps } from './route-deps.ts';

interface Order {
  readonly accountId: number;
  readonly codes: readonly LayerCode[];
  readonly mapping: ColumnMapping;
  readonly options: StoredOptions;
  readonly input: Pick<PreparedInput, 'dir' | 'headers' | 'rowCount'>;
}

/** Jobs with as many rows that are compared, the newest first. */
const comparedMax = 20;

/** The newest job of the same rows and order that has not failed and was not cancelled, or null. */
function findSameJob(
  database: ReadableDatabase,
  folder: string,
  { accountId, codes, mapping, options, input }: Order,
): JobRow | null {
  let before = Number.MAX_SAFE_INTEGER;
  for (let count = 0; count < comparedMax; count++) {
    const job = findJob(
      database,
      `WHERE account_id = ? AND ${isShown} AND total_rows = ? AND id < ?
       AND status IN ('queued', 'running', 'completed') ORDER BY id DESC LIMIT 1`,
      accountId,
      input.rowCount,
      before,
    );
    if (!job) return null;
    before = job.id;
    const isSame =
      isDeepStrictEqual(
        [job.codes, job.mapping, job.headers, optionsOf(job)],
        [codes, mapping, input.headers, options],
      ) && haveSameRows(jobDir(folder, job.uuid), input.dir);
    if (isSame) return job;
  }
  return null;
}

/**
 * Whether the result of a completed job was never saved: the audit log has its start and no export.
 * Of an older job than the log, nothing is known.
 */
function isUnsaved(database: ReadableDatabase, { uuid, status }: JobRow): boolean {
  if (status !== 'completed') return false;
  const { started, saved } = statement<{ started: number; saved: number }>(
    database,
    `SELECT count(*) FILTER (WHERE action = 'job_started') AS started,
       count(*) FILTER (WHERE action = 'result_exported') AS saved
     FROM audit_entry WHERE subject = ? AND action IN ('job_started', 'result_exported')`,
  ).get(uuid)!;
  return started > 0 && saved === 0;
}

const spreadsheet = { files: ['file'], bytesMax: csvUploadBytesMax };

/** A file on this machine that the app named. Throws `validation_error` if it cannot be read. */
async function findFile(path: string): Promise<SourceFile> {
  if (!isAbsolute(path)) throw invalid(`path: ${path} must be absolute.`);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw invalid(`The file ${path} does not exist. Choose the file again.`);
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isReadable) throw invalid(`${path} cannot be read. Check its permissions.`);
  if (found.size > csvUploadBytesMax)
    throw invalid(
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

const uploadHandlers = (context: JobRouteDeps): Handlers<typeof uploadCalls> => {
  const { uploads, environment } = context;
  /** Decodes a file and keeps it, unless the client disconnects first. */
  const keep = (file: SourceFile, request: FastifyRequest) =>
    context.tasks.run(uploads.keep(file, whenClientLeaves(request)));
  const keepPath = async (request: FastifyRequest) => {
    const { path, ...reading } = parseWith(UploadPathSchema, request.body);
    return keep({ ...(await findFile(path)), reading }, request);
  };
  return {
    async add(_input, { request }) {
      const { upload } = request.isMultipart()
        ? await withForm(context, request, spreadsheet, (form) => {
            const file = form.files.get('file');
            if (!file)
              throw new EngineError('bad_rows', 'Send the spreadsheet as the part `file`.');
            return keep({ ...file, reading: readReading(form) }, request);
          })
        : await keepPath(request);
      return upload;
    },
    async addSample(_input, { request }) {
      const path = sampleFiles().contacts;
      return (await keep({ path, fileName: basename(path) }, request)).upload;
    },
    async addOfJob({ job_id }, { accountId }) {
      const job = requireWhole(requireJob(environment, accountId, job_id));
      const { folder } = environment;
      requireInput(folder, job.uuid, job.totalRows);
      const table = { dir: jobDir(folder, job.uuid), upload: describeRows(job) };
      const { upload } = await context.tasks.run(uploads.copy(table));
      return { ...upload, mapping: job.mapping };
    },
    join: async ({ upload_ids }) => (await context.tasks.run(uploads.join(upload_ids))).upload,
    get: async ({ upload_id }) => (await uploads.find(upload_id)).upload,
    async remove({ upload_id }) {
      await uploads.find(upload_id);
      await uploads.remove(upload_id);
      return { upload_id };
    },
    async check({ upload_id, mapping }) {
      const { upload, input } = await uploads.find(upload_id);
      checkColumnMapping(upload.headers, mapping);
      const found = await environment.reader.checkRows({ dir: input.dir, mapping });
      return {
        no_identity: found.rowsWithoutIdentity,
        duplicates: found.duplicateRows,
        examples: [...found.examples],
      };
    },
    async rows({ upload_id, offset, limit }) {
      const { input } = await uploads.find(upload_id);
      const rows = openRows(input.dir);
      try {
        return { rows: rows.readRange(offset, limit) };
      } finally {
        rows.close();
      }
    },
  };
};

/** The table of a job as that of an upload: without a file and what reading it asked. */
function describeRows({ fileName, title, totalRows, headers }: JobRow) {
  return {
    file_name: fileName ?? `${title || 'list'}.csv`,
    kind: 'csv' as const,
    encoding: 'utf-8',
    delimiter: ',',
    bytes: 0,
    row_count: totalRows,
    headers,
    labels: labelColumns(headers),
    warnings: [],
    reading: {
      sheet: null,
      sheets: [],
      header: true,
      header_line: null,
      letters: { is_sure: true, sample: '', others: [] },
      first_row_is_contact: false,
      extra_cells: 'refuse' as const,
      wide_count: 0,
      wide_lines: [],
      other_count: 0,
      other_lines: [],
    },
  };
}

const newJobHandlers = (context: JobRouteDeps): Handlers<typeof newJobs> => {
  const { uploads, environment } = context;
  async function findRows(
    body: Pick<
      Given<typeof newJobs.estimate>,
      'upload_id' | 'mapping' | 'leave_out' | 'corrections'
    >,
  ) {
    const kept = await uploads.find(body.upload_id);
    const { upload } = kept;
    const mapping = body.mapping ?? upload.mapping;
    checkColumnMapping(upload.headers, mapping);
    return {
      kept,
      upload,
      mapping,
      input: await uploads.revise(kept, mapping, body),
    };
  }
  return {
    async estimate(body, { accountId, request }) {
      const { kept, upload, mapping, input } = await findRows(body);
      const newSince = body.new_since;
      checkNewSince(environment.database, accountId, newSince);
      const layers = resolveLayers(environment.database, accountId, body.selected_layers);
      const price = estimate(environment.database, spenderOf(request), layers, input.rowCount);
      const { dir } = input;
      const { codes } = layers;
      // The upload has counted them for the columns that it recognised.
      const isRecognised = input === kept.input && isDeepStrictEqual(mapping, upload.mapping);
      const { sampleRepeats } = kept;
      const repeats =
        isRecognised && sampleRepeats
          ? { duplicateRows: upload.duplicate_rows, sampleRepeats }
          : undefined;
      const at = new Date(context.now()).toISOString();
      const question = { accountId, dir, mapping, codes, repeats, newSince, at };
      return { ...price, preview: await environment.reader.previewRows(question) };
    },
    async tryRows(body, { accountId }) {
      // The tried rows are known by their numbers in the file.
      const whole = Object.assign({}, body, { leave_out: [] });
      const { upload, mapping, input } = await findRows(whole);
      const { codes } = resolveLayers(environment.database, accountId, body.selected_layers);
      const rows = await environment.reader.tryRows({ accountId, dir: input.dir, mapping, codes });
      const columns = listGivenColumns(mapping).map((column) => upload.labels[column] ?? '');
      return { columns, rows };
    },
    async findSame(body, { accountId }) {
      const { upload, mapping, input } = await findRows(body);
      const { headers, first_rows: firstRows } = upload;
      if (body.preset)
        checkPreset(body.preset, { headers, mapping }, firstRows, environment.directoryDatabase);
      const { codes } = resolveLayers(environment.database, accountId, body.selected_layers);
      const options = storeOptions(JobOptionsSchema.parse(body));
      const order = { accountId, codes, mapping, options, input };
      const job = findSameJob(environment.database, environment.folder, order);
      const is_unsaved = job !== null && isUnsaved(environment.database, job);
      return { job: job && presentJob(job), is_unsaved };
    },
    async submit(body, { accountId, caller, reply, request }) {
      const { upload, mapping, input } = await findRows(body);
      const { idempotency_key: key } = body;
      const { data, replayed } = await environment.writer.submitJob({
        accountId,
        keyId: null,
        selection: body.selected_layers,
        title: body.title ?? upload.file_name,
        fileName: upload.file_name,
        input,
        mapping,
        idempotency: key ? { keyScope: caller.keyScope, key } : idempotencyOf(request),
        options: JobOptionsSchema.parse(body),
      });
      if (replayed) reply.code(200);
      return data;
    },
  };
};

export function addUploadRoutes(server: ApiServer, context: JobRouteDeps): void {
  serve(server, context, uploadCalls, uploadHandlers(context));
  serve(server, context, newJobs, newJobHandlers(context));
}
