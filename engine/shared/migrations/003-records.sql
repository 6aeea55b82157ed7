-- The records of the directory, with the columns of directory.db: what a result shows of a person.
-- Reading is by key alone; workers match without these tables.

CREATE TABLE source_import (
  id bigint PRIMARY KEY,
  source text NOT NULL,
  trust double precision NOT NULL,
  observed_on text NOT NULL,
  status text NOT NULL,
  report text NOT NULL DEFAULT '{}',
  content text NOT NULL DEFAULT '',
  started_at text NOT NULL,
  completed_at text
);

CREATE TABLE company (
  id bigint PRIMARY KEY,
  uuid text NOT NULL,
  given_id text,
  name text NOT NULL,
  name_key text NOT NULL DEFAULT '',
  website text,
  domain text,
  industry text,
  kind text,
  employee_range text,
  revenue_range text,
  street text,
  city text,
  state text,
  country text,
  postal_code text,
  phone text,
  listed smallint NOT NULL DEFAULT 0,
  is_mixed smallint NOT NULL DEFAULT 0,
  import_id bigint NOT NULL,
  observed_on text NOT NULL
);
CREATE INDEX company_import ON company (import_id);

CREATE TABLE company_alias (
  id bigint PRIMARY KEY,
  company_id bigint NOT NULL,
  name text NOT NULL,
  import_id bigint NOT NULL
);
CREATE INDEX company_alias_import ON company_alias (import_id);

CREATE TABLE person (
  id bigint PRIMARY KEY,
  uuid text NOT NULL,
  given_id text,
  first_name text NOT NULL DEFAULT '',
  middle_name text,
  last_name text NOT NULL DEFAULT '',
  last_key text NOT NULL DEFAULT '',
  suffix text,
  nickname text,
  profile_url text,
  profile_key text,
  city text,
  state text,
  country text,
  opted_out smallint NOT NULL DEFAULT 0,
  listed smallint NOT NULL DEFAULT 0,
  mobile_phone text,
  direct_phone text,
  has_foreign_phone smallint NOT NULL DEFAULT 0,
  employment_id bigint,
  has_left smallint NOT NULL DEFAULT 0,
  is_mixed smallint NOT NULL DEFAULT 0,
  import_id bigint NOT NULL,
  observed_on text NOT NULL
);
CREATE INDEX person_import ON person (import_id);

CREATE TABLE person_name (
  id bigint PRIMARY KEY,
  person_id bigint NOT NULL,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  import_id bigint NOT NULL
);
CREATE INDEX person_name_person ON person_name (person_id);
CREATE INDEX person_name_import ON person_name (import_id);

CREATE TABLE person_key (
  id bigint PRIMARY KEY,
  person_id bigint NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  import_id bigint NOT NULL
);
CREATE INDEX person_key_person ON person_key (person_id);
CREATE INDEX person_key_import ON person_key (import_id);

CREATE TABLE person_phone (
  id bigint PRIMARY KEY,
  person_id bigint NOT NULL,
  kind text NOT NULL,
  number text NOT NULL,
  import_id bigint NOT NULL,
  observed_on text NOT NULL
);
CREATE INDEX person_phone_person ON person_phone (person_id);
CREATE INDEX person_phone_import ON person_phone (import_id);

CREATE TABLE employment (
  id bigint PRIMARY KEY,
  person_id bigint NOT NULL,
  company_id bigint,
  title text,
  job_function text,
  job_level text,
  email text,
  email_status text,
  start_on text,
  end_on text,
  is_current smallint NOT NULL,
  is_primary smallint NOT NULL,
  is_mixed smallint NOT NULL DEFAULT 0,
  import_id bigint NOT NULL,
  observed_on text NOT NULL
);
CREATE INDEX employment_person ON employment (person_id);
CREATE INDEX employment_import ON employment (import_id);

CREATE TABLE value_claim (
  record int NOT NULL,
  record_id bigint NOT NULL,
  field int NOT NULL,
  import_id bigint NOT NULL,
  value text NOT NULL,
  observed_on text NOT NULL,
  is_current smallint NOT NULL,
  PRIMARY KEY (record, record_id, field, import_id)
);
CREATE INDEX value_claim_import ON value_claim (import_id);

CREATE TABLE merged_record (
  uuid text PRIMARY KEY,
  kind text NOT NULL,
  record_id bigint NOT NULL,
  survivor_id bigint NOT NULL,
  merge_id bigint,
  import_id bigint NOT NULL,
  name text,
  name_key text,
  domain text,
  phone text
);
CREATE INDEX merged_record_import ON merged_record (import_id);
