-- engine.db: accounts, credits, and the work of each capability with its results.
--
-- The tables are grouped by capability. Ids are INTEGER inside the file and UUID text outside.
-- Times are ISO 8601 in UTC. Columns ending in _units are credits in units of 1/10,000. CHECK,
-- UNIQUE and triggers repeat the rules that the code enforces, whichever code writes the file.

-- Accounts -------------------------------------------------------------------------------------
-- Customer accounts, the API keys that act for them, and who may log in.

CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (name <> ''),
  charge_policy TEXT NOT NULL DEFAULT 'row' CHECK (charge_policy IN ('row', 'layers_found')),
  match_threshold REAL NOT NULL CHECK (match_threshold BETWEEN 0 AND 1),
  -- Days within which a later job does not charge a person's layers again; 0 charges every job.
  free_repeat_days INTEGER NOT NULL DEFAULT 0 CHECK (free_repeat_days BETWEEN 0 AND 3650),
  -- 1 if jobs infer the work emails that the directory and the providers lack.
  infer_emails INTEGER NOT NULL DEFAULT 0 CHECK (infer_emails IN (0, 1)),
  -- What runs of monitors charge: every answer, or those that are new or changed.
  monitor_charge TEXT NOT NULL DEFAULT 'answers' CHECK (monitor_charge IN ('answers', 'changes')),
  -- 1 if the owner spends only the credits of the wallet; 0 if missing credits are added.
  has_budget INTEGER NOT NULL DEFAULT 0 CHECK (has_budget IN (0, 1)),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  label TEXT NOT NULL,
  prefix TEXT NOT NULL,
  -- SHA-256 of the key in lower-case hex. The key itself is not stored.
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  requests_per_minute INTEGER NOT NULL CHECK (requests_per_minute > 0),
  -- The most that the key may spend per calendar day and month (UTC); NULL is no cap.
  cap_day_units INTEGER CHECK (cap_day_units >= 0),
  cap_month_units INTEGER CHECK (cap_month_units >= 0),
  -- The most that one request may cost; NULL is no limit.
  cap_call_units INTEGER CHECK (cap_call_units >= 0),
  -- A request that would cost more needs a person's approval; NULL never asks.
  ask_above_units INTEGER CHECK (ask_above_units >= 0),
  -- Whether a client that can ask a person itself may send their answer.
  self_approval INTEGER NOT NULL DEFAULT 0 CHECK (self_approval IN (0, 1)),
  -- The most that one request may spend at each data service, in its credits; NULL is no limit.
  provider_cap REAL DEFAULT 0 CHECK (provider_cap >= 0),
  UNIQUE (id, account_id)
) STRICT;
CREATE INDEX api_key_account ON api_key (account_id, created_at);

-- Browsers that redeemed a one-time link. Only the live environment has any.
CREATE TABLE browser_session (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the token in lower-case hex. The token itself is not stored.
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  -- Name and system, such as 'Firefox on Linux'.
  browser TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  last_used_at TEXT NOT NULL
) STRICT;

-- Assistants that connect over the local socket, each with the key that carries its caps.
CREATE TABLE stdio_client (
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- The name that the client gives itself.
  name TEXT NOT NULL CHECK (name <> ''),
  key_id TEXT NOT NULL,
  PRIMARY KEY (account_id, name),
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id)
) STRICT, WITHOUT ROWID;

-- Email and password of the login page, at most one login per account.
CREATE TABLE login (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email <> ''),
  -- scrypt$<log2 N>$<r>$<p>$<salt>$<hash>, the last two in base64url.
  password_hash TEXT NOT NULL CHECK (password_hash GLOB 'scrypt$*'),
  set_at TEXT NOT NULL
) STRICT;

-- OpenID Connect provider of the login page, at most one per account.
CREATE TABLE identity_provider (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  issuer TEXT NOT NULL CHECK (issuer GLOB 'https://?*' OR issuer GLOB 'http://?*'),
  client_id TEXT NOT NULL CHECK (client_id <> ''),
  -- Sealed by the engine's key for this row alone; NULL if the client has no secret.
  client_secret BLOB CHECK (length(client_secret) > 37),
  -- Who may authorize apps: at least one email or subject.
  emails TEXT NOT NULL CHECK (json_type(emails) = 'array' AND emails = lower(emails)),
  subjects TEXT NOT NULL CHECK (json_type(subjects) = 'array'),
  set_at TEXT NOT NULL,
  CHECK (json_array_length(emails) + json_array_length(subjects) > 0)
) STRICT;

-- Ledger ---------------------------------------------------------------------------------------
-- Prices, credits and what was bought. Rows of the ledger are immutable; balances are their sums.

-- The rate card of an account. The codes are those of contract/jobs/layers.ts and 'email_validation'.
CREATE TABLE rate (
  account_id INTEGER NOT NULL REFERENCES account (id),
  code TEXT NOT NULL CHECK (code <> '' AND code NOT GLOB '*[^A-Za-z0-9_]*'),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  PRIMARY KEY (account_id, code)
) STRICT, WITHOUT ROWID;

-- Reserved credits. A hold of 0 units has a row here and no ledger entry.
CREATE TABLE ledger_hold (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  amount_units INTEGER NOT NULL CHECK (amount_units >= 0),
  -- What it is held for: a kind of work and its UUID (contract/ledger-subject.ts).
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  at TEXT NOT NULL,
  -- The API key that caused it, one of the account's own; NULL for the app and the command line.
  key_id TEXT,
  UNIQUE (id, account_id, amount_units),
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  CHECK (subject_kind IN ('job', 'pipeline', 'email_validation') AND length(subject_id) = 36)
) STRICT;

-- How a hold ended. The primary key allows one end; the CHECK and the foreign key make its parts
-- add up to the hold.
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

-- Movements of credits between an account's four ledgers: grants, wallet, held, spent.
CREATE TABLE ledger_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  kind TEXT NOT NULL,
  from_ledger TEXT NOT NULL,
  to_ledger TEXT NOT NULL,
  amount_units INTEGER NOT NULL CHECK (amount_units > 0),
  hold_id INTEGER REFERENCES ledger_hold (id),
  -- What it is for: that of its hold, or where a grant comes from, or what a charge paid for.
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  at TEXT NOT NULL,
  key_id TEXT,
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  CHECK (key_id IS NULL OR kind <> 'grant'),
  CHECK (kind || ' ' || from_ledger || ' ' || to_ledger IN (
    'grant grants wallet', 'hold wallet held', 'settle held spent', 'release held wallet',
    'charge wallet spent', 'refund spent wallet')),
  CHECK ((hold_id IS NOT NULL) = (kind IN ('hold', 'settle', 'release'))),
  CHECK (CASE
    WHEN hold_id IS NOT NULL THEN subject_kind IN ('job', 'pipeline', 'email_validation')
    WHEN kind = 'grant' THEN subject_kind = 'grant' AND subject_id <> ''
    WHEN kind = 'refund' THEN subject_kind = 'review' AND length(subject_id) = 36
    WHEN subject_kind = 'review' THEN length(subject_id) = 36
    WHEN subject_kind = 'monitor_job' THEN subject_id GLOB '[1-9]*'
    ELSE subject_kind IN ('email_lookup', 'phone_lookup', 'tool') AND subject_id <> ''
  END),
  UNIQUE (hold_id, kind)
) STRICT;
CREATE INDEX ledger_entry_account ON ledger_entry (account_id, id);
CREATE INDEX ledger_entry_subject ON ledger_entry (subject_kind, subject_id);

-- The sums of the entries. Only the trigger below writes them, and verifyLedger recomputes them.
-- The lowest balance of grants keeps every sum within the integers that a double holds exactly.
CREATE TABLE ledger_balance (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  grants_units INTEGER NOT NULL DEFAULT 0
    CHECK (grants_units BETWEEN -9007199254740991 AND 0),
  wallet_units INTEGER NOT NULL DEFAULT 0 CHECK (wallet_units >= 0),
  held_units INTEGER NOT NULL DEFAULT 0 CHECK (held_units >= 0),
  spent_units INTEGER NOT NULL DEFAULT 0 CHECK (spent_units >= 0),
  CHECK (grants_units + wallet_units + held_units + spent_units = 0)
) STRICT;

-- The wallet as a person reads it: one line per job, pipeline, validation and monitor run, and one per
-- grant, lookup and tool call. Only the triggers below write these three tables, and verifyLedger
-- recomputes them.
CREATE TABLE ledger_line (
  -- ledger_entry.id of its first entry.
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- One of walletLineKinds (contract/wallet/wallet-lines.ts).
  kind TEXT NOT NULL,
  -- The UUID of the work, or the id of the monitor's job. NULL for a line of one entry. A review
  -- belongs to the line of its job.
  work_id TEXT,
  -- Client and time of the first entry.
  key_id TEXT,
  at TEXT NOT NULL,
  added_units INTEGER NOT NULL,
  held_units INTEGER NOT NULL,
  settled_units INTEGER NOT NULL,
  released_units INTEGER NOT NULL,
  charged_units INTEGER NOT NULL,
  refunded_units INTEGER NOT NULL,
  -- What the line does to the wallet.
  net_units INTEGER NOT NULL GENERATED ALWAYS AS
    (added_units - held_units + released_units - charged_units + refunded_units) STORED
) STRICT;
CREATE UNIQUE INDEX ledger_line_work ON ledger_line (account_id, kind, work_id);
CREATE INDEX ledger_line_at ON ledger_line (account_id, at, id);
CREATE INDEX ledger_line_kind ON ledger_line (account_id, kind, at, id);
CREATE INDEX ledger_line_client ON ledger_line (account_id, key_id, at, id);

