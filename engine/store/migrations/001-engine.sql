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
  revoked_at TEXT
) STRICT;
CREATE INDEX api_key_account ON api_key (account_id, created_at, id);

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
  UNIQUE (id, account_id, amount_units)
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
    WHERE h.id = NEW.hold_id AND h.account_id = NEW.account_id);
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

-- queued → running → completed | failed | cancelled; failed → queued by a retry. job.ts draws it.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE INDEX job_account ON job (account_id, id DESC);
CREATE INDEX job_account_status ON job (account_id, status, id);
CREATE INDEX job_status ON job (status, id);
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
