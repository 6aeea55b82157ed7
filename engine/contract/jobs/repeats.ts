// Rows about a person who was answered before, in the same job or in an earlier one.
import { z } from 'zod';
import { UuidSchema } from '../ids.ts';
import { LayerCodeSchema } from './layers.ts';

/**
 * Why a row costs nothing, or less than its price: an earlier row of its job is about the same
 * person, an earlier job paid for layers of the person, or the person is in the job that the new
 * one excludes. The order is the code stored in `repeat_row`.
 */
export const repeatKinds = ['duplicate', 'paid_before', 'known'] as const;
export type RepeatKind = (typeof repeatKinds)[number];

export const EarlierRowSchema = z
  .object({ job_id: UuidSchema, row_index: z.int() })
  .meta({ id: 'EarlierRow' });
export type EarlierRow = z.infer<typeof EarlierRowSchema>;

/** A row that paid for layers of the same person. */
export const PaidRowSchema = EarlierRowSchema.extend({
  paid_on: z.iso.date().describe('The day the earlier job was charged (UTC).'),
  layers: z.array(LayerCodeSchema).describe('The layers that it paid for; free for this row.'),
}).meta({ id: 'PaidRow' });
export type PaidRow = z.infer<typeof PaidRowSchema>;

/** The members of a result row that say why it was free. */
export const repeatShape = {
  duplicate_of: z
    .int()
    .nullable()
    .describe('The row_index of the first row about the same person, which this one repeats.'),
  paid_before: z.array(PaidRowSchema),
  known_from: EarlierRowSchema.nullable().describe(
    'The row of the excluded job that is about the same person.',
  ),
};

export interface Repeat {
  readonly duplicate_of: number | null;
  readonly paid_before: readonly PaidRow[];
  readonly known_from: EarlierRow | null;
}

/** The members of a row that repeats none. */
export const noRepeat: Repeat = { duplicate_of: null, paid_before: [], known_from: null };

/** Counts of a job's repeats, and the job whose people it excludes. */
export const repeatCountsShape = {
  duplicate_rows: z.int().describe('Enriched rows that repeat an earlier row of the job; free.'),
  paid_before_rows: z.int().describe('Enriched rows with layers that an earlier job paid for.'),
  known_rows: z.int().describe('Skipped rows whose person is in the job named by new_since.'),
  new_since: UuidSchema.nullable().describe('The earlier job whose people are skipped.'),
};
