-- Search over companies: their values, and for each value the companies that have it. The values
-- are those of search_value; search_company_set follows from search_company.

-- The values of a company, in ascending order. A company that the team suppresses has no row.
CREATE TABLE search_company (
  company_id int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  value_ids int[] NOT NULL,
  PRIMARY KEY (company_id, tenant_id)
);

-- The companies of a value, as search_set has people.
CREATE TABLE search_company_set (
  value_id int NOT NULL,
  chunk int NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  members bit(16384) NOT NULL,
  PRIMARY KEY (value_id, chunk, tenant_id)
);
ALTER TABLE search_company_set ALTER COLUMN members SET STORAGE MAIN;

-- An older version loads, updates and undoes without these tables. So the generation that they are
-- of is noted, and whether an import wrote them.
ALTER TABLE generation ADD COLUMN company_search bigint;
ALTER TABLE shared_import ADD COLUMN has_company_search boolean NOT NULL DEFAULT false;
