// The one PostgreSQL server of a run, which starts when the first test file asks for it.
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import {
  findPostgres,
  type PostgresServer,
  programsPackage,
  startPostgres,
} from './start-postgres.ts';

/** What a test file receives: a database of its own, for the superuser. */
export interface TestDatabase {
  /** With the superuser's password. */
  readonly url: string;
  readonly caFile: string | null;
  readonly socketDir: string;
}

/** Each project loads this module by itself, in the process that runs them all. */
const run = globalThis as { deskPostgres?: { listener: Server; server?: Promise<PostgresServer> } };

const socketIn = (folder: string) => join(folder, 'postgres.sock');

/** Listens for requests for a database; Vitest calls the function it returns at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  run.deskPostgres ??= { listener: createServer() };
  const own = run.deskPostgres;
  const answer = async (socket: Socket) => {
    socket.on('error', () => undefined);
    try {
      own.server ??= startPostgres();
      const { createDatabase, caFile, socketDir } = await own.server;
      socket.end(JSON.stringify({ url: await createDatabase(), caFile, socketDir }));
    } catch (error) {
      socket.end(JSON.stringify({ refusal: String(error) }));
    }
  };
  if (!own.listener.listening) {
    own.listener.on('connection', (socket) => void answer(socket));
    own.listener.listen(socketIn(project.getProvidedContext().sharedDir));
    await once(own.listener, 'listening');
  }
  return async () => {
    delete run.deskPostgres;
    own.listener.close();
    await (await own.server)?.stop();
  };
}

/** Why no test can use PostgreSQL here; null if one can. Tests print it and check nothing. */
export function postgresMissing(): string | null {
  if (process.platform === 'win32') return 'No PostgreSQL was asked: not on Windows.';
  if (findPostgres()) return null;
  return (
    'No PostgreSQL was asked: initdb and postgres are not installed. Install the package ' +
    `postgresql, or run: npm install --no-save --ignore-scripts ${programsPackage}`
  );
}

/** Creates an empty database on the server of the run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const socket = createConnection(socketIn(inject('sharedDir')));
  let text = '';
  for await (const part of socket) text += part;
  const answer = JSON.parse(text) as TestDatabase & { refusal?: string };
  if (answer.refusal) throw new Error(answer.refusal);
  return answer;
}
