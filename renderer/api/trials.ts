/** Free trials of an upload. */
import type { z } from 'zod';
import { type NewTrialSchema, TrialSchema } from '../../engine/contract/jobs/trials.ts';
import { call } from './client.ts';

/** Answers ten rows of an upload from the directory. Charges and stores nothing. */
export const tryRows = (body: z.input<typeof NewTrialSchema>, signal: AbortSignal) =>
  call(TrialSchema, '/app/v1/trials', { method: 'POST', body, signal });
