-- What one request of a key may cost, and the questions that a person is asked above that: limits of
-- the key on every route, and no longer of a client of the tool server.
ALTER TABLE api_key ADD COLUMN
  -- The most that one request may cost; NULL is no limit.
  cap_call_units INTEGER CHECK (cap_call_units >= 0);
ALTER TABLE api_key ADD COLUMN
  -- A request that would cost more is asked about first; NULL never asks.
  ask_above_units INTEGER CHECK (ask_above_units >= 0);
ALTER TABLE api_key ADD COLUMN
  -- Whether a client that can ask a person itself may bring their answer.
  self_approval INTEGER NOT NULL DEFAULT 0 CHECK (self_approval IN (0, 1));

UPDATE api_key SET (cap_call_units, ask_above_units) =
  (SELECT g.cap_call_units, g.ask_above_units FROM tool_guard g WHERE g.key_scope = api_key.id)
WHERE id IN (SELECT key_scope FROM tool_guard);
DROP TABLE tool_guard;

-- asked → allowed → used; asked → denied; asked and allowed → expired. approval.ts draws it.
CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  key_id TEXT NOT NULL,
  -- SHA-256 of the operation, the idempotency key and all that the same request has in common.
  request TEXT NOT NULL CHECK (length(request) = 64),
  -- NULL where the request had none.
  idempotency_key TEXT,
  -- What is shown to the person: the route or the tool, and JSON of what was sent, shortened.
  operation TEXT NOT NULL CHECK (operation <> ''),
  arguments TEXT NOT NULL,
  -- Who asks the person: the app, or the client itself.
  asked_in TEXT NOT NULL CHECK (asked_in IN ('app', 'client')),
  -- The most that is spent under it.
  asked_units INTEGER NOT NULL CHECK (asked_units > 0),
  status TEXT NOT NULL CHECK (status IN ('asked', 'allowed', 'denied', 'used', 'expired')),
  -- What was spent under it, or authorised for work that spends later.
  used_units INTEGER CHECK (used_units BETWEEN 1 AND asked_units),
  -- The hold or charge that it allowed; NULL where the work spends later.
  entry_id INTEGER UNIQUE REFERENCES ledger_entry (id),
  asked_at TEXT NOT NULL,
  answered_at TEXT,
  used_at TEXT,
  -- Until when it can be answered, and then used; until when a denial holds.
  expires_at TEXT NOT NULL,
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  CHECK (status <> 'asked' OR answered_at IS NULL),
  CHECK (status NOT IN ('allowed', 'denied', 'used') OR answered_at IS NOT NULL),
  CHECK ((status = 'used') = (used_units IS NOT NULL)),
  CHECK ((status = 'used') = (used_at IS NOT NULL)),
  CHECK (entry_id IS NULL OR status = 'used')
) STRICT, WITHOUT ROWID;
CREATE INDEX approval_request ON approval (key_id, request);
CREATE INDEX approval_asked ON approval (account_id, key_id, asked_at) WHERE status = 'asked';
CREATE INDEX approval_expires ON approval (status, expires_at) WHERE status <> 'used';

CREATE TRIGGER approval_goes_one_way BEFORE UPDATE ON approval
WHEN OLD.status || ' ' || NEW.status NOT IN (
  'asked allowed', 'asked denied', 'asked expired', 'allowed used', 'allowed expired') BEGIN
  SELECT RAISE(ABORT, 'approval_goes_one_way');
END;
CREATE TRIGGER approval_keeps_what_was_asked BEFORE UPDATE ON approval
WHEN (NEW.id, NEW.account_id, NEW.key_id, NEW.request, NEW.asked_units)
  IS NOT (OLD.id, OLD.account_id, OLD.key_id, OLD.request, OLD.asked_units) BEGIN
  SELECT RAISE(ABORT, 'approval_keeps_what_was_asked');
END;
CREATE TRIGGER approval_pays_for_its_entry BEFORE UPDATE ON approval
WHEN NEW.entry_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ledger_entry WHERE id = NEW.entry_id AND kind IN ('hold', 'charge')
    AND (key_id, amount_units) IS (NEW.key_id, NEW.used_units)) BEGIN
  SELECT RAISE(ABORT, 'approval_differs_from_entry');
END;
CREATE TRIGGER approval_that_was_used_never_goes BEFORE DELETE ON approval
WHEN OLD.status = 'used' BEGIN
  SELECT RAISE(ABORT, 'approval_was_used');
END;

-- Work that spends later than it is accepted spends at most what its key was authorised to then.
ALTER TABLE pipeline ADD COLUMN
  -- NULL where no key started it.
  authorised_units INTEGER CHECK (authorised_units >= held_units);
ALTER TABLE monitor_job ADD COLUMN
  -- NULL where no key started it.
  authorised_units INTEGER CHECK (authorised_units >= ifnull(due_units, 0));
UPDATE monitor_job SET authorised_units =
  price_units * (SELECT total_rows FROM job WHERE job.id = monitor_job.job_id)
WHERE key_id IS NOT NULL;
