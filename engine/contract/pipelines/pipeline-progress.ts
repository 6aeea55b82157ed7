/** How far a pipeline is, step by step: what its events carry beside its record. */
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { pipelineKinds } from './pipeline.ts';

/** The steps of a pipeline, in their order: each ends before the next begins. */
export const pipelineSteps = ['look_up', 'unlock', 'verify'] as const;
/** A step of a pipeline. */
export type PipelineStep = (typeof pipelineSteps)[number];

/** How far a pipeline is, and what it was asked to do. */
export const PipelineProgressSchema = z.object({
  unlock: z.array(z.enum(pipelineKinds)).describe('What is unlocked of each contact.'),
  steps: z
    .array(z.object({ step: z.enum(pipelineSteps), done: z.int(), total: z.int() }))
    .describe('In their order, by contacts; `verify` only where it was asked for.'),
  charged_so_far: CreditsSchema.describe('What is settled of the hold if it ended now.'),
  contacts_per_second: z.int().describe('Of the current step; 0 if not known yet.'),
  seconds_left: z.int().nullable().describe('Of the current step; null if not known yet.'),
});
export type PipelineProgress = z.infer<typeof PipelineProgressSchema>;
