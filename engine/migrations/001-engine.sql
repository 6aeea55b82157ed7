-- engine.db: accounts, keys, rates, the ledger, jobs, results; the rules of money stand here again.
CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (name <> ''),
  charge_policy TEXT NOT NULL DEFAULT 'row' CHECK (charge_policy IN ('row', 'layers_found')),
  match_threshold REAL NOT NULL CHECK (match_threshold BETWEEN 0 AND 1),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  label TEXT NOT NULL,
  prefix TEXT NOT NULL,
  -- SHA-256 of the key, lower-case hex: the key itself is kept nowhere.
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  requests_per_minute INTEGER NOT NULL CHECK (requests_per_minute > 0),
  -- What it may spend from midnight to midnight and from month to month, UTC; NULL is no cap.
  cap_day_units INTEGER CHECK (cap_day_units >= 0),
  cap_month_units INTEGER CHECK (cap_month_units >= 0),
  UNIQUE (id, account_id)
) STRICT;
CREATE INDEX api_key_account ON api_key (account_id, created_at, id);

-- Assistants that come over the local socket, each by the key that bears its caps.
CREATE TABLE stdio_client (
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- As the client calls itself.
  name TEXT NOT NULL CHECK (name <> ''),
  key_id TEXT NOT NULL,
  PRIMARY KEY (account_id, name),
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE rate (
  account_id INTEGER NOT NULL REFERENCES account (id),
  code TEXT NOT NULL CHECK (code IN ('L1', 'L2', 'L3', 'L4', 'MPA', 'email_validation')),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  PRIMARY KEY (account_id, code)
) STRICT, WITHOUT ROWID;

-- What was reserved. A hold of 0 units has a row here and none in the ledger.
CREATE TABLE ledger_hold (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  amount_units INTEGER NOT NULL CHECK (amount_units >= 0),
  reference TEXT NOT NULL,
  at TEXT NOT NULL,
  -- The API key that caused it, one of the account's own; NULL for the app and the command line.
  key_id TEXT,
  UNIQUE (id, account_id, amount_units),
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id)
) STRICT;

-- How a hold ended: once (the key), and to the last unit (the sum and the reference).
CREATE TABLE ledger_resolution (
  hold_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  hold_units INTEGER NOT NULL,
  settled_units INTEGER NOT NULL CHECK (settled_units >= 0),
  released_units INTEGER NOT NULL CHECK (released_units >= 0),
  at TEXT NOT NULL,
  CHECK (settled_units + released_units = hold_units),
  FOREIGN KEY (hold_id, account_id, hold_units)
    REFERENCES ledger_hold (id, account_id, amount_units)
) STRICT;

CREATE TABLE ledger_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  kind TEXT NOT NULL,
  from_ledger TEXT NOT NULL,
  to_ledger TEXT NOT NULL,
  amount_units INTEGER NOT NULL CHECK (amount_units > 0),
  hold_id INTEGER REFERENCES ledger_hold (id),
  reference TEXT NOT NULL,
  at TEXT NOT NULL,
  key_id TEXT,
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  CHECK (key_id IS NULL OR kind <> 'grant'),
  CHECK (kind || ' ' || from_ledger || ' ' || to_ledger IN (
    'grant grants wallet', 'hold wallet held', 'settle held spent', 'release held wallet',
    'charge wallet spent')),
  CHECK ((hold_id IS NOT NULL) = (kind IN ('hold', 'settle', 'release'))),
  UNIQUE (hold_id, kind)
) STRICT;
CREATE INDEX ledger_entry_account ON ledger_entry (account_id, id);

-- The sums of the entries, kept by the trigger below and by nothing else; verifyLedger adds them
-- up anew. The lowest balance of grants keeps every sum within the integers a double holds exactly.
CREATE TABLE ledger_balance (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  grants_units INTEGER NOT NULL DEFAULT 0
    CHECK (grants_units BETWEEN -9007199254740991 AND 0),
  wallet_units INTEGER NOT NULL DEFAULT 0 CHECK (wallet_units >= 0),
  held_units INTEGER NOT NULL DEFAULT 0 CHECK (held_units >= 0),
  spent_units INTEGER NOT NULL DEFAULT 0 CHECK (spent_units >= 0),
  CHECK (grants_units + wallet_units + held_units + spent_units = 0)
) STRICT;

