// Brings the shared directory to the state of a directory.db, and undoes that.
import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { invalid, notFound } from '../../contract/errors.ts';
import {
  type GatheredCompanies,
  gatherCompanies,
  listDomainGroups,
  readCompanyRows,
} from '../../directory/index/index-companies.ts';
import { createDictionaryBuilder } from '../../directory/index/index-dictionary.ts';
import { type IdRange, readRows, readRowsOf } from '../../directory/index/index-lists.ts';
import { addWorkDomain } from '../../directory/index/index-people.ts';
import { createNumberList } from '../../directory/index/index-postings.ts';
import { readEmailKey } from '../../directory/normalize/match-address.ts';
import { loadNicknames } from '../../directory/normalize/nicknames.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { type BlockKeys, createBlockKeys } from '../block-keys.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import {
  bucketFormat,
  checkGeneration,
  readGeneration,
  secretCheckOf,
  sharedFormat,
} from '../generation.ts';
import { type Key, keyText } from '../key-hash.ts';
import { bucketsBetween, layoutOf, type SharedLayout, within } from '../layout/shared-layout.ts';
import { setTables } from '../search/evaluate-plan.ts';
import { chunkPeople, chunkShift } from '../search/search-sets.ts';
import { addAllKeys, applyStages, removeEverything, restoreRows } from './apply-stages.ts';
import type { Cell } from './copy-rows.ts';
import { addName, derivePeople, type SharedNames, startNames } from './derive-people.ts';
import {
  createSearchDeriver,
  openSearchValues,
  type SearchEntry,
  type SearchValues,
} from './derive-search.ts';
import { type LoadedTable, matchTables, mirroredTables } from './shared-tables.ts';
import { createRowStage, createStages, type RowStage } from './stage-rows.ts';
import { copySets } from './write-sets.ts';

interface DerivedCompanies {
  readonly companies: GatheredCompanies;
  /** Hash of each group's text. */
  readonly groupHashes: readonly Key[];
  listDomains(): Generator<[domain: string, companyIds: number[]]>;
}

type JobRow = [id: number, companyId: number | null, email: string | null];

export function deriveCompanies(db: ReadableDatabase, keys: BlockKeys): DerivedCompanies {
  const groupHashes: Key[] = [];
  // The texts of domains are kept, unlike those of an index.
  const domains = createDictionaryBuilder();
  const gathered = gatherCompanies(
    readCompanyRows(db),
    (text) => groupHashes.push(keys.hashText(text)),
    domains,
  );
  for (const row of readRows<JobRow>(db, 'employment', 'id, company_id, email')) {
    const [, companyId, email] = row;
    if (companyId === null || !email) continue;
    addWorkDomain(gathered, gathered.denseOf[companyId]!, readEmailKey(email));
  }
  const lists = listDomainGroups(gathered);
  const texts = Array.from({ length: domains.count() }, (_, id) => domains.text(id));
  const { groupCompanies, ids } = gathered;
  return {
    // Deriving people adds their domains again: to lists that no one reads.
    companies: {
      ...gathered,
      domainPairs: { domains: createNumberList(), groups: createNumberList() },
    },
    groupHashes,
    *listDomains() {
      for (const [domain, text] of texts.entries()) {
        const groups = lists.values.subarray(lists.starts[domain]!, lists.starts[domain + 1]!);
        if (groups.length === 0) continue;
        const companyOf = (group: number) =>
          ids[groupCompanies.order[groupCompanies.starts[group]!]!]!;
        yield [text, Array.from(groups, companyOf)];
      }
    },
  };
}

function addToSets(
  sets: Map<number, number[]>,
  id: number,
  { valueIds }: Pick<SearchEntry, 'valueIds'>,
): void {
  for (const value of valueIds) {
    const members = sets.get(value);
    if (members) members.push(id);
    else sets.set(value, [id]);
  }
}

function groupByValue(entries: ReadonlyMap<number, SearchEntry>): Map<number, number[]> {
  const sets = new Map<number, number[]>();
  for (const [personId, entry] of entries) addToSets(sets, personId, entry);
  return sets;
}

