// Runs before every npm script, on any version of Node: installs what is missing. Has no
// dependencies. --browser also requires a Chromium; --quiet keeps standard output clean.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
const quiet = process.argv.includes('--quiet');
const output = quiet ? process.stderr : process.stdout;
const stamp = join(root, 'node_modules/.desk-installed');

const fail = (sentence) => {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
};

function installPackages(wanted) {
  const fresh = !existsSync(join(root, 'node_modules'));
  output.write(
    fresh
      ? 'First start: installing packages (about a minute) …\n'
      : 'package-lock.json has changed: updating packages …\n',
  );
  // On Windows `npm ci` would delete the node.exe that runs it.
  const command = fresh || process.env.CI ? 'ci' : 'install';
  const args = [command, '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, stdio: ['ignore', quiet ? 2 : 'inherit', 'inherit'] };
  // The npm that runs this script, on its Node.
  const npm = process.env.npm_execpath;
  const run = npm
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: windows });
  if (run.status !== 0)
    fail(
      `npm ${command} failed (see above). Nothing else was changed. ` +
        'Fix the problem, then run the same command again.',
    );
  writeFileSync(stamp, wanted);
}

function checkNodeVersion() {
  const program = join(root, 'node_modules/.bin', windows ? 'node.cmd' : 'node');
  const packed = spawnSync(program, ['-v'], { shell: windows });
  const version = packed.status === 0 ? String(packed.stdout).trim() : process.version;
  if (Number(version.slice(1).split('.')[0]) < 24)
    fail(
      `This app is built with Node 24 or newer; this machine has ${version} and no Node 24 ` +
        `package exists for ${process.platform}-${process.arch}. ` +
        'Install Node 24 from nodejs.org and run the command again.',
    );
}

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) installPackages(wanted);
checkNodeVersion();
if (process.argv.includes('--browser')) {
  (await import('./chromium.mjs')).ensureChromium();
  (await import('./debian-packages.mjs')).installTestPrograms();
}
