// Clients and calls of the tool server that the schema refuses; schema.test.ts runs them.

const insertFolder = (values: string) => `INSERT INTO list_folder
  (account_id, path, real_path, added_at) VALUES (${values}, 'now')`;
const insertCall = (values: string) => `INSERT INTO tool_call
  (account_id, key_scope, tool, arguments, outcome, detail, charged_units, took_ms, at)
  VALUES (1, 's', 'check_wallet', '{}', ${values}, 'now')`;

/** [what, SQL, the message of the refusal], with the store that schema.test.ts fills. */
export const toolRefusals: (readonly [what: string, sql: string, message: string])[] = [
  [
    'a call with an unknown outcome',
    insertCall("'lost', '', 0, 1"),
    "outcome IN ('done', 'refused', 'failed', 'cancelled')",
  ],
  ['a call that gave credits', insertCall("'done', '', -1, 1"), 'charged_units >= 0'],
  ['a call that took less than no time', insertCall("'done', '', 0, -1"), 'took_ms >= 0'],
  ['a folder without a path', insertFolder("1, '', '/a'"), "path <> ''"],
  ['a folder that leads nowhere', insertFolder("1, '/a', ''"), "real_path <> ''"],
  ['a folder of an unknown account', insertFolder("99, '/a', '/a'"), 'FOREIGN KEY'],
  [
    'a folder twice',
    `${insertFolder("1, '/a', '/a'")}; ${insertFolder("1, '/a', '/b'")}`,
    'UNIQUE constraint failed: list_folder.account_id, list_folder.path',
  ],
];