interface CompanyStage {
  readonly client: PoolClient;
  readonly layout: SharedLayout;
  readonly tenant: number;
  readonly stage: RowStage;
  /** Whether rows are compared with those that are there, and not copied into empty tables. */
  readonly isStaged: boolean;
}

async function stageCompanies(
  { client, layout, tenant, stage, isStaged }: CompanyStage,
  companies: Iterable<[companyId: number, valueIds: readonly number[]]>,
): Promise<void> {
  const place = { client, layout, tenant, searched: 'companies' } as const;
  let chunk = 0;
  let sets = new Map<number, number[]>();
  const finish = async () => {
    await stage.flush();
    if (!isStaged) await copySets(place, chunk, sets);
    sets = new Map();
  };
  for (const [companyId, valueIds] of companies) {
    const next = companyId >>> chunkShift;
    if (next !== chunk) await finish();
    chunk = next;
    stage.add(matchTables.search_company, [companyId, valueIds]);
    if (!isStaged) addToSets(sets, companyId, { valueIds });
  }
  await finish();
}

const teamSql = `SELECT desk_tenant() AS tenant, row_security_active('person') AS "isSeparated",
  (SELECT relrowsecurity FROM pg_class WHERE oid = 'desk.person'::regclass) AS "isShared"`;

const seesEveryTeam =
  'Teams share this database, and this login sees the people of all of them. Use a login of the ' +
  'team: desk shared tenants add TEAM LOGIN --role loader.';
const hasNoTeam =
  'Teams share this database, and this login has none: desk shared tenants add TEAM LOGIN.';

/**
 * The team of the login, and whether its rows are separated from those of others. Throws
 * `validation_error` for a login without a team, and for a superuser or an owner among teams:
 * policies do not apply to them, so that they would change the rows of every team.
 */
async function readTeam(client: PoolClient): Promise<{ tenant: number; isSeparated: boolean }> {
  const { rows } = await client.query<{
    tenant: number | null;
    isSeparated: boolean;
    isShared: boolean;
  }>(teamSql);
  const { tenant, isSeparated, isShared } = rows[0]!;
  if (isShared && !isSeparated) throw invalid(seesEveryTeam);
  if (tenant === null) throw invalid(hasNoTeam);
  return { tenant, isSeparated };
}

/** How far a load is: people read, then the changed people whose tables are written. */
export interface LoadProgress {
  readonly phase: 'people' | 'tables';
  readonly done: number;
  /** Null while it is unknown. */
  readonly total: number | null;
}

export interface LoadOptions {
  /** The secret of the tenant: 16 bytes. */
  readonly secret: Uint8Array;
  /** What is loaded, for people: the name of a file or folder. */
  readonly source: string;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Refuses with `validation_error` if the shared directory has people, or has none. */
  readonly expects?: 'empty' | 'people';
  /** Ends the load; the shared directory stays as it was. */
  readonly signal?: AbortSignal;
}

export interface LoadReport {
  readonly importId: number;
  readonly generation: number;
  readonly people: number;
  readonly changedPeople: number;
}

/** Loads, updates and undos of a team exclude each other. No reader can lock this row. */
async function lockLoads(client: PoolClient): Promise<void> {
  await client.query('INSERT INTO load_lock DEFAULT VALUES ON CONFLICT DO NOTHING');
  await client.query('SELECT FROM load_lock FOR UPDATE');
}

const expected = {
  empty: 'The shared directory has people already: update it instead.',
  people: 'The shared directory has no people yet: load it first.',
} as const;

const one = async <Value>(client: PoolClient, sql: string): Promise<Value> =>
  ((await client.query({ text: sql, rowMode: 'array' })).rows[0] as [Value])[0];

const hasCompaniesSql = 'SELECT EXISTS (SELECT FROM company)';

/** Reads the names of the shared directory, so that they keep their numbers. */
async function readNames(client: PoolClient): Promise<SharedNames> {
  const names = startNames();
  const { rows } = await client.query<{ id: number; name: string }>(
    'SELECT name_id AS id, name FROM match_name ORDER BY name_id',
  );
  for (const { id, name } of rows) {
    // The number of a name that is no longer used is taken by a text that no name has.
    while (names.used.length < id) addName(names, `\0${names.used.length}`);
    addName(names, name);
  }
  return names;
}

