// The rules of the ledger as queries over its rows. The schema enforces most of them when rows are
// written; these queries find violations however the file was changed.

/** Queries that each find violations of one rule and describe them in the column `violation`. */
export const violationQueries = [
  // The running balances equal the sums of the rows.
  `WITH movement AS (
     SELECT account_id, from_ledger AS ledger, -amount_units AS units FROM ledger_entry
     UNION ALL SELECT account_id, to_ledger, amount_units FROM ledger_entry
   ), summed AS (
     SELECT a.id AS account_id,
       ifnull(sum(units) FILTER (WHERE ledger = 'grants'), 0) AS grants_units,
       ifnull(sum(units) FILTER (WHERE ledger = 'wallet'), 0) AS wallet_units,
       ifnull(sum(units) FILTER (WHERE ledger = 'held'), 0) AS held_units,
       ifnull(sum(units) FILTER (WHERE ledger = 'spent'), 0) AS spent_units
     FROM account a LEFT JOIN movement m ON m.account_id = a.id GROUP BY a.id
   )
   SELECT 'account ' || s.account_id || ': the balances are not the sums of the entries'
     AS violation
   FROM summed s LEFT JOIN ledger_balance b USING (account_id)
   WHERE (b.grants_units, b.wallet_units, b.held_units, b.spent_units)
     IS NOT (s.grants_units, s.wallet_units, s.held_units, s.spent_units)
   UNION ALL SELECT 'account ' || account_id || ': a balance is below 0'
   FROM summed WHERE wallet_units < 0 OR held_units < 0 OR spent_units < 0`,
  // A hold's entries equal the hold and its resolution. Amounts of 0 units have no entry.
  `SELECT 'hold ' || h.id || ': its entries are not the hold and its resolution' AS violation
   FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
   WHERE (nullif(h.amount_units, 0), nullif(r.settled_units, 0), nullif(r.released_units, 0))
     IS NOT (
       SELECT max(amount_units) FILTER (WHERE kind = 'hold'),
         max(amount_units) FILTER (WHERE kind = 'settle'),
         max(amount_units) FILTER (WHERE kind = 'release')
       FROM ledger_entry WHERE hold_id = h.id AND account_id = h.account_id)
   UNION ALL SELECT 'entry ' || e.id || ': its subject is not that of its hold'
   FROM ledger_entry e JOIN ledger_hold h ON h.id = e.hold_id
   WHERE (e.subject_kind, e.subject_id) <> (h.subject_kind, h.subject_id)`,
  `SELECT 'hold ' || h.id || ': its resolution does not make up the hold' AS violation
   FROM ledger_hold h JOIN ledger_resolution r ON r.hold_id = h.id
   WHERE r.settled_units + r.released_units <> h.amount_units`,
  // The daily spending of each key equals its holds, resolutions and charges.
  `WITH caused AS (
     SELECT h.key_id, substr(h.at, 1, 10) AS day,
       h.amount_units - ifnull(r.released_units, 0) AS units
     FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
     WHERE h.key_id IS NOT NULL
     UNION ALL SELECT key_id, substr(at, 1, 10), amount_units FROM ledger_entry
     WHERE kind = 'charge' AND key_id IS NOT NULL
     UNION ALL SELECT key_id, day, -spent_units FROM key_spending
   )
   SELECT 'key ' || key_id || ': what it spent on ' || day || ' is not the sum of its rows'
     AS violation
   FROM caused GROUP BY key_id, day HAVING sum(units) <> 0`,
  // The amount spent with an approval is at most the amount approved.
  `SELECT 'approval ' || a.id || ': what was spent under it is not what was allowed' AS violation
   FROM approval a LEFT JOIN ledger_entry e ON e.id = a.entry_id
   WHERE a.status = 'used' AND (a.used_units > a.asked_units
     OR (a.entry_id IS NOT NULL AND (e.key_id, e.amount_units) IS NOT (a.key_id, a.used_units)))`,
  // Work that spends later spends at most what it was authorised to.
  `SELECT 'pipeline ' || uuid || ': it holds more than it was authorised to' AS violation
   FROM pipeline WHERE held_units > authorised_units
   UNION ALL SELECT 'career monitor job ' || id || ': it costs more than it was authorised to'
   FROM monitor_job WHERE due_units > authorised_units`,
  // A charge for values of people equals the sum of their prices; other charges pay for no values.
  // Holds of pipelines have a separate rule below.
  `SELECT 'charge ' || o.entry_id || ': its amount is not the prices of what it paid for'
     AS violation
   FROM owned o LEFT JOIN ledger_entry e ON e.id = o.entry_id AND e.account_id = o.account_id
     AND (e.kind = 'charge'
       OR (e.kind = 'hold' AND EXISTS (SELECT 1 FROM pipeline p WHERE p.hold_id = e.hold_id)))
   GROUP BY o.entry_id
   HAVING count(e.id) <> count(*)
     OR (max(e.kind) = 'charge' AND sum(o.price_units) <> max(e.amount_units))`,
  // Lookups and tools charge only for values.
  `SELECT 'charge ' || e.id || ': it paid for no values' AS violation
   FROM ledger_entry e
   WHERE e.subject_kind IN ('email_lookup', 'phone_lookup', 'tool')
     AND NOT EXISTS (SELECT 1 FROM owned o WHERE o.entry_id = e.id)`,
  // The charge of a paid Career Monitor job equals the amount due.
  `SELECT 'career monitor job ' || m.id || ': its charge is not what is due' AS violation
   FROM monitor_job m WHERE iif(m.paid_at IS NULL, 0, m.due_units) <> (
     SELECT ifnull(sum(e.amount_units), 0) FROM ledger_entry e
     WHERE e.subject_kind = 'monitor_job' AND e.subject_id = CAST(m.id AS TEXT)
       AND e.account_id = m.account_id)`,
  // The charges of a review, less its refunds, equal the prices of its current picks. A deleted job
  // keeps its charges, and of its picks only those that are remembered.
  `WITH paid AS (
     SELECT j.uuid, j.reviewed_units AS units, j.deleted_at,
       (SELECT ifnull(sum(p.price_units), 0) FROM review_pick p WHERE p.job_id = j.id) AS picked,
       (SELECT ifnull(sum(iif(e.kind = 'charge', e.amount_units, -e.amount_units)), 0)
        FROM ledger_entry e WHERE e.subject_kind = 'review' AND e.subject_id = j.uuid
          AND e.account_id = j.account_id) AS charged
     FROM job j
   )
   SELECT 'job ' || uuid || ': its review was not charged the prices of its picks' AS violation
   FROM paid WHERE (units <> picked AND deleted_at IS NULL) OR units <> charged`,
  // The rows that a job did not charge in full are counted, and each has the row that was charged,
  // unless its job was deleted.
  `WITH counted AS (
     SELECT j.uuid, (j.duplicate_rows, j.paid_before_rows, j.known_rows) IS NOT (
       SELECT count(DISTINCT iif(kind = 0, id, NULL)), count(DISTINCT iif(kind = 1, id, NULL)),
         count(DISTINCT iif(kind = 2, id, NULL))
       FROM repeat_row WHERE id >= j.result_base AND id < j.result_base + j.total_rows) AS differs
     FROM job j WHERE j.status <> 'cancelled' AND j.deleted_at IS NULL
   )
   SELECT 'job ' || uuid || ': its counters of repeated people are not its rows' AS violation
   FROM counted WHERE differs
   UNION ALL SELECT 'row ' || f.id || ': the row that was charged instead does not exist'
   FROM repeat_row f LEFT JOIN result r ON r.id = f.source_id WHERE r.id IS NULL
     AND (SELECT deleted_at FROM job WHERE result_base <= f.source_id
       ORDER BY result_base DESC LIMIT 1) IS NULL`,
  // What a monitor's run costs is the price of the rows that its rule charges.
  `SELECT 'career monitor job ' || m.id || ': it does not cost the price of its rows' AS violation
   FROM monitor_job m JOIN job j ON j.id = m.job_id
   WHERE j.status = 'completed' AND m.due_units <> m.price_units
     * (j.enriched_rows - iif(m.charge_rule = 'changes', m.repeated_rows, 0))`,
  // The lines of the wallet add up to the balances, and so do their blocks.
  `SELECT 'account ' || b.account_id || ': the lines of its wallet are not its balances'
     AS violation
   FROM ledger_balance b WHERE
     (b.wallet_units, b.held_units, b.spent_units, b.wallet_units) IS NOT (
     SELECT ifnull(sum(l.net_units), 0),
       ifnull(sum(l.held_units - l.settled_units - l.released_units), 0),
       ifnull(sum(l.settled_units + l.charged_units - l.refunded_units), 0),
       (SELECT ifnull(sum(k.net_units), 0) FROM ledger_block k WHERE k.account_id = b.account_id)
     FROM ledger_line l WHERE l.account_id = b.account_id)`,
  // What was spent by day, client and part adds up to what was spent.
  `SELECT 'account ' || b.account_id || ': its spending by day is not what it has spent'
     AS violation
   FROM ledger_balance b WHERE b.spent_units <> (
     SELECT ifnull(sum(s.units), 0) FROM ledger_spend s WHERE s.account_id = b.account_id)`,
  // What a job charges by layer adds up to its charge.
  `SELECT 'job ' || j.uuid || ': its layers do not make up its charge' AS violation
   FROM job j WHERE EXISTS (SELECT 1 FROM layer_charge c WHERE c.job_id = j.id)
     AND j.pending_charge_units <> (
       SELECT sum(c.units) FROM layer_charge c WHERE c.job_id = j.id)`,
  // The hold of a job, a validation or a pipeline has it as its subject.
  `WITH work AS (
     SELECT hold_id, 'job' AS kind, uuid FROM job
     UNION ALL SELECT hold_id, 'email_validation', uuid FROM email_validation
     UNION ALL SELECT hold_id, 'pipeline', uuid FROM pipeline
   )
   SELECT 'hold ' || h.id || ': its subject is not what it is held for' AS violation
   FROM work w JOIN ledger_hold h ON h.id = w.hold_id
   WHERE (h.subject_kind, h.subject_id) <> (w.kind, w.uuid)`,
  // The hold of an unfinished job is open; the job's record of a resolved hold is correct.
  `SELECT 'job ' || j.uuid || ': its hold does not agree with its state' AS violation
   FROM job j LEFT JOIN ledger_resolution r ON r.hold_id = j.hold_id
   WHERE j.hold_id IS NOT NULL AND CASE WHEN j.status IN ('queued', 'running')
     THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units) IS NOT (j.charged_units, j.released_units) END`,
  // The same for an email validation.
  `SELECT 'email validation ' || v.uuid || ': its hold does not agree with its state' AS violation
   FROM email_validation v LEFT JOIN ledger_resolution r ON r.hold_id = v.hold_id
   WHERE CASE WHEN v.completed_at IS NULL THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units) IS NOT (v.charged_units, v.released_units) END`,
  // The same for a pipeline.
  `SELECT 'pipeline ' || p.uuid || ': its hold does not agree with its state' AS violation
   FROM pipeline p LEFT JOIN ledger_resolution r ON r.hold_id = p.hold_id
   WHERE CASE WHEN p.hold_id IS NULL OR p.completed_at IS NULL THEN r.hold_id IS NOT NULL
     ELSE (r.settled_units, r.released_units)
       IS NOT (p.charged_units, p.released_units) END`,
  // The amount that a pipeline charged equals the sum over its contacts, as long as these exist.
  `SELECT 'pipeline ' || p.uuid || ': what it charged is not the sum of its contacts' AS violation
   FROM pipeline p WHERE p.deleted_at IS NULL AND p.charged_units <> (
     SELECT ifnull(sum(c.charged_units), 0) FROM pipeline_contact c WHERE c.pipeline_id = p.id)`,
  // The values that a pipeline's hold made owned equal what it paid for, without validations.
  `SELECT 'pipeline ' || p.uuid || ': what is owned by its hold is not what that has paid for'
     AS violation
   FROM pipeline p LEFT JOIN ledger_entry e ON e.hold_id = p.hold_id AND e.kind = 'hold'
   WHERE p.charged_units - p.paid_verdicts * ifnull(p.verify_price_units, 0)
     <> (SELECT ifnull(sum(o.price_units), 0) FROM owned o WHERE o.entry_id = e.id)`,
];
