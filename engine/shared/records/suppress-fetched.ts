// Marks the fetched people that this engine suppresses: by its suppression list, and because the
// own directory has them as suppressed. Someone who opted out in the own directory is recognised by
// UUID, email, profile URL, own phone number, or the name at an employer. When in doubt, the person
// is withheld.
import { isRoleMailbox } from '../../directory/normalize/normalize-email.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { applySuppressions } from '../../suppression/apply-suppressions.ts';
import { listKeys, readVersion } from '../../suppression/suppression.table.ts';
import { readMailbox } from '../../suppression/value-keys.ts';
import { nameAt } from './name-at.ts';

// The entries of the suppression list that may name fetched people and companies. A list has many
// entries and a batch few people, so that the values of the people are looked up in the list.

type Entries = ReturnType<typeof listKeys>;

/** Entries by kind and key, without regard to the case of letters. */
type EntryIndex = ReadonlyMap<string, Entries>;

const placeOf = (kind: string, key: string): string => `${kind}:${key.toLowerCase()}`;

const known = new WeakMap<ReadableDatabase, { version: number; index: EntryIndex }>();

/** Reads the index, once for each version of the list. */
function readIndex(store: ReadableDatabase): EntryIndex {
  const version = readVersion(store);
  const kept = known.get(store);
  if (kept?.version === version) return kept.index;
  const index = Map.groupBy(listKeys(store), ({ kind, key }) => placeOf(kind, key));
  known.set(store, { version, index });
  return index;
}

/** The fetched values that an entry may have as its key, by the kind of the entry. */
const valuesSql = `SELECT 'person' AS kind, uuid AS value FROM person
  UNION SELECT 'email', email FROM employment WHERE email IS NOT NULL
  UNION SELECT kind, value FROM person_key
  UNION SELECT 'profile_url', profile_key FROM person WHERE profile_key IS NOT NULL
  UNION SELECT 'phone', number FROM person_phone
  UNION SELECT 'company', name_key FROM company`;

const namesSql = `SELECT DISTINCT p.first_name AS first, p.last_name AS last, c.name_key AS nameKey,
    c.domain
  FROM employment e JOIN company c ON c.id = e.company_id JOIN person p ON p.id = e.person_id
  WHERE e.is_current = 1`;

interface StaffName {
  readonly first: string;
  readonly last: string;
  readonly nameKey: string;
  readonly domain: string | null;
}

/** The keys that an entry about a stored value may have. */
function keysOf(kind: string, value: string): string[] {
  if (kind === 'phone') return [value.replace(/ x.*$/, '')];
  return kind === 'email' ? [value, readMailbox(value)] : [value];
}

export function findFetchedEntries(fetched: ReadableDatabase, store: ReadableDatabase): Entries {
  const index = readIndex(store);
  if (index.size === 0) return [];
  const places = new Set<string>();
  // A stored number may be followed by an extension.
  for (const { kind, value } of statement<{ kind: string; value: string }>(
    fetched,
    valuesSql,
  ).all())
    for (const key of keysOf(kind, value)) places.add(placeOf(kind, key));
  for (const { first, last, nameKey, domain } of statement<StaffName>(fetched, namesSql).all())
    for (const employer of [nameKey, domain])
      if (employer) places.add(placeOf('person', nameAt(first, last, employer)));
  return [...places].flatMap((place) => index.get(place) ?? []);
}

interface FetchedValue {
  readonly id: number;
  readonly value: string;
}

interface Identity {
  readonly fetched: string;
  readonly own: readonly string[];
  /** An address of an office identifies no one. */
  readonly isEmail?: boolean;
}

const hidden = '(p.opted_out | p.listed)';
const asked = `json_each(?) j`;
const value = `(j.value ->> 'value')`;

/**
 * The values by which a person is recognised: how they are read of the fetched people, and how the
 * own directory finds the suppressed people with them.
 */