-- Sums of net_units of lines with ids from 1,024 * block on, so that the balance at a line is the sum
-- of few rows.
CREATE TABLE ledger_block (
  account_id INTEGER NOT NULL REFERENCES account (id),
  block INTEGER NOT NULL,
  net_units INTEGER NOT NULL,
  PRIMARY KEY (account_id, block)
) STRICT, WITHOUT ROWID;

-- What was spent per day (UTC), client and part. A refund counts on its own day, so units may be
-- negative.
CREATE TABLE ledger_spend (
  account_id INTEGER NOT NULL REFERENCES account (id),
  day TEXT NOT NULL,
  -- An API key; '' for the app and the command line.
  client TEXT NOT NULL,
  -- A layer of a job; otherwise the kind of subject of the entry.
  part TEXT NOT NULL,
  units INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, client, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_entry_joins_line AFTER INSERT ON ledger_entry BEGIN
  INSERT INTO ledger_line (id, account_id, kind, work_id, key_id, at, added_units, held_units,
    settled_units, released_units, charged_units, refunded_units)
  VALUES (NEW.id, NEW.account_id,
    CASE NEW.subject_kind WHEN 'review' THEN 'job' WHEN 'email_lookup' THEN 'lookup'
      WHEN 'phone_lookup' THEN 'lookup' ELSE NEW.subject_kind END,
    iif(NEW.subject_kind IN ('job', 'review', 'pipeline', 'email_validation', 'monitor_job'),
      NEW.subject_id, NULL),
    NEW.key_id, NEW.at,
    NEW.amount_units * (NEW.kind = 'grant'), NEW.amount_units * (NEW.kind = 'hold'),
    NEW.amount_units * (NEW.kind = 'settle'), NEW.amount_units * (NEW.kind = 'release'),
    NEW.amount_units * (NEW.kind = 'charge'), NEW.amount_units * (NEW.kind = 'refund'))
  ON CONFLICT (account_id, kind, work_id) DO UPDATE SET
    held_units = held_units + excluded.held_units,
    settled_units = settled_units + excluded.settled_units,
    released_units = released_units + excluded.released_units,
    charged_units = charged_units + excluded.charged_units,
    refunded_units = refunded_units + excluded.refunded_units;
END;
CREATE TRIGGER ledger_line_adds_to_block AFTER INSERT ON ledger_line BEGIN
  INSERT INTO ledger_block VALUES (NEW.account_id, NEW.id / 1024,
      NEW.added_units - NEW.held_units + NEW.released_units - NEW.charged_units
      + NEW.refunded_units)
    ON CONFLICT DO UPDATE SET net_units = net_units + excluded.net_units;
END;
CREATE TRIGGER ledger_line_changes_block AFTER UPDATE ON ledger_line BEGIN
  UPDATE ledger_block SET net_units = net_units
    - (NEW.held_units - OLD.held_units) + (NEW.released_units - OLD.released_units)
    - (NEW.charged_units - OLD.charged_units) + (NEW.refunded_units - OLD.refunded_units)
  WHERE (account_id, block) = (NEW.account_id, NEW.id / 1024);
END;

-- What a job settles is spent on its layers; a rest that is recorded for none, on 'job'.
CREATE TRIGGER ledger_entry_counts_as_spend AFTER INSERT ON ledger_entry
WHEN NEW.kind IN ('settle', 'charge', 'refund') BEGIN
  INSERT INTO ledger_spend
    SELECT NEW.account_id, substr(NEW.at, 1, 10), ifnull(NEW.key_id, ''), c.layer, c.units
    FROM job j JOIN layer_charge c ON c.job_id = j.id
    WHERE NEW.kind = 'settle' AND NEW.subject_kind = 'job' AND j.uuid = NEW.subject_id
    ON CONFLICT DO UPDATE SET units = units + excluded.units;
  INSERT INTO ledger_spend
    SELECT NEW.account_id, substr(NEW.at, 1, 10), ifnull(NEW.key_id, ''), NEW.subject_kind,
      iif(NEW.kind = 'refund', -NEW.amount_units, NEW.amount_units) - ifnull((
        SELECT sum(c.units) FROM job j JOIN layer_charge c ON c.job_id = j.id
        WHERE NEW.kind = 'settle' AND NEW.subject_kind = 'job' AND j.uuid = NEW.subject_id), 0)
      AS rest
    WHERE rest <> 0
    ON CONFLICT DO UPDATE SET units = units + excluded.units;
END;

-- What each key has caused per day (UTC). A charge counts on its day. A hold counts on the day it
-- was made: in full while it is open, then what was settled of it. Only the triggers below write
-- this table.
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
    spent_units = spent_units
      + NEW.amount_units * ((NEW.to_ledger = 'spent') - (NEW.from_ledger = 'spent'))
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
    WHERE h.id = NEW.hold_id AND h.account_id = NEW.account_id AND h.key_id IS NEW.key_id
      AND (h.subject_kind, h.subject_id) = (NEW.subject_kind, NEW.subject_id));
END;

-- INSERT OR REPLACE deletes without firing the triggers that forbid it, so these refuse it first.
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

-- Only the person of a lookup may be replaced, by a pseudonym (person-data/pseudonym.ts).
CREATE TRIGGER ledger_entry_never_changes BEFORE UPDATE ON ledger_entry
WHEN NEW.subject_id NOT GLOB '00000000-0000-4000-8*'
  OR OLD.subject_kind NOT IN ('email_lookup', 'phone_lookup')
  OR (NEW.id, NEW.account_id, NEW.kind, NEW.from_ledger, NEW.to_ledger, NEW.amount_units,
      NEW.hold_id, NEW.subject_kind, NEW.at, NEW.key_id)
    IS NOT (OLD.id, OLD.account_id, OLD.kind, OLD.from_ledger, OLD.to_ledger, OLD.amount_units,
      OLD.hold_id, OLD.subject_kind, OLD.at, OLD.key_id)
BEGIN
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

-- Values of people that an account has paid for by lookup, tool or pipeline. Further requests for
-- them are free. The person is named by UUID because the directory is another file. The prices of
-- one charge add up to its amount, which verifyLedger recomputes.
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

