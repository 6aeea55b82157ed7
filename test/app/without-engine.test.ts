// The page without a session.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDesk, openDesk } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

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
