// Starts the browser that replaces Electron's own, and exposes its debugging address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';
import { app } from './app.ts';
import { makeEvent } from './events.ts';
import { startSchemeServer } from './scheme-server.ts';
import { findFlag, home, host } from './state.ts';

/**
 * Called after the evaluation of the main module, like Electron's start; emits `ready`.
 * @returns the address of the browser's debugging port
 */
export async function start(): Promise<string> {
  const profile = join(home, 'chromium');
  await startSchemeServer();
  host.context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? '/usr/bin/chromium',
    // By default the library disables the sandbox.
    chromiumSandbox: !chromiumFlags().includes('--no-sandbox'),
    headless: !process.argv.includes('--headed'),
    viewport: null,
    // Frames of animations take time from the tests.
    reducedMotion: 'reduce',
    args: [...chromiumFlags(), `--remote-debugging-port=${findFlag('remote-debugging-port') ?? 0}`],
  });
  // Electron quits by the protocol's Browser.close.
  host.context.on('close', () => app.quit());
  host.isReady = true;
  app.emit('ready', makeEvent({}), {});
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `http://127.0.0.1:${port}`;
}
