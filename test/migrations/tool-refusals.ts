// Clients and calls of the tool server that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const insertFolder = (values: string) => `INSERT INTO list_folder
  (account_id, path, real_path, added_at) VALUES (${values}, 'now')`;
const insertCall = (values: string) => `INSERT INTO tool_call
  (account_id, key_scope, tool, arguments, outcome, detail, charged_units, took_ms, at)
  VALUES (1, 's', 'check_wallet', '{}', ${values}, 'now')`;

export const toolRefusals: readonly Refusal[] = [
  [insertCall("'lost', '', 0, 1"), "outcome IN ('done', 'refused', 'failed', 'cancelled')"],
  [insertCall("'done', '', -1, 1"), 'charged_units >= 0'],
  [insertCall("'done', '', 0, -1"), 'took_ms >= 0'],
  [insertFolder("1, '', '/a'"), "path <> ''"],
  [insertFolder("1, '/a', ''"), "real_path <> ''"],
  [insertFolder("99, '/a', '/a'"), 'FOREIGN KEY'],
  [
    `${insertFolder("1, '/a', '/a'")}; ${insertFolder("1, '/a', '/b'")}`,
    'UNIQUE constraint failed: list_folder.account_id, list_folder.path',
  ],
];
