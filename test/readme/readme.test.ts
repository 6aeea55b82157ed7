// Every command of the README works as described, in its own folder.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'desk-readme-'));
const env = {
  ...process.env,
  DESK_DATA_DIR: join(folder, 'data'),
  DESK_PORT: '0',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
};

const long = { tags: ['full'] };

/** The lines of the README's shell blocks. */
const commands = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```sh\n([^`]*)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .filter((line) => line !== '');

beforeAll(() => {
  cpSync(join(root, 'test/fixtures'), join(folder, 'test/fixtures'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same command from outside the project, so that its files are the caller's. */
const fromOutside = (line: string) => line.replace(/^npm /, `npm --prefix "${root}" `);

function run(given: string): string {
  const line = fromOutside(given);
  const done = spawnSync(line, { cwd: folder, env, shell: true, encoding: 'utf8' });
  expect(done.status, `${line}\n${done.stderr}`).toBe(0);
  return done.stdout;
}

/** Runs a command that serves until it is stopped, and calls the check with its address. */
async function runServer(given: string, check: (url: string) => Promise<void>): Promise<void> {
  const line = fromOutside(given);
  const child = spawn(line, { cwd: folder, env, shell: true, detached: true, stdio: 'pipe' });
  const exited = once(child, 'exit');
  const url = Promise.withResolvers<string>();
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (text) => {
      said.push(text);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) url.resolve(found[0]);
    });
  void exited.then(() => url.reject(new Error(`${line} ended:\n${said.join('\n')}`)));
  try {
    await check(await url.promise);
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await exited;
  }
}

const answersWell = async (url: string) => {
  const answer = await fetch(`${url}/healthz`);
  expect(await answer.json()).toMatchObject({ status: 'ok' });
};

test('the README has only commands that are tested here', () => {
  expect(commands).toEqual([
    'npm start',
    'npm run desk -- directory import test/fixtures/people.csv ' +
      '--companies test/fixtures/companies.csv',
    'npm run desk -- enrich test/fixtures/contacts.csv --layers full --out enriched.csv --yes',
    'npm run desk -- serve',
    'curl -H "Authorization: Token $DESK_KEY" ' +
      'http://127.0.0.1:43117/api/v1/data-enrichment/layers/',
    'npm run --silent desk -- mcp',
    'npm test',
  ]);
});

test('npm start says why there is no window, and serves the interface', long, async () => {
  await runServer('npm start', async (url) => {
    await answersWell(url);
    expect(await (await fetch(url)).text()).toContain('<div id="root">');
  });
});

test('npm test is the command that runs these tests', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.test).toBe('node scripts/test.mjs');
  expect(readFileSync(join(root, 'scripts/test.mjs'), 'utf8')).toContain('vitest');
});

test(
  'the command line imports, enriches and serves; the key opens the REST API',
  long,
  async () => {
    run(commands[1] ?? '');
    run(commands[2] ?? '');
    const enriched = readFileSync(join(folder, 'enriched.csv'), 'utf8');

    expect(enriched).toMatch(/^Konto-Nr,First Name,Surname,.*Credits charged,Input repairs\r\n/);
    expect(existsSync(join(folder, 'data', 'engine.db'))).toBe(true);
    const created = run('npm run desk -- keys create --label mine --json')
      .trim()
      .split('\n')
      .at(-1);
    const { key } = JSON.parse(created ?? '') as { key: string };
    await runServer(`${commands[3]} --port 0`, async (url) => {
      await answersWell(url);
      const line = (commands[4] ?? '').replace('http://127.0.0.1:43117', url);
      const options = { env: { ...env, DESK_KEY: key }, shell: true, encoding: 'utf8' } as const;
      expect(JSON.parse(spawnSync(`${line} -s`, options).stdout)).toMatchObject({ success: true });
    });
  },
);

test('an assistant finds the tools with the command that it starts', long, () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'readme', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const done = spawnSync(fromOutside(commands[5] ?? ''), {
    cwd: folder,
    env,
    shell: true,
    encoding: 'utf8',
    input: request(1, 'initialize', hello) + request(2, 'tools/list', {}),
  });
  expect(done.status, done.stderr).toBe(0);
  const answers = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[1].result.tools.map(({ name }: { name: string }) => name)).toContain(
    'check_wallet',
  );
});

test('every picture and page of the README exists', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
