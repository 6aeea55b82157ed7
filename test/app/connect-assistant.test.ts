/** Connections shows how to connect each assistant, with the engine's address. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../accessibility.ts';
import { connectClient } from '../assistants/tool-client.ts';
import { goTo, type OpenDesk, openDesk, openTab } from '../open-desk.ts';

let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk('browser');
  await goTo(desk.page, 'Connections');
  await openTab(desk.page, 'Assistants');
});
afterAll(() => desk?.close());

const sectionOf = () => desk.page.getByRole('region', { name: 'Connect an assistant' });
const choose = (title: string) => sectionOf().getByRole('tab', { name: title }).click();
const shown = (text: RegExp) => sectionOf().getByRole('tabpanel').getByText(text);

test('each assistant gets the commands and links for the running engine', async () => {
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
  await desk.page.getByText('Staging', { exact: true }).click();
  await shown(/enrichment-desk-staging \S+\/staging\/api\/v1\/mcp$/).waitFor();
  await choose('Others');
  await shown(/^desk mcp --staging$/).waitFor();
  await desk.page.getByText('Live', { exact: true }).click();
});

test('the tabs work by keyboard and are accessible', async () => {
  const first = sectionOf().getByRole('tab', { name: 'Claude Code' });
  await first.focus();
  await desk.page.keyboard.press('ArrowRight');
  await sectionOf().getByRole('tab', { name: 'Claude Desktop', selected: true }).waitFor();
  expect(await findViolations(desk.page)).toEqual([]);
});

test('the extension for Claude Desktop is saved from the page', async () => {
  await choose('Claude Desktop');
  const [download] = await Promise.all([
    desk.page.waitForEvent('download'),
    desk.page.getByRole('link', { name: 'Save the extension' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('enrichment-desk.mcpb');
  const saved = join(desk.dir, 'extension.mcpb');
  await download.saveAs(saved);
  expect(statSync(saved).size).toBeGreaterThan(50_000);
});