/** Reads the values of searches, so that they keep their numbers. */
async function readSearchValues(client: PoolClient): Promise<SearchValues> {
  const { rows } = await client.query<{ id: number; field: number; key: string }>(
    'SELECT value_id AS id, field, key FROM search_value',
  );
  return openSearchValues(rows);
}

function stageValues(stage: RowStage, values: SearchValues): void {
  for (const { id, field, key, name, isUsed } of values.list())
    if (isUsed) stage.add(matchTables.search_value, [id, field, key, name]);
}

function createRowReader(db: ReadableDatabase, range: IdRange) {
  const lists = mirroredTables
    .filter(({ person }) => person !== null)
    .map((table) => {
      const columns = Object.keys(table.columns);
      const rows = readRowsOf<Cell[]>(db, table.name, columns.join(', '), table.person!, range);
      const ownerAt = columns.indexOf(table.person!);
      const byPerson = new Map<number, Cell[][]>();
      for (const row of rows) {
        const owner = row[ownerAt] as number;
        const own = byPerson.get(owner);
        if (own) own.push(row);
        else byPerson.set(owner, [row]);
      }
      return { table, byPerson };
    });
  return (personId: number): { table: LoadedTable; rows: Cell[][] }[] =>
    lists.flatMap(({ table, byPerson }) => {
      const rows = byPerson.get(personId);
      return rows ? [{ table, rows }] : [];
    });
}

const digestOf = (parts: readonly (string | Buffer)[]): bigint =>
  hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer').readBigInt64BE();

function stageTables(db: ReadableDatabase, stage: RowStage): void {
  for (const table of mirroredTables) {
    if (table.person) continue;
    const sql = `SELECT ${Object.keys(table.columns).join(', ')} FROM ${table.name}`;
    for (const row of db.prepare(sql).raw().iterate()) stage.add(table, row as Cell[]);
  }
}

function stageCounts(
  stage: RowStage,
  { texts, used, firsts, lasts, surnames }: SharedNames,
  { groupHashes, listDomains }: ReturnType<typeof deriveCompanies>,
  groupPeople: Uint32Array,
): void {
  for (let id = 0; id < used.length; id++)
    if (used.at(id) === 1)
      stage.add(matchTables.match_name, [
        id,
        texts.text(id),
        firsts.at(id),
        lasts.at(id),
        surnames.at(id),
      ]);
  for (const [group, hashed] of groupHashes.entries())
    stage.add(matchTables.match_group, [keyText(hashed), groupPeople[group]!]);
  for (const [domain, ids] of listDomains()) stage.add(matchTables.match_domain, [domain, ids]);
}

interface Loading {
  readonly client: PoolClient;
  readonly db: ReadableDatabase;
  readonly keys: BlockKeys;
  readonly options: LoadOptions;
  readonly stage: RowStage;
  readonly tenant: number;
  /** Whether rows are compared with those that are there, and not copied into empty tables. */
  readonly isStaged: boolean;
  readonly hasPeople: boolean;
  readonly layout: SharedLayout;
}

