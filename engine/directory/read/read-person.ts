// Reads people by UUID: the values that can be paid for, and the whole profile. The values are read
// with the expressions of the projection, so that tools, lookups and jobs agree.
import type { Employment } from '../../contract/assistants/tools/enrich.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { type Contact, contactColumnsSql } from './find-contact.ts';
import { meantUuidSql } from './merged-people.ts';
import { employmentJoinSql } from './projection-fields.ts';

export interface NamedContact extends Contact {
  readonly firstName: string;
  readonly lastName: string;
}

/** A profile without name, email and phone; unknown values are null. */
export interface Profile {
  readonly title: string | null;
  readonly company: string | null;
  readonly companyWebsite: string | null;
  readonly profileUrl: string | null;
  readonly location: string | null;
  readonly employmentStatus: 'Current' | 'Left';
  readonly workHistory: readonly Employment[];
}

// UUIDs are unique. Suppressed people are not returned.
const contactsSql = `SELECT j.value AS asked, p.first_name AS firstName, p.last_name AS lastName,
  ${contactColumnsSql}
FROM json_each(?) j CROSS JOIN person p ON p.uuid = ${meantUuidSql('main', 'j.value')}
${employmentJoinSql('main')}
WHERE p.suppressed = 0`;

/** By the UUID that is asked for, also of merged people. Unknown and suppressed are missing. */
export function readContacts(
  db: ReadableDatabase,
  uuids: readonly string[],
): Map<string, NamedContact> {
  const found = statement<NamedContact & { asked: string }>(db, contactsSql).all(
    JSON.stringify(uuids),
  );
  return new Map(found.map(({ asked, ...contact }) => [asked, contact]));
}

const profileSql = `SELECT p.id, p.profile_url AS profileUrl, p.has_left AS hasLeft,
  p.city, p.state, p.country, l.title, c.name AS company, c.website AS companyWebsite
FROM person p
LEFT JOIN employment l ON l.id = p.employment_id
LEFT JOIN company c ON c.id = l.company_id AND c.listed = 0
WHERE p.uuid = ${meantUuidSql('main', '@uuid')} AND p.suppressed = 0`;

// Current employments first, then by latest start; those without a date last.
const historySql = `SELECT c.name AS company_name, e.title, e.start_on AS start_date,
  e.end_on AS end_date, e.is_current
FROM employment e LEFT JOIN company c ON c.id = e.company_id
WHERE e.person_id = ? AND ifnull(c.listed, 0) = 0
ORDER BY e.is_current DESC, e.is_primary DESC, coalesce(e.start_on, e.end_on, '') DESC, e.id DESC
LIMIT ?`;

interface ProfileRow extends Omit<Profile, 'location' | 'employmentStatus' | 'workHistory'> {
  readonly id: number;
  readonly hasLeft: 0 | 1;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
}

/** Null if the person is unknown or suppressed. @param historyMax of employments */
export function readProfile(
  db: ReadableDatabase,
  uuid: string,
  historyMax: number,
): Profile | null {
  const found = statement<ProfileRow>(db, profileSql).get({ uuid });
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
