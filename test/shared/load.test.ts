// Loads, updates and undos of the shared directory.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reasons } from '../../engine/contract/jobs/job.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { loadDirectory, undoLastLoad } from '../../engine/shared/load/load-directory.ts';
import { openSharedMatcher } from '../../engine/shared/match-shared.ts';
import { readSharedStatus } from '../../engine/shared/read-status.ts';
import { separateTenants } from '../../engine/shared/roles/separate-tenants.ts';
import { listPeopleAt, rangeOfAddress } from '../../engine/shared/search/address-ranges.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';
import { makeRandomDirectory, randomDirectory } from './random-directory.ts';
import { readContent } from './read-content.ts';

const missing = postgresMissing();
const secret = Buffer.alloc(16, 7);

test('undoing an update restores every table, and a repeated one brings the same content', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const load = (people: Parameters<typeof makeRandomDirectory>[0], source: string) =>
    loadDirectory(admin, makeRandomDirectory(people), { secret, source });
  const drawn = fc.sample(randomDirectory(40), { numRuns: 3, seed: 5 });
  const [first, second, third] = drawn.map(({ people }) => people);
  await load(first!, 'first');
  const before = await readContent(admin);
  await load(second!, 'second');
  const after = await readContent(admin);
  expect(after).not.toEqual(before);
  await load(third!, 'third');
  await undoLastLoad(admin, secret);
  expect(await readContent(admin)).toEqual(after);
  await undoLastLoad(admin, secret);
  expect(await readContent(admin)).toEqual(before);
  await load(second!, 'second');
  expect(await readContent(admin)).toEqual(after);
  await undoLastLoad(admin, secret);
  await undoLastLoad(admin, secret);
  for (const rows of Object.values(await readContent(admin))) expect(rows).toEqual([]);
  await expect(undoLastLoad(admin, secret)).rejects.toThrow('no load to undo');
  const { imports, generation } = await readSharedStatus(admin);
  expect(imports.filter((one) => one.undone_at === null)).toEqual([]);
  // Every change made a generation of its own.
  expect(generation).toBe(8);
});

const people = [
  {
    first: 'Ann',
    last: 'Lee',
    url: 'https://www.linkedin.com/in/ann-lee-1',
    jobs: [{ at: 'Acme Inc', email: 'ann.lee@acme.com' }],
  },
  { first: 'Bob', last: 'Moe', jobs: [{ at: 'Beta Works', email: 'bob@beta.io' }] },
];
const rowOf = (cells: string) => Buffer.from(`${cells}\n`);
const byName = { first_name: 0, last_name: 1, company_name: 2 };

test('among teams, a login that sees every team changes none of them', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const [one, other] = [await connectAs('desk_loader'), await connectAs('desk_loader')];
  const withoutTeam = await connectAs('desk_loader');
  await admin.transact((client) =>
    separateTenants(client, [
      { tenant: 'one', login: one.login },
      { tenant: 'other', login: other.login },
      { tenant: 'other', login: admin.address.user },
    ]),
  );
  const load = (connection: SharedConnection) =>
    loadDirectory(connection, makeDirectory(people), { secret, source: 'own' });
  await load(one);
  await load(other);
  const before = await readContent(admin);
  await expect(undoLastLoad(admin, secret)).rejects.toThrow('the people of all of them');
  await expect(load(admin)).rejects.toThrow('the people of all of them');
  await expect(load(withoutTeam)).rejects.toThrow('this login has none');
  expect(await readContent(admin)).toEqual(before);
});

test('a loader without rights of the owner loads, and a reader matches', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const [loader, reader] = [await connectAs('desk_loader'), await connectAs('desk_reader')];
  await loadDirectory(loader, makeDirectory(people), { secret, source: 'own' });
  const matcher = openSharedMatcher(reader, { secret });
  const { batch } = await matcher.match(rowOf('Ann,Lee,Acme'), byName, 0.9);
  expect([...batch.personIds]).toEqual([1]);
  await expect(
    loadDirectory(reader, makeDirectory(people), { secret, source: 'own' }),
  ).rejects.toMatchObject({ problem: 'rights' });
  // What matching reads has no email, URL or phone, and no name in clear but in match_name.
  for (const table of ['match_person', 'person_keys', 'block_key']) {
    const { rows } = await admin.pool.query(
      `SELECT encode(t::text::bytea, 'escape') AS text FROM ${table} t`,
    );
    const text = rows
      .map((row) => row.text)
      .join('\n')
      .toLowerCase();
    for (const word of ['acme', 'lee', 'ann', 'linkedin', 'beta']) expect(text).not.toContain(word);
  }
});

