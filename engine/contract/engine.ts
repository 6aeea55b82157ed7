/** The engine at /app/v1: the session, the state of the app, backup and doctor. */

import { z } from 'zod';
import { AccountSchema } from './accounts.ts';
import { DirectoryStatsSchema } from './directory.ts';
import { endpoints } from './endpoints.ts';
import { environmentNames, TimestampSchema, UuidSchema } from './ids.ts';
import { WalletSchema } from './ledger.ts';

/** Body of POST /app/v1/session: the code of a one-time link. */
export const OpenCodeSchema = z.object({ code: z.string().min(1) });

/** Answer of POST /app/v1/session: the value for the X-Desk-Session header. */
export const SessionSchema = z.object({ token: z.string() });

/** Answer of POST /app/v1/session-links: a one-time link to the interface. */
export const OpenLinkSchema = z.object({ open_url: z.string() });

/** A browser that may use the app, in the answer of GET /app/v1/sessions. */
export const BrowserSessionSchema = z.object({
  id: UuidSchema,
  /** Such as "Firefox on Linux". */
  browser: z.string(),
  opened_at: TimestampSchema,
  /** At most an hour old while the browser is in use. */
  last_used_at: TimestampSchema,
  /** Whether this browser sent the request. */
  is_current: z.boolean(),
});
export type BrowserSession = z.infer<typeof BrowserSessionSchema>;

/** Why an environment refuses writes. */
export const ReadOnlySchema = z.object({
  reason: z.enum(['disk_full', 'damaged']),
  detail: z.string().describe('What is still possible, and what to do.'),
});
export type ReadOnly = z.infer<typeof ReadOnlySchema>;

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
  read_only: ReadOnlySchema.nullable(),
  sample: z.object({ loaded: z.boolean(), import_id: z.int().nullable() }),
});

export type AppState = z.infer<typeof AppStateSchema>;

/** The calls about browsers that use the app. */
export const sessions = endpoints('sessions', {
  link: { app: 'POST /app/v1/session-links', answer: OpenLinkSchema },
  list: { app: 'GET /app/v1/sessions', answer: z.array(BrowserSessionSchema) },
  close: {
    app: 'DELETE /app/v1/sessions/:id',
    params: z.object({ id: UuidSchema }),
    answer: z.object({ id: UuidSchema }),
  },
});

/** The calls about the engine itself. */
export const engineCalls = endpoints('engine', {
  state: { app: 'GET /app/v1/state', answer: AppStateSchema },
});
