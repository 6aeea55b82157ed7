// A real Secret Service of a test: a D-Bus session with an unlocked gnome-keyring.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';

const run = promisify(execFile);
const programs = ['dbus-run-session', 'gnome-keyring-daemon', 'gdbus'];
const hasCommand = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

export interface GnomeKeyring {
  readonly env: NodeJS.ProcessEnv;
  /** Locks it: reads and writes ask for the password, which no one can enter. */
  lock(): Promise<void>;
  stop(): Promise<void>;
  /** The number of entries of the product, also while it is locked. */
  countEntries(): Promise<number>;
}

const unlock = 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null';

async function openGnomeKeyring(folder: string): Promise<GnomeKeyring> {
  const own = { XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder, HOME: folder };
  // Without a display, no window asks for the password.
  const before = { ...process.env, ...own, DISPLAY: '', WAYLAND_DISPLAY: '', DESK_KEYCHAIN: '' };
  const script = `${unlock} && echo "$DBUS_SESSION_BUS_ADDRESS" && exec cat`;
  const session = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    env: before,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const gone = new Promise<void>((resolve) => session.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: session.stdout }).once('line', resolve);
    void gone.then(() => reject(new Error('the Secret Service did not start')));
  });
  const env = { ...before, DBUS_SESSION_BUS_ADDRESS: address };
  const call = async (method: string, argument: string) => {
    const target = [
      '--dest',
      'org.freedesktop.secrets',
      '--object-path',
      '/org/freedesktop/secrets',
    ];
    const named = ['--method', `org.freedesktop.Secret.Service.${method}`, argument];
    return (await run('gdbus', ['call', '--session', ...target, ...named], { env })).stdout;
  };
  return {
    env,
    async lock() {
      await call('Lock', "['/org/freedesktop/secrets/collection/login']");
    },
    async countEntries() {
      const found = await call('SearchItems', "{'service': 'Enrichment Desk'}");
      return found.match(/\/org\/freedesktop\/secrets\/collection\/\w+\/\d+/g)?.length ?? 0;
    },
    async stop() {
      session.stdin.end();
      await gone;
    },
  };
}

/**
 * Starts an unlocked Secret Service, which ends with the test. Returns null where its programs are
 * not installed.
 * @param folder contains its files, which outlive it
 */
export async function startGnomeKeyring(
  folder = makeTemporaryFolder(),
): Promise<GnomeKeyring | null> {
  const missing = programs.filter((name) => !hasCommand(name));
  if (missing.length > 0) {
    console.warn(`No real Secret Service was asked: ${missing.join(' and ')} not found.`);
    return null;
  }
  const service = await openGnomeKeyring(folder);
  onTestFinished(service.stop);
  return service;
}
