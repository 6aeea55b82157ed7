// What is true of a distributed shared directory, whatever its buckets are: the tests prove it over
// partitions of a server, and over shards of Citus where there is one.
import fc from 'fast-check';
import type { QueryConfig } from 'pg';
import { expect } from 'vitest';
import { reasons } from '../../engine/contract/jobs/job.ts';
import { createBlockKeys, keyCaps } from '../../engine/shared/block-keys.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { documentsQuery, groupsQuery, keysQuery } from '../../engine/shared/fetch-people.ts';
import type { GroupAsk } from '../../engine/shared/group-lists.ts';
import type { Key } from '../../engine/shared/key-hash.ts';
import { layoutOf, type SharedLayout, splitBy } from '../../engine/shared/layout/shared-layout.ts';
import { loadDirectory, undoLastLoad } from '../../engine/shared/load/load-directory.ts';
import { openSharedMatcher } from '../../engine/shared/match-shared.ts';
import type { Ask } from '../../engine/shared/people-slice.ts';
import { openTeamSearch } from '../../engine/shared/search/team-search.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { answerBoth } from './compare-answers.ts';
import type { TestShared } from './open-shared.ts';
import { makeRandomDirectory, randomDirectory } from './random-directory.ts';
import { readContent } from './read-content.ts';

export const secret = Buffer.alloc(16, 7);

/** Two layouts of the same people: one table each, and buckets. */
export interface TwoLayouts {
  readonly plain: TestShared;
  readonly distributed: TestShared;
}

/** Layouts answer as the index in memory, through updates from one directory to another. */
export async function proveEquality(
  layouts: readonly TestShared[],
  people: number,
  runs: number,
): Promise<void> {
  const connections = layouts.map(({ admin }) => admin);
  const matchers = connections.map((one) => openSharedMatcher(one, { secret, peopleMax: 50 }));
  await fc.assert(
    fc.asyncProperty(randomDirectory(people), async (drawn) => {
      const db = makeRandomDirectory(drawn.people);
      for (const [at, connection] of connections.entries()) {
        await loadDirectory(connection, db, { secret, source: 'random' });
        const { embedded, shared } = await answerBoth(db, matchers[at]!, drawn.rows);
        expect(shared).toEqual(embedded);
      }
    }),
    { numRuns: runs, endOnFailure: runs < 20 },
  );
}

/** Loads, updates and undos leave the same rows in both layouts, and an undo restores them. */
export async function proveUndo({ plain, distributed }: TwoLayouts): Promise<void> {
  const both = [plain.admin, distributed.admin];
  const readBoth = async () => {
    const [one, other] = [await readContent(both[0]!), await readContent(both[1]!)];
    expect(other).toEqual(one);
    return one;
  };
  const drawn = fc.sample(randomDirectory(25), { numRuns: 2, seed: 5 });
  const load = async (at: number) => {
    for (const admin of both)
      await loadDirectory(admin, makeRandomDirectory(drawn[at]!.people), { secret, source: 'x' });
    return readBoth();
  };
  const undo = async () => {
    for (const admin of both) await undoLastLoad(admin, secret);
    return readBoth();
  };
  const before = await load(0);
  const after = await load(1);
  expect(after).not.toEqual(before);
  expect(await undo()).toEqual(before);
  expect(await load(1)).toEqual(after);
  await undo();
  for (const rows of Object.values(await undo())) expect(rows).toEqual([]);
}

const people = [
  {
    first: 'Ann',
    last: 'Lee',
    url: 'https://www.linkedin.com/in/ann-lee-1',
    jobs: [{ at: 'Acme Inc', email: 'ann.lee@acme.com' }],
  },
  { first: 'Bob', last: 'Moe', jobs: [{ at: 'Beta Works', email: 'bob@beta.io' }] },
  ...Array.from({ length: 20 }, (_, at) => ({ first: `P${at}`, last: 'Lee' })),
];
const byName = { first_name: 0, last_name: 1, company_name: 2 };
const annRow = Buffer.from('Ann,Lee,Acme\n');

