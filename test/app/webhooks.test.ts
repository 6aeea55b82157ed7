/** Webhooks by clicks: registered, tried out, paused, rotated and deleted; for every eye. */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, setColors } from '../accessibility.ts';
import { goTo, type OpenDesk, openDesk } from '../open-desk.ts';
import { openReceiver } from '../webhook-receiver.ts';

let desk: OpenDesk;
let page: Page;

beforeAll(async () => {
  desk = await openDesk('browser', { reducedMotion: 'reduce' });
  page = desk.page;
  await goTo(page, 'Connections');
});
afterAll(() => desk?.close());

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const region = () => page.getByRole('region', { name: 'Webhooks', exact: true });

async function expectNoBarrier(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColors(page, colorScheme);
    expect(await findBarriers(page)).toEqual([]);
    const folder = process.env.DESK_SHOTS;
    if (folder) {
      const path = `${folder}/${Date.now()}-${colorScheme}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }
}

/** Registers a webhook by the dialog and answers the secret that it showed. */
async function register(url: string): Promise<string> {
  await press('New webhook');
  await page.getByRole('textbox', { name: 'Address' }).fill(url);
  await press('Register');
  await page.getByText('It will not be shown again').waitFor();
  const secret = await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .textContent();
  return secret ?? '';
}

test('an address off the public internet is refused in the words of the engine, until it is allowed', async () => {
  await press('New webhook');
  await page.getByRole('textbox', { name: 'Address' }).fill('https://intra.localhost:9443/desk');
  await press('Register');
  await page.getByText(/is not on the public internet/).waitFor();
  await press('Cancel');
  await page.getByRole('combobox', { name: 'Allowed private hosts' }).fill('intra.localhost');
  await page.keyboard.press('Enter');
  await press('Save');
  await page.getByText('The allowed hosts were saved.').waitFor();
  expect(await register('https://intra.localhost:9443/desk')).toMatch(/^whsec_/);
  await expectNoBarrier();
  await press('I have kept it');
  await region().getByText('https://intra.localhost:9443/desk').waitFor();
});

test('a test event is delivered, signed with the secret that was shown, and its attempt is told', async () => {
  await page.getByText('Staging', { exact: true }).click();
  await page.getByText('No webhook yet').waitFor();
  const receiver = await openReceiver({ certificate: null });
  receiver.answer = (response) => void response.writeHead(500).end('not today');
  const secret = await register(receiver.url);
  await press('I have kept it');
  await press('Deliveries');
  await press('Send a test event');
  await page.getByText('not today').waitFor();
  receiver.answer = (response) => void response.end('thank you');
  await page.getByRole('button', { name: /^Send again: evt_/ }).click();
  await page.getByText('thank you').waitFor();
  await expectNoBarrier();
  for (const { headers, body } of receiver.arrivals)
    expect(headers['x-service-signature']).toBe(
      createHmac('sha256', secret).update(body).digest('hex'),
    );
  expect(receiver.arrivals).toHaveLength(2);
  await page.keyboard.press('Escape');
});

test('a webhook is paused and resumed, its secret rotated, and it is deleted once asked', async () => {
  await press('Pause');
  await region().getByText('paused').waitFor();
  await press('Resume');
  await region().getByText('active', { exact: true }).waitFor();
  await press('Rotate');
  await press('Rotate the secret');
  await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .waitFor();
  await press('I have kept it');
  await expectNoBarrier();
  await press('Delete');
  await press('Delete the webhook');
  await page.getByText('No webhook yet').waitFor();
});

test('Settings say where the key of secrets is, and the page complains of nothing', async () => {
  await goTo(page, 'Settings');
  await page.getByText(/engine\.key in the data folder/).waitFor();
  await expectNoBarrier();
  expect(desk.complaints).toEqual([]);
});
