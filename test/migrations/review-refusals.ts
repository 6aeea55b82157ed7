// What the schema refuses of reviews; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const insertPick = (values: string) => `INSERT INTO review_pick
  (job_id, row_index, contact_uuid, price_units, at, open_reason, open_confidence)
  VALUES (${values})`;
const insertMemory = (values: string) => `INSERT INTO review_memory
  (account_id, contact_hash, job_id, row_index, company_id, employment_status, matched_on, offered)
  VALUES (${values})`;
const hash = 'zeroblob(16)';
const uuid = "'10000000-0000-4000-8000-000000000000'";
const refund = (units: string, subject: string) => `INSERT INTO ledger_entry
  (account_id, kind, from_ledger, to_ledger, amount_units, subject_kind, subject_id, at)
  VALUES (1, 'refund', 'spent', 'wallet', ${units}, ${subject}, 'now')`;

export const reviewRefusals: readonly Refusal[] = [
  ['UPDATE job SET reviewed_units = -1', 'reviewed_units >= 0'],
  ['UPDATE job SET reviewed_units = 1', "status = 'completed' OR reviewed_units = 0"],
  [insertPick(`1, -1, ${uuid}, 1, 'now', 2, 0.5`), 'row_index >= 0'],
  [insertPick("1, 0, '', 1, 'now', 2, 0.5"), "contact_uuid <> ''"],
  [insertPick(`1, 0, ${uuid}, -1, 'now', 2, 0.5`), 'price_units >= 0'],
  [insertPick(`1, 0, ${uuid}, 1, 'now', 0, 0.5`), 'open_reason > 0'],
  [insertPick("1, 0, NULL, 1, 'now', 2, 0.5"), 'contact_uuid IS NOT NULL OR price_units = 0'],
  [insertPick(`9, 0, ${uuid}, 1, 'now', 2, 0.5`), 'FOREIGN KEY'],
  ['INSERT INTO review_key VALUES (2, zeroblob(32))', 'only = 1'],
  ['UPDATE review_key SET key = zeroblob(8)', 'length(key) = 32'],
  [insertMemory("1, zeroblob(8), 1, 0, 0, 0, 0, '[]'"), 'length(contact_hash) = 16'],
  [insertMemory(`1, ${hash}, 1, 0, -1, 0, 0, '[]'`), 'company_id >= 0'],
  [insertMemory(`1, ${hash}, 1, 0, 0, -1, 0, '[]'`), 'employment_status >= 0'],
  [insertMemory(`1, ${hash}, 1, 0, 0, 0, -1, '[]'`), 'matched_on >= 0'],
  [insertMemory(`1, ${hash}, 1, 0, 0, 0, 0, '{}'`), "json_type(offered) = 'array'"],
  [insertMemory(`1, ${hash}, 1, 0, 0, 0, 0, '[]'`), 'FOREIGN KEY'],
  ["INSERT INTO review_recall VALUES (1, -1, 'app', 'now')", 'row_index >= 0'],
  [refund('5', `'email_lookup', ${uuid}`), 'CASE'],
  [refund('5', "'review', 'x'"), 'CASE'],
  [refund('101', `'review', ${uuid}`), 'spent_units >= 0'],
];
