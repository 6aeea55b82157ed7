// The page without an engine, and without a session.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goTo, type OpenDesk, openDesk } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

// test/components/app.test.ts presses "Try again": here the page itself asks again after a while.
test('a missing engine is named, and the screens recover when it answers', async () => {
  // The stream of events would outlast the route, but not its engine.
  await page.route('**/app/v1/events', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Engine running/).waitFor();
  await page.route('**/app/v1/**', (route) => route.abort());
  await goTo(page, 'Wallet');
  await page.getByText('Engine offline').waitFor();
  await goTo(page, 'Jobs');
  const refusal = page.getByRole('alert').filter({ hasText: 'The jobs could not be loaded' });
  await refusal.getByText('The engine is not responding').waitFor();
  await page.unrouteAll();
  await page.getByText('No jobs yet').waitFor();
  await page.getByText(/^Engine running/).waitFor();
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
  await expect.poll(() => stranger?.getByRole('navigation').count()).toBe(0);
  await other?.close();
});
