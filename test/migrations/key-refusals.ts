// API keys and their effects that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const hash = 'a'.repeat(64);
const insertKey = (limits: string, providerCap = '0') =>
  `INSERT INTO api_key VALUES
     ('k', 1, 'l', 'p', '${hash}', 'now', NULL, NULL, ${limits}, 0, ${providerCap});`;
const key = insertKey('60, NULL, NULL, NULL, NULL');
const keyOfAnother = key.replace("'k', 1", "'k', 2");
const subject = `'job', '90000000-0000-4000-8000-000000000000'`;
const insertHold = `INSERT INTO ledger_hold
  VALUES (9, 1, 5, ${subject}, '2026-11-20T10:00:00Z', 'k')`;
const insertEntry = (values: string) => `INSERT INTO ledger_entry
  (account_id, kind, from_ledger, to_ledger, amount_units, hold_id, subject_kind, subject_id,
    at, key_id)
  VALUES (${values})`;
const insertSpending = (values: string) => `INSERT INTO key_spending VALUES ('k', ${values})`;

export const keyRefusals: readonly Refusal[] = [
  [key.replace(hash, 'sk_live_abc'), "length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'"],
  [insertKey('0, NULL, NULL, NULL, NULL'), 'requests_per_minute > 0'],
  [insertKey('60, NULL, NULL, NULL, NULL', '-1'), 'provider_cap >= 0'],
  [insertKey('60, -1, NULL, NULL, NULL'), 'cap_day_units >= 0'],
  [insertKey('60, NULL, -1, NULL, NULL'), 'cap_month_units >= 0'],
  [insertKey('60, NULL, NULL, -1, NULL'), 'cap_call_units >= 0'],
  [insertKey('60, NULL, NULL, NULL, -1'), 'ask_above_units >= 0'],
  [key.replace(', 0, 0);', ', 2, 0);'), 'self_approval IN (0, 1)'],
  [`${key}INSERT INTO stdio_client VALUES (1, '', 'k')`, "name <> ''"],
  [`${keyOfAnother}INSERT INTO stdio_client VALUES (1, 'n', 'k')`, 'FOREIGN KEY'],
  [insertHold, 'FOREIGN KEY'],
  [`${keyOfAnother}${insertHold}`, 'FOREIGN KEY'],
  [
    keyOfAnother +
      insertEntry(
        "1, 'charge', 'wallet', 'spent', 5, NULL, 'monitor_job', '999', '2026-11-20', 'k'",
      ),
    'FOREIGN KEY',
  ],
  [
    key + insertEntry("1, 'grant', 'grants', 'wallet', 5, NULL, 'grant', 'x', 'now', 'k'"),
    "key_id IS NULL OR kind <> 'grant'",
  ],
  [
    `${key}${insertHold};
      ${insertEntry(`1, 'hold', 'wallet', 'held', 5, 9, ${subject}, 'now', NULL`)}`,
    'entry_differs_from_hold',
  ],
  [key + insertSpending("'2026-11', 1"), "day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'"],
  [key + insertSpending("'2026-11-20', -1"), 'spent_units >= 0'],
];
