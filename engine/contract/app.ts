/**
 * What only the interface and the command line may do: /app/v1 (uploads, rows, keys, wallet,
 * directory, events).
 */

import { z } from 'zod';
import { MonitorJobSchema } from './career-monitor.ts';
import { CreditsSchema } from './credits.ts';
import { DirectoryStatsSchema, ImportOptionsSchema, ImportReportSchema } from './directory.ts';
import { TimestampSchema, UuidSchema, worldNames } from './ids.ts';
import { ResultRowSchema, rowStatuses, StatusDataSchema } from './job.ts';
import { LayerCodeSchema } from './layers.ts';
import {
  keyRequestsPerMinuteMax,
  labelCharactersMax,
  stdioNameCharactersMax,
  titleCharactersMax,
} from './limits.ts';
import { PipelineSchema } from './pipeline.ts';
import { PipelineProgressSchema } from './pipeline-progress.ts';
import { rowInputFields } from './row-input.ts';
import { limitText, wholeNumberText } from './whole-number.ts';

/** An upload that was read, decoded and is ready to be estimated or submitted. */
export const UploadSchema = z.object({
  upload_id: UuidSchema,
  file_name: z.string(),
  kind: z.enum(['csv', 'xlsx']),
  encoding: z.string(),
  delimiter: z.string(),
  bytes: z.int(),
  row_count: z.int(),
  headers: z.array(z.string()),
  labels: z.array(z.string()).describe('Headers made unique and never empty, for showing.'),
  first_rows: z.array(z.array(z.string())),
  mapping: z.partialRecord(z.enum(rowInputFields), z.int()).describe('Recognised columns.'),
  rows_without_identity: z.int().describe('Rows with neither email, profile URL nor name.'),
  duplicate_rows: z.int().describe('Rows that name the same contact as an earlier row.'),
  warnings: z.array(
    z.object({ line: z.int(), column: z.string().optional(), message: z.string() }),
  ),
  expires_at: TimestampSchema,
});
/** An upload that is ready. */
export type Upload = z.infer<typeof UploadSchema>;

/** Body of POST /app/v1/uploads where the file is named by path (desktop and command line). */
export const UploadPathSchema = z.object({ path: z.string().min(1) });

/** Column indices by row field, as the columns step leaves them. */
export const ColumnMappingSchema = z.partialRecord(z.enum(rowInputFields), z.int().min(0));

/** Body of POST /app/v1/estimate and the shared part of POST /app/v1/jobs. */
export const UploadJobSchema = z.object({
  upload_id: UuidSchema,
  selected_layers: z.array(z.string()).min(1),
  mapping: ColumnMappingSchema.optional(),
});
/** Body of POST /app/v1/jobs: enrich an upload. */
export const SubmitUploadSchema = UploadJobSchema.extend({
  title: z.string().max(titleCharactersMax).optional(),
  idempotency_key: z.string().max(255).optional(),
});

/** One row of the grid: what was given beside what was found. */
export const GridRowSchema = z.object({
  input: z.array(z.string()),
  result: ResultRowSchema.nullable().describe('null while the row has not been reached.'),
});
/** One row of the grid. */
export type GridRow = z.infer<typeof GridRowSchema>;
/** Answer of GET /app/v1/jobs/{id}/rows: any slice, also while the job runs. */
export const GridPageSchema = z.object({
  job: StatusDataSchema,
  headers: z.array(z.string()),
  count: z.int(),
  offset: z.int(),
  rows: z.array(GridRowSchema),
});
/** A slice of the grid. */
export type GridPage = z.infer<typeof GridPageSchema>;
/** Query of GET /app/v1/jobs/{id}/rows. */
export const GridQuerySchema = z.object({
  limit: limitText(100),
  offset: wholeNumberText(0).default(0),
  status: z.enum(rowStatuses).optional(),
});

/** Body of POST /app/v1/jobs/{id}/export: writes a file here, or asks for a download ticket. */
export const ExportRequestSchema = z.object({
  path: z.string().min(1).optional().describe('Write the CSV to this path; else a ticket.'),
  status: z.enum(rowStatuses).optional(),
  for_excel: z.boolean().default(false).describe('UTF-8 with BOM.'),
  protect_all: z.boolean().default(false).describe('Protect the own cells from formulas too.'),
});
/** Answer of POST /app/v1/jobs/{id}/export. */
export const ExportAnswerSchema = z.object({
  path: z.string().nullable(),
  download_url: z.string().nullable().describe('One-time address, valid for a minute.'),
  file_name: z.string(),
  rows: z.int(),
});
/** Answer of an export. */
export type ExportAnswer = z.infer<typeof ExportAnswerSchema>;

