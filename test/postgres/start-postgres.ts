/** A real PostgreSQL server for tests and benchmarks, in a temporary folder of its own. */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
/** Debian's package, by version. */
const debianFolder = '/usr/lib/postgresql';

/** A running server. Its address does not change when it is killed and started again. */
export interface PostgresServer {
  readonly port: number;
  /** The certificate of the server for `localhost` and its own authority; null without openssl. */
  readonly caFile: string | null;
  /** The address of a database for the superuser, with its password. */
  urlOf(database: string): string;
  /** Creates an empty database and returns the address of it. */
  createDatabase(): Promise<string>;
  /** Ends the server with SIGKILL, and waits until every process of it is gone. */
  kill(): Promise<void>;
  /** Starts a server that was killed. */
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/** Returns the folder with the programs of PostgreSQL, the newest version first; null if none is. */
export function findPostgres(): string | null {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const folders = versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(debianFolder, version, 'bin'));
  const onPath = (process.env.PATH ?? '').split(':').filter(Boolean);
  return (
    [...folders, ...onPath].find(
      (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
    ) ?? null
  );
}

/** PostgreSQL refuses to run as root: root uses the account of Debian's package, or `nobody`. */
function findAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres:', 'nobody:'].map((name) => lines.find((one) => one.startsWith(name)));
  const [, , uid, gid] = (line.find(Boolean) ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).status === 0;

/** A certificate for `localhost` alone, so that a client that connects to 127.0.0.1 refuses it. */
const makeCertificate = (folder: string): Promise<unknown> =>
  run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')],
  ]);

/** What a test can lose: the folder goes with the test, so nothing is forced to the disk. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  shared_buffers: '64MB',
  max_connections: '60',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'fatal',
};

/**
 * Ends the server if the process that started it is gone: its standard input then ends. `$@` is the
 * server.
 */
const watched = `exec 3<&0
"$@" & server=$!
(read -r _ <&3; kill -QUIT $server) & watcher=$!
wait $server
kill $watcher
wait $watcher`;

/** Starts a server. Throws if PostgreSQL is not installed. */
export async function startPostgres(
  own: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'desk-postgres-'));
  const account = findAccount();
  const password = randomBytes(12).toString('hex');
  const data = join(folder, 'data');
  const hasTls = hasOpenssl();
  if (hasTls) await makeCertificate(folder);
  writeFileSync(join(folder, 'password'), password);
  const give = (path: string) => {
    if (account.uid !== undefined) chownSync(path, account.uid, account.gid ?? account.uid);
  };
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) give(path);
  const initial = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C'];
  const options = { ...account, cwd: folder };
  execFileSync(
    join(programs, 'initdb'),
    [...initial, '--no-sync', '--no-instructions', `--pwfile=${join(folder, 'password')}`],
    { ...options, stdio: 'ignore' },
  );
  const port = await findPort();
  const tls = {
    ssl: 'on',
    ssl_cert_file: join(folder, 'server.crt'),
    ssl_key_file: join(folder, 'server.key'),
  };
  const all = { ...settings, ...(hasTls ? tls : {}), ...own, port: String(port) };
  const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | null = null;
  const urlOf = (database: string, host = '127.0.0.1') =>
    `postgres://postgres:${password}@${host}:${port}/${database}`;
  const query = async (text: string) => {
    const client = new Client({ connectionString: urlOf('postgres') });
    // A connection that ends while it waits must not end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  const serverId = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const start = async () => {
    const own = spawn(
      'sh',
      ['-c', watched, 'sh', join(programs, 'postgres'), '-D', data, ...parameters],
      {
        ...options,
        stdio: ['pipe', 'ignore', 'pipe'],
      },
    );
    server = own;
    let log = '';
    own.stderr?.on('data', (part: Buffer) => {
      log += part;
    });
    own.stdin?.on('error', () => undefined);
    let refusal: unknown;
    for (let tries = 0; own.exitCode === null && tries < 600; tries++) {
      try {
        return await query('SELECT 1');
      } catch (error) {
        refusal = error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error(`PostgreSQL did not start: ${log || String(refusal)}`);
  };
  const end = async (signal: NodeJS.Signals) => {
    const own = server;
    if (!own) return;
    server = null;
    const gone = own.exitCode === null ? once(own, 'exit') : null;
    process.kill(serverId(), signal);
    await gone;
    own.stdin?.destroy();
  };
  let databases = 0;
  await start();
  return {
    port,
    caFile: hasTls ? join(folder, 'server.crt') : null,
    urlOf,
    async createDatabase() {
      const name = `desk_${++databases}_${randomBytes(3).toString('hex')}`;
      await query(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    kill: () => end('SIGKILL'),
    start,
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
