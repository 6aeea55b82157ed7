/**
 * Reads many people at once, by id or by UUID, for pipelines: the fields of a search, and the
 * values that can be paid for. The values are read with the expressions of the projection, so that
 * pipelines, tools and jobs agree.
 */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { contactColumnsSql } from './find-contact.ts';
import { employmentJoinSql } from './projection-fields.ts';
import type { NamedContact } from './read-person.ts';

/** The current data of a person in the directory. */
export interface ListedPerson extends NamedContact {
  readonly id: number;
  /** Suppressed people are not returned to callers, and their values are not sold. */
  readonly suppressed: 0 | 1;
  readonly title: string | null;
  readonly companyName: string | null;
}

// e is the employment with the email, none for a person who left; l is the last employment in any
// case. The directory must be attached to the connection.
const peopleSql = (key: 'id' | 'uuid') => `SELECT p.id, p.suppressed, p.first_name AS firstName,
  p.last_name AS lastName, l.title, c.name AS companyName, ${contactColumnsSql}
FROM json_each(?) j CROSS JOIN directory.person p ON p.${key} = j.value
${employmentJoinSql('directory')}
LEFT JOIN directory.employment l ON l.id = p.employment_id
LEFT JOIN directory.company c ON c.id = l.company_id AND c.listed = 0`;

const readPeople = (
  database: ReadableDatabase,
  key: 'id' | 'uuid',
  values: readonly (number | string)[],
): ListedPerson[] => statement<ListedPerson>(database, peopleSql(key)).all(JSON.stringify(values));

/** People by id. Deleted people are missing. */
export const readPeopleByIds = (database: ReadableDatabase, ids: readonly number[]) =>
  new Map(readPeople(database, 'id', ids).map((person) => [person.id, person]));

/** People by UUID. Unknown and deleted people are missing. */
export const readPeopleByUuids = (database: ReadableDatabase, uuids: readonly string[]) =>
  new Map(readPeople(database, 'uuid', uuids).map((person) => [person.uuid, person]));

/** UUIDs of people by id. Deleted people are missing. */
export const listUuids = (database: ReadableDatabase, ids: readonly number[]): string[] =>
  statement<{ uuid: string }>(
    database,
    'SELECT p.uuid FROM json_each(?) j CROSS JOIN directory.person p ON p.id = j.value',
  )
    .all(JSON.stringify(ids))
    .map(({ uuid }) => uuid);

const suppressedSql = `SELECT p.uuid FROM json_each(?) j CROSS JOIN person p ON p.uuid = j.value
WHERE p.suppressed <> 0`;

/** The suppressed people among these, by UUID. */
export const listSuppressed = (
  directory: ReadableDatabase,
  uuids: readonly string[],
): ReadonlySet<string> =>
  new Set(
    statement<{ uuid: string }>(directory, suppressedSql)
      .all(JSON.stringify(uuids))
      .map(({ uuid }) => uuid),
  );
