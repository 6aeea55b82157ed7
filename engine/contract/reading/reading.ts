// How a list is read: its sheet, its column names, its letters, and lines that are no rows.
import { z } from 'zod';
import { headerLinesMax, valueCharactersMax } from '../limits/spreadsheet.ts';
import { correctionsMax } from '../limits/uploads.ts';
import { encodingNames } from './encodings.ts';

/** Whether the list has column names. `auto`: unless its first line reads like a contact. */
export const headerChoices = ['yes', 'no', 'auto'] as const;
export const extraCellsChoices = ['refuse', 'leave_out', 'keep'] as const;

/** Whether each row says which line of which file it is from, in two columns. */
export const originChoices = ['none', 'columns'] as const;

export const otherLinesChoices = ['leave_out', 'keep'] as const;

/** What happens to a row whose name cell holds several people: a row for each, or nothing. */
export const severalPeopleChoices = ['keep', 'split'] as const;

/** Words of the refusal of a line with extra cells, by which a client knows it. */
export const extraCellsWords = 'cells, but the header has';

export const otherLineWords = {
  above_header: 'Above the column names',
  below_header: 'Explains the column names',
  repeated_header: 'Column names again',
  total: 'Total',
  footer: 'Footer',
  other_table: 'Of another table',
  no_contact: 'Heading of a group, or no contact',
  empty: 'Empty row',
} as const;
export type OtherLineKind = keyof typeof otherLineWords;
/** The text of a line behind its kind; an empty row has none. */
export const textBehindKind = (text: string): string => (text === '' ? '' : `: ${text}`);

const otherLineKinds = Object.keys(otherLineWords) as [OtherLineKind, ...OtherLineKind[]];

/** A line that was not read as a row: its number, from 1, and the start of its text. */
export const OtherLineSchema = z.object({
  line: z.int(),
  kind: z.enum(otherLineKinds),
  text: z.string(),
});
export type OtherLine = z.infer<typeof OtherLineSchema>;

/** The options that upload, preview, price and job share. The defaults refuse what is unclear. */
export const ReadingSchema = z.object({
  sheet: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Name of the sheet of a workbook. If omitted, the first visible one with known names.',
    ),
  encoding: z
    .enum(encodingNames)
    .optional()
    .describe('Encoding of a text file. If omitted, it is found by the letters.'),
  header: z
    .enum(headerChoices)
    .default('yes')
    .describe('Whether the list has column names. `auto`: unless it begins like a contact.'),
  header_line: z.coerce
    .number()
    .int()
    .min(1)
    .max(headerLinesMax)
    .optional()
    .describe('The line of the column names. If omitted, it is found among the first lines.'),
  other_lines: z
    .enum(otherLinesChoices)
    .default('leave_out')
    .describe(
      'Lines that are no rows: totals, footers, headings of groups and repeated column names.',
    ),
  extra_cells: z
    .enum(extraCellsChoices)
    .default('refuse')
    .describe('Lines with more cells than columns: `keep` adds a column "Extra cells".'),
  several_people: z
    .enum(severalPeopleChoices)
    .default('keep')
    .describe('Rows whose name cell holds several people: `split` makes a row for each.'),
  origin: z
    .enum(originChoices)
    .default('none')
    .describe('`columns` adds the columns "Source file" and "Source line" to each row.'),
});

/** The options that imports, validations and lists of companies take too. Imports always split. */
export const ListReadingSchema = ReadingSchema.omit({ origin: true, several_people: true });

export type Reading = z.infer<typeof ReadingSchema>;

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
  letters: z
    .object({
      is_sure: z.boolean().describe('Whether other encodings are far less likely.'),
      sample: z.string().describe('Words that show the letters.'),
      others: z
        .array(z.object({ encoding: z.enum(encodingNames), sample: z.string() }))
        .describe('The next likely encodings, with the same words.'),
    })
    .describe('How the encoding of a text file was found.'),
  header: z.boolean().describe('Whether a line was read as column names.'),
  header_line: z.int().nullable().describe('That line, from 1.'),
  first_lines: z
    .array(z.int())
    .optional()
    .describe('The lines of the first rows in the file, from 1; not of joined files.'),
  first_row_is_contact: z.boolean().describe('Whether the first line reads like a contact.'),
  extra_cells: z.enum(extraCellsChoices),
  wide_count: z.int().describe('Lines with more cells than columns.'),
  wide_lines: z
    .array(z.object({ line: z.int(), cells: z.int(), text: z.string() }))
    .describe('The first of these lines, with the number of their cells.'),
  other_count: z.int().describe('Lines that were left out because they are no rows.'),
  other_lines: z.array(OtherLineSchema).describe('The first of these lines.'),
  several_people: z
    .enum(severalPeopleChoices)
    .optional()
    .describe('What happened to rows that hold several people; absent if there are none.'),
});

export type ReadList = z.infer<typeof ReadListSchema>;

const namesShown = 20;

/** Names of columns or lists for a sentence, in quotes: they may contain commas and periods. */
export function quoteNames(names: readonly string[]): string {
  const more = names.length - namesShown;
  const shown = names.slice(0, namesShown).map((name) => JSON.stringify(name));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Rows that can be left out of a job before its price. */
export const leaveOutKinds = ['no_identity', 'duplicates'] as const;
export type LeaveOutKind = (typeof leaveOutKinds)[number];
export const LeaveOutSchema = z.array(z.enum(leaveOutKinds)).max(leaveOutKinds.length);

export const CorrectionsSchema = z
  .array(
    z.object({
      row: z.int().min(0),
      column: z.int().min(0),
      value: z.string().max(valueCharactersMax),
    }),
  )
  .max(correctionsMax);
export type Corrections = z.infer<typeof CorrectionsSchema>;

/** Answer of POST /app/v1/uploads/{id}/check: rows that could be left out, by a mapping. */
export const RowsCheckSchema = z.object({
  no_identity: z.int().describe('Rows without an email, a profile URL, a name or a company.'),
  duplicates: z.int().describe('Rows with the same text as an earlier row.'),
  examples: z
    .array(z.object({ kind: z.enum(leaveOutKinds), row: z.int(), cells: z.array(z.string()) }))
    .describe('The first rows of each kind.'),
});
export type RowsCheck = z.infer<typeof RowsCheckSchema>;
