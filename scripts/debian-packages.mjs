// Installs Debian packages that tests need, if that works without a prompt.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** Whether a program is on the path. */
const hasCommand = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** How to run apt-get without a prompt: as root, with sudo without a password, or not at all. */
function findAptGet() {
  if (process.platform !== 'linux' || !hasCommand('apt-get')) return null;
  if (process.getuid?.() === 0) return ['apt-get'];
  const silent = hasCommand('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0;
  return silent ? ['sudo', '-n', 'apt-get'] : null;
}

let isListFresh = false;

/** Installs packages after printing a line about their purpose; false if that is not possible. */
export function installDebianPackages(names, line) {
  const found = findAptGet();
  if (!found) return false;
  console.log(line);
  const [program, ...first] = found;
  const apt = (...args) =>
    spawnSync(program, [...first, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  if (!isListFresh) isListFresh = apt('update', '-qq');
  return apt('install', '-y', '-qq', '--no-install-recommends', ...names);
}

/** Programs that some tests run, and their packages. */
const testPrograms = {
  'dbus-run-session': 'dbus-daemon',
  gdbus: 'libglib2.0-bin',
  'gnome-keyring-daemon': 'gnome-keyring',
  openssl: 'openssl',
  python3: 'python3',
};

/**
 * Installs missing programs that tests run. If one is not available, its tests report what they did
 * not check.
 */
export function installTestPrograms() {
  const missing = Object.keys(testPrograms).filter((name) => !hasCommand(name));
  if (process.platform !== 'linux' || missing.length === 0) return;
  const names = missing.map((name) => testPrograms[name]);
  const line = `Some tests run other programs: installing Debian's ${names.join(', ')} …`;
  if (!installDebianPackages(names, line))
    console.log(`Not installed: ${missing.join(', ')}. Tests that need them report this and pass.`);
}
