// `desk serve`: its ready line, port, folder lock and exit.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { deskCommand } from '../desk-program.ts';
import { startEngineProcess } from '../engine-process.ts';
import { makePlace, type Place } from './run-desk.ts';

const places: Place[] = [];
const open = (): Place => {
  const place = makePlace();
  places.push(place);
  return place;
};
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

/** Serves with an option until the first line, then interrupts; returns output and exit code. */
async function serveOnce(dataDir: string, option: string) {
  const args = ['serve', option, '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, [...deskCommand, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { stdout, code, pid: child.pid };
}

test('with --json the ready line is the only one on standard output', {
  tags: ['posix'],
}, async () => {
  const { stdout, code, pid } = await serveOnce(open().dataDir, '--json');
  expect(JSON.parse(stdout)).toEqual({
    event: 'ready',
    url: expect.any(String),
    open_url: expect.any(String),
    pid,
    public_url: null,
  });
  expect(code).toBe(0);
});

test('open prints a further link to the interface of the running engine, and needs one', async () => {
  const place = open();
  place.write('index.html', '<!doctype html>');
  const without = await place.here('open', '--json');
  expect([without.code, without.json.error]).toEqual([1, 'no_engine']);
  const engine = await startEngineProcess(place.dataDir, ['--ui', place.dir]);
  const { code, last } = await place.here('open');
  expect(code).toBe(0);
  expect(last).toMatch(new RegExp(`^${engine.url}/#open=[\\w-]{43}$`));
  for (const link of [last, engine.openUrl]) {
    const answer = await fetch(`${engine.url}/app/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.split('#open=')[1] }),
    });
    expect(answer.status).toBe(200);
  }
  await engine.stop();
});

test('with --staging it opens staging at once and prints its address', async () => {
  const { dataDir } = open();
  const { stdout, code } = await serveOnce(dataDir, '--staging');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^The staging environment answers at http:\/\/127\.0\.0\.1:\d+\/staging$/m,
  );
  expect(existsSync(join(dataDir, 'staging', 'engine.db'))).toBe(true);
});

test('it answers at the addresses of its ready line; a second engine on its folder is refused', async () => {
  const place = open();
  const engine = await startEngineProcess(place.dataDir);
  expect(engine.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(engine.openUrl).toMatch(new RegExp(`^${engine.url}/#open=\\S+$`));
  const second = await place.here('serve', '--port', '0', '--json');
  expect([second.code, second.json.error]).toEqual([1, 'folder_locked']);
  expect(second.json.detail).toContain('Another engine is using');
  const health = await fetch(`${engine.url}/healthz`);
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }]);
  expect(await engine.stop()).toBe(0);
});

test.each([['serve', '--port', '0'], ['accounts', 'list'], ['mcp'], ['doctor']])(
  'a data folder that is a file is refused with a message by %s',
  async (...args) => {
    const place = open();
    writeFileSync(place.dataDir, 'kept');
    const { code, stdout, stderr } = await place.here(...args);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('Choose a folder that you can write to with --data-dir.');
    expect(stdout + stderr).not.toContain('    at ');
    expect(readFileSync(place.dataDir, 'utf8')).toBe('kept');
  },
);

test('a port in use is an error that names it, never another port', async () => {
  const place = open();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const { code, json } = await place.here('serve', '--port', String(port), '--json');
  expect([code, json.error]).toEqual([1, 'port_unavailable']);
  expect(json.detail).toContain(String(port));
  expect(json.detail).toContain('--port');
  await new Promise((resolve) => taken.close(resolve));
});

test('after a kill the next engine opens the folder at once', async () => {
  const place = open();
  const engine = await startEngineProcess(place.dataDir);
  await engine.kill();
  const { code, json } = await place.here('wallet', 'balance', '--json');
  expect(code).toBe(0);
  expect(json.available).toBe('100000.0000');
});
