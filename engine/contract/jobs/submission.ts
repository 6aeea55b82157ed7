/**
 * The bodies of POST /submit/ and /estimate/, as JSON and as a form. They only describe: refusals
 * have a fixed order, so the server parses these two bodies itself.
 */
import { z } from 'zod';
import { rowsExample } from '../examples.ts';
import { jsonRowsMax, titleCharactersMax } from '../limits/jobs.ts';
import { estimateRowCountMax } from '../limits/ledger.ts';
import { csvCellCharactersMax } from '../limits/spreadsheet.ts';
import { layerCodes } from './layers.ts';
import { rowInputFields } from './row-input.ts';

const CellSchema = z.string().max(csvCellCharactersMax).nullable();

/** A row input: the named fields and any other keys of the caller. */
export const RowSchema = z
  .object(
    Object.fromEntries(rowInputFields.map((field) => [field, CellSchema.optional()])) as Record<
      (typeof rowInputFields)[number],
      z.ZodOptional<typeof CellSchema>
    >,
  )
  .catchall(CellSchema)
  .meta({
    id: 'RowInput',
    description: 'A contact. Any other key is yours and is returned in the CSV.',
    examples: rowsExample,
  });

const LayersSchema = z
  .array(z.enum(layerCodes))
  .min(1)
  .or(z.tuple([z.literal('full')]))
  .or(z.literal('full'))
  .meta({
    id: 'LayerSelection',
    description: 'Codes in any order, or only "full", which means every active layer.',
    examples: [['L1', 'L2']],
  });

const TitleSchema = z.string().max(titleCharactersMax).nullish();

/** Body of POST /submit/ as JSON. */
export const SubmitBodySchema = z
  .object({
    selected_layers: LayersSchema,
    title: TitleSchema,
    rows: z.array(RowSchema).min(1).max(jsonRowsMax),
  })
  .meta({
    id: 'SubmitBody',
    examples: [{ selected_layers: ['L1', 'L2'], title: 'Spring list', rows: rowsExample }],
  });

/** Body of POST /estimate/ as JSON: a row count, or rows. */
export const EstimateBodySchema = z
  .object({
    selected_layers: LayersSchema,
    row_count: z.int().min(1).max(estimateRowCountMax).nullish(),
    rows: z.array(RowSchema).max(jsonRowsMax).nullish(),
  })
  .meta({
    id: 'EstimateBody',
    description: 'Either `row_count`, or `rows`, which are also matched in a dry run.',
    examples: [{ selected_layers: ['L1', 'L2'], row_count: 2_500 }],
  });

/** Parts of the form of POST /submit/ and /estimate/. */
export const ListFormSchema = z
  .object({
    file: z.string().meta({ format: 'binary', description: 'The CSV file, at most 100 MB.' }),
    selected_layers: z
      .string()
      .optional()
      .describe('A JSON array or a comma-separated list; required without `meta`.'),
    title: z.string().max(titleCharactersMax).optional(),
    mapping: z.string().optional().describe('A JSON object: row field → CSV header.'),
    meta: z
      .string()
      .optional()
      .describe('A JSON object of selected_layers, title and mapping, instead of those parts.'),
  })
  .meta({
    id: 'ListForm',
    examples: [{ file: 'First Name,Work Email\nAda,ada@engines.example\n', selected_layers: 'L1' }],
  });
