/** Shared by all end-to-end tests of a run: one browser and a folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket address of the shared browser. */
    browserEndpoint: string;
    /** A folder shared by the workers, removed after the run. */
    sharedDir: string;
  }
}

/** Starts the browser. Vitest calls the returned function after the last test file. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: run npm test, which installs one');
  const server = await chromium.launchServer({ executablePath, args: chromiumFlags() });
  const sharedDir = mkdtempSync(join(tmpdir(), 'desk-shared-'));
  project.provide('browserEndpoint', server.wsEndpoint());
  project.provide('sharedDir', sharedDir);
  return async () => {
    await server.close();
    rmSync(sharedDir, { recursive: true, force: true });
  };
}
