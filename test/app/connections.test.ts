// Connections with a real engine: a key of staging, and assistants from commands to a call.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectClient } from '../assistants/tool-client.ts';
import { goTo, type OpenDesk, openDesk, openTab } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

/** Creates a key on the page. Returns it with the address that the page shows. */
async function createKey(label: string) {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill(label);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByText(/^sk_(live|test)_[\w-]{43}$/).textContent();
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await dialog.waitFor({ state: 'detached' });
  const base = await page
    .getByText(/^http:\/\/127\.0\.0\.1:\d+(\/staging)?\/api\/v1$/)
    .textContent();
  return { key: key ?? '', base: base ?? '' };
}

test('a key of staging works only there, and its row says that it was used', async () => {
  await goTo(page, 'Connections');
  await createKey('in use');
  await page.getByRole('button', { name: 'Test in staging' }).click();
  await page.getByText(/\/staging\/api\/v1$/).waitFor();
  const { base, key } = await createKey('trying out');
  expect([key, base]).toEqual([
    expect.stringMatching(/^sk_test_/),
    expect.stringMatching(/\/staging\/api\/v1$/),
  ]);
  const row = page.getByRole('row', { name: /trying out/ });
  await row.getByText('never').waitFor();
  const ask = async (address: string) => {
    const headers = { authorization: `Token ${key}` };
    return (await fetch(`${address}/data-enrichment/jobs/`, { headers })).status;
  };
  expect([await ask(base), await ask(base.replace('/staging', ''))]).toEqual([200, 401]);
  await row
    .getByText(/^just now$|ago$/)
    .nth(1)
    .waitFor();
  await page.getByRole('button', { name: 'Back to live' }).click();
});

const sectionOf = () => page.getByRole('region', { name: 'Connect an assistant' });
const choose = (title: string) =>
  sectionOf().getByRole('link', { name: title, exact: true }).click();
const shown = (text: RegExp) => sectionOf().getByText(text);

test('each assistant gets the commands and links for the running engine', async () => {
  await goTo(page, 'Connections');
  await openTab(page, 'Assistants');
  const command = await shown(/^claude mcp add --transport http \S+ \S+$/).textContent();
  const url = command?.split(' ').at(-1) ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/mcp$/);
  await expect(connectClient(url, 'sk_live_wrong')).rejects.toThrow(/401|Unauthorized/i);
  for (const [title, link] of [
    ['Cursor', 'Add to Cursor'],
    ['VS Code', 'Add to VS Code'],
  ] as const) {
    await choose(title);
    await shown(/"url"/).filter({ hasText: url }).waitFor();
    const href = await sectionOf().getByRole('link', { name: link }).getAttribute('href');
    expect(href).toMatch(/^(cursor:\/\/anysphere\.cursor-deeplink|vscode:mcp)/);
  }
  await choose('Others');
  await shown(/^desk mcp$/).waitFor();
  expect(desk.complaints).toEqual([]);
});

test('the commands for staging use staging', async () => {
  await page.getByRole('button', { name: 'Test in staging' }).click();
  await choose('Claude Code');
  await shown(/enrichment-desk-staging \S+\/staging\/api\/v1\/mcp$/).waitFor();
  await choose('Others');
  await shown(/^desk mcp --staging$/).waitFor();
  await page.getByRole('button', { name: 'Back to live' }).click();
});

test('the assistant is in the address: a reload keeps it', async () => {
  await choose('Codex');
  await page.reload();
  await shown(/^codex mcp login enrichment-desk$/).waitFor();
  await sectionOf().locator('a[aria-current=page]', { hasText: 'Codex' }).waitFor();
});

test('the extension for Claude Desktop is saved from the page', async () => {
  await choose('Claude Desktop');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save the extension' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('enrichment-desk.mcpb');
  const saved = join(desk.dir, 'extension.mcpb');
  await download.saveAs(saved);
  expect(statSync(saved).size).toBeGreaterThan(50_000);
});

/** Creates a key on the page and calls tools with it, as an assistant does. */
async function openAssistant() {
  const { base, key } = await createKey('Claude Code');
  await openTab(page, 'Assistants');
  return async (name: string, args: unknown) => {
    const params = { name, arguments: args };
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return (await response.json()).result;
  };
}

test('a person limits an assistant, approves its request, and reads its activity', async () => {
  await goTo(page, 'Connections');
  const call = await openAssistant();
  await page.getByText('No assistant has called a tool yet').waitFor();
  await call('check_wallet', {});
  await page.getByRole('button', { name: 'Limits of Claude Code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Maximum credits per request').fill('1.00001');
  await dialog.getByText('Enter a number').waitFor();
  await dialog.getByLabel('Maximum credits per request').fill('20');
  await dialog.getByLabel('Ask me above').fill('0.1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });

  await goTo(page, 'Enrich');
  const waiting = call('validate_emails', { emails: ['nobody', 'no one'] });
  await page.getByText('A program wants to spend credits').waitFor();
  await page.getByText('0.2 credits').waitFor();
  await page.getByRole('button', { name: 'Deny' }).click();
  expect((await waiting).isError).toBe(true);
  await page.getByText('A program wants to spend credits').waitFor({ state: 'detached' });
  const again = call('validate_emails', { emails: ['nobody', 'no one'] });
  await page.getByRole('button', { name: 'Allow once' }).click();
  expect((await again).structuredContent.credits_held).toBe('0.2000');

  await goTo(page, 'Connections');
  await openTab(page, 'Assistants');
  const activity = page.getByRole('region', { name: 'Assistant activity' });
  await activity.getByText('validate_emails').nth(1).waitFor();
  await activity.getByText(/denied/).waitFor();
  expect(desk.complaints).toEqual([]);
});
