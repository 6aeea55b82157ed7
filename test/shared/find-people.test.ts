// How a search of the shared directory reads: by which indexes, and what it estimates.
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { addBit, chunkBytes, listPeople } from '../../engine/shared/search/search-sets.ts';
import {
  estimateTotal,
  openTeamSearch,
  spreadChunks,
} from '../../engine/shared/search/team-search.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { now, openJobFixture } from '../jobs/job-fixture.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';

const missing = postgresMissing();
const secret = Buffer.alloc(16, 7);
const people = [
  { first: 'Ann', last: 'Lee', jobs: [{ at: 'Acme Inc', email: 'ann.lee@acme.com' }] },
  { first: 'Bob', last: 'Moe', jobs: [{ at: 'Beta Works', email: 'bob@beta.io' }] },
  { first: 'Cy', last: 'Lee' },
];
const companies = [{ name: 'Acme Inc', domain: 'acme.com' }];
const page = { limit: 25, offset: 0 } as const;

interface Sent {
  readonly text: string;
  readonly values: unknown[];
}

/** The connection, and the queries with values that are sent over it. */
function record(connection: SharedConnection): { recorded: SharedConnection; sent: Sent[] } {
  const sent: Sent[] = [];
  const transact: SharedConnection['transact'] = (act, begin) =>
    connection.transact(async (client) => {
      const query = (config: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
        const text = typeof config === 'string' ? config : config.text;
        const given = typeof config === 'string' ? values : config.values;
        if (given) sent.push({ text, values: given });
        return client.query(config as string, values as unknown[]);
      };
      return act({ query } as unknown as PoolClient);
    }, begin);
  return { recorded: { ...connection, transact }, sent };
}

/** Suppresses one of each kind. */
async function suppressAll(database: WritableDatabase): Promise<void> {
  const { suppress } = createSuppressionCommands({ database, now, onChange: () => undefined });
  const values = [
    'b0000000-0000-4000-8000-000000000001',
    'nobody@else.example',
    'https://a.example/in/x',
    '+41446681800',
    '*.hidden.example',
    'Ann Lee | Elsewhere Ltd',
  ].map((value) => ({ value }));
  await suppress({
    values: [...values, { kind: 'company', value: 'Hidden Ltd' }],
    reason: '',
    source: 'app',
    author: 'test',
  });
}

/**
 * The plan of a query as one text. The tables of a test are too small for their indexes, and for
 * other processes that read them.
 */
const explain = (connection: SharedConnection, { text, values }: Sent): Promise<string> =>
  connection.transact(async (client) => {
    await client.query(`SET LOCAL enable_seqscan = off; SET LOCAL parallel_setup_cost = 0;
      SET LOCAL parallel_tuple_cost = 0; SET LOCAL min_parallel_table_scan_size = 0;
      SET LOCAL min_parallel_index_scan_size = 0`);
    const { rows } = await client.query({ text: `EXPLAIN ${text}`, values, rowMode: 'array' });
    return (rows as string[][]).flat().join('\n');
  });

test('every query of a search reads by the index of what it asks for', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  await loadDirectory(admin, makeDirectory(people, companies), { secret, source: 'test' });
  const { recorded, sent } = record(admin);
  const team = openTeamSearch(recorded, (await openJobFixture()).database);
  const plansOf = async (ask: () => Promise<unknown>) => {
    sent.length = 0;
    await ask();
    const plans = [];
    for (const one of sent) plans.push(await explain(admin, one));
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|Gather|JIT/);
    return plans.join('\n');
  };
  const byWords = await plansOf(() => team.people({ ...page, company_name: 'acme', query: 'ann' }));
  expect(byWords).toMatch(/Index Cond: \(\(field = .*key >= .*key < /);
  expect(byWords).toMatch(/search_set_pkey.*\n.*value_id = ANY .*chunk >= \d.*chunk <= /);
  expect(byWords).toContain('person_pkey');
  const byEmail = await plansOf(() => team.people({ ...page, query: 'ann.lee@acme.com' }));
  expect(byEmail).toContain('desk_people_at');
  const byDomain = await plansOf(() => team.people({ ...page, query: 'acme.com' }));
  expect(byDomain).toContain('company_domain');
  expect(byDomain).toContain('search_person_company');
  const uuid = '00000000-0000-4000-8000-000000000001';
  expect(await plansOf(() => team.people({ ...page, company_id: uuid }))).toContain('company_uuid');
  expect(await plansOf(() => team.contacts([uuid]))).toContain('person_uuid');
  const byCompany = await plansOf(() => team.companies({ ...page, query: 'acme.com' }));
  expect(byCompany).toContain('company_domain');
  expect(byCompany).toContain('company_pkey');
  team.close();
});

