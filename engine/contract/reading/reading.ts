/** How a list is read: its sheet, its column names, and lines with too many cells. */
import { z } from 'zod';

/** Whether the first line has column names. `auto`: unless it reads like a contact. */
export const headerChoices = ['yes', 'no', 'auto'] as const;
/** What happens to a line with more cells than there are columns. */
export const extraCellsChoices = ['refuse', 'leave_out', 'keep'] as const;

/** Whether each row says which line of which file it is from, in two columns. */
export const originChoices = ['none', 'columns'] as const;

/** The options that upload, preview, price and job share. The defaults refuse what is unclear. */
export const ReadingSchema = z.object({
  sheet: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Name of the sheet of a workbook. If omitted, the first sheet with content.'),
  header: z
    .enum(headerChoices)
    .default('yes')
    .describe('Whether the first line has column names. `auto`: unless it reads like a contact.'),
  extra_cells: z
    .enum(extraCellsChoices)
    .default('refuse')
    .describe('Lines with more cells than columns: `keep` adds a column "Extra cells".'),
  origin: z
    .enum(originChoices)
    .default('none')
    .describe('`columns` adds the columns "Source file" and "Source line" to each row.'),
});

/** The options of one reading. */
export type Reading = z.infer<typeof ReadingSchema>;

/** How a list was read, and what else it contains. */
export const ReadListSchema = z.object({
  sheet: z.string().nullable().describe('The sheet that was read; null for a text file.'),
  sheets: z
    .array(
      z.object({
        name: z.string(),
        rows: z.int().nullable().describe('As the sheet states it, with the header.'),
      }),
    )
    .describe('The sheets with cells, in order.'),
  header: z.boolean().describe('Whether the first line was read as column names.'),
  first_row_is_contact: z.boolean().describe('Whether the first line reads like a contact.'),
  extra_cells: z.enum(extraCellsChoices),
  wide_count: z.int().describe('Lines with more cells than columns.'),
  wide_lines: z
    .array(z.object({ line: z.int(), cells: z.int(), text: z.string() }))
    .describe('The first of these lines, with the number of their cells.'),
});

export type ReadList = z.infer<typeof ReadListSchema>;

/** Rows that can be left out of a job before its price. */
export const leaveOutKinds = ['no_identity', 'duplicates'] as const;
export type LeaveOutKind = (typeof leaveOutKinds)[number];
export const LeaveOutSchema = z.array(z.enum(leaveOutKinds)).max(leaveOutKinds.length);

/** Answer of POST /app/v1/uploads/{id}/check: rows that could be left out, by a mapping. */
export const RowsCheckSchema = z.object({
  no_identity: z.int().describe('Rows without an email, a profile URL or a name.'),
  duplicates: z.int().describe('Rows with the same text as an earlier row.'),
  examples: z
    .array(z.object({ kind: z.enum(leaveOutKinds), row: z.int(), cells: z.array(z.string()) }))
    .describe('The first rows of each kind.'),
});
export type RowsCheck = z.infer<typeof RowsCheckSchema>;

/** Answer of GET /app/v1/jobs/{id}/left-out: rows that are not part of the job. */
export const LeftOutSchema = z.object({ count: z.int() });
