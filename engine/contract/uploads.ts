// Uploaded spreadsheets at /app/v1/uploads, and the mapping of their columns.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { mappedNames } from './jobs/row-input.ts';
import { joinedFilesMax } from './limits/uploads.ts';
import { ReadingSchema, ReadListSchema, RowsCheckSchema } from './reading/reading.ts';
import { limitText, wholeNumberText } from './whole-number.ts';

const uploadKinds = [
  'csv',
  'xlsx',
  'json',
  'ods',
  'xml',
  'html',
  'vcard',
  'parquet',
  'mailboxes',
] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** Fields whose values are told by their form, and what such values are called. */
export const suggestedWords = {
  email: 'emails',
  profile_url: 'profile URLs',
  company_name: 'companies',
  full_name: 'full names',
} as const;
const suggestedFields = Object.keys(suggestedWords) as (keyof typeof suggestedWords)[];

export const UploadSchema = z.object({
  upload_id: UuidSchema,
  file_name: z.string(),
  kind: z.enum(uploadKinds),
  files: z
    .array(z.object({ name: z.string(), row_count: z.int() }))
    .describe('The file, or the files that were joined, in order.'),
  encoding: z.string(),
  delimiter: z.string(),
  bytes: z.int().describe('Of the file; 0 for the list of a job.'),
  row_count: z.int(),
  headers: z.array(z.string()),
  labels: z.array(z.string()).describe('Headers for display, made unique and never empty.'),
  first_rows: z.array(z.array(z.string())),
  mapping: z.partialRecord(z.enum(mappedNames), z.int()).describe('Recognised columns.'),
  full_name_column: z
    .int()
    .nullable()
    .describe('The column of full names, which is mapped to the first name and split.'),
  suggestions: z
    .array(z.object({ column: z.int(), field: z.enum(suggestedFields) }))
    .describe('Unused columns whose values look like those of a field without a column.'),
  rows_without_identity: z
    .int()
    .describe('Rows without an email, a profile URL, a name or a company.'),
  duplicate_rows: z.int().describe('Rows with the same text as an earlier row; free.'),
  warnings: z.array(
    z.object({ line: z.int().nullable(), column: z.string().optional(), message: z.string() }),
  ),
  reading: ReadListSchema,
  expires_at: TimestampSchema,
});

export type Upload = z.infer<typeof UploadSchema>;

/** Body of POST /app/v1/uploads with a path instead of a file (desktop and command line). */
export const UploadPathSchema = ReadingSchema.extend({ path: z.string().min(1) });

/** Body of POST /app/v1/uploads/join: uploads with the same columns become one. */
const JoinUploadsSchema = z.object({
  upload_ids: z.array(UuidSchema.toLowerCase()).min(2).max(joinedFilesMax),
});

export const ColumnMappingSchema = z.partialRecord(z.enum(mappedNames), z.int().min(0));

/** The id in an upload's path, in any case. */
const UploadParamsSchema = z.object({ upload_id: UuidSchema.toLowerCase() });

export const uploads = endpoints('uploads', {
  /** Decodes a file of this machine, or one in a form. */
  add: {
    app: 'POST /app/v1/uploads',
    isRepeatable: true,
    body: UploadPathSchema,
    form: ReadingSchema,
    isReadByHandler: true,
    answer: UploadSchema,
    statuses: [201],
  },
  addSample: { app: 'POST /app/v1/uploads/sample', answer: UploadSchema, statuses: [201] },
  join: {
    app: 'POST /app/v1/uploads/join',
    body: JoinUploadsSchema,
    answer: UploadSchema,
    statuses: [201],
  },
  /** The rows of a job, with its columns, to be chosen for again. */
  addOfJob: {
    app: 'POST /app/v1/jobs/:job_id/upload',
    params: z.object({ job_id: UuidSchema.toLowerCase() }),
    answer: UploadSchema,
    statuses: [201],
  },
  get: { app: 'GET /app/v1/uploads/:upload_id', params: UploadParamsSchema, answer: UploadSchema },
  remove: {
    app: 'DELETE /app/v1/uploads/:upload_id',
    params: UploadParamsSchema,
    answer: UploadParamsSchema,
  },
  check: {
    app: 'POST /app/v1/uploads/:upload_id/check',
    params: UploadParamsSchema,
    body: z.object({ mapping: ColumnMappingSchema }),
    answer: RowsCheckSchema,
  },
  rows: {
    app: 'GET /app/v1/uploads/:upload_id/rows',
    params: UploadParamsSchema,
    query: z.object({ limit: limitText(100), offset: wholeNumberText(0).default(0) }),
    answer: z.object({ rows: z.array(z.array(z.string())) }),
    isLong: true,
  },
});
