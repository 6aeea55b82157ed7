/**
 * Runs the real engine as a process of its own (`desk serve`), to be asked over its local socket
 * and killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request as openRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mallocArenasMax } from '../engine/contract/limits.ts';
import { socketPathOf } from '../engine/folder.ts';

const commandLine = join(import.meta.dirname, '../engine/cli/main.ts');

/** An engine in a process of its own. */
export interface EngineProcess {
  readonly url: string;
  readonly openUrl: string;
  readonly child: ChildProcess;
  /** One request over the local socket; answers the envelope's data, or throws its refusal. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Milliseconds until a GET has been answered whole; the answer itself is let go. */
  time(path: string): Promise<number>;
  /** SIGKILL, and waits until the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and waits until the process is gone; answers its exit code. */
  stop(): Promise<number | null>;
}

function ask(socketPath: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost',
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    const outgoing = openRequest({ socketPath, path, method, headers, agent: false }, (answer) => {
      let received = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        received += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        const parsed = JSON.parse(received) as { success: boolean; data: unknown; detail: string };
        if (parsed.success) resolve(parsed.data);
        else reject(new Error(parsed.detail));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

const keptAlive = new Agent({ keepAlive: true });

function time(socketPath: string, path: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, headers: { host: 'localhost' }, agent: keptAlive };
    openRequest(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - startedAt));
    })
      .on('error', reject)
      .end();
  });
}

/** Starts `desk serve` on a folder and waits until it answers. */
export async function startEngineProcess(
  dataDir: string,
  args: readonly string[] = [],
): Promise<EngineProcess> {
  const child = spawn(
    process.execPath,
    [commandLine, 'serve', '--json', '--port', '0', '--data-dir', dataDir, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { MALLOC_ARENA_MAX: String(mallocArenasMax), ...process.env },
    },
  );
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<{ url: string; open_url: string }>((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    void gone.then((code) =>
      reject(new Error(`the engine ended with ${code} before it was ready`)),
    );
  });
  const { url, open_url: openUrl } = await ready;
  const socketPath = socketPathOf(dataDir);
  return {
    url,
    openUrl,
    child,
    ask: (method, path, body) => ask(socketPath, method, path, body),
    time: (path) => time(socketPath, path),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      return gone;
    },
  };
}
