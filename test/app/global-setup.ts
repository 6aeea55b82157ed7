// Starts the browser that all end-to-end tests of a run share.
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

/** Starts the browser. Vitest calls the returned function after the last test file. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: run npm test, which installs one');
  const server = await chromium.launchServer({ executablePath, args: chromiumFlags() });
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