-- People of the directory who were merged into others. Derived from the directory: what was paid for
-- or decided about one of them holds for the survivor.
CREATE TABLE merged_person (
  uuid TEXT PRIMARY KEY,
  survivor_uuid TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX merged_person_survivor ON merged_person (survivor_uuid);

-- A value is paid for once: by a charge, or by the hold of a pipeline that has not ended.
CREATE TRIGGER owned_is_paid_once BEFORE INSERT ON owned BEGIN
  SELECT RAISE(ABORT, 'already_owned') WHERE EXISTS (SELECT 1 FROM owned
    WHERE (account_id, person_uuid, kind) = (NEW.account_id, NEW.person_uuid, NEW.kind));
  SELECT RAISE(ABORT, 'owned_without_charge') WHERE NOT EXISTS (SELECT 1 FROM ledger_entry e
    WHERE e.id = NEW.entry_id AND e.account_id = NEW.account_id AND (e.kind = 'charge'
      OR (e.kind = 'hold' AND EXISTS (
        SELECT 1 FROM pipeline p WHERE p.hold_id = e.hold_id AND p.completed_at IS NULL))));
END;
-- Only the person may be replaced, by a pseudonym (person-data/pseudonym.ts).
CREATE TRIGGER owned_never_changes BEFORE UPDATE ON owned
WHEN NEW.person_uuid NOT GLOB '00000000-0000-4000-8*'
  OR (NEW.account_id, NEW.kind, NEW.price_units, NEW.entry_id, NEW.at)
    IS NOT (OLD.account_id, OLD.kind, OLD.price_units, OLD.entry_id, OLD.at)
BEGIN
  SELECT RAISE(ABORT, 'owned_is_immutable');
END;
CREATE TRIGGER owned_never_goes BEFORE DELETE ON owned BEGIN
  SELECT RAISE(ABORT, 'owned_is_immutable');
END;

-- Approvals of requests above ask_above_units.
-- asked → allowed → used; asked → denied; asked and allowed → expired. See ledger/approval.table.ts.
CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  key_id TEXT NOT NULL,
  -- SHA-256 of the operation, the idempotency key and everything that a repeat has in common.
  request TEXT NOT NULL CHECK (length(request) = 64),
  -- NULL if the request had none.
  idempotency_key TEXT,
  -- What the person sees: the route or the tool, and JSON of what was sent, shortened.
  operation TEXT NOT NULL CHECK (operation <> ''),
  arguments TEXT NOT NULL,
  -- Who asks the person: the app, or the client itself.
  asked_in TEXT NOT NULL CHECK (asked_in IN ('app', 'client')),
  -- The most that may be spent under it.
  asked_units INTEGER NOT NULL CHECK (asked_units > 0),
  status TEXT NOT NULL CHECK (status IN ('asked', 'allowed', 'denied', 'used', 'expired')),
  -- What was spent under it, or authorised for work that spends later.
  used_units INTEGER CHECK (used_units BETWEEN 1 AND asked_units),
  -- The hold or charge that it allowed; NULL if the work spends later.
  entry_id INTEGER UNIQUE REFERENCES ledger_entry (id),
  asked_at TEXT NOT NULL,
  answered_at TEXT,
  used_at TEXT,
  -- Until when it can be answered, and then used; for a denial, until when it holds.
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
CREATE INDEX approval_arguments ON approval (account_id, asked_at)
  WHERE status NOT IN ('asked', 'allowed') AND arguments <> '{}';

-- The shown arguments may change, because they may name a person.
CREATE TRIGGER approval_goes_one_way BEFORE UPDATE OF operation, asked_in, status, used_units,
  entry_id, asked_at, answered_at, used_at, expires_at ON approval
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

-- Idempotency keys of accepted requests.
CREATE TABLE idempotency (
  -- Id of the API key, or 'app:' and the account's UUID.
  key_scope TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL,
  job_uuid TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (key_scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_at ON idempotency (at);

-- Jobs -----------------------------------------------------------------------------------------
-- Lists of rows that are enriched batch by batch. The rows themselves are files in jobs/<uuid>.

-- queued → running → completed | failed | cancelled; failed → queued by a retry.
-- See jobs/job.table.ts.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A 'monitor' job does the work of a Career Monitor job and is listed only there.
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
  -- What the rows done so far cost, charged if the job completes.
  pending_charge_units INTEGER NOT NULL DEFAULT 0,
  hold_id INTEGER UNIQUE,
  held_units INTEGER NOT NULL CHECK (held_units >= 0),
  charged_units INTEGER NOT NULL DEFAULT 0 CHECK (charged_units >= 0),
  released_units INTEGER NOT NULL DEFAULT 0 CHECK (released_units >= 0),
  -- What the picks of a review cost, beyond the hold.
  reviewed_units INTEGER NOT NULL DEFAULT 0 CHECK (reviewed_units >= 0),
  -- result.id of the job's first row.
  result_base INTEGER NOT NULL UNIQUE CHECK (result_base >= 0),
  upstream_accepted INTEGER NOT NULL DEFAULT 0 CHECK (upstream_accepted IN (0, 1)),
  -- Its place among the queued jobs if it was moved; otherwise its id is its place.
  queue_place INTEGER,
  -- The most that it may spend at each data service by the key that submitted it; NULL is no limit.
  provider_cap REAL CHECK (provider_cap >= 0),
  headers TEXT NOT NULL CHECK (json_type(headers) = 'array'),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  file_name TEXT,
  error TEXT,
  error_detail TEXT,
  retry_of TEXT REFERENCES job (uuid),
  -- The account's free_repeat_days when the job was submitted.
  free_repeat_days INTEGER NOT NULL DEFAULT 0 CHECK (free_repeat_days >= 0),
  -- The account's infer_emails when the job was submitted.
  infer_emails INTEGER NOT NULL DEFAULT 0 CHECK (infer_emails IN (0, 1)),
  -- The earlier job whose people are skipped.
  new_since TEXT REFERENCES job (uuid),
  -- The requests by which other engines passed the rows on, oldest first.
  via TEXT CHECK (json_type(via) = 'array'),
  -- 0 if the user's data services are not asked for this job.
  uses_providers INTEGER NOT NULL DEFAULT 1 CHECK (uses_providers IN (0, 1)),
  -- Without a network, rows wait for the data services, or end without them.
  when_offline TEXT NOT NULL DEFAULT 'wait' CHECK (when_offline IN ('wait', 'leave_out')),
  -- Finished rows whose data services could not be asked without a network, and since when.
  waiting_rows INTEGER NOT NULL DEFAULT 0,
  waiting_since TEXT,
  -- Finished rows that a data service has not answered yet: they are done again.
  unanswered_rows INTEGER NOT NULL DEFAULT 0,
  -- Rows of each kind of repeat_row.
  duplicate_rows INTEGER NOT NULL DEFAULT 0 CHECK (duplicate_rows >= 0),
  paid_before_rows INTEGER NOT NULL DEFAULT 0 CHECK (paid_before_rows >= 0),
  known_rows INTEGER NOT NULL DEFAULT 0 CHECK (known_rows >= 0),
  -- 1 once the people of the completed job are in job_person.
  people_indexed INTEGER NOT NULL DEFAULT 0 CHECK (people_indexed IN (0, 1)),
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  -- When its account deleted it: hidden, and restored by an undo until deleted_at is set.
  removed_at TEXT,
  -- When it was deleted. Its counts and amounts stay, without anything that names a person.
  deleted_at TEXT,
  -- 1 while rows of the deleted job remain to be deleted.
  is_clearing INTEGER NOT NULL DEFAULT 0 CHECK (is_clearing IN (0, 1)),
  FOREIGN KEY (hold_id, account_id, held_units)
    REFERENCES ledger_hold (id, account_id, amount_units),
  CHECK (is_clearing = 0 OR deleted_at IS NOT NULL),
  CHECK (deleted_at IS NULL OR completed_at IS NOT NULL),
  CHECK (removed_at IS NULL OR completed_at IS NOT NULL),
  CHECK (deleted_at IS NULL OR (title, file_name, headers, mapping, error_detail)
    IS ('', NULL, '[]', '{}', NULL)),
  CHECK (hold_id IS NOT NULL OR held_units = 0),
  CHECK (duplicate_rows + paid_before_rows <= enriched_rows),
  CHECK (known_rows <= skipped_rows),
  CHECK (waiting_rows BETWEEN 0 AND processed_rows),
  CHECK ((waiting_rows = 0) = (waiting_since IS NULL)),
  CHECK (status <> 'completed' OR unanswered_rows = 0),
  CHECK (unanswered_rows BETWEEN 0 AND processed_rows),
  CHECK (people_indexed = 0 OR status = 'completed'),
  CHECK (processed_rows = enriched_rows + skipped_rows + failed_rows),
  CHECK (processed_rows <= total_rows),
  CHECK (status <> 'completed' OR processed_rows = total_rows),
  CHECK (pending_charge_units BETWEEN 0 AND held_units),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK (status <> 'running' OR started_at IS NOT NULL),
  CHECK ((error IS NOT NULL) = (status = 'failed')),
  CHECK (status = 'completed' OR charged_units = 0),
  CHECK (status = 'completed' OR reviewed_units = 0),
  CHECK (charged_units + released_units =
    CASE WHEN status IN ('queued', 'running') THEN 0 ELSE held_units END)
) STRICT;
CREATE INDEX job_account ON job (account_id, kind, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX job_account_status ON job (account_id, kind, status, id) WHERE deleted_at IS NULL;
CREATE INDEX job_ended ON job (account_id, kind, completed_at) WHERE deleted_at IS NULL;
CREATE INDEX job_clearing ON job (id) WHERE is_clearing = 1;
CREATE INDEX job_removed ON job (removed_at) WHERE removed_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX job_queue ON job (status, ifnull(queue_place, id)) WHERE status = 'queued';
CREATE INDEX job_status ON job (status, id, kind);
CREATE INDEX job_retry_of ON job (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX job_new_since ON job (new_since) WHERE new_since IS NOT NULL;

CREATE TRIGGER job_is_deleted_once BEFORE UPDATE ON job
WHEN OLD.deleted_at IS NOT NULL AND (NEW.deleted_at IS NOT OLD.deleted_at
  OR NEW.is_clearing > OLD.is_clearing OR (NEW.status, NEW.charged_units, NEW.released_units)
    IS NOT (OLD.status, OLD.charged_units, OLD.released_units)) BEGIN
  SELECT RAISE(ABORT, 'job_is_deleted');
END;
CREATE INDEX job_without_people ON job (account_id, completed_at)
  WHERE people_indexed = 0 AND status = 'completed' AND kind = 'enrichment'
    AND deleted_at IS NULL;

-- Where the results of the next job begin: not derived from the jobs, so that no range of ids is
-- given twice.
CREATE TABLE result_range (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  next_base INTEGER NOT NULL CHECK (next_base >= 0)
) STRICT;
INSERT INTO result_range VALUES (1, 0);

-- The part of job.pending_charge_units that is for each layer.
CREATE TABLE layer_charge (
  job_id INTEGER NOT NULL REFERENCES job (id),
  layer TEXT NOT NULL,
  units INTEGER NOT NULL CHECK (units >= 0),
  PRIMARY KEY (job_id, layer)
) STRICT, WITHOUT ROWID;

-- Which rows of a job are done.
CREATE TABLE job_batch (
  job_id INTEGER NOT NULL REFERENCES job (id),
  first_row INTEGER NOT NULL CHECK (first_row >= 0),
  row_count INTEGER NOT NULL CHECK (row_count > 0),
  enriched INTEGER NOT NULL CHECK (enriched >= 0),
  skipped INTEGER NOT NULL CHECK (skipped >= 0),
  failed INTEGER NOT NULL CHECK (failed >= 0),
  at TEXT NOT NULL,
  -- Rows of each status in every 64 rows, one byte each, so that a page of one status can start
  -- anywhere without reading the rows before it. See jobs/results/batch-parts.ts.
  parts BLOB NOT NULL CHECK (length(parts) = 3 * ((row_count + 63) / 64)),
  -- Rows whose data services could not be asked without a network.
  waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting BETWEEN 0 AND row_count),
  -- Rows that a data service had not answered when the batch was written.
  unanswered INTEGER NOT NULL DEFAULT 0 CHECK (unanswered BETWEEN 0 AND row_count),
  -- Times that rows of the batch were changed after it was written.
  revision INTEGER NOT NULL DEFAULT 0,
  -- What filters know of each row, four bytes each: jobs/results/view/row-facts.ts. The last
  -- column, so that it is not read with the others.
  facts BLOB NOT NULL CHECK (length(facts) = 4 * row_count),
  PRIMARY KEY (job_id, first_row),
  CHECK (row_count = enriched + skipped + failed)
) STRICT, WITHOUT ROWID;
-- What pages of results read of every batch: a row of the table takes a page of the database.
CREATE INDEX job_batch_counters ON job_batch (job_id, first_row, row_count, enriched, skipped,
  failed, revision, at);

-- A row is done once: a batch may not overlap its neighbours.
CREATE TRIGGER job_batch_overlaps_none BEFORE INSERT ON job_batch BEGIN
  SELECT RAISE(ABORT, 'batch_overlaps') WHERE (
    SELECT first_row + row_count FROM job_batch
    WHERE job_id = NEW.job_id AND first_row < NEW.first_row + NEW.row_count
    ORDER BY first_row DESC LIMIT 1) > NEW.first_row;
END;

-- Results are read by ranges of ids, so that they need no index by job.
CREATE TABLE result (
  -- job.result_base + row_index
  id INTEGER PRIMARY KEY,
  -- Code of rowStatuses; 255 (match again) is written and replaced within one transaction.
  status INTEGER NOT NULL CHECK (status IN (0, 1, 2, 255)),
  reason INTEGER NOT NULL,
  contact_uuid TEXT,
  layer_bits INTEGER NOT NULL,
  -- The values of the layers, in the forms of result-fields.ts.
  fields TEXT,
  confidence REAL,
  matched_on INTEGER NOT NULL,
  candidates TEXT,
  provenance TEXT,
  error TEXT,
  -- The inferred email in the form of inferred-email.ts; never part of fields.
  inferred TEXT CHECK (inferred IS NULL OR status = 0)
) STRICT;
-- Failed rows (code 2) are few, and are looked for among all.
CREATE INDEX result_failed ON result (status) WHERE status = 2;
-- Rows with candidates are few as well; a review reads them by job.
CREATE INDEX result_with_candidates ON result (id) WHERE candidates IS NOT NULL;

-- Rows about a person who was answered before: why they cost nothing, or less than their price.
CREATE TABLE repeat_row (
  -- result.id of the row.
  id INTEGER NOT NULL,
  -- result.id of the row that has the answer. A row has several if several jobs paid for its layers.
  source_id INTEGER NOT NULL,
  -- Code of repeatKinds (contract/jobs/repeats.ts).
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
  -- The layers that the row is not charged for, as a set of bits in the order of layerCodes.
  free_layers INTEGER NOT NULL CHECK (free_layers > 0),
  PRIMARY KEY (id, source_id),
  CHECK (source_id <> id)
) STRICT, WITHOUT ROWID;

-- The people of completed jobs, so that a later job finds the rows about a person. Derived from
-- `result`, and only when a job needs it. See jobs/repeats/index-people.ts.
CREATE TABLE job_person (
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- 1 if the row paid for layers when it was added.
  is_charged INTEGER NOT NULL CHECK (is_charged IN (0, 1)),
  -- Hash of contact_uuid. Two people may share it: compare result.contact_uuid.
  person_key INTEGER NOT NULL,
  job_id INTEGER NOT NULL REFERENCES job (id),
  row_index INTEGER NOT NULL CHECK (row_index >= 0),
  PRIMARY KEY (account_id, is_charged, person_key, job_id, row_index)
) STRICT, WITHOUT ROWID;

-- The rows of deleted jobs that paid for layers of a person, so that later jobs do not charge them
-- again. See jobs/repeats/paid-person.table.ts.
CREATE TABLE paid_person (
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- Hash of the person's UUID, keyed by review_key.
  person_hash BLOB NOT NULL CHECK (length(person_hash) = 16),
  job_id INTEGER NOT NULL REFERENCES job (id),
  row_index INTEGER NOT NULL CHECK (row_index >= 0),
  -- The layers that the row paid for, as a set of bits in the order of layerCodes.
  layers INTEGER NOT NULL CHECK (layers > 0),
  PRIMARY KEY (account_id, person_hash, job_id, row_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX paid_person_job ON paid_person (job_id);

-- What a person decided about a row that matching left open. The charge follows the decision: the
-- prices of a job's picks add up to job.reviewed_units, which verifyLedger recomputes.
CREATE TABLE review_pick (
  job_id INTEGER NOT NULL REFERENCES job (id),
  row_index INTEGER NOT NULL CHECK (row_index >= 0),
  -- The chosen candidate; NULL if the row means none of them.
  contact_uuid TEXT CHECK (contact_uuid <> ''),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  -- The API key that decided; NULL for the app and the command line.
  key_id TEXT REFERENCES api_key (id),
  at TEXT NOT NULL,
  -- The reason and the confidence of the row before the first pick, which an undo restores.
  open_reason INTEGER NOT NULL CHECK (open_reason > 0),
  open_confidence REAL NOT NULL,
  PRIMARY KEY (job_id, row_index),
  CHECK (contact_uuid IS NOT NULL OR price_units = 0)
) STRICT, WITHOUT ROWID;

-- The key of the hashes below: they tell nothing of contacts outside this database.
CREATE TABLE review_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
INSERT INTO review_key VALUES (1, randomblob(32));

-- The contacts that a person decided about: a later job of the account repeats the decision. An undo
-- of the decision deletes its contact.
CREATE TABLE review_memory (
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- Keyed hash of the recognised fields of the row.
  contact_hash BLOB NOT NULL CHECK (length(contact_hash) = 16),
  job_id INTEGER NOT NULL,
  row_index INTEGER NOT NULL,
  -- How the row fits the chosen candidate: columns of a match, of directory.db.
  company_id INTEGER NOT NULL CHECK (company_id >= 0),
  employment_status INTEGER NOT NULL CHECK (employment_status >= 0),
  matched_on INTEGER NOT NULL CHECK (matched_on >= 0),
  -- UUIDs of the candidates that were offered.
  offered TEXT NOT NULL CHECK (json_type(offered) = 'array'),
  PRIMARY KEY (account_id, contact_hash),
  FOREIGN KEY (job_id, row_index) REFERENCES review_pick (job_id, row_index) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX review_memory_pick ON review_memory (job_id, row_index);

-- The rows of a job that an earlier decision answered, with its author and time as they were then.
CREATE TABLE review_recall (
  job_id INTEGER NOT NULL REFERENCES job (id),
  row_index INTEGER NOT NULL CHECK (row_index >= 0),
  decided_by TEXT NOT NULL,
  decided_at TEXT NOT NULL,
  PRIMARY KEY (job_id, row_index)
) STRICT, WITHOUT ROWID;

-- Providers ------------------------------------------------------------------------------------
-- The user's own accounts at data services: which are asked in which order, what was sent and what
-- it cost, and the answers. Credits of a service are apart from the ledger, in ten-thousandths.

CREATE TABLE provider_setting (
  provider TEXT PRIMARY KEY CHECK (provider <> ''),
  is_on INTEGER NOT NULL DEFAULT 0 CHECK (is_on IN (0, 1)),
  -- The most that a job, a day and a month (UTC) may cost; NULL for no cap.
  cap_job_units INTEGER CHECK (cap_job_units >= 0),
  cap_day_units INTEGER CHECK (cap_day_units >= 0),
  cap_month_units INTEGER CHECK (cap_month_units >= 0),
  -- Whether later jobs ask again for what an unknown outcome left open.
  repeats_uncertain INTEGER NOT NULL DEFAULT 0 CHECK (repeats_uncertain IN (0, 1)),
  -- What one credit of the service costs, to show money; NULL if it is not set.
  price_per_credit REAL CHECK (price_per_credit >= 0),
  currency TEXT CHECK (length(currency) = 3),
  CHECK ((price_per_credit IS NULL) = (currency IS NULL))
) STRICT, WITHOUT ROWID;

-- Where the user's key at a service is: in the system's keychain, or, without one, here.
CREATE TABLE provider_key (
  provider TEXT PRIMARY KEY REFERENCES provider_setting (provider),
  -- The name of its entry in the keychain.
  entry TEXT UNIQUE CHECK (entry <> ''),
  -- The key, sealed by engine.key for this provider and these hosts alone.
  sealed BLOB CHECK (length(sealed) > 37),
  -- The hosts that the key was entered for, in order.
  hosts TEXT NOT NULL CHECK (json_type(hosts) = 'array'),
  set_at TEXT NOT NULL,
  CHECK ((entry IS NULL) <> (sealed IS NULL))
) STRICT, WITHOUT ROWID;

-- Entries of the keychain that are deleted as soon as it responds, because nothing uses them.
CREATE TABLE unused_keychain_entry (
  entry TEXT PRIMARY KEY CHECK (entry <> '')
) STRICT, WITHOUT ROWID;

-- One row: the directory of a team, in PostgreSQL.
CREATE TABLE shared_directory (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- Without a password.
  address TEXT NOT NULL CHECK (address <> ''),
  -- The password, and the secret of the keys if it is known, for this address alone: an entry of
  -- the keychain, or both sealed by engine.key.
  entry TEXT CHECK (entry <> ''),
  sealed BLOB CHECK (length(sealed) > 37),
  has_secret INTEGER NOT NULL CHECK (has_secret IN (0, 1)),
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  -- Whether this engine runs a worker.
  matches_here INTEGER NOT NULL CHECK (matches_here IN (0, 1) AND matches_here <= has_secret),
  set_at TEXT NOT NULL,
  CHECK ((entry IS NULL) <> (sealed IS NULL))
) STRICT;

-- The waterfall: the providers of a field, in the order in which they are asked.
CREATE TABLE provider_step (
  field TEXT NOT NULL CHECK (field <> ''),
  position INTEGER NOT NULL CHECK (position >= 0),
  provider TEXT NOT NULL REFERENCES provider_setting (provider),
  -- When an answer is accepted, and for which rows it is asked for.
  rule TEXT NOT NULL DEFAULT '{}' CHECK (json_type(rule) = 'object'),
  PRIMARY KEY (field, position),
  UNIQUE (field, provider)
) STRICT, WITHOUT ROWID;

-- intent → sent → answered | uncertain | failed. See providers/waterfall/provider-request.table.ts.
CREATE TABLE provider_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL,
  -- NULL if a pipeline, a lookup or a tool asks.
  job_id INTEGER REFERENCES job (id),
  state TEXT NOT NULL DEFAULT 'intent'
    CHECK (state IN ('intent', 'sent', 'answered', 'uncertain', 'failed')),
  row_count INTEGER NOT NULL CHECK (row_count > 0),
  -- Rows whose person the service refused for legal reasons.
  refused_rows INTEGER NOT NULL DEFAULT 0 CHECK (refused_rows BETWEEN 0 AND row_count),
  -- The requested fields of all rows.
  fields TEXT NOT NULL CHECK (json_type(fields) = 'array'),
  -- The rows, so that the answer can be stored after a restart; NULL after the end.
  rows TEXT CHECK (json_type(rows) = 'array'),
  cost_max_units INTEGER NOT NULL CHECK (cost_max_units BETWEEN 0 AND 10000000000000),
  -- What it cost; NULL before the end, and if that is not known. A decision or a balance corrects it.
  cost_units INTEGER CHECK (cost_units BETWEEN 0 AND 10000000000000),
  -- The most that the parts with an unknown outcome cost; NULL if there are none.
  uncertain_units INTEGER CHECK (uncertain_units BETWEEN 0 AND 10000000000000),
  -- When a person decided about these parts.
  decided_at TEXT,
  -- 1 if the service or its balance said the cost, 0 if it is derived from the answers.
  cost_is_reported INTEGER CHECK (cost_is_reported IN (0, 1)),
  -- What an asynchronous service gave to poll with.
  ticket TEXT,
  failure TEXT,
  -- Why it failed; of an answer, what is wrong in it.
  detail TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  -- How often its parts were sent, for the limits of the service.
  sends INTEGER NOT NULL DEFAULT 0 CHECK (sends >= 0),
  ended_at TEXT,
  CHECK ((ended_at IS NULL) = (state IN ('intent', 'sent'))),
  CHECK ((rows IS NULL) = (ended_at IS NOT NULL)),
  CHECK (state NOT IN ('sent', 'answered', 'uncertain') OR sent_at IS NOT NULL),
  CHECK (state <> 'intent' OR sent_at IS NULL),
  CHECK (ticket IS NULL OR sent_at IS NOT NULL),
  CHECK (cost_units IS NULL OR state NOT IN ('intent', 'sent')),
  CHECK (cost_units IS NOT NULL OR state NOT IN ('answered', 'failed')),
  CHECK (uncertain_units IS NOT NULL OR state <> 'uncertain'),
  CHECK (uncertain_units IS NULL OR state IN ('answered', 'uncertain')),
  CHECK (decided_at IS NULL OR uncertain_units IS NOT NULL),
  CHECK ((cost_is_reported IS NULL) = (state <> 'answered')),
  CHECK (state <> 'failed' OR cost_units = 0),
  CHECK ((failure IS NULL) = (state NOT IN ('uncertain', 'failed')))
) STRICT;
CREATE INDEX provider_request_open ON provider_request (id) WHERE ended_at IS NULL;
CREATE INDEX provider_request_spent
  ON provider_request (provider, created_at, cost_units, cost_max_units);
CREATE INDEX provider_request_job
  ON provider_request (job_id, provider, cost_units, cost_max_units) WHERE job_id IS NOT NULL;

CREATE INDEX provider_request_uncertain ON provider_request (provider, id)
  WHERE uncertain_units IS NOT NULL AND decided_at IS NULL;

-- Only what it cost may change after the end, and a detail that names a deleted person.
CREATE TRIGGER provider_request_ends_once BEFORE UPDATE OF uuid, provider, job_id, state, row_count,
  fields, rows, cost_max_units, uncertain_units, ticket, failure, created_at, sent_at, sends,
  refused_rows, ended_at ON provider_request
WHEN OLD.ended_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'provider_request_has_ended');
END;
-- The words of a service may name a person, so they may be deleted.
CREATE TRIGGER provider_request_keeps_detail BEFORE UPDATE OF detail ON provider_request
WHEN OLD.ended_at IS NOT NULL AND NEW.detail IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'provider_request_has_ended');
END;
CREATE INDEX provider_request_detail ON provider_request (ended_at) WHERE detail IS NOT NULL;

-- What a person decided about a request with an unknown outcome. The latest decision counts.
CREATE TABLE provider_decision (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id INTEGER NOT NULL REFERENCES provider_request (id),
  outcome TEXT NOT NULL CHECK (outcome IN ('charged', 'not_charged')),
  cost_units INTEGER NOT NULL CHECK (cost_units BETWEEN 0 AND 10000000000000),
  decided_by TEXT NOT NULL,
  decided_at TEXT NOT NULL,
  CHECK (outcome = 'charged' OR cost_units = 0)
) STRICT;
CREATE INDEX provider_decision_request ON provider_decision (request_id);
CREATE TRIGGER provider_decision_is_final BEFORE UPDATE ON provider_decision BEGIN
  SELECT RAISE(ABORT, 'provider_decision_is_final');
END;
CREATE TRIGGER provider_decision_never_goes BEFORE DELETE ON provider_decision BEGIN
  SELECT RAISE(ABORT, 'provider_decision_never_goes');
END;

-- The credits at a service, each time that they were read.
CREATE TABLE provider_balance (
  id INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  credits REAL NOT NULL,
  at TEXT NOT NULL,
  -- The request with an unknown outcome after which it was read.
  request_id INTEGER REFERENCES provider_request (id),
  -- The job before or after which it was read.
  job_id INTEGER REFERENCES job (id)
) STRICT;
CREATE INDEX provider_balance_provider ON provider_balance (provider, id);
CREATE INDEX provider_balance_job ON provider_balance (job_id) WHERE job_id IS NOT NULL;

-- What each request found and cost by field. The costs are shares of the cost of the request.
CREATE TABLE provider_request_field (
  request_id INTEGER NOT NULL REFERENCES provider_request (id),
  field TEXT NOT NULL CHECK (field <> ''),
  asked INTEGER NOT NULL CHECK (asked >= 0),
  hits INTEGER NOT NULL CHECK (hits BETWEEN 0 AND asked),
  share_units INTEGER NOT NULL CHECK (share_units BETWEEN 0 AND 10000000000000),
  PRIMARY KEY (request_id, field)
) STRICT, WITHOUT ROWID;

-- What providers answered, so that the same is not asked again.
CREATE TABLE provider_answer (
  -- SHA-256 of what identifies the row, or of the address for an email status.
  subject TEXT NOT NULL,
  field TEXT NOT NULL,
  provider TEXT NOT NULL,
  request_id INTEGER NOT NULL REFERENCES provider_request (id),
  -- lost: it was charged, and its answer was lost. It counts as a miss.
  outcome TEXT NOT NULL CHECK (outcome IN ('hit', 'miss', 'lost', 'uncertain')),
  -- JSON of a hit: values, status, confidence, source.
  answer TEXT CHECK (json_type(answer) = 'object'),
  observed_on TEXT,
  fetched_at TEXT NOT NULL,
  -- How long the terms of the service allow it to be kept; NULL for no limit.
  kept_until TEXT,
  PRIMARY KEY (subject, field, provider),
  CHECK ((answer IS NOT NULL) = (outcome = 'hit'))
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_answer_unknown ON provider_answer (request_id)
  WHERE outcome IN ('lost', 'uncertain');
CREATE INDEX provider_answer_kept ON provider_answer (kept_until) WHERE kept_until IS NOT NULL;
CREATE INDEX provider_answer_fetched ON provider_answer (fetched_at)
  WHERE outcome IN ('hit', 'miss');

-- How often a provider was asked for a field, and how often it found it.
CREATE TABLE provider_tally (
  provider TEXT NOT NULL,
  field TEXT NOT NULL,
  asked INTEGER NOT NULL CHECK (asked >= 0),
  hits INTEGER NOT NULL CHECK (hits BETWEEN 0 AND asked),
  PRIMARY KEY (provider, field)
) STRICT, WITHOUT ROWID;

-- Providers that the rest of a job did not ask, with the reason.
CREATE TABLE provider_note (
  job_id INTEGER NOT NULL REFERENCES job (id),
  provider TEXT NOT NULL,
  failure TEXT NOT NULL,
  detail TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (job_id, provider)
) STRICT, WITHOUT ROWID;

-- Suppression ----------------------------------------------------------------------------------
-- Who and what must never be matched, shown, exported, monitored, unlocked or sent. The list of the
-- live environment holds for all accounts and for staging too.

CREATE TABLE suppression (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL
    CHECK (kind IN ('person', 'email', 'domain', 'company', 'phone', 'profile_url')),
  -- The form in which values are compared: suppression/value-keys.ts.
  key TEXT NOT NULL CHECK (key <> ''),
  -- As it was given.
  value TEXT NOT NULL CHECK (value <> ''),
  reason TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('app', 'csv', 'command_line', 'refusal')),
  -- The account in whose name it was added, or the service that refused.
  author TEXT NOT NULL,
  at TEXT NOT NULL,
  -- The job whose request was refused. It may be of staging, or deleted.
  job_uuid TEXT,
  UNIQUE (kind, key)
) STRICT;

-- Raised by every change of the list. Whatever was derived from an older version is outdated.
CREATE TABLE suppression_version (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  number INTEGER NOT NULL
) STRICT;
INSERT INTO suppression_version VALUES (1, 0);

CREATE INDEX suppression_job ON suppression (job_uuid) WHERE job_uuid IS NOT NULL;

CREATE TRIGGER suppression_adds AFTER INSERT ON suppression BEGIN
  UPDATE suppression_version SET number = number + 1;
END;
CREATE TRIGGER suppression_removes AFTER DELETE ON suppression BEGIN
  UPDATE suppression_version SET number = number + 1;
END;
CREATE TRIGGER suppression_never_changes BEFORE UPDATE ON suppression BEGIN
  SELECT RAISE(ABORT, 'suppression_is_immutable');
END;

-- Audit log ------------------------------------------------------------------------------------
-- Who exported, unlocked, deleted, suppressed or changed what. Entries are written in the
-- transaction of the action. Each hash covers the hash before and the entry (audit/hash-entry.ts).

CREATE TABLE audit_entry (
  -- From 1, without gaps. AUTOINCREMENT keeps the highest id, so that a removed end is noticed.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('live', 'staging')),
  actor_kind TEXT NOT NULL
    CHECK (actor_kind IN ('app', 'command_line', 'api_key', 'assistant', 'engine')),
  -- The label of the key or the name of the assistant at that time; otherwise the kind in words.
  actor TEXT NOT NULL COLLATE NOCASE CHECK (actor <> ''),
  key_prefix TEXT,
  -- account.uuid; NULL if the action concerns no account.
  account TEXT,
  -- One of contract/audit/actions.ts.
  action TEXT NOT NULL CHECK (action <> '' AND action NOT GLOB '*[^a-z_]*'),
  -- The id of what the action was about; '' if it has none.
  subject TEXT NOT NULL,
  row_count INTEGER CHECK (row_count >= 0),
  credit_units INTEGER CHECK (credit_units >= 0),
  -- Counts, kinds and settings. Never a value of a person, never a secret.
  details TEXT NOT NULL CHECK (json_type(details) = 'object'),
  -- SHA-256 in lower-case hex.
  hash TEXT NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  CHECK ((key_prefix IS NOT NULL) = (actor_kind IN ('api_key', 'assistant')))
) STRICT;
CREATE INDEX audit_entry_at ON audit_entry (at);
CREATE INDEX audit_entry_action ON audit_entry (action, at);
CREATE INDEX audit_entry_actor ON audit_entry (actor, at);
CREATE INDEX audit_entry_actor_action ON audit_entry (actor, action, at);
CREATE INDEX audit_entry_subject ON audit_entry (subject, action) WHERE subject <> '';

CREATE TRIGGER audit_entry_follows_the_last BEFORE INSERT ON audit_entry
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM audit_entry) BEGIN
  SELECT RAISE(ABORT, 'audit_entry_out_of_order');
END;
CREATE TRIGGER audit_entry_never_changes BEFORE UPDATE ON audit_entry BEGIN
  SELECT RAISE(ABORT, 'audit_entry_is_immutable');
END;
CREATE TRIGGER audit_entry_never_goes BEFORE DELETE ON audit_entry BEGIN
  SELECT RAISE(ABORT, 'audit_entry_is_immutable');
END;

-- The key of the hashes by which entries name suppressed values, so that an exported log does not
-- reveal them.
CREATE TABLE audit_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
INSERT INTO audit_key VALUES (1, randomblob(32));

-- Data of one person -----------------------------------------------------------------------------
-- What was deleted on request. The rows of the live environment are for all accounts and staging.

-- erasing → scrubbing → done. See person-data/person-deletion.table.ts.
CREATE TABLE person_deletion (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('erasing', 'scrubbing', 'done')),
  -- JSON: by which values the person is found. Only until everything is erased.
  subject TEXT CHECK (json_type(subject) = 'object'),
  -- JSON array: keyed hashes of these values, by which a receipt is found again.
  subject_hashes TEXT NOT NULL CHECK (json_type(subject_hashes) = 'array'),
  -- JSON array: entries in each place, counted before the first one is erased.
  places TEXT NOT NULL CHECK (json_type(places) = 'array'),
  -- 1 if the person joined the suppression list.
  is_suppressed INTEGER NOT NULL CHECK (is_suppressed IN (0, 1)),
  -- The account in whose name it was requested, and where.
  author TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('app', 'command_line')),
  requested_at TEXT NOT NULL,
  completed_at TEXT,
  CHECK ((subject IS NOT NULL) = (state = 'erasing')),
  CHECK ((completed_at IS NOT NULL) = (state = 'done'))
) STRICT;
CREATE INDEX person_deletion_open ON person_deletion (id) WHERE completed_at IS NULL;

