// The people and companies of the team's directory that this engine suppresses, by their ids there:
// a search leaves them out of its totals and pages. Indexes find who may be meant; whether someone
// is meant is decided by their records, as for every page (records/suppress-fetched.ts).
import { domainToUnicode } from 'node:url';
import type { PoolClient } from 'pg';
import { isRoleMailbox } from '../../directory/normalize/normalize-email.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { listKeys, readVersion } from '../../suppression/suppression.table.ts';
import { readSuppressionList, type SuppressionList } from '../../suppression/suppression-list.ts';
import { layoutOf } from '../layout/shared-layout.ts';
import { fillFetched, openFetched, readShownPeople } from '../records/fetched-tables.ts';
import { nameAt } from '../records/name-at.ts';
import { suppressFetched } from '../records/suppress-fetched.ts';
import {
  type AddressRange,
  foldLetters,
  listPeopleAt,
  rangeOfAddress,
  rangesAtHost,
  rangesOfHost,
} from './address-ranges.ts';
import { type ChunkMembers, splitMembers } from './sent-members.ts';

type NumberRange = AddressRange;

/** The keys, each once. Letters are folded where SQLite ignores case. */
interface SoughtKeys {
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
function readSought(store: ReadableDatabase): SoughtKeys {
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
    addresses: [
      ...of('email').map(rangeOfAddress),
      ...emails.map(rangeOfAddress),
      ...hosts.flatMap(rangesAtHost),
    ],
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
function describeSought(store: ReadableDatabase): string {
  const own = statement<Record<'generation' | 'count' | 'sum', number>>(store, stateSql).get();
  return `${readVersion(store)} ${own?.generation} ${own?.count} ${own?.sum}`;
}

/** Their ids in ascending order, by chunk. */
export interface Withheld {
  readonly people: readonly ChunkMembers[];
  readonly companies: readonly ChunkMembers[];
}

const nothing: Withheld = { people: [], companies: [] };

/** Keys of a query, and rows of a page. */
const keysAtOnce = 5_000;
/** People whose records are fetched at a time. */
const peopleAtOnce = 500;
const aliasesAtOnce = 20_000;

const ascending = (ids: ReadonlySet<number>): number[] => Array.from(Int32Array.from(ids).sort());

async function addFound<Key>(
  ids: Set<number>,
  keys: readonly Key[],
  find: (part: readonly Key[]) => Promise<readonly number[]>,
): Promise<void> {
  for (let from = 0; from < keys.length; from += keysAtOnce)
    for (const id of await find(keys.slice(from, from + keysAtOnce))) ids.add(id);
}

const byKeys = (client: PoolClient, sql: string) => async (keys: readonly unknown[]) => {
  const { rows } = await client.query<{ id: number }>(sql, [keys]);
  return rows.map(({ id }) => id);
};

const byRanges =
  (client: PoolClient, sql: string) =>
  async (ranges: readonly { readonly low: string; readonly high: string }[]) => {
    const { rows } = await client.query<{ id: number }>(sql, [
      ranges.map(({ low }) => low),
      ranges.map(({ high }) => high),
    ]);
    return rows.map(({ id }) => id);
  };

const byUuid = 'SELECT id FROM person WHERE uuid = ANY($1::text[])';
const byProfile = `SELECT id FROM person
    WHERE profile_key IS NOT NULL AND lower(profile_key COLLATE "C") = ANY($1::text[])
  UNION SELECT person_id FROM person_key
    WHERE kind = 'profile_url' AND lower(value COLLATE "C") = ANY($1::text[])`;
const byPhone = `SELECT n.person_id AS id FROM unnest($1::text[], $2::text[]) r(low, high)
  JOIN person_phone n ON n.number COLLATE "C" >= r.low AND n.number COLLATE "C" < r.high`;
const byCompanyKey = 'SELECT id FROM company WHERE name_key = ANY($1::text[])';
const byStaff =
  'SELECT person_id AS id FROM employment WHERE is_current = 1 AND company_id = ANY($1)';
const byHost = `SELECT c.id, c.domain FROM unnest($1::text[], $2::text[]) r(low, high)
  JOIN company c ON c.domain IS NOT NULL AND reverse(lower(c.domain COLLATE "C")) >= r.low
    AND reverse(lower(c.domain COLLATE "C")) < r.high`;
const aliasPage = `SELECT id, company_id AS "companyId", name FROM company_alias
  WHERE id > $1 ORDER BY id LIMIT ${aliasesAtOnce}`;

async function findCompanies(
  client: PoolClient,
  list: SuppressionList,
  { companies, hosts }: SoughtKeys,
): Promise<Set<number>> {
  const found = new Set<number>();
  await addFound(found, companies, byKeys(client, byCompanyKey));
  for (let from = 0; from < hosts.length; from += keysAtOnce) {
    const part = hosts.slice(from, from + keysAtOnce);
    const { rows } = await client.query<{ id: number; domain: string }>(byHost, [
      part.map(({ low }) => low),
      part.map(({ high }) => high),
    ]);
    for (const { id, domain } of rows) if (list.hasHost(domain)) found.add(id);
  }
  if (companies.length === 0) return found;
  // An alias is read in several ways, so that no index has them.
  for (let after = 0; ; ) {
    const { rows } = await client.query<{ id: number; companyId: number; name: string }>(
      aliasPage,
      [after],
    );
    for (const { companyId, name } of rows) if (list.hasCompany(name)) found.add(companyId);
    const last = rows.at(-1);
    if (!last || rows.length < aliasesAtOnce) return found;
    after = last.id;
  }
}

interface StaffName {
  readonly id: number;
  readonly companyId: number;
  readonly first: string;
  readonly last: string;
}

async function addNamed(
  client: PoolClient,
  ids: Set<number>,
  names: ReadonlySet<string>,
  employers: readonly string[],
): Promise<void> {
  const { rows: companies } = await client.query<{
    id: number;
    nameKey: string;
    domain: string | null;
  }>(
    `SELECT id, name_key AS "nameKey", domain FROM company
     WHERE name_key = ANY($1::text[]) OR domain = ANY($1::text[])`,
    [employers],
  );
  const employersOf = new Map(companies.map(({ id, nameKey, domain }) => [id, [nameKey, domain]]));
  const { buckets } = await layoutOf(client);
  for (const [table, key] of [
    ['person', 'id'],
    ['person_name', 'person_id'],
  ]) {
    const { rows } = await client.query<StaffName>(
      `SELECT e.person_id AS id, e.company_id AS "companyId", n.first_name AS first,
         n.last_name AS last
       FROM employment e JOIN ${table} n ON n.${key} = e.person_id
         ${buckets ? 'AND n.bucket = e.bucket' : ''}
       WHERE e.is_current = 1 AND e.company_id = ANY($1::int[])`,
      [[...employersOf.keys()]],
    );
    for (const { id, companyId, first, last } of rows)
      for (const employer of employersOf.get(companyId) ?? [])
        if (employer && names.has(nameAt(first, last, employer))) ids.add(id);
  }
}

async function findLikely(client: PoolClient, sought: SoughtKeys): Promise<Set<number>> {
  const ids = new Set<number>();
  await addFound(ids, sought.uuids, byKeys(client, byUuid));
  await addFound(ids, sought.addresses, (ranges) => listPeopleAt(client, ranges));
  await addFound(ids, sought.profiles, byKeys(client, byProfile));
  await addFound(ids, sought.phones, byRanges(client, byPhone));
  const employers = [...new Set([...sought.names].map((key) => key.slice(key.indexOf('|') + 1)))];
  for (let from = 0; from < employers.length; from += keysAtOnce)
    await addNamed(client, ids, sought.names, employers.slice(from, from + keysAtOnce));
  return ids;
}

async function decide(
  client: PoolClient,
  store: ReadableDatabase,
  fetched: WritableDatabase,
  likely: readonly number[],
): Promise<number[]> {
  const found: number[] = [];
  for (let from = 0; from < likely.length; from += peopleAtOnce) {
    fillFetched(fetched, await readShownPeople(client, likely.slice(from, from + peopleAtOnce)));
    suppressFetched(fetched, store);
    const listed = statement<{ id: number }>(
      fetched,
      'SELECT id FROM person WHERE listed = 1',
    ).all();
    for (const { id } of listed) found.push(id);
  }
  return found;
}

async function findWithheld(
  client: PoolClient,
  store: ReadableDatabase,
  sought: SoughtKeys,
): Promise<Withheld> {
  // The planner expects much more of ranges and lists than there is.
  await client.query('SET LOCAL enable_seqscan = off');
  const list = readSuppressionList(store, null);
  const companies = await findCompanies(client, list, sought);
  const people = new Set<number>();
  await addFound(people, [...companies], byKeys(client, byStaff));
  const likely = await findLikely(client, sought);
  // All staff of a suppressed company is withheld.
  for (const id of people) likely.delete(id);
  const fetched = openFetched();
  try {
    for (const id of await decide(client, store, fetched, ascending(likely))) people.add(id);
  } finally {
    fetched.close();
  }
  return {
    people: splitMembers(ascending(people)),
    companies: splitMembers(ascending(companies)),
  };
}

/** Reads them, once for each state of the team's directory and of what this engine suppresses. */
export type ReadWithheld = (client: PoolClient) => Promise<Withheld>;

/** @param store engine.db, with the own directory attached as `directory` */
export function createWithheldReader(store: ReadableDatabase): ReadWithheld {
  let keys: { readonly state: string; readonly sought: SoughtKeys } | null = null;
  let known: { readonly state: string; readonly found: Promise<Withheld> } | null = null;
  return async (client) => {
    const ownState = describeSought(store);
    if (keys?.state !== ownState) keys = { state: ownState, sought: readSought(store) };
    const { sought } = keys;
    if (sought.isEmpty) return nothing;
    const { rows } = await client.query<{ number: string }>('SELECT number::text FROM generation');
    const state = `${ownState} ${rows[0]?.number}`;
    if (known?.state === state) return known.found;
    const found = findWithheld(client, store, sought);
    const own = { state, found };
    known = own;
    // What failed is read again by the next search.
    found.catch(() => {
      if (known === own) known = null;
    });
    return found;
  };
}