const identities: readonly Identity[] = [
  {
    fetched: 'SELECT id, uuid AS value FROM person',
    own: [
      `CROSS JOIN directory.person p ON p.uuid = ${value}`,
      `CROSS JOIN directory.merged_record m ON m.uuid = ${value} AND m.kind = 'person'
       CROSS JOIN directory.person p ON p.id = m.survivor_id`,
    ],
  },
  {
    isEmail: true,
    fetched: `SELECT person_id AS id, email AS value FROM employment WHERE email IS NOT NULL
      UNION SELECT person_id, value FROM person_key WHERE kind = 'email'`,
    own: [
      `CROSS JOIN directory.employment e ON e.email = ${value}
       CROSS JOIN directory.person p ON p.id = e.person_id`,
      `CROSS JOIN directory.person_key k ON k.kind = 'email' AND k.value = ${value}
       CROSS JOIN directory.person p ON p.id = k.person_id`,
    ],
  },
  {
    fetched: `SELECT id, profile_key AS value FROM person WHERE profile_key IS NOT NULL
      UNION SELECT person_id, value FROM person_key WHERE kind = 'profile_url'`,
    own: [
      `CROSS JOIN directory.person p ON p.profile_key = ${value}`,
      `CROSS JOIN directory.person_key k ON k.kind = 'profile_url' AND k.value = ${value}
       CROSS JOIN directory.person p ON p.id = k.person_id`,
    ],
  },
  {
    fetched: `SELECT person_id AS id, number AS value FROM person_phone`,
    own: [
      // A number of a company, or of several people, identifies no one.
      `CROSS JOIN directory.person_phone n ON n.number = ${value}
       CROSS JOIN directory.person p ON p.id = n.person_id
         AND ${value} IN (p.mobile_phone, p.direct_phone)`,
    ],
  },
];

const anyoneSql = `SELECT 1 FROM directory.person p WHERE ${hidden} LIMIT 1`;

const findByValues = (
  fetched: ReadableDatabase,
  store: ReadableDatabase,
  { fetched: fetchedSql, own, isEmail }: Identity,
): number[] => {
  const values = statement<FetchedValue>(fetched, fetchedSql)
    .all()
    .filter((one) => !isEmail || !isRoleMailbox(one.value));
  const json = JSON.stringify(values);
  return own.flatMap((joins) =>
    statement<{ id: number }>(
      store,
      `SELECT DISTINCT j.value ->> 'id' AS id FROM ${asked} ${joins} WHERE ${hidden}`,
    )
      .all(json)
      .map(({ id }) => id),
  );
};

const namedSql = `SELECT e.person_id AS id, n.first, n.last, c.name_key AS nameKey, c.domain
  FROM employment e JOIN company c ON c.id = e.company_id
  JOIN (SELECT id, first_name AS first, last_name AS last FROM person
    UNION SELECT person_id, first_name, last_name FROM person_name) n ON n.id = e.person_id
  WHERE e.is_current = 1`;

const hiddenStaffSql = `WITH staff AS (
    SELECT j.value AS employer, p.id, p.first_name AS first, p.last_name AS last FROM ${asked}
    CROSS JOIN directory.company c ON c.name_key = j.value OR c.domain = j.value
    CROSS JOIN directory.employment e ON e.company_id = c.id AND e.is_current = 1
    CROSS JOIN directory.person p ON p.id = e.person_id WHERE ${hidden})
  SELECT employer, first, last FROM staff
  UNION SELECT s.employer, n.first_name, n.last_name
  FROM staff s CROSS JOIN directory.person_name n ON n.person_id = s.id`;

interface NamedPerson {
  readonly id: number;
  readonly first: string;
  readonly last: string;
  readonly nameKey: string;
  readonly domain: string | null;
}

function findByNames(fetched: ReadableDatabase, store: ReadableDatabase): number[] {
  const named = statement<NamedPerson>(fetched, namedSql).all();
  const employersOf = ({ nameKey, domain }: NamedPerson) =>
    [nameKey, domain].filter((one): one is string => Boolean(one));
  const employers = JSON.stringify([...new Set(named.flatMap(employersOf))]);
  const staff = new Set(
    statement<{ employer: string; first: string; last: string }>(store, hiddenStaffSql)
      .all(employers)
      .map(({ employer, first, last }) => nameAt(first, last, employer)),
  );
  if (staff.size === 0) return [];
  return named
    .filter((one) =>
      employersOf(one).some((employer) => staff.has(nameAt(one.first, one.last, employer))),
    )
    .map(({ id }) => id);
}

/**
 * Marks them as `listed`, which every read honours.
 * @param store engine.db with the suppression list, and the own directory attached as `directory`
 */
export function suppressFetched(fetched: WritableDatabase, store: ReadableDatabase): void {
  applySuppressions(fetched, store, findFetchedEntries(fetched, store));
  if (!statement(store, anyoneSql).get()) return;
  const ids = [
    ...identities.flatMap((identity) => findByValues(fetched, store, identity)),
    ...findByNames(fetched, store),
  ];
  if (ids.length === 0) return;
  statement(
    fetched,
    'UPDATE person SET listed = 1 WHERE id IN (SELECT value FROM json_each(?))',
  ).run(JSON.stringify(ids));
}
