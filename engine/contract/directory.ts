/** The directory on the wire: imports with their reports, undo, statistics. */
import { z } from 'zod';
import { TimestampSchema } from './ids.ts';

/** What is imported from a file. */
export const importKinds = ['people', 'companies'] as const;
/** People (one row per person or per employment) or companies. */
export type ImportKind = (typeof importKinds)[number];

/** One line that was refused, or taken with a remark. */
export const ImportRemarkSchema = z.object({
  file: z.string(),
  line: z.int(),
  column: z.string().optional(),
  message: z.string(),
});
/** A remark on one line of a file. */
export type ImportRemark = z.infer<typeof ImportRemarkSchema>;

/** What an import did. Counts are rows unless named otherwise; at most 1,000 remarks are kept. */
export const ImportReportSchema = z.object({
  import_id: z.int(),
  source: z.string(),
  file_names: z.array(z.string()),
  status: z.enum(['running', 'completed', 'failed', 'undone']),
  rows_read: z.int(),
  people_added: z.int(),
  people_updated: z.int(),
  people_merged: z.int(),
  people_unchanged: z.int(),
  employments_added: z.int(),
  companies_added: z.int(),
  companies_updated: z.int(),
  companies_unchanged: z.int(),
  rows_refused: z.int(),
  remarks: z.array(ImportRemarkSchema),
  error: z.string().nullable(),
  started_at: TimestampSchema,
  completed_at: TimestampSchema.nullable(),
});
/** What an import did. */
export type ImportReport = z.infer<typeof ImportReportSchema>;

/** How an import is to be read; the defaults are those of decisions.md, "The directory". */
export const ImportOptionsSchema = z.object({
  source: z.string().min(1).max(120).optional(),
  observed: z.iso.date().optional(),
  trust: z.number().min(0).max(1).optional(),
  mapping: z.record(z.string(), z.string()).optional(),
});
/** How an import is to be read. */
export type ImportOptions = z.infer<typeof ImportOptionsSchema>;

/** What the directory holds. */
export const DirectoryStatsSchema = z.object({
  people: z.int(),
  companies: z.int(),
  employments: z.int(),
  people_with_email: z.int(),
  people_with_phone: z.int(),
  people_with_profile_url: z.int(),
  imports: z.array(ImportReportSchema),
  generation: z.int(),
  index: z.enum(['ready', 'building', 'empty', 'failed']),
  index_error: z.string().nullable(),
  bytes: z.int(),
});
/** What the directory holds. */
export type DirectoryStats = z.infer<typeof DirectoryStatsSchema>;
