// What a server that is not the team's learns, and what a person reads of it.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket, connect as tlsConnect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { openSharedConnection } from '../../engine/shared/connection/open-connection.ts';
import {
  parseSharedAddress,
  type SharedAddress,
} from '../../engine/shared/connection/shared-address.ts';
import { addTenantLogin } from '../../engine/shared/roles/tenants.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { createTestDatabase, postgresMissing } from '../postgres/shared-postgres.ts';
import { openTestShared } from './open-shared.ts';

const missing = postgresMissing();
const password = 'the-real-password-1';

/** A message of the server: a letter, the length, the body. */
function message(letter: string, ...parts: readonly (number | string | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'number') return Buffer.from(part);
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(part);
      return bytes;
    }),
  );
  const head = Buffer.alloc(5, letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const ready = message('Z', 'I');
const welcome = Buffer.concat([message('R', 0), ready]);
const offerScram = message('R', 10, 'SCRAM-SHA-256\0\0');
const nonceOf = (text: string) => /r=([^,]+)/.exec(text)?.[1] ?? '';
const challenge = (text: string, rounds: number) =>
  message('R', 11, `r=${nonceOf(text)}own,s=c2FsdHNhbHRzYWx0,i=${rounds}`);

/** What a server sends, by how many times the client has sent something before, from 0. */
type Turn = (text: string) => Buffer;

/**
 * Listens, answers by turns, and keeps what it receives.
 * @param path a socket file; without it, a port of this machine
 */
async function startFake(turns: readonly Turn[], path?: string) {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let turn = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(bytes);
      const answer = turns[turn++]?.(bytes.toString('latin1'));
      if (answer) socket.write(answer);
    });
  });
  await once(path ? server.listen(path) : server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const port = path ? 5432 : (server.address() as AddressInfo).port;
  return {
    address: { host: '127.0.0.1', port, user: 'anna', database: 'team', tls: null },
    received: () => Buffer.concat(received).toString('latin1'),
    whenLeft: () => expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true),
  };
}

async function failureOf(address: SharedAddress, given = password) {
  const connection = openSharedConnection({ address, password: given });
  onTestFinished(() => connection.close());
  return connection
    .use((client) => client.query("SELECT 'a row of the list'"))
    .then(
      () => null,
      (error: unknown) => error as { problem?: string; message: string },
    );
}

const falseServers: Readonly<Record<string, { turns: readonly Turn[]; says: RegExp }>> = {
  'asks for clear text': {
    turns: [() => message('R', 3), () => welcome],
    says: /in clear text, so it was not sent.*password_encryption = scram-sha-256/,
  },
  'asks for MD5': {
    turns: [() => message('R', 5, 'salt'), () => welcome],
    says: /an MD5 hash.*so it was not sent.*password_encryption = scram-sha-256/,
  },
  'asks for clear text after SCRAM began': {
    turns: [() => offerScram, () => message('R', 3), () => welcome],
    says: /in clear text/,
  },
  'asks for clear text after SCRAM, in the same bytes': {
    turns: [() => Buffer.concat([offerScram, message('R', 3)]), () => welcome],
    says: /in clear text/,
  },
  'asks for GSSAPI': {
    turns: [() => message('R', 7), () => welcome],
    says: /a login that Enrichment Desk does not have/,
  },
  'offers another SASL': {
    turns: [() => message('R', 10, 'OAUTHBEARER\0\0'), () => welcome],
    says: /a login that Enrichment Desk does not have/,
  },
  'lets everyone in': { turns: [() => welcome, () => ready], says: /asks for no password/ },
  'says nothing of a login': { turns: [() => ready, () => ready], says: /asks for no password/ },
  'ends SCRAM without its proof': {
    turns: [() => offerScram, (text) => challenge(text, 4_096), () => welcome, () => ready],
    says: /asks for no password/,
  },
  'forges its proof': {
    turns: [
      () => offerScram,
      (text) => challenge(text, 4_096),
      () => Buffer.concat([message('R', 12, `v=${'A'.repeat(43)}=`), welcome]),
      () => ready,
    ],
    says: /does not prove that it knows the password/,
  },
  'proves before it asks': {
    turns: [
      () => Buffer.concat([offerScram, message('R', 12, `v=${'A'.repeat(43)}=`), welcome]),
      () => ready,
    ],
    says: /does not prove|protocol/,
  },
  'asks for one round, which is soon guessed': {
    turns: [() => offerScram, (text) => challenge(text, 1), () => welcome, () => ready],
    says: /scram_iterations = 4096/,
  },
  'sends another nonce': {
    turns: [() => offerScram, () => challenge('r=other', 4_096), () => welcome],
    says: /protocol of PostgreSQL/,
  },
  'speaks HTTP': {
    turns: [() => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(9_000))],
    says: /protocol of PostgreSQL/,
  },
  'sends a message of a gigabyte': {
    turns: [
      () => {
        const endless = Buffer.alloc(1 << 20, 'R');
        endless.writeInt32BE(1 << 30, 1);
        return endless;
      },
    ],
    says: /protocol of PostgreSQL/,
  },
};

