// Progress of a pipeline by steps, as its events carry it with the pipeline.
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { pipelineKinds } from './pipeline.ts';

/** The steps of a pipeline in order. Each step ends before the next begins. */
export const pipelineSteps = ['look_up', 'unlock', 'verify'] as const;
export type PipelineStep = (typeof pipelineSteps)[number];

export const PipelineProgressSchema = z.object({
  unlock: z.array(z.enum(pipelineKinds)).describe('Values to unlock of each contact.'),
  steps: z
    .array(z.object({ step: z.enum(pipelineSteps), done: z.int(), total: z.int() }))
    .describe('In order, counted in contacts; `verify` only if requested.'),
  charged_so_far: CreditsSchema.describe(
    'The amount that would be settled if the pipeline ended now.',
  ),
  contacts_per_second: z.int().describe('Speed of the current step; 0 if not known yet.'),
  seconds_left: z
    .int()
    .nullable()
    .describe('Remaining time of the current step; null if not known yet.'),
  turns_with: z
    .int()
    .optional()
    .describe('While it is queued: the other pipelines that it takes turns with.'),
});
export type PipelineProgress = z.infer<typeof PipelineProgressSchema>;
