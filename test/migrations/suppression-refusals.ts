// Entries of the suppression list that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const values = {
  kind: 'email',
  key: 'a@b.example',
  value: 'A@b.example',
  reason: '',
  source: 'app',
  author: 'Local workspace',
  at: 'now',
};
const entry = (changes: Partial<typeof values> = {}) => {
  const all = { ...values, ...changes };
  const texts = Object.values(all).map((text) => `'${text}'`);
  return `INSERT INTO suppression (${Object.keys(all).join(', ')}) VALUES (${texts.join(', ')});`;
};

export const suppressionRefusals: readonly Refusal[] = [
  [
    entry({ kind: 'fax' }),
    "kind IN ('person', 'email', 'domain', 'company', 'phone', 'profile_url')",
  ],
  [entry({ key: '' }), "key <> ''"],
  [entry({ value: '' }), "value <> ''"],
  [entry({ source: 'fax' }), "source IN ('app', 'csv', 'command_line', 'refusal')"],
  [entry() + entry(), 'UNIQUE constraint failed: suppression.kind'],
  [`${entry()} UPDATE suppression SET reason = 'another'`, 'suppression_is_immutable'],
  ['INSERT INTO suppression_version VALUES (2, 0)', 'only = 1'],
];
