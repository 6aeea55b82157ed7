// Ledger entries and balances that the schema refuses; schema.test.ts runs them.
import { someJob } from './temporary-store.ts';

type Refusal = readonly [what: string, sql: string, message: string];

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
  [
    'a wallet below 0',
    insertEntry("1, 'charge', 'wallet', 'spent', 3901, NULL"),
    'wallet_units >= 0',
  ],
  [
    'less than nothing held',
    'UPDATE ledger_balance SET wallet_units = 6000, held_units = -1000',
    'held_units >= 0',
  ],
  [
    'less than nothing spent',
    'UPDATE ledger_balance SET wallet_units = 6000, spent_units = -1',
    'spent_units >= 0',
  ],
  [
    'grants above 0',
    'UPDATE ledger_balance SET grants_units = 1',
    'grants_units BETWEEN -9007199254740991 AND 0',
  ],
  [
    'ledgers that do not add up',
    'UPDATE ledger_balance SET spent_units = 1',
    'grants_units + wallet_units + held_units + spent_units = 0',
  ],
];

/** [what, SQL, the message of the refusal], on the store that schema.test.ts fills. */
export const ledgerRefusals: readonly Refusal[] = [
  ['an entry of 0', insertEntry("1, 'grant', 'grants', 'wallet', 0, NULL"), 'amount_units > 0'],
  ['an entry below 0', insertEntry("1, 'grant', 'grants', 'wallet', -5, NULL"), 'amount_units > 0'],
  [
    'an entry of a broken unit',
    insertEntry("1, 'grant', 'grants', 'wallet', 1.5, NULL"),
    'cannot store REAL',
  ],
  ['a grant that spends', insertEntry("1, 'grant', 'grants', 'spent', 5, NULL"), grantPair],
  ['a grant out of a wallet', insertEntry("1, 'grant', 'wallet', 'wallet', 5, NULL"), grantPair],
  ['a charge of what is held', insertEntry("1, 'charge', 'held', 'spent', 5, NULL"), grantPair],
  [
    'a hold that spends',
    insertEntry("1, 'hold', 'wallet', 'spent', 1000, 1"),
    'ledger_entry_exists',
  ],
  [
    'a settle back to the wallet',
    half + insertEntry("1, 'settle', 'held', 'wallet', 600, 1"),
    grantPair,
  ],
  ['a release that spends', half + insertEntry("1, 'release', 'held', 'spent', 400, 1"), grantPair],
  ['an unknown kind', insertEntry("1, 'gift', 'grants', 'wallet', 5, NULL"), grantPair],
  ['an unknown account', insertEntry("9, 'grant', 'grants', 'wallet', 5, NULL"), 'FOREIGN KEY'],
  [
    'a hold entry without a hold',
    insertEntry("1, 'hold', 'wallet', 'held', 5, NULL"),
    "(hold_id IS NOT NULL) = (kind IN ('hold', 'settle', 'release'))",
  ],
  [
    'a charge with a hold',
    insertEntry("1, 'charge', 'wallet', 'spent', 1000, 1"),
    'entry_differs_from_hold',
  ],
  [
    'a hold entry of an unknown hold',
    insertEntry("1, 'hold', 'wallet', 'held', 5, 9"),
    'entry_differs_from_hold',
  ],
  [
    'a settle before its time',
    insertEntry("1, 'settle', 'held', 'spent', 1000, 1"),
    'entry_differs_from_hold',
  ],
  [
    'a settle of too much',
    half + insertEntry("1, 'settle', 'held', 'spent', 601, 1"),
    'entry_differs_from_hold',
  ],
  [
    'a settle by a stranger',
    half + insertEntry("2, 'settle', 'held', 'spent', 600, 1"),
    'entry_differs_from_hold',
  ],
  ['a second settle', insertEntry("1, 'settle', 'held', 'spent', 100, 2"), 'ledger_entry_exists'],
  [
    'a release after all is spent',
    insertEntry("1, 'release', 'held', 'wallet', 1, 2"),
    'entry_differs_from_hold',
  ],
  ['a second resolution', insertResolution('2, 1, 100, 100, 0'), 'hold_already_resolved'],
  [
    'a resolution of too little',
    insertResolution('1, 1, 1000, 1, 1'),
    'settled_units + released_units = hold_units',
  ],
  ['a resolution of too much', insertResolution('1, 1, 1001, 1001, 0'), 'FOREIGN KEY'],
  [
    'a resolution that spends below 0',
    insertResolution('1, 1, 1000, -1, 1001'),
    'settled_units >= 0',
  ],
  [
    'a resolution that releases below 0',
    insertResolution('1, 1, 1000, 1001, -1'),
    'released_units >= 0',
  ],
  ['a resolution by a stranger', insertResolution('1, 2, 1000, 0, 1000'), 'FOREIGN KEY'],
  [
    'a hold below 0',
    `INSERT INTO ledger_hold VALUES (9, 1, -1, 'job', ${uuid}, 'now', NULL)`,
    'amount_units >= 0',
  ],
  ['a hold for a lookup', insertHold(`'email_lookup', ${uuid}`), holdSubject],
  ['a hold for a job without its UUID', insertHold("'job', '7'"), holdSubject],
  [
    'a settle for another job than its hold',
    half + insertEntry("1, 'settle', 'held', 'spent', 600, 1", `'job', ${uuid}`),
    'entry_differs_from_hold',
  ],
  ...[
    ['a grant for a job', "'grant', 'grants', 'wallet'", `'job', ${uuid}`],
    ['a grant from nowhere', "'grant', 'grants', 'wallet'", "'grant', ''"],
    ['a charge for a job', "'charge', 'wallet', 'spent'", `'job', ${uuid}`],
    ['a charge for a grant', "'charge', 'wallet', 'spent'", "'grant', 'x'"],
    ['a charge for an unknown kind', "'charge', 'wallet', 'spent'", "'gift', 'x'"],
    ['a charge for a lookup without a person', "'charge', 'wallet', 'spent'", "'email_lookup', ''"],
    ['a charge for a monitor job of no id', "'charge', 'wallet', 'spent'", "'monitor_job', 'x'"],
  ].map(
    ([what, movement, subject]): Refusal => [
      `${what}`,
      insertEntry(`1, ${movement}, 5, NULL`, subject),
      'CASE',
    ],
  ),
  ['a changed entry', 'UPDATE ledger_entry SET amount_units = 1', 'ledger_entry_is_immutable'],
  ['a deleted entry', 'DELETE FROM ledger_entry', 'ledger_entry_is_immutable'],
  [
    'a replaced entry',
    `INSERT OR REPLACE INTO ledger_entry ${copiedEntries}`,
    'ledger_entry_exists',
  ],
  ['a changed hold', 'UPDATE ledger_hold SET amount_units = 1', 'ledger_hold_is_immutable'],
  ['a deleted hold', 'DELETE FROM ledger_hold', 'ledger_hold_is_immutable'],
  [
    'a replaced hold',
    `INSERT OR REPLACE INTO ledger_hold VALUES (2, 1, 9, 'job', ${uuid}, 'y', NULL)`,
    'ledger_hold_exists',
  ],
  ['a changed resolution', 'UPDATE ledger_resolution SET at = 1', 'ledger_resolution_is_immutable'],
  ['a deleted resolution', 'DELETE FROM ledger_resolution', 'ledger_resolution_is_immutable'],
  ...balanceRefusals,
];