CREATE TRIGGER person_deletion_never_goes BEFORE DELETE ON person_deletion BEGIN
  SELECT RAISE(ABORT, 'person_deletion_never_goes');
END;
CREATE TRIGGER person_deletion_ends_once BEFORE UPDATE ON person_deletion
WHEN OLD.completed_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'person_deletion_has_ended');
END;

-- The key of the hashes in receipts.
CREATE TABLE person_deletion_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
INSERT INTO person_deletion_key VALUES (1, randomblob(32));

-- Email validations ----------------------------------------------------------------------------
-- Lists of addresses that are checked one by one, and what is known of mail domains.

-- queued → running → completed | failed. See validations/validation.table.ts.
CREATE TABLE email_validation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  total_emails INTEGER NOT NULL CHECK (total_emails > 0),
  duplicate_emails INTEGER NOT NULL CHECK (duplicate_emails >= 0),
  done_emails INTEGER NOT NULL DEFAULT 0,
  -- Addresses per verdict: {"valid": 3, …}; a missing name is 0.
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
  -- When it was deleted. Its counts and amounts stay.
  deleted_at TEXT,
  -- 1 while addresses of the deleted validation remain to be deleted.
  is_clearing INTEGER NOT NULL DEFAULT 0 CHECK (is_clearing IN (0, 1)),
  FOREIGN KEY (hold_id, account_id, held_units)
    REFERENCES ledger_hold (id, account_id, amount_units),
  CHECK (is_clearing = 0 OR deleted_at IS NOT NULL),
  CHECK (deleted_at IS NULL OR completed_at IS NOT NULL),
  CHECK (done_emails BETWEEN 0 AND total_emails),
  CHECK (status <> 'completed' OR done_emails = total_emails),
  -- Only decided addresses are charged, and only at the end.
  CHECK (charged_units = iif(status = 'completed', decided_emails * price_units, 0)),
  CHECK (charged_units + released_units = iif(status IN ('queued', 'running'), 0, held_units)),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK ((error_detail IS NOT NULL) = (status = 'failed'))
) STRICT;
CREATE INDEX email_validation_account ON email_validation (account_id, id)
  WHERE deleted_at IS NULL;
