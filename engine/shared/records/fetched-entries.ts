/**
 * The entries of the suppression list that may name fetched people and companies. A list has many
 * entries and a batch few people, so that the values of the people are looked up in the list.
 */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { listKeys, readVersion } from '../../suppression/suppression.table.ts';
import { readMailbox } from '../../suppression/value-keys.ts';
import { nameAt } from './name-at.ts';

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

/** The names of the staff of each employer. */
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

/** Finds the entries. @param store engine.db */
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
