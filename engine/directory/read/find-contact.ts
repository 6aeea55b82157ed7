// Finds the person with a profile URL, with the values that can be paid for. The values are read
// with the expressions of the projection, so that lookups and jobs agree.
import type { EmailStatus } from '../../contract/jobs/job.ts';
import type { DisplayName } from '../../contract/jobs/layers.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { profileUrlKey } from '../normalize/normalize-url.ts';
import { meantUuidSql } from './merged-people.ts';
import { employmentJoinSql, fieldSources } from './projection-fields.ts';

/** A person's values; null if there is none. */
export interface Contact {
  readonly uuid: string;
  /** The current work email, never one that is known to be invalid. */
  readonly email: string | null;
  readonly emailStatus: EmailStatus | null;
  /** E.164; never a company's number, nor one that several people have. */
  readonly mobilePhone: string | null;
  readonly directPhone: string | null;
}

/** `withheld`: several people have the URL, so that it is nobody's, or its holder is suppressed. */
export type FoundContact =
  | { readonly kind: 'found'; readonly contact: Contact }
  | { readonly kind: 'unknown' | 'withheld' };

const sqlOf = (name: DisplayName) => fieldSources[name].sql;

/** Columns of a Contact, with the aliases p and e of the projection. */
export const contactColumnsSql = `p.uuid,
  ${sqlOf('Email')} AS email, ${sqlOf('Email status')} AS emailStatus,
  ${sqlOf('Mobile phone')} AS mobilePhone, ${sqlOf('Direct phone')} AS directPhone`;

// Former URLs are stored folded; if the case distinguishes pages, it does so here too.
const findByUrlSql = `SELECT p.suppressed, ${contactColumnsSql}
FROM person p ${employmentJoinSql('main')}
WHERE p.id IN (SELECT id FROM person WHERE profile_key = @key UNION
  SELECT person_id FROM person_key
  WHERE kind = 'profile_url' AND value = @key AND value = @key COLLATE BINARY)
LIMIT 2`;

export function findPersonName(db: ReadableDatabase, uuid: string): string | null {
  const found = statement<{ name: string }>(
    db,
    `SELECT trim(first_name || ' ' || last_name) AS name FROM person
     WHERE uuid = ${meantUuidSql('main', '@uuid')}`,
  ).get({ uuid });
  return found?.name || null;
}

export const isProfileUrl = (text: string): boolean => profileUrlKey(text) !== '';

/** The person with a profile URL, in any of its spellings. @param db directory.db */
export function findContact(db: ReadableDatabase, profileUrl: string): FoundContact {
  const key = profileUrlKey(profileUrl);
  const holders = statement<Contact & { suppressed: 0 | 1 }>(db, findByUrlSql).all({ key });
  const [holder] = holders;
  if (!holder) return { kind: 'unknown' };
  if (holders.length > 1 || holder.suppressed) return { kind: 'withheld' };
  const { suppressed: _, ...contact } = holder;
  return { kind: 'found', contact };
}
