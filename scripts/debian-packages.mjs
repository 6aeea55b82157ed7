// Installs Debian packages that tests need, if that works without a prompt.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
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

const hasPostgres = () =>
  hasCommand('initdb') ||
  (existsSync('/usr/lib/postgresql') &&
    readdirSync('/usr/lib/postgresql').some((version) =>
      existsSync(`/usr/lib/postgresql/${version}/bin/initdb`),
    ));

/**
 * Installs PostgreSQL without the server that Debian's package creates and starts: tests start
 * their own. The setting for it is removed afterwards.
 */
function installPostgres() {
  const line = "Some tests run PostgreSQL: installing Debian's postgresql …";
  if (!installDebianPackages(['postgresql-common'], line)) return false;
  const [program, ...first] = findAptGet().slice(0, -1).concat('sh');
  const asRoot = (script) => spawnSync(program, [...first, '-c', script]).status === 0;
  const setting = '/etc/postgresql-common/createcluster.d/enrichment-desk-tests.conf';
  const folder = '/etc/postgresql-common/createcluster.d';
  asRoot(`mkdir -p ${folder} && echo 'create_main_cluster = false' > ${setting}`);
  const isInstalled = installDebianPackages(['postgresql'], 'Without a server of its own …');
  asRoot(`rm -f ${setting}`);
  return isInstalled;
}

/**
 * Installs missing programs that tests run. If one is not available, its tests report what they did
 * not check.
 */
export function installTestPrograms() {
  if (process.platform !== 'linux') return;
  const missing = Object.keys(testPrograms).filter((name) => !hasCommand(name));
  const names = missing.map((name) => testPrograms[name]);
  const line = `Some tests run other programs: installing Debian's ${names.join(', ')} …`;
  const without = names.length > 0 && !installDebianPackages(names, line) ? missing : [];
  if (!hasPostgres() && !installPostgres()) without.push('postgresql');
  if (without.length > 0)
    console.log(`Not installed: ${without.join(', ')}. Tests that need them report this and pass.`);
}
