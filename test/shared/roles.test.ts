// The rights of roles, the rows of teams, and migrations of a shared directory.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsDir } from '../../engine/platform/paths.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { SharedFailure } from '../../engine/shared/connection/shared-failure.ts';
import { loadDirectory, undoLastLoad } from '../../engine/shared/load/load-directory.ts';
import { checkTables, migrateShared } from '../../engine/shared/migrations/migrate-shared.ts';
import { separateTenants } from '../../engine/shared/roles/separate-tenants.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';

const missing = postgresMissing();

const runAs = (connection: SharedConnection, text: string): Promise<string> =>
  connection
    .use((client) => client.query(text))
    .then(
      ({ rows }) => JSON.stringify(rows),
      (error: unknown) => (error instanceof SharedFailure ? error.problem : String(error)),
    );

/** A table that a later migration adds. */
const addTable = `SET ROLE desk_migrator;
  CREATE TABLE desk.added (id int PRIMARY KEY);
  INSERT INTO desk.added VALUES (1); RESET ROLE`;

const addBatch = `INSERT INTO match_batch
  (job_uuid, first_row, digest, format, mapping, threshold, rows)
  VALUES (gen_random_uuid(), 0, '', 1, '{}', 0.8, '')`;

test('each role has the rights that it needs, and no others', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  await admin.pool.query(addTable);
  await migrateShared(admin);
  const [reader, jobs, queue, loader] = [
    await connectAs('desk_reader'),
    await connectAs('desk_jobs'),
    await connectAs('desk_queue'),
    await connectAs('desk_loader'),
  ];
  const insert = 'INSERT INTO added VALUES (2)';
  expect(await runAs(loader, 'TRUNCATE added')).toBe('rights');
  for (const text of [insert, 'DELETE FROM added', 'TRUNCATE added', 'DROP TABLE added'])
    expect([text, await runAs(reader, text)]).toEqual([text, 'rights']);
  for (const text of [addBatch, 'TABLE match_batch', 'CREATE TABLE desk.own (id int)'])
    expect([text, await runAs(reader, text)]).toEqual([text, 'rights']);
  // Nor may it see who is whose, or become another role.
  for (const text of ['TABLE tenant_login', 'SET ROLE desk_loader'])
    expect([text, await runAs(reader, text)]).toEqual([text, 'rights']);
  expect(await runAs(reader, 'TABLE added')).toBe('[{"id":1}]');
  expect(await runAs(queue, 'TABLE added')).toBe('[{"id":1}]');
  expect(await runAs(queue, insert)).toBe('rights');
  expect(await runAs(queue, addBatch)).toBe('[]');
  expect(await runAs(queue, 'SELECT FROM match_batch FOR UPDATE')).toBe('[{}]');
  expect(await runAs(jobs, 'SELECT FROM match_batch FOR UPDATE')).toBe('[{}]');
  // Only a worker reads the cells that others wait for, and answers them.
  for (const text of [
    'SELECT rows FROM match_batch',
    'SELECT mapping FROM match_batch',
    `INSERT INTO match_answer (job_uuid, first_row, digest, generation, worker)
       VALUES (gen_random_uuid(), 0, '', 1, 'w')`,
  ]) {
    expect([text, await runAs(jobs, text)]).toEqual([text, 'rights']);
    expect([text, await runAs(queue, text)]).not.toEqual([text, 'rights']);
  }
  expect(await runAs(loader, insert)).toBe('[]');
  expect(await runAs(loader, 'TABLE match_batch')).toBe('rights');
  expect(await runAs(loader, 'ALTER TABLE added ADD COLUMN more int')).toMatch(/rights/);
  // Nothing that only fills the disk of others.
  for (const text of [
    'CREATE TEMP TABLE own (id int)',
    'SELECT lo_create(0)',
    'SELECT lo_creat(0)',
  ])
    for (const login of [reader, jobs, queue])
      expect([text, await runAs(login, text)]).toEqual([text, 'rights']);
  expect(await runAs(loader, 'SELECT lo_create(0)')).toBe('rights');
});

/** Notes each table and mode that the login may lock. */
const tryLocks = `DO $$ DECLARE one text; locked text[] = '{}'; BEGIN
  FOR one IN SELECT relname || ' ' || mode FROM pg_class,
      unnest(ARRAY['SHARE UPDATE EXCLUSIVE', 'SHARE', 'EXCLUSIVE', 'ACCESS EXCLUSIVE']) mode
    WHERE relnamespace = 'desk'::regnamespace AND relkind IN ('r', 'p')
  LOOP
    BEGIN
      EXECUTE format('LOCK TABLE %s IN %s MODE', split_part(one, ' ', 1),
        substr(one, strpos(one, ' ') + 1));
      locked = locked || one;
    EXCEPTION WHEN insufficient_privilege THEN NULL; END;
  END LOOP;
  PERFORM set_config('desk.locked', array_to_string(locked, ', '), false);
END $$`;

test('only a loader and the owner may lock a table', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  // A right that an older version granted is taken away.
  await admin.pool.query('GRANT DELETE ON match_batch, match_answer TO desk_queue');
  await migrateShared(admin);
  const locked = (connection: SharedConnection) =>
    connection.use(async (client) => {
      await client.query(tryLocks);
      const { rows } = await client.query("SELECT current_setting('desk.locked') AS tables");
      return rows[0].tables as string;
    });
  for (const role of ['desk_reader', 'desk_jobs', 'desk_queue'])
    expect([role, await locked(await connectAs(role))]).toEqual([role, '']);
  expect(await locked(admin)).toContain('match_batch SHARE, match_batch EXCLUSIVE');
});

