// Starts an engine in a separate process and uses one persistent connection to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import type { Json } from '../http/open-api-desk.ts';
import type { ChildCommand } from './child-engine.ts';
import { sessionToken } from './child-session.ts';
import { settleWithin } from './hang-guard.ts';

const program = join(import.meta.dirname, 'child-engine.ts');

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Json;
}

/** Uses one connection, because an engine without a free descriptor accepts no other. */
function openConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = async (method: string, path: string, json?: object): Promise<Reply> => {
    const headers = { 'x-desk-session': sessionToken, 'content-type': 'application/json' };
    const asked = request(`${url}/${path}`, { agent, method, headers });
    asked.end(json && JSON.stringify(json));
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    const { statusCode: status, headers: answered } = response;
    return { status, retryAfter: answered['retry-after'], body: JSON.parse(text) };
  };
  return async (...args: Parameters<typeof send>) => (await settleWithin(send(...args))) as Reply;
}

interface ChildOptions {
  /** An earlier engine's folder. */
  readonly dataDir?: string;
  /** Limit of open files; that of this process by default. */
  readonly filesMax?: number;
  /** A module that each of its threads loads first. */
  readonly preload?: string;
}

/** Starts an engine; it ends with the test at the latest. */
export async function openChild({ filesMax, preload, ...options }: ChildOptions = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'desk-child-'));
  const limit = filesMax === undefined ? '' : `ulimit -n ${filesMax} && `;
  const flags = preload === undefined ? [] : ['--import', preload];
  const child = spawn(
    'sh',
    ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...flags, program, dataDir],
    { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] },
  );
  const log: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const gone = once(child, 'exit');
  // A failed test leaves no process behind.
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = await once(child, 'message');
  return {
    dataDir,
    /** The engine's log so far. */
    readLog: () => log.join(''),
    ask: openConnection(url),
    async tell(command: ChildCommand) {
      child.send(command);
      await once(child, 'message');
    },
    async close() {
      child.send('close' satisfies ChildCommand);
      expect(await settleWithin(gone)).toEqual([0, null]);
    },
  };
}

/** Removes the folder of an engine that has ended, after a check of its ledger. */
export function removeChild(dataDir: string): void {
  const database = openReadable(join(dataDir, 'engine.db'));
  expect(verifyLedger(database)).toEqual([]);
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
}
