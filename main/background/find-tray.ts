// Whether the desktop has a tray. Electron does not say: an icon is then just not shown.
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import {
  trayAnswerMaxMs,
  trayRetryMs,
  trayWaitMaxMs,
} from '../../engine/contract/limits/platform.ts';

const bus = 'org.freedesktop.DBus';
const watcher = 'org.kde.StatusNotifierWatcher';

/** Programs that ask the session bus whether somebody shows icons. A desktop has one of them. */
const questions: readonly (readonly [program: string, args: readonly string[]])[] = [
  [
    'gdbus',
    [
      'call',
      '--session',
      '--dest',
      bus,
      '--object-path',
      '/org/freedesktop/DBus',
      '--method',
      `${bus}.NameHasOwner`,
      watcher,
    ],
  ],
  [
    'dbus-send',
    [
      '--session',
      `--dest=${bus}`,
      '--print-reply',
      '/org/freedesktop/DBus',
      `${bus}.NameHasOwner`,
      `string:${watcher}`,
    ],
  ],
  ['busctl', ['--user', 'call', bus, '/org/freedesktop/DBus', bus, 'NameHasOwner', 's', watcher]],
];

const ask = (program: string, args: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: trayAnswerMaxMs }, (error, printed) =>
      resolve(error === null && /\btrue\b/.test(printed)),
    );
  });

/** Whether the desktop shows icons now. False if nothing answers. */
export async function hasTray(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of questions) if (await ask(program, args)) return true;
  return false;
}

/** Waits for the tray: a start at login may be earlier than the desktop's own. */
export async function waitForTray(
  isThere: () => Promise<boolean> = hasTray,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<boolean> {
  for (let leftMs = trayWaitMaxMs; leftMs > 0; leftMs -= trayRetryMs) {
    if (await isThere()) return true;
    await pause(trayRetryMs);
  }
  return false;
}
