// Searches of the shared directory: their times, and whether they find the people that a search of
// the own directory finds. Then the times over 5,000,000 people, as copies.
import type { SearchPeople } from '../../engine/contract/records/record-search.ts';
import { buildSearchIndex } from '../../engine/directory/search/search-build.ts';
import { openSearch, type SearchCalls } from '../../engine/directory/search/search-directory.ts';
import type {
  ReadableDatabase,
  WritableDatabase,
} from '../../engine/platform/sqlite/open-database.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { chunkPeople } from '../../engine/shared/search/search-sets.ts';
import { openTeamSearch, type TeamSearch } from '../../engine/shared/search/team-search.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { percentile, readCpuSeconds } from '../measure.ts';
import type { BenchContext } from './bench-context.ts';
import { makeSearches } from './search.ts';

const p99MaxMs = 50;
const searchesCount = 400;
/** Other programs interrupt a search, so the fastest of three rounds counts. */
const rounds = 3;
/** People with the copies. */
const copiedPeople = 5_000_000;
/** More than any id of an employment, a name, a key or a phone. */
const idShift = 10_000_000;

type Wanted = Omit<SearchPeople, 'offset'> & { readonly offset: 0 };

/** Times every search, and reports the fastest of three rounds. */
async function reportTimes(
  { report }: BenchContext,
  { pool }: SharedConnection,
  people: string,
  { team, searches }: { readonly team: TeamSearch; readonly searches: readonly Wanted[] },
): Promise<void> {
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  const readCpu = () => {
    const { user, system } = process.cpuUsage();
    return { own: (user + system) / 1e3, server: readCpuSeconds(rows[0].pid) * 1e3 };
  };
  const times = searches.map(() => Number.POSITIVE_INFINITY);
  const before = readCpu();
  for (let round = 0; round < rounds; round++)
    for (const [at, search] of searches.entries()) {
      const from = performance.now();
      await team.people(search);
      times[at] = Math.min(times[at]!, performance.now() - from);
    }
  const after = readCpu();
  const cpuOf = (part: 'own' | 'server') =>
    ((after[part] - before[part]) / rounds / searches.length).toFixed(1);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  report(
    `CPU of a search, ${people}`,
    `${cpuOf('own')} ms, and ${cpuOf('server')} ms of PostgreSQL`,
    '',
    null,
  );
  report(
    `Search, page of 50 and total, ${people}, fastest of three, p50 and p99`,
    `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms`,
    `p99 ≤ ${p99MaxMs} ms`,
    p99 <= p99MaxMs,
  );
}

/** Compares every search with that of the own directory. */
async function reportEquality(
  { report }: BenchContext,
  team: TeamSearch,
  own: SearchCalls,
  searches: readonly Wanted[],
): Promise<void> {
  let differing = 0;
  const errors: number[] = [];
  for (const search of searches) {
    const [found, expected] = [await team.people(search), await own.contacts(search)];
    const uuids = (answer: { results: readonly { uuid: string }[] }) =>
      answer.results.map(({ uuid }) => uuid).join();
    const isSame = found.total_is_estimate || found.total === expected.total;
    if (!isSame || uuids(found) !== uuids(expected)) differing += 1;
    if (found.total_is_estimate)
      errors.push(Math.abs(found.total - expected.total) / expected.total);
  }
  report(
    'Searches that differ from the own directory',
    `${differing} of ${searches.length}`,
    '0',
    differing === 0,
  );
  if (errors.length > 0)
    report(
      'Estimated totals, median and largest error',
      `${errors.length}: ${(percentile(errors, 0.5) * 100).toFixed(1)} %, ` +
        `${(Math.max(...errors) * 100).toFixed(1)} %`,
      '',
      null,
    );
}

/** Tables with the columns that a copy of a person changes: by a shift of people, or of ids. */
const copied = {
  person: { id: 'person', employment_id: 'own', uuid: 'text' },
  employment: { person_id: 'person', id: 'own' },
  person_name: { person_id: 'person', id: 'own' },
  person_key: { person_id: 'person', id: 'own' },
  person_phone: { person_id: 'person', id: 'own' },
  search_person: { person_id: 'person' },
} as const;

