-- directory.db: people, companies and employments, and which import each value came from.
--
-- Ids are INTEGER inside the file and UUID text outside. Days and times are ISO 8601. The file can
-- be built again from its imports; credits and jobs are in engine.db.

-- Imports --------------------------------------------------------------------------------------

CREATE TABLE source_import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  -- The companies of an import have a row of their own if their file has another name than source.
  -- Its values show this name, and an undo of the import that it is part of removes them too.
  name TEXT,
  part_of INTEGER REFERENCES source_import (id),
  trust REAL NOT NULL CHECK (trust BETWEEN 0 AND 1),
  observed_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'undone')),
  report TEXT NOT NULL DEFAULT '{}',
  -- SHA-256 of the imported content and its options: importing the same again changes nothing.
  content TEXT NOT NULL DEFAULT '',
  -- The head of a provenance entry, '"Source",0.8,', computed once here and copied into results.
  provenance_head TEXT GENERATED ALWAYS
    AS (json_quote(ifnull(name, source)) || ',' || trust || ',') STORED,
  started_at TEXT NOT NULL,
  completed_at TEXT
) STRICT;

-- Companies ------------------------------------------------------------------------------------
-- A record's import_id and observed_on apply to each of its values without a row in value_claim.
-- is_mixed is 1 if at least one value has such a row. So it is for people and employments.

