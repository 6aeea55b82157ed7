// Pipelines that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

// Three contacts, of which two are looked up.
const running = `INSERT INTO pipeline (id, uuid, account_id, title, source, mapping,
    match_threshold, kinds, verify_price_units, status, total, looked_up_to, matched, created_at)
  VALUES (1, 'u', 1, '', 'uuids', '{}', 0.9, '["email"]', 10, 'running', 3, 2, 2, 'now');`;
const set = (changes: string) => `${running} UPDATE pipeline SET ${changes}`;
const ended = set("status = 'failed', error = 'upstream_error', completed_at = 'now'");
const heldAll = `looked_up_to = 3, held_at = 'now', hold_id = 3, held_units = 500`;
// A hold for the account that schema.test.ts fills, in addition to those of its job.
const subject = "'pipeline', '90000000-0000-4000-8000-000000000000'";
const held = (changes: string) => `INSERT INTO ledger_hold (id, account_id, amount_units,
    subject_kind, subject_id, at) VALUES (3, 1, 500, ${subject}, 'now');
  INSERT INTO ledger_entry (id, account_id, kind, from_ledger, to_ledger, amount_units, hold_id,
    subject_kind, subject_id, at)
  VALUES (90, 1, 'hold', 'wallet', 'held', 500, 3, ${subject}, 'now');
  ${set(heldAll)}; UPDATE pipeline SET ${changes}`;
const contact = (values: string) => `${running} INSERT INTO pipeline_contact
  (pipeline_id, position, person_uuid, email, email_state, phone_state, verdict, charged_units)
  VALUES (1, ${values});`;
const paid = contact("0, 'p', 'a@b.org', 'charged', NULL, NULL, 10000");

export const pipelineRefusals: readonly Refusal[] = [
  [set("source = 'jobs'"), "source IN ('contacts', 'uuids', 'people')"],
  [set("mapping = '[]'"), "json_type(mapping) = 'object'"],
  [set('match_threshold = 2'), 'match_threshold BETWEEN 0 AND 1'],
  [set(`kinds = '["phone","email"]'`), 'kinds IN ('],
  [set('verify_price_units = -1'), 'verify_price_units >= 0'],
  [set("status = 'paused'"), "status IN ('queued', 'running', 'completed', 'failed', 'cancelled')"],
  [set('total = -1'), 'total >= 0'],
  [set('looked_up_to = 4'), 'looked_up_to BETWEEN 0 AND total'],
  [set('looked_up_to = 3, unlocked_to = 4'), 'unlocked_to BETWEEN 0 AND total'],
  [set('looked_up_to = 3, unlocked_to = 3, verified_to = 4'), 'verified_to BETWEEN 0 AND total'],
  [set('matched = 3'), 'matched BETWEEN 0 AND looked_up_to'],
  [set('unlocked = 3'), 'unlocked BETWEEN 0 AND matched'],
  [set('locked = 3'), 'locked BETWEEN 0 AND matched'],
  [set('verified = 1'), 'verified BETWEEN 0 AND unlocked'],
  [held('unlocked_to = 1, charged_units = 501'), 'charged_units BETWEEN 0 AND held_units'],
  [set('charged_units = -1'), 'charged_units BETWEEN 0 AND held_units'],
  [set('held_units = -1'), 'held_units >= 0'],
  [set("held_at = 'now'"), 'held_at IS NULL OR looked_up_to = total'],
  [
    held('held_at = NULL').replace(", held_at = 'now'", ''),
    'hold_id IS NULL OR (held_at IS NOT NULL AND held_units > 0)',
  ],
  [set('held_units = 5'), 'hold_id IS NOT NULL OR held_units = 0'],
  [held('held_units = 499'), 'FOREIGN KEY'],
  [
    set("held_short_by = 'no_match'"),
    "held_short_by IN ('insufficient_credits', 'spending_cap_reached')",
  ],
  [held('hold_id = NULL, held_units = 0'), 'pipeline_has_held'],
  [held("held_at = 'then'"), 'pipeline_has_held'],
  [set('paid_verdicts = 1'), 'paid_verdicts BETWEEN 0 AND verified'],
  [held('released_units = 500'), 'released_units ='],
  [held("status = 'cancelled', completed_at = 'now', released_units = 499"), 'released_units ='],
  [set('unlocked_to = 1'), 'unlocked_to = 0 OR looked_up_to = total'],
  [
    set('looked_up_to = 3, unlocked_to = 2, verified_to = 1'),
    'verified_to = 0 OR (unlocked_to = total AND verify_price_units IS NOT NULL)',
  ],
  [held('charged_units = 1'), 'charged_units = 0 OR unlocked_to > 0'],
  [
    set("status = 'completed', completed_at = 'now'"),
    "status <> 'completed' OR (unlocked_to = total",
  ],
  [
    set(`looked_up_to = 3, unlocked_to = 3, verified_to = 2, status = 'completed',
      completed_at = 'now'`),
    "status <> 'completed' OR (unlocked_to = total",
  ],
  [
    set("status = 'failed', error = 'upstream_error'"),
    "(completed_at IS NULL) = (status IN ('queued', 'running'))",
  ],
  [set("status = 'failed', completed_at = 'now'"), "(error IS NOT NULL) = (status = 'failed')"],
  [
    `INSERT INTO owned VALUES (1, 'p', 'email', 5,
      (SELECT id FROM ledger_entry WHERE kind = 'hold' AND hold_id = 1), 'now')`,
    'owned_without_charge',
  ],
  [
    `${held("status = 'cancelled', completed_at = 'now', released_units = 500")};
     INSERT INTO owned VALUES (1, 'p', 'email', 5, 90, 'now')`,
    'owned_without_charge',
  ],
  [`${ended}; UPDATE pipeline SET matched = 0`, 'pipeline_has_ended'],
  [set("key_id = 'k'"), 'FOREIGN KEY'],
  [`${running} INSERT INTO pipeline_subjects VALUES (1, -1, '[]')`, 'first_position >= 0'],
  [`${running} INSERT INTO pipeline_subjects VALUES (1, 0, '{}')`, "json_type(subjects) = 'array'"],
  [contact('-1, NULL, NULL, NULL, NULL, NULL, 0'), 'position >= 0'],
  [
    contact("0, 'p', 'a@b.org', 'free', NULL, NULL, 0"),
    "email_state IN ('owned', 'charged', 'locked')",
  ],
  [contact("0, 'p', NULL, NULL, 'free', NULL, 0"), "phone_state IN ('owned', 'charged', 'locked')"],
  [contact("0, 'p', NULL, 'owned', NULL, NULL, 0"), 'email_state IS NULL OR email IS NOT NULL'],
  [contact("0, 'p', NULL, NULL, 'owned', NULL, 0"), 'phone_state IS NULL OR phone IS NOT NULL'],
  [contact('0, NULL, NULL, NULL, NULL, NULL, 5'), 'person_uuid IS NOT NULL OR charged_units = 0'],
  [
    contact("0, 'p', 'a@b.org', 'locked', NULL, 'comment', 0"),
    "verdict IS NULL OR email_state IN ('owned', 'charged')",
  ],
  [`${paid} INSERT INTO pipeline_contact (pipeline_id, position) VALUES (1, 0)`, 'UNIQUE'],
  [`${paid} UPDATE pipeline_contact SET email_state = 'owned'`, 'contact_is_paid'],
  [
    `${paid} UPDATE pipeline_contact SET verdict = 'comment';
     UPDATE pipeline_contact SET verdict = 'display_name'`,
    'contact_is_paid',
  ],
];
