-- How a search finds the few people and companies that an engine suppresses, so that totals leave
-- them out. Letters are compared as SQLite compares addresses (NOCASE): A to Z alone.

-- An address, and every address of a host and its subdomains, is a range of these texts.
CREATE INDEX employment_address ON employment (reverse(lower(email COLLATE "C")))
  WHERE email IS NOT NULL;
CREATE INDEX person_key_address ON person_key (reverse(lower(value COLLATE "C")))
  WHERE kind = 'email';

CREATE INDEX person_profile ON person (lower(profile_key COLLATE "C"))
  WHERE profile_key IS NOT NULL;
CREATE INDEX person_key_profile ON person_key (lower(value COLLATE "C"))
  WHERE kind = 'profile_url';
CREATE INDEX person_phone_number ON person_phone ((number COLLATE "C"));

-- Who works at a company now.
CREATE INDEX employment_company ON employment (company_id, person_id) WHERE is_current = 1;
CREATE INDEX company_name_key ON company (name_key);
CREATE INDEX company_host ON company (reverse(lower(domain COLLATE "C")))
  WHERE domain IS NOT NULL;

-- The people with an address in one of the ranges. Row-level security evaluates no function of a
-- condition before its policy, so that it would read every row. This function has the condition of
-- the policy instead. The planner expects a ninth of the table in a range that it does not know.
CREATE FUNCTION desk_people_at(lows text[], highs text[]) RETURNS SETOF int
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = desk, pg_temp SET enable_seqscan = off
BEGIN ATOMIC
  SELECT e.person_id FROM unnest(lows, highs) r(low, high)
  JOIN employment e ON e.email IS NOT NULL
    AND reverse(lower(e.email COLLATE "C")) >= r.low
    AND reverse(lower(e.email COLLATE "C")) < r.high
  WHERE e.tenant_id = (SELECT desk_tenant())
  UNION
  SELECT k.person_id FROM unnest(lows, highs) r(low, high)
  JOIN person_key k ON k.kind = 'email'
    AND reverse(lower(k.value COLLATE "C")) >= r.low
    AND reverse(lower(k.value COLLATE "C")) < r.high
  WHERE k.tenant_id = (SELECT desk_tenant());
END;
REVOKE ALL ON FUNCTION desk_people_at(text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION desk_people_at(text[], text[]) TO desk_reader;
