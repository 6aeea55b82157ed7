/** The API reference at /docs: complete, offline, under the strict policy, in both shells. */
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

beforeAll(async () => {
  desk = await openDesk('browser');
  origin = new URL(desk.page.url()).origin;
  page = await desk.page.context().newPage();
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => asked.push(new URL(request.url())));
  const answer = await page.goto(`${origin}/docs`);
  policy = answer?.headers()['content-security-policy'] ?? '';
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
});

test('nothing inline is allowed without the nonce, and nothing is evaluated', () => {
  expect(policy).toContain("script-src 'self';");
  expect(policy).toMatch(/style-src 'self' 'nonce-[\w-]{22}';/);
  expect(policy).not.toContain('unsafe');
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

/** Follows the link of the Connections screen to the reference, and the link back. */
async function readReference({ page: shown, complaints }: OpenDesk): Promise<void> {
  await goTo(shown, 'Connections');
  await shown.getByRole('link', { name: 'API reference' }).click();
  await shown
    .getByRole('heading', { name: /Create a job/ })
    .first()
    .waitFor();
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

test('Connections links to the reference in the browser', () => readReference(desk));

test('the desktop app links to it too, although its engine does not serve the interface', {
  tags: ['full'],
}, async () => {
  const desktop = await openDesk('desktop');
  try {
    await readReference(desktop);
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
