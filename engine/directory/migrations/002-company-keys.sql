-- Initials are one word since: "AT&T" was found under "t", "S&P" under "southp".
UPDATE company SET name_key = company_name_key(name) WHERE name_key <> company_name_key(name);