CREATE TABLE company (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL,
  given_id TEXT,
  name TEXT NOT NULL,
  -- The folded name by which imports find the same company; matching has its own keys.
  name_key TEXT NOT NULL DEFAULT '',
  website TEXT,
  domain TEXT,
  industry TEXT,
  kind TEXT,
  employee_range TEXT,
  revenue_range TEXT,
  street TEXT, city TEXT, state TEXT, country TEXT, postal_code TEXT,
  phone TEXT,
  -- As the source writes them: employee_range and revenue_range are derived from the first two.
  employees TEXT,
  revenue TEXT,
  founded TEXT,
  legal_name TEXT,
  registration_number TEXT,
  parent TEXT,
  description TEXT,
  -- Derived: of a company without a website and a domain, the domain of most of its addresses.
  mail_domain TEXT,
  -- Derived: 1 if the suppression list of engine.db names the company or its domain.
  listed INTEGER NOT NULL DEFAULT 0 CHECK (listed IN (0, 1)),
  is_mixed INTEGER NOT NULL DEFAULT 0 CHECK (is_mixed IN (0, 1)),
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

-- Other names of a company: aliases, acronyms, tickers; one row per source that states it.
CREATE TABLE company_alias (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id INTEGER NOT NULL REFERENCES company (id),
  name TEXT NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

-- People ---------------------------------------------------------------------------------------

CREATE TABLE person (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL,
  given_id TEXT,
  first_name TEXT NOT NULL DEFAULT '',
  middle_name TEXT,
  last_name TEXT NOT NULL DEFAULT '',
  -- The folded last name by which imports find the same person; matching has its own keys.
  last_key TEXT NOT NULL DEFAULT '',
  suffix TEXT,
  nickname TEXT,
  profile_url TEXT,
  -- The URL in the form that is compared: normalize-url.ts.
  profile_key TEXT,
  city TEXT, state TEXT, country TEXT,
  -- 1 if a source says that the person opted out.
  opted_out INTEGER NOT NULL DEFAULT 0 CHECK (opted_out IN (0, 1)),
  -- Derived: 1 if the suppression list of engine.db names the person, or where the person works.
  listed INTEGER NOT NULL DEFAULT 0 CHECK (listed IN (0, 1)),
  -- Every read of people honours this column.
  suppressed INTEGER AS (opted_out | listed) VIRTUAL,
  -- Derived: the person's own numbers, never a company's or one that several people have.
  mobile_phone TEXT,
  direct_phone TEXT,
  -- Derived: 1 if one of them came from another import, or on another day, than the person.
  has_foreign_phone INTEGER NOT NULL DEFAULT 0 CHECK (has_foreign_phone IN (0, 1)),
  -- Derived: the primary current employment, or the last known one (has_left is then 1).
  employment_id INTEGER,
  has_left INTEGER NOT NULL DEFAULT 0 CHECK (has_left IN (0, 1)),
  is_mixed INTEGER NOT NULL DEFAULT 0 CHECK (is_mixed IN (0, 1)),
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

-- Other full names of a person, present and past.
CREATE TABLE person_name (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

-- Former profile URLs (in the compared form) and emails outside an employment. They still find the
-- person.
CREATE TABLE person_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  kind TEXT NOT NULL CHECK (kind IN ('profile_url', 'email')),
  value TEXT NOT NULL COLLATE NOCASE,
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

-- Every number stated for a person, before the rule of own numbers: E.164, followed by " x12" if it
-- has an extension.
CREATE TABLE person_phone (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  kind TEXT NOT NULL CHECK (kind IN ('mobile', 'direct')),
  number TEXT NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

CREATE TABLE employment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  company_id INTEGER REFERENCES company (id),
  title TEXT,
  job_function TEXT,
  job_level TEXT,
  email TEXT COLLATE NOCASE,
  email_status TEXT,
  start_on TEXT,
  end_on TEXT,
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1)),
  is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
  is_mixed INTEGER NOT NULL DEFAULT 0 CHECK (is_mixed IN (0, 1)),
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

-- Own lists ------------------------------------------------------------------------------------

-- What a list of the user says of its record, in addition to the directory's values: its id there,
-- and the columns that the import keeps as they are, as JSON of header and value. The id in the
-- list that added a record is given_id of the record; it has a row here only with kept columns. The
-- keys of a further id are the emails, pages and phones that the person had only from its rows, as a
-- JSON array.
CREATE TABLE person_listing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  given_id TEXT NOT NULL,
  kept TEXT NOT NULL,
  keys TEXT NOT NULL DEFAULT '[]',
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;
CREATE TABLE company_listing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id INTEGER NOT NULL REFERENCES company (id),
  given_id TEXT NOT NULL,
  kept TEXT NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

-- Provenance -----------------------------------------------------------------------------------

-- What each import states about a value, kept once two imports state one: the current value, those
-- that agree with it, and those that it replaced. Undoing an import restores values from here.
-- record and field are codes of record-fields.ts.
CREATE TABLE value_claim (
  record INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  field INTEGER NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  value TEXT NOT NULL,
  observed_on TEXT NOT NULL,
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1)),
  PRIMARY KEY (record, record_id, field, import_id)
) STRICT, WITHOUT ROWID;

-- Duplicates -----------------------------------------------------------------------------------

-- Pairs of records that may be the same, and what a person decided about them. They are named by
-- UUID, so that a decision outlives an undo of the import and the same import again.
CREATE TABLE duplicate_pair (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'company')),
  one_uuid TEXT NOT NULL,
  other_uuid TEXT NOT NULL,
  probability REAL NOT NULL CHECK (probability BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'dismissed')),
  dismissed_at TEXT,
  dismissed_by TEXT,
  -- The search that found it last, or NULL for a pair that a merge transferred to its survivor.
  search INTEGER,
  merge_id INTEGER REFERENCES record_merge (id) ON DELETE SET NULL,
  UNIQUE (one_uuid, other_uuid),
  CHECK (one_uuid < other_uuid),
  CHECK ((status = 'dismissed') = (dismissed_at IS NOT NULL))
) STRICT;

-- One row: the last search for duplicates, which continues at its position after a stop.
CREATE TABLE duplicate_search (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'stopped', 'completed')),
  -- The directory's generation that it began with: positions in another index mean nothing.
  generation INTEGER NOT NULL,
  -- The kind of block, and the position among the blocks of this kind.
  phase INTEGER NOT NULL,
  position TEXT NOT NULL,
  compared INTEGER NOT NULL,
  blocks_skipped INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;

-- Merges of two records. `before` has the rows of both records as JSON, `after` those of the
-- survivor: an undo restores the former, if the latter are unchanged.
CREATE TABLE record_merge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'company')),
  survivor_id INTEGER NOT NULL,
  survivor_uuid TEXT NOT NULL,
  survivor_name TEXT NOT NULL,
  loser_id INTEGER NOT NULL,
  loser_uuid TEXT NOT NULL,
  loser_name TEXT NOT NULL,
  -- JSON of the fields for which a person chose the value, and the UUID of the record it is from.
  choices TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  merged_at TEXT NOT NULL,
  merged_by TEXT NOT NULL,
  undone_at TEXT,
  undone_by TEXT
) STRICT;

