// `node scripts/release/use-app.mjs PROGRAM [ARGUMENT…]`: starts an app with an empty data folder,
// enriches the sample through its window, and quits it. A release has no inspector of Node; the
// debugging port of Chromium shows its window.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const patienceMs = 120_000;
const intervalMs = 200;

/** The program in a bundle of macOS; other paths as they are. */
function findProgram(path) {
  const folder = join(path, 'Contents/MacOS');
  return existsSync(folder) ? join(folder, readdirSync(folder)[0]) : path;
}

/** A port that is free now. */
async function findPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Connects to the browser of the window, once it listens. */
async function connect(port) {
  const untilMs = Date.now() + patienceMs;
  while (true) {
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (Date.now() > untilMs) throw error;
    }
    await wait(intervalMs);
  }
}

/** Enriches the sample from the first screen. Returns the sentence of the result. */
async function enrichSample(browser) {
  const [context] = browser.contexts();
  context.setDefaultTimeout(patienceMs);
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.getByRole('button', { name: 'Try the sample', disabled: false }).click();
  await page.getByRole('button', { name: /^Enrich \d+ rows, at most/ }).click();
  return page.getByText(/rows enriched/).textContent();
}

const [path, ...args] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'desk-use-'));
const debuggingPort = await findPort();
const flags = [
  `--user-data-dir=${join(dataDir, 'user')}`,
  `--remote-debugging-port=${debuggingPort}`,
  // Machines of workflows have no graphics.
  '--disable-gpu',
];
const app = spawn(findProgram(resolve(path)), [...args, ...flags], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, DESK_DATA_DIR: join(dataDir, 'engine'), DESK_PORT: '0' },
});
const ended = once(app, 'exit');
const endsEarly = ended.then(([code]) => {
  throw new Error(`it ended with ${code} before its window opened`);
});
try {
  const browser = await Promise.race([connect(debuggingPort), endsEarly]);
  endsEarly.catch(() => undefined);
  console.log(`The app enriched its sample: ${await enrichSample(browser)}`);
  // As a person quits it: the engine finishes its batch.
  const session = await browser.newBrowserCDPSession();
  await session.send('Browser.close').catch(() => undefined);
  const [code] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  console.log('The app quit.');
} catch (error) {
  console.error(`The app did not work: ${error.message}. Its data is in ${dataDir}.`);
  app.kill();
  process.exit(1);
}