test.for(Object.entries(falseServers))(
  'on this machine, a server that %s learns nothing that it can use',
  async ([, given]) => {
    const { turns, says } = given;
    const fake = await startFake(turns);
    const failure = await failureOf(fake.address);
    expect(failure).toMatchObject({ problem: 'login', message: expect.stringMatching(says) });
    await fake.whenLeft();
    expect(fake.received()).not.toContain(password);
    expect(fake.received()).not.toContain('md5');
    expect(fake.received()).not.toContain('a row of the list');
    if (given === falseServers['asks for one round, which is soon guessed'])
      expect(fake.received()).not.toContain('p=');
  },
);

test('the password is that of the setting alone, never one of the environment', async () => {
  process.env.PGPASSWORD = password;
  onTestFinished(() => void delete process.env.PGPASSWORD);
  const fake = await startFake([() => offerScram, (text) => challenge(text, 4_096)]);
  expect(await failureOf(fake.address, '')).toMatchObject({ problem: 'password' });
  expect(fake.received()).not.toContain('p=');
});

/**
 * A certificate for `localhost` and its own authority.
 * @param days its first and its last moment, as openssl writes them
 */
function makeCertificate(days?: readonly [string, string]) {
  const folder = makeTemporaryFolder();
  const run = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const at = (file: string) => join(folder, file);
  if (!days) run('req', '-x509', ...key, ...name, '-keyout', 'key', '-out', 'crt');
  else {
    run('req', '-new', ...key, ...name, '-keyout', 'key', '-out', 'csr');
    writeFileSync(
      at('ca'),
      '[ca]\ndefault_ca=own\n[own]\ndatabase=index\nserial=serial\nnew_certs_dir=.\n' +
        'policy=any\ndefault_md=sha256\n[any]\ncommonName=supplied\n',
    );
    writeFileSync(at('index'), '');
    writeFileSync(at('serial'), '01');
    const dates = ['-startdate', days[0], '-enddate', days[1]];
    const files = ['-keyfile', 'key', '-in', 'csr', '-out', 'crt'];
    run('ca', '-selfsign', '-batch', '-notext', '-config', 'ca', ...files, ...dates);
  }
  return { caFile: at('crt'), key: readFileSync(at('key')), cert: readFileSync(at('crt')) };
}

/** A server between the client and the real one, with a certificate that the client trusts. */
async function startMiddle(
  { key, cert }: ReturnType<typeof makeCertificate>,
  port: number,
  change: (bytes: Buffer) => Buffer,
) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const client = new TLSSocket(socket, { isServer: true, key, cert });
      const plain = connect(port, '127.0.0.1', () => {
        plain.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
        plain.once('data', () => {
          const real = tlsConnect({ socket: plain, rejectUnauthorized: false });
          real.on('error', () => undefined);
          client.on('data', (bytes) => real.write(bytes));
          real.on('data', (bytes) => client.write(change(bytes)));
          real.on('close', () => client.destroy());
          client.on('close', () => real.destroy());
        });
      });
      client.on('error', () => undefined);
      plain.on('error', () => undefined);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The real server offers SCRAM without the binding to its certificate. */
function hideBinding(bytes: Buffer): Buffer {
  const plus = Buffer.from('SCRAM-SHA-256-PLUS\0');
  const at = bytes.indexOf(plus);
  if (at < 0) return bytes;
  const changed = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + plus.length)]);
  changed.writeInt32BE(changed.readInt32BE(1) - plus.length, 1);
  return changed;
}