/** A customer account. */
export const AccountSchema = z.object({
  id: UuidSchema,
  name: z.string(),
  charge_policy: z.enum(['row', 'layers_found']),
  match_threshold: z.number().min(0).max(1),
  created_at: TimestampSchema,
});
/** A customer account. */
export type Account = z.infer<typeof AccountSchema>;
/** Body of POST /app/v1/accounts. */
export const NewAccountSchema = z.object({
  name: z.string().trim().min(1).max(labelCharactersMax),
});
/** Body of PATCH /app/v1/accounts/{id}. */
export const AccountChangeSchema = z.object({
  name: NewAccountSchema.shape.name.optional(),
  charge_policy: z.enum(['row', 'layers_found']).optional(),
  match_threshold: z.number().min(0.5).max(1).optional(),
});

/** An API key; the key itself is shown once, when it is made. */
export const KeySchema = z.object({
  id: UuidSchema,
  label: z.string(),
  prefix: z.string(),
  created_at: TimestampSchema,
  last_used_at: TimestampSchema.nullable(),
  revoked_at: TimestampSchema.nullable(),
  requests_per_minute: z.int().describe('Requests in any 60 seconds.'),
  cap_per_day: CreditsSchema.nullable().describe('What it may spend a day (UTC); null: no cap.'),
  cap_per_month: CreditsSchema.nullable().describe('The same for a month (UTC).'),
  cap_per_call: CreditsSchema.nullable().describe('The most that one request may cost; or null.'),
  ask_above: CreditsSchema.nullable().describe(
    'A person is asked about a request that would cost more; null: never.',
  ),
  self_approval: z.boolean().describe('Whether its client may ask the person itself.'),
  spent_today: CreditsSchema.describe('Charges and holds of today; an ended job as settled.'),
  spent_this_month: CreditsSchema,
});
/** An API key. */
export type Key = z.infer<typeof KeySchema>;
const CapSchema = z.string().or(z.number()).nullable().describe('Credits; null for no cap.');
/** Body of POST /app/v1/keys. */
export const NewKeySchema = z.object({
  label: z.string().trim().min(1).max(labelCharactersMax),
  requests_per_minute: z.int().min(1).max(keyRequestsPerMinuteMax).optional(),
  cap_per_day: CapSchema.optional(),
  cap_per_month: CapSchema.optional(),
  cap_per_call: CapSchema.optional(),
  ask_above: CapSchema.optional(),
  self_approval: z.boolean().optional(),
});
/** Body of PATCH /app/v1/keys/{id}: what is left out stays as it is. */
export const KeyChangeSchema = NewKeySchema.partial();
/** Answer of POST /app/v1/keys. */
export const CreatedKeySchema = z.object({ id: UuidSchema, key: z.string(), label: z.string() });

/** Body of POST /app/v1/stdio-clients: an assistant, by the name that it gives itself. */
export const StdioClientSchema = z.object({
  name: z.string().trim().min(1).max(stdioNameCharactersMax),
});
/** Answer of POST /app/v1/stdio-clients: the key by which the assistant acts. */
export const AdmittedClientSchema = z.object({ key_id: UuidSchema });

/** A wallet's balance. */
export const WalletSchema = z
  .object({
    available: CreditsSchema,
    held: CreditsSchema,
    spent: CreditsSchema,
  })
  .meta({
    id: 'Wallet',
    examples: [{ available: '9997.0000', held: '3.0000', spent: '0.0000' }],
  });
/** A wallet's balance. */
export type Wallet = z.infer<typeof WalletSchema>;
/** One row of the ledger. */
export const LedgerEntrySchema = z.object({
  id: z.int(),
  kind: z.enum(['grant', 'hold', 'settle', 'release', 'charge']),
  amount: CreditsSchema,
  hold_id: z.int().nullable(),
  reference: z.string(),
  at: TimestampSchema,
  key_id: UuidSchema.nullable().describe('The API key that caused it; null: the app itself.'),
  key_label: z.string().nullable(),
  person_name: z
    .string()
    .nullable()
    .describe('Whose value was paid for, as the directory names them now; null otherwise.'),
});
/** One row of the ledger. */
export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;
/** Answer of GET /app/v1/wallet/entries: newest first. */
export const LedgerPageSchema = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(LedgerEntrySchema),
});
/** Body of POST /app/v1/wallet/grants. */
export const GrantSchema = z.object({
  credits: z
    .string()
    .or(z.number())
    .meta({ examples: ['500'] }),
});
/** Body of PUT /app/v1/rates/{code}. */
export const RateChangeSchema = z.object({
  price: z.string().optional(),
  active: z.boolean().optional(),
});
/** The account's rate card. */
export const RateSchema = z.object({
  code: LayerCodeSchema.or(z.literal('email_validation')),
  label: z.string(),
  price: CreditsSchema,
  active: z.boolean(),
});
/** What one thing costs the account. */
export type Rate = z.infer<typeof RateSchema>;

