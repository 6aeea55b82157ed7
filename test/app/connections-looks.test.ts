/** Connections and the account switcher for every eye: many and long things, small windows. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodLooks } from '../accessibility.ts';
import { focusWithin, goTo, type OpenDesk, openDesk } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;

/** Asks the engine with the page's own session. */
const ask = (method: string, path: string, body: object) =>
  page.evaluate(
    async ([verb, address, json]) => {
      const session = sessionStorage.getItem('desk-session') ?? '';
      const headers = { 'content-type': 'application/json', 'x-desk-session': session };
      const answer = await fetch(`/app/v1/${address}`, { method: verb, headers, body: json });
      return (await answer.json()) as { data: { id: string } };
    },
    [method, path, JSON.stringify(body)] as const,
  );

const longName = 'Vertrieb und Öffentlichkeitsarbeit '.repeat(4).slice(0, 120).trim();

beforeAll(async () => {
  desk = await openDesk('browser', { reducedMotion: 'reduce' });
  page = desk.page;
  await ask('POST', 'accounts', { name: longName });
  await ask('POST', 'accounts', { name: 'مكتب المبيعات' });
  for (let made = 0; made < 200; made += 1)
    await ask('POST', 'keys', { label: `integration ${made}`, cap_per_day: made });
  await ask('POST', 'keys', { label: 'x'.repeat(120), cap_per_month: '0' });
  const { data } = await ask('POST', 'keys', { label: 'of yesterday' });
  await ask('DELETE', `keys/${data.id}`, {});
  await page.reload();
  await goTo(page, 'Connections');
  await page.getByRole('row', { name: /integration 199/ }).waitFor();
});
afterAll(() => desk?.close());

const looks: Record<string, () => Promise<unknown>> = {
  keys: async () => {
    const fold = page.getByRole('button', { name: 'Show 1 revoked key' });
    await fold.click();
    await page.getByRole('row', { name: /of yesterday/ }).waitFor();
  },
  'a new key': () => page.getByRole('button', { name: 'New key' }).click(),
  'a key that is edited': () => page.getByRole('button', { name: 'Edit integration 199' }).click(),
  'the accounts': async () => {
    await page.getByRole('button', { name: /^Account / }).click();
    await focusWithin(page.getByRole('menu'));
  },
};

async function leave(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Pixels by which the widest part is wider than its room. */
const measureOverflow = () =>
  page.evaluate(() => {
    const parts = ['#screen', 'nav[aria-label=Screens]', '[role=menu]', '[role=dialog]'];
    const found = parts.flatMap((part) => [...document.querySelectorAll(part)]);
    return Math.max(...found.map((one) => one.scrollWidth - one.clientWidth));
  });

test.each(Object.keys(looks))(
  '%s: long and many, without a barrier, fit every window',
  async (name) => {
    await looks[name]?.();
    await expectGoodLooks(page, measureOverflow);
    await leave();
  },
);

test('among 200 keys one is found by its label, and the rest is a page away', async () => {
  const rows = page.getByRole('region', { name: 'Keys in use' }).getByRole('row');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('51 to 100 of 201').waitFor();
  await page.getByLabel('Find a key').fill('INTEGRATION 42');
  await expect.poll(() => rows.getByText('integration 42').count()).toBe(1);
  await page.getByLabel('Find a key').fill('');
  await page.getByText('1 to 50 of 201').waitFor();
});

test('an account is chosen by keys: down, Enter, and the focus is back on the switcher', async () => {
  await page.getByRole('button', { name: 'Account Local workspace' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: longName }).waitFor();
  await focusWithin(page.getByRole('menu'));
  await page.keyboard.press('ArrowDown');
  const label = () =>
    page.evaluate(() => document.activeElement?.textContent ?? document.activeElement?.tagName);
  while ((await label()) !== longName) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Account ${longName}` }).waitFor();
  await expect.poll(label).toBe(longName);
  await page.getByText('No key yet').waitFor();
});

test('none of it made the page complain', () => {
  expect(desk.complaints).toEqual([]);
});