test('what a login locks holds up no load that it may not do, and no one for ever', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const reader = await connectAs('desk_reader');
  const queue = await connectAs('desk_queue');
  const loader = await connectAs('desk_loader', { lockMs: 20 });
  const engine = await connectAs('desk_queue', { lockMs: 20 });
  const secret = Buffer.alloc(16, 7);
  const load = () =>
    loadDirectory(loader, makeDirectory([{ first: 'Ann', last: 'Lee' }]), {
      secret,
      source: 'own',
    });
  await load();
  for (const lock of [
    'SELECT pg_advisory_lock(7243115), pg_advisory_lock(7243116)',
    'LOCK TABLE load_lock, shared_migration IN ACCESS SHARE MODE',
  ])
    await reader.transact(async (client) => {
      await client.query(lock);
      await undoLastLoad(loader, secret);
      await load();
      await migrateShared(admin);
    });
  for (const lock of [
    'SELECT FROM load_lock FOR SHARE',
    'BEGIN; LOCK TABLE load_lock IN SHARE MODE',
  ])
    for (const login of [reader, queue]) expect(await runAs(login, lock)).toBe('rights');
  const locked = {
    problem: 'unreachable',
    message: expect.stringContaining('another login, or a load'),
  };
  await admin.transact(async (client) => {
    await client.query('LOCK TABLE match_batch IN ACCESS EXCLUSIVE MODE');
    await expect(engine.use((own) => own.query('TABLE match_batch'))).rejects.toMatchObject(locked);
  });
  // One load at a time: the second one says so.
  const other = await connectAs('desk_loader');
  await other.transact(async (client) => {
    await client.query('SELECT FROM load_lock FOR UPDATE');
    await expect(load()).rejects.toMatchObject(locked);
  });
});

test('on a shared server each login sees the rows of its team alone', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const one = await connectAs('desk_queue');
  const other = await connectAs('desk_queue');
  const unknown = await connectAs('desk_queue');
  await runAs(one, addBatch);
  await admin.transact((client) =>
    separateTenants(client, [
      { tenant: 'team', login: one.login },
      { tenant: 'another team', login: other.login },
    ]),
  );
  const count = 'SELECT count(*)::int AS n FROM match_batch';
  await runAs(other, addBatch);
  await runAs(other, addBatch);
  expect(await runAs(one, count)).toBe('[{"n":1}]');
  expect(await runAs(other, count)).toBe('[{"n":2}]');
  expect(await runAs(unknown, count)).toBe('[{"n":0}]');
  // Nothing that a client can set changes its team.
  const drop = 'SELECT delete_batch(job_uuid, first_row, digest) FROM match_batch';
  await runAs(other, drop);
  expect(await runAs(other, count)).toBe('[{"n":0}]');
  expect(await runAs(one, count)).toBe('[{"n":1}]');
  const key = await admin.pool.query('SELECT job_uuid, first_row, digest FROM match_batch');
  await other.use((client) =>
    client.query('SELECT delete_batch($1, $2, $3)', Object.values(key.rows[0])),
  );
  expect(await runAs(one, count)).toBe('[{"n":1}]');
  await runAs(other, addBatch);
  const asGroup = await other.transact(async (client) => {
    await client.query('SET LOCAL ROLE desk_queue');
    return (await client.query(count)).rows;
  });
  expect(asGroup).toEqual([{ n: 1 }]);
  expect(
    await runAs(other, `${addBatch.replace('rows)', 'rows, tenant_id)').replace("'')", "'', 1)")}`),
  ).toBe('rights');
  expect(await runAs(unknown, addBatch)).not.toBe('[]');
  // A table that is added later is separated too.
  await admin.pool.query(addTable);
  await migrateShared(admin);
  expect(await runAs(one, 'SELECT id FROM added')).toBe('[{"id":1}]');
  expect(await runAs(other, 'SELECT id FROM added')).toBe('[]');
});

test('migrations run once, while others use the tables, and say what is missing', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const queue = await connectAs('desk_queue');
  await checkTables(queue);
  expect(await migrateShared(admin)).toBe(0);
  // A worker holds a batch meanwhile: the migration waits for it, and nothing is lost.
  const folder = makeTemporaryFolder();
  cpSync(migrationsDir('shared'), folder, { recursive: true });
  writeFileSync(join(folder, '900-later.sql'), 'ALTER TABLE match_batch ADD COLUMN later int;');
  await runAs(queue, addBatch);
  const began = Promise.withResolvers<void>();
  const holding = queue.transact(async (client) => {
    await client.query('SELECT FROM match_batch FOR UPDATE SKIP LOCKED');
    began.resolve();
    await expect
      .poll(() => runAs(admin, 'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted'))
      .not.toBe('[{"n":0}]');
    await client.query('SELECT delete_batch(job_uuid, first_row, digest) FROM match_batch');
  });
  await began.promise;
  const [, ran] = await Promise.all([holding, migrateShared(admin, folder)]);
  expect(ran).toBe(1);
  expect(await runAs(queue, 'SELECT later FROM match_batch')).toBe('[]');
  // This version, which does not know the migration, goes on.
  await checkTables(queue);
  await admin.pool.query('DELETE FROM desk.shared_migration');
  await expect(checkTables(queue)).rejects.toMatchObject({ problem: 'older' });
  await admin.pool.query('DROP TABLE desk.shared_migration');
  await expect(checkTables(queue)).rejects.toMatchObject({ problem: 'empty' });
  await expect(migrateShared(queue)).rejects.toMatchObject({ problem: 'rights' });
});
