/** Connections with a real engine: data services, keys, webhooks and accounts. */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goTo, type OpenDesk, openDesk, openTab } from '../open-desk.ts';
import { openReceiver } from '../webhook-receiver.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

const dialog = () => page.getByRole('dialog');
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const switcherOf = (name: string) => page.getByRole('button', { name: `Account ${name}` });

/** Reads the secret that a dialog shows once, and closes the dialog. */
async function keepSecret(pattern: RegExp): Promise<string> {
  const secret = await dialog().getByText(pattern).textContent();
  await press('I’ve saved it');
  await dialog().waitFor({ state: 'detached' });
  return secret ?? '';
}

/** Creates a key in its dialog and returns it. */
async function makeKey(label: string, capPerDay = ''): Promise<string> {
  await press('New key');
  await dialog().getByLabel('Label').fill(label);
  await dialog().getByLabel('Credits per day').fill(capPerDay);
  await press('Create key');
  return keepSecret(/^sk_(live|test)_[\w-]{43}$/);
}

/** The address that the page shows. */
async function readBase(): Promise<string> {
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

test('a shipped data service gets a key, is switched on after the list of what is sent, and is removed', async () => {
  await goTo(page, 'Connections');
  await page.getByRole('link', { name: 'Data services' }).click();
  await page.getByRole('button', { name: 'Add a data service' }).click();
  await dialog()
    .getByRole('button', { name: /^Hunter/ })
    .click();
  await dialog().getByLabel('API key of Hunter').fill('a-key-of-the-test');
  await dialog().getByRole('button', { name: 'Save the key' }).click();
  await dialog().getByRole('button', { name: 'Done' }).click();
  await dialog().waitFor({ state: 'detached' });
  // A click that is forced onto a switch without its key would do nothing.
  const toggle = page.getByRole('switch', { name: 'Hunter is on', disabled: false });
  await toggle.waitFor({ state: 'attached' });
  await toggle.click({ force: true });
  await dialog().getByText('api.hunter.io').waitFor();
  await expect
    .poll(() => dialog().getByRole('listitem').allTextContents())
    .toEqual(['First name', 'Last name', 'Company', 'Email', 'Company domain']);
  await dialog().getByRole('button', { name: 'Switch on' }).click();
  await page
    .getByRole('region', { name: 'Data services' })
    .getByText('on', { exact: true })
    .waitFor();
  const order = page.getByRole('region', { name: 'Work email' }).getByRole('listitem');
  await expect
    .poll(() => order.allTextContents())
    .toEqual([expect.stringContaining('Your directory'), expect.stringMatching(/Hunter$/)]);
  expect(await page.content()).not.toContain('a-key-of-the-test');
  await page.getByRole('button', { name: 'Manage Hunter' }).click();
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove the data service' }).click();
  await page.getByText('No data service yet').waitFor();
});

test('a key is created, used, shown as used, limited and revoked', async () => {
  await goTo(page, 'Connections');
  await page.getByText('No key yet').waitFor();
  const base = await readBase();
  const key = await makeKey('nightly import', '5');
  const row = page.getByRole('row', { name: /nightly import/ });
  await row.getByText('never').waitFor();
  expect((await ask(base, key)).status).toBe(200);
  await row.getByText('just now').nth(1).waitFor();
  expect((await ask(base, key, 4)).status).toBe(202);
  const refused = await ask(base, key, 6);
  expect([refused.status, (await refused.json()).error]).toEqual([402, 'spending_cap_reached']);

  await press('Edit nightly import');
  await dialog().getByLabel('Requests per minute').fill('1');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  // The second within a minute, however long the steps above took.
  await ask(base, key);
  const limited = await ask(base, key);
  expect([limited.status, limited.headers.get('ratelimit-limit')]).toEqual([429, '1']);

  await row.getByRole('button', { name: 'Revoke' }).click();
  await press('Revoke key');
  await page.getByText('No key yet').waitFor();
  expect((await ask(base, key)).status).toBe(401);
});

test('staging keys work only in staging', async () => {
  const live = await readBase();
  await page.getByRole('button', { name: 'Test in staging' }).click();
  // Live has no key either.
  await page.getByText(/\/staging\/api\/v1$/).waitFor();
  await page.getByText('No key yet').waitFor();
  const key = await makeKey('trying out');
  expect(key).toMatch(/^sk_test_/);
  const staging = await readBase();
  expect(staging).toBe(live.replace('/api/v1', '/staging/api/v1'));
  expect([(await ask(staging, key)).status, (await ask(live, key)).status]).toEqual([200, 401]);
});

test('a test event is delivered with a signature of the shown secret, and its attempt is listed', async () => {
  const receiver = await openReceiver({ certificate: null });
  receiver.answer = (response) => void response.writeHead(500).end('not today');
  await openTab(page, 'Webhooks');
  await page.getByText('No webhook yet').waitFor();
  await press('New webhook');
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await press('Register');
  const secret = await keepSecret(/^whsec_/);
  await press('Deliveries');
  await press('Send a test event');
  await page.getByText('not today').waitFor();
  receiver.answer = (response) => void response.end('thank you');
  await page.getByRole('button', { name: /^Send again: evt_/ }).click();
  await page.getByText('thank you').waitFor();
  for (const { headers, body } of receiver.arrivals)
    expect(headers['x-service-signature']).toBe(
      createHmac('sha256', secret).update(body).digest('hex'),
    );
  expect(receiver.arrivals).toHaveLength(2);
  await page.keyboard.press('Escape');
});

test('another account has its own wallet, and the selection is remembered on this device', async () => {
  // Settings speak of accounts from the second one, which the command line or a program creates.
  await page.evaluate(() =>
    fetch('/app/v1/accounts', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-desk-session': localStorage.getItem('desk-session') ?? '',
      },
      body: JSON.stringify({ name: 'Support' }),
    }),
  );
  await page.reload();
  await goTo(page, 'Settings');
  await press('New account');
  await dialog().getByLabel('Name').fill('Sales');
  await press('Create account');
  await switcherOf('Sales').waitFor();
  await page.reload();
  await switcherOf('Sales').waitFor();
  await goTo(page, 'Wallet');
  await page.locator('main').getByText('0', { exact: true }).first().waitFor();
  await switcherOf('Sales').click();
  await page.getByRole('menuitemradio', { name: 'Local workspace' }).click();
  await page.locator('main').getByText('100,000', { exact: true }).first().waitFor();
});

test('the first account replaces a selected one that no longer exists', async () => {
  await page.evaluate(() =>
    localStorage.setItem('desk-account', '00000000-0000-4000-8000-000000000000'),
  );
  await page.reload();
  await switcherOf('Local workspace').waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('desk-account'))).toBeNull();
});

test('the page logs no errors', () => {
  expect(desk.complaints).toEqual([]);
});