async function stagePeople(loading: Loading): Promise<{ people: number; affected: number[] }> {
  const { client, db, keys, options, stage, layout, tenant, isStaged, hasPeople } = loading;
  const derived = deriveCompanies(db, keys);
  const searchValues = await readSearchValues(client);
  const deriver = createSearchDeriver(db, searchValues);
  const names = await readNames(client);
  const groupPeople = new Uint32Array(derived.groupHashes.length);
  const sources = { ...derived, db, keys, names, groupPeople, nicknames: loadNicknames() };
  const [idMax, count] = db
    .prepare('SELECT coalesce(max(id), 0), count(*) FROM person')
    .raw()
    .get() as [number, number];
  const affected: number[] = [];
  let people = 0;
  // A range is a chunk of the sets, so that it has all people of the sets that it writes.
  for (let chunk = 0; chunk * chunkPeople <= idMax; chunk++) {
    const range = { from: chunk * chunkPeople, to: (chunk + 1) * chunkPeople - 1 };
    const rowsOf = createRowReader(db, range);
    const found = deriver.derive(range);
    const digests = hasPeople
      ? await readDigests(client, layout, range)
      : new Map<number, string>();
    for (const person of derivePeople(sources, range)) {
      people++;
      const { personId, doc, groupCount, surnames } = person;
      const rows = rowsOf(personId);
      const own = person.keys.map(keyText);
      const entry = found.get(personId);
      const digest = String(
        digestOf([doc, own.join(','), JSON.stringify([entry ?? null, rows.map((r) => r.rows)])]),
      );
      const known = digests.get(personId);
      digests.delete(personId);
      if (known === digest) continue;
      affected.push(personId);
      for (const { table, rows: found } of rows) for (const row of found) stage.add(table, row);
      stage.add(matchTables.match_person, [personId, digest, doc]);
      stage.add(matchTables.person_keys, [personId, own, groupCount, surnames]);
      if (entry) stage.add(matchTables.search_person, [personId, entry.companyId, entry.valueIds]);
    }
    // Who is there and was not found is removed.
    for (const personId of digests.keys()) affected.push(personId);
    await stage.flush();
    if (!isStaged)
      await copySets({ client, layout, tenant, searched: 'people' }, chunk, groupByValue(found));
    options.onProgress?.({ phase: 'people', done: people, total: count });
    // Lets a signal of the terminal come in.
    await new Promise((resolve) => setImmediate(resolve));
    options.signal?.throwIfAborted();
  }
  if (hasPeople) for (const personId of await readBeyond(client, idMax)) affected.push(personId);
  stageTables(db, stage);
  await stageCompanies(loading, deriver.listCompanies());
  stageCounts(stage, names, derived, groupPeople);
  stageValues(stage, searchValues);
  await stage.flush();
  return { people, affected };
}

async function readDigests(
  client: PoolClient,
  layout: SharedLayout,
  { from, to }: IdRange,
): Promise<Map<number, string>> {
  const digests = new Map<number, string>();
  const runs = { first: from, last: to, step: 2 ** (layout.buckets?.runBits ?? 0) };
  for (const bucket of bucketsBetween(layout, layout.bucketOfPerson, runs)) {
    const { rows } = await client.query({
      text: `SELECT person_id, digest::text FROM match_person
        WHERE ${within(bucket)}person_id BETWEEN $1 AND $2`,
      values: [from, to],
      rowMode: 'array',
    });
    for (const [personId, digest] of rows as [number, string][]) digests.set(personId, digest);
  }
  return digests;
}

async function readBeyond(client: PoolClient, idMax: number): Promise<number[]> {
  const last = Math.floor(idMax / chunkPeople + 1) * chunkPeople - 1;
  const { rows } = await client.query<{ id: number }>(
    'SELECT person_id AS id FROM match_person WHERE person_id > $1',
    [last],
  );
  return rows.map(({ id }) => id);
}

/**
 * Records a generation, also in each bucket, and returns its number. What searches of companies
 * read is of it after a load, and after an undo if it was of the generation before.
 */
async function setGeneration(
  { client, layout, tenant }: Pick<Loading, 'client' | 'layout' | 'tenant'>,
  people: number,
  keys: BlockKeys,
  isLoad: boolean,
): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    `INSERT INTO generation (tenant_id, number, format, people, secret_check, company_search)
     VALUES (${tenant}, 1, ${layout.buckets ? bucketFormat : sharedFormat}, $1, $2, 1)
     ON CONFLICT (tenant_id) DO UPDATE SET number = generation.number + 1, people = $1,
       company_search = CASE WHEN $3 OR generation.company_search = generation.number
         THEN generation.number + 1 ELSE generation.company_search END
     RETURNING number::int`,
    [people, secretCheckOf(keys), isLoad],
  );
  const { number } = rows[0]!;
  for (const bucket of layout.buckets?.values ?? [])
    await client.query(
      `INSERT INTO bucket_generation (bucket, tenant_id, number)
       VALUES (${bucket}, ${tenant}, ${number})
       ON CONFLICT (tenant_id, bucket) DO UPDATE SET number = excluded.number`,
    );
  return number;
}