test('a new state reaches the next batch, a suppressed person is not answered', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const matcher = openSharedMatcher(admin, { secret });
  const match = async () => (await matcher.match(rowOf('Ann,Lee,Acme'), byName, 0.9)).batch;
  await expect(match()).rejects.toMatchObject({ problem: 'empty' });
  await loadDirectory(admin, makeDirectory(people), { secret, source: 'one' });
  expect([...(await match()).personIds]).toEqual([1]);
  const hidden = people.map((one, at) => ({ ...one, suppressed: at === 0 }));
  const report = await loadDirectory(admin, makeDirectory(hidden), { secret, source: 'two' });
  expect(report).toMatchObject({ people: 2, changedPeople: 1, generation: 2 });
  const answer = await match();
  expect(answer.personIds[0]).toBe(0);
  expect(reasons[answer.reasons[0]!]).toBe('suppressed');
  expect(matcher.generation).toBe(2);
});

test('another secret is refused, and a stopped load changes nothing', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const stopped = AbortSignal.abort();
  await expect(
    loadDirectory(admin, makeDirectory(people), { secret, source: 'x', signal: stopped }),
  ).rejects.toThrow('aborted');
  expect((await readSharedStatus(admin)).generation).toBe(0);
  await loadDirectory(admin, makeDirectory(people), { secret, source: 'one' });
  const other = { secret: Buffer.alloc(16, 8) };
  await expect(openSharedMatcher(admin, other).match(rowOf('a,b,c'), byName, 0.9)).rejects.toThrow(
    'another secret',
  );
  await expect(
    loadDirectory(admin, makeDirectory(people), { ...other, source: 'two' }),
  ).rejects.toThrow('another secret');
});

test('teams that share a server load, match and undo what is theirs', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const [one, other] = [await connectAs('desk_loader'), await connectAs('desk_loader')];
  await admin.transact((client) =>
    separateTenants(client, [
      { tenant: 'one', login: one.login },
      { tenant: 'other', login: other.login },
    ]),
  );
  const secrets = [secret, Buffer.alloc(16, 9)] as const;
  await loadDirectory(one, makeDirectory(people), { secret: secrets[0], source: 'one' });
  // The same ids, other people.
  const others = [...people].reverse();
  await loadDirectory(other, makeDirectory(others), { secret: secrets[1], source: 'other' });
  const ask = async (connection: SharedConnection, own: Buffer) => {
    const matcher = openSharedMatcher(connection, { secret: own });
    return (await matcher.match(rowOf('Ann,Lee,Acme'), byName, 0.9)).batch.personIds[0];
  };
  expect(await ask(one, secrets[0])).toBe(1);
  expect(await ask(other, secrets[1])).toBe(2);
  // The function that finds addresses acts as the owner of the tables, and for the own team alone.
  const findAnn = (connection: SharedConnection) =>
    connection.use((client) => listPeopleAt(client, [rangeOfAddress('ANN.lee@acme.com')]));
  expect([await findAnn(one), await findAnn(other)]).toEqual([[1], [2]]);
  const [withoutTeam, stranger] = [await connectAs('desk_reader'), await connectAs('pg_monitor')];
  expect(await findAnn(withoutTeam)).toEqual([]);
  await expect(findAnn(stranger)).rejects.toThrow('desk_people_at');
  const after = await loadDirectory(one, makeDirectory(others), { secret, source: 'changed' });
  expect(after).toMatchObject({ changedPeople: 2, importId: 2 });
  expect(await ask(one, secrets[0])).toBe(2);
  await undoLastLoad(one, secret);
  expect(await ask(one, secrets[0])).toBe(1);
  expect(await ask(other, secrets[1])).toBe(2);
});