-- The records that were merged into others. What names one of them means its survivor.
CREATE TABLE merged_record (
  uuid TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'company')),
  record_id INTEGER NOT NULL,
  survivor_id INTEGER NOT NULL,
  -- NULL if the record of the merge was deleted with the data of another person.
  merge_id INTEGER REFERENCES record_merge (id) ON DELETE SET NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  -- Of a company.
  name TEXT,
  name_key TEXT,
  domain TEXT,
  phone TEXT
) STRICT, WITHOUT ROWID;

-- One row. Every import, merge and undo that changes something raises the number; an index belongs
-- to one generation. The counts are those of the tables and are updated with every change.
CREATE TABLE generation (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  number INTEGER NOT NULL,
  people INTEGER NOT NULL DEFAULT 0,
  companies INTEGER NOT NULL DEFAULT 0,
  employments INTEGER NOT NULL DEFAULT 0,
  people_with_email INTEGER NOT NULL DEFAULT 0,
  people_with_phone INTEGER NOT NULL DEFAULT 0,
  people_with_profile_url INTEGER NOT NULL DEFAULT 0,
  -- The version of the suppression list that `listed` was derived from; 0 if it was empty.
  suppression_version INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO generation (only, number) VALUES (1, 0);

-- Indexes --------------------------------------------------------------------------------------

CREATE INDEX source_import_content ON source_import (content);
CREATE INDEX employment_person ON employment (person_id);
CREATE INDEX employment_company ON employment (company_id, person_id);
CREATE INDEX employment_email ON employment (email) WHERE email IS NOT NULL;
CREATE INDEX employment_import ON employment (import_id);
CREATE UNIQUE INDEX person_uuid ON person (uuid);
CREATE INDEX person_profile_key ON person (profile_key) WHERE profile_key IS NOT NULL;
CREATE INDEX person_last_key ON person (last_key);
CREATE INDEX person_import ON person (import_id);
CREATE INDEX person_hidden ON person (uuid, listed) WHERE opted_out | listed;
CREATE INDEX person_name_person ON person_name (person_id);
CREATE INDEX person_name_import ON person_name (import_id);
CREATE INDEX person_key_value ON person_key (kind, value);
CREATE INDEX person_key_person ON person_key (person_id);
CREATE INDEX person_key_import ON person_key (import_id);
CREATE INDEX person_phone_number ON person_phone (number);
CREATE INDEX person_phone_person ON person_phone (person_id);
CREATE INDEX person_phone_import ON person_phone (import_id);
CREATE UNIQUE INDEX company_uuid ON company (uuid);
CREATE INDEX company_name_key ON company (name_key);
CREATE INDEX company_domain ON company (domain) WHERE domain IS NOT NULL;
CREATE INDEX company_phone ON company (phone) WHERE phone IS NOT NULL;
CREATE INDEX company_import ON company (import_id);
CREATE INDEX company_listed ON company (id) WHERE listed;
CREATE INDEX company_alias_of ON company_alias (company_id);
CREATE INDEX company_alias_import ON company_alias (import_id);
CREATE INDEX person_listing_person ON person_listing (person_id);
CREATE INDEX person_listing_import ON person_listing (import_id);
CREATE INDEX company_listing_company ON company_listing (company_id);
CREATE INDEX company_listing_import ON company_listing (import_id);
CREATE INDEX person_listing_given ON person_listing (given_id) WHERE given_id <> '';
CREATE INDEX company_listing_given ON company_listing (given_id) WHERE given_id <> '';
CREATE INDEX value_claim_import ON value_claim (import_id);
CREATE INDEX duplicate_pair_open ON duplicate_pair (kind, status, probability);
CREATE INDEX duplicate_pair_other ON duplicate_pair (other_uuid);
CREATE INDEX record_merge_survivor ON record_merge (survivor_id);
CREATE INDEX merged_record_survivor ON merged_record (kind, survivor_id);
CREATE INDEX merged_record_id ON merged_record (kind, record_id);
CREATE INDEX merged_record_name ON merged_record (name_key) WHERE name_key IS NOT NULL;
CREATE INDEX merged_record_domain ON merged_record (domain) WHERE domain IS NOT NULL;
CREATE INDEX merged_record_phone ON merged_record (phone) WHERE phone IS NOT NULL;
