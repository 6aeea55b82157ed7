// The bodies of POST /submit/ and /estimate/, as JSON and as a form. They only describe: refusals
// have a fixed order, so the server parses these two bodies itself.
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { resultFileExample, rowsExample } from '../examples.ts';
import { jsonRowsMax, titleCharactersMax } from '../limits/jobs.ts';
import { estimateRowCountMax } from '../limits/ledger.ts';
import { csvCellCharactersMax } from '../limits/spreadsheet.ts';
import { idempotencyKey, keyRefusals, resultRefusals } from '../operation-docs.ts';
import {
  EstimateDataSchema,
  JobParamsSchema,
  ResultPageSchema,
  ResultQuerySchema,
  SubmitDataSchema,
} from './job.ts';
import { layerCodes } from './layers.ts';
import { rowInputFields } from './row-input.ts';

const CellSchema = z.string().max(csvCellCharactersMax).nullable();

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

const EstimateBodySchema = z
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

export const submissions = endpoints('submissions', {
  estimate: {
    api: 'POST /api/v1/data-enrichment/estimate',
    body: EstimateBodySchema,
    largeBody: 'submission',
    isReadByHandler: true,
    answer: EstimateDataSchema,
    docs: {
      id: 'estimateJob',
      tag: 'Data enrichment',
      summary: 'Estimate a job',
      description: 'An estimate charges, holds and stores nothing.',
      refusals: ['bad_meta', 'bad_layers', 'bad_rows'],
      form: ListFormSchema,
    },
  },
  submit: {
    api: 'POST /api/v1/data-enrichment/submit',
    body: SubmitBodySchema,
    largeBody: 'submission',
    isReadByHandler: true,
    answer: SubmitDataSchema,
    statuses: [202, 200],
    docs: {
      id: 'submitJob',
      tag: 'Data enrichment',
      summary: 'Create a job',
      description:
        'Holds rows × price; only enriched rows are charged, at the end. Refusals are ' +
        'checked in the order bad_meta, bad_layers, bad_rows, validation_error, ' +
        'insufficient_credits, spending_cap_reached, approval_required.',
      refusals: [
        'bad_meta',
        'bad_layers',
        'bad_rows',
        'insufficient_credits',
        ...keyRefusals,
        'idempotency_conflict',
      ],
      form: ListFormSchema,
      headers: idempotencyKey,
      answers: {
        200: 'A repeat with the same Idempotency-Key: the job of the first request.',
        202: 'The job was created.',
      },
    },
  },
});

export const results = endpoints('results', {
  read: {
    api: 'GET /api/v1/data-enrichment/result/:job_id',
    params: JobParamsSchema,
    query: ResultQuerySchema,
    answer: ResultPageSchema,
    isLong: true,
    docs: {
      id: 'getJobResult',
      tag: 'Data enrichment',
      summary: 'List the enriched rows, as a page or as one CSV file',
      refusals: resultRefusals,
      file: {
        when: 'With format=csv: all enriched rows in one file, without pages.',
        example: resultFileExample,
      },
    },
  },
});
