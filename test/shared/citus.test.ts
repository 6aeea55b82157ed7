// The proofs of a distributed directory over shards of a real Citus, where the machine has one. The
// workflow has it; elsewhere partitions imitate the shards (distributed.test.ts).
import { expect, test } from 'vitest';
import { readSharedStatus } from '../../engine/shared/read-status.ts';
import { addTenantLogin } from '../../engine/shared/roles/tenants.ts';
import { citusMissing, createCitusDatabase } from '../postgres/citus-server.ts';
import { fewBuckets, openTestShared } from './open-shared.ts';
import {
  explain,
  listQueries,
  listSomeKeys,
  proveEquality,
  proveOneState,
  proveRolesAndSuppression,
  proveUndo,
  readLayout,
} from './prove-layout.ts';
import { proveReview } from './prove-review.ts';
import { checkSearchEquality } from './prove-search.ts';

const missing = citusMissing();
const onCitus = { distribution: fewBuckets, createDatabase: createCitusDatabase };
const limit = { timeout: 600_000 };

test('each bucket is a shard of its own, and a query of a worker reads one', limit, async () => {
  if (missing) return console.warn(missing);
  const shared = await openTestShared(onCitus);
  const layout = await readLayout(shared);
  expect(layout.buckets).toMatchObject({ isOnCitus: true, runBits: fewBuckets.runBits });
  const { rows } = await shared.admin.pool.query<{ shards: number }>(
    `SELECT count(DISTINCT get_shard_id_for_distribution_column('match_person', bucket))::int
       AS shards FROM unnest($1::int[]) bucket`,
    [layout.buckets?.values],
  );
  expect(rows).toEqual([{ shards: fewBuckets.buckets }]);
  const queries = [
    ...listQueries.keys(layout, listSomeKeys(100)),
    ...listQueries.groups(layout, listSomeKeys(100)),
    ...listQueries.documents(
      layout,
      Array.from({ length: 100 }, (_, at) => at + 1),
    ),
  ];
  expect(queries).toHaveLength(3 * fewBuckets.buckets);
  for (const query of queries) {
    const plan = await explain(shared.admin, query);
    expect(plan).toContain('Citus Adaptive');
    expect(plan).toContain('Task Count: 1\n');
  }
  expect(await readSharedStatus(shared.admin)).toMatchObject({ buckets: 5, is_on_citus: true });
});

test('a directory on Citus answers as the index in memory', limit, async () => {
  if (missing) return;
  await proveEquality([await openTestShared(onCitus)], 60, 10);
});

test('a load, an update and an undo leave the rows of one table on Citus', limit, async () => {
  if (missing) return;
  const plain = await openTestShared({ createDatabase: createCitusDatabase });
  await proveUndo({ plain, distributed: await openTestShared(onCitus) });
});

test('roles and the suppression list hold on Citus', limit, async () => {
  if (missing) return;
  await proveRolesAndSuppression(await openTestShared(onCitus));
});

test('a search on Citus finds the people of the own search', limit, async () => {
  if (missing) return;
  await checkSearchEquality(40, 5, onCitus);
});

test('a job, its review and a later job are those of one engine', limit, async () => {
  if (missing) return;
  await proveReview(onCitus);
});

test('a database on Citus is of one team', limit, async () => {
  if (missing) return;
  const { admin } = await openTestShared(onCitus);
  const sales = { tenant: 'sales', login: 'sales', role: 'loader', password: 'x' } as const;
  await expect(addTenantLogin(admin, sales)).rejects.toThrow('a database for each');
});

test('a worker on Citus never mixes the states of a load and the one before', limit, async () => {
  if (missing) return;
  await proveOneState(await openTestShared(onCitus));
});