/** Body of POST /app/v1/directory/imports: files on this machine. */
export const ImportPathsSchema = ImportOptionsSchema.extend({
  people_path: z.string().min(1).optional(),
  companies_path: z.string().min(1).optional(),
});

/** Answer of POST /app/v1/directory/imports and /sample: it goes on; events tell the rest. */
export const TaskStartedSchema = z.object({ task: z.literal('import') });
/** Query of what can be waited for: with `wait=1` the answer is the final report. */
export const WaitQuerySchema = z.object({ wait: z.enum(['0', '1']).default('0') });
/** Body of POST /app/v1/directory/match-companies: files on this machine. */
export const MatchCompaniesSchema = z.object({
  path: z.string().min(1),
  out_path: z.string().min(1),
});
/** Answer of POST /app/v1/directory/match-companies. */
export const MatchedCompaniesSchema = z.object({ rows: z.int(), matched: z.int() });

/** Body of POST /app/v1/session: the code of a one-time link. */
export const OpenCodeSchema = z.object({ code: z.string().min(1) });
/** Answer of POST /app/v1/session: what X-Desk-Session is to carry. */
export const SessionSchema = z.object({ token: z.string() });

/** Body of POST /app/v1/backup: a file on this machine. */
export const BackupRequestSchema = z.object({ path: z.string().min(1) });
/** Answer of POST /app/v1/backup. */
export const BackupReportSchema = z.object({
  path: z.string(),
  bytes: z.int(),
  files: z.int(),
  created_at: TimestampSchema,
});

/** What `doctor` looked at. */
export const CheckSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'wrong']),
  detail: z.string(),
});
/** What `doctor` looked at. */
export type Check = z.infer<typeof CheckSchema>;

/** Answer of GET /app/v1/state: what the rail and the first screen show. */
export const AppStateSchema = z.object({
  version: z.string(),
  world: z.enum(worldNames),
  url: z.string().nullable(),
  port: z.int().nullable(),
  account: AccountSchema,
  wallet: WalletSchema,
  directory: DirectoryStatsSchema,
  running_jobs: z.int(),
  fault: z.string().nullable().describe('Which part of the engine does not run; or null.'),
  sample: z.object({ loaded: z.boolean(), import_id: z.int().nullable() }),
});
/** What the rail and the first screen show. */
export type AppState = z.infer<typeof AppStateSchema>;

/** How far a long task of the directory has come. */
export const TaskProgressSchema = z.object({
  task: z.enum(['import', 'undo', 'index', 'upload', 'export']),
  label: z.string(),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.enum(['rows', 'bytes', 'people']),
});
/** How far a long task has come. */
export type TaskProgress = z.infer<typeof TaskProgressSchema>;

/** An event of /app/v1/events, one `data:` line of JSON each. */
export const AppEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('job'),
    job: StatusDataSchema,
    rows_per_second: z.number(),
    seconds_left: z.number().nullable(),
    charged_so_far: CreditsSchema,
    waiting: z.string().nullable().describe('Why the job stands still, and what to do; or null.'),
  }),
  z.object({ type: z.literal('wallet'), wallet: WalletSchema }),
  z.object({ type: z.literal('directory'), directory: DirectoryStatsSchema }),
  z.object({ type: z.literal('task'), progress: TaskProgressSchema }),
  z.object({ type: z.literal('import'), report: ImportReportSchema }),
  z.object({ type: z.literal('monitor-job'), job: MonitorJobSchema }),
  z.object({ type: z.literal('authorizations') }).describe('A program asks, or was answered.'),
  z.object({
    type: z.literal('pipeline'),
    pipeline: PipelineSchema,
    progress: PipelineProgressSchema,
  }),
  z.object({ type: z.literal('assistants') }).describe('An assistant did or asks something.'),
  z.object({ type: z.literal('monitors') }).describe('A monitor was made, changed or deleted.'),
]);
/** An event of /app/v1/events. */
export type AppEvent = z.infer<typeof AppEventSchema>;