CREATE INDEX email_validation_ended ON email_validation (account_id, completed_at)
  WHERE deleted_at IS NULL;
CREATE INDEX email_validation_clearing ON email_validation (id) WHERE is_clearing = 1;
CREATE INDEX email_validation_open ON email_validation (id) WHERE completed_at IS NULL;

CREATE TABLE email_verdict (
  validation_id INTEGER NOT NULL REFERENCES email_validation (id),
  position INTEGER NOT NULL CHECK (position >= 0),
  email TEXT NOT NULL,
  -- A name of validationReasons; NULL until the address is checked.
  reason TEXT,
  PRIMARY KEY (validation_id, position)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER email_verdict_is_given_once BEFORE UPDATE OF reason ON email_verdict
WHEN OLD.reason IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'already_judged');
END;

-- What name servers answered about a mail domain, kept for a while.
CREATE TABLE mail_domain (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL UNIQUE,
  outcome TEXT NOT NULL,
  kept_until TEXT NOT NULL
) STRICT;

-- Pipelines ------------------------------------------------------------------------------------
-- Lists of contacts that are looked up, unlocked and verified in the background.

-- queued → running → completed | failed; both → cancelled.
-- See pipelines/pipeline.table.ts, also for the steps.
CREATE TABLE pipeline (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- The API key that started it and pays; NULL for the app.
  key_id TEXT,
  -- The most that it may hold, set when it was accepted; NULL if no key started it.
  authorised_units INTEGER CHECK (authorised_units >= held_units),
  title TEXT NOT NULL,
  -- Row inputs are files in jobs/<uuid>; ids of people and UUIDs are in pipeline_subjects.
  source TEXT NOT NULL CHECK (source IN ('contacts', 'uuids', 'people')),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  match_threshold REAL NOT NULL CHECK (match_threshold BETWEEN 0 AND 1),
  -- Values to unlock of each contact, in this order.
  kinds TEXT NOT NULL CHECK (kinds IN ('["email"]', '["phone"]', '["email","phone"]')),
  -- The price of each decided email; NULL if none is verified.
  verify_price_units INTEGER CHECK (verify_price_units >= 0),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  total INTEGER NOT NULL CHECK (total >= 0),
  -- Progress of each step: contacts before this position are done with it.
  looked_up_to INTEGER NOT NULL DEFAULT 0 CHECK (looked_up_to BETWEEN 0 AND total),
  unlocked_to INTEGER NOT NULL DEFAULT 0 CHECK (unlocked_to BETWEEN 0 AND total),
  verified_to INTEGER NOT NULL DEFAULT 0 CHECK (verified_to BETWEEN 0 AND total),
  matched INTEGER NOT NULL DEFAULT 0 CHECK (matched BETWEEN 0 AND looked_up_to),
  unlocked INTEGER NOT NULL DEFAULT 0 CHECK (unlocked BETWEEN 0 AND matched),
  locked INTEGER NOT NULL DEFAULT 0 CHECK (locked BETWEEN 0 AND matched),
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified BETWEEN 0 AND unlocked),
  -- When the amount to hold was determined, even if it is 0; NULL before.
  held_at TEXT,
  -- NULL if nothing is held.
  hold_id INTEGER UNIQUE,
  held_units INTEGER NOT NULL DEFAULT 0 CHECK (held_units >= 0),
  -- What kept the hold from covering every known value; NULL if it covers them.
  held_short_by TEXT CHECK (held_short_by IN ('insufficient_credits', 'spending_cap_reached')),
  -- What was spent of the hold so far; settled at the end.
  charged_units INTEGER NOT NULL DEFAULT 0,
  -- Verdicts about emails that the hold has paid for, at verify_price_units each.
  paid_verdicts INTEGER NOT NULL DEFAULT 0 CHECK (paid_verdicts BETWEEN 0 AND verified),
  released_units INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  error_detail TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  -- When it was deleted. Its counts and amounts stay, without anything that names a person.
  deleted_at TEXT,
  -- 1 while contacts of the deleted pipeline remain to be deleted.
  is_clearing INTEGER NOT NULL DEFAULT 0 CHECK (is_clearing IN (0, 1)),
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  FOREIGN KEY (hold_id, account_id, held_units)
    REFERENCES ledger_hold (id, account_id, amount_units),
  CHECK (is_clearing = 0 OR deleted_at IS NOT NULL),
  CHECK (deleted_at IS NULL OR completed_at IS NOT NULL),
  CHECK (deleted_at IS NULL OR (title, mapping, error_detail) IS ('', '{}', NULL)),
  -- Nothing is paid for before all is looked up, so a pipeline that fails before has cost nothing.
  CHECK (unlocked_to = 0 OR looked_up_to = total),
  CHECK (verified_to = 0 OR (unlocked_to = total AND verify_price_units IS NOT NULL)),
  CHECK (held_at IS NULL OR looked_up_to = total),
  CHECK (hold_id IS NULL OR (held_at IS NOT NULL AND held_units > 0)),
  CHECK (hold_id IS NOT NULL OR held_units = 0),
  CHECK (charged_units BETWEEN 0 AND held_units),
  CHECK (charged_units = 0 OR unlocked_to > 0),
  CHECK (status <> 'completed' OR (unlocked_to = total
    AND (verify_price_units IS NULL OR verified_to = total))),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK (released_units = iif(completed_at IS NULL, 0, held_units - charged_units)),
  CHECK ((error IS NOT NULL) = (status = 'failed'))
) STRICT;
CREATE INDEX pipeline_account ON pipeline (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX pipeline_ended ON pipeline (account_id, completed_at) WHERE deleted_at IS NULL;
CREATE INDEX pipeline_clearing ON pipeline (id) WHERE is_clearing = 1;
CREATE INDEX pipeline_open ON pipeline (id) WHERE completed_at IS NULL;

-- After its end it may only be deleted, once, which changes no count and no amount. A title or an
-- error that names a deleted person may be replaced.
CREATE TRIGGER pipeline_ends_once BEFORE UPDATE OF id, uuid, account_id, key_id, authorised_units,
  source, mapping, match_threshold, kinds, verify_price_units, status, total, looked_up_to,
  unlocked_to, verified_to, matched, unlocked, locked, verified, held_at, hold_id, held_units,
  held_short_by, charged_units, paid_verdicts, released_units, error, created_at, started_at,
  completed_at ON pipeline
WHEN OLD.completed_at IS NOT NULL AND (NEW.deleted_at IS NULL
  OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NOT OLD.deleted_at)
  OR (NEW.status, NEW.total, NEW.matched, NEW.unlocked, NEW.locked, NEW.verified, NEW.hold_id,
      NEW.held_units, NEW.charged_units, NEW.paid_verdicts, NEW.released_units, NEW.completed_at)
    IS NOT (OLD.status, OLD.total, OLD.matched, OLD.unlocked, OLD.locked, OLD.verified, OLD.hold_id,
      OLD.held_units, OLD.charged_units, OLD.paid_verdicts, OLD.released_units, OLD.completed_at))
