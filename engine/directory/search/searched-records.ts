// What searches read of people and companies of directory.db.
import { type RecordName, recordNames } from '../normalize/record-fields.ts';

export type SearchedCompany = [
  id: number,
  name: string,
  industry: string | null,
  employees: string | null,
  revenue: string | null,
  country: string | null,
];
export const searchedCompanies = {
  sql: '(SELECT * FROM company WHERE listed = 0)',
  columns: 'id, name, industry, employee_range, revenue_range, country',
};

export type SearchedPerson = [
  id: number,
  name: string,
  country: string | null,
  title: string | null,
  level: string | null,
  companyId: number | null,
  importId: number,
  observedOn: string,
];
/** SQL of the day of the newest value of a record that other imports claim too, otherwise ''. */
const newestClaim = (record: RecordName, alias: string) =>
  `iif(${alias}.is_mixed, ifnull((SELECT max(observed_on) FROM value_claim
     WHERE record = ${recordNames.indexOf(record)} AND record_id = ${alias}.id), ''), '')`;
// The employment that represents a person: the primary current one, otherwise the last.
const peopleSql = `(SELECT p.id AS id, p.first_name || ' ' || ifnull(p.middle_name, '') || ' '
    || p.last_name || ' ' || ifnull(p.nickname, '') || ' ' || ifnull(
      (SELECT group_concat(n.first_name || ' ' || n.last_name, ' ') FROM person_name n
       WHERE n.person_id = p.id), '') AS name, p.country AS country, e.title AS title,
    e.job_level AS job_level, e.company_id AS company_id, p.import_id AS import_id,
    max(p.observed_on, ifnull(e.observed_on, ''), ${newestClaim('person', 'p')},
      ${newestClaim('employment', 'e')}) AS observed_on
  FROM person p LEFT JOIN employment e ON e.id = p.employment_id WHERE p.suppressed = 0)`;
/** The people, as a table and its columns. Suppressed people are left out. */
export const searchedPeople = {
  sql: peopleSql,
  columns: 'id, name, country, title, job_level, company_id, import_id, observed_on',
};
