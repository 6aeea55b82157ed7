/**
 * Reads people by their UUIDs: the values that are paid for one by one, and the whole profile. The
 * values are read as the projection reads them, so that tools, lookups and jobs never disagree.
 */
import type { Employment } from '../../contract/assistants/tools/enrich.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { type Contact, contactColumnsSql } from './find-contact.ts';
import { employmentJoinSql } from './projection-fields.ts';

/** A person with the values that can be paid for one by one. */
export interface NamedContact extends Contact {
  readonly firstName: string;
  readonly lastName: string;
}

/** What a profile tells beside name, email and phone; null where nothing is known. */
export interface Profile {
  readonly title: string | null;
  readonly company: string | null;
  readonly companyWebsite: string | null;
  readonly profileUrl: string | null;
  readonly location: string | null;
  readonly employmentStatus: 'Current' | 'Left';
  readonly workHistory: readonly Employment[];
}

// The first of a UUID is enough, and the table has no other; suppressed people are not told.
const contactsSql = `SELECT p.first_name AS firstName, p.last_name AS lastName,
  ${contactColumnsSql}
FROM json_each(?) j CROSS JOIN person p ON p.uuid = j.value
${employmentJoinSql('main')}
WHERE p.suppressed = 0`;

/** The people of these UUIDs by UUID; who is unknown or suppressed is not among them. */
export function readContacts(
  db: ReadableDatabase,
  uuids: readonly string[],
): Map<string, NamedContact> {
  const found = statement<NamedContact>(db, contactsSql).all(JSON.stringify(uuids));
  return new Map(found.map((contact) => [contact.uuid, contact]));
}

const profileSql = `SELECT p.id, p.profile_url AS profileUrl, p.has_left AS hasLeft,
  p.city, p.state, p.country, l.title, c.name AS company, c.website AS companyWebsite
FROM person p
LEFT JOIN employment l ON l.id = p.employment_id
LEFT JOIN company c ON c.id = l.company_id
WHERE p.uuid = ? AND p.suppressed = 0`;

// What is current comes first, then what began last; what says no day stands at the end.
const historySql = `SELECT c.name AS company_name, e.title, e.start_on AS start_date,
  e.end_on AS end_date, e.is_current
FROM employment e LEFT JOIN company c ON c.id = e.company_id
WHERE e.person_id = ?
ORDER BY e.is_current DESC, e.is_primary DESC, coalesce(e.start_on, e.end_on, '') DESC, e.id DESC
LIMIT ?`;

interface ProfileRow extends Omit<Profile, 'location' | 'employmentStatus' | 'workHistory'> {
  readonly id: number;
  readonly hasLeft: 0 | 1;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
}

/**
 * The profile of a person; null where the directory knows none, or must not tell.
 * @param historyMax employments at most
 */
export function readProfile(
  db: ReadableDatabase,
  uuid: string,
  historyMax: number,
): Profile | null {
  const found = statement<ProfileRow>(db, profileSql).get(uuid);
  if (!found) return null;
  const { id, hasLeft, city, state, country, ...profile } = found;
  const history = statement<Omit<Employment, 'is_current'> & { is_current: 0 | 1 }>(db, historySql);
  return {
    ...profile,
    location: [city, state, country].filter(Boolean).join(', ') || null,
    employmentStatus: hasLeft ? 'Left' : 'Current',
    workHistory: history
      .all(id, historyMax)
      .map((one) => ({ ...one, is_current: one.is_current === 1 })),
  };
}
