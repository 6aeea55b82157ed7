// What the schema refuses of deletions and of retention; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const endJob =
  "UPDATE job SET status = 'cancelled', completed_at = 'now', released_units = held_units;";
const hide =
  "deleted_at = 'now', title = '', file_name = NULL, headers = '[]', mapping = '{}', is_clearing";
const validation = `INSERT INTO ledger_hold
  VALUES (9, 1, 30, 'email_validation', '90000000-0000-4000-8000-000000000000', 'now', NULL);
  INSERT INTO email_validation (id, uuid, account_id, status, price_units, total_emails,
    duplicate_emails, hold_id, held_units, created_at)
  VALUES (1, 'u', 1, 'running', 10, 3, 0, 9, 30, 'now');`;
const pipeline = `INSERT INTO pipeline (id, uuid, account_id, title, source, mapping,
    match_threshold, kinds, status, total, error, created_at, completed_at)
  VALUES (1, 'u', 1, 'List', 'uuids', '{}', 0.9, '["email"]', 'failed', 3, 'upstream_error',
    'now', 'now');`;
const paid = (values: string) => `INSERT INTO paid_person VALUES (${values})`;
const run = (changes: string) => `UPDATE retention_run SET ${changes}`;
const setting = (values: string) => `INSERT INTO retention_setting VALUES (${values});`;

export const retentionRefusals: readonly Refusal[] = [
  ['UPDATE job SET is_clearing = 2', 'is_clearing IN (0, 1)'],
  [`${endJob} UPDATE job SET is_clearing = 1`, 'is_clearing = 0 OR deleted_at IS NOT NULL'],
  [`UPDATE job SET ${hide} = 1`, 'deleted_at IS NULL OR completed_at IS NOT NULL'],
  ["UPDATE job SET removed_at = 'now'", 'removed_at IS NULL OR completed_at IS NOT NULL'],
  [
    `${endJob} UPDATE job SET deleted_at = 'now'`,
    'deleted_at IS NULL OR (title, file_name, headers, mapping, error_detail)',
  ],
  [
    `${endJob} UPDATE job SET ${hide} = 1; UPDATE job SET deleted_at = NULL, is_clearing = 0`,
    'job_is_deleted',
  ],
  [`${endJob} UPDATE job SET ${hide} = 1; UPDATE job SET released_units = 0`, 'job_is_deleted'],
  [
    `${validation} UPDATE email_validation SET is_clearing = 1`,
    'is_clearing = 0 OR deleted_at IS NOT NULL',
  ],
  [
    `${validation} UPDATE email_validation SET deleted_at = 'now'`,
    'deleted_at IS NULL OR completed_at IS NOT NULL',
  ],
  [
    `${pipeline} UPDATE pipeline SET deleted_at = 'now'`,
    "deleted_at IS NULL OR (title, mapping, error_detail) IS ('', '{}', NULL)",
  ],
  [
    `${pipeline} UPDATE pipeline SET deleted_at = 'now', title = '', total = 2`,
    'pipeline_has_ended',
  ],
  [paid("1, x'00', 1, 0, 1"), 'length(person_hash) = 16'],
  [paid('1, zeroblob(16), 1, -1, 1'), 'row_index >= 0'],
  [paid('1, zeroblob(16), 1, 0, 0'), 'layers > 0'],
  [setting("1, '', 5"), "kind <> ''"],
  [setting("1, 'jobs', 0"), 'days BETWEEN 1 AND 36500'],
  [setting("NULL, 'backups', 5") + setting("NULL, 'backups', 6"), 'UNIQUE constraint failed'],
  ["INSERT INTO retention_run VALUES (2, 'idle', 0, 0, 0, '{}', 0, 0)", 'only = 1'],
  [run("state = 'paused'"), "state IN ('idle', 'deleting', 'shrinking')"],
  [run("deleted = '[]'"), "json_type(deleted) = 'object'"],
  [run('items = -1'), 'items >= 0'],
  [run('shrunk_bytes = -1'), 'shrunk_bytes >= 0'],
  [run("started_at = 'now'"), "(state = 'idle') = (ended_at IS NOT NULL OR started_at IS NULL)"],
  ["INSERT INTO backup_file VALUES ('', 1, 'now')", "path <> ''"],
  ["INSERT INTO backup_file VALUES ('/a', -1, 'now')", 'size_bytes >= 0'],
];
