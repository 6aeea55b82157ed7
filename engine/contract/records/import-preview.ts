// What an import would do with the columns and the first rows of a list.
import { z } from 'zod';
import { ImportOptionsSchema, ImportRemarkSchema, importKinds } from '../directory.ts';
import { csvColumnsMax, previewRowsMax } from '../limits/spreadsheet.ts';

export const ImportPreviewRequestSchema = z.strictObject({
  kind: z.enum(importKinds),
  file_name: z.string(),
  headers: z.array(z.string()).max(csvColumnsMax),
  rows: z.array(z.array(z.string())).max(previewRowsMax),
  lines: z
    .array(z.int().min(1))
    .max(previewRowsMax)
    .optional()
    .describe('The lines of the rows in the file. If omitted, they follow a line of names.'),
  mapping: ImportOptionsSchema.shape.mapping,
  keep: ImportOptionsSchema.shape.keep,
  day_order: ImportOptionsSchema.shape.day_order,
});
export type ImportPreviewRequest = z.input<typeof ImportPreviewRequestSchema>;

export const ImportPreviewSchema = z.object({
  /** For each column the field that it becomes, or `kept`; null if it is not imported. */
  columns: z.array(z.string().nullable()),
  /** Why the list cannot be imported at all, and what to do; null if it can. */
  refusal: z.string().nullable(),
  /** Rows that were read, and those of them that an import would refuse. */
  rows: z.int(),
  rows_refused: z.int(),
  /** Their lines are those of the request. */
  remarks: z.array(ImportRemarkSchema),
  /** Whether dates may mean two days, and neither a date nor `day_order` says which. */
  undecided_dates: z.boolean(),
});
export type ImportPreview = z.infer<typeof ImportPreviewSchema>;
