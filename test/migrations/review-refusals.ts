// What the schema refuses of reviews; schema.test.ts runs them.

type Refusal = readonly [what: string, sql: string, message: string];

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

/** [what, SQL, the words of the refusal], on the store that schema.test.ts fills. */
export const reviewRefusals: readonly Refusal[] = [
  ['a review below 0', 'UPDATE job SET reviewed_units = -1', 'reviewed_units >= 0'],
  [
    'a review of a job that has not completed',
    'UPDATE job SET reviewed_units = 1',
    "status = 'completed' OR reviewed_units = 0",
  ],
  ['a pick of a row below 0', insertPick(`1, -1, ${uuid}, 1, 'now', 2, 0.5`), 'row_index >= 0'],
  ['a pick of an empty id', insertPick("1, 0, '', 1, 'now', 2, 0.5"), "contact_uuid <> ''"],
  ['a pick below 0', insertPick(`1, 0, ${uuid}, -1, 'now', 2, 0.5`), 'price_units >= 0'],
  ['a pick of an enriched row', insertPick(`1, 0, ${uuid}, 1, 'now', 0, 0.5`), 'open_reason > 0'],
  [
    'a price without a candidate',
    insertPick("1, 0, NULL, 1, 'now', 2, 0.5"),
    'contact_uuid IS NOT NULL OR price_units = 0',
  ],
  ['a pick of an unknown job', insertPick(`9, 0, ${uuid}, 1, 'now', 2, 0.5`), 'FOREIGN KEY'],
  ['a second key of reviews', 'INSERT INTO review_key VALUES (2, zeroblob(32))', 'only = 1'],
  ['a short key of reviews', 'UPDATE review_key SET key = zeroblob(8)', 'length(key) = 32'],
  [
    'a short hash',
    insertMemory("1, zeroblob(8), 1, 0, 0, 0, 0, '[]'"),
    'length(contact_hash) = 16',
  ],
  ['a company below 0', insertMemory(`1, ${hash}, 1, 0, -1, 0, 0, '[]'`), 'company_id >= 0'],
  ['a status below 0', insertMemory(`1, ${hash}, 1, 0, 0, -1, 0, '[]'`), 'employment_status >= 0'],
  ['matched fields below 0', insertMemory(`1, ${hash}, 1, 0, 0, 0, -1, '[]'`), 'matched_on >= 0'],
  [
    'candidates that are no list',
    insertMemory(`1, ${hash}, 1, 0, 0, 0, 0, '{}'`),
    "json_type(offered) = 'array'",
  ],
  [
    'a remembered row without a pick',
    insertMemory(`1, ${hash}, 1, 0, 0, 0, 0, '[]'`),
    'FOREIGN KEY',
  ],
  [
    'an answered row below 0',
    "INSERT INTO review_recall VALUES (1, -1, 'app', 'now')",
    'row_index >= 0',
  ],
  ['a refund for a lookup', refund('5', `'email_lookup', ${uuid}`), 'CASE'],
  ['a refund for a review without its job', refund('5', "'review', 'x'"), 'CASE'],
  ['a refund of more than was spent', refund('101', `'review', ${uuid}`), 'spent_units >= 0'],
];
