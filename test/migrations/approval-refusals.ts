// Approvals and later spending that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const hash = 'b'.repeat(64);
const key = `INSERT INTO api_key VALUES
  ('a', 1, 'l', 'p', '${hash}', 'now', NULL, NULL, 60, NULL, NULL, NULL, NULL, 0, 0);`;

/** A question, with some fields replaced. */
function ask(changes: Readonly<Record<string, string>> = {}): string {
  const row: Record<string, string> = {
    id: "'q'",
    account_id: '1',
    key_id: "'a'",
    request: `'${hash}'`,
    operation: "'o'",
    arguments: "'{}'",
    asked_in: "'app'",
    asked_units: '50',
    status: "'asked'",
    asked_at: "'now'",
    expires_at: "'later'",
    ...changes,
  };
  return `${key} INSERT INTO approval (${Object.keys(row)}) VALUES (${Object.values(row)})`;
}
const allow = `UPDATE approval SET status = 'allowed', answered_at = 'now'`;
const use = (units: number, entry = 'NULL') =>
  `UPDATE approval SET status = 'used', used_at = 'now', used_units = ${units},
   entry_id = ${entry}`;
const allowed = `${ask()}; ${allow}`;
const used = `${allowed}; ${use(50)}`;
const charge = `INSERT INTO ledger_entry (id, account_id, kind, from_ledger, to_ledger,
  amount_units, subject_kind, subject_id, at, key_id)
  VALUES (99, 1, 'charge', 'wallet', 'spent', 50, 'monitor_job', '999', '2026-11-20', 'a')`;
const pipeline = `INSERT INTO pipeline (id, uuid, account_id, key_id, authorised_units, title,
  source, mapping, match_threshold, kinds, status, total, looked_up_to, created_at)
  VALUES (1, 'u', 1, 'a', 5, 't', 'uuids', '{}', 0.9, '["email"]', 'running', 1, 1, 'now')`;
const holdTen = `INSERT INTO ledger_hold
  VALUES (9, 1, 10, 'pipeline', '90000000-0000-4000-8000-000000000000', '2026-11-20', 'a');
  UPDATE pipeline SET held_at = 'now', hold_id = 9, held_units = 10`;

export const approvalRefusals: readonly Refusal[] = [
  [ask({ request: "'x'" }), 'length(request) = 64'],
  [ask({ operation: "''" }), "operation <> ''"],
  [ask({ asked_in: "'mail'" }), "asked_in IN ('app', 'client')"],
  [ask({ asked_units: '0' }), 'asked_units > 0'],
  [ask({ key_id: "'z'" }), 'FOREIGN KEY'],
  [ask({ account_id: '2' }), 'FOREIGN KEY'],
  [ask({ status: "'maybe'" }), "status IN ('asked', 'allowed', 'denied', 'used', 'expired')"],
  [ask({ answered_at: "'now'" }), "status <> 'asked' OR answered_at IS NULL"],
  [
    `${ask()}; UPDATE approval SET status = 'allowed'`,
    "status NOT IN ('allowed', 'denied', 'used') OR answered_at IS NOT NULL",
  ],
  [
    `${allowed}; UPDATE approval SET status = 'used', used_at = 'now'`,
    "(status = 'used') = (used_units IS NOT NULL)",
  ],
  [
    `${allowed}; UPDATE approval SET status = 'used', used_units = 1`,
    "(status = 'used') = (used_at IS NOT NULL)",
  ],
  [`${allowed}; ${use(51)}`, 'used_units BETWEEN 1 AND asked_units'],
  [`${used}; ${use(1)}`, 'approval_goes_one_way'],
  [`${ask()}; UPDATE approval SET answered_at = 'now'; ${use(1)}`, 'approval_goes_one_way'],
  [`${allowed}; UPDATE approval SET status = 'denied'`, 'approval_goes_one_way'],
  [`${ask()}; ${allow}, asked_units = 60`, 'approval_keeps_what_was_asked'],
  [`${allowed}; ${charge}; ${use(40, '99')}`, 'approval_differs_from_entry'],
  [ask({ status: "'expired'", entry_id: '1' }), "entry_id IS NULL OR status = 'used'"],
  [`${used}; DELETE FROM approval`, 'approval_was_used'],
  [`${key} ${pipeline}; ${holdTen}`, 'authorised_units >= held_units'],
  [
    `INSERT INTO monitor_job (account_id, job_id, price_units, authorised_units, due_units, paid_at)
     VALUES (1, 1, 5, 9, 10, 'now')`,
    'authorised_units >= ifnull(due_units, 0)',
  ],
];
