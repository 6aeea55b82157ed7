// Entries of the audit log that the schema refuses; schema.test.ts runs them.

const values = {
  id: '1',
  at: "'now'",
  environment: "'live'",
  actor_kind: "'app'",
  actor: "'app'",
  key_prefix: 'NULL',
  account: 'NULL',
  action: "'key_created'",
  subject: "''",
  row_count: 'NULL',
  credit_units: 'NULL',
  details: "'{}'",
  hash: `'${'a'.repeat(64)}'`,
};
const entry = (changes: Partial<typeof values> = {}, insert = 'INSERT') => {
  const all = { ...values, ...changes };
  const columns = Object.keys(all).join(', ');
  return `${insert} INTO audit_entry (${columns}) VALUES (${Object.values(all).join(', ')});`;
};

/** [what, SQL, the message of the refusal]. */
export const auditRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['an entry that skips a number', entry({ id: '2' }), 'audit_entry_out_of_order'],
  ['an entry without a number', entry({ id: 'NULL' }), 'audit_entry_out_of_order'],
  ['a replaced entry', entry() + entry({}, 'INSERT OR REPLACE'), 'audit_entry_out_of_order'],
  ['a changed entry', `${entry()} UPDATE audit_entry SET at = 'then'`, 'audit_entry_is_immutable'],
  ['a deleted entry', `${entry()} DELETE FROM audit_entry`, 'audit_entry_is_immutable'],
  [
    'an entry of another environment',
    entry({ environment: "'test'" }),
    "environment IN ('live', 'staging')",
  ],
  [
    'an entry of an unknown actor',
    entry({ actor_kind: "'fax'" }),
    "actor_kind IN ('app', 'command_line', 'api_key', 'assistant', 'engine')",
  ],
  ['an entry without an actor', entry({ actor: "''" }), "actor <> ''"],
  [
    'a key without its prefix',
    entry({ actor_kind: "'api_key'" }),
    "(key_prefix IS NOT NULL) = (actor_kind IN ('api_key', 'assistant'))",
  ],
  ['an entry without an action', entry({ action: "''" }), "action <> ''"],
  ['rows below 0', entry({ row_count: '-1' }), 'row_count >= 0'],
  ['credits below 0', entry({ credit_units: '-1' }), 'credit_units >= 0'],
  ['details that are no object', entry({ details: "'[]'" }), "json_type(details) = 'object'"],
  ['a hash that is none', entry({ hash: "'A'" }), 'length(hash) = 64'],
  ['a second key of the log', 'INSERT INTO audit_key VALUES (2, randomblob(32))', 'only = 1'],
  ['a short key of the log', "UPDATE audit_key SET key = x'00'", 'length(key) = 32'],
];
