// Writes that the tables of Career Monitor refuse.
import type { Refusal } from './temporary-store.ts';
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
export const monitorRefusals: readonly Refusal[] = [
  ["UPDATE job SET kind = 'x'", "kind IN ('enrichment', 'monitor')"],
  [monitorOf({ title: "''" }), "title <> ''"],
  [monitorOf({ schedule: "'[]'" }), "json_type(schedule) = 'object'"],
  [monitorOf({ headers: "'{}'" }), "json_type(headers) = 'array'"],
  [monitorOf({ total_records: '0' }), 'total_records > 0'],
  [
    monitorOf({ deleted_at: `'${at}'`, next_run_at: `'${at}'` }),
    'deleted_at IS NULL OR next_run_at IS NULL',
  ],
  [
    'INSERT INTO monitor_job (account_id, job_id, price_units) VALUES (1, 1, -1)',
    'price_units >= 0',
  ],
  [monitorJob(', charge_rule', ", 'none'"), 'charge_rule IN ('],
  [monitorJob(', repeated_rows', ', -1'), 'repeated_rows >= 0'],
  [monitorJob(', repeated_rows', ', 1'), 'repeated_rows <= unchanged_rows'],
  ["UPDATE account SET monitor_charge = 'none'", 'monitor_charge IN ('],
  [monitorJob(', due_units', ', -1'), 'due_units >= 0'],
  [monitorJob(', paid_at', ", 'now'"), 'paid_at IS NULL OR due_units IS NOT NULL'],
  [
    monitorJob(', due_units, paid_at, charge_error', ", 5, 'now', 'no'"),
    'charge_error IS NULL OR (due_units > 0 AND paid_at IS NULL)',
  ],
  [
    monitorJob(', due_units', ', 5'),
    'due_units IS NULL OR paid_at IS NOT NULL OR charge_error IS NOT NULL',
  ],
  [
    `${monitorJob(', due_units, paid_at', ", 5, 'now'")}; UPDATE monitor_job SET paid_at = 'later'`,
    'monitor_job_is_paid',
  ],
  ['INSERT INTO monitor_finding (id, status) VALUES (1, 5)', 'status BETWEEN 0 AND 4'],
  [
    'INSERT INTO monitor_batch VALUES (1, 0, 3, 1, 0, 1, 0, 0)',
    'row_count = changed + departed + unchanged + no_match + failed',
  ],
];
