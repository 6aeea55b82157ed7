/** Assistants in Connections: how each connects, limits, approvals, activity and list folders. */
import { mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectClient } from '../assistants/tool-client.ts';
import { goTo, type OpenDesk, openDesk, openTab } from '../open-desk.ts';
import { createKeyIn } from './key-of-page.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

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
  const { base, key } = await createKeyIn(page, 'Claude Code');
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

test('a REST request is approved like a tool call, also after Later, and proceeds once', async () => {
  await goTo(page, 'Connections');
  const { base, key } = await createKeyIn(page, 'nightly import');
  await page.getByRole('button', { name: 'Edit nightly import' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Maximum credits per request').fill('50');
  await dialog.getByLabel('Ask me above').fill('1');
  expect(await dialog.getByLabel('The assistant may ask me itself').isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Keys in use' }).getByText('asks above 1').waitFor();
  const submit = async () => {
    const rows = [{ email: 'a@b.example' }, { email: 'c@d.example' }];
    const response = await fetch(`${base}/data-enrichment/submit/`, {
      method: 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Spring', selected_layers: ['L1'], rows }),
    });
    return response.status;
  };
  expect(await submit()).toBe(409);
  const prompt = page.getByRole('dialog', { name: 'A program wants to spend credits' });
  await prompt.getByText('2 credits').waitFor();
  await prompt.getByRole('button', { name: 'Later' }).click();
  await prompt.waitFor({ state: 'detached' });
  await openTab(page, 'Assistants');
  await page.getByText('POST /api/v1/data-enrichment/submit/').waitFor();
  expect(await submit()).toBe(409);
  // The toast of the earlier answer has the same text.
  await page.getByText('The request was allowed once.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('The request was allowed once.').waitFor();
  expect(await submit()).toBe(202);
  expect(await submit()).toBe(409);
  await prompt.getByRole('button', { name: 'Deny' }).click();
  await prompt.waitFor({ state: 'detached' });
  expect(desk.complaints).toEqual([]);
});

test('a person allows a folder, an assistant names a list in it, and the folder is removed', async () => {
  const lists = join(realpathSync(desk.dir), 'Listen für den Vertrieb '.repeat(9).trim());
  mkdirSync(lists, { recursive: true });
  const path = join(lists, 'people.csv');
  writeFileSync(path, 'Email\nnobody@nowhere.example\n');
  symlinkSync(lists, join(desk.dir, 'linked'));
  await goTo(page, 'Connections');
  const call = await openAssistant();
  const enrich = () => call('enrich_list', { path, selected_layers: ['L1'], dry_run: true });
  expect((await enrich()).isError).toBe(true);
  await page.getByText('No folder is allowed').waitFor();

  const field = page.getByLabel('Folder to allow');
  const allow = async (folder: string) => {
    await field.fill(folder);
    await field.press('Enter');
  };
  await allow('lists');
  await page.getByText('lists is not an absolute path').waitFor();
  await allow(lists);
  const table = page.getByRole('region', { name: 'Allowed folders' });
  await table.getByText(lists, { exact: true }).waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
  expect((await enrich()).structuredContent).toMatchObject({ total_rows: 1, dry_run: true });
  await allow(join(desk.dir, 'linked'));
  await table.getByText('resolves to').waitFor();

  for (const name of [`Remove ${lists}`, /^Remove .*linked$/])
    await page.getByRole('button', { name, exact: true }).click();
  await page.getByText('No folder is allowed').waitFor();
  expect((await enrich()).isError).toBe(true);
  expect(desk.complaints).toEqual([]);
});