/**
 * Brings the shared directory to the state of a directory.db: the first time, it copies everything;
 * later, the people that changed. One transaction: workers see the old state or the new one.
 */
export async function loadDirectory(
  connection: SharedConnection,
  db: ReadableDatabase,
  options: LoadOptions,
): Promise<LoadReport> {
  // One snapshot of the file, whatever an engine writes into it meanwhile.
  db.prepare('BEGIN').run();
  try {
    return await loadSnapshot(connection, db, options);
  } finally {
    db.prepare('COMMIT').run();
  }
}

function loadSnapshot(
  connection: SharedConnection,
  db: ReadableDatabase,
  options: LoadOptions,
): Promise<LoadReport> {
  const keys = createBlockKeys(options.secret);
  return connection.transact(async (client) => {
    const { tenant, isSeparated } = await readTeam(client);
    await lockLoads(client);
    const generation = await readGeneration(client);
    if (generation) checkGeneration(generation, keys, connection.address);
    const layout = await layoutOf(client);
    const hasPeople = generation !== null && generation.people > 0;
    if (options.expects && (options.expects === 'people') !== hasPeople)
      throw invalid(expected[options.expects]);
    // A list of companies alone has no people.
    const isFirst = !hasPeople && !(await one<boolean>(client, hasCompaniesSql));
    // A table with row-level security takes no COPY.
    const isStaged = !isFirst || isSeparated;
    // An older version leaves the tables that it does not know when it undoes the first load.
    if (isFirst)
      await client.query(`DELETE FROM search_company; DELETE FROM ${setTables.companies}`);
    await createStages(client);
    const stage = createRowStage(client, isStaged ? null : { tenant, layout });
    const place = { client, layout, tenant };
    const { people, affected } = await stagePeople({
      ...place,
      db,
      keys,
      options,
      stage,
      isStaged,
      hasPeople,
    });
    const importId = await one<number>(
      client,
      'SELECT coalesce(max(import_id), 0) + 1 FROM shared_import',
    );
    options.onProgress?.({ phase: 'tables', done: affected.length, total: null });
    if (isStaged) {
      await client.query('INSERT INTO affected SELECT unnest($1::int[])', [affected]);
      await applyStages({ ...place, importId });
    } else await addAllKeys(place);
    const number = await setGeneration(place, people, keys, true);
    await client.query(
      `INSERT INTO shared_import (import_id, tenant_id, generation, source, is_first, people,
         changed_people, has_company_search)
       VALUES ($1, $2, $3, $4, $5, $6, $7, true)`,
      [importId, tenant, number, options.source, isFirst, people, affected.length],
    );
    return { importId, generation: number, people, changedPeople: affected.length };
  });
}

/** Undoes the last load that is not undone. Throws `not_found` if there is none. */
export function undoLastLoad(
  connection: SharedConnection,
  secret: Uint8Array,
): Promise<{ importId: number; generation: number; people: number }> {
  const keys = createBlockKeys(secret);
  return connection.transact(async (client) => {
    await readTeam(client);
    await lockLoads(client);
    const generation = await readGeneration(client);
    if (generation) checkGeneration(generation, keys, connection.address);
    const { rows } = await client.query<{ id: number; isFirst: boolean; tenant: number }>(
      `SELECT import_id AS id, is_first AS "isFirst", tenant_id AS tenant FROM shared_import
       WHERE undone_at IS NULL ORDER BY import_id DESC LIMIT 1`,
    );
    const last = rows[0];
    if (!last) throw notFound('The shared directory has no load to undo.');
    const place = { client, layout: await layoutOf(client), tenant: last.tenant };
    if (last.isFirst) await removeEverything(client);
    else await restoreRows({ ...place, importId: last.id });
    const people = await one<number>(client, 'SELECT count(*)::int FROM match_person');
    const number = await setGeneration(place, people, keys, false);
    await client.query('UPDATE shared_import SET undone_at = now() WHERE import_id = $1', [
      last.id,
    ]);
    return { importId: last.id, generation: number, people };
  });
}
