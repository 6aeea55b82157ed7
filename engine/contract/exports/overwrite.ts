// Which found values replace the user's own in an export for a CRM, and the diff of them.
import { z } from 'zod';
import { type DisplayName, layers } from '../jobs/layers.ts';
import { overwriteColumnsMax, overwriteSourcesMax } from '../limits/exports.ts';

/** Each rule, with the condition under which a found value is written. */
export const overwriteRules = ['fill_empty', 'newer', 'trusted', 'never'] as const;
export type OverwriteRule = (typeof overwriteRules)[number];

/** The source of the rule `trusted` that means every import of the directory. */
export const directorySource = 'directory';

const displayNames = layers.flatMap(({ fields }) => fields) as [DisplayName, ...DisplayName[]];

export const ColumnRuleSchema = z
  .strictObject({
    rule: z.enum(overwriteRules),
    field: z
      .enum(displayNames)
      .optional()
      .describe('The found field, if it is not the one that the import recognised.'),
    date_column: z
      .string()
      .min(1)
      .optional()
      .describe('Of `newer`: the column with the day on which the row was last changed.'),
    sources: z
      .array(z.string().trim().min(1))
      .min(1)
      .max(overwriteSourcesMax)
      .optional()
      .describe('Of `trusted`: names of imports or providers, or `directory` for all imports.'),
  })
  .superRefine(({ rule, date_column: dateColumn, sources }, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (rule === 'newer' && dateColumn === undefined)
      refuse('date_column', 'newer needs the name of the column with the day of the row');
    if (rule !== 'newer' && dateColumn !== undefined)
      refuse('date_column', `only newer has a date column; the rule is ${rule}`);
    if (rule === 'trusted' && sources === undefined)
      refuse('sources', 'trusted needs a list of sources, such as ["directory"]');
    if (rule !== 'trusted' && sources !== undefined)
      refuse('sources', `only trusted has sources; the rule is ${rule}`);
  });
export type ColumnRule = z.infer<typeof ColumnRuleSchema>;

export const OverwriteSchema = z.strictObject({
  default: z
    .enum(['fill_empty', 'never'])
    .default('fill_empty')
    .describe('The rule of the recognised columns that `columns` does not name.'),
  columns: z
    .record(z.string(), ColumnRuleSchema)
    .default({})
    .refine((columns) => Object.keys(columns).length <= overwriteColumnsMax, {
      message: `at most ${overwriteColumnsMax} columns may have a rule`,
    })
    .describe('Rules by the header of a column of the sheet.'),
  found_columns: z
    .boolean()
    .default(false)
    .describe('Add the found values and the outcome in columns of their own as well.'),
});
export type Overwrite = z.infer<typeof OverwriteSchema>;

/** What a rule does with one cell. `not_found`: no value was found for it. */
export const cellOutcomes = ['filled', 'replaced', 'kept', 'same', 'not_found'] as const;
export type CellOutcome = (typeof cellOutcomes)[number];

const DiffExampleSchema = z.object({
  row: z.int().describe('Number of the row in the list, from 1.'),
  outcome: z.enum(cellOutcomes),
  old: z.string(),
  found: z.string(),
  source: z.string(),
  observed_on: z.string().describe('YYYY-MM-DD; empty if it is not known.'),
});
export type DiffExample = z.infer<typeof DiffExampleSchema>;

const ColumnDiffSchema = z.object({
  index: z.int().describe('Index of the column in the sheet, from 0.'),
  column: z.string(),
  fields: z.array(z.string()).describe('The found fields of the column; the first with a value.'),
  rule: z.enum(overwriteRules),
  counts: z.object({
    filled: z.int(),
    replaced: z.int(),
    kept: z.int(),
    same: z.int(),
    not_found: z.int(),
  }),
  unread_days: z
    .int()
    .describe('Of `newer`: cells that were kept because their day is unreadable.'),
  examples: z.array(DiffExampleSchema),
});
export type ColumnDiff = z.infer<typeof ColumnDiffSchema>;

export const OverwriteDiffSchema = z.object({
  rows: z.int().describe('Rows of the export.'),
  changed_rows: z.int(),
  changed_cells: z.int(),
  columns: z.array(ColumnDiffSchema),
  headers: z.array(z.string()).describe('All columns of the sheet.'),
  sources: z.array(z.string()).describe('Sources of the found values, the most frequent first.'),
});
export type OverwriteDiff = z.infer<typeof OverwriteDiffSchema>;
