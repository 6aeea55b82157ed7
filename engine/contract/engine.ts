// The engine at /app/v1: the session, the state of the app, backup and doctor.
import { z } from 'zod';
import { AccountSchema } from './accounts.ts';
import { DirectoryStatsSchema } from './directory.ts';
import { endpoints } from './endpoints.ts';
import { environmentNames } from './ids.ts';
import { WalletSchema } from './ledger.ts';

export const OpenCodeSchema = z.object({ code: z.string().min(1) });

/** Answer of POST /app/v1/session: the value for the X-Desk-Session header. */
export const SessionSchema = z.object({ token: z.string() });

export const ReadOnlySchema = z.object({
  reason: z.enum(['disk_full', 'damaged']),
  detail: z.string().describe('What is still possible, and what to do.'),
});
export type ReadOnly = z.infer<typeof ReadOnlySchema>;

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
  read_only: ReadOnlySchema.nullable(),
  sample: z.object({ loaded: z.boolean(), import_id: z.int().nullable() }),
});

export type AppState = z.infer<typeof AppStateSchema>;

export const engineCalls = endpoints('engine', {
  state: { app: 'GET /app/v1/state', answer: AppStateSchema },
});
