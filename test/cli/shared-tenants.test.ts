// `desk shared tenants`: two teams in one database, each with its logins, loads and secret.
import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase, postgresMissing } from '../postgres/shared-postgres.ts';
import { makePlace } from './run-desk.ts';

const missing = postgresMissing();

async function openDatabase() {
  const { username, password, host, pathname } = new URL((await createTestDatabase()).url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = makePlace();
  onTestFinished(() => place.remove());
  /** Runs a command with a login of the database. */
  const runAs = async (login: string, secret: string, ...args: string[]) => {
    vi.stubEnv('PGPASSWORD', secret);
    const url = `postgres://${login}@${host}${pathname}`;
    return place.here('shared', ...args, '--url', url, '--json');
  };
  return { place, runAs, admin: (...args: string[]) => runAs(username, password, ...args) };
}

/** Roles are of the server, which other tests use too. */
const name = (what: string) => `${what}_${randomBytes(4).toString('hex')}`;

test('teams of one database load and see their own people alone, until one is removed', async () => {
  if (missing) return console.warn(missing);
  const { place, runAs, admin } = await openDatabase();
  place.write('one.csv', 'First name,Last name,Company\nAnn,Lee,Acme Inc\nBob,Moe,Beta Works\n');
  place.write('two.csv', 'First name,Last name,Company\nZoe,Quint,Acme Inc\n');
  await admin('init', '--secret-file', 'one.secret');
  await admin('load', 'one.csv', '--from', 'one', '--secret-file', 'one.secret');
  const [anna, loader] = [name('anna'), name('loader')];
  // What is loaded has a team, which must not lose it by accident.
  const early = await admin('tenants', 'add', 'sales', loader, '--role', 'loader');
  expect(early.stderr).toContain('desk shared tenants add team');
  const added = await admin('tenants', 'add', 'team', anna, '--role', 'reader');
  expect(added.json).toMatchObject({ tenant: 'team', login: anna, role: 'reader' });
  const { password: annas } = added.json as { password: string };
  expect((await admin('tenants', 'add', 'team', anna, '--existing')).json).toMatchObject({
    role: 'queue',
    password: null,
  });
  const missingLogin = await admin('tenants', 'add', 'sales', name('nobody'), '--existing');
  expect(missingLogin.stderr).toContain('There is no login');
  expect((await admin('tenants', 'add', 'sales', loader, '--role', 'king')).code).toBe(2);
  const ofSales = await admin('tenants', 'add', 'sales', loader, '--role', 'loader');
  const { password: loaders } = ofSales.json as { password: string };
  await admin('init', '--secret-file', 'two.secret');
  const load = ['load', 'two.csv', '--from', 'two', '--secret-file', 'two.secret'];
  expect((await runAs(loader, loaders, ...load)).json).toMatchObject({ people: 1, generation: 1 });
  const see = async (login: string, password: string) => {
    const { json } = await runAs(login, password, 'status');
    const { people, companies, imports } = json as {
      people: number;
      companies: number;
      imports: { source: string }[];
    };
    return [people, companies, imports.map(({ source }) => source)];
  };
  expect(await see(anna, annas)).toEqual([2, 2, ['one.csv']]);
  expect(await see(loader, loaders)).toEqual([1, 1, ['two.csv']]);
  expect((await admin('tenants', 'list')).json).toEqual([
    { tenant: 'team', logins: [anna], people: 2 },
    { tenant: 'sales', logins: [loader], people: 1 },
  ]);
  expect((await admin('tenants', 'remove', 'sales')).stderr).toContain('--with-people');
  expect((await admin('tenants', 'remove', 'nobody')).stderr).toContain('There is no team');
  const removed = await admin('tenants', 'remove', 'sales', '--with-people');
  expect(removed.json).toEqual({ tenant: 'sales', logins: [loader], people: 1 });
  expect(await see(anna, annas)).toEqual([2, 2, ['one.csv']]);
  expect((await runAs(loader, loaders, 'status')).stderr).toContain('refused the password');
  // The rows of the first team would be everyone's.
  expect((await admin('tenants', 'remove', 'team', '--with-people')).stderr).toContain(
    'every login',
  );
  expect((await admin('tenants', 'list')).json).toEqual([
    { tenant: 'team', logins: [anna], people: 2 },
  ]);
});

test('a team that has a database of its own is not read by the logins of another', async () => {
  if (missing) return console.warn(missing);
  const { username, password, host } = new URL((await createTestDatabase()).url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const place = makePlace();
  onTestFinished(() => place.remove());
  const run = (login: string, secret: string, database: string, ...args: string[]) => {
    vi.stubEnv('PGPASSWORD', secret);
    const url = `postgres://${login}@${host}/${database}`;
    return place.here('shared', ...args, '--url', url, '--json');
  };
  const admin = (database: string, ...args: string[]) => run(username, password, database, ...args);
  const [one, other] = [name('one'), name('other')];
  for (const database of [one, other]) {
    const created = await admin(
      database,
      'init',
      '--create',
      '--secret-file',
      `${database}.secret`,
    );
    expect(created.json).toMatchObject({ secret_created: true });
  }
  const again = await admin(one, 'init', '--create', '--secret-file', 'one.secret');
  expect(again.stderr).toContain('is there already');
  const login = name('anna');
  const added = await admin(one, 'tenants', 'add', 'team', login);
  const { password: secret } = added.json as { password: string };
  expect((await run(login, secret, one, 'status')).json).toMatchObject({ people: 0 });
  // Roles are of the whole server, so that only the right to connect keeps it out.
  expect((await run(login, secret, other, 'status')).stderr).toContain('no right');
});
