/** Reads what tells two people of the directory apart or together. */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { foldText } from '../normalize/fold-text.ts';
import { isRoleMailbox } from '../normalize/normalize-email.ts';
import { normalizeName } from '../normalize/normalize-name.ts';
import type { RecordName } from './grade-names.ts';

export interface ComparedPerson {
  readonly uuid: string;
  readonly name: RecordName;
  /** Folded; '' if unknown. */
  readonly middle: string;
  readonly profileKey: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  /** In lower case, without role mailboxes. */
  readonly emails: readonly string[];
  readonly profiles: readonly string[];
  readonly phones: readonly string[];
  readonly titles: readonly string[];
  readonly hasCurrentJob: boolean;
}

interface PersonRow {
  readonly uuid: string;
  readonly first: string;
  readonly last: string;
  readonly middle: string;
  readonly suffix: string;
  readonly profileKey: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly emails: string;
  readonly profiles: string;
  readonly phones: string;
  readonly titles: string;
  readonly hasCurrentJob: 0 | 1;
}

const personSql = `SELECT p.uuid, p.first_name AS first, p.last_name AS last,
  ifnull(p.middle_name, '') AS middle, ifnull(p.suffix, '') AS suffix,
  ifnull(p.profile_key, '') AS profileKey, ifnull(p.city, '') AS city,
  ifnull(p.state, '') AS state, ifnull(p.country, '') AS country,
  (SELECT json_group_array(email) FROM
    (SELECT email FROM employment WHERE person_id = p.id AND email IS NOT NULL
     UNION SELECT value FROM person_key WHERE person_id = p.id AND kind = 'email')) AS emails,
  (SELECT json_group_array(value) FROM person_key
    WHERE person_id = p.id AND kind = 'profile_url') AS profiles,
  (SELECT json_group_array(number) FROM person_phone WHERE person_id = p.id) AS phones,
  (SELECT json_group_array(title) FROM employment
    WHERE person_id = p.id AND is_current AND title IS NOT NULL) AS titles,
  EXISTS (SELECT 1 FROM employment WHERE person_id = p.id AND is_current) AS hasCurrentJob
FROM person p WHERE p.id = ? AND p.suppressed = 0`;

/** A person; null if they are gone or suppressed. @param id person.id */
export function readComparedPerson(db: ReadableDatabase, id: number): ComparedPerson | null {
  const row = statement<PersonRow>(db, personSql).get(id);
  if (!row) return null;
  const { first, last, suffix } = row;
  const lower = (JSON.parse(row.emails) as string[]).map((email) => email.toLowerCase());
  const profiles = JSON.parse(row.profiles) as string[];
  return {
    uuid: row.uuid,
    name: { first, last, suffix },
    middle: foldText(row.middle) || normalizeName(first, last).middle,
    profileKey: row.profileKey,
    city: foldText(row.city),
    state: foldText(row.state),
    country: foldText(row.country),
    emails: lower.filter((email) => !isRoleMailbox(email)),
    profiles: [row.profileKey, ...profiles].filter((key) => key !== ''),
    phones: JSON.parse(row.phones) as string[],
    titles: (JSON.parse(row.titles) as string[]).map(foldText),
    hasCurrentJob: row.hasCurrentJob === 1,
  };
}

const companyPhoneSql = 'SELECT 1 FROM company WHERE phone = ? LIMIT 1';
const holdersSql = `SELECT count(DISTINCT person_id) AS count FROM person_phone WHERE number = ?`;
const ownersMax = 3;

/** Whether a number is neither a company's nor that of many people. */
export const isOwnNumber = (db: ReadableDatabase, number: string): boolean =>
  !statement(db, companyPhoneSql).get(number) &&
  (statement<{ count: number }>(db, holdersSql).get(number)?.count ?? 0) <= ownersMax;
