// `node scripts/release/update-app.mjs PROGRAM PART FOLDER`: updates an installed app from a feed
// on this machine, and sees the newer one run. FOLDER has the installers of the newer version, and
// PART is its system and processor, such as linux-x64. The rules of a team next to the app name the
// feed and its key. The installer starts the newer app without arguments, so both use the data of
// this user. How it is ended is for machines of workflows only.
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  createReadStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { showPublicKey } from '../sign-feed.mjs';
import { layOutFeed } from './feed.mjs';
import { openApp, waitFor } from './open-app.mjs';

const desk = join(import.meta.dirname, '../../engine/cli/main.ts');

/** Serves a folder as a static web server does. Returns its address. */
async function serveFolder(folder) {
  const server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url, 'http://feed');
    const path = join(folder, decodeURIComponent(pathname));
    const file = statSync(path, { throwIfNoEntry: false });
    console.log(`The app asked for ${pathname}: ${file?.isFile() ? 'sent' : 'there is none'}.`);
    if (!file?.isFile()) answer.writeHead(404).end();
    else createReadStream(path).pipe(answer.writeHead(200, { 'content-length': file.size }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * Lays the newer version out as its release does, with a key of this run. Returns the version, and
 * the rules that name the feed.
 */
async function openFeed(part, folder, scratch) {
  const { privateKey } = generateKeyPairSync('ed25519');
  cpSync(folder, join(scratch, 'parts', part), {
    recursive: true,
    // Unpacked apps and the reports of the builder are no part of a release.
    filter: (path) => path === folder || (statSync(path).isFile() && !/builder-/.test(path)),
  });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await layOutFeed(join(scratch, 'parts'), join(scratch, 'out'), pem);
  const laidOut = join(scratch, 'out/feed', part.replace('-', '/'));
  const channels = readdirSync(laidOut).filter((name) => name.endsWith('.yml'));
  // A test version is offered on its own channel.
  const stable = channels.find((name) => name.startsWith('latest'));
  const channel = parse(readFileSync(join(laidOut, stable ?? channels[0]), 'utf8'));
  const feed = await serveFolder(join(scratch, 'out/feed'));
  const key = showPublicKey(privateKey);
  return {
    version: channel.version,
    updates: { mode: 'on', feed, key, channel: stable ? 'stable' : 'beta' },
  };
}

/**
 * Asks for the engine of this user, with the command line from source: one of the desktop app has
 * no interface of its own. Throws if none runs.
 */
async function findEngine() {
  const asked = promisify(execFile)(process.execPath, [desk, 'open', '--json']);
  const { stdout } = await asked.catch((failure) => failure);
  if (JSON.parse(stdout).error !== 'not_found') throw new Error('no engine of an app runs');
  return true;
}

/** The first process of an AppImage: those that it started have its variable too. */
function findFirstProcess(appImage) {
  const own = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      if (variables.includes(`APPIMAGE=${appImage}`)) own.set(pid, parent);
    } catch {
      // It has ended, or belongs to somebody else.
    }
  const [first] = [...own].find(([, parent]) => !own.has(parent)) ?? [];
  if (first === undefined) throw new Error(`no process of ${appImage} runs`);
  return Number(first);
}

/** Quits the app that the installer has started. */
function quitApp(path) {
  if (process.platform === 'linux') process.kill(findFirstProcess(path), 'SIGTERM');
  else if (process.platform === 'darwin') execFileSync('pkill', ['-TERM', '-x', 'Enrichment Desk']);
  // Windows can only close its window, and the app would run on.
  else execFileSync('taskkill', ['/F', '/T', '/IM', 'Enrichment Desk.exe']);
}

/** The program after the update: an AppImage has the version in its name. */
function findUpdated(path) {
  if (process.platform !== 'linux') return path;
  const name = readdirSync(dirname(path)).find((one) => one.endsWith('.AppImage'));
  return join(dirname(path), name ?? '');
}

async function update(path, version) {
  const before = await openApp(path, [], {});
  console.log(`The app ${before.version} is installed.`);
  if (before.version === version) throw new Error('it has the version of the feed already');
  const { page } = before;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByRole('button', { name: 'Restart to update' }).click();
  await before.ended;
  await waitFor('the engine of the newer app', findEngine);
  console.log('The installer started the app again.');
  const updated = findUpdated(path);
  quitApp(updated);
  await waitFor('the end of the app', () =>
    findEngine().then(
      () => undefined,
      () => true,
    ),
  );
  // A start that is too early is refused by the app that ends.
  const after = await waitFor('its window', () => openApp(updated, [], {}));
  if (after.version !== version) throw new Error(`its window shows ${after.version}`);
  await after.quit();
  console.log(`The app ${version} opened its window with the same data, and quit.`);
}

const [given, part, folder] = process.argv.slice(2);
const path = resolve(given);
const scratch = mkdtempSync(join(tmpdir(), 'desk-update-'));
const rulesPath = join(dirname(path), 'team.json');
try {
  const offer = await openFeed(part, resolve(folder), scratch);
  writeFileSync(rulesPath, JSON.stringify({ updates: offer.updates }), { mode: 0o600 });
  await update(path, offer.version);
  process.exitCode = 0;
} catch (error) {
  console.error(`The update did not work: ${error.message}.`);
  process.exitCode = 1;
} finally {
  rmSync(rulesPath, { force: true });
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
