// Runs before every npm script, on any version of Node: installs what is missing. Has no
// dependencies. --start installs only what starting needs, in a new clone; --browser also requires
// a Chromium; --quiet keeps standard output clean.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countPackages, installFirst } from './install-first.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
const quiet = process.argv.includes('--quiet');
const output = quiet ? process.stderr : process.stdout;
const stamp = join(root, 'node_modules/.desk-installed');

const fail = (sentence) => {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
};

/** Runs npm in a folder, and shows how many packages are there. Ends the process if npm fails. */
async function runNpm(folder, command) {
  const args = [command, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const options = { cwd: folder, stdio: ['ignore', quiet ? 2 : 'inherit', 'inherit'] };
  // The npm that runs this script, on its Node.
  const npm = process.env.npm_execpath;
  const child = npm
    ? spawn(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: windows });
  const status = await showProgress(folder, new Promise((resolve) => child.on('close', resolve)));
  if (status !== 0)
    fail(
      `npm ${command} failed (see above). Nothing else was changed. ` +
        'Fix the problem, then run the same command again.',
    );
}

/** Shows the packages that have arrived, in place on a terminal, until a promise is settled. */
async function showProgress(folder, ended) {
  const startMs = Date.now();
  const show = () => {
    const seconds = Math.round((Date.now() - startMs) / 1_000);
    const line = `  ${countPackages(folder)} packages, ${seconds} s`;
    output.write(output.isTTY ? `\r${line}` : `${line}\n`);
  };
  const timer = setInterval(show, output.isTTY ? 1_000 : 10_000);
  const result = await ended;
  clearInterval(timer);
  if (output.isTTY) output.write('\n');
  return result;
}

async function installPackages() {
  const isNew = !existsSync(join(root, 'node_modules'));
  if (isNew && process.argv.includes('--start') && !process.env.CI) {
    output.write('First start: installing the packages of the app …\n');
    await installFirst(root, (folder) => runNpm(folder, 'ci'));
    return writeFileSync(stamp, `${wanted} start`);
  }
  output.write(isNew ? 'Installing packages …\n' : 'Updating packages …\n');
  // On Windows `npm ci` would delete the node.exe that runs it.
  await runNpm(root, isNew || process.env.CI ? 'ci' : 'install');
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
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
const isEnough =
  installed === wanted || (process.argv.includes('--start') && installed === `${wanted} start`);
if (!isEnough) await installPackages();
checkNodeVersion();
if (process.argv.includes('--browser')) {
  (await import('./chromium.mjs')).ensureChromium();
  (await import('./debian-packages.mjs')).installTestPrograms();
}
