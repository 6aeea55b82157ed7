// Entries of the audit log that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

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

export const auditRefusals: readonly Refusal[] = [
  [entry({ id: '2' }), 'audit_entry_out_of_order'],
  [entry({ id: 'NULL' }), 'audit_entry_out_of_order'],
  [entry() + entry({}, 'INSERT OR REPLACE'), 'audit_entry_out_of_order'],
  [`${entry()} UPDATE audit_entry SET at = 'then'`, 'audit_entry_is_immutable'],
  [`${entry()} DELETE FROM audit_entry`, 'audit_entry_is_immutable'],
  [entry({ environment: "'test'" }), "environment IN ('live', 'staging')"],
  [
    entry({ actor_kind: "'fax'" }),
    "actor_kind IN ('app', 'command_line', 'api_key', 'assistant', 'engine')",
  ],
  [entry({ actor: "''" }), "actor <> ''"],
  [
    entry({ actor_kind: "'api_key'" }),
    "(key_prefix IS NOT NULL) = (actor_kind IN ('api_key', 'assistant'))",
  ],
  [entry({ action: "''" }), "action <> ''"],
  [entry({ row_count: '-1' }), 'row_count >= 0'],
  [entry({ credit_units: '-1' }), 'credit_units >= 0'],
  [entry({ details: "'[]'" }), "json_type(details) = 'object'"],
  [entry({ hash: "'A'" }), 'length(hash) = 64'],
  ['INSERT INTO audit_key VALUES (2, randomblob(32))', 'only = 1'],
  ["UPDATE audit_key SET key = x'00'", 'length(key) = 32'],
];
