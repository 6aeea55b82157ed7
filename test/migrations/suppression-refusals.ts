// Entries of the suppression list that the schema refuses; schema.test.ts runs them.

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

/** [what, SQL, the message of the refusal]. */
export const suppressionRefusals: (readonly [what: string, sql: string, message: string])[] = [
  [
    'an entry of an unknown kind',
    entry({ kind: 'fax' }),
    "kind IN ('person', 'email', 'domain', 'company', 'phone', 'profile_url')",
  ],
  ['an entry without a key', entry({ key: '' }), "key <> ''"],
  ['an entry without a value', entry({ value: '' }), "value <> ''"],
  [
    'an entry of an unknown source',
    entry({ source: 'fax' }),
    "source IN ('app', 'csv', 'command_line', 'refusal')",
  ],
  ['a value twice', entry() + entry(), 'UNIQUE constraint failed: suppression.kind'],
  [
    'a changed entry',
    `${entry()} UPDATE suppression SET reason = 'another'`,
    'suppression_is_immutable',
  ],
  ['a second version of the list', 'INSERT INTO suppression_version VALUES (2, 0)', 'only = 1'],
];
