// Finds Electron's program, or the reason why it cannot be used.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Do not `import 'electron'` here: loading that package starts a download.
const electron = join(dirname(import.meta.dirname), 'node_modules/electron');
const program =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ??
  'electron';

/** The path of Electron's program if it is installed, otherwise null. Never downloads. */
export function findElectron() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(electron, 'dist');
  const file = join(folder, program);
  return existsSync(file) ? file : null;
}

/** Whether a window can be shown. */
export const hasScreen = () =>
  process.platform !== 'linux' ||
  Boolean(process.env.DISPLAY) ||
  Boolean(process.env.WAYLAND_DISPLAY);

/** Flags that Electron needs: as root, Chromium refuses to run with its sandbox. */
export const electronFlags = () =>
  process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : [];

/**
 * Null if the sandbox of a downloaded Electron can start, otherwise the reason, as the end of a
 * sentence. It needs user namespaces, or its helper as root has set it up.
 */
export function whyNoSandbox(platform = process.platform, folder = join(electron, 'dist')) {
  if (platform !== 'linux' || electronFlags().includes('--no-sandbox')) return null;
  const helper = statSync(join(folder, 'chrome-sandbox'), { throwIfNoEntry: false });
  if (helper?.uid === 0 && (helper.mode & 0o4000) !== 0) return null;
  const probe = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
  // Without the program nothing is known; most systems allow it.
  if (probe.error || probe.status === 0) return null;
  return (
    "this system does not let Electron's sandbox start. As root, allow it until the next restart " +
    'with `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, or install the .deb or .rpm'
  );
}

/** Downloads Electron's program. Returns null, or the reason of the failure. */
export function downloadElectron() {
  const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8'));
  console.log(`Fetching Electron ${version} (about 120 MB, once) …`);
  const got = spawnSync(process.execPath, [join(electron, 'install.js')], {
    stdio: ['ignore', 'inherit', 'pipe'],
    timeout: 900_000,
  });
  if (findElectron()) return null;
  const reason = String(got.stderr).trim().split('\n')[0] || 'no response';
  return `Electron ${version} could not be downloaded from GitHub (${reason})`;
}
