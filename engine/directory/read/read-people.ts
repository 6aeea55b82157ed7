/**
 * Reads many people at once, by id or by UUID, as pipelines need them: what a search tells of them,
 * and the values that can be paid for. They are read as the projection reads them, so that a
 * pipeline, a tool and a job never disagree.
 */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { contactColumnsSql } from './find-contact.ts';
import { employmentJoinSql } from './projection-fields.ts';
import type { NamedContact } from './read-person.ts';

/** A person as the directory knows them now. */
export interface ListedPerson extends NamedContact {
  readonly id: number;
  /** Whoever is suppressed is not told, and what is known of them is not sold. */
  readonly suppressed: 0 | 1;
  readonly title: string | null;
  readonly companyName: string | null;
}

// e is the employment that emails are read from, none for who has left; l is the last one, then
// too. The connection is one that has the directory attached.
const peopleSql = (key: 'id' | 'uuid') => `SELECT p.id, p.suppressed, p.first_name AS firstName,
  p.last_name AS lastName, l.title, c.name AS companyName, ${contactColumnsSql}
FROM json_each(?) j CROSS JOIN directory.person p ON p.${key} = j.value
${employmentJoinSql('directory')}
LEFT JOIN directory.employment l ON l.id = p.employment_id
LEFT JOIN directory.company c ON c.id = l.company_id`;

const readPeople = (
  database: ReadableDatabase,
  key: 'id' | 'uuid',
  values: readonly (number | string)[],
): ListedPerson[] => statement<ListedPerson>(database, peopleSql(key)).all(JSON.stringify(values));

/** The people of these ids by id; who is gone is not among them. */
export const readPeopleByIds = (database: ReadableDatabase, ids: readonly number[]) =>
  new Map(readPeople(database, 'id', ids).map((person) => [person.id, person]));

/** The people of these UUIDs by UUID; who is unknown, or gone, is not among them. */
export const readPeopleByUuids = (database: ReadableDatabase, uuids: readonly string[]) =>
  new Map(readPeople(database, 'uuid', uuids).map((person) => [person.uuid, person]));

/** The UUIDs of the people of these ids; who is gone is not among them. */
export const listUuids = (database: ReadableDatabase, ids: readonly number[]): string[] =>
  statement<{ uuid: string }>(
    database,
    'SELECT p.uuid FROM json_each(?) j CROSS JOIN directory.person p ON p.id = j.value',
  )
    .all(JSON.stringify(ids))
    .map(({ uuid }) => uuid);

const suppressedSql = `SELECT p.uuid FROM json_each(?) j CROSS JOIN person p ON p.uuid = j.value
WHERE p.suppressed = 1`;

/** Which of these people do not want to be found, by UUID. */
export const listSuppressed = (
  directory: ReadableDatabase,
  uuids: readonly string[],
): ReadonlySet<string> =>
  new Set(
    statement<{ uuid: string }>(directory, suppressedSql)
      .all(JSON.stringify(uuids))
      .map(({ uuid }) => uuid),
  );
