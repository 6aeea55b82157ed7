// Knows where Electron's program is, and why it cannot be used where it cannot.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Never `import 'electron'` here: merely loading that package starts a download.
const electron = join(dirname(import.meta.dirname), 'node_modules/electron');
const program =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ??
  'electron';

/** The path of Electron's program if it is installed, else null. Never downloads. */
export function findElectron() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(electron, 'dist');
  const file = join(folder, program);
  return existsSync(file) ? file : null;
}

/** Whether a window can be shown at all. */
export const hasScreen = () =>
  process.platform !== 'linux' ||
  Boolean(process.env.DISPLAY) ||
  Boolean(process.env.WAYLAND_DISPLAY);

/** The flags Electron needs here: as root, Chromium refuses to run with its sandbox. */
export const electronFlags = () =>
  process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : [];

/** Downloads Electron's program once. Returns null, or the reason why it could not. */
export function downloadElectron() {
  const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8'));
  console.log(`Fetching Electron ${version} (about 120 MB, once) …`);
  const got = spawnSync(process.execPath, [join(electron, 'install.js')], {
    stdio: ['ignore', 'inherit', 'pipe'],
    timeout: 900_000,
  });
  if (findElectron()) return null;
  const reason = String(got.stderr).trim().split('\n')[0] || 'no answer';
  return `Electron ${version} could not be downloaded from GitHub (${reason})`;
}
