// The system's keychain: a real Secret Service, none at all, and one that never answers.
import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { KeychainQuestion } from '../../engine/secrets/keychain.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { startGnomeKeyring } from './gnome-keyring.ts';

const child = join(import.meta.dirname, 'keychain-child.ts');

/**
 * Runs the child in an environment, started by the given command; returns its last line as JSON.
 */
async function run(folder: string, env: NodeJS.ProcessEnv, what: 'secret' | 'provider') {
  const [program, ...args] = [process.execPath, child, join(folder, 'data'), what];
  const createDeps = { ...process.env, DESK_KEYCHAIN: '', ...env };
  const { stdout } = await promisify(execFile)(program!, args, { env: createDeps });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test('with a keychain the key is in it, and in no file', async () => {
  const keychain = await startGnomeKeyring();
  if (!keychain) return;
  expect(await run(makeTemporaryFolder(), keychain.env, 'provider')).toEqual({
    opened: 'whsec_ä🔑',
    place: 'keychain',
    hasFile: false,
    providerKey: 'key-of-finder',
    keyPlace: 'keychain',
    isInFile: false,
    left: [],
  });
});

test('what users of keytar expect of a keychain holds: service, account, find and delete', async () => {
  const keychain = await startGnomeKeyring();
  if (!keychain) return;
  const ask = async (...questions: readonly KeychainQuestion[]) => {
    const program = join(import.meta.dirname, 'keychain-calls.ts');
    const args = [program, JSON.stringify(questions)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: keychain.env });
    return JSON.parse(stdout) as unknown;
  };
  expect(await ask({ act: 'read', name: 'one' }, { act: 'delete', name: 'one' })).toEqual({
    results: [null, null],
    entries: [],
  });
  const written = await ask(
    { act: 'write', name: 'one', text: 'first' },
    { act: 'write', name: 'two', text: 'zweiter ä🔑' },
    { act: 'write', name: 'one', text: 'replaced' },
    { act: 'read_or_write', name: 'one', fallback: 'unused' },
    { act: 'read_or_write', name: 'three', fallback: 'new' },
  );
  const kept = ['one = replaced', 'three = new', 'two = zweiter ä🔑'];
  expect(written).toEqual({
    results: ['first', 'zweiter ä🔑', 'replaced', 'replaced', 'new'],
    entries: kept,
  });
  // Each in a process of its own, as after a restart.
  expect(await ask({ act: 'read', name: 'two' })).toEqual({
    results: ['zweiter ä🔑'],
    entries: kept,
  });
  expect(await ask({ act: 'delete', name: 'two' }, { act: 'delete', name: 'three' })).toEqual({
    results: [null, null],
    entries: ['one = replaced'],
  });
});

test('without one the key is in engine.key', async () => {
  const folder = makeTemporaryFolder();
  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: folder };
  expect(await run(folder, env, 'provider')).toMatchObject({
    place: 'file',
    hasFile: true,
    providerKey: 'key-of-finder',
    keyPlace: 'file',
    isInFile: false,
    left: [],
  });
});

test('a keychain that never answers is given up, and does not keep the process alive', async () => {
  if (process.platform !== 'linux')
    return console.warn('A keychain that hangs can be played on Linux alone.');
  const folder = makeTemporaryFolder();
  const path = join(folder, 'bus.sock');
  const sockets: Socket[] = [];
  const bus = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => bus.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    bus.close();
  });
  const found = await run(folder, { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }, 'secret');
  expect(found).toMatchObject({ opened: 'whsec_ä🔑', place: 'file' });
  expect(sockets.length).toBeGreaterThan(0);
});
