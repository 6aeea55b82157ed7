// Owned values that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const entry = `INSERT INTO ledger_entry
  (id, account_id, kind, from_ledger, to_ledger, amount_units, hold_id, subject_kind, subject_id,
    at)
  VALUES (90, 1, 'charge', 'wallet', 'spent', 5, NULL, 'tool', 'x', 'now');`;
const insertOwned = (values: string) => `INSERT INTO owned VALUES (${values}, 'now');`;
const paid = entry + insertOwned("1, 'p', 'email', 5, 90");

export const ownedRefusals: readonly Refusal[] = [
  [entry + insertOwned("1, '', 'email', 5, 90"), "person_uuid <> ''"],
  [entry + insertOwned("1, 'p', 'fax', 5, 90"), "kind IN ('email', 'phone', 'profile')"],
  [entry + insertOwned("1, 'p', 'email', 0, 90"), 'price_units > 0'],
  [insertOwned("1, 'p', 'email', 5, 91"), 'owned_without_charge'],
  [
    insertOwned("1, 'p', 'email', 5, (SELECT id FROM ledger_entry WHERE kind = 'grant' LIMIT 1)"),
    'owned_without_charge',
  ],
  [entry + insertOwned("2, 'p', 'email', 5, 90"), 'owned_without_charge'],
  [paid + insertOwned("1, 'p', 'email', 5, 90"), 'already_owned'],
  [
    paid + insertOwned("1, 'p', 'email', 1, 90").replace('INSERT', 'INSERT OR REPLACE'),
    'already_owned',
  ],
  [`${paid}UPDATE owned SET kind = 'phone'`, 'owned_is_immutable'],
  [
    `${paid}UPDATE owned SET person_uuid = '00000000-0000-4000-8000-1', price_units = 1`,
    'owned_is_immutable',
  ],
  [`${paid}UPDATE owned SET person_uuid = 'another'`, 'owned_is_immutable'],
  [`${paid}DELETE FROM owned`, 'owned_is_immutable'],
];
