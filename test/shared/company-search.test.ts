// Searches of companies while versions with and without them load.
import { expect, test } from 'vitest';
import { loadDirectory, undoLastLoad } from '../../engine/shared/load/load-directory.ts';
import { openTeamSearch } from '../../engine/shared/search/team-search.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';

const missing = postgresMissing();
const secret = Buffer.alloc(16, 7);
const page = { limit: 25, offset: 0 } as const;
const listOf = (names: readonly string[]) =>
  makeDirectory(names.map((at, nth) => ({ first: `P${nth}`, last: 'Lee', jobs: [{ at }] })));

async function openSearched() {
  const shared = await openTestShared();
  const { admin } = shared;
  const team = openTeamSearch(admin, (await openJobFixture()).database);
  const load = (...names: string[]) =>
    loadDirectory(admin, listOf(names), { secret, source: 'test' });
  const found = async () => (await team.companies(page)).results.map(({ name }) => name);
  return { ...shared, team, load, found };
}

test('companies are searched again after an update if an older version changed the people', async () => {
  if (missing) return console.warn(missing);
  const { admin, load, found, team } = await openSearched();
  await load('Acme', 'Beta');
  expect(await found()).toEqual(['Acme', 'Beta']);
  await load('Acme', 'Gamma');
  await undoLastLoad(admin, secret);
  expect(await found()).toEqual(['Acme', 'Beta']);
  // An older version updates: it raises the number, and writes nothing of companies.
  await admin.pool.query(`UPDATE generation SET number = number + 1;
    INSERT INTO shared_import
      (import_id, generation, source, is_first, people, changed_people)
    VALUES (9, 5, 'old', false, 2, 1)`);
  await expect(found()).rejects.toThrow('Run “desk shared update” once');
  expect((await team.people(page)).total).toBe(2);
  await load('Acme', 'Delta');
  expect(await found()).toEqual(['Acme', 'Delta']);
  // What the undo restores is the state of the older version.
  await undoLastLoad(admin, secret);
  await expect(found()).rejects.toThrow('Run “desk shared update” once');
  team.close();
});

test('an empty directory has no companies, and a list of companies alone is loaded again', async () => {
  if (missing) return console.warn(missing);
  const { admin, found, team } = await openSearched();
  expect(await found()).toEqual([]);
  const load = (...names: string[]) =>
    loadDirectory(
      admin,
      makeDirectory(
        [],
        names.map((name) => ({ name })),
      ),
      { secret, source: 'test' },
    );
  await load('Acme');
  expect(await found()).toEqual(['Acme']);
  await load('Acme', 'Beta');
  expect(await found()).toEqual(['Acme', 'Beta']);
  await undoLastLoad(admin, secret);
  expect(await found()).toEqual(['Acme']);
  await undoLastLoad(admin, secret);
  expect(await found()).toEqual([]);
  // What an older version would have left, because it does not know these tables.
  await admin.pool.query(`INSERT INTO search_company VALUES (1, 1, '{7}');
    INSERT INTO search_company_set VALUES (7, 0, 1, B'1'::bit(16384))`);
  await load('Gamma');
  expect(await found()).toEqual(['Gamma']);
  const { rows } = await admin.pool.query('SELECT count(*)::int AS count FROM search_company');
  expect(rows).toEqual([{ count: 1 }]);
  team.close();
});
