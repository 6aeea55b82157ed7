// The tool that imports a list into the directory (docs/api.md, "Tools").
import { z } from 'zod';
import { ImportReportSchema, importKinds } from '../../directory.ts';
import { listPathCharactersMax } from '../../limits/assistants.ts';
import { freeHints, type ToolDefinitions } from './tool-definition.ts';

export const ImportListSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(listPathCharactersMax)
    .describe('As the path of enrich_list. Headers are recognised.'),
  kind: z.enum(importKinds).default('people'),
});

/** Answer of import_list: the report without text of the file. */
export const ImportedListSchema = ImportReportSchema.omit({
  remarks: true,
  columns: true,
  started_at: true,
  completed_at: true,
}).extend({ rows_opted_out: z.int() });

export const importTools = {
  import_list: {
    title: 'Import a list',
    description:
      'Adds the people or companies of a file to the directory, so that later jobs find them. ' +
      'Ask the user first. Free. The user can undo it in the app, in Imports.',
    input: ImportListSchema,
    output: ImportedListSchema,
    ...freeHints,
    isReadOnly: false,
  },
} as const satisfies ToolDefinitions;
