// `desk shared` from an empty database to an undo, with lists of the product's own import.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase, postgresMissing } from '../postgres/shared-postgres.ts';
import { makePlace } from './run-desk.ts';

const missing = postgresMissing();

test('lists are loaded, updated and undone; the password is in no argument', async () => {
  if (missing) return console.warn(missing);
  const { username, password, host, pathname } = new URL((await createTestDatabase()).url);
  vi.stubEnv('PGPASSWORD', password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = makePlace();
  onTestFinished(() => place.remove());
  const url = `postgres://${username}@${host}${pathname}`;
  const to = ['--url', url, '--secret-file', 'team.secret'];
  const desk = async (...args: string[]) => {
    const run = await place.here('shared', ...args, '--json');
    return { ...run, ...(run.code === 0 ? { json: run.json } : {}) };
  };
  expect((await desk('status', '--url', `postgres://x:y@${host}${pathname}`)).stderr).toContain(
    'Leave the password out of the address',
  );
  expect((await desk('load', '--from', 'own', ...to)).stderr).toContain('There is no file');
  expect((await desk('init', ...to)).json).toMatchObject({ secret_created: true });
  expect((await desk('init', ...to)).json).toEqual({ migrations: 0, secret_created: false });
  const secret = join(place.dir, 'team.secret');
  if (process.platform !== 'win32') expect(statSync(secret).mode & 0o777).toBe(0o600);

  place.write('one.csv', 'First name,Last name,Company\nAnn,Lee,Acme Inc\nBob,Moe,Beta Works\n');
  place.write('two.csv', 'First name,Last name,Company\nCarl,Ode,Acme Inc\nAnn,Lee,Acme Inc\n');
  const early = await desk('update', 'one.csv', '--from', 'own', ...to);
  expect(early.stderr).toContain('no people yet');
  const loaded = await desk('load', '--from', 'own', ...to);
  expect(loaded.json).toMatchObject({ people: 2, changed_people: 2, generation: 1 });
  expect(loaded.stderr).toContain('Reading people: 100%');
  expect((await desk('load', '--from', 'own', ...to)).stderr).toContain('has people already');
  const updated = await desk('update', 'two.csv', '--from', 'own', ...to);
  expect(updated.json).toMatchObject({ people: 3, generation: 2 });
  expect((await desk('undo', ...to)).json).toEqual({ import_id: 2, generation: 3, people: 2 });
  const { json = {} } = await desk('status', '--url', url);
  expect(json).toMatchObject({ generation: 3, people: 2, companies: 2 });
  expect((json.imports as { source: string }[]).map(({ source }) => source)).toHaveLength(2);
  // No engine was needed: the data folder was not created.
  expect(existsSync(place.dataDir)).toBe(false);

  expect((await desk('test')).code).toBe(1);
  const off = { has_secret: false, matches_here: false };
  expect((await desk('use', '--url', url)).json).toMatchObject({
    ...off,
    address: url,
    is_on: true,
    test: { is_ready: true },
  });
  vi.stubEnv('PGPASSWORD', 'wrong');
  const wrong = await desk('use', '--url', url);
  expect([wrong.code, wrong.json.test]).toMatchObject([1, { problem: 'password' }]);
  vi.stubEnv('PGPASSWORD', password);
  await desk('use', '--url', url);
  expect((await desk('use', '--match', 'on')).stderr).toContain("the secret of the team's keys");
  const used = await desk('use', '--secret-file', 'team.secret', '--match', 'on', '--ask', 'off');
  expect(used.json).toMatchObject({ has_secret: true, matches_here: true, is_on: false });
  expect((await desk('test')).json).toMatchObject({ is_ready: true, people: 2 });
  const order = ['enrich', 'one.csv', '--layers', 'L1', '--out', 'found.csv'];
  const sentence = 'are looked up in the team’s directory when the job runs';
  expect((await place.here(...order)).stderr).not.toContain(sentence);
  await desk('use', '--ask', 'on');
  expect((await place.here(...order)).stderr).toContain(sentence);
});

test('a directory in buckets is created, loaded, updated and undone by the same commands', async () => {
  if (missing) return console.warn(missing);
  const { username, password, host, pathname } = new URL((await createTestDatabase()).url);
  vi.stubEnv('PGPASSWORD', password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = makePlace();
  onTestFinished(() => place.remove());
  const to = ['--url', `postgres://${username}@${host}${pathname}`];
  const secretTo = [...to, '--secret-file', 'team.secret'];
  const desk = async (...args: string[]) => place.here('shared', ...args, '--json');
  for (const refused of [
    ['--buckets', '4'],
    ['--distributed', '--buckets', '1'],
  ])
    expect((await desk('init', ...refused, ...secretTo)).code).toBe(2);
  const init = await desk('init', '--distributed', '--buckets', '4', ...secretTo);
  // The server of the tests has no Citus.
  expect(init.json).toMatchObject({ buckets: 4, is_on_citus: false });
  expect((await desk('init', ...secretTo)).json).toMatchObject({ migrations: 0, buckets: 4 });
  expect((await desk('init', '--distributed', ...secretTo)).json).toMatchObject({ buckets: 4 });
  const other = await desk('init', '--distributed', '--buckets', '5', ...secretTo);
  expect(other.stderr).toContain('in 4 buckets');
  place.write('one.csv', 'First name,Last name,Company\nAnn,Lee,Acme Inc\nBob,Moe,Beta Works\n');
  place.write('two.csv', 'First name,Last name,Company\nCarl,Ode,Acme Inc\n');
  const from = ['--from', 'own', ...secretTo];
  expect((await desk('load', 'one.csv', ...from)).json).toMatchObject({ people: 2 });
  expect((await desk('update', 'two.csv', ...from)).json).toMatchObject({ people: 3 });
  expect((await desk('undo', ...secretTo)).json).toMatchObject({ people: 2 });
  expect((await desk('status', ...to)).json).toMatchObject({ people: 2, buckets: 4 });
});

test('an engine starts over the folder that a first load has put its lists into', async () => {
  if (missing) return console.warn(missing);
  const { username, password, host, pathname } = new URL((await createTestDatabase()).url);
  vi.stubEnv('PGPASSWORD', password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = makePlace();
  onTestFinished(() => place.remove());
  const to = ['--url', `postgres://${username}@${host}${pathname}`, '--secret-file', 'team.secret'];
  place.write('one.csv', 'First name,Last name,Company\nAnn,Lee,Acme Inc\nBob,Moe,Beta Works\n');
  expect((await place.here('shared', 'init', ...to)).code).toBe(0);
  expect((await place.here('shared', 'load', 'one.csv', ...to)).code).toBe(0);
  const stats = await place.here('directory', 'stats', '--json');
  expect(stats.stderr).toBe('');
  expect(stats.json).toMatchObject({ people: 2 });
});
