// Separates the rows of a bulk load before the indexes exist: a row that has nothing in common
// with the directory or with an earlier row is a new person. Any other row waits for the indexes.
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { type GivenName, listLastPartKeys } from '../normalize/compatible-names.ts';
import { type AddedKeys, createAddedKeys } from './added-keys.ts';
import { type PersonPart, tellsNobody } from './decode/read-person-row.ts';
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

const heldIds: readonly (readonly [sql: string, uuidOf: (id: string) => string])[] = [
  [
    `SELECT uuid AS id, first_name AS first, last_name AS last FROM person UNION ALL
     SELECT m.uuid, first_name, last_name FROM merged_record m JOIN person p ON p.id = survivor_id
     WHERE kind = 'person'`,
    (uuid) => uuid,
  ],
  [
    `SELECT l.given_id AS id, first_name AS first, last_name AS last
     FROM person_listing l JOIN person p ON p.id = person_id WHERE l.given_id <> ''`,
    (givenId) => recordUuid('person', givenId),
  ],
];

/** The other values by which rows are found (find-person.ts), as keys. */
const heldKeys: readonly (readonly [sql: string, keyOf: (value: string) => string])[] = [
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

interface HeldName extends GivenName {
  readonly id: string;
}

const employersSql = `SELECT company_id AS id, first_name AS first, last_name AS last
  FROM employment e JOIN person p ON p.id = e.person_id WHERE company_id IS NOT NULL`;

/** A last name that is unknown. A name may be that of such a person. */
const noName = '';
/** The employers of a person who may have another name now. */
const anyEmployer = '*';

/** The keys of a value that finds people together with a last name. */
const withNames = (value: string, lastKeys: readonly string[]): string[] =>
  lastKeys.map((lastKey) => `${value} ${lastKey}`);
const employerKeys = (companyId: number | string | null, lastKeys: readonly string[]): string[] =>
  companyId === null ? [] : withNames(`at ${companyId}`, lastKeys);
/** Without an id, a shared name at an employer is enough. */
const phoneKeys = ({ givenId, phones }: PersonPart, lastKeys: readonly string[]): string[] =>
  givenId === '' ? [] : phones.flatMap(({ number }) => withNames(`phone ${number}`, lastKeys));

function listOwnKeys(facts: PlacedFacts): string[] {
  const { url, emails } = readKeys(facts);
  const keys = emails.map(emailKey);
  if (url !== '') keys.push(urlKey(url));
  return keys;
}

export function createKnownPeople(db: WritableDatabase, { source }: ValueSource): KnownPeople {
  const keys = createAddedKeys();
  const addAll = (added: readonly string[]): void => added.forEach(keys.add);
  // A set of their own: most lists have ids, so that few rows or none are noted by employer.
  let employers: AddedKeys | null = null;
  const addEmployer = (...employer: Parameters<typeof employerKeys>): void => {
    for (const key of employerKeys(...employer)) {
      employers ??= createAddedKeys();
      employers.add(key);
    }
  };
  for (const [sql, uuidOf] of heldIds)
    for (const { id, ...name } of db.prepare<[], HeldName>(sql).iterate())
      addAll([uuidOf(id), ...withNames(uuidOf(id), listLastPartKeys(name))]);
  for (const [sql, keyOf] of heldKeys)
    for (const value of db.prepare(sql).pluck().iterate()) keys.add(keyOf(value as string));
  for (const { id, ...name } of db.prepare<[], HeldName>(employersSql).iterate())
    addEmployer(id, listLastPartKeys(name));
  let hasIds = false;
  /** Rows without a last name, or with one that their person may not keep. */
  let hasUnnamed = false;
  const isNameKnown = (facts: PlacedFacts, lastKeys: readonly string[]): boolean => {
    const { companyId, person } = facts;
    const { first, last } = nameOf(facts);
    if (companyId === null || first === '' || last === '') return false;
    const names = [noName, ...lastKeys];
    if (phoneKeys(person, hasUnnamed ? names : lastKeys).some(keys.mayHold)) return true;
    if (employers === null) return false;
    const others = hasUnnamed ? employerKeys(anyEmployer, lastKeys) : [];
    return employerKeys(companyId, names).concat(others).some(employers.mayHold);
  };
  return {
    admit(rows) {
      const [first] = rows;
      if (!first) throw new Error('a group has at least one row');
      const { givenId, lastKey } = first.person;
      const uuid = givenId === '' ? uuidOfRow(source, first) : first.person.uuid;
      // Rows of one person share what they say of the person.
      const lastKeysOf = new Map<PersonPart, readonly string[]>();
      for (const row of rows)
        if (!lastKeysOf.has(row.person)) lastKeysOf.set(row.person, listLastPartKeys(nameOf(row)));
      const lastKeys = [...lastKeysOf.values()].flat();
      const own = [...new Set(rows.flatMap(listOwnKeys))];
      const isKnown = keys.mayHold(uuid);
      // The person has the row's name then, or another name with what the row says.
      const isRenamed = isKnown && !withNames(uuid, lastKeys).every(keys.mayHold);
      const waits =
        (givenId === '' && hasIds) ||
        isKnown ||
        rows.every(tellsNobody) ||
        own.some(keys.mayHold) ||
        rows.some((row) => isNameKnown(row, lastKeysOf.get(row.person) ?? []));
      hasIds ||= givenId !== '';
      const names = isRenamed ? [...lastKeys, noName] : lastKeys;
      hasUnnamed ||= names.includes(noName);
      addAll(own);
      for (const person of lastKeysOf.keys()) addAll(phoneKeys(person, names));
      // Rows with ids are not noted by employer, because only rows without an id are found by it.
      if (waits || givenId === '') for (const { companyId } of rows) addEmployer(companyId, names);
      if (isRenamed) addEmployer(anyEmployer, lastKeys);
      keys.add(uuid);
      const hasOneName = rows.every(({ person }) => person.lastKey === lastKey);
      if (!isKnown && hasOneName) addAll(withNames(uuid, lastKeys));
      return waits ? null : uuid;
    },
  };
}

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