-- What each key has caused on each day (UTC): charges on their day; holds on the day they were made,
-- whole while they are open, and what of them was settled afterwards. Kept by the triggers below.
CREATE TABLE key_spending (
  key_id TEXT NOT NULL REFERENCES api_key (id),
  day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  spent_units INTEGER NOT NULL CHECK (spent_units >= 0),
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_hold_counts_for_key AFTER INSERT ON ledger_hold
WHEN NEW.key_id IS NOT NULL BEGIN
  INSERT INTO key_spending VALUES (NEW.key_id, substr(NEW.at, 1, 10), NEW.amount_units)
    ON CONFLICT DO UPDATE SET spent_units = spent_units + excluded.spent_units;
END;
CREATE TRIGGER ledger_charge_counts_for_key AFTER INSERT ON ledger_entry
WHEN NEW.key_id IS NOT NULL AND NEW.kind = 'charge' BEGIN
  INSERT INTO key_spending VALUES (NEW.key_id, substr(NEW.at, 1, 10), NEW.amount_units)
    ON CONFLICT DO UPDATE SET spent_units = spent_units + excluded.spent_units;
END;
CREATE TRIGGER ledger_resolution_gives_back_to_key AFTER INSERT ON ledger_resolution
WHEN NEW.released_units > 0 BEGIN
  UPDATE key_spending SET spent_units = spent_units - NEW.released_units
  WHERE (key_id, day) = (SELECT key_id, substr(at, 1, 10) FROM ledger_hold WHERE id = NEW.hold_id);
END;

CREATE TRIGGER account_opens_balance AFTER INSERT ON account BEGIN
  INSERT INTO ledger_balance (account_id) VALUES (NEW.id);
END;

CREATE TRIGGER ledger_entry_moves_balance AFTER INSERT ON ledger_entry BEGIN
  UPDATE ledger_balance SET
    grants_units = grants_units - NEW.amount_units * (NEW.from_ledger = 'grants'),
    wallet_units = wallet_units
      + NEW.amount_units * ((NEW.to_ledger = 'wallet') - (NEW.from_ledger = 'wallet')),
    held_units = held_units
      + NEW.amount_units * ((NEW.to_ledger = 'held') - (NEW.from_ledger = 'held')),
    spent_units = spent_units + NEW.amount_units * (NEW.to_ledger = 'spent')
  WHERE account_id = NEW.account_id;
END;

CREATE TRIGGER ledger_entry_agrees_with_hold BEFORE INSERT ON ledger_entry
WHEN NEW.hold_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'entry_differs_from_hold') WHERE NEW.amount_units IS NOT (
    SELECT CASE NEW.kind
      WHEN 'hold' THEN h.amount_units
      WHEN 'settle' THEN r.settled_units
      WHEN 'release' THEN r.released_units
    END
    FROM ledger_hold h LEFT JOIN ledger_resolution r ON r.hold_id = h.id
    WHERE h.id = NEW.hold_id AND h.account_id = NEW.account_id AND h.key_id IS NEW.key_id);
END;

-- INSERT OR REPLACE deletes without asking the triggers that forbid it: it is stopped before.
CREATE TRIGGER ledger_entry_replaces_none BEFORE INSERT ON ledger_entry
WHEN EXISTS (SELECT 1 FROM ledger_entry WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_entry WHERE hold_id = NEW.hold_id AND kind = NEW.kind) BEGIN
  SELECT RAISE(ABORT, 'ledger_entry_exists');
END;
CREATE TRIGGER ledger_hold_replaces_none BEFORE INSERT ON ledger_hold
WHEN EXISTS (SELECT 1 FROM ledger_hold WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'ledger_hold_exists');
END;
CREATE TRIGGER ledger_resolution_replaces_none BEFORE INSERT ON ledger_resolution
WHEN EXISTS (SELECT 1 FROM ledger_resolution WHERE hold_id = NEW.hold_id) BEGIN
  SELECT RAISE(ABORT, 'hold_already_resolved');
END;

CREATE TRIGGER ledger_entry_never_changes BEFORE UPDATE ON ledger_entry BEGIN
  SELECT RAISE(ABORT, 'ledger_entry_is_immutable');
END;
CREATE TRIGGER ledger_entry_never_goes BEFORE DELETE ON ledger_entry BEGIN
  SELECT RAISE(ABORT, 'ledger_entry_is_immutable');
END;
CREATE TRIGGER ledger_hold_never_changes BEFORE UPDATE ON ledger_hold BEGIN
  SELECT RAISE(ABORT, 'ledger_hold_is_immutable');
END;
CREATE TRIGGER ledger_hold_never_goes BEFORE DELETE ON ledger_hold BEGIN
  SELECT RAISE(ABORT, 'ledger_hold_is_immutable');
END;
CREATE TRIGGER ledger_resolution_never_changes BEFORE UPDATE ON ledger_resolution BEGIN
  SELECT RAISE(ABORT, 'ledger_resolution_is_immutable');
END;
CREATE TRIGGER ledger_resolution_never_goes BEFORE DELETE ON ledger_resolution BEGIN
  SELECT RAISE(ABORT, 'ledger_resolution_is_immutable');
