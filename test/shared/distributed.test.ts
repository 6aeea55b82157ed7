// A shared directory in buckets, over partitions that imitate the shards of Citus: the same
// answers, one partition a query, and as many blocks a key as in one table.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { PoolClient, QueryConfig } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrationsDir } from '../../engine/platform/paths.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { type Key, keyText } from '../../engine/shared/key-hash.ts';
import { layoutOf } from '../../engine/shared/layout/shared-layout.ts';
import { loadDirectory, undoLastLoad } from '../../engine/shared/load/load-directory.ts';
import { openSharedMatcher } from '../../engine/shared/match-shared.ts';
import { migrateShared } from '../../engine/shared/migrations/migrate-shared.ts';
import { readSharedStatus } from '../../engine/shared/read-status.ts';
import { openSharedPeople } from '../../engine/shared/records/open-people.ts';
import { separateTenants } from '../../engine/shared/roles/separate-tenants.ts';
import { openTeamSearch } from '../../engine/shared/search/team-search.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { runsOf } from '../property-runs.ts';
import { fewBuckets, openTestShared, type TestShared } from './open-shared.ts';
import {
  explain,
  listQueries,
  listSomeKeys,
  proveEquality,
  proveOneState,
  proveRolesAndSuppression,
  proveUndo,
  readLayout,
  secret,
  type TwoLayouts,
} from './prove-layout.ts';

const missing = postgresMissing();

const openBoth = async (): Promise<TwoLayouts> => ({
  plain: await openTestShared(),
  distributed: await openTestShared({ distribution: fewBuckets }),
});

test('a directory in buckets answers as the index in memory', async () => {
  if (missing) return console.warn(missing);
  await proveEquality([await openTestShared({ distribution: fewBuckets })], 30, 2);
});

test('the same for many directories, and for keys of more people than are read', {
  tags: ['full'],
  timeout: 1_800_000,
}, async () => {
  if (missing) return console.warn(missing);
  const both: readonly TestShared[] = Object.values(await openBoth());
  await proveEquality(both, 120, runsOf(60));
  await proveEquality(both, 900, runsOf(5));
});

test('a load, an update and an undo leave the rows of one table, each in its bucket', async () => {
  if (missing) return console.warn(missing);
  await proveUndo(await openBoth());
});

test('roles and the suppression list hold over buckets', async () => {
  if (missing) return console.warn(missing);
  await proveRolesAndSuppression(await openTestShared({ distribution: fewBuckets }));
});

const people = [
  { first: 'Ann', last: 'Lee', jobs: [{ at: 'Acme Inc', email: 'ann.lee@acme.com' }] },
  { first: 'Bob', last: 'Moe', jobs: [{ at: 'Beta Works', email: 'bob@beta.io' }] },
];
const byName = { first_name: 0, last_name: 1, company_name: 2 };
const annRow = Buffer.from('Ann,Lee,Acme\n');
const ask = async (connection: SharedConnection, own = secret) => {
  const matcher = openSharedMatcher(connection, { secret: own });
  return (await matcher.match(annRow, byName, 0.9)).batch.personIds[0];
};

test('the records of people are fetched from their buckets, with their companies', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared({ distribution: fewBuckets });
  const many = Array.from({ length: 30 }, (_, at) => ({
    first: `P${at}`,
    last: 'Lee',
    jobs: [{ at: `Company ${at}` }],
  }));
  await loadDirectory(admin, makeDirectory(many), { secret, source: 'own' });
  const { database: store } = await openJobFixture();
  const uuids = [3, 17, 18, 30].map((id) => `person ${id}`);
  const { database, close } = await openSharedPeople(admin, store, uuids);
  onTestFinished(close);
  const found = database
    .prepare(
      `SELECT p.uuid, p.first_name, c.name FROM person p
       JOIN employment e ON e.person_id = p.id JOIN company c ON c.id = e.company_id ORDER BY p.id`,
    )
    .raw()
    .all();
  expect(found.sort()).toEqual(
    [3, 17, 18, 30].map((id) => [`person ${id}`, `P${id - 1}`, `Company ${id - 1}`]).sort(),
  );
});

test('teams that share buckets load, match and undo what is theirs', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared({ distribution: fewBuckets });
  const [one, other] = [await connectAs('desk_loader'), await connectAs('desk_loader')];
  await admin.transact((client) =>
    separateTenants(client, [
      { tenant: 'one', login: one.login },
      { tenant: 'other', login: other.login },
    ]),
  );
  const otherSecret = Buffer.alloc(16, 9);
  const others = [...people].reverse();
  await loadDirectory(one, makeDirectory(people), { secret, source: 'one' });
  await loadDirectory(other, makeDirectory(others), { secret: otherSecret, source: 'other' });
  expect([await ask(one), await ask(other, otherSecret)]).toEqual([1, 2]);
  await loadDirectory(one, makeDirectory(others), { secret, source: 'changed' });
  await undoLastLoad(one, secret);
  expect([await ask(one), await ask(other, otherSecret)]).toEqual([1, 2]);
  const { rows } = await other.pool.query('SELECT count(*)::int AS n FROM person');
  expect(rows).toEqual([{ n: 2 }]);
  // A partition is not a way around: no one may read it by its own name.
  await expect(other.use((client) => client.query('SELECT FROM person_0'))).rejects.toMatchObject({
    problem: 'rights',
  });
});

