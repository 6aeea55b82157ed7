// Opens an installed app and its window. A release has no inspector of Node; the debugging port of
// Chromium shows the window.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';

/** How long a step of an app may take on a slow machine. */
const patienceMs = 300_000;
const intervalMs = 200;

/** Repeats a question until it has an answer. Throws with what was awaited if it has none. */
export async function waitFor(what, ask) {
  const untilMs = Date.now() + patienceMs;
  while (Date.now() < untilMs) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await wait(intervalMs);
  }
  throw new Error(`${what} did not come within ${patienceMs / 1000} s`);
}

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

/**
 * Starts an app, and connects to its window.
 * @param {string} path the program, or the bundle on macOS
 * @param {string[]} args
 * @param {Record<string, string>} env in addition to that of this process
 */
export async function openApp(path, args, env) {
  const debuggingPort = await findPort();
  // Machines of workflows have no graphics.
  const flags = [`--remote-debugging-port=${debuggingPort}`, '--disable-gpu'];
  const app = spawn(findProgram(resolve(path)), [...args, ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(app, 'exit');
  const endsEarly = ended.then(([code]) => {
    throw new Error(`it ended with ${code} before its window opened`);
  });
  try {
    const connecting = waitFor('its window', () =>
      chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`),
    );
    const browser = await Promise.race([connecting, endsEarly]);
    endsEarly.catch(() => undefined);
    const [context] = browser.contexts();
    context.setDefaultTimeout(patienceMs);
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    return {
      page,
      version: await page.evaluate(async () => (await window.desk.versions()).app),
      ended,
      /** Quits as a person does: the engine finishes its batch. */
      async quit() {
        const session = await browser.newBrowserCDPSession();
        await session.send('Browser.close').catch(() => undefined);
        const [code] = await ended;
        if (code !== 0) throw new Error(`it ended with ${code}`);
      },
    };
  } catch (error) {
    app.kill();
    throw error;
  }
}