END;

-- What an account has paid for by lookup, tool or pipeline, and has for nothing from then on. The
-- person is named by UUID alone: the directory is a file of its own. Of one charge all prices
-- together are its amount, which verifyLedger adds up.
CREATE TABLE owned (
  account_id INTEGER NOT NULL REFERENCES account (id),
  person_uuid TEXT NOT NULL CHECK (person_uuid <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('email', 'phone', 'profile')),
  price_units INTEGER NOT NULL CHECK (price_units > 0),
  entry_id INTEGER NOT NULL REFERENCES ledger_entry (id),
  at TEXT NOT NULL,
  PRIMARY KEY (account_id, person_uuid, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX owned_entry ON owned (entry_id);

CREATE TRIGGER owned_is_paid_once BEFORE INSERT ON owned BEGIN
  SELECT RAISE(ABORT, 'already_owned') WHERE EXISTS (SELECT 1 FROM owned
    WHERE (account_id, person_uuid, kind) = (NEW.account_id, NEW.person_uuid, NEW.kind));
  SELECT RAISE(ABORT, 'owned_without_charge') WHERE NOT EXISTS (SELECT 1 FROM ledger_entry
    WHERE id = NEW.entry_id AND account_id = NEW.account_id AND kind = 'charge');
END;
CREATE TRIGGER owned_never_changes BEFORE UPDATE ON owned BEGIN
  SELECT RAISE(ABORT, 'owned_is_immutable');
END;
CREATE TRIGGER owned_never_goes BEFORE DELETE ON owned BEGIN
  SELECT RAISE(ABORT, 'owned_is_immutable');
END;

-- queued → running → completed | failed | cancelled; failed → queued by a retry. job.ts draws it.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Those of Career Monitor are run like any other, and listed with their own.
  kind TEXT NOT NULL DEFAULT 'enrichment' CHECK (kind IN ('enrichment', 'monitor')),
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  codes TEXT NOT NULL CHECK (json_type(codes) = 'array'),
  prices TEXT NOT NULL CHECK (json_type(prices) = 'object'),
  price_per_row_units INTEGER NOT NULL CHECK (price_per_row_units >= 0),
  charge_policy TEXT NOT NULL CHECK (charge_policy IN ('row', 'layers_found')),
  match_threshold REAL NOT NULL CHECK (match_threshold BETWEEN 0 AND 1),
  total_rows INTEGER NOT NULL CHECK (total_rows > 0),
  processed_rows INTEGER NOT NULL DEFAULT 0,
  enriched_rows INTEGER NOT NULL DEFAULT 0 CHECK (enriched_rows >= 0),
  skipped_rows INTEGER NOT NULL DEFAULT 0 CHECK (skipped_rows >= 0),
  failed_rows INTEGER NOT NULL DEFAULT 0 CHECK (failed_rows >= 0),
  pending_charge_units INTEGER NOT NULL DEFAULT 0,
  hold_id INTEGER UNIQUE,
  held_units INTEGER NOT NULL CHECK (held_units >= 0),
  charged_units INTEGER NOT NULL DEFAULT 0 CHECK (charged_units >= 0),
  released_units INTEGER NOT NULL DEFAULT 0 CHECK (released_units >= 0),
  -- result.id of the job's first row.
  result_base INTEGER NOT NULL UNIQUE CHECK (result_base >= 0),
  upstream_accepted INTEGER NOT NULL DEFAULT 0 CHECK (upstream_accepted IN (0, 1)),
  headers TEXT NOT NULL CHECK (json_type(headers) = 'array'),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  file_name TEXT,
  error TEXT,
  error_detail TEXT,
  retry_of TEXT REFERENCES job (uuid),
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  FOREIGN KEY (hold_id, account_id, held_units)
    REFERENCES ledger_hold (id, account_id, amount_units),
  CHECK (hold_id IS NOT NULL OR held_units = 0),
  CHECK (processed_rows = enriched_rows + skipped_rows + failed_rows),
  CHECK (processed_rows <= total_rows),
  CHECK (status <> 'completed' OR processed_rows = total_rows),
  CHECK (pending_charge_units BETWEEN 0 AND held_units),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK (status <> 'running' OR started_at IS NOT NULL),
  CHECK ((error IS NOT NULL) = (status = 'failed')),
  CHECK (status = 'completed' OR charged_units = 0),
  CHECK (charged_units + released_units =
    CASE WHEN status IN ('queued', 'running') THEN 0 ELSE held_units END)
) STRICT;
CREATE INDEX job_account ON job (account_id, kind, id DESC);
CREATE INDEX job_account_status ON job (account_id, kind, status, id);
CREATE INDEX job_status ON job (status, id, kind);
CREATE INDEX job_retry_of ON job (retry_of) WHERE retry_of IS NOT NULL;

-- Where the results of the next job begin: apart from the jobs, so that no range is given twice.
CREATE TABLE result_range (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  next_base INTEGER NOT NULL CHECK (next_base >= 0)
) STRICT;
INSERT INTO result_range VALUES (1, 0);

CREATE TABLE job_batch (
  job_id INTEGER NOT NULL REFERENCES job (id),
  first_row INTEGER NOT NULL CHECK (first_row >= 0),
  row_count INTEGER NOT NULL CHECK (row_count > 0),
  enriched INTEGER NOT NULL CHECK (enriched >= 0),
  skipped INTEGER NOT NULL CHECK (skipped >= 0),
  failed INTEGER NOT NULL CHECK (failed >= 0),
  at TEXT NOT NULL,
  PRIMARY KEY (job_id, first_row),
  CHECK (row_count = enriched + skipped + failed)
) STRICT, WITHOUT ROWID;

-- A row is done once: a batch may not reach into the one before it or the one after it.
CREATE TRIGGER job_batch_overlaps_none BEFORE INSERT ON job_batch BEGIN
  SELECT RAISE(ABORT, 'batch_overlaps') WHERE (
    SELECT first_row + row_count FROM job_batch
    WHERE job_id = NEW.job_id AND first_row < NEW.first_row + NEW.row_count
    ORDER BY first_row DESC LIMIT 1) > NEW.first_row;
END;

-- Written at full speed and read by ranges of ids, so that an index would only cost.
CREATE TABLE result (
  -- job.result_base + row_index
  id INTEGER PRIMARY KEY,
  -- Code of rowStatuses; 255 (match again) is written and replaced within one transaction.
  status INTEGER NOT NULL CHECK (status IN (0, 1, 2, 255)),
  reason INTEGER NOT NULL,
  contact_uuid TEXT,
  layer_bits INTEGER NOT NULL,
  fields TEXT,
  confidence REAL,
  matched_on INTEGER NOT NULL,
  candidates TEXT,
  provenance TEXT,
  error TEXT
) STRICT;
-- But for failed rows (code 2), the few that are looked for among many.
CREATE INDEX result_failed ON result (status) WHERE status = 2;

CREATE TABLE idempotency (
  -- Id of the API key, or 'app:' and the account's uuid.
  key_scope TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL,
  job_uuid TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (key_scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_at ON idempotency (at);

-- queued → running → completed | failed. email-validation.ts draws it.
CREATE TABLE email_validation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  total_emails INTEGER NOT NULL CHECK (total_emails > 0),
  duplicate_emails INTEGER NOT NULL CHECK (duplicate_emails >= 0),
  done_emails INTEGER NOT NULL DEFAULT 0,
  -- How many came to what: {"valid": 3, …}; what is not named is 0.
  counts TEXT NOT NULL DEFAULT '{}' CHECK (json_type(counts) = 'object'),
  decided_emails INTEGER NOT NULL DEFAULT 0 CHECK (decided_emails BETWEEN 0 AND done_emails),
  hold_id INTEGER NOT NULL UNIQUE,
  held_units INTEGER NOT NULL CHECK (held_units = total_emails * price_units),
  charged_units INTEGER NOT NULL DEFAULT 0,
  released_units INTEGER NOT NULL DEFAULT 0 CHECK (released_units >= 0),
  error_detail TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  FOREIGN KEY (hold_id, account_id, held_units)
    REFERENCES ledger_hold (id, account_id, amount_units),
  CHECK (done_emails BETWEEN 0 AND total_emails),
  CHECK (status <> 'completed' OR done_emails = total_emails),
  -- Only what was decided costs, and only at the end.
  CHECK (charged_units = iif(status = 'completed', decided_emails * price_units, 0)),
  CHECK (charged_units + released_units = iif(status IN ('queued', 'running'), 0, held_units)),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK ((error_detail IS NOT NULL) = (status = 'failed'))
) STRICT;
CREATE INDEX email_validation_account ON email_validation (account_id, id);
CREATE INDEX email_validation_open ON email_validation (id) WHERE completed_at IS NULL;

CREATE TABLE email_verdict (
  validation_id INTEGER NOT NULL REFERENCES email_validation (id),
  position INTEGER NOT NULL CHECK (position >= 0),
  email TEXT NOT NULL,
  -- A name of validationReasons; NULL until it is judged.
  reason TEXT,
  PRIMARY KEY (validation_id, position)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER email_verdict_is_given_once BEFORE UPDATE ON email_verdict
WHEN OLD.reason IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'already_judged');
END;

CREATE TABLE mail_domain (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL UNIQUE,
  outcome TEXT NOT NULL,
  kept_until TEXT NOT NULL
) STRICT;