test('over TLS, a server must prove its name now, and no one between may use the login', async () => {
  if (missing) return console.warn(missing);
  const { url, caFile } = await createTestDatabase();
  if (!caFile) return console.warn('No certificate was checked: openssl is not installed.');
  const { password: real, username: user, port: portText, pathname } = new URL(url);
  const port = Number(portText);
  const at = (place: number, authorities: string) => ({
    host: 'localhost',
    port: place,
    user,
    database: pathname.slice(1),
    tls: { authorities },
  });
  expect(await failureOf(at(port, caFile), real)).toBeNull();
  const trusted = makeCertificate();
  for (const change of [(bytes: Buffer) => bytes, hideBinding]) {
    const middle = await startMiddle(trusted, port, change);
    expect(await failureOf(at(middle, trusted.caFile), real)).not.toBeNull();
  }
  const middle = await startMiddle(trusted, port, (bytes) => bytes);
  expect(await failureOf(at(middle, caFile), real)).toMatchObject({ problem: 'certificate' });
  const expired = makeCertificate(['20200101000000Z', '20200201000000Z']);
  const old = await startMiddle(expired, port, (bytes) => bytes);
  expect(await failureOf(at(old, expired.caFile), real)).toMatchObject({
    problem: 'certificate',
    message: expect.stringContaining('has expired'),
  });
  for (const answer of ['N', 'Sx', 'E']) {
    const fake = await startFake([() => Buffer.from(answer), () => message('R', 3)]);
    const { port: place } = fake.address;
    expect(await failureOf(at(place, caFile), real), answer).toMatchObject({
      problem: 'certificate',
      message: expect.stringMatching(/TLS.*Nothing was sent/),
    });
    expect(fake.received()).not.toContain(user);
  }
});

test('a socket file needs no proof in a folder that no one else may write to', async () => {
  if (missing) return console.warn(missing);
  const { url, socketDir } = await createTestDatabase();
  const { password: real, username: user, port, pathname } = new URL(url);
  const socketUrl = `postgres://${user}@${encodeURIComponent(socketDir)}:${port}${pathname}`;
  const address = parseSharedAddress(socketUrl);
  expect(address).toMatchObject({ host: socketDir, port: Number(port), tls: null });
  expect(await failureOf(address, real)).toBeNull();
  expect(await failureOf({ ...address, port: 1 }, real)).toMatchObject({
    problem: 'unreachable',
    message: expect.stringContaining(`${socketDir}/.s.PGSQL.1`),
  });
  // A program that lets everyone in, as the method "peer" lets the own user in.
  const folder = makeTemporaryFolder();
  await startFake(
    [() => welcome, () => Buffer.concat([message('C', 'SELECT 0\0'), ready])],
    join(folder, '.s.PGSQL.5432'),
  );
  const fake = { host: folder, port: 5432, user: 'anna', database: 'team', tls: null };
  expect(await failureOf(fake)).toBeNull();
  chmodSync(folder, 0o1777);
  expect(await failureOf(fake)).toMatchObject({ problem: 'login' });
});

test('the password of a login that is created does not leave this machine', async () => {
  if (missing) return console.warn(missing);
  const { admin, address, password: admins } = await openTestShared();
  const sent: Buffer[] = [];
  const proxy = createServer((socket) => {
    const server = connect(address.port, '127.0.0.1');
    for (const one of [socket, server]) one.on('error', () => undefined);
    socket.on('data', (bytes) => {
      sent.push(bytes);
      server.write(bytes);
    });
    server.on('data', (bytes) => socket.write(bytes));
    socket.on('close', () => server.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const through = openSharedConnection({ address: { ...address, port }, password: admins });
  onTestFinished(() => through.close());
  const login = `login_${randomBytes(4).toString('hex')}`;
  const added = { tenant: 'team', login, role: 'reader', password } as const;
  expect(await addTenantLogin(through, added)).toBe(true);
  const text = Buffer.concat(sent).toString('latin1');
  expect(text).toContain(login);
  expect(text).not.toContain(password);
  expect(await failureOf({ ...address, user: login })).toBeNull();
  await admin.pool.query(
    `REVOKE CONNECT ON DATABASE "${address.database}" FROM ${login}; DROP ROLE ${login}`,
  );
});
