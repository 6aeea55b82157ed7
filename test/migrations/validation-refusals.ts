// Email validations that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

// Three addresses at 10 units, held by hold 9.
const running = `INSERT INTO ledger_hold
  VALUES (9, 1, 30, 'email_validation', '90000000-0000-4000-8000-000000000000', 'now', NULL);
  INSERT INTO email_validation (id, uuid, account_id, status, price_units, total_emails,
    duplicate_emails, hold_id, held_units, created_at)
  VALUES (1, 'u', 1, 'running', 10, 3, 0, 9, 30, 'now');`;
const set = (changes: string) => `${running} UPDATE email_validation SET ${changes}`;
const giveVerdict = (position: number) =>
  `${running} INSERT INTO email_verdict VALUES (1, ${position}, 'a@b.org', 'comment');`;

export const validationRefusals: readonly Refusal[] = [
  [set("status = 'paused'"), "status IN ('queued', 'running', 'completed', 'failed')"],
  [set('total_emails = 0'), 'total_emails > 0'],
  [set('duplicate_emails = -1'), 'duplicate_emails >= 0'],
  [set("counts = '[]'"), "json_type(counts) = 'object'"],
  [set('decided_emails = 1'), 'decided_emails BETWEEN 0 AND done_emails'],
  [set('held_units = 29'), 'held_units = total_emails * price_units'],
  [set('price_units = 20, held_units = 60'), 'FOREIGN KEY'],
  [set('done_emails = 4'), 'done_emails BETWEEN 0 AND total_emails'],
  [
    set("status = 'completed', completed_at = 'now', released_units = 30"),
    "status <> 'completed' OR done_emails = total_emails",
  ],
  [
    set(`status = 'completed', completed_at = 'now', done_emails = 3, decided_emails = 1,
      charged_units = 20, released_units = 10`),
    "charged_units = iif(status = 'completed', decided_emails * price_units, 0)",
  ],
  [
    set('released_units = 30'),
    "charged_units + released_units = iif(status IN ('queued', 'running'), 0, held_units)",
  ],
  [
    set("status = 'failed', completed_at = 'now', released_units = 30"),
    "(error_detail IS NOT NULL) = (status = 'failed')",
  ],
  [giveVerdict(-1), 'position >= 0'],
  [`${giveVerdict(0)} UPDATE email_verdict SET reason = 'display_name'`, 'already_judged'],
];
