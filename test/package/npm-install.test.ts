/**
 * The npm package, installed into an empty prefix, does the main job there. The native modules come
 * from npm's cache or its registry.
 * @module-tag full
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packForNpm } from '../../scripts/npm-package/pack.mjs';
import { runNpm } from '../../scripts/run-npm.mjs';
import { scratch } from '../launch.ts';
import { pollUntil } from '../poll-until.ts';

const root = resolve(import.meta.dirname, '../..');
const place = scratch();
const prefix = join(place.dir, 'prefix');
const isWindows = process.platform === 'win32';
const program = isWindows ? join(prefix, 'desk.cmd') : join(prefix, 'bin/desk');
// Nothing of the project: neither its modules, nor its settings, nor its data.
const env = {
  PATH: `${join(process.execPath, '..')}${isWindows ? ';' : ':'}${process.env.PATH}`,
  HOME: place.dir,
  DESK_KEYCHAIN: 'off',
};
const ada = ['Ada', 'Lovelace', 'Acme Analytics', 'ada@acme-analytics.example', 'Engineer'];
let tarball: string;

beforeAll(() => {
  tarball = packForNpm(root, place.dir).path;
  const install = ['install', '--global', '--ignore-scripts', '--prefer-offline', tarball];
  runNpm([...install, '--no-audit', '--no-fund', '--prefix', prefix], { cwd: place.dir });
  const write = (name: string, text: string) => writeFileSync(join(place.dir, name), text);
  write('people.csv', `first_name,last_name,company_name,email,title\n${ada.join(',')}\n`);
  write('contacts.csv', `Email,Note\n${ada[3]},kept\nnobody@else.example,\n`);
}, 300_000);
afterAll(() => place[Symbol.dispose]());

async function runDesk(...args: string[]): Promise<Record<string, unknown>> {
  const line = [...args, '--data-dir', 'data', '--json'];
  const options = { cwd: place.dir, env, shell: isWindows };
  const { stdout } = await promisify(execFile)(program, line, options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

/** Runs `desk serve` and calls the check with its address. */
async function serveDesk(check: (url: string) => Promise<void>): Promise<void> {
  const args = ['serve', '--port', '0', '--data-dir', 'data', '--json'];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const engine = spawn(program, args, { cwd: place.dir, env, stdio: [...stdio], shell: isWindows });
  const exited = once(engine, 'exit');
  try {
    const [line] = await Promise.race([
      once(createInterface({ input: engine.stdout! }), 'line'),
      exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
    ]);
    const ready = JSON.parse(line) as { url: string; pid: number };
    // The settings of the allocator replaced the process and did not start a second one.
    if (!isWindows) expect(ready.pid).toBe(engine.pid);
    await check(ready.url);
  } finally {
    engine.kill('SIGTERM');
  }
  expect((await exited)[0]).toBe(0);
}

test('the prefix has the product and its native modules, and nothing for development', () => {
  const modules = join(prefix, isWindows ? 'node_modules' : 'lib/node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['enrichment-desk']);
  const nested = readdirSync(join(modules, 'enrichment-desk/node_modules'));
  const wanted = ['@napi-rs', 'better-sqlite3', 'node-addon-api'];
  expect(nested.filter((name) => !name.startsWith('.')).sort()).toEqual(wanted);
});

test('the command line imports a list and enriches another with it', async () => {
  await runDesk('directory', 'import', 'people.csv');
  const job = await runDesk(
    'enrich',
    'contacts.csv',
    '--layers',
    'L1',
    '--out',
    'out.csv',
    '--yes',
  );
  expect(job).toMatchObject({ status: 'completed', total_rows: 2, enriched_rows: 1 });
  expect(readFileSync(join(place.dir, 'out.csv'), 'utf8')).toMatch(
    /^Email,Note,First name,.*\r\n.*,kept,Ada,Lovelace,Acme Analytics,Engineer,/,
  );
});

test('the server has the page, and its REST API does a job from upload to results', async () => {
  const { key } = await runDesk('keys', 'create', '--label', 'test');
  await serveDesk(async (url) => {
    const page = await (await fetch(url)).text();
    expect(page).toContain('<div id="root">');
    const headers = { authorization: `Token ${key}` };
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${url}/api/v1/data-enrichment/${path}`, { ...init, headers });
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    };
    const body = new FormData();
    body.append('file', new Blob([readFileSync(join(place.dir, 'contacts.csv'))]), 'contacts.csv');
    body.append('selected_layers', 'L1');
    const job = await ask('submit/', { method: 'POST', body });
    const status = await pollUntil(
      () => ask(`status/${job.job_id}/`),
      ({ ready }) => ready === true,
    );
    expect(status).toMatchObject({ status: 'completed', enriched_rows: 1, skipped_rows: 1 });
    expect((await ask(`result/${job.job_id}/?status=enriched`)).count).toBe(1);
  });
});

test('an assistant that starts `desk mcp` gets the tools', async () => {
  const line = ['mcp', '--data-dir', 'data'];
  const child = spawn(program, line, { cwd: place.dir, env, shell: isWindows });
  const clientInfo = { name: 'test', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const requests = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
    { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
  ];
  child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  let stdout = '';
  child.stdout.on('data', (bytes) => {
    stdout += bytes;
  });
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(stdout).toContain('"check_wallet"');
});

test('npx runs the package without an installation', () => {
  const cache = join(place.dir, 'npx-cache');
  // npx keeps what it installs in its cache; the project's cache stays as it is.
  const npx = ['exec', '--yes', '--ignore-scripts', `--package=${tarball}`, '--', 'desk'];
  const printed = runNpm([...npx, '--version'], {
    cwd: place.dir,
    env: { ...process.env, npm_config_cache: cache },
  });
  expect(existsSync(cache)).toBe(true);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(printed.trim()).toBe(version);
});
