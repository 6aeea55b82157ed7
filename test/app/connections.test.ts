// Connections with a real engine: the extension, and an assistant from its key to its activity.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const base = await page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/).textContent();
  return { key: key ?? '', base: base ?? '' };
}

test('the extension for Claude Desktop is saved from the page', async () => {
  await goTo(page, 'Connections');
  await openTab(page, 'Assistants');
  const section = page.getByRole('region', { name: 'Connect an assistant' });
  await section.getByRole('link', { name: 'Claude Desktop', exact: true }).click();
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