BEGIN
  SELECT RAISE(ABORT, 'pipeline_has_ended');
END;
CREATE TRIGGER pipeline_holds_once BEFORE UPDATE ON pipeline
WHEN OLD.held_at IS NOT NULL
  AND (NEW.held_at, NEW.hold_id, NEW.held_short_by)
    IS NOT (OLD.held_at, OLD.hold_id, OLD.held_short_by) BEGIN
  SELECT RAISE(ABORT, 'pipeline_has_held');
END;

-- The people of a pipeline that was not given rows, in batches; a batch is deleted once it is
-- looked up.
CREATE TABLE pipeline_subjects (
  pipeline_id INTEGER NOT NULL REFERENCES pipeline (id),
  first_position INTEGER NOT NULL CHECK (first_position >= 0),
  -- JSON array: person.id of the directory, or UUIDs.
  subjects TEXT NOT NULL CHECK (json_type(subjects) = 'array'),
  PRIMARY KEY (pipeline_id, first_position)
) STRICT, WITHOUT ROWID;

CREATE TABLE pipeline_contact (
  pipeline_id INTEGER NOT NULL REFERENCES pipeline (id),
  position INTEGER NOT NULL CHECK (position >= 0),
  -- NULL if no person was found.
  person_uuid TEXT,
  -- Why nothing, or not everything, is shown; '' if everything is.
  reason TEXT NOT NULL DEFAULT '',
  -- Error message of the source for a failed row.
  error TEXT,
  -- JSON: name, title and employer.
  facts TEXT,
  email TEXT,
  email_status TEXT,
  phone TEXT,
  -- Outcome of each value; NULL if there is none, or it was not requested.
  email_state TEXT CHECK (email_state IN ('owned', 'charged', 'locked')),
  phone_state TEXT CHECK (phone_state IN ('owned', 'charged', 'locked')),
  -- A name of validationReasons; NULL if the email was not verified.
  verdict TEXT,
  charged_units INTEGER NOT NULL DEFAULT 0 CHECK (charged_units >= 0),
  PRIMARY KEY (pipeline_id, position),
  CHECK (email_state IS NULL OR email IS NOT NULL),
  CHECK (phone_state IS NULL OR phone IS NOT NULL),
  CHECK (person_uuid IS NOT NULL OR charged_units = 0),
  CHECK (verdict IS NULL OR email_state IN ('owned', 'charged'))
) STRICT, WITHOUT ROWID;

