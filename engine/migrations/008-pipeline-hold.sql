-- Pipelines set aside what they may cost before they unlock anything, and can be cancelled.

-- A CHECK is changed by making the table anew; its contacts keep pointing at it by name, and find
-- their rows again before the transaction ends.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE pipeline_before AS SELECT * FROM pipeline;
DROP TABLE pipeline;

-- queued → running → completed | failed; both → cancelled. pipeline.ts draws it, and the steps.
CREATE TABLE pipeline (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- The API key that started it, and is charged; NULL for the app.
  key_id TEXT,
  title TEXT NOT NULL,
  -- Row inputs lie in jobs/<uuid>; ids of people and UUIDs in pipeline_subjects.
  source TEXT NOT NULL CHECK (source IN ('contacts', 'uuids', 'people')),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  match_threshold REAL NOT NULL CHECK (match_threshold BETWEEN 0 AND 1),
  -- What is unlocked of each contact, in this order.
  kinds TEXT NOT NULL CHECK (kinds IN ('["email"]', '["phone"]', '["email","phone"]')),
  -- What each decided email costs; NULL where none is verified.
  verify_price_units INTEGER CHECK (verify_price_units >= 0),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  total INTEGER NOT NULL CHECK (total >= 0),
  -- How far each step is: contacts before this position are done with it.
  looked_up_to INTEGER NOT NULL DEFAULT 0 CHECK (looked_up_to BETWEEN 0 AND total),
  unlocked_to INTEGER NOT NULL DEFAULT 0 CHECK (unlocked_to BETWEEN 0 AND total),
  verified_to INTEGER NOT NULL DEFAULT 0 CHECK (verified_to BETWEEN 0 AND total),
  matched INTEGER NOT NULL DEFAULT 0 CHECK (matched BETWEEN 0 AND looked_up_to),
  unlocked INTEGER NOT NULL DEFAULT 0 CHECK (unlocked BETWEEN 0 AND matched),
  locked INTEGER NOT NULL DEFAULT 0 CHECK (locked BETWEEN 0 AND matched),
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified BETWEEN 0 AND unlocked),
  -- When it was settled what is held, be it nothing; NULL before.
  held_at TEXT,
  -- NULL where nothing is held.
  hold_id INTEGER UNIQUE,
  held_units INTEGER NOT NULL DEFAULT 0 CHECK (held_units >= 0),
  -- What kept the hold from covering all that is known; NULL where it does.
  held_short_by TEXT CHECK (held_short_by IN ('insufficient_credits', 'spending_cap_reached')),
  -- What it has cost: out of the hold, and what was charged batch by batch before there were holds.
  charged_units INTEGER NOT NULL DEFAULT 0,
  charged_before_units INTEGER NOT NULL DEFAULT 0 CHECK (charged_before_units >= 0),
  -- Answers about emails that the hold has paid for, at verify_price_units each.
  paid_verdicts INTEGER NOT NULL DEFAULT 0 CHECK (paid_verdicts BETWEEN 0 AND verified),
  released_units INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  error_detail TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  FOREIGN KEY (hold_id, account_id, held_units)
    REFERENCES ledger_hold (id, account_id, amount_units),
  -- Nothing is paid for before all is looked up: what fails until then has charged nothing.
  CHECK (unlocked_to = 0 OR looked_up_to = total),
  CHECK (verified_to = 0 OR (unlocked_to = total AND verify_price_units IS NOT NULL)),
  CHECK (held_at IS NULL OR looked_up_to = total),
  CHECK (hold_id IS NULL OR (held_at IS NOT NULL AND held_units > 0)),
  CHECK (hold_id IS NOT NULL OR held_units = 0),
  CHECK (charged_units BETWEEN charged_before_units AND charged_before_units + held_units),
  CHECK (charged_units = 0 OR unlocked_to > 0),
  CHECK (status <> 'completed' OR (unlocked_to = total
    AND (verify_price_units IS NULL OR verified_to = total))),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK (released_units =
    iif(completed_at IS NULL, 0, held_units + charged_before_units - charged_units)),
  CHECK ((error IS NOT NULL) = (status = 'failed'))
) STRICT;

INSERT INTO pipeline (id, uuid, account_id, key_id, title, source, mapping, match_threshold, kinds,
  verify_price_units, status, total, looked_up_to, unlocked_to, verified_to, matched, unlocked,
  locked, verified, charged_units, charged_before_units, error, error_detail, created_at,
  started_at, completed_at)
SELECT id, uuid, account_id, key_id, title, source, mapping, match_threshold, kinds,
  verify_price_units, status, total, looked_up_to, unlocked_to, verified_to, matched, unlocked,
  locked, verified, charged_units, charged_units, error, error_detail, created_at,
  started_at, completed_at
FROM pipeline_before;
DROP TABLE pipeline_before;

CREATE INDEX pipeline_account ON pipeline (account_id, id);
CREATE INDEX pipeline_open ON pipeline (id) WHERE completed_at IS NULL;

CREATE TRIGGER pipeline_ends_once BEFORE UPDATE ON pipeline WHEN OLD.completed_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'pipeline_has_ended');
END;
CREATE TRIGGER pipeline_holds_once BEFORE UPDATE ON pipeline
WHEN OLD.held_at IS NOT NULL
  AND (NEW.held_at, NEW.hold_id, NEW.held_short_by)
    IS NOT (OLD.held_at, OLD.hold_id, OLD.held_short_by) BEGIN
  SELECT RAISE(ABORT, 'pipeline_has_held');
END;

-- A pipeline pays for values by its hold, while that is open; verifyLedger adds up what of it.
DROP TRIGGER owned_is_paid_once;
CREATE TRIGGER owned_is_paid_once BEFORE INSERT ON owned BEGIN
  SELECT RAISE(ABORT, 'already_owned') WHERE EXISTS (SELECT 1 FROM owned
    WHERE (account_id, person_uuid, kind) = (NEW.account_id, NEW.person_uuid, NEW.kind));
  SELECT RAISE(ABORT, 'owned_without_charge') WHERE NOT EXISTS (SELECT 1 FROM ledger_entry e
    WHERE e.id = NEW.entry_id AND e.account_id = NEW.account_id AND (e.kind = 'charge'
      OR (e.kind = 'hold' AND EXISTS (
        SELECT 1 FROM pipeline p WHERE p.hold_id = e.hold_id AND p.completed_at IS NULL))));
END;
