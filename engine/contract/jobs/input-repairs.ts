// Input repairs: notes about how matching read a cell that was not written as its field expects.
import { z } from 'zod';
import { rowInputFields } from './row-input.ts';

export const inputRepairRules = [
  'text_encoding',
  'text_marks',
  'placeholder',
  'email_link',
  'email_display_name',
  'email_text',
  'url_text',
  'identifier_moved',
  'company_web_address',
  'name_and_company',
  'full_name',
  'names_exchanged',
  'columns_shifted',
  'company_part',
  'test_row',
  'two_people',
] as const;

export type InputRepairRule = (typeof inputRepairRules)[number];

/** One repair: how a cell was read. The caller’s cell itself never changes. */
export const InputRepairSchema = z
  .object({
    field: z.enum(rowInputFields),
    from: z.string().describe('The value before the repair; empty if the row has none.'),
    to: z.string().describe('The value as it was read; empty if none is left.'),
    rule: z.enum(inputRepairRules),
  })
  .meta({
    id: 'InputRepair',
    examples: [
      {
        field: 'email',
        from: 'mailto:ada@engines.example',
        to: 'ada@engines.example',
        rule: 'email_link',
      },
    ],
  });
export type InputRepair = z.infer<typeof InputRepairSchema>;
