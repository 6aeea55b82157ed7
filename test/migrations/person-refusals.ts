// Deletions of people, and changes for them, that the schema refuses; schema.test.ts runs them.

const values = {
  uuid: "'u'",
  state: "'erasing'",
  subject: "'{}'",
  subject_hashes: "'[]'",
  places: "'[]'",
  is_suppressed: '0',
  author: "'a'",
  source: "'app'",
  requested_at: "'now'",
  completed_at: 'NULL',
};
const deletion = (changes: Partial<typeof values> = {}) => {
  const all = { ...values, ...changes };
  const names = Object.keys(all).join(', ');
  return `INSERT INTO person_deletion (${names}) VALUES (${Object.values(all).join(', ')});`;
};
const done = { state: "'done'", subject: 'NULL', completed_at: "'now'" };
const pseudonym = "'00000000-0000-4000-8000-000000000001'";

/** [what, SQL, the message of the refusal]. */
export const personRefusals: (readonly [what: string, sql: string, message: string])[] = [
  [
    'an unknown state of a deletion',
    deletion({ state: "'lost'", subject: 'NULL' }),
    "state IN ('erasing', 'scrubbing', 'done')",
  ],
  [
    'a deletion of what is no object',
    deletion({ subject: "'[]'" }),
    "json_type(subject) = 'object'",
  ],
  [
    'hashes that are no list',
    deletion({ subject_hashes: "'{}'" }),
    "json_type(subject_hashes) = 'array'",
  ],
  ['places that are no list', deletion({ places: "'{}'" }), "json_type(places) = 'array'"],
  ['a half suppressed person', deletion({ is_suppressed: '2' }), 'is_suppressed IN (0, 1)'],
  [
    'a deletion from an unknown source',
    deletion({ source: "'fax'" }),
    "source IN ('app', 'command_line')",
  ],
  [
    'a receipt with the values of the person',
    deletion({ ...done, subject: "'{}'" }),
    "(subject IS NOT NULL) = (state = 'erasing')",
  ],
  [
    'a deletion that ends without a time',
    deletion({ ...done, completed_at: 'NULL' }),
    "(completed_at IS NOT NULL) = (state = 'done')",
  ],
  [
    'a deletion that changes after its end',
    `${deletion(done)} UPDATE person_deletion SET places = '[]'`,
    'person_deletion_has_ended',
  ],
  [
    'a receipt that goes',
    `${deletion(done)} DELETE FROM person_deletion`,
    'person_deletion_never_goes',
  ],
  [
    'a second key of receipts',
    'INSERT INTO person_deletion_key VALUES (2, x'.concat("'00')"),
    'only = 1',
  ],
  ['a short key of receipts', "UPDATE person_deletion_key SET key = x'00'", 'length(key) = 32'],
  [
    'a pseudonym in an entry that is not about a person',
    `UPDATE ledger_entry SET subject_id = ${pseudonym}`,
    'ledger_entry_is_immutable',
  ],
];
