// Pipelines that the schema refuses; schema.test.ts runs them.

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

/** [what, SQL, the message of the refusal], with the store that schema.test.ts fills. */
export const pipelineRefusals: (readonly [what: string, sql: string, message: string])[] = [
  [
    'a pipeline about something else',
    set("source = 'jobs'"),
    "source IN ('contacts', 'uuids', 'people')",
  ],
  ['a mapping that is not an object', set("mapping = '[]'"), "json_type(mapping) = 'object'"],
  ['a threshold above 1', set('match_threshold = 2'), 'match_threshold BETWEEN 0 AND 1'],
  ['another order of what is unlocked', set(`kinds = '["phone","email"]'`), 'kinds IN ('],
  ['a price below 0', set('verify_price_units = -1'), 'verify_price_units >= 0'],
  [
    'an unknown status of a pipeline',
    set("status = 'paused'"),
    "status IN ('queued', 'running', 'completed', 'failed', 'cancelled')",
  ],
  ['fewer than no contacts', set('total = -1'), 'total >= 0'],
  ['more looked up than there are', set('looked_up_to = 4'), 'looked_up_to BETWEEN 0 AND total'],
  [
    'more unlocked than there are',
    set('looked_up_to = 3, unlocked_to = 4'),
    'unlocked_to BETWEEN 0 AND total',
  ],
  [
    'more verified than there are',
    set('looked_up_to = 3, unlocked_to = 3, verified_to = 4'),
    'verified_to BETWEEN 0 AND total',
  ],
  ['more matched than looked up', set('matched = 3'), 'matched BETWEEN 0 AND looked_up_to'],
  ['more unlocked than matched', set('unlocked = 3'), 'unlocked BETWEEN 0 AND matched'],
  ['more locked than matched', set('locked = 3'), 'locked BETWEEN 0 AND matched'],
  ['more verified than unlocked', set('verified = 1'), 'verified BETWEEN 0 AND unlocked'],
  [
    'a charge beyond the hold',
    held('unlocked_to = 1, charged_units = 501'),
    'charged_units BETWEEN 0 AND held_units',
  ],
  [
    'less than nothing charged by a pipeline',
    set('charged_units = -1'),
    'charged_units BETWEEN 0 AND held_units',
  ],
  ['a hold below 0 of a pipeline', set('held_units = -1'), 'held_units >= 0'],
  [
    'a hold before all is looked up',
    set("held_at = 'now'"),
    'held_at IS NULL OR looked_up_to = total',
  ],
  [
    'a hold without its time',
    held('held_at = NULL').replace(", held_at = 'now'", ''),
    'hold_id IS NULL OR (held_at IS NOT NULL AND held_units > 0)',
  ],
  [
    'units of a pipeline that nothing holds',
    set('held_units = 5'),
    'hold_id IS NOT NULL OR held_units = 0',
  ],
  ["units that are not the hold's of a pipeline", held('held_units = 499'), 'FOREIGN KEY'],
  [
    'a hold that is short for another reason',
    set("held_short_by = 'no_match'"),
    "held_short_by IN ('insufficient_credits', 'spending_cap_reached')",
  ],
  ['a second hold', held('hold_id = NULL, held_units = 0'), 'pipeline_has_held'],
  ['a hold at another time', held("held_at = 'then'"), 'pipeline_has_held'],
  [
    'more verdicts paid for than given',
    set('paid_verdicts = 1'),
    'paid_verdicts BETWEEN 0 AND verified',
  ],
  ['a release before the end of a pipeline', held('released_units = 500'), 'released_units ='],
  [
    'an end that releases less than the rest',
    held("status = 'cancelled', completed_at = 'now', released_units = 499"),
    'released_units =',
  ],
  [
    'an unlock before all is looked up',
    set('unlocked_to = 1'),
    'unlocked_to = 0 OR looked_up_to = total',
  ],
  [
    'a verification before all is unlocked',
    set('looked_up_to = 3, unlocked_to = 2, verified_to = 1'),
    'verified_to = 0 OR (unlocked_to = total AND verify_price_units IS NOT NULL)',
  ],
  [
    'a charge before anything is unlocked',
    held('charged_units = 1'),
    'charged_units = 0 OR unlocked_to > 0',
  ],
  [
    'an end before all is unlocked',
    set("status = 'completed', completed_at = 'now'"),
    "status <> 'completed' OR (unlocked_to = total",
  ],
  [
    'an end before all is verified',
    set(`looked_up_to = 3, unlocked_to = 3, verified_to = 2, status = 'completed',
      completed_at = 'now'`),
    "status <> 'completed' OR (unlocked_to = total",
  ],
  [
    'an end of a pipeline without its time',
    set("status = 'failed', error = 'upstream_error'"),
    "(completed_at IS NULL) = (status IN ('queued', 'running'))",
  ],
  [
    'a failed pipeline without a word',
    set("status = 'failed', completed_at = 'now'"),
    "(error IS NOT NULL) = (status = 'failed')",
  ],
  [
    'a value paid for by the hold of a job',
    `INSERT INTO owned VALUES (1, 'p', 'email', 5,
      (SELECT id FROM ledger_entry WHERE kind = 'hold' AND hold_id = 1), 'now')`,
    'owned_without_charge',
  ],
  [
    'a value paid for by the hold of a pipeline that has ended',
    `${held("status = 'cancelled', completed_at = 'now', released_units = 500")};
     INSERT INTO owned VALUES (1, 'p', 'email', 5, 90, 'now')`,
    'owned_without_charge',
  ],
  [
    'an ended pipeline that continues',
    `${ended}; UPDATE pipeline SET matched = 0`,
    'pipeline_has_ended',
  ],
  ['an unknown key', set("key_id = 'k'"), 'FOREIGN KEY'],
  [
    'subjects before the first',
    `${running} INSERT INTO pipeline_subjects VALUES (1, -1, '[]')`,
    'first_position >= 0',
  ],
  [
    'subjects that are no list',
    `${running} INSERT INTO pipeline_subjects VALUES (1, 0, '{}')`,
    "json_type(subjects) = 'array'",
  ],
  ['a contact before the first', contact('-1, NULL, NULL, NULL, NULL, NULL, 0'), 'position >= 0'],
  [
    'an unknown state of an email',
    contact("0, 'p', 'a@b.org', 'free', NULL, NULL, 0"),
    "email_state IN ('owned', 'charged', 'locked')",
  ],
  [
    'an unknown state of a phone',
    contact("0, 'p', NULL, NULL, 'free', NULL, 0"),
    "phone_state IN ('owned', 'charged', 'locked')",
  ],
  [
    'an email that is unlocked and not there',
    contact("0, 'p', NULL, 'owned', NULL, NULL, 0"),
    'email_state IS NULL OR email IS NOT NULL',
  ],
  [
    'a phone that is unlocked and not there',
    contact("0, 'p', NULL, NULL, 'owned', NULL, 0"),
    'phone_state IS NULL OR phone IS NOT NULL',
  ],
  [
    'a charge without a person',
    contact('0, NULL, NULL, NULL, NULL, NULL, 5'),
    'person_uuid IS NOT NULL OR charged_units = 0',
  ],
  [
    'a verdict on an email that is locked',
    contact("0, 'p', 'a@b.org', 'locked', NULL, 'comment', 0"),
    "verdict IS NULL OR email_state IN ('owned', 'charged')",
  ],
  [
    'a contact that is looked up twice',
    `${paid} INSERT INTO pipeline_contact (pipeline_id, position) VALUES (1, 0)`,
    'UNIQUE',
  ],
  [
    'a contact that is paid for twice',
    `${paid} UPDATE pipeline_contact SET email_state = 'owned'`,
    'contact_is_paid',
  ],
  [
    'an email that is verified twice',
    `${paid} UPDATE pipeline_contact SET verdict = 'comment';
     UPDATE pipeline_contact SET verdict = 'display_name'`,
    'contact_is_paid',
  ],
];
