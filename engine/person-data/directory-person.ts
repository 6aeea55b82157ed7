// Finds people of a directory by what a user knows of them, and what identifies each of them.
import { readNameKey } from '../directory/normalize/field-keys.ts';
import { isRoleMailbox } from '../directory/normalize/normalize-email.ts';
import { meantUuidSql } from '../directory/read/merged-people.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { emptySubject, mergeSubjects, type Subject, type SubjectName } from './subject.ts';

export interface DirectoryPerson {
  readonly id: number;
  readonly uuid: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly title: string;
  readonly employer: string;
}

const selectPeople = `SELECT p.id, p.uuid, p.first_name AS firstName, p.last_name AS lastName,
    ifnull(e.title, '') AS title, ifnull(c.name, '') AS employer
  FROM person p LEFT JOIN employment e ON e.id = p.employment_id
    LEFT JOIN company c ON c.id = e.company_id`;

/** The people with a value. The UUID of one who was merged is a value of the survivor. */
const idsBy = {
  uuids: `SELECT id FROM person WHERE uuid = ${meantUuidSql('main', '@value')}`,
  emails: `SELECT person_id FROM employment WHERE email = @value
    UNION SELECT person_id FROM person_key WHERE kind = 'email' AND value = @value`,
  profiles: `SELECT id FROM person WHERE profile_key = @value
    UNION SELECT person_id FROM person_key WHERE kind = 'profile_url' AND value = @value`,
  phones: `SELECT person_id FROM person_phone
    WHERE number = @value OR number BETWEEN @value || ' x' AND @value || ' x:'`,
} as const;

export type IdentifierKind = keyof typeof idsBy;
const identifierKinds = Object.keys(idsBy) as IdentifierKind[];

export const findPeople = (
  directory: ReadableDatabase,
  kind: IdentifierKind,
  value: string,
): DirectoryPerson[] =>
  statement<DirectoryPerson>(
    directory,
    `${selectPeople} WHERE p.id IN (${idsBy[kind]}) ORDER BY p.id`,
  ).all({ value });

const namesSql = `SELECT id AS personId, first_name AS first, last_name AS last FROM person
  UNION ALL SELECT person_id, first_name, last_name FROM person_name`;

export function findPeopleByName(directory: ReadableDatabase, name: string): DirectoryPerson[] {
  const wanted = readNameKey(name);
  const ids = new Set<number>();
  const all = statement<SubjectName & { personId: number }>(directory, namesSql);
  for (const { personId, first, last } of all.iterate())
    if ([`${first} ${last}`, `${last} ${first}`].some((full) => readNameKey(full) === wanted))
      ids.add(personId);
  return statement<DirectoryPerson>(
    directory,
    `${selectPeople} WHERE p.id IN (SELECT value FROM json_each(?)) ORDER BY p.id`,
  ).all(JSON.stringify([...ids]));
}

/** The identifiers that no other person and no company of the directory has, and no office. */
function keepOwn(directory: ReadableDatabase, subject: Subject, uuids: readonly string[]): Subject {
  const isOwn = (kind: IdentifierKind, value: string): boolean =>
    findPeople(directory, kind, value).every(({ uuid }) => uuids.includes(uuid)) &&
    !(kind === 'emails' && isRoleMailbox(value)) &&
    !(
      kind === 'phones' &&
      statement(directory, 'SELECT 1 FROM company WHERE phone = ?').get(value) !== undefined
    );
  const own = (kind: 'emails' | 'profiles' | 'phones') =>
    subject[kind].filter((value) => isOwn(kind, value));
  return { ...subject, emails: own('emails'), profiles: own('profiles'), phones: own('phones') };
}

const listColumn = (directory: ReadableDatabase, sql: string, id: number): string[] =>
  (
    statement<{ value: string | null }>(directory, sql).all({ id }) as { value: string | null }[]
  ).flatMap(({ value }) => value ?? []);

export function describePerson(
  directory: ReadableDatabase,
  { id, uuid }: Pick<DirectoryPerson, 'id' | 'uuid'>,
): Subject {
  const list = (sql: string) => listColumn(directory, sql, id);
  const employers = list(
    `SELECT c.name AS value FROM employment e JOIN company c ON c.id = e.company_id
       WHERE e.person_id = @id
     UNION SELECT a.name FROM employment e JOIN company_alias a ON a.company_id = e.company_id
       WHERE e.person_id = @id`,
  );
  const hosts = list(
    `SELECT c.domain AS value FROM employment e JOIN company c ON c.id = e.company_id
     WHERE e.person_id = @id AND c.domain IS NOT NULL`,
  );
  const names = statement<SubjectName>(
    directory,
    `SELECT first_name AS first, last_name AS last FROM person WHERE id = @id
     UNION SELECT first_name, last_name FROM person_name WHERE person_id = @id
     UNION SELECT nickname, last_name FROM person WHERE id = @id AND nickname IS NOT NULL`,
  ).all({ id });
  const merged = list(
    "SELECT uuid AS value FROM merged_record WHERE kind = 'person' AND survivor_id = @id",
  );
  const uuids = [uuid, ...merged];
  const found: Subject = {
    uuids,
    emails: list(
      `SELECT lower(email) AS value FROM employment WHERE person_id = @id
       UNION SELECT lower(value) FROM person_key WHERE person_id = @id AND kind = 'email'`,
    ),
    profiles: list(
      `SELECT profile_key AS value FROM person WHERE id = @id
       UNION SELECT value FROM person_key WHERE person_id = @id AND kind = 'profile_url'`,
    ),
    phones: list('SELECT number AS value FROM person_phone WHERE person_id = @id').map((number) =>
      number.replace(/ x.*$/, ''),
    ),
    names: names.filter(({ first, last }) => first.trim() !== '' && last.trim() !== ''),
    employers: [...employers, ...hosts].filter((name) => name.trim() !== ''),
  };
  return keepOwn(directory, mergeSubjects(emptySubject, found), uuids);
}

/** Adds what is known of the people of a subject, and removes what others have as well. */
export function completeSubject(directory: ReadableDatabase, subject: Subject): Subject {
  const named = identifierKinds.flatMap((kind) =>
    subject[kind].map((value) => findPeople(directory, kind, value)),
  );
  // An identifier of several people names none of them.
  const people = new Map(
    named.flatMap((holders) => (holders.length === 1 ? holders : [])).map((one) => [one.id, one]),
  );
  const complete = [...people.values()].reduce(
    (known, person) => mergeSubjects(known, describePerson(directory, person)),
    subject,
  );
  return keepOwn(directory, complete, complete.uuids);
}

export const findIds = (directory: ReadableDatabase, { uuids }: Subject): number[] => [
  ...new Set(uuids.flatMap((uuid) => findPeople(directory, 'uuids', uuid).map(({ id }) => id))),
];

/** SQL of the ids that people with some UUIDs have or had before a merge. */
export const knownIdsSql = (schema: 'main' | 'directory', uuids: string): string =>
  `SELECT id FROM ${schema}.person WHERE uuid IN (SELECT value FROM json_each(${uuids}))
   UNION SELECT record_id FROM ${schema}.merged_record
   WHERE kind = 'person' AND uuid IN (SELECT value FROM json_each(${uuids}))`;
