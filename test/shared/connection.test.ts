// Addresses of a shared directory, and what a connection to it refuses.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openSharedConnection } from '../../engine/shared/connection/open-connection.ts';
import {
  formatSharedAddress,
  parseSharedAddress,
  type SharedAddress,
} from '../../engine/shared/connection/shared-address.ts';
import { SharedFailure } from '../../engine/shared/connection/shared-failure.ts';
import { createTestDatabase, postgresMissing } from '../postgres/shared-postgres.ts';

const missing = postgresMissing();

const refusalOf = (text: string): string => {
  try {
    parseSharedAddress(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('an address on another machine needs TLS with a given authority, and no password', () => {
  const full = 'postgres://desk@db.example.com:6432/team?sslmode=verify-full&sslrootcert=%2Fca.pem';
  expect(parseSharedAddress(full)).toEqual({
    host: 'db.example.com',
    port: 6432,
    database: 'team',
    user: 'desk',
    tls: { authorities: '/ca.pem' },
  });
  expect(formatSharedAddress(parseSharedAddress(full))).toBe(full);
  for (const here of ['postgres://desk@[::1]/team', 'postgres://desk@localhost/team'])
    expect(formatSharedAddress(parseSharedAddress(here))).toBe(here);
  const socket = 'postgres://desk@%2Fvar%2Frun%2Fpostgresql:5433/team';
  expect(parseSharedAddress(socket)).toMatchObject({ host: '/var/run/postgresql', port: 5433 });
  expect(formatSharedAddress(parseSharedAddress(socket))).toBe(socket);
  expect(refusalOf(`${socket}?sslmode=verify-full&sslrootcert=system`)).toMatch(/has no TLS/);
  expect(refusalOf('postgres://desk@%zz/team')).toMatch(/not one of PostgreSQL/);
  expect(refusalOf('postgres://desk@%2E%2Fsocket/team')).toMatch(/needs sslmode=verify-full/);
  expect(refusalOf('postgres://desk:secret@localhost/team')).toMatch(/Leave the password out/);
  expect(refusalOf('postgres://desk@db.example.com/team')).toMatch(/needs sslmode=verify-full/);
  for (const mode of ['require', 'prefer', 'no-verify', 'verify-ca'])
    expect(refusalOf(`postgres://desk@db.example.com/team?sslmode=${mode}`)).toMatch(
      /nothing else/,
    );
  expect(refusalOf('postgres://d@db.example.com/t?sslmode=verify-full')).toMatch(/sslrootcert=/);
  expect(refusalOf('postgres://desk@localhost/team?host=evil.example')).toMatch(/nothing else/);
  expect(refusalOf('postgres://localhost/team')).toMatch(/needs a user/);
  expect(refusalOf('https://db.example.com')).toMatch(/not one of PostgreSQL/);
});

const problemOf = async (address: SharedAddress, password: string, text = 'SELECT 1') => {
  const connection = openSharedConnection({ address, password });
  onTestFinished(() => connection.close());
  const failure = await connection
    .use((client) => client.query(text))
    .then(
      () => null,
      (error: unknown) => error,
    );
  if (failure === null) return null;
  expect(failure).toBeInstanceOf(SharedFailure);
  expect(String((failure as Error).message)).not.toContain(password);
  return (failure as SharedFailure).problem;
};

test('each failure of a connection is named', async () => {
  if (missing) return console.warn(missing);
  const { url, caFile } = await createTestDatabase();
  const { password, username: user, port: portText, pathname } = new URL(url);
  const here = { host: '127.0.0.1', user, database: pathname.slice(1), tls: null };
  const address = { ...here, port: Number(portText) };
  expect(await problemOf(address, password)).toBeNull();
  expect(await problemOf({ ...address, port: 1 }, password)).toBe('unreachable');
  expect(await problemOf(address, 'another-password')).toBe('password');
  expect(await problemOf({ ...address, database: 'nowhere' }, password)).toBe('database');
  expect(await problemOf(address, password, 'SELECT * FROM not_there')).toBe('empty');
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `CREATE TABLE public.closed (id int); CREATE ROLE no_rights LOGIN PASSWORD 'known'`,
  );
  expect(await problemOf({ ...address, user: 'no_rights' }, 'known', 'TABLE public.closed')).toBe(
    'rights',
  );
  await admin.query('DROP ROLE no_rights');
  await admin.end();
  if (!caFile) return console.warn('No certificate was checked: openssl is not installed.');
  const secure = { ...address, host: 'localhost', tls: { authorities: caFile } };
  expect(await problemOf(secure, password)).toBeNull();
  // The certificate is not of this name, and then not of this authority.
  expect(await problemOf({ ...secure, host: '127.0.0.1' }, password)).toBe('certificate');
  expect(await problemOf({ ...secure, tls: { authorities: 'system' } }, password)).toBe(
    'certificate',
  );
});

test('a server that falls silent, or cannot do something now, is tried again', async () => {
  if (missing) return console.warn(missing);
  const { url } = await createTestDatabase();
  const { password, username: user, port, pathname } = new URL(url);
  const sockets: Socket[] = [];
  let isSilent = false;
  // A network that is gone ends no connection.
  const proxy = createServer((socket) => {
    const server = connect(Number(port), '127.0.0.1');
    sockets.push(socket, server);
    for (const one of [socket, server]) one.on('error', () => undefined);
    socket.on('data', (bytes) => isSilent || server.write(bytes));
    server.on('data', (bytes) => isSilent || socket.write(bytes));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const at = (proxy.address() as AddressInfo).port;
  const address = { host: '127.0.0.1', port: at, user, database: pathname.slice(1), tls: null };
  const connection = openSharedConnection(
    { address, password },
    { statementMs: 500, arrivalMs: 1500 },
  );
  onTestFinished(() => connection.close());
  const ask = (text: string) => connection.use((client) => client.query(text));
  await ask('SELECT 1');
  isSilent = true;
  await expect(ask('SELECT 1')).rejects.toMatchObject({ problem: 'unreachable' });
  isSilent = false;
  await ask('SELECT 1');
  await expect(ask('SELECT pg_sleep(60)')).rejects.toMatchObject({
    problem: 'unreachable',
    message: expect.stringContaining('a statement took too long'),
  });
  await expect(ask('SELECT nothing')).rejects.toMatchObject({ problem: 'older' });
});
