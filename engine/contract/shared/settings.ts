// The shared directory of a team as a setting of an environment (/app/v1/shared-directory).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema } from '../ids.ts';
import { sharedAddressCharactersMax } from './limits.ts';

export const sharedProblems = [
  'unreachable',
  'password',
  'login',
  'certificate',
  'database',
  'rights',
  'empty',
  'older',
  'format',
  'secrets',
] as const;
export type SharedProblem = (typeof sharedProblems)[number];

export const SharedDirectorySchema = z.object({
  /** Null: there is none. It has no password. */
  address: z.string().nullable(),
  is_on: z.boolean(),
  has_secret: z.boolean(),
  matches_here: z.boolean(),
  set_at: TimestampSchema.nullable(),
});
export type SharedDirectory = z.infer<typeof SharedDirectorySchema>;

/** A new address, or a switch. What is not given is kept for the same address. */
export const SharedDirectoryChangeSchema = z.strictObject({
  address: z.string().trim().min(1).max(sharedAddressCharactersMax),
  password: z.string().min(1).max(1_000).optional(),
  /** The secret of the keys: the text of the team's secret file. */
  secret: z
    .string()
    .trim()
    .regex(/^[0-9a-f]{32}$/i, 'The secret has 32 digits and letters from a to f.')
    .optional(),
  is_on: z.boolean().optional(),
  matches_here: z.boolean().optional(),
});
export type SharedDirectoryChange = z.infer<typeof SharedDirectoryChangeSchema>;

/** What the worker of this engine does. `refused`: see its detail; it is tried again. */
export const ownWorkerStates = ['off', 'starting', 'running', 'refused'] as const;

/** What a test finds. Numbers are null if the server was not reached, or does not say. */
export const SharedTestSchema = z.object({
  is_ready: z.boolean(),
  problem: z.enum(sharedProblems).nullable(),
  detail: z.string(),
  /** How long the server took to answer one question. */
  answer_ms: z.number().nullable(),
  people: z.int().nullable(),
  generation: z.int().nullable(),
  /** Workers that are connected now. */
  workers: z.int().nullable(),
  /** Batches that no worker has answered yet, and for how long the oldest has waited. */
  waiting_batches: z.int().nullable(),
  lag_seconds: z.number().nullable(),
  own_worker: z.object({ state: z.enum(ownWorkerStates), detail: z.string().nullable() }),
});
export type SharedTest = z.infer<typeof SharedTestSchema>;

export const sharedDirectory = endpoints('sharedDirectory', {
  read: { app: 'GET /app/v1/shared-directory', answer: SharedDirectorySchema },
  change: {
    app: 'PUT /app/v1/shared-directory',
    body: SharedDirectoryChangeSchema,
    answer: SharedDirectorySchema,
  },
  remove: { app: 'DELETE /app/v1/shared-directory', answer: SharedDirectorySchema },
  test: {
    app: 'POST /app/v1/shared-directory/tests',
    answer: z.object({ test: SharedTestSchema.nullable() }),
  },
});
