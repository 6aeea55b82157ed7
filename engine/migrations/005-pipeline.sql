-- Pipelines: lists of contacts that are looked up, unlocked and verified in the background.

-- queued → running → completed | failed. pipeline.ts draws it, and the three steps of running.
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
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  total INTEGER NOT NULL CHECK (total >= 0),
  -- How far each step is: contacts before this position are done with it.
  looked_up_to INTEGER NOT NULL DEFAULT 0 CHECK (looked_up_to BETWEEN 0 AND total),
  unlocked_to INTEGER NOT NULL DEFAULT 0 CHECK (unlocked_to BETWEEN 0 AND total),
  verified_to INTEGER NOT NULL DEFAULT 0 CHECK (verified_to BETWEEN 0 AND total),
  matched INTEGER NOT NULL DEFAULT 0 CHECK (matched BETWEEN 0 AND looked_up_to),
  unlocked INTEGER NOT NULL DEFAULT 0 CHECK (unlocked BETWEEN 0 AND matched),
  locked INTEGER NOT NULL DEFAULT 0 CHECK (locked BETWEEN 0 AND matched),
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified BETWEEN 0 AND unlocked),
  charged_units INTEGER NOT NULL DEFAULT 0 CHECK (charged_units >= 0),
  error TEXT,
  error_detail TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  FOREIGN KEY (key_id, account_id) REFERENCES api_key (id, account_id),
  -- Nothing is paid for before all is looked up: what fails until then has charged nothing.
  CHECK (unlocked_to = 0 OR looked_up_to = total),
  CHECK (verified_to = 0 OR (unlocked_to = total AND verify_price_units IS NOT NULL)),
  CHECK (charged_units = 0 OR unlocked_to > 0),
  CHECK (status <> 'completed' OR (unlocked_to = total
    AND (verify_price_units IS NULL OR verified_to = total))),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK ((error IS NOT NULL) = (status = 'failed'))
) STRICT;
CREATE INDEX pipeline_account ON pipeline (account_id, id);
CREATE INDEX pipeline_open ON pipeline (id) WHERE completed_at IS NULL;

CREATE TRIGGER pipeline_ends_once BEFORE UPDATE ON pipeline WHEN OLD.completed_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'pipeline_has_ended');
END;

-- Whom a pipeline is about, where that is not a table of the caller's: a batch each, which goes when
-- it is looked up.
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
  -- NULL where nobody was found.
  person_uuid TEXT,
  -- Why nothing, or not all, is shown; '' where all is.
  reason TEXT NOT NULL DEFAULT '',
  -- What the source said of a row that failed.
  error TEXT,
  -- JSON: name, title and employer.
  facts TEXT,
  email TEXT,
  email_status TEXT,
  phone TEXT,
  -- What became of each value; NULL where there is none, or it was not asked for.
  email_state TEXT CHECK (email_state IN ('owned', 'charged', 'locked')),
  phone_state TEXT CHECK (phone_state IN ('owned', 'charged', 'locked')),
  -- A name of validationReasons; NULL where the email was not verified.
  verdict TEXT,
  charged_units INTEGER NOT NULL DEFAULT 0 CHECK (charged_units >= 0),
  PRIMARY KEY (pipeline_id, position),
  CHECK (email_state IS NULL OR email IS NOT NULL),
  CHECK (phone_state IS NULL OR phone IS NOT NULL),
  CHECK (person_uuid IS NOT NULL OR charged_units = 0),
  CHECK (verdict IS NULL OR email_state IN ('owned', 'charged'))
) STRICT, WITHOUT ROWID;

-- An address that several contacts hold is verified, and paid for, once.
CREATE INDEX pipeline_contact_verdict ON pipeline_contact (pipeline_id, email)
  WHERE verdict IS NOT NULL;

CREATE TRIGGER pipeline_contact_is_paid_once BEFORE UPDATE ON pipeline_contact
WHEN OLD.verdict IS NOT NULL OR (OLD.email_state IS NOT NULL AND NEW.email_state IS NOT OLD.email_state)
  OR (OLD.phone_state IS NOT NULL AND NEW.phone_state IS NOT OLD.phone_state) BEGIN
  SELECT RAISE(ABORT, 'contact_is_paid');
END;
