// The suppressed people of the directory, in memory, for pages of stored results.
import type { GivenValue, SuppressionKind } from '../contract/suppression/suppression.ts';
import { isRoleMailbox } from '../directory/normalize/normalize-email.ts';
import { readGeneration } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

interface HiddenPeople {
  readonly generation: number;
  readonly uuids: ReadonlySet<string>;
}

const known = new WeakMap<ReadableDatabase, HiddenPeople>();

/**
 * The UUIDs of the people that a source or the list suppresses, and of those who were merged into
 * them, read again only if the directory
 * has changed.
 * @param directory directory.db as the main file of a connection
 */
export function readHiddenPeople(directory: ReadableDatabase): ReadonlySet<string> {
  const generation = readGeneration(directory);
  const before = known.get(directory);
  if (before?.generation === generation) return before.uuids;
  // The condition of the index person_hidden.
  const rows = statement<{ uuid: string }>(
    directory,
    `SELECT uuid FROM person WHERE opted_out | listed
     UNION ALL SELECT m.uuid FROM merged_record m CROSS JOIN person p ON p.id = m.survivor_id
     WHERE m.kind = 'person' AND p.opted_out | p.listed`,
  ).all();
  const uuids = new Set(rows.map(({ uuid }) => uuid));
  known.set(directory, { generation, uuids });
  return uuids;
}

/** Those that a source or the list suppresses. By the indexes of hidden records. */
export function countHidden(directory: ReadableDatabase): { people: number; companies: number } {
  const [found] = statement<{ people: number; companies: number }>(
    directory,
    `SELECT (SELECT count(*) FROM person WHERE opted_out | listed) AS people,
       (SELECT count(*) FROM company WHERE listed) AS companies`,
  ).all();
  return found ?? { people: 0, companies: 0 };
}

// The condition of the index person_hidden, which is read once: SQLite would read all addresses and
// profiles of the directory first. An address that others hold too identifies no one.
const personKeysSql = `WITH hidden AS MATERIALIZED (
  SELECT id, profile_key, mobile_phone, direct_phone FROM person
  WHERE (opted_out | listed) AND listed = 1)
SELECT 'email' AS kind, lower(e.email) AS key
  FROM hidden h CROSS JOIN employment e ON e.person_id = h.id
  WHERE e.email IS NOT NULL AND NOT EXISTS (SELECT 1 FROM employment o JOIN person p
    ON p.id = o.person_id WHERE o.email = e.email AND p.listed = 0)
UNION SELECT k.kind, lower(k.value) FROM hidden h CROSS JOIN person_key k ON k.person_id = h.id
UNION SELECT 'profile_url', profile_key FROM hidden WHERE profile_key IS NOT NULL
UNION SELECT 'phone', mobile_phone FROM hidden WHERE mobile_phone IS NOT NULL
UNION SELECT 'phone', direct_phone FROM hidden WHERE direct_phone IS NOT NULL`;

/** @param directory a connection to directory.db, or one that has it attached */
export const listPersonKeys = (
  directory: ReadableDatabase,
): { kind: SuppressionKind; key: string }[] =>
  statement<{ kind: SuppressionKind; key: string }>(directory, personKeysSql)
    .all()
    .filter(({ kind, key }) => kind !== 'email' || !isRoleMailbox(key))
    .map(({ kind, key }) => ({ kind, key: kind === 'phone' ? key.replace(/ x.*$/, '') : key }));

/** The addresses and profiles of the directory's people whose lists say that they opted out. */
export const listOptedOut = (directory: ReadableDatabase): GivenValue[] =>
  statement<{ kind: 'email' | 'profile_url'; value: string }>(
    directory,
    `SELECT 'email' AS kind, e.email AS value FROM person p
     JOIN employment e ON e.person_id = p.id WHERE p.opted_out AND e.email IS NOT NULL
     UNION SELECT 'profile_url', profile_url FROM person
     WHERE opted_out AND profile_url IS NOT NULL`,
  ).all();
