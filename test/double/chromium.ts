/** Starts the browser that stands in for Electron's own, and says where a test may connect. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';
import { app } from './app.ts';
import { startSchemeServer } from './scheme-server.ts';
import { home, host } from './state.ts';

/**
 * Called when the main module has been evaluated, like Electron's own start; emits `ready`.
 * @returns the address of the browser's debugging port
 */
export async function start(): Promise<string> {
  const profile = join(home, 'chromium');
  await startSchemeServer();
  host.context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? '/usr/bin/chromium',
    // Unless told so, the library switches the sandbox off.
    chromiumSandbox: !chromiumFlags().includes('--no-sandbox'),
    headless: !process.argv.includes('--headed'),
    viewport: null,
    args: [...chromiumFlags(), '--remote-debugging-port=0'],
  });
  host.isReady = true;
  app.emit('ready', {}, {});
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `http://127.0.0.1:${port}`;
}
