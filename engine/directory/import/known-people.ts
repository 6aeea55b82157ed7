/**
 * Separates the rows of a bulk load before the indexes exist: a row that has nothing in common
 * with the directory or with an earlier row is a new person. Any other row waits for the indexes.
 */
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { type GivenName, joinDigraphs, listLastPartKeys } from '../normalize/compatible-names.ts';
import { createAddedKeys } from './added-keys.ts';
import { tellsNobody } from './decode/read-person-row.ts';
import { nameOf, readKeys, uuidOfRow } from './find-person.ts';
import type { PlacedFacts } from './import-context.ts';
import type { ValueSource } from './source-values.ts';
import { recordUuid } from './uuid-v5.ts';

export interface KnownPeople {
  /** The UUID of the new person of some rows; null if the rows must wait. */
  admit(rows: readonly PlacedFacts[]): string | null;
}

const emailKey = (email: string): string => `email ${email.toLowerCase()}`;
const urlKey = (url: string): string => `url ${url}`;

/** The values by which rows are found (find-person.ts), as keys. */
const heldKeys: readonly (readonly [sql: string, keyOf: (value: string) => string])[] = [
  [
    "SELECT uuid FROM person UNION ALL SELECT uuid FROM merged_record WHERE kind = 'person'",
    (uuid) => uuid,
  ],
  [
    "SELECT given_id FROM person_listing WHERE given_id <> ''",
    (givenId) => recordUuid('person', givenId),
  ],
  [
    `SELECT email FROM employment WHERE email IS NOT NULL
     UNION ALL SELECT value FROM person_key WHERE kind = 'email'`,
    emailKey,
  ],
  [
    `SELECT profile_key FROM person WHERE profile_key IS NOT NULL
     UNION ALL SELECT value FROM person_key WHERE kind = 'profile_url'`,
    urlKey,
  ],
];

interface JobName extends GivenName {
  readonly companyId: number;
}

const jobNamesSql = `SELECT first_name AS first, last_name AS last, company_id AS companyId
  FROM employment e JOIN person p ON p.id = e.person_id WHERE company_id IS NOT NULL`;

/** The keys of last names at an employer. */
const listEmployerKeys = (companyId: number | null, lastKeys: readonly string[]): string[] =>
  companyId === null ? [] : lastKeys.map((lastKey) => `at ${companyId} ${lastKey}`);

/** Each name of rows at each of their employers. */
function listHeldEmployerKeys(rows: readonly PlacedFacts[]): string[] {
  const lastKeys = rows.flatMap((row) => listLastPartKeys(nameOf(row)));
  return rows.flatMap(({ companyId }) => listEmployerKeys(companyId, lastKeys));
}

/** The name of a row at its employer. Someone there whose last name is unknown may get it. */
function listSoughtEmployerKeys(row: PlacedFacts): string[] {
  const name = nameOf(row);
  if (name.first === '' || name.last === '') return [];
  return listEmployerKeys(row.companyId, ['', ...listLastPartKeys(name)]);
}

/** What a row has in common with another one about its person, whatever the ids. */
function listOwnKeys(facts: PlacedFacts): string[] {
  const { url, emails } = readKeys(facts);
  const { givenId, lastKey, phones } = facts.person;
  const keys = emails.map(emailKey);
  if (url !== '') keys.push(urlKey(url));
  // Without an id, a shared name at an employer is enough.
  if (givenId !== '')
    for (const { number } of phones) keys.push(`phone ${number} ${joinDigraphs(lastKey)}`);
  return keys;
}

/** Reads the keys of all people of the directory. */
export function createKnownPeople(db: WritableDatabase, { source }: ValueSource): KnownPeople {
  const keys = createAddedKeys();
  for (const [sql, keyOf] of heldKeys)
    for (const value of db.prepare(sql).pluck().iterate()) keys.add(keyOf(value as string));
  for (const { companyId, ...name } of db.prepare<[], JobName>(jobNamesSql).iterate())
    listEmployerKeys(companyId, listLastPartKeys(name)).forEach(keys.add);
  let hasIds = false;
  return {
    admit(rows) {
      const [first] = rows;
      if (!first) throw new Error('a group has at least one row');
      const { givenId } = first.person;
      const uuid = givenId === '' ? uuidOfRow(source, first) : first.person.uuid;
      const own = rows.flatMap(listOwnKeys);
      // Rows with ids are not noted by employer, because only rows without an id are found by it.
      const waits =
        (givenId === '' && hasIds) ||
        rows.every(tellsNobody) ||
        [[uuid], own, listSoughtEmployerKeys(first)].some((sought) => sought.some(keys.mayHold));
      hasIds ||= givenId !== '';
      keys.add(uuid);
      own.forEach(keys.add);
      if (waits || givenId === '') listHeldEmployerKeys(rows).forEach(keys.add);
      return waits ? null : uuid;
    },
  };
}

/** Rows that wait, in a temporary table. */
export interface WaitingRows {
  add(rows: readonly PlacedFacts[]): void;
  /** The groups of rows after a number of them, at most groupsMax. */
  read(after: number): PlacedFacts[][];
}

const groupsMax = 500;

export function createWaitingRows(db: WritableDatabase): WaitingRows {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS waiting_rows (id INTEGER PRIMARY KEY, facts TEXT);
    DELETE FROM temp.waiting_rows`);
  let count = 0;
  const insert = statement(db, 'INSERT INTO temp.waiting_rows VALUES (?, ?)');
  const select = statement<{ facts: string }>(
    db,
    `SELECT facts FROM temp.waiting_rows WHERE id > ? ORDER BY id LIMIT ${groupsMax}`,
  );
  return {
    add: (rows) => void insert.run(++count, JSON.stringify(rows)),
    read: (after) => select.all(after).map(({ facts }) => JSON.parse(facts) as PlacedFacts[]),
  };
}
