// Runs an official conformance suite against an address in a separate process, and reads the
// outcome of each scenario.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The suites: the released one, and the next one for the newest protocol version. */
const suites = {
  '0.1': '@modelcontextprotocol/conformance/dist/index.js',
  '0.2': 'conformance-next/dist/index.js',
} as const;

export interface SuiteReport {
  readonly exitCode: number | null;
  readonly output: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const authorize = fileURLToPath(new URL('authorize.mjs', import.meta.url));

export async function runSuite(
  suite: keyof typeof suites,
  target: { readonly url: string; readonly key: string },
  args: readonly string[] = [],
): Promise<SuiteReport> {
  const script = `${root}node_modules/${suites[suite]}`;
  const child = spawn(
    process.execPath,
    ['--import', authorize, script, 'server', '--url', `${target.url}/api/v1/mcp`, ...args],
    { env: { ...process.env, DESK_KEY: target.key }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await ended, output: out + complaints };
}