-- An address that several contacts share is verified, and paid for, once.
CREATE INDEX pipeline_contact_verdict ON pipeline_contact (pipeline_id, email)
  WHERE verdict IS NOT NULL;

CREATE TRIGGER pipeline_contact_is_paid_once
BEFORE UPDATE OF email_state, phone_state, verdict, charged_units ON pipeline_contact
WHEN OLD.verdict IS NOT NULL
  OR (OLD.email_state IS NOT NULL AND NEW.email_state IS NOT OLD.email_state)
  OR (OLD.phone_state IS NOT NULL AND NEW.phone_state IS NOT OLD.phone_state) BEGIN
  SELECT RAISE(ABORT, 'contact_is_paid');
END;

-- Career Monitor -------------------------------------------------------------------------------
-- Lists that are checked again on a schedule, the jobs that check them, and what these found.

-- The columns and layers of lists, by name. Applied to lists with the same headers.
CREATE TABLE list_template (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  name TEXT NOT NULL CHECK (name <> ''),
  headers TEXT NOT NULL CHECK (json_type(headers) = 'array'),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  full_name_column INTEGER,
  selected_layers TEXT NOT NULL CHECK (json_type(selected_layers) = 'array'),
  saved_at TEXT NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE monitor (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Its rows are files in jobs/<uuid>, like those of a job.
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  title TEXT NOT NULL CHECK (title <> ''),
  schedule TEXT NOT NULL CHECK (json_type(schedule) = 'object'),
  headers TEXT NOT NULL CHECK (json_type(headers) = 'array'),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  file_name TEXT,
  total_records INTEGER NOT NULL CHECK (total_records > 0),
  -- When it starts a job next; NULL while it is paused and after it is deleted.
  next_run_at TEXT,
  -- The latest time whose runs were started or skipped, so that a clock that goes back starts
  -- nothing twice.
  answered_to TEXT NOT NULL,
  -- Why the last due run did not start.
  problem TEXT,
  created_at TEXT NOT NULL,
  deleted_at TEXT,
  CHECK (deleted_at IS NULL OR next_run_at IS NULL)
) STRICT;
CREATE INDEX monitor_account ON monitor (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX monitor_due ON monitor (next_run_at) WHERE next_run_at IS NOT NULL;

-- What a Career Monitor job has in addition to the job that does its work (job.kind = 'monitor').
CREATE TABLE monitor_job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- NULL if a caller of the API started it.
  monitor_id INTEGER REFERENCES monitor (id),
  job_id INTEGER NOT NULL UNIQUE REFERENCES job (id),
  -- The API key that started it and pays; NULL for the app.
  key_id TEXT REFERENCES api_key (id),
  -- The most that it may cost, set when it was accepted; NULL if no key started it.
  authorised_units INTEGER CHECK (authorised_units >= ifnull(due_units, 0)),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  -- account.monitor_charge when it started.
  charge_rule TEXT NOT NULL DEFAULT 'answers' CHECK (charge_rule IN ('answers', 'changes')),
  -- The earlier job of the monitor whose answers are the old values.
  baseline_id INTEGER REFERENCES monitor_job (id),
  changed_rows INTEGER NOT NULL DEFAULT 0,
  left_rows INTEGER NOT NULL DEFAULT 0,
  unchanged_rows INTEGER NOT NULL DEFAULT 0,
  no_match_rows INTEGER NOT NULL DEFAULT 0,
  failed_rows INTEGER NOT NULL DEFAULT 0,
  -- Unchanged rows with an answer in an earlier run. Free under the rule 'changes'.
  repeated_rows INTEGER NOT NULL DEFAULT 0 CHECK (repeated_rows >= 0),
  -- What it costs, known at its end.
  due_units INTEGER CHECK (due_units >= 0),
  -- From then on its findings can be read.
  paid_at TEXT,
  charge_error TEXT,
  CHECK (repeated_rows <= unchanged_rows),
  CHECK (paid_at IS NULL OR due_units IS NOT NULL),
  CHECK (charge_error IS NULL OR (due_units > 0 AND paid_at IS NULL)),
  CHECK (due_units IS NULL OR paid_at IS NOT NULL OR charge_error IS NOT NULL)
) STRICT;
CREATE INDEX monitor_job_account ON monitor_job (account_id, id);
CREATE INDEX monitor_job_monitor ON monitor_job (monitor_id, id) WHERE monitor_id IS NOT NULL;

CREATE TRIGGER monitor_job_is_paid_once BEFORE UPDATE ON monitor_job
WHEN OLD.paid_at IS NOT NULL AND (NEW.paid_at, NEW.due_units) IS NOT (OLD.paid_at, OLD.due_units)
BEGIN
  SELECT RAISE(ABORT, 'monitor_job_is_paid');
END;

CREATE TABLE monitor_finding (
  -- result.id of the result that it describes.
  id INTEGER PRIMARY KEY,
  -- Code of findingStatuses.
  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 4),
  -- result.id of the last answer for this record: its own, or that of an earlier job.
  known_id INTEGER,
  -- [[code of watchedFields, old value], …]; NULL if nothing changed.
  changes TEXT
) STRICT;

