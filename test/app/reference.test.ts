/** The reference of the API at /docs: whole, offline, under the strict policy, in both shells. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';
import { runAxe } from '../accessibility.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { launch } from '../launch.ts';
import { goTo, openDesk } from '../open-desk.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
}

const dir = mkdtempSync(join(tmpdir(), 'desk-reference-'));
const said: string[] = [];
const asked: URL[] = [];
let engine: EngineProcess;
let browser: Browser;
let page: Page;
let policy: string;

const listOperations = async (): Promise<Operation[]> => {
  const { paths } = (await (await fetch(`${engine.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.values(paths).flatMap((item) => Object.values(item));
};

beforeAll(async () => {
  engine = await startEngineProcess(join(dir, 'data'));
  browser = await chromium.launch({ executablePath: findChromium()!, args: chromiumFlags() });
  page = await browser.newPage();
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => asked.push(new URL(request.url())));
  const answer = await page.goto(`${engine.url}/docs`);
  policy = answer?.headers()['content-security-policy'] ?? '';
  await page.locator('body[data-ready]').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await engine?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('the page shows every operation of the description, with its words', async () => {
  const operations = await listOperations();
  expect(operations.length).toBeGreaterThan(20);
  for (const { operationId, summary } of operations) {
    const section = page.locator(`[data-section-id$="operation/${operationId}"]`).first();
    expect([operationId, await section.count()]).toEqual([operationId, 1]);
    expect(await section.textContent()).toContain(summary);
  }
});

test('nothing is allowed inline without the nonce, nothing is evaluated', () => {
  expect(policy).toContain("script-src 'self';");
  expect(policy).toMatch(/style-src 'self' 'nonce-[\w-]{22}';/);
  expect(policy).not.toContain('unsafe');
});

test('the browser has nothing to say, and no request leaves this machine', () => {
  expect(said).toEqual([]);
  expect(asked.filter(({ origin }) => origin !== engine.url).map(String)).toEqual([]);
});

test('the engine of the desktop serves the page as well, though not the interface', async () => {
  const desk = await launch(join(dir, 'desktop'));
  try {
    const url = await desk.window.evaluate(async () => {
      const { data } = await (await fetch('/app/v1/state')).json();
      return data.url as string;
    });
    await page.goto(`${url}/docs`);
    await page.locator('body[data-ready]').waitFor();
    expect((await fetch(url)).status).toBe(404);
    expect(said).toEqual([]);
  } finally {
    await desk.close();
    await page.goto(`${engine.url}/docs`);
    await page.locator('body[data-ready]').waitFor();
  }
});

test('axe finds no serious barrier but one of the viewer itself', async () => {
  // One of its operations, as all look alike and the whole page takes axe half a minute.
  const parts = ['#bar', '[role=menu]', '[data-section-id$="operation/submitJob"]'];
  const violations = await runAxe(page, {}, parts);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  // The viewer names a group of its menu without the entries that it holds while it is open.
  const known = ['label-content-name-mismatch'];
  expect(serious.map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([]);
});

test.each(['browser', 'desktop'] as const)(
  'Connections lead to the reference in the %s',
  async (shell) => {
    const desk = await openDesk(shell);
    try {
      await goTo(desk.page, 'Connections');
      await desk.page.getByRole('link', { name: 'API reference' }).click();
      await desk.page
        .getByRole('heading', { name: /Create a job/ })
        .first()
        .waitFor();
      await desk.page.getByRole('link', { name: 'Enrichment Desk' }).click();
      await desk.page.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
      expect(desk.complaints).toEqual([]);
    } finally {
      await desk.close();
    }
  },
);