test('a batch is answered from one generation, also while a node is behind', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared({ distribution: fewBuckets });
  await loadDirectory(admin, makeDirectory(people), { secret, source: 'one' });
  // As after the end of a load: the first node has its rows, another one not yet.
  const shift = (by: number) =>
    admin.pool.query('UPDATE bucket_generation SET number = number + $1', [by]);
  await shift(-1);
  let met = 0;
  const transact: SharedConnection['transact'] = async (act, begin) => {
    try {
      return await admin.transact(act, begin);
    } catch (error) {
      met += 1;
      await shift(1);
      throw error;
    }
  };
  expect(await ask({ ...admin, transact })).toBe(1);
  expect(met).toBe(1);
});

test('the same while loads end', { tags: ['full'] }, async () => {
  if (missing) return console.warn(missing);
  await proveOneState(await openTestShared({ distribution: fewBuckets }));
});

test('tables keep their layout: another one is refused, and migrations go on', async () => {
  if (missing) return console.warn(missing);
  const plain = await openTestShared();
  const folder = migrationsDir('shared');
  await expect(migrateShared(plain.admin, folder, fewBuckets)).rejects.toThrow('another database');
  const { admin } = await openTestShared({ distribution: fewBuckets });
  await expect(migrateShared(admin, folder, { buckets: 6 })).rejects.toThrow('in 5 buckets');
  expect(await migrateShared(admin, folder, fewBuckets)).toBe(0);
  await loadDirectory(admin, makeDirectory(people), { secret, source: 'one' });
  const later = makeTemporaryFolder();
  cpSync(folder, later, { recursive: true });
  writeFileSync(
    join(later, '900-later.sql'),
    `ALTER TABLE person ADD COLUMN later int;
     CREATE INDEX person_later ON person (later);
     CREATE TABLE later (id int PRIMARY KEY);`,
  );
  expect(await migrateShared(admin, later)).toBe(1);
  await loadDirectory(admin, makeDirectory([...people].reverse()), { secret, source: 'two' });
  expect(await ask(admin)).toBe(2);
  expect(await readSharedStatus(admin)).toMatchObject({
    // The format is another one, so that versions without buckets refuse.
    people: 2,
    buckets: 5,
    is_on_citus: false,
    format: 2,
  });
});

/** Blocks that queries read: of tables and indexes, found in memory or not. */
async function countBlocks({ admin }: TestShared, queries: readonly QueryConfig[]) {
  let blocks = 0;
  for (const { text, values } of queries) {
    const { rows } = await admin.pool.query({
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values: values ?? [],
      rowMode: 'array',
    });
    const [[[{ Plan: plan }]]] = rows as [[[{ Plan: Record<string, number> }]]];
    blocks += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  }
  return blocks;
}

/** Three keys of each person: one of few people, one of many, and one of their own. */
const manyKeys = (count: number) => `
  SELECT hashint8extended(id / size, size) AS hash, id
  FROM generate_series(1, ${count}) id, unnest('{1,4,1000}'::int[]) size`;

async function fillPeople(shared: TestShared, count: number): Promise<void> {
  const { sql, buckets } = await readLayout(shared);
  const [column, key, person] = buckets
    ? [', bucket', `, ${sql.key('hash')}`, `, ${sql.person('id')}`]
    : ['', '', ''];
  await shared.admin.pool.query(
    `INSERT INTO block_key (key_hash, person_id, surnames, tenant_id${column})
     SELECT hash, id, '\\x01d60f', 1${key} FROM (${manyKeys(count)}) k ORDER BY hash, id;
     INSERT INTO match_person (person_id, tenant_id, digest, doc${column})
     SELECT id, 1, id, decode(repeat('ab', 90 + id % 60), 'hex')${person}
     FROM generate_series(1, ${count}) id`,
  );
  await shared.admin.pool.query('VACUUM ANALYZE block_key');
  await shared.admin.pool.query('VACUUM ANALYZE match_person');
}

async function compareBlocks(people: number, asked: number): Promise<Record<string, number>> {
  const both = await openBoth();
  const list = Object.values(both) as TestShared[];
  for (const shared of list) await fillPeople(shared, people);
  const { rows } = await both.plain.admin.pool.query<{ hash: string }>(
    `SELECT DISTINCT hash::text FROM (${manyKeys(people)}) k
     WHERE id % ${Math.floor(people / asked)} = 0`,
  );
  const keys = rows.map(({ hash }): Key => {
    const bits = BigInt.asUintN(64, BigInt(hash));
    return { high: Number(bits >> 32n), low: Number(bits & 0xffffffffn) };
  });
  // People of all buckets, far from each other.
  const ids = Array.from({ length: asked }, (_, at) => 1 + ((at * 7_919) % people));
  const count = async (shared: TestShared) => {
    const layout = await readLayout(shared);
    return {
      keys: (await countBlocks(shared, listQueries.keys(layout, keys))) / keys.length,
      groups: (await countBlocks(shared, listQueries.groups(layout, keys))) / keys.length,
      people: (await countBlocks(shared, listQueries.documents(layout, ids))) / ids.length,
    };
  };
  const [plain, distributed] = [await count(both.plain), await count(both.distributed)];
  return {
    ofKey: distributed.keys / plain.keys,
    ofGroup: distributed.groups / plain.groups,
    ofPerson: distributed.people / plain.people,
    perKey: plain.keys,
  };
}