/** Adds copies of everyone with other ids, so that every set is as many times as large. */
async function copyPeople({ pool }: SharedConnection, copies: number): Promise<void> {
  const { rows } = await pool.query('SELECT max(chunk) + 1 AS chunks FROM search_set');
  const chunks = rows[0].chunks as number;
  for (const [table, shifted] of Object.entries(copied)) {
    const { rows: columns } = await pool.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
      [table],
    );
    const shiftOf = { person: `+ copy * ${chunks * chunkPeople}`, own: `+ copy * ${idShift}` };
    const changeOf = { ...shiftOf, text: "|| '-' || copy" };
    const cells = columns.map(({ name }) => {
      const kind = (shifted as Record<string, keyof typeof changeOf>)[name];
      return kind ? `t.${name} ${changeOf[kind]}` : `t.${name}`;
    });
    await pool.query(
      `INSERT INTO ${table} SELECT ${cells.join(', ')}
       FROM generate_series(1, ${copies}) copy CROSS JOIN ${table} t`,
    );
  }
  await pool.query(
    `INSERT INTO search_set (value_id, chunk, tenant_id, members)
     SELECT value_id, chunk + copy * ${chunks}, tenant_id, members
     FROM generate_series(1, ${copies}) copy CROSS JOIN search_set`,
  );
  await pool.query('VACUUM ANALYZE');
}

/** People and companies that the engine suppresses while searches are timed again. */
const withheld = { emails: 1_000, companies: 20 } as const;

/** Suppresses some, and times the same searches without them. */
async function reportWithheld(
  context: BenchContext,
  connection: SharedConnection,
  people: string,
  {
    db,
    store,
    ...timed
  }: {
    readonly db: ReadableDatabase;
    readonly store: WritableDatabase;
    readonly team: TeamSearch;
    readonly searches: readonly Wanted[];
  },
): Promise<void> {
  const list = (sql: string) => db.prepare(sql).pluck().all() as string[];
  const emails = list(
    `SELECT email FROM employment WHERE email IS NOT NULL AND id % 97 = 0 LIMIT ${withheld.emails}`,
  );
  const names = list(`SELECT name FROM company ORDER BY id LIMIT ${withheld.companies}`);
  const { suppress } = createSuppressionCommands({
    database: store,
    now: () => new Date(),
    onChange: () => undefined,
  });
  await suppress({
    values: [
      ...emails.map((value) => ({ value })),
      ...names.map((value) => ({ kind: 'company' as const, value })),
    ],
    reason: '',
    source: 'app',
    author: 'bench',
  });
  const began = performance.now();
  await timed.team.people({ limit: 1, offset: 0 });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  context.report(
    `First search after ${emails.length} people and ${names.length} companies were suppressed`,
    `${seconds} s`,
    '',
    null,
  );
  await reportTimes(context, connection, `${people}, some suppressed`, timed);
}

/**
 * Times searches over the people who are there, and with copies of them over 5,000,000.
 * @param db the directory that was loaded
 * @param store has a suppression list
 */
export async function benchSharedSearch(
  context: BenchContext,
  {
    connection,
    db,
    store,
  }: {
    readonly connection: SharedConnection;
    readonly db: ReadableDatabase;
    readonly store: WritableDatabase;
  },
  people: number,
  isCopied: boolean,
): Promise<void> {
  const { rows: sizes } = await connection.pool.query(
    `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
     WHERE relkind = 'r' AND relname ~ '^search_(person|value|set|company|company_set)$'
     ORDER BY relname`,
  );
  const each = (sizes as { name: string; bytes: number }[]).map(
    ({ name, bytes }) => `${name} ${Math.round(bytes / people)}`,
  );
  context.report(`Search tables of ${people}, bytes a person`, each.join(', '), '', null);
  const index = buildSearchIndex(db);
  const own = openSearch(db, () => index);
  const searches = makeSearches(index, searchesCount).map(
    (search): Wanted => ({ ...search, offset: 0 }),
  );
  const team = openTeamSearch(connection, store);
  await reportEquality(context, team, own, searches);
  await reportTimes(context, connection, `${people} people`, { team, searches });
  if (isCopied) {
    const copies = Math.ceil(copiedPeople / people) - 1;
    context.say(`adding ${copies} copies of everyone …`);
    await copyPeople(connection, copies);
    const many = `${people * (copies + 1)} people (${copies + 1} times ${people})`;
    await reportTimes(context, connection, many, { team, searches });
    await reportWithheld(context, connection, many, { db, store, team, searches });
  } else
    await reportWithheld(context, connection, `${people} people`, { db, store, team, searches });
  team.close();
}