test('people that an engine suppresses are found by indexes, by any of their values', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  // So many that no other index of the addresses is as small.
  const many = Array.from({ length: 400 }, (_, at) => ({ ...people[0]!, first: `Ann${at}` }));
  await loadDirectory(admin, makeDirectory(many, companies), { secret, source: 'test' });
  await admin.pool.query('VACUUM ANALYZE');
  const { recorded, sent } = record(admin);
  const { database } = await openJobFixture();
  await suppressAll(database);
  const team = openTeamSearch(recorded, database);
  await team.people(page);
  const plans = [];
  for (const one of sent) plans.push(await explain(admin, one));
  for (const name of [
    'person_uuid',
    'person_profile',
    'person_key_profile',
    'person_phone_number',
    'company_name_key',
    'company_host',
    'employment_company',
  ])
    expect(plans.join('\n')).toContain(name);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|Gather|JIT/);
  // A function shows no plan of its own, so its statement is explained.
  const { rows } = await admin.pool.query(
    "SELECT pg_get_function_sqlbody('desk_people_at'::regproc) AS body",
  );
  const body = String(rows[0].body).replace(/^BEGIN ATOMIC|;\s*END$/g, '');
  const text = body
    .replaceAll(/\b(?:desk_people_at\.)?lows\b/g, () => '$1::text[]')
    .replaceAll(/\b(?:desk_people_at\.)?highs\b/g, () => '$2::text[]');
  const plan = await explain(admin, { text, values: [['a'], ['b']] });
  for (const name of ['employment_address', 'person_key_address']) expect(plan).toContain(name);
  team.close();
});

test('of two filters that are refused, the first one is named, as in an own search', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  await loadDirectory(admin, makeDirectory(people, companies), { secret, source: 'test' });
  const team = openTeamSearch(admin, (await openJobFixture()).database);
  const wordless = team.people({ ...page, industry: 'Mining', job_title: '…' });
  await expect(wordless).rejects.toThrow('industry: ');
  const unknown = team.people({ ...page, company_name: '…', job_level: 'Chief' });
  await expect(unknown).rejects.toThrow('company_name: ');
  team.close();
});

test('who is suppressed here, or meanwhile there, is neither found nor sold', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const { database } = await openJobFixture();
  const team = openTeamSearch(admin, database);
  const load = (hidden: boolean) =>
    loadDirectory(
      admin,
      makeDirectory(people.map((one, at) => ({ ...one, suppressed: hidden && at === 0 }))),
      { secret, source: 'test' },
    );
  const found = async () => {
    const { total, results } = await team.people(page);
    return { total, names: results.map(({ first_name: first }) => first) };
  };
  const sold = async () => (await team.contacts(['person 1', 'person 2'])).map(({ uuid }) => uuid);
  await load(false);
  expect(await found()).toEqual({ total: 3, names: ['Ann', 'Bob', 'Cy'] });
  expect(await sold()).toEqual(['person 1', 'person 2']);
  const { suppress } = createSuppressionCommands({ database, now, onChange: () => undefined });
  await suppress({
    values: [{ value: 'bob@beta.io' }],
    reason: '',
    source: 'app',
    author: 'test',
  });
  expect(await found()).toEqual({ total: 2, names: ['Ann', 'Cy'] });
  expect(await sold()).toEqual(['person 1']);
  await load(true);
  expect(await found()).toEqual({ total: 1, names: ['Cy'] });
  expect(await sold()).toEqual([]);
  team.close();
});

