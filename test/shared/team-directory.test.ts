// The team directory as a setting of an engine, over its routes and a real server.
import { expect, test } from 'vitest';
import { networkCheckMs } from '../../engine/contract/limits/waterfall.ts';
import { setWhenOffline } from '../../engine/jobs/create-job-commands.ts';
import { getJobById } from '../../engine/jobs/job.table.ts';
import { listNotes } from '../../engine/providers/waterfall/provider-note.table.ts';
import { sharedFormat } from '../../engine/shared/generation.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openTeam } from './queue/open-team.ts';
import { teamRows } from './shared-fixture.ts';

const missing = postgresMissing();

test('the password is in the keychain for its address, and a test names what is wrong', async () => {
  if (missing) return console.warn(missing);
  const { own, shared, team, keychain, address, password, startWorker } = await openTeam();
  const set = (change: Parameters<typeof team.calls.changeSharedDirectory>[0]) =>
    team.calls.changeSharedDirectory(change);
  expect(await team.calls.testSharedDirectory(null)).toBeNull();
  await expect(set({ address })).rejects.toThrow('Enter the password');
  await set({ address, password: 'wrong' });
  expect(await team.calls.testSharedDirectory(null)).toMatchObject({ problem: 'password' });
  await set({ address, password });
  const found = await team.calls.testSharedDirectory(null);
  expect(found).toMatchObject({
    is_ready: true,
    workers: 0,
    waiting_batches: 0,
    lag_seconds: null,
  });
  startWorker();
  await expect.poll(async () => (await team.calls.testSharedDirectory(null))?.workers).toBe(1);
  const load = (format: number) =>
    shared.admin.pool.query(
      `INSERT INTO generation (number, format, people, secret_check) VALUES (3, $1, 5, 0)
       ON CONFLICT (tenant_id) DO UPDATE SET format = $1`,
      [format],
    );
  for (const other of [sharedFormat - 1, sharedFormat + 1]) {
    await load(other);
    const another = await team.calls.testSharedDirectory(null);
    expect(another).toMatchObject({ is_ready: false, problem: 'format' });
  }
  await load(sharedFormat);
  const loaded = await team.calls.testSharedDirectory(null);
  expect(loaded).toMatchObject({ is_ready: true, people: 5, generation: 3 });
  // Another address does not receive the password.
  const elsewhere = address.replace('127.0.0.1', 'localhost');
  await expect(set({ address: elsewhere })).rejects.toThrow('Enter the password');
  own.database.prepare('UPDATE shared_directory SET address = ?').run(elsewhere);
  expect(await team.calls.testSharedDirectory(null)).toMatchObject({ problem: 'secrets' });
  own.database.prepare('UPDATE shared_directory SET address = ?').run(address);
  // The keychain alone has it, bound to its address.
  const entries = () => [...keychain.entries.values()];
  expect(entries()).toEqual([expect.stringContaining(password)]);
  const { entry, sealed } = own.database.prepare('SELECT * FROM shared_directory').get() as {
    entry: string;
    sealed: Buffer | null;
  };
  expect([keychain.entries.has(entry), sealed]).toEqual([true, null]);
  await set({ address: elsewhere, password });
  expect(entries()).toEqual([expect.stringContaining(password)]);
  // A server may let the own user in by its socket file, without a password.
  await set({ address: 'postgres://anna@%2Fnowhere/team' });
  expect(entries()).toEqual([expect.stringContaining('"password":""')]);
  await set({ address: elsewhere, password });
  // A locked keychain keeps its entry for later, and a new password out of engine.db.
  keychain.problem = 'late';
  await expect(set({ address, password })).rejects.toMatchObject({ code: 'secrets_unavailable' });
  await team.calls.removeSharedDirectory(null);
  const marked = own.database.prepare('SELECT entry FROM unused_keychain_entry').pluck().all();
  expect(marked).toEqual(expect.arrayContaining([...keychain.entries.keys()]));
  await expect(team.calls.removeSharedDirectory(null)).rejects.toThrow('no shared directory');
});

test('rows wait for a server that is lost, continue when it is back, or go on without it', async () => {
  if (missing) return console.warn(missing);
  const { own, team, start, clock, shared, address, password, startWorker, outcome } =
    await openTeam();
  await team.calls.changeSharedDirectory({ address, password });
  const { database } = own;
  const lose = async () => {
    await shared.admin.pool.query(
      `UPDATE pg_database SET datconnlimit = 0 WHERE datname = current_database();
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename = '${password}' AND pid <> pg_backend_pid()`,
    );
  };
  const find = () =>
    shared.admin.pool.query(
      'UPDATE pg_database SET datconnlimit = -1 WHERE datname = current_database()',
    );
  await lose();
  const scheduler = start(team);
  const [waits, goesOn] = [own.submit(teamRows), own.submit(teamRows)];
  scheduler.wake();
  const isWaiting = (uuid: string) =>
    expect
      .poll(() => own.read(uuid))
      .toMatchObject({ status: 'running', waitingRows: 69, processedRows: 70, enrichedRows: 1 });
  await isWaiting(waits);
  await isWaiting(goesOn);
  const { id: accountId } = own.account;
  setWhenOffline(database, { accountId, jobId: goesOn, whenOffline: 'leave_out' });
  scheduler.wake();
  await expect.poll(() => own.read(goesOn).status).toBe('completed');
  expect(own.read(goesOn).enrichedRows).toBe(1);
  expect(listNotes(database, own.read(goesOn).id)).toMatchObject([
    { provider: 'team-directory', detail: expect.stringContaining('not looked up') },
  ]);
  await find();
  startWorker();
  clock.pass(networkCheckMs);
  await expect.poll(() => getJobById(database, own.read(waits).id)?.status).toBe('completed');
  expect(outcome(own, waits).enrichedRows).toBe(61);
  expect(listNotes(database, own.read(waits).id)).toEqual([]);
  await scheduler.stop();
});