test('a key, a group and a person take at most 1.2 times the blocks of one table', async () => {
  if (missing) return console.warn(missing);
  const { ofKey, ofGroup, ofPerson, perKey } = await compareBlocks(20_000, 400);
  // A key of one table takes its index and little more.
  expect(perKey).toBeGreaterThan(1);
  expect(perKey).toBeLessThan(8);
  for (const times of [ofKey, ofGroup, ofPerson]) expect(times).toBeLessThanOrEqual(1.2);
});

test('the same for tables whose index has more levels than that of a bucket', {
  tags: ['full'],
  timeout: 600_000,
}, async () => {
  if (missing) return console.warn(missing);
  const found = await compareBlocks(500_000, 5_000);
  console.info(`blocks in buckets, of those in one table: ${JSON.stringify(found)}`);
  expect(found.ofKey).toBeLessThanOrEqual(1.2);
  expect(found.ofGroup).toBeLessThanOrEqual(1.2);
  expect(found.ofPerson).toBeLessThanOrEqual(1.2);
});

/** The partitions that a plan reads. */
const tablesOf = (plan: string): string[] =>
  [...new Set([...plan.matchAll(/ on desk\.(\w+_\d+)/g)].map(([, name]) => name!))].sort();

const bucketOf = (partition: string): string => partition.slice(partition.lastIndexOf('_') + 1);

test('a query of a worker reads one partition, and no two queries the same', async () => {
  if (missing) return console.warn(missing);
  const shared = await openTestShared({ distribution: fewBuckets });
  const layout = await readLayout(shared);
  const queries = [
    ...listQueries.keys(layout, listSomeKeys(100)),
    ...listQueries.groups(layout, listSomeKeys(100)),
    ...listQueries.documents(
      layout,
      Array.from({ length: 100 }, (_, at) => at + 1),
    ),
  ];
  const read = [];
  for (const query of queries) read.push(tablesOf(await explain(shared.admin, query)));
  const expected = ['block_key', 'block_key', 'match_person'].flatMap((table) =>
    layout.parts.map((bucket) => [...[`${table}_${bucket}`, `bucket_generation_${bucket}`].sort()]),
  );
  const order = (lists: string[][]) => lists.map((list) => list.join(' ')).sort();
  expect(order(read)).toEqual(order(expected));
});

test('each part of a search, and of its page, reads one bucket', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared({ distribution: fewBuckets });
  const many = Array.from({ length: 30 }, (_, at) => ({
    first: `P${at}`,
    last: 'Lee',
    jobs: [{ at: 'Acme Inc' }],
  }));
  await loadDirectory(admin, makeDirectory(many), { secret, source: 'own' });
  const sent: QueryConfig[] = [];
  const transact: SharedConnection['transact'] = (act, begin) =>
    admin.transact((client) => {
      const query = (config: string | QueryConfig, values?: unknown[]) => {
        const one = typeof config === 'string' ? { text: config, values } : config;
        if (one.values) sent.push(one as QueryConfig);
        return client.query(one as QueryConfig);
      };
      return act({ query } as unknown as PoolClient);
    }, begin);
  const search = openTeamSearch({ ...admin, transact }, (await openJobFixture()).database);
  const { results } = await search.people({ limit: 12, offset: 0, query: 'lee' });
  search.close();
  expect(results).toHaveLength(12);
  const read = [];
  for (const query of sent) read.push(new Set(tablesOf(await explain(admin, query)).map(bucketOf)));
  // The last chunk is asked of all buckets, once; the 12 people are in runs of four.
  const counts = read.map(({ size }) => size);
  expect(counts.filter((size) => size > 1)).toEqual([5]);
  expect(counts.filter((size) => size === 1)).toHaveLength(1 + 4);
});

test('the engine and the server compute the same buckets', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared({ distribution: fewBuckets });
  const layout = await admin.use(layoutOf);
  const half = fc.nat(2 ** 32 - 1);
  const drawn = fc.sample(fc.record({ high: half, low: half, person: fc.nat(2 ** 31 - 1) }), 500);
  const { sql } = layout;
  const { rows } = await admin.pool.query({
    text: `SELECT ${sql.key('key')}, ${sql.person('person')}, ${sql.chunk('(person >> 14)')}
      FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY d(key, person, at) ORDER BY at`,
    values: [drawn.map(keyText), drawn.map(({ person }) => person)],
    rowMode: 'array',
  });
  expect(rows).toEqual(
    drawn.map(({ person, ...key }) => [
      layout.bucketOfKey(key),
      layout.bucketOfPerson(person),
      layout.bucketOfChunk(person >> 14),
    ]),
  );
});
