-- Search over people: their values, and for each value the people who have it, as sets of bits.
-- What a load writes is in search_value and search_person; search_set follows from them.

-- The values of the fields (search-fields.ts): words and their beginnings, and whole values. `name`
-- is what a person chooses from; null for words.
CREATE TABLE search_value (
  value_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  field smallint NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text,
  PRIMARY KEY (value_id, tenant_id)
);
CREATE UNIQUE INDEX search_value_key ON search_value (field, key, tenant_id);

-- The values of a person, in ascending order, and the employer that a search shows. A suppressed
-- person has no row.
CREATE TABLE search_person (
  person_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  company_id int,
  value_ids int[] NOT NULL,
  PRIMARY KEY (person_id, tenant_id)
);
CREATE INDEX search_person_company ON search_person (company_id, person_id);

-- The people of a value. Bit n of chunk c is the person with the id 16,384 c + n. A row is longer
-- than 2 kB, so that PostgreSQL compresses it if it has few people; it stays in its page.
CREATE TABLE search_set (
  value_id int NOT NULL,
  chunk int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  members bit(16384) NOT NULL,
  PRIMARY KEY (value_id, chunk, tenant_id)
);
ALTER TABLE search_set ALTER COLUMN members SET STORAGE MAIN;

-- A search by email, domain or company, and the unlock of a person that was found.
CREATE INDEX employment_email ON employment (email) WHERE email IS NOT NULL;
CREATE INDEX person_key_value ON person_key (value) WHERE kind = 'email';
CREATE INDEX company_domain ON company (domain) WHERE domain IS NOT NULL;
CREATE INDEX company_uuid ON company (uuid);
CREATE INDEX person_uuid ON person (uuid);

-- The aliases of the employers that are fetched, for the suppression list.
CREATE INDEX company_alias_company ON company_alias (company_id);
