// `npm start` without Electron: what it suggests when it cannot start.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPort, suggestCommand } from '../scripts/browser-shell.mjs';

test.each([
  ['port_unavailable', 43_117, 'Start it at another port: npm start -- --port 43118'],
  ['port_unavailable', 50_000, 'Start it at another port: npm start -- --port 50001'],
  ['folder_locked', 43_117, null],
])('after %s at port %i: %s', (error, port, command) => {
  expect(suggestCommand(error, port)).toBe(command);
});

test('an unknown option is named with the options that there are, before anything is built', () => {
  const script = join(import.meta.dirname, '../scripts/start.mjs');
  const ended = spawnSync(process.execPath, [script, '--prot', '43118'], { encoding: 'utf8' });
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr.split('\n')).toEqual([
    expect.stringContaining("'--prot'"),
    'Use: npm start -- [--port N] [--browser]',
    '',
  ]);
});

test('a start that names no port uses the next one that is free, and says so', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(Number(await findPort(port))).toBeGreaterThan(port);
  other.close();
  await once(other, 'close');
  expect(await findPort(port)).toBe(String(port));
});
