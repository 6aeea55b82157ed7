// What the shell does without its window: log, next start, log-off, tray, start at login.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import type { BrowserWindow } from 'electron';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import {
  engineLogBytesMax,
  trayRetryMs,
  trayWaitMaxMs,
} from '../../engine/contract/limits/platform.ts';
import { preferencesPath, readAppId } from '../../engine/policy/rule-places.ts';
import { hasTray, waitForTray } from '../../main/background/find-tray.ts';
import { opensAtLogin, renewLoginItem, setOpenAtLogin } from '../../main/background/login-item.ts';
import { followLogOff, setupPower } from '../../main/background/power.ts';
import { setupTray } from '../../main/background/tray.ts';
import { copyEngineOutput, engineLogPath } from '../../main/engine-log.ts';
import type { EngineProcess } from '../../main/engine-process.ts';
import { setupQuit } from '../../main/quit.ts';
import { handOver, planRelaunch } from '../../main/relaunch.ts';
import { whyNoSandbox } from '../../scripts/electron-binary.mjs';
import { app, powerMonitor, seen } from '../double/electron.ts';
import { makeEvent, type WindowEvents } from '../double/events.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';

/** Runs the rest of the test as on another system. */
function becomeSystem(platform: NodeJS.Platform): void {
  const own = Object.getOwnPropertyDescriptor(process, 'platform');
  Object.defineProperty(process, 'platform', { ...own, value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', own ?? {}));
}

test('the id of the app is one: of the installers, of the shortcuts, and of managed preferences', () => {
  const root = resolve(import.meta.dirname, '../..');
  const { appId } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
  expect(readAppId()).toBe(appId);
  expect(preferencesPath()).toBe(`/Library/Managed Preferences/${appId}.plist`);
});

test.each([
  ['win32', [['app.setAppUserModelId', 'example.desk']]],
  ['linux', []],
] as const)('on %s the app says its id before it asks for the lock', async (platform, calls) => {
  becomeSystem(platform);
  vi.stubGlobal('__DESK_APP_ID__', 'example.desk');
  vi.resetModules();
  const own = await import('../double/electron.ts');
  let said: unknown[] = [];
  own.app.requestSingleInstanceLock = () => {
    said = own.seen.map(({ api, args }) => [api, ...args]);
    return false;
  };
  const quit = vi.spyOn(own.app, 'quit').mockReturnValue(undefined);
  await import('../../main/index.ts');
  expect(said).toEqual(calls);
  // A second start ends, and sets up nothing.
  expect([quit.mock.calls.length, own.app.eventNames()]).toEqual([1, []]);
  vi.unstubAllGlobals();
});

test('an AppImage starts again by its file, every other app by Electron', () => {
  const args = ['--disable-gpu'];
  const program = '/apps/Desk.AppImage';
  expect(planRelaunch('linux', program, args)).toEqual({ by: 'spawn', program, args });
  expect(planRelaunch('linux', undefined, args)).toEqual({ by: 'electron', args });
  expect(planRelaunch('darwin', program, args)).toEqual({ by: 'electron', args });
});

test('before an update the next start becomes the app that runs, once the engine has ended', async () => {
  const steps: string[] = [];
  const release = vi
    .spyOn(app, 'releaseSingleInstanceLock')
    .mockImplementation(() => void steps.push('lock released'));
  await handOver({ stop: async () => void steps.push('engine ended') });
  expect(steps).toEqual(['engine ended', 'lock released']);
  release.mockRestore();
});

test('the log keeps the newest output of the engine, below its limit, for the user alone', {
  tags: ['posix'],
}, () => {
  const folder = makeTemporaryFolder();
  const [output, terminal] = [new PassThrough(), new PassThrough()];
  copyEngineOutput(folder, [[output, terminal]]);
  const line = `${'x'.repeat(99_999)}\n`;
  const lines = Math.ceil((engineLogBytesMax * 2.5) / line.length);
  terminal.resume();
  for (let at = 0; at < lines; at++) output.emit('data', Buffer.from(line));
  output.emit('data', Buffer.from('the last line\n'));
  const path = engineLogPath(folder);
  expect(readFileSync(path, 'utf8')).toMatch(/the last line\n$/);
  expect(statSync(path).size).toBeLessThanOrEqual(engineLogBytesMax);
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(engineLogBytesMax);
  expect(existsSync(`${path}.2`)).toBe(false);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an app whose terminal is gone runs on, and its log has what the engine prints', async () => {
  const folder = makeTemporaryFolder();
  const log = JSON.stringify(resolve(import.meta.dirname, '../../main/engine-log.ts'));
  const source = `
    import { PassThrough } from 'node:stream';
    const { copyEngineOutput, ignoreClosedTerminal } = await import(${log});
    ignoreClosedTerminal([process.stdout, process.stderr]);
    const output = new PassThrough();
    const terminals = [process.stdout, process.stderr];
    copyEngineOutput(${JSON.stringify(folder)}, terminals.map((to) => [output, to]));
    process.on('message', async () => {
      // Not 'error': the listener under test must be the only one.
      const closed = terminals.map((to) => new Promise((done) => to.once('close', done)));
      output.write('printed\\n');
      await Promise.all(closed);
      process.disconnect();
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.send('print');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(readFileSync(engineLogPath(folder), 'utf8')).toContain('printed');
});

test('a shutdown waits for the app on Linux and macOS; a log-off of Windows ends it at once', () => {
  const quit = vi.spyOn(app, 'quit').mockReturnValue(undefined);
  setupPower({} as EngineProcess);
  const shutdown = makeEvent({});
  powerMonitor.emit('shutdown', shutdown);
  expect([shutdown.defaultPrevented, quit.mock.calls.length]).toEqual([true, 1]);
  const window = new EventEmitter<WindowEvents>();
  followLogOff(window as unknown as BrowserWindow);
  const logOff = makeEvent({ reasons: ['shutdown' as const] });
  window.emit('query-session-end', logOff);
  // The person's choice to end the session is not delayed.
  expect([logOff.defaultPrevented, quit.mock.calls.length]).toEqual([false, 2]);
  powerMonitor.removeAllListeners();
  quit.mockRestore();
});

/** A folder of programs that is the only one on the path. */
function setPrograms(programs: Readonly<Record<string, string>>): void {
  const folder = makeTemporaryFolder();
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', folder);
}

test.each([
  ['gdbus says so', { gdbus: 'echo "(true,)"' }, true],
  ['gdbus denies it', { gdbus: 'echo "(false,)"' }, false],
  ['dbus-send says so', { 'dbus-send': 'echo "   boolean true"' }, true],
  ['busctl says so', { busctl: 'echo "b true"' }, true],
  ['there is no bus', { gdbus: 'echo "true"; exit 1' }, false],
  ['nothing can be asked', {}, false],
])(
  'Linux has a tray if somebody shows icons: %s',
  { tags: ['posix'] },
  async (_case, programs, expected) => {
    setPrograms(programs);
    expect(await hasTray('linux')).toBe(expected);
    expect(await hasTray('darwin')).toBe(true);
    vi.unstubAllEnvs();
  },
);

test.each([
  ['linux', false, 1],
  ['linux', true, 0],
  ['win32', false, 1],
  ['darwin', false, 0],
] as const)(
  'on %s, where the app stays open without a window: %s, closing the last one quits %i times',
  (platform, staysOpen, quits) => {
    becomeSystem(platform);
    const quit = vi.spyOn(app, 'quit').mockReturnValue(undefined);
    setupQuit({} as EngineProcess, () => staysOpen);
    app.emit('window-all-closed');
    expect(quit).toHaveBeenCalledTimes(quits);
    app.removeAllListeners('window-all-closed').removeAllListeners('before-quit');
    quit.mockRestore();
  },
);

test('the menu bar of macOS gets a template image, which is sharp on every screen', () => {
  becomeSystem('darwin');
  const engine = { state: { name: 'starting' }, onChange: () => undefined };
  setupTray(engine as unknown as EngineProcess, () => undefined);
  const shown = seen.findLast(({ api }) => api === 'tray.show');
  expect(shown?.args).toMatchObject([{ path: expect.stringMatching(/icons.trayTemplate\.png$/) }]);
  const icons = resolve(import.meta.dirname, '../../resources/icons');
  // The width of a PNG, in its header.
  const [width, sharpWidth] = ['trayTemplate.png', 'trayTemplate@2x.png'].map((name) =>
    readFileSync(join(icons, name)).readUInt32BE(16),
  );
  expect([width, sharpWidth]).toEqual([18, 36]);
});

test('a tray that appears after the start is found; without one the search ends', async () => {
  const answers = [false, false, true];
  let waitedMs = 0;
  const pause = async (ms: number) => {
    waitedMs += ms;
  };
  expect(await waitForTray(async () => answers.shift() ?? false, pause)).toBe(true);
  expect([answers, waitedMs]).toEqual([[], 2 * trayRetryMs]);
  let asked = 0;
  const never = async () => {
    asked += 1;
    return false;
  };
  waitedMs = 0;
  expect(await waitForTray(never, pause)).toBe(false);
  expect([asked, waitedMs]).toEqual([trayWaitMaxMs / trayRetryMs, trayWaitMaxMs]);
});

test('the entry that starts the app at login follows an AppImage that an update has renamed', {
  tags: ['posix'],
}, () => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'config'));
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  vi.stubEnv('APPIMAGE', '/apps/desk-1.2.0.AppImage');
  renewLoginItem();
  expect(opensAtLogin()).toBe(false);
  setOpenAtLogin(true);
  vi.stubEnv('APPIMAGE', '/apps/desk-1.3.0.AppImage');
  renewLoginItem();
  const entry = join(folder, 'config/autostart/enrichment-desk.desktop');
  expect(readFileSync(entry, 'utf8')).toContain('Exec="/apps/desk-1.3.0.AppImage" --hidden');
  vi.unstubAllEnvs();
});

test.each([
  ['the system allows user namespaces', 'exit 0', 1_000, null],
  ['root needs no sandbox', 'exit 1', 0, null],
  ['the system denies user namespaces', 'exit 1', 1_000, 'does not let Electron'],
])(
  'a start from source opens Electron or says why not: %s',
  { tags: ['posix'] },
  (_case, answer, user, why) => {
    setPrograms({ unshare: answer });
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(user);
    const reason = whyNoSandbox('linux', makeTemporaryFolder());
    if (why === null) expect(reason).toBeNull();
    else expect(reason).toContain(why);
    getuid.mockRestore();
    vi.unstubAllEnvs();
  },
);
