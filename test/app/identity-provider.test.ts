/**
 * A person who logs in at an identity provider authorizes an assistant, all in a browser.
 * @module-tag full
 */
import { createHash } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, findViolations } from '../accessibility.ts';
import { client, openIdentityProvider, type TestProvider } from '../oauth/identity-provider.ts';
import { goTo, type OpenDesk, openDesk, openTab } from '../open-desk.ts';
import { openProgram, type WaitingProgram } from './waiting-program.ts';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let desk: OpenDesk;
let origin: string;
let provider: TestProvider;
let program: WaitingProgram;
beforeAll(async () => {
  program = await openProgram();
  desk = await openDesk('browser');
  origin = new URL(desk.page.url()).origin;
  provider = await openIdentityProvider([`${origin}/oauth/callback`], { host: 'localhost' });
});
afterAll(async () => {
  provider?.close();
  program?.close();
  await desk?.close();
});

const post = async (path: string, body: URLSearchParams | string) => {
  const json = { 'content-type': 'application/json' };
  const headers = typeof body === 'string' ? json : {};
  const answer = await fetch(origin + path, { method: 'POST', headers, body });
  return (await answer.json()) as Record<string, string>;
};

let clientId = '';
/** Opens a client's authorization page in the same browser as the app. */
async function openPage(state: string, name = 'Claude Code'): Promise<Page> {
  const description = { client_name: name, redirect_uris: [program.redirectUri] };
  clientId = (await post('/oauth/register', JSON.stringify(description))).client_id ?? '';
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: program.redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  // Logs everyone out at the provider.
  await desk.page.context().clearCookies();
  const page = await desk.page.context().newPage();
  await page.goto(`${origin}/oauth/authorize?${query}`);
  return page;
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog');
const proceed = (page: Page) => page.getByRole('button', { name: /^Continue with/ }).click();
const logInAs = (page: Page, name: string) =>
  page.getByRole('button', { name: `Log in as ${name}`, exact: true }).click();

async function setProvider(): Promise<void> {
  await goTo(desk.page, 'Connections');
  await openTab(desk.page, 'Assistants');
  await desk.page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = dialogOf(desk.page);
  await dialog.getByText(`${origin}/oauth/callback`).waitFor();
  await dialog.getByLabel('Issuer').fill(provider.issuer);
  await dialog.getByLabel('Client ID').fill(client.id);
  await dialog.getByLabel('Client secret').first().fill(client.secret);
  await dialog.getByLabel('People who may authorize assistants').fill('ann@example.test');
  await desk.page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save provider' }).click();
  await desk.page.getByText(/^Identity provider: localhost:\d+, for ann@example\.test$/).waitFor();
}

/** Exchanges the code, and returns a tool's answer to the key. */
async function callTool(): Promise<string> {
  const { access_token } = await post(
    '/oauth/token',
    new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code_verifier: verifier,
      code: program.answers.at(-1)?.get('code') ?? '',
      redirect_uri: program.redirectUri,
    }),
  );
  const params = { name: 'check_wallet', arguments: {} };
  const answer = await fetch(`${origin}/api/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return answer.text();
}

test('a person who logs in at a configured provider is asked for consent', async () => {
  await setProvider();
  await desk.page.getByRole('button', { name: 'Check' }).click();
  await desk.page.getByText(/responds as expected/).waitFor();
  const page = await openPage('one');
  await proceed(page);
  await logInAs(page, 'ann');
  await page.getByText('You are logged in as Ann@Example.test').waitFor();
  expect([page.url(), program.answers]).toEqual([`${origin}/oauth/callback`, []]);
  await page.getByLabel('Credits a day').fill('25');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Back at the program').waitFor();
  expect(program.answers.map((answer) => answer.get('state'))).toEqual(['one']);
  expect(await callTool()).toContain('available');
  await page.close();
  const table = desk.page.getByRole('region', { name: 'Connected apps' });
  await table.getByText('0 of 25').waitFor();
  expect(await desk.page.context().cookies(origin)).toEqual([]);
  expect(desk.complaints).toEqual([]);
});

test('a login is valid only in the tab that started it', async () => {
  const page = await openPage('three');
  // Intercepted before its form is posted, as if copied to another tab.
  await page.route(/oauth\/callback$/, (route) => route.abort());
  const callback = page.waitForRequest(/oauth\/callback\?/);
  await proceed(page);
  await logInAs(page, 'ann');
  const stolen = (await callback).url();
  const other = await desk.page.context().newPage();
  await other.goto(stolen);
  await other.getByText('not started in this tab').waitFor();
  await Promise.all([other.close(), page.close()]);
  await dialogOf(desk.page).getByRole('button', { name: 'Deny' }).click();
  await dialogOf(desk.page).waitFor({ state: 'detached' });
});

test('a browser that returns without a login finds the page waiting for the app', async () => {
  const page = await openPage('four');
  await proceed(page);
  await page.getByText('Who are you?').waitFor();
  await page.goBack();
  const number = await page.locator('.number').textContent();
  await dialogOf(desk.page).getByText(`Number ${number}`).waitFor();
  await dialogOf(desk.page).getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Back at the program').waitFor();
  await page.close();
});

const longName =
  'Vertriebsassistenz für Öffentlichkeitsarbeit und Neukundengewinnung am Standort Genf';

test('page and settings are accessible, and the page fits a small screen', async () => {
  await goTo(desk.page, 'Connections');
  await openTab(desk.page, 'Assistants');
  const page = await openPage('five', longName);
  await page.setViewportSize({ width: 640, height: 400 });
  await proceed(page);
  await logInAs(page, 'ann');
  await page.getByText('You are logged in as').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => findViolations(page, colorScheme), { message: colorScheme })
      .toEqual([]);
  }
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(640);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Back at the program').waitFor();
  await page.close();
  await desk.page.getByRole('button', { name: 'Change provider' }).click();
  await dialogOf(desk.page).getByLabel('Issuer').waitFor();
  await expectAccessible(desk.page);
  await desk.page.keyboard.press('Escape');
  await dialogOf(desk.page).waitFor({ state: 'detached' });
});
