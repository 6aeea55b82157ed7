// Which rows of a job are shown, in which order, and how many rows have each outcome.
import { z } from 'zod';
import { originCharactersMax, rowSearchCharactersMax } from '../limits/jobs.ts';
import { type Reason, reasons, rowStatuses } from './job.ts';
import { LayerCodeSchema } from './layers.ts';

/** What a found row may have: a person who changed jobs, one who left, an email address. */
export const rowContents = ['changed', 'left', 'email'] as const;
export type RowContent = (typeof rowContents)[number];

/** Where a row's values are from: the directory's imports alone, or a data service too. */
export const rowSources = ['directory', 'provider'] as const;
export type RowSource = (typeof rowSources)[number];

export const sortDirections = ['asc', 'desc'] as const;

const namedReasons = reasons.filter((reason) => reason !== '') as [
  Exclude<Reason, ''>,
  ...Exclude<Reason, ''>[],
];

/** The members of a view, in a query or a body. All that are given must apply to a row. */
export const rowViewShape = {
  status: z.enum(rowStatuses).optional(),
  reason: z.enum(namedReasons).optional(),
  has: z.enum(rowContents).optional().describe('A move, a departure, or an email was found.'),
  layer: LayerCodeSchema.optional().describe('The layer found something.'),
  source: z.enum(rowSources).optional(),
  origin: z
    .string()
    .min(1)
    .max(originCharactersMax)
    .optional()
    .describe('A value that was found is from the import, or the data service, of this name.'),
  search: z
    .string()
    .trim()
    .max(rowSearchCharactersMax)
    .optional()
    .describe('Words; each must be part of a name, a company or an email of the row.'),
  sort: z
    .string()
    .max(100)
    .optional()
    .describe('`input:N` (column N of the sheet, from 0), `found:FIELD`, `reason` or `guess`.'),
  direction: z.enum(sortDirections).optional().describe('`asc` if omitted.'),
};
export const RowViewSchema = z.object(rowViewShape);
export type RowView = z.infer<typeof RowViewSchema>;

export const rowViewNames = Object.keys(rowViewShape) as (keyof RowView)[];

/** Answer of GET /app/v1/jobs/{id}/outcomes: how many finished rows have each outcome. */
export const OutcomesSchema = z.object({
  rows: z.int().describe('Finished rows.'),
  statuses: z.record(z.enum(rowStatuses), z.int()),
  reasons: z.partialRecord(z.enum(namedReasons), z.int()).describe('Reasons of at least one row.'),
  has: z.record(z.enum(rowContents), z.int()),
  layers: z.partialRecord(LayerCodeSchema, z.int()).describe('Of the layers of the job.'),
  sources: z.record(z.enum(rowSources), z.int()),
});
export type Outcomes = z.infer<typeof OutcomesSchema>;
