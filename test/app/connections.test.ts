/** Connections: a key's whole life, its limits, staging, and the account that the page acts for. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { focusWithin, goTo, type OpenDesk, openDesk, shells } from '../open-desk.ts';

const dialogOf = (page: Page) => page.getByRole('dialog');

/** Makes a key in its dialog and answers it; the dialog is closed then. */
async function makeKey(page: Page, label: string, limits: Record<string, string> = {}) {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = dialogOf(page);
  const secret = dialog.getByText(/^sk_(live|test)_[\w-]{43}$/);
  await dialog.getByLabel('Label').fill(label);
  for (const [name, value] of Object.entries(limits)) await dialog.getByLabel(name).fill(value);
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.getByText('It will not be shown again').waitFor();
  const key = (await secret.textContent()) ?? '';
  await page.keyboard.press('Escape');
  expect(await secret.isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}

/** The address that the page shows. */
async function readBase(page: Page): Promise<string> {
  const text = await page
    .getByText(/^http:\/\/127\.0\.0\.1:\d+(\/staging)?\/api\/v1$/)
    .textContent();
  return text ?? '';
}

const ask = (base: string, key: string, rows = 0) =>
  fetch(`${base}/data-enrichment/${rows ? 'submit' : 'jobs'}/`, {
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    ...(rows && {
      method: 'POST',
      body: JSON.stringify({ selected_layers: ['L1'], rows: Array(rows).fill({ email: 'a@b.c' }) }),
    }),
  });

async function liveKey(page: Page) {
  await goTo(page, 'Connections');
  await page.getByText('No key yet').waitFor();
  const base = await readBase(page);
  const key = await makeKey(page, 'nightly import', { 'Credits a day': '5' });
  expect(key).toMatch(/^sk_live_[\w-]{43}$/);
  expect(await page.content()).not.toContain(key);
  const row = page.getByRole('row', { name: /nightly import/ });
  await row.getByText('never').waitFor();
  expect((await ask(base, key)).status).toBe(200);
  await row.getByText('just now').nth(1).waitFor();
  expect((await ask(base, key, 4)).status).toBe(202);
  const refused = await ask(base, key, 6);
  expect([refused.status, (await refused.json()).error]).toEqual([402, 'spending_cap_reached']);

  await row.getByRole('button', { name: 'Edit nightly import' }).click();
  await dialogOf(page).getByLabel('Label').fill('weekly import');
  await dialogOf(page).getByLabel('Requests a minute').fill('1');
  await dialogOf(page).getByRole('button', { name: 'Save' }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
  const limited = await ask(base, key);
  expect([limited.status, limited.headers.get('ratelimit-limit')]).toEqual([429, '1']);

  const renamed = page.getByRole('row', { name: /weekly import/ });
  await renamed.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('No key yet').waitFor();
  expect((await ask(base, key)).status).toBe(401);
  await page.getByRole('button', { name: 'Show 1 revoked key' }).click();
  await page
    .getByRole('row', { name: /weekly import/ })
    .getByText('revoked just now')
    .waitFor();
}

async function openStaging(page: Page) {
  await goTo(page, 'Connections');
  const live = await readBase(page);
  await page.getByText('Staging', { exact: true }).click();
  await page.getByText('No key yet').waitFor();
  const key = await makeKey(page, 'trying out');
  expect(key).toMatch(/^sk_test_/);
  const staging = await readBase(page);
  expect(staging).toBe(live.replace('/api/v1', '/staging/api/v1'));
  expect([(await ask(staging, key)).status, (await ask(live, key)).status]).toEqual([200, 401]);
  await page.getByText('Live', { exact: true }).click();
  await page.getByText('No key yet').waitFor();
}

async function switchAccounts(page: Page) {
  const balance = page.getByRole('definition');
  const switcher = page.getByRole('button', { name: /^Account / });
  await goTo(page, 'Connections');
  await makeKey(page, 'of the first');
  expect(await switcher.count()).toBe(0);
  await goTo(page, 'Settings');
  await page.getByRole('button', { name: 'New account' }).click();
  await dialogOf(page).getByLabel('Name').fill('Sales');
  await dialogOf(page).getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('button', { name: 'Account Sales' }).waitFor();
  await balance.getByText('0.0000').first().waitFor();
  await goTo(page, 'Connections');
  await page.getByText('No key yet').waitFor();

  // By keys alone, while every answer is held back: nothing of the account before may show.
  await goTo(page, 'Wallet');
  await switcher.focus();
  const released = Promise.withResolvers<void>();
  await page.route('**/app/v1/wallet*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Sales', checked: true }).waitFor();
  await focusWithin(page.getByRole('menu'));
  await page.getByRole('menuitemradio', { name: 'Local workspace' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account Local workspace' }).waitFor();
  await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor();
  expect(await page.locator('main').getByText('0.0000', { exact: true }).count()).toBe(0);
  released.resolve();
  await page.locator('main').getByText('100,000.0000').first().waitFor();
  await page.unroute('**/app/v1/wallet*');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('Account Local workspace');
  await goTo(page, 'Connections');
  await page.getByRole('row', { name: /of the first/ }).waitFor();
}

async function rememberAccount(page: Page) {
  await page.getByRole('button', { name: /^Account / }).click();
  await page.getByRole('menuitemradio', { name: 'Sales' }).click();
  await page.getByRole('button', { name: 'Account Sales' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Account Sales' }).waitFor();
  await goTo(page, 'Settings');
  await page.getByRole('button', { name: 'Rename Sales' }).click();
  await dialogOf(page).getByLabel('Name').fill('Sales and marketing');
  await dialogOf(page).getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'Account Sales and marketing' }).waitFor();
}

async function loseAccount(page: Page) {
  await page.evaluate(() =>
    localStorage.setItem('desk-account', '00000000-0000-4000-8000-000000000000'),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Account Local workspace' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('desk-account'))).toBeNull();
}

describe.each(shells)('in the %s shell', (shell) => {
  let desk: OpenDesk;
  let page: Page;
  beforeAll(async () => {
    desk = await openDesk(shell);
    page = desk.page;
  });
  afterAll(() => desk?.close());

  test('a key is made, shown once, used, seen used, changed and revoked', () => liveKey(page));
  test('keys of the staging world open that world alone', () => openStaging(page));
  test('a second account brings the switcher, and everything shown is the chosen one’s', () =>
    switchAccounts(page));
  test('the chosen account is remembered on this device', () => rememberAccount(page));
  test('an account that is gone gives way to the first', () => loseAccount(page));

  test('none of it made the page complain', () => {
    expect(desk.complaints).toEqual([]);
  });
});
