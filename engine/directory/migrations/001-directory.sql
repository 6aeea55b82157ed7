-- The directory: people, companies and employments, where each record came from, and what each import changed.
CREATE TABLE source_import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  trust REAL NOT NULL CHECK (trust BETWEEN 0 AND 1),
  observed_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'undone')),
  report TEXT NOT NULL DEFAULT '{}',
  started_at TEXT NOT NULL,
  completed_at TEXT
) STRICT;

CREATE TABLE company (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  given_id TEXT,
  name TEXT NOT NULL,
  website TEXT,
  domain TEXT,
  industry TEXT,
  kind TEXT,
  employee_range TEXT,
  revenue_range TEXT,
  street TEXT, city TEXT, state TEXT, country TEXT, postal_code TEXT,
  phone TEXT,
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

-- Every other name of a company: aliases, acronyms, tickers. The name itself is not repeated here.
CREATE TABLE company_alias (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id INTEGER NOT NULL REFERENCES company (id),
  name TEXT NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

CREATE TABLE person (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  given_id TEXT,
  first_name TEXT NOT NULL DEFAULT '',
  middle_name TEXT, 
  last_name TEXT NOT NULL DEFAULT '',
  suffix TEXT,
  nickname TEXT,
  profile_url TEXT,
  mobile_phone TEXT,
  direct_phone TEXT,
  city TEXT, state TEXT, country TEXT,
  suppressed INTEGER NOT NULL DEFAULT 0 CHECK (suppressed IN (0, 1)),
  -- The primary current employment, and where there is none the last known one (then has_left is 1).
  employment_id INTEGER,
  has_left INTEGER NOT NULL DEFAULT 0 CHECK (has_left IN (0, 1)),
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

-- Every other full name a person goes or went by.
CREATE TABLE person_name (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

-- Former profile URLs and emails outside an employment: they still find the person.
CREATE TABLE person_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  kind TEXT NOT NULL CHECK (kind IN ('profile_url', 'email')),
  value TEXT NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

CREATE TABLE employment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person (id),
  company_id INTEGER REFERENCES company (id),
  title TEXT,
  job_function TEXT,
  job_level TEXT,
  email TEXT,
  email_status TEXT,
  start_on TEXT,
  end_on TEXT,
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1)),
  is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL
) STRICT;

-- A value of a record that came from another import than the record itself.
CREATE TABLE value_origin (
  record TEXT NOT NULL CHECK (record IN ('person', 'employment', 'company')),
  record_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  import_id INTEGER NOT NULL REFERENCES source_import (id),
  observed_on TEXT NOT NULL,
  PRIMARY KEY (record, record_id, field)
) STRICT, WITHOUT ROWID;

-- What an import replaced: history while it stands, the way back when it is undone.
CREATE TABLE value_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record TEXT NOT NULL CHECK (record IN ('person', 'employment', 'company')),
  record_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  old_value TEXT,
  old_import_id INTEGER NOT NULL,
  old_observed_on TEXT NOT NULL,
  replaced_by INTEGER NOT NULL REFERENCES source_import (id)
) STRICT;

-- One row: raised by every import, merge and undo; an index belongs to a generation.
CREATE TABLE generation (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  number INTEGER NOT NULL
) STRICT;
INSERT INTO generation VALUES (1, 0);

CREATE INDEX employment_person ON employment (person_id);
CREATE INDEX employment_company ON employment (company_id);
CREATE INDEX employment_email ON employment (email) WHERE email IS NOT NULL;
CREATE INDEX person_profile_url ON person (profile_url) WHERE profile_url IS NOT NULL;
CREATE INDEX person_name_of ON person_name (last_name, first_name);
CREATE INDEX person_last_name ON person (last_name, first_name);
CREATE INDEX person_key_value ON person_key (kind, value);
CREATE INDEX person_name_person ON person_name (person_id);
CREATE INDEX person_key_person ON person_key (person_id);
CREATE INDEX company_name ON company (name);
CREATE INDEX company_domain ON company (domain) WHERE domain IS NOT NULL;
CREATE INDEX company_alias_of ON company_alias (company_id);
CREATE INDEX value_history_by ON value_history (replaced_by);
CREATE INDEX person_import ON person (import_id);
CREATE INDEX employment_import ON employment (import_id);
CREATE INDEX company_import ON company (import_id);
