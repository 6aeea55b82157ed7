// Deletions of people, and changes for them, that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

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

export const personRefusals: readonly Refusal[] = [
  [deletion({ state: "'lost'", subject: 'NULL' }), "state IN ('erasing', 'scrubbing', 'done')"],
  [deletion({ subject: "'[]'" }), "json_type(subject) = 'object'"],
  [deletion({ subject_hashes: "'{}'" }), "json_type(subject_hashes) = 'array'"],
  [deletion({ places: "'{}'" }), "json_type(places) = 'array'"],
  [deletion({ is_suppressed: '2' }), 'is_suppressed IN (0, 1)'],
  [deletion({ source: "'fax'" }), "source IN ('app', 'command_line')"],
  [deletion({ ...done, subject: "'{}'" }), "(subject IS NOT NULL) = (state = 'erasing')"],
  [deletion({ ...done, completed_at: 'NULL' }), "(completed_at IS NOT NULL) = (state = 'done')"],
  [`${deletion(done)} UPDATE person_deletion SET places = '[]'`, 'person_deletion_has_ended'],
  [`${deletion(done)} DELETE FROM person_deletion`, 'person_deletion_never_goes'],
  ['INSERT INTO person_deletion_key VALUES (2, x'.concat("'00')"), 'only = 1'],
  ["UPDATE person_deletion_key SET key = x'00'", 'length(key) = 32'],
  [`UPDATE ledger_entry SET subject_id = ${pseudonym}`, 'ledger_entry_is_immutable'],
];
