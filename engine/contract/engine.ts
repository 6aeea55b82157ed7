/** The engine at /app/v1: the session, the state of the app, backup and doctor. */

import { z } from 'zod';
import { AccountSchema } from './accounts.ts';
import { DirectoryStatsSchema } from './directory.ts';
import { environmentNames, TimestampSchema } from './ids.ts';
import { WalletSchema } from './ledger.ts';

/** Body of POST /app/v1/session: the code of a one-time link. */
export const OpenCodeSchema = z.object({ code: z.string().min(1) });

/** Answer of POST /app/v1/session: the value for the X-Desk-Session header. */
export const SessionSchema = z.object({ token: z.string() });

/** Body of POST /app/v1/backup: a path on this machine. */
export const BackupRequestSchema = z.object({ path: z.string().min(1) });

/** Answer of POST /app/v1/backup. */
export const BackupReportSchema = z.object({
  path: z.string(),
  bytes: z.int(),
  files: z.int(),
  created_at: TimestampSchema,
});

/** One check of `doctor`. */
export const CheckSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'wrong']),
  detail: z.string(),
});

export type Check = z.infer<typeof CheckSchema>;

/** Answer of GET /app/v1/state: what the sidebar and the first screen show. */
export const AppStateSchema = z.object({
  version: z.string(),
  environment: z.enum(environmentNames),
  url: z.string().nullable(),
  port: z.int().nullable(),
  account: AccountSchema,
  wallet: WalletSchema,
  directory: DirectoryStatsSchema,
  running_jobs: z.int(),
  fault: z.string().nullable().describe('The part of the engine that is not running, or null.'),
  sample: z.object({ loaded: z.boolean(), import_id: z.int().nullable() }),
});

export type AppState = z.infer<typeof AppStateSchema>;
