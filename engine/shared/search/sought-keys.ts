/**
 * The values by which an engine recognises people that it suppresses: the entries of its
 * suppression list, and the values of the suppressed people of its own directory.
 */
import { domainToUnicode } from 'node:url';
import { isRoleMailbox } from '../../directory/normalize/normalize-email.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { listKeys, readVersion } from '../../suppression/suppression.table.ts';
import { nameAt } from '../records/name-at.ts';
import {
  type AddressRange,
  foldLetters,
  rangeOfAddress,
  rangesAtHost,
  rangesOfHost,
} from './address-ranges.ts';

export type NumberRange = AddressRange;

/** The keys, each once. Letters are folded where SQLite ignores case. */
export interface SoughtKeys {
  readonly uuids: readonly string[];
  readonly addresses: readonly AddressRange[];
  readonly profiles: readonly string[];
  readonly phones: readonly NumberRange[];
  /** "name|employer", folded: the employer's name key or domain. */
  readonly names: ReadonlySet<string>;
  readonly companies: readonly string[];
  /** Ranges of the domains of companies. */
  readonly hosts: readonly AddressRange[];
  readonly isEmpty: boolean;
}

// The condition of the index person_hidden.
const hidden = 'WHERE p.opted_out | p.listed';
const ofHidden = (joined: string, column: string, condition = '') =>
  `SELECT ${column} AS value FROM directory.person p CROSS JOIN directory.${joined} ${hidden}
   ${condition}`;

const ownUuids = `SELECT p.uuid AS value FROM directory.person p ${hidden}
  UNION ${ofHidden("merged_record m ON m.kind = 'person' AND m.survivor_id = p.id", 'm.uuid')}`;
const ownEmails = `${ofHidden('employment e ON e.person_id = p.id', 'e.email', "AND e.email <> ''")}
  UNION ${ofHidden('person_key k ON k.person_id = p.id', 'k.value', "AND k.kind = 'email'")}`;
const ownProfiles = `SELECT p.profile_key AS value FROM directory.person p ${hidden}
    AND p.profile_key IS NOT NULL
  UNION ${ofHidden('person_key k ON k.person_id = p.id', 'k.value', "AND k.kind = 'profile_url'")}`;
const ownPhones = ['mobile_phone', 'direct_phone']
  .map(
    (column) => `SELECT p.${column} AS value FROM directory.person p ${hidden}
      AND p.${column} IS NOT NULL`,
  )
  .join(' UNION ');

/** The names of the hidden people and the employers they work for now. */
const ownNames = `WITH job AS (
    SELECT p.id, p.first_name AS first, p.last_name AS last, c.name_key AS nameKey, c.domain
    FROM directory.person p
    CROSS JOIN directory.employment e ON e.person_id = p.id AND e.is_current = 1
    CROSS JOIN directory.company c ON c.id = e.company_id ${hidden})
  SELECT first, last, nameKey, domain FROM job
  UNION SELECT n.first_name, n.last_name, j.nameKey, j.domain
  FROM job j CROSS JOIN directory.person_name n ON n.person_id = j.id`;

interface OwnName {
  readonly first: string;
  readonly last: string;
  readonly nameKey: string;
  readonly domain: string | null;
}

const readValues = (store: ReadableDatabase, sql: string): string[] =>
  statement<{ value: string }>(store, sql)
    .all()
    .map(({ value }) => value);

const rangeOfNumber = (number: string): NumberRange => ({ low: number, high: `${number}\u0001` });

/** A stored number may be followed by an extension. */
const numbersWith = (number: string): NumberRange[] => [
  rangeOfNumber(number),
  { low: `${number} x`, high: `${number} x:\u0001` },
];

/** A host as addresses may be stored. */
const spellingsOf = (host: string): string[] => [...new Set([host, domainToUnicode(host)])];

/** Reads the keys. @param store engine.db, with the own directory attached as `directory` */
export function readSought(store: ReadableDatabase): SoughtKeys {
  const entries = listKeys(store);
  const of = (wanted: string) => entries.flatMap(({ kind, key }) => (kind === wanted ? [key] : []));
  const people = Map.groupBy(of('person'), (key) => (key.includes('|') ? 'named' : 'uuid'));
  const hosts = of('domain').flatMap((key) => spellingsOf(key.replace(/^\*\./, '')));
  const emails = readValues(store, ownEmails).filter((email) => !isRoleMailbox(email));
  const names = new Set(people.get('named'));
  for (const { first, last, nameKey, domain } of statement<OwnName>(store, ownNames).iterate())
    for (const employer of [nameKey, domain])
      if (employer) names.add(nameAt(first, last, employer));
  const sought = {
    uuids: [...(people.get('uuid') ?? []), ...readValues(store, ownUuids)],
    addresses: [...[...of('email'), ...emails].map(rangeOfAddress), ...hosts.flatMap(rangesAtHost)],
    profiles: [...of('profile_url'), ...readValues(store, ownProfiles)].map(foldLetters),
    phones: [
      ...of('phone').flatMap(numbersWith),
      ...readValues(store, ownPhones).map(rangeOfNumber),
    ],
    companies: of('company'),
    hosts: hosts.flatMap(rangesOfHost),
  };
  const isEmpty = names.size === 0 && Object.values(sought).every((keys) => keys.length === 0);
  return { ...sought, names, isEmpty };
}

const stateSql = `SELECT g.number AS generation, h.count, h.sum FROM directory.generation g
  CROSS JOIN (SELECT count(*) AS count, total(p.id) AS sum FROM directory.person p ${hidden}) h`;

/** A text that changes whenever the keys may have changed. */
export function describeSought(store: ReadableDatabase): string {
  const own = statement<Record<'generation' | 'count' | 'sum', number>>(store, stateSql).get();
  return `${readVersion(store)} ${own?.generation} ${own?.count} ${own?.sum}`;
}
