// Ledger entries and balances that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';
import { someJob } from './temporary-store.ts';

/** A subject that fits an entry: that of its hold, or one of its kind. */
function subjectOf(values: string): string {
  const holdId = values.split(', ').at(-1);
  if (holdId === 'NULL')
    return values.includes("'grant'") ? "'grant', 'x'" : "'monitor_job', '999'";
  const ofHold = (column: string) => `(SELECT ${column} FROM ledger_hold WHERE id = ${holdId})`;
  return `ifnull(${ofHold('subject_kind')}, 'job'), ifnull(${ofHold('subject_id')}, 'x')`;
}
const insertEntry = (values: string, subject = subjectOf(values)) => `INSERT INTO ledger_entry
  (account_id, kind, from_ledger, to_ledger, amount_units, hold_id, subject_kind, subject_id, at)
  VALUES (${values}, ${subject}, 'now')`;
const insertHold = (subject: string) =>
  `INSERT INTO ledger_hold VALUES (9, 1, 5, ${subject}, 'now', NULL)`;
const holdSubject =
  "subject_kind IN ('job', 'pipeline', 'email_validation') AND length(subject_id) = 36";
const uuid = `'${someJob.id}'`;
const insertResolution = (values: string) => `INSERT INTO ledger_resolution
  (hold_id, account_id, hold_units, settled_units, released_units, at) VALUES (${values}, 'now')`;
// A resolution of hold 1 whose entries are not written yet.
const half = `${insertResolution('1, 1, 1000, 600, 400')};`;
const grantPair = "kind || ' ' || from_ledger";
const copiedEntries = `SELECT id, account_id, kind, from_ledger, to_ledger, amount_units, hold_id,
  subject_kind, subject_id, at, key_id FROM ledger_entry`;

const balanceRefusals: readonly Refusal[] = [
  [insertEntry("1, 'charge', 'wallet', 'spent', 3901, NULL"), 'wallet_units >= 0'],
  ['UPDATE ledger_balance SET wallet_units = 6000, held_units = -1000', 'held_units >= 0'],
  ['UPDATE ledger_balance SET wallet_units = 6000, spent_units = -1', 'spent_units >= 0'],
  ['UPDATE ledger_balance SET grants_units = 1', 'grants_units BETWEEN -9007199254740991 AND 0'],
  [
    'UPDATE ledger_balance SET spent_units = 1',
    'grants_units + wallet_units + held_units + spent_units = 0',
  ],
];

export const ledgerRefusals: readonly Refusal[] = [
  [insertEntry("1, 'grant', 'grants', 'wallet', 0, NULL"), 'amount_units > 0'],
  [insertEntry("1, 'grant', 'grants', 'wallet', -5, NULL"), 'amount_units > 0'],
  [insertEntry("1, 'grant', 'grants', 'wallet', 1.5, NULL"), 'cannot store REAL'],
  [insertEntry("1, 'grant', 'grants', 'spent', 5, NULL"), grantPair],
  [insertEntry("1, 'grant', 'wallet', 'wallet', 5, NULL"), grantPair],
  [insertEntry("1, 'charge', 'held', 'spent', 5, NULL"), grantPair],
  [insertEntry("1, 'hold', 'wallet', 'spent', 1000, 1"), 'ledger_entry_exists'],
  [half + insertEntry("1, 'settle', 'held', 'wallet', 600, 1"), grantPair],
  [half + insertEntry("1, 'release', 'held', 'spent', 400, 1"), grantPair],
  [insertEntry("1, 'gift', 'grants', 'wallet', 5, NULL"), grantPair],
  [insertEntry("9, 'grant', 'grants', 'wallet', 5, NULL"), 'FOREIGN KEY'],
  [
    insertEntry("1, 'hold', 'wallet', 'held', 5, NULL"),
    "(hold_id IS NOT NULL) = (kind IN ('hold', 'settle', 'release'))",
  ],
  [insertEntry("1, 'charge', 'wallet', 'spent', 1000, 1"), 'entry_differs_from_hold'],
  [insertEntry("1, 'hold', 'wallet', 'held', 5, 9"), 'entry_differs_from_hold'],
  [insertEntry("1, 'settle', 'held', 'spent', 1000, 1"), 'entry_differs_from_hold'],
  [half + insertEntry("1, 'settle', 'held', 'spent', 601, 1"), 'entry_differs_from_hold'],
  [half + insertEntry("2, 'settle', 'held', 'spent', 600, 1"), 'entry_differs_from_hold'],
  [insertEntry("1, 'settle', 'held', 'spent', 100, 2"), 'ledger_entry_exists'],
  [insertEntry("1, 'release', 'held', 'wallet', 1, 2"), 'entry_differs_from_hold'],
  [insertResolution('2, 1, 100, 100, 0'), 'hold_already_resolved'],
  [insertResolution('1, 1, 1000, 1, 1'), 'settled_units + released_units = hold_units'],
  [insertResolution('1, 1, 1001, 1001, 0'), 'FOREIGN KEY'],
  [insertResolution('1, 1, 1000, -1, 1001'), 'settled_units >= 0'],
  [insertResolution('1, 1, 1000, 1001, -1'), 'released_units >= 0'],
  [insertResolution('1, 2, 1000, 0, 1000'), 'FOREIGN KEY'],
  [`INSERT INTO ledger_hold VALUES (9, 1, -1, 'job', ${uuid}, 'now', NULL)`, 'amount_units >= 0'],
  [insertHold(`'email_lookup', ${uuid}`), holdSubject],
  [insertHold("'job', '7'"), holdSubject],
  [
    half + insertEntry("1, 'settle', 'held', 'spent', 600, 1", `'job', ${uuid}`),
    'entry_differs_from_hold',
  ],
  ...[
    ["'grant', 'grants', 'wallet'", `'job', ${uuid}`],
    ["'grant', 'grants', 'wallet'", "'grant', ''"],
    ["'charge', 'wallet', 'spent'", `'job', ${uuid}`],
    ["'charge', 'wallet', 'spent'", "'grant', 'x'"],
    ["'charge', 'wallet', 'spent'", "'gift', 'x'"],
    ["'charge', 'wallet', 'spent'", "'email_lookup', ''"],
    ["'charge', 'wallet', 'spent'", "'monitor_job', 'x'"],
  ].map(
    ([movement, subject]): Refusal => [insertEntry(`1, ${movement}, 5, NULL`, subject), 'CASE'],
  ),
  ['UPDATE ledger_entry SET amount_units = 1', 'ledger_entry_is_immutable'],
  ['DELETE FROM ledger_entry', 'ledger_entry_is_immutable'],
  [`INSERT OR REPLACE INTO ledger_entry ${copiedEntries}`, 'ledger_entry_exists'],
  ['UPDATE ledger_hold SET amount_units = 1', 'ledger_hold_is_immutable'],
  ['DELETE FROM ledger_hold', 'ledger_hold_is_immutable'],
  [
    `INSERT OR REPLACE INTO ledger_hold VALUES (2, 1, 9, 'job', ${uuid}, 'y', NULL)`,
    'ledger_hold_exists',
  ],
  ['UPDATE ledger_resolution SET at = 1', 'ledger_resolution_is_immutable'],
  ['DELETE FROM ledger_resolution', 'ledger_resolution_is_immutable'],
  ...balanceRefusals,
];
