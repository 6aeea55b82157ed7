// Reads the rows of a page of a search, by ids. What can be unlocked is decided like in a lookup,
// so that a search never promises a missing value.
import type { DisplayName } from '../../contract/jobs/layers.ts';
import type { ShownCompany } from '../../contract/records/record-search.ts';
import type { FoundContact } from '../../contract/search.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { employmentJoinSql, fieldSources, websiteSql } from '../read/projection-fields.ts';

const sqlOf = (name: DisplayName) => fieldSources[name].sql;

// e is the employment with the email, none for a person who left; l is the last employment in any
// case. People who were suppressed after the index was built are omitted.
const contactsSql = `SELECT p.uuid, p.first_name, p.last_name, l.title, l.job_level,
  c.name AS company_name, coalesce(nullif(p.country, ''), c.country) AS country,
  ${sqlOf('Email')} IS NOT NULL AS has_email,
  coalesce(${sqlOf('Mobile phone')}, ${sqlOf('Direct phone')}) IS NOT NULL AS has_phone
FROM json_each(?) j CROSS JOIN person p ON p.id = j.value
${employmentJoinSql('main')}
LEFT JOIN employment l ON l.id = p.employment_id
LEFT JOIN company c ON c.id = l.company_id AND c.listed = 0
WHERE p.suppressed = 0 ORDER BY j.id`;

const companiesSql = `SELECT c.uuid, c.name, ${websiteSql('c')} AS website, c.industry,
  c.country, c.employee_range, c.revenue_range, c.employees, c.revenue
FROM json_each(?) j CROSS JOIN company c ON c.id = j.value WHERE c.listed = 0 ORDER BY j.id`;

type ContactRow = Omit<FoundContact, 'has_email' | 'has_phone'> & {
  readonly has_email: 0 | 1;
  readonly has_phone: 0 | 1;
};

/** The people with these ids, in this order, without deleted and suppressed ones. */
export function readFoundContacts(db: ReadableDatabase, ids: readonly number[]): FoundContact[] {
  const rows = statement<ContactRow>(db, contactsSql).all(JSON.stringify(ids));
  return rows.map((row) => ({
    ...row,
    has_email: row.has_email === 1,
    has_phone: row.has_phone === 1,
  }));
}

/** The companies with these ids, in this order, without deleted and suppressed ones. */
export const readFoundCompanies = (db: ReadableDatabase, ids: readonly number[]): ShownCompany[] =>
  statement<ShownCompany>(db, companiesSql).all(JSON.stringify(ids));
