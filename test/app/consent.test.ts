// A person authorizes an assistant: asked on the browser's page, answered in the app or by login.
import { createHash } from 'node:crypto';
import { chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';
import { findViolations } from '../accessibility.ts';
import { goTo, type OpenDesk, openDesk, openTab } from '../open-desk.ts';
import { openProgram, type WaitingProgram } from './waiting-program.ts';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let desk: OpenDesk;
let origin: string;
let program: WaitingProgram;
beforeAll(async () => {
  desk = await openDesk('browser', { reducedMotion: 'reduce' });
  origin = new URL(desk.page.url()).origin;
});
afterAll(() => desk?.close());
beforeEach(async () => {
  program = await openProgram();
});
afterEach(() => program.close());

const postJson = (path: string, body: unknown) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function makeLink(name = 'Claude Code'): Promise<URL> {
  const { redirectUri } = program;
  const registered = await postJson('/oauth/register', {
    client_name: name,
    redirect_uris: [redirectUri],
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const url = new URL('/oauth/authorize', origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    state: 'abc',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString();
  return url;
}

/** Exchanges the code, and returns the status of a request with the key. */
async function spendAnswer(link: URL): Promise<number> {
  const answer = program.answers.at(-1);
  const token = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer?.get('code') ?? '',
      client_id: link.searchParams.get('client_id') ?? '',
      redirect_uri: program.redirectUri,
      code_verifier: verifier,
    }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  return (await fetch(`${origin}/api/v1/data-enrichment/layers/`, { headers })).status;
}

/** Opens the page in the same browser as the app. */
async function openPage(link: URL): Promise<Page> {
  const page = await desk.page.context().newPage();
  await page.goto(link.href);
  return page;
}

const dialogOf = (page: Page) => page.getByRole('dialog');

test('allowing in the app redirects the browser to the client with a code', async () => {
  const link = await makeLink();
  const page = await openPage(link);
  const number = await page.locator('.number').textContent();
  const dialog = dialogOf(desk.page);
  await dialog.getByText('Allow “Claude Code” to use Enrichment Desk?').waitFor();
  await dialog.getByText(`Number ${number}`).waitFor();
  await desk.page.keyboard.press('Escape');
  await dialog.getByLabel('Credits per day').fill('25');
  await dialog.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Back at the program').waitFor();
  expect([program.answers[0]?.get('state'), program.answers[0]?.get('iss')]).toEqual([
    'abc',
    origin,
  ]);
  expect(await spendAnswer(link)).toBe(200);
  await page.close();
  await goTo(desk.page, 'Connections');
  await openTab(desk.page, 'Assistants');
  const table = desk.page.getByRole('region', { name: 'Connected apps' });
  const row = table.getByRole('row', { name: /Claude Code/ });
  await row.getByText('0 of 25').waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await desk.page.getByRole('button', { name: 'Revoke key' }).click();
  await desk.page.getByText('No assistant is connected').waitFor();
  expect(desk.complaints).toEqual([]);
});

const longName =
  'Vertriebsassistenz für Öffentlichkeitsarbeit und Neukundengewinnung am Standort Genf';

test('the page is accessible in every color scheme, and fits twice the size on a small screen', async () => {
  const page = await openPage(await makeLink(longName));
  await page.setViewportSize({ width: 640, height: 400 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => findViolations(page, colorScheme), { message: colorScheme })
      .toEqual([]);
  }
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(640);
  await dialogOf(desk.page).getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Back at the program').waitFor();
  await page.close();
});

test('pages of another port, another host or a rebound host get nothing', async () => {
  const link = await makeLink();
  const rules = '--host-resolver-rules=MAP evil.example 127.0.0.1';
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...chromiumFlags(), rules],
  });
  const page = await browser.newPage();
  const before = (await makeLink()).searchParams.get('client_id');
  expect(before).toBeTruthy();
  for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
    await page.goto(`http://${host}:${program.port}/`);
    const seen = await page.evaluate(
      async ([target, authorize]) => {
        const read = (path: string, init: RequestInit) =>
          fetch(target + path, init).then(
            async (answer) => `${answer.type} ${(await answer.text()).length}`,
            () => 'nothing',
          );
        const body = '{"redirect_uris":["http://localhost/"]}';
        return [
          await read('/.well-known/oauth-authorization-server', {}),
          await read('/oauth/register', { method: 'POST', body }),
          await read('/oauth/register', { method: 'POST', mode: 'no-cors', body }),
          await read(authorize, {}),
          await read('/oauth/wait', { method: 'POST', mode: 'no-cors', body: '' }),
        ];
      },
      [origin, link.pathname + link.search] as const,
    );
    expect(seen).toEqual(Array(5).fill('nothing'));
    // The page is loaded when its frames are; the browser shows an error page instead of this one.
    await page.setContent(`<iframe src="${link.href}"></iframe>`);
    expect(page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  }
  const rebound = link.href.replace('127.0.0.1', 'evil.example');
  const answer = await page.goto(rebound);
  expect([answer?.status(), await page.getByText('Host header').isVisible()]).toEqual([403, true]);
  await browser.close();
  const waiting = await desk.page.evaluate(async () => {
    const headers = { 'x-desk-session': localStorage.getItem('desk-session') ?? '' };
    const read = await fetch('/app/v1/authorizations', { headers });
    return ((await read.json()) as { data: unknown[] }).data;
  });
  expect(waiting).toEqual([]);
});
