// Runs the real engine as a separate process (`desk serve`), with requests over its local socket,
// and kills.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { nodeEnvironment } from '../engine/contract/limits/platform.ts';
import { socketPathOf } from '../engine/platform/data-dir.ts';
import { deskCommand } from './desk-program.ts';
import { openSocketClient, type SocketClient } from './socket-client.ts';

export interface EngineProcess extends SocketClient {
  readonly url: string;
  readonly openUrl: string;
  readonly child: ChildProcess;
  /** SIGKILL, and waits until the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; waits until the process has ended and returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts `desk serve` on a folder and waits until it answers.
 * @param options the environment of the process, and the target of its standard error
 */
export async function startEngineProcess(
  dataDir: string,
  args: readonly string[] = [],
  options: { readonly env?: NodeJS.ProcessEnv; readonly stderr?: 'inherit' | 'pipe' } = {},
): Promise<EngineProcess> {
  const child = spawn(
    process.execPath,
    [...deskCommand, 'serve', '--json', '--port', '0', '--data-dir', dataDir, ...args],
    {
      stdio: ['ignore', 'pipe', options.stderr ?? 'inherit'],
      env: { ...nodeEnvironment, ...process.env, ...options.env },
    },
  );
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  if (!child.stdout) throw new Error('the engine has no standard output');
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<{ url: string; open_url: string }>((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    void gone.then((code) =>
      reject(new Error(`the engine ended with ${code} before it was ready`)),
    );
  });
  const { url, open_url: openUrl } = await ready;
  return {
    url,
    openUrl,
    child,
    ...openSocketClient(socketPathOf(dataDir)),
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
