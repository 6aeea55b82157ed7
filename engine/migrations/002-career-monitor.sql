-- Career Monitor: lists that are checked again on a schedule, their jobs, what these found.
CREATE TABLE monitor (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Its rows lie in jobs/<uuid>, as those of a job.
  uuid TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  title TEXT NOT NULL CHECK (title <> ''),
  schedule TEXT NOT NULL CHECK (json_type(schedule) = 'object'),
  headers TEXT NOT NULL CHECK (json_type(headers) = 'array'),
  mapping TEXT NOT NULL CHECK (json_type(mapping) = 'object'),
  file_name TEXT,
  total_records INTEGER NOT NULL CHECK (total_records > 0),
  -- When it starts a job next; NULL while it is paused, and once it is deleted.
  next_run_at TEXT,
  -- The latest time that was ever answered for: a clock that goes back starts nothing twice.
  answered_to TEXT NOT NULL,
  -- Why the last due run did not start.
  problem TEXT,
  created_at TEXT NOT NULL,
  deleted_at TEXT,
  CHECK (deleted_at IS NULL OR next_run_at IS NULL)
) STRICT;
CREATE INDEX monitor_account ON monitor (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX monitor_due ON monitor (next_run_at) WHERE next_run_at IS NOT NULL;

-- What a Career Monitor job is beside the job that does its work (job.kind = 'monitor').
CREATE TABLE monitor_job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  monitor_id INTEGER REFERENCES monitor (id),
  job_id INTEGER NOT NULL UNIQUE REFERENCES job (id),
  -- The API key that started it, and is charged.
  key_id TEXT REFERENCES api_key (id),
  price_units INTEGER NOT NULL CHECK (price_units >= 0),
  -- The earlier job of the monitor whose answers are the old values.
  baseline_id INTEGER REFERENCES monitor_job (id),
  changed_rows INTEGER NOT NULL DEFAULT 0,
  left_rows INTEGER NOT NULL DEFAULT 0,
  unchanged_rows INTEGER NOT NULL DEFAULT 0,
  no_match_rows INTEGER NOT NULL DEFAULT 0,
  failed_rows INTEGER NOT NULL DEFAULT 0,
  -- What it costs: known at its end.
  due_units INTEGER CHECK (due_units >= 0),
  -- Its findings are open from here on.
  paid_at TEXT,
  charge_error TEXT,
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
  -- That of the result it speaks of.
  id INTEGER PRIMARY KEY,
  -- Code of findingStatuses.
  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 4),
  -- result.id of the last answer for this record: its own, or that of an earlier job.
  known_id INTEGER,
  -- [[code of watchedFields, old value], …]; NULL where nothing changed.
  changes TEXT
) STRICT;

-- How many findings of each status lie in a batch, so that a page of one status skips the others.
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
