// Writes that the tables of Career Monitor refuse.
import { at } from './temporary-store.ts';

const monitorOf = (changes: Partial<Record<string, string>>) => {
  const row: Partial<Record<string, string>> = {
    uuid: "'m'",
    account_id: '1',
    title: "'Leads'",
    schedule: "'{}'",
    headers: "'[]'",
    mapping: "'{}'",
    total_records: '1',
    answered_to: `'${at}'`,
    created_at: `'${at}'`,
    ...changes,
  };
  return `INSERT INTO monitor (${Object.keys(row)}) VALUES (${Object.values(row)})`;
};
const monitorJob = (columns: string, values: string) =>
  `INSERT INTO monitor_job (account_id, job_id, price_units${columns}) VALUES (1, 1, 5${values})`;

/** Each with its purpose, the SQL, and the rule that refuses it. */
export const monitorRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['a job of an unknown kind', "UPDATE job SET kind = 'x'", "kind IN ('enrichment', 'monitor')"],
  ['a monitor without a title', monitorOf({ title: "''" }), "title <> ''"],
  [
    'a monitor whose schedule is no object',
    monitorOf({ schedule: "'[]'" }),
    "json_type(schedule) = 'object'",
  ],
  [
    'a monitor whose headers are no array',
    monitorOf({ headers: "'{}'" }),
    "json_type(headers) = 'array'",
  ],
  ['a monitor of nothing', monitorOf({ total_records: '0' }), 'total_records > 0'],
  [
    'a deleted monitor that is due',
    monitorOf({ deleted_at: `'${at}'`, next_run_at: `'${at}'` }),
    'deleted_at IS NULL OR next_run_at IS NULL',
  ],
  [
    'a Career Monitor job below a price of 0',
    'INSERT INTO monitor_job (account_id, job_id, price_units) VALUES (1, 1, -1)',
    'price_units >= 0',
  ],
  ['an unknown rule of a run', monitorJob(', charge_rule', ", 'none'"), 'charge_rule IN ('],
  ['repeated rows below 0', monitorJob(', repeated_rows', ', -1'), 'repeated_rows >= 0'],
  [
    'more repeated rows than unchanged ones',
    monitorJob(', repeated_rows', ', 1'),
    'repeated_rows <= unchanged_rows',
  ],
  [
    'an account with an unknown rule for monitors',
    "UPDATE account SET monitor_charge = 'none'",
    'monitor_charge IN (',
  ],
  ['a due below 0', monitorJob(', due_units', ', -1'), 'due_units >= 0'],
  [
    'a payment of what is not due',
    monitorJob(', paid_at', ", 'now'"),
    'paid_at IS NULL OR due_units IS NOT NULL',
  ],
  [
    'a refused charge that was paid',
    monitorJob(', due_units, paid_at, charge_error', ", 5, 'now', 'no'"),
    'charge_error IS NULL OR (due_units > 0 AND paid_at IS NULL)',
  ],
  [
    'an end that is neither paid nor refused',
    monitorJob(', due_units', ', 5'),
    'due_units IS NULL OR paid_at IS NOT NULL OR charge_error IS NOT NULL',
  ],
  [
    'a second payment',
    `${monitorJob(', due_units, paid_at', ", 5, 'now'")}; UPDATE monitor_job SET paid_at = 'later'`,
    'monitor_job_is_paid',
  ],
  [
    'a finding of an unknown status',
    'INSERT INTO monitor_finding (id, status) VALUES (1, 5)',
    'status BETWEEN 0 AND 4',
  ],
  [
    'a batch of findings that does not add up',
    'INSERT INTO monitor_batch VALUES (1, 0, 3, 1, 0, 1, 0, 0)',
    'row_count = changed + departed + unchanged + no_match + failed',
  ],
];
