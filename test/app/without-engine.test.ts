/** The page without events, without an engine, and without a session. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseFile, goTo, type OpenDesk, openDesk } from '../open-desk.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');
let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser', { directory: 'sample' });
  page = desk.page;
});
afterAll(() => desk?.close());

test('without the event stream polling shows the end of a job', async () => {
  await page.route('**/app/v1/events', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Engine running/).waitFor();
  await chooseFile(page, contacts);
  await page.getByRole('button', { name: /^Enrich 300/ }).click();
  await page.getByText(/of 300 rows enriched/).waitFor();
  await page
    .getByRole('rowheader', { name: /Lindsey/ })
    .first()
    .waitFor();
  await page.unroute('**/app/v1/events');
});

test('a missing engine is named, and a failed request can be repeated', async () => {
  await page.route('**/app/v1/**', (route) => route.abort());
  await goTo(page, 'Wallet');
  await page.getByText('Engine offline').waitFor();
  await goTo(page, 'Jobs');
  const refusal = page.getByRole('alert').filter({ hasText: 'The jobs could not be loaded' });
  await refusal.waitFor();
  expect(await refusal.textContent()).toContain('The engine is not responding');
  await page.unroute('**/app/v1/**');
  await refusal.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'contacts' }).first().waitFor();
});

test('a second tab opens without a link, and another browser shows how to get one', async () => {
  const tab = await page.context().newPage();
  await tab.goto(new URL('/', page.url()).href);
  await tab.getByText(/^Engine running/).waitFor();
  await tab.close();
  const other = await page.context().browser()?.newContext();
  const stranger = await other?.newPage();
  await stranger?.goto(new URL('/', page.url()).href);
  await stranger?.getByRole('heading', { name: 'This page is locked' }).waitFor();
  expect(await stranger?.getByRole('navigation').count()).toBe(0);
  await other?.close();
});
