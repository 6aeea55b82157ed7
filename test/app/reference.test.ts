// The API reference at /docs: complete, offline, under the strict policy, in both shells.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAxe } from '../accessibility.ts';
import { goTo, type OpenDesk, openDesk } from '../open-desk.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
}

const said: string[] = [];
const asked: URL[] = [];
let desk: OpenDesk;
let origin: string;
let page: Page;
let policy: string;

const listOperations = async (): Promise<Operation[]> => {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.values(paths).flatMap((item) => Object.values(item));
};

async function openReference(shown: Page): Promise<void> {
  await shown.getByRole('link', { name: 'API reference' }).click();
  await shown
    .getByRole('heading', { name: /Create a job/ })
    .first()
    .waitFor();
}

beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
  origin = new URL(page.url()).origin;
  await goTo(page, 'Connections');
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => asked.push(new URL(request.url())));
  const answer = page.waitForResponse(`${origin}/docs.html`);
  await openReference(page);
  policy = (await answer).headers()['content-security-policy'] ?? '';
  await page.locator('body[data-ready]').waitFor();
});
afterAll(() => desk?.close());

test('the page shows every operation of the description with its texts', async () => {
  const operations = await listOperations();
  expect(operations.length).toBeGreaterThan(20);
  const shown = await page
    .locator('[data-section-id*="operation/"]')
    .evaluateAll((sections) =>
      sections.map((section) => [
        section.getAttribute('data-section-id') ?? '',
        section.textContent,
      ]),
    );
  for (const { operationId, summary } of operations) {
    const section = shown.find(([id]) => id?.endsWith(`operation/${operationId}`));
    expect([operationId, section?.[1]]).toEqual([operationId, expect.stringContaining(summary)]);
  }
  const broken = await page
    .locator('img')
    .evaluateAll((pictures) =>
      (pictures as HTMLImageElement[])
        .filter((picture) => picture.checkVisibility() && picture.naturalWidth === 0)
        .map(({ outerHTML }) => outerHTML),
    );
  expect(broken).toEqual([]);
});

test('nothing inline is allowed without the nonce, and nothing is evaluated', async () => {
  const { headers } = await fetch(`${origin}/docs`);
  for (const one of [policy, headers.get('content-security-policy')]) {
    expect(one).toContain("script-src 'self';");
    expect(one).toMatch(/style-src 'self' 'nonce-[\w-]{22}';/);
    expect(one).not.toContain('unsafe');
  }
});

test('the browser logs nothing, and no request leaves this machine', () => {
  expect(said).toEqual([]);
  expect(asked.filter((url) => url.origin !== origin).map(String)).toEqual([]);
});

test('the page is accessible, except for one fault of the viewer itself', async () => {
  // One operation, since all have the same markup and axe takes half a minute for the whole page.
  const parts = ['#bar', '[role=menu]', '[data-section-id$="operation/submitJob"]'];
  const violations = await runAxe(page, {}, parts);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  // The viewer names a menu group without its entries while it is open.
  const known = ['label-content-name-mismatch'];
  expect(serious.map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([]);
});

/** Follows the link from the reference back to the app. */
async function leaveReference({ page: shown, complaints }: OpenDesk): Promise<void> {
  await shown.getByRole('link', { name: 'Enrichment Desk' }).click();
  await shown.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
}

/** The served page at /docs without its nonce, which is unique per response. */
async function readDocs(url: string): Promise<string> {
  const answer = await fetch(`${url}/docs`);
  expect(answer.status).toBe(200);
  const nonce = /'nonce-([\w-]{22})'/.exec(answer.headers.get('content-security-policy') ?? '');
  return (await answer.text()).replaceAll(nonce?.[1] ?? '', '');
}

test('Connections links to the reference in the browser, which links back', () =>
  leaveReference(desk));

test('the desktop app links to it too, although its engine does not serve the interface', {
  tags: ['full'],
}, async () => {
  const desktop = await openDesk('desktop');
  try {
    await goTo(desktop.page, 'Connections');
    await openReference(desktop.page);
    await leaveReference(desktop);
    const url = await desktop.page.evaluate(async () => {
      const { data } = await (await fetch('/app/v1/state')).json();
      return data.url as string;
    });
    expect(await readDocs(url)).toBe(await readDocs(origin));
    expect((await fetch(url)).status).toBe(404);
  } finally {
    await desktop.close();
  }
});