/** Each role has its rights; who is suppressed meanwhile is neither answered nor found. */
export async function proveRolesAndSuppression({ admin, connectAs }: TestShared): Promise<void> {
  const [loader, reader] = [await connectAs('desk_loader'), await connectAs('desk_reader')];
  const load = (connection: SharedConnection, hidden: boolean) =>
    loadDirectory(
      connection,
      makeDirectory(people.map((one, at) => ({ ...one, suppressed: hidden && at === 0 }))),
      { secret, source: 'own' },
    );
  await load(loader, false);
  await expect(load(reader, false)).rejects.toMatchObject({ problem: 'rights' });
  const matcher = openSharedMatcher(reader, { secret });
  const match = async () => (await matcher.match(annRow, byName, 0.9)).batch;
  expect([...(await match()).personIds]).toEqual([1]);
  const search = openTeamSearch(reader, (await openJobFixture()).database);
  const page = { limit: 5, offset: 0, query: 'lee' } as const;
  const first = await search.people(page);
  expect([first.total, first.results.length, first.results[0]?.first_name]).toEqual([21, 5, 'Ann']);
  expect((await load(loader, true)).changedPeople).toBe(1);
  const answer = await match();
  expect([answer.personIds[0], reasons[answer.reasons[0]!]]).toEqual([0, 'suppressed']);
  const second = await search.people(page);
  expect([second.total, second.results[0]?.first_name]).toEqual([20, 'P0']);
  search.close();
  for (const table of ['person', 'block_key', 'search_set', 'bucket_generation'])
    for (const text of [`DELETE FROM ${table}`, `TRUNCATE ${table}`])
      await expect(reader.use((client) => client.query(text))).rejects.toMatchObject({
        problem: 'rights',
      });
  await admin.use((client) => client.query('TABLE shared_layout'));
}

const peopleOfState = (state: 0 | 1) =>
  Array.from({ length: 40 }, (_, at) => ({
    first: `First${at}`,
    last: 'Lee',
    jobs: [{ at: `Acme ${state}`, email: `${['anna', 'zoran'][state]}${at}@s${state}.example` }],
  }));

/** A batch that runs while a load ends is answered from the state before it, or after it. */
export async function proveOneState({ admin, connectAs }: TestShared): Promise<void> {
  const reader = await connectAs('desk_reader');
  const load = (state: 0 | 1) =>
    loadDirectory(admin, makeDirectory(peopleOfState(state)), { secret, source: `${state}` });
  await load(0);
  const states = [0, 1] as const;
  const rows = states.flatMap((state) => peopleOfState(state).map(({ jobs }) => jobs[0]!.email));
  const bytes = Buffer.from(`${rows.join('\n')}\n`);
  const matcher = openSharedMatcher(reader, { secret });
  for (const state of [1, 0, 1, 0, 1, 0] as const) {
    const [{ batch }] = await Promise.all([matcher.match(bytes, { email: 0 }, 0.9), load(state)]);
    const found = [0, 40].map(
      (from) => batch.personIds.slice(from, from + 40).filter((id) => id > 0).length,
    );
    expect(found.sort()).toEqual([0, 40]);
  }
}

/** What a worker sends to read some keys, groups or documents of people: a query a bucket. */
export const listQueries = {
  keys: (layout: SharedLayout, keys: readonly Key[]): QueryConfig[] =>
    splitBy(layout, keys, layout.bucketOfKey).map(([bucket, own]) =>
      keysQuery(
        bucket,
        own.map((key): Ask => ({ key, cap: keyCaps.companyLast, take: () => undefined })),
      ),
    ),
  groups: (layout: SharedLayout, keys: readonly Key[]): QueryConfig[] =>
    splitBy(layout, keys, layout.bucketOfKey).map(([bucket, own]) =>
      groupsQuery(
        bucket,
        own.map((key): GroupAsk => ({ key, cap: keyCaps.group, take: () => undefined })),
      ),
    ),
  documents: (layout: SharedLayout, personIds: readonly number[]): QueryConfig[] =>
    splitBy(layout, personIds, layout.bucketOfPerson).map(([bucket, own]) =>
      documentsQuery(bucket, own),
    ),
};

/** Keys of some people of makeDirectory, of every bucket. */
export function listSomeKeys(count: number): Key[] {
  const { ofSurname, hashText } = createBlockKeys(secret);
  return Array.from({ length: count }, (_, at) => ofSurname(hashText(`name${at}`)));
}

export async function explain(
  connection: SharedConnection,
  { text, values }: QueryConfig,
): Promise<string> {
  const { rows } = await connection.pool.query({
    text: `EXPLAIN (VERBOSE, COSTS OFF) ${text}`,
    values: values ?? [],
    rowMode: 'array',
  });
  return (rows as string[][]).flat().join('\n');
}

export const readLayout = ({ admin }: TestShared): Promise<SharedLayout> => admin.use(layoutOf);