test('a directory that an older version loaded is searched after an update', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const team = openTeamSearch(admin, (await openJobFixture()).database);
  const load = () => loadDirectory(admin, makeDirectory(people), { secret, source: 'test' });
  await load();
  // What the tables of an older version do not have.
  await admin.pool.query('TRUNCATE search_value, search_person, search_set');
  await admin.pool.query('UPDATE match_person SET digest = 0');
  await expect(team.people(page)).rejects.toThrow('Run “desk shared update” once');
  await load();
  expect((await team.people(page)).total).toBe(3);
  await expect(team.people({ ...page, offset: 25 })).rejects.toThrow('no pages by offset');
  team.close();
});

/** Keeps every 5,000th id, so that few people are in many chunks. */
async function spreadIds({ pool }: SharedConnection): Promise<void> {
  for (const [table, column] of [
    ['person', 'id'] as const,
    ['employment', 'person_id'] as const,
    ['search_person', 'person_id'] as const,
  ])
    await pool.query(`UPDATE ${table} SET ${column} = ${column} * 5000`);
  await pool.query('TRUNCATE search_set');
  await pool.query(
    `INSERT INTO search_set (value_id, chunk, members)
     SELECT unnest(value_ids), person_id >> 14,
       bit_or(set_bit(B'0'::bit(16384), person_id & 16383, 1))
     FROM search_person GROUP BY 1, 2`,
  );
}

test('a total beyond the limit is estimated from chunks of all ids, and pages stay exact', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const many = Array.from({ length: 400 }, (_, at) => ({ first: `P${at}`, last: 'Lee' }));
  await loadDirectory(admin, makeDirectory(many), { secret, source: 'test' });
  await spreadIds(admin);
  const { database } = await openJobFixture();
  const team = openTeamSearch(admin, database, 100);
  const first = await team.people({ limit: 100, offset: 0, query: 'lee' });
  expect(first).toMatchObject({ total_is_estimate: true, next_after: String(100 * 5000) });
  expect(first.total).toBeGreaterThan(380);
  expect(first.total).toBeLessThan(420);
  const second = await team.people({ limit: 100, offset: 0, query: 'lee', after: '500000' });
  expect(second.results.map(({ first_name: name }) => name)).toEqual(
    many.slice(100, 200).map(({ first: name }) => name),
  );
  expect(second.total).toBe(first.total);
  const exact = await team.people({ limit: 1, offset: 0, query: 'p39' });
  expect(exact.total).toBe(11);
  expect(exact.total_is_estimate).toBeUndefined();
  team.close();
});

test('chunks of a sample are spread over all, and an estimate is rounded but never too small', () => {
  fc.assert(
    fc.property(
      fc.nat(5_000),
      fc.nat(5_000),
      fc.integer({ min: 1, max: 40 }),
      (first, more, count) => {
        const chunks = spreadChunks(first, first + more, count);
        expect(chunks.length).toBe(Math.min(count, more + 1));
        expect(new Set(chunks).size).toBe(chunks.length);
        expect(Math.min(...chunks)).toBeGreaterThanOrEqual(first);
        expect(Math.max(...chunks)).toBeLessThanOrEqual(first + more);
      },
    ),
  );
  expect(estimateTotal(10_500, { people: 320, chunks: 32 }, 1_000)).toBe(20_500);
  expect(estimateTotal(12_345, { people: 0, chunks: 0 }, 0)).toBe(12_345);
  expect(estimateTotal(10_000, { people: 320_000, chunks: 32 }, 300)).toBe(3_010_000);
});

test('the bits of a chunk give back its people', () => {
  fc.assert(
    fc.property(fc.nat(90), fc.uniqueArray(fc.nat(16_383), { maxLength: 50 }), (chunk, places) => {
      const bits = new Uint8Array(chunkBytes);
      const ids = places.map((at) => chunk * 16_384 + at).sort((one, other) => one - other);
      for (const id of ids) addBit(bits, id);
      expect(listPeople(chunk, bits)).toEqual(ids);
    }),
  );
});
