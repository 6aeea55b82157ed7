-- The people and companies of a team. The first tables are those of directory.db, by the same ids:
-- the values that answers show, each with its import. The match_ tables are derived from them:
-- what matching reads.
--
-- A loader writes tenant_id; it is in every key, so that teams can share a server.

-- Loads and updates: who brought the tables to which state, and when.
CREATE TABLE shared_import (
  import_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  -- The generation that it made.
  generation bigint NOT NULL,
  source text NOT NULL,
  is_first boolean NOT NULL,
  people int NOT NULL,
  changed_people int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz,
  PRIMARY KEY (import_id, tenant_id)
);

-- The rows that an update removed and added: undoing it restores them.
CREATE TABLE shared_change (
  import_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  table_name text NOT NULL,
  is_added boolean NOT NULL,
  content jsonb NOT NULL
);
CREATE INDEX shared_change_import ON shared_change (import_id, table_name, is_added);

-- One row for a team. The format is that of the match_ tables: engines of another format refuse.
CREATE TABLE generation (
  tenant_id int PRIMARY KEY DEFAULT desk_tenant(),
  number bigint NOT NULL,
  format int NOT NULL,
  people int NOT NULL,
  -- A hash of nothing under the secret of the keys: tells a wrong secret from an empty directory.
  secret_check bigint NOT NULL
);

CREATE TABLE source_import (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  source text NOT NULL,
  name text,
  part_of int,
  trust double precision NOT NULL,
  observed_on text NOT NULL,
  status text NOT NULL,
  report text NOT NULL,
  content text NOT NULL,
  started_at text NOT NULL,
  completed_at text,
  PRIMARY KEY (id, tenant_id)
);

CREATE TABLE company (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  uuid text NOT NULL,
  given_id text,
  name text NOT NULL,
  name_key text NOT NULL,
  website text,
  domain text,
  industry text,
  kind text,
  employee_range text,
  revenue_range text,
  street text, city text, state text, country text, postal_code text,
  phone text,
  listed int NOT NULL,
  is_mixed int NOT NULL,
  import_id int NOT NULL,
  observed_on text NOT NULL,
  PRIMARY KEY (id, tenant_id)
);

CREATE TABLE company_alias (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  company_id int NOT NULL,
  name text NOT NULL,
  import_id int NOT NULL,
  PRIMARY KEY (id, tenant_id)
);

CREATE TABLE person (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  uuid text NOT NULL,
  given_id text,
  first_name text NOT NULL,
  middle_name text,
  last_name text NOT NULL,
  last_key text NOT NULL,
  suffix text,
  nickname text,
  profile_url text,
  profile_key text,
  city text, state text, country text,
  opted_out int NOT NULL,
  listed int NOT NULL,
  mobile_phone text,
  direct_phone text,
  has_foreign_phone int NOT NULL,
  employment_id int,
  has_left int NOT NULL,
  is_mixed int NOT NULL,
  import_id int NOT NULL,
  observed_on text NOT NULL,
  PRIMARY KEY (id, tenant_id)
);

CREATE TABLE person_name (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  person_id int NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  import_id int NOT NULL,
  PRIMARY KEY (person_id, id, tenant_id)
);

CREATE TABLE person_key (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  person_id int NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  import_id int NOT NULL,
  PRIMARY KEY (person_id, id, tenant_id)
);

CREATE TABLE person_phone (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  person_id int NOT NULL,
  kind text NOT NULL,
  number text NOT NULL,
  import_id int NOT NULL,
  observed_on text NOT NULL,
  PRIMARY KEY (person_id, id, tenant_id)
);

CREATE TABLE employment (
  id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  person_id int NOT NULL,
  company_id int,
  title text,
  job_function text,
  job_level text,
  email text,
  email_status text,
  start_on text,
  end_on text,
  is_current int NOT NULL,
  is_primary int NOT NULL,
  is_mixed int NOT NULL,
  import_id int NOT NULL,
  observed_on text NOT NULL,
  PRIMARY KEY (person_id, id, tenant_id)
);

CREATE TABLE value_claim (
  record int NOT NULL,
  record_id int NOT NULL,
  field int NOT NULL,
  import_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  value text NOT NULL,
  observed_on text NOT NULL,
  is_current int NOT NULL,
  PRIMARY KEY (record, record_id, field, import_id, tenant_id)
);

-- A person as matching reads it (person-document.ts): no email, URL or phone. `digest` covers every
-- row of the person, so that an update reads no others.
CREATE TABLE match_person (
  person_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  digest bigint NOT NULL,
  doc bytea NOT NULL,
  PRIMARY KEY (person_id, tenant_id)
);

-- The keys of a person (block-keys.ts), and the people of each key, which follow from them. The
-- first keys are those of groups of companies: their rows have the surnames, by which most people of
-- a group are told apart without their documents.
CREATE TABLE person_keys (
  person_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  keys bigint[] NOT NULL,
  group_count int NOT NULL,
  surnames bytea NOT NULL,
  PRIMARY KEY (person_id, tenant_id)
);
CREATE TABLE block_key (
  key_hash bigint NOT NULL,
  person_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  surnames bytea,
  PRIMARY KEY (key_hash, person_id, tenant_id)
);

-- Names with the number of people that have them: as a first name, as a last name, and in a surname.
CREATE TABLE match_name (
  name_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  name text NOT NULL,
  firsts int NOT NULL,
  lasts int NOT NULL,
  surnames int NOT NULL,
  PRIMARY KEY (name_id, tenant_id)
);

-- People of a group of companies with one name, by the hash of its text.
CREATE TABLE match_group (
  group_hash bigint NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  people int NOT NULL,
  PRIMARY KEY (group_hash, tenant_id)
);

-- A company of each group that uses a domain, in the order in which matching lists them.
CREATE TABLE match_domain (
  domain text NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  company_ids int[] NOT NULL,
  PRIMARY KEY (domain, tenant_id)
);