-- Findings per status in each batch, so that a page of one status skips the others.
CREATE TABLE monitor_batch (
  job_id INTEGER NOT NULL REFERENCES job (id),
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  departed INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  no_match INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (job_id, first_row),
  CHECK (row_count = changed + departed + unchanged + no_match + failed)
) STRICT, WITHOUT ROWID;

-- Webhooks -------------------------------------------------------------------------------------
-- Receivers, the events sent to them, and every delivery attempt.

-- active → paused → active; active → off (the receiver answered 410) → active.
-- See webhooks/webhook.table.ts.
CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  url TEXT NOT NULL CHECK (url GLOB 'https://*' OR url GLOB 'http://*'),
  events TEXT NOT NULL CHECK (json_type(events) = 'array'),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'off')),
  -- Sealed by the engine's key for this row alone.
  secret BLOB NOT NULL,
  -- The secret before a rotation. Until previous_until messages are signed with both.
  previous_secret BLOB,
  previous_until TEXT,
  created_at TEXT NOT NULL,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
) STRICT;
CREATE INDEX webhook_account ON webhook (account_id, created_at);

-- Events for at least one receiver, with the exact text that is sent and signed.
CREATE TABLE webhook_event (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('pipeline.completed', 'pipeline.failed', 'job.completed',
    'monitor.changed', 'webhook.test')),
  body TEXT NOT NULL CHECK (json_type(body) = 'object'),
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The outbox: waiting → delivered | failed; either → waiting when a person sends it again.
CREATE TABLE webhook_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES webhook_event (id),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  -- Attempts of this round; sending again starts a new round.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- When the next attempt is due; NULL after the end.
  due_at TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  CHECK ((due_at IS NOT NULL) = (state = 'waiting')),
  CHECK ((ended_at IS NULL) = (state = 'waiting'))
) STRICT;
CREATE INDEX webhook_delivery_first ON webhook_delivery (webhook_id, id)
  WHERE state = 'waiting' AND attempts = 0;
CREATE INDEX webhook_delivery_retry ON webhook_delivery (webhook_id, due_at)
  WHERE state = 'waiting' AND attempts > 0;
CREATE INDEX webhook_delivery_listed ON webhook_delivery (webhook_id, id);
CREATE INDEX webhook_delivery_ended ON webhook_delivery (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id);

CREATE TABLE webhook_attempt (
  delivery_id INTEGER NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  at TEXT NOT NULL,
  -- The HTTP status; NULL if there was no response, and `error` says why.
  status INTEGER,
  error TEXT,
  took_ms INTEGER NOT NULL CHECK (took_ms >= 0),
  -- The beginning of the response.
  excerpt TEXT NOT NULL,
  PRIMARY KEY (delivery_id, number),
  CHECK (status IS NOT NULL OR error IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Hosts of private networks that an account's webhooks may be sent to.
CREATE TABLE webhook_host (
  account_id INTEGER NOT NULL REFERENCES account (id),
  host TEXT NOT NULL CHECK (host = lower(host) AND host <> ''),
  PRIMARY KEY (account_id, host)
) STRICT, WITHOUT ROWID;

-- Assistants -----------------------------------------------------------------------------------
-- The tool server: paid answers under an idempotency key, the log of calls, readable folders.

-- What a paying call found and the outcome of each value, so that a repeat gets the same answer
-- whatever the directory says by then. The row is written together with the charge.
CREATE TABLE tool_answer (
  -- Id of the API key, or 'app:' and the account's UUID.
  key_scope TEXT NOT NULL,
  key TEXT NOT NULL,
  -- SHA-256 of the tool and its arguments.
  fingerprint TEXT NOT NULL,
  -- JSON: what was found, before anything was paid for.
  material TEXT NOT NULL,
  -- JSON: the outcome of each value, and what they cost.
  report TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (key_scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_answer_at ON tool_answer (at);

-- The newest calls of an account's clients; older ones are deleted.
CREATE TABLE tool_call (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  key_scope TEXT NOT NULL,
  tool TEXT NOT NULL,
  -- The arguments as JSON, shortened, without anything that could be a key.
  arguments TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed', 'cancelled')),
  -- Why the call was not done, in a sentence; '' if it was.
  detail TEXT NOT NULL,
  charged_units INTEGER NOT NULL CHECK (charged_units >= 0),
  took_ms INTEGER NOT NULL CHECK (took_ms >= 0),
  at TEXT NOT NULL
) STRICT;
CREATE INDEX tool_call_account ON tool_call (account_id, id);
CREATE INDEX tool_call_scope ON tool_call (key_scope);
CREATE INDEX tool_call_at ON tool_call (account_id, at);

-- Folders whose lists assistants may read; none unless the user adds them.
CREATE TABLE list_folder (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- The absolute path as the user entered it.
  path TEXT NOT NULL CHECK (path <> ''),
  -- The resolved path when the folder was added; a file must be inside it.
  real_path TEXT NOT NULL CHECK (real_path <> ''),
  added_at TEXT NOT NULL,
  UNIQUE (account_id, path)
) STRICT;

-- OAuth ----------------------------------------------------------------------------------------
-- The authorization server of the tool server: clients, authorization codes, connections.

-- Clients that registered themselves; nothing about them is verified.
CREATE TABLE oauth_client (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  redirect_uris TEXT NOT NULL CHECK (json_type(redirect_uris) = 'array'),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX oauth_client_created ON oauth_client (created_at);

-- issued → used, once. See oauth-code.table.ts.
CREATE TABLE oauth_code (
  -- SHA-256 of the code in lower-case hex. The code itself is not stored.
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES account (id),
  redirect_uri TEXT NOT NULL,
  -- The PKCE challenge, base64url of a SHA-256.
  challenge TEXT NOT NULL CHECK (length(challenge) = 43),
  -- The resource that the token is for; NULL if the client named none.
  resource TEXT,
  cap_day_units INTEGER CHECK (cap_day_units >= 0),
  cap_month_units INTEGER CHECK (cap_month_units >= 0),
  expires_at TEXT NOT NULL,
  used_at TEXT,
  -- The key that the code gave; a second use of the code revokes it.
  key_id TEXT REFERENCES api_key (id),
  CHECK (key_id IS NULL OR used_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_code_expires ON oauth_code (expires_at);

CREATE TRIGGER oauth_code_is_used_once BEFORE UPDATE OF used_at ON oauth_code
WHEN OLD.used_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'code_already_used');
END;

-- The key of each authorized client.
CREATE TABLE oauth_connection (
  key_id TEXT PRIMARY KEY REFERENCES api_key (id),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_connection_client ON oauth_connection (client_id);

-- Retention ------------------------------------------------------------------------------------
-- After how many days results, logs and copies are deleted, and the run that deletes them.

-- No row keeps forever.
CREATE TABLE retention_setting (
  -- NULL for a kind that all accounts of the folder share.
  account_id INTEGER REFERENCES account (id),
  -- A name of retentionKinds (contract/retention/retention.ts).
  kind TEXT NOT NULL CHECK (kind <> ''),
  days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 36500)
) STRICT;
CREATE UNIQUE INDEX retention_setting_key ON retention_setting (ifnull(account_id, 0), kind);

-- The run: idle → deleting → shrinking → idle. See retention/run-retention.ts.
CREATE TABLE retention_run (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  state TEXT NOT NULL CHECK (state IN ('idle', 'deleting', 'shrinking')),
  -- When it starts next; NULL until something is to be deleted after some days.
  due_at TEXT,
  started_at TEXT,
  ended_at TEXT,
  -- What was deleted since started_at: {"jobs": 3, …}.
  deleted TEXT NOT NULL CHECK (json_type(deleted) = 'object'),
  -- What there was to delete at started_at, for the progress.
  items INTEGER NOT NULL CHECK (items >= 0),
  -- By how many bytes engine.db and directory.db have become smaller.
  shrunk_bytes INTEGER NOT NULL CHECK (shrunk_bytes >= 0),
  CHECK ((state = 'idle') = (ended_at IS NOT NULL OR started_at IS NULL))
) STRICT;
INSERT INTO retention_run VALUES (1, 'idle', NULL, NULL, NULL, '{}', 0, 0);

-- The newest time at which the clock of this machine was trusted; no row until the first look.
CREATE TABLE trusted_clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at TEXT NOT NULL
) STRICT;

-- Backups that the product wrote. A file that was changed or moved since is not deleted.
CREATE TABLE backup_file (
  path TEXT PRIMARY KEY CHECK (path <> ''),
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  made_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Secrets --------------------------------------------------------------------------------------

-- Where the key that seals this file's secrets is stored; no row until there is one.
CREATE TABLE secret_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  place TEXT NOT NULL CHECK (place IN ('keychain', 'file')),
  key_id TEXT NOT NULL
) STRICT;
