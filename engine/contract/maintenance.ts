// Backups, restores and checks of the data folder.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema } from './ids.ts';

/** Body of POST /app/v1/backup: a path on this machine. */
export const BackupRequestSchema = z.object({ path: z.string().min(1) });

export const BackupReportSchema = z.object({
  path: z.string(),
  bytes: z.int(),
  files: z.int(),
  created_at: TimestampSchema,
  counts: z.record(z.string(), z.int()).describe('Rows of the most important tables.'),
  damage: z.array(z.string()).describe('What is wrong with the databases; empty if nothing is.'),
});
export type BackupReport = z.infer<typeof BackupReportSchema>;

export const automaticReasons = ['migration', 'update', 'repair'] as const;
export type AutomaticReason = (typeof automaticReasons)[number];

export const AutomaticBackupRequestSchema = z.object({ reason: z.literal('update') });

/** A backup that the engine made by itself, in the answer of GET /app/v1/backups. */
export const AutomaticBackupSchema = z.object({
  path: z.string(),
  reason: z.enum(automaticReasons),
  made_at: TimestampSchema,
  bytes: z.int(),
});
export type AutomaticBackup = z.infer<typeof AutomaticBackupSchema>;

export const RestoreRequestSchema = z.object({ path: z.string().min(1) });

export const RestoreReportSchema = z.object({
  data_dir: z.string().describe('The data folder that now holds the backup.'),
  kept_as: z.string().nullable().describe('The former content; null if there was none.'),
  files: z.int(),
  created_at: TimestampSchema.describe('When the backup was made.'),
  suppressions_kept: z
    .int()
    .nullable()
    .describe('Added to the list of the backup; null if the former list could not be read.'),
  receipts_kept: z
    .int()
    .nullable()
    .describe(
      'Receipts of deleted people that were added; null if the former ones could not be read, or ' +
        'are of another data folder.',
    ),
  deletions_since: z
    .array(z.string())
    .describe('Receipts of people who were deleted since the backup. It may have them again.'),
  people_to_delete: z
    .array(z.string())
    .describe('Ids of deleted people that it has, as far as the receipts tell.'),
  audit_entries_kept: z.int().describe('Entries that were added to the log of the backup.'),
  audit_entries_lost: z
    .int()
    .nullable()
    .describe('Entries that only the log in `kept_as` has; null if it could not be read.'),
});
export type RestoreReport = z.infer<typeof RestoreReportSchema>;

export const RestoreStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('running'), pid: z.int().describe('The process that restores.') }),
  z.object({ state: z.literal('done'), report: RestoreReportSchema }),
  z.object({ state: z.literal('failed'), error: z.string(), detail: z.string() }),
]);
export type RestoreState = z.infer<typeof RestoreStateSchema>;

export const CheckSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'wrong']),
  detail: z.string(),
});

export type Check = z.infer<typeof CheckSchema>;

export interface RepairFinding {
  /** The repair, such as "Index files". */
  readonly repair: string;
  readonly finding: string;
  readonly action: string;
  readonly can: boolean;
}

export interface RepairReport {
  /** The backup that was made before; null if nothing was changed. */
  readonly backup: string | null;
  readonly repaired: RepairFinding[];
  readonly left: RepairFinding[];
}

export const maintenanceCalls = endpoints('maintenance', {
  doctor: { app: 'GET /app/v1/doctor', answer: z.array(CheckSchema) },
  backUp: { app: 'POST /app/v1/backup', body: BackupRequestSchema, answer: BackupReportSchema },
  backups: { app: 'GET /app/v1/backups', answer: z.array(AutomaticBackupSchema) },
  backUpBefore: {
    app: 'POST /app/v1/backups',
    body: AutomaticBackupRequestSchema,
    answer: BackupReportSchema,
  },
  restoreState: { app: 'GET /app/v1/restore', answer: RestoreStateSchema },
  restore: {
    app: 'POST /app/v1/restore',
    body: RestoreRequestSchema,
    answer: RestoreStateSchema,
    statuses: [202],
  },
});
