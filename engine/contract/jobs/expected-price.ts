// The expected price of a list in its estimate, and why it is less than the full price.
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { LayerCodeSchema } from './layers.ts';
import { type RepeatKind, repeatKinds } from './repeats.ts';
import { type ColumnMapping, isOfCompanies } from './row-input.ts';

const certainties = ['exact', 'about', 'at_most'] as const;
type Certainty = (typeof certainties)[number];

export const expectedPriceShape = {
  certainty: z
    .enum(certainties)
    .describe(
      'Of expected_credits, if neither a data service nor the directory of a team is asked. ' +
        'exact: every row was tried. about: a sample was. at_most: earlier jobs have more rows ' +
        'than an estimate compares.',
    ),
  has_team: z
    .boolean()
    .optional()
    .describe(
      'Whether the job looks up the rows that the own directory does not know in the directory ' +
        'of a team. A dry run does not: the rows that it answers are charged beyond ' +
        'expected_credits.',
    ),
  expected_layers: z
    .partialRecord(LayerCodeSchema, CreditsSchema)
    .describe('The expected credits of each selected layer.'),
  savings: z
    .array(
      z.object({
        kind: z.enum(repeatKinds),
        rows: z.int(),
        credits: CreditsSchema.describe('How much less the rows cost.'),
      }),
    )
    .describe(
      'Why found rows cost nothing, or less. duplicate: they repeat a person of the list. ' +
        'paid_before: an earlier job paid for layers. known: the person is in the excluded job.',
    ),
  free_repeat_days: z.int().describe('The window within which earlier jobs have paid.'),
  decided_rows: z.int().describe('Rows that decisions of earlier reviews answer.'),
};

/** What is said before and after the expected credits. */
export function phraseExpected(
  { certainty, sampled }: { readonly certainty: Certainty; readonly sampled: number },
  rowCount: number,
): readonly [before: string, after: string] {
  const isSample = sampled < rowCount;
  if (certainty === 'at_most') return isSample ? ['about ', ' or less'] : ['at most ', ''];
  return [certainty === 'about' ? 'about ' : '', ''];
}

const recordWords = {
  people: { one: 'person', many: 'people', which: 'people who' },
  companies: { one: 'company', many: 'companies', which: 'companies that' },
} as const;

/** Why rows cost nothing, or less; it follows their number and a colon. */
export function explainSaving(
  kind: RepeatKind,
  freeRepeatDays: number,
  mapping: ColumnMapping,
): string {
  const { one, many, which } = recordWords[isOfCompanies(mapping) ? 'companies' : 'people'];
  if (kind === 'duplicate') return `about the ${one} of an earlier row; answered, and free`;
  if (kind === 'known') return `about ${many} of the excluded job; skipped, and free`;
  const window = freeRepeatDays === 1 ? 'day' : `${freeRepeatDays} days`;
  return `about ${which} were paid for in the last ${window}`;
}

/** Follows the number of rows that decisions answer, and a colon. */
export const decidedSentence = 'answered as you decided in earlier reviews';

export const partlyComparedSentence =
  'Earlier jobs have more rows than an estimate compares, so the job may cost less.';

export const teamRowsSentence =
  'Rows that your own directory does not know are looked up in the team’s directory when the job ' +
  'runs. Those that it answers are charged too, beyond the expected credits.';

export const providerRowsSentence =
  'Rows that a data service answers are charged too, beyond the expected credits.';
