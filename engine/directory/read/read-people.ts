// Reads many people at once, by id or by UUID, for pipelines: the fields of a search, and the
// values that can be paid for. The values are read with the expressions of the projection, so that
// pipelines, tools and jobs agree.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { contactColumnsSql } from './find-contact.ts';
import { meantIdSql, meantUuidSql } from './merged-people.ts';
import { employmentJoinSql } from './projection-fields.ts';
import type { NamedContact } from './read-person.ts';

export interface ListedPerson extends NamedContact {
  readonly id: number;
  /** Suppressed people are not returned to callers, and their values are not sold. */
  readonly suppressed: 0 | 1;
  readonly title: string | null;
  readonly companyName: string | null;
}

type Schema = 'directory' | 'main';

// e is the employment with the email, none for a person who left; l is the last employment in any
// case.
const meant = { id: meantIdSql, uuid: meantUuidSql } as const;
const peopleSql = (
  key: 'id' | 'uuid',
  schema: Schema,
) => `SELECT j.value AS asked, p.id, p.suppressed, p.first_name AS firstName,
  p.last_name AS lastName, l.title, c.name AS companyName, ${contactColumnsSql}
FROM json_each(?) j CROSS JOIN ${schema}.person p ON p.${key} = ${meant[key](schema, 'j.value')}
${employmentJoinSql(schema)}
LEFT JOIN ${schema}.employment l ON l.id = p.employment_id
LEFT JOIN ${schema}.company c ON c.id = l.company_id AND c.listed = 0`;

const readPeople = (
  database: ReadableDatabase,
  key: 'id' | 'uuid',
  values: readonly (number | string)[],
  schema: Schema,
) =>
  statement<ListedPerson & { asked: number | string }>(database, peopleSql(key, schema)).all(
    JSON.stringify(values),
  );

/** People by the id that is asked for; those who were merged are their survivors. */
export const readPeopleByIds = (
  database: ReadableDatabase,
  ids: readonly number[],
): Map<number, ListedPerson> =>
  new Map(
    readPeople(database, 'id', ids, 'directory').map(({ asked, ...person }) => [
      Number(asked),
      person,
    ]),
  );

/** The same by UUID. @param schema the name of the directory on the connection */
export const readPeopleByUuids = (
  database: ReadableDatabase,
  uuids: readonly string[],
  schema: Schema = 'directory',
): Map<string, ListedPerson> =>
  new Map(
    readPeople(database, 'uuid', uuids, schema).map(({ asked, ...person }) => [
      String(asked),
      person,
    ]),
  );

/** UUIDs of people by id. Deleted people are missing. */
export const listUuids = (database: ReadableDatabase, ids: readonly number[]): string[] =>
  statement<{ uuid: string }>(
    database,
    `SELECT p.uuid FROM json_each(?) j
     CROSS JOIN directory.person p ON p.id = ${meantIdSql('directory', 'j.value')}`,
  )
    .all(JSON.stringify(ids))
    .map(({ uuid }) => uuid);

const suppressedSql = (schema: Schema) => `SELECT j.value AS uuid FROM json_each(?) j
CROSS JOIN ${schema}.person p ON p.uuid = ${meantUuidSql(schema, 'j.value')}
WHERE p.suppressed <> 0`;

/** The suppressed ones, by UUID. @param schema the name of the directory on the connection */
export const listSuppressed = (
  directory: ReadableDatabase,
  uuids: readonly string[],
  schema: Schema = 'directory',
): ReadonlySet<string> =>
  new Set(
    statement<{ uuid: string }>(directory, suppressedSql(schema))
      .all(JSON.stringify(uuids))
      .map(({ uuid }) => uuid),
  );
