// Owned values that the schema refuses; schema.test.ts runs them.

const entry = `INSERT INTO ledger_entry
  (id, account_id, kind, from_ledger, to_ledger, amount_units, hold_id, subject_kind, subject_id,
    at)
  VALUES (90, 1, 'charge', 'wallet', 'spent', 5, NULL, 'tool', 'x', 'now');`;
const insertOwned = (values: string) => `INSERT INTO owned VALUES (${values}, 'now');`;
const paid = entry + insertOwned("1, 'p', 'email', 5, 90");

/** [what, SQL, the message of the refusal], with the store that schema.test.ts fills. */
export const ownedRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['a value without a person', entry + insertOwned("1, '', 'email', 5, 90"), "person_uuid <> ''"],
  [
    'a value of an unknown kind',
    entry + insertOwned("1, 'p', 'fax', 5, 90"),
    "kind IN ('email', 'phone', 'profile')",
  ],
  ['a value for nothing', entry + insertOwned("1, 'p', 'email', 0, 90"), 'price_units > 0'],
  ['a value without a charge', insertOwned("1, 'p', 'email', 5, 91"), 'owned_without_charge'],
  [
    'a value paid for by a grant',
    insertOwned("1, 'p', 'email', 5, (SELECT id FROM ledger_entry WHERE kind = 'grant' LIMIT 1)"),
    'owned_without_charge',
  ],
  [
    'a value paid for by another account',
    entry + insertOwned("2, 'p', 'email', 5, 90"),
    'owned_without_charge',
  ],
  ['a value owned twice', paid + insertOwned("1, 'p', 'email', 5, 90"), 'already_owned'],
  [
    'a value that replaces one',
    paid + insertOwned("1, 'p', 'email', 1, 90").replace('INSERT', 'INSERT OR REPLACE'),
    'already_owned',
  ],
  ['an owned value that changes', `${paid}UPDATE owned SET kind = 'phone'`, 'owned_is_immutable'],
  [
    'a pseudonym that changes the price too',
    `${paid}UPDATE owned SET person_uuid = '00000000-0000-4000-8000-1', price_units = 1`,
    'owned_is_immutable',
  ],
  [
    'another person of an owned value',
    `${paid}UPDATE owned SET person_uuid = 'another'`,
    'owned_is_immutable',
  ],
  ['an owned value that goes', `${paid}DELETE FROM owned`, 'owned_is_immutable'],
];
