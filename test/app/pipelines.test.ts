// Unlocking many people: from a search or a spreadsheet, followed, read, saved and cancelled.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addCredits, goTo, type OpenDesk, openDesk } from '../open-desk.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');

let desk: OpenDesk;
let page: Page;
// Name servers that never answer, so that verifying an email lasts until the engine has given up
// each of them twice: after a minute, longer than a busy machine takes to cancel it.
const silent = Array.from({ length: 8 }, () => createSocket('udp4'));
async function startSilent(server: Socket): Promise<string> {
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${server.address().port}`;
}
beforeAll(async () => {
  process.env.DESK_DNS_SERVERS = (await Promise.all(silent.map(startSilent))).join();
  desk = await openDesk('browser', { directory: 'sample' });
  page = desk.page;
});
afterAll(async () => {
  delete process.env.DESK_DNS_SERVERS;
  for (const server of silent) server.close();
  await desk?.close();
});

const credits = (text: string | undefined) => Number(text?.replaceAll(',', ''));
/** A CSV by its columns; the first of equally named ones. */
function readCsv(path: string): (column: string) => (string | undefined)[] {
  const text = readFileSync(path, 'utf8');
  const [header = [], ...rows]: string[][] = parse(text, { skip_empty_lines: true });
  return (column) => rows.map((row) => row[header.indexOf(column)]);
}

async function goToLists(page: Page): Promise<void> {
  await goTo(page, 'Directory');
  await page.getByRole('link', { name: 'Emails and phones' }).click();
}

const outcome = () => page.getByText(/contacts known, .* credits charged\./);
const box = (name: RegExp) => page.getByRole('checkbox', { name });

async function newFromFile(): Promise<void> {
  await goToLists(page);
  await page.getByRole('link', { name: 'Show emails and phones' }).click();
  await page.getByText('A spreadsheet', { exact: true }).click();
  await page.locator('main input[type=file]').first().setInputFiles(contacts);
  await page.getByText(/^Expected: /).waitFor();
}

test('the people of a search are priced, unlocked, shown and saved, by keyboard', async () => {
  await goToLists(page);
  await page.getByText('No list yet').waitFor();
  await page.getByRole('link', { name: 'Show emails and phones' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Show emails and phones', level: 1 }).waitFor();
  await page.getByLabel('Job title').fill('u.s. senator');
  const counted = page.getByRole('button', { name: /^Show \d\d contacts, at most/ });
  await counted.waitFor();
  const found = Number(/\d+/.exec((await counted.textContent()) ?? '')?.[0]);
  await expect
    .poll(() => page.getByLabel('Name', { exact: true }).inputValue())
    .toBe('u.s. senator');
  await box(/^Phone, 5 credits/).focus();
  await page.keyboard.press('Space');
  const most = (found * 6).toLocaleString('en-US');
  const start = page.getByRole('button', {
    name: `Show ${found} contacts, at most ${most} credits`,
  });
  await start.waitFor();
  const expected = await page.getByText(/^Expected: /).textContent();
  await start.focus();
  await page.keyboard.press('Enter');

  await outcome().waitFor();
  const words = (await outcome().textContent()) ?? '';
  const [, unlocked] = /, ([\d,]+) shown/.exec(words) ?? [];
  const charged = /([\d,.]+) credits charged/.exec(words)?.[1];
  expect(credits(charged)).toBeGreaterThan(0);
  expect(expected).toContain(`Expected: ${charged} credits`);
  const saved = join(desk.dir, 'people.csv');
  await desk.saveCsv(saved);
  const statuses = readCsv(saved)('Lookup status');
  expect(statuses).toHaveLength(found);
  expect(statuses.filter((status) => status === 'unlocked')).toHaveLength(Number(unlocked));
  await goToLists(page);
  const listed = page.getByRole('row', { name: /^u\.s\. senator/ });
  await expect.poll(() => listed.textContent()).toContain(`completed${found}`);
  await expect.poll(() => listed.textContent()).toContain(charged);
  expect(desk.complaints).toEqual([]);
});

/** Selects a new account with an empty wallet and no budget. */
async function chooseNewAccount(): Promise<void> {
  await page.evaluate(async () => {
    const answer = await fetch('/app/v1/accounts', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-desk-session': localStorage.getItem('desk-session') ?? '',
      },
      body: JSON.stringify({ name: 'Poor' }),
    });
    localStorage.setItem('desk-account', (await answer.json()).data.id);
  });
  await page.reload();
}

async function setBudget(): Promise<void> {
  await goTo(page, 'Wallet');
  const budget = page.getByRole('region', { name: 'Budget' });
  await budget.getByRole('switch').click();
  await expect.poll(() => budget.getByRole('switch').isChecked()).toBe(true);
}

test('a pipeline of a spreadsheet unlocks nothing beyond the balance; the rest shows as locked', async () => {
  await chooseNewAccount();
  onTestFinished(async () => {
    await page.evaluate(() => localStorage.removeItem('desk-account'));
    await page.reload();
  });
  await newFromFile();
  await box(/^Phone/).click();
  // Without a budget the owner is asked for nothing: missing credits are added.
  const start = (credits: string) =>
    page.getByRole('button', { name: `Show 300 contacts, at most ${credits} credits` });
  await expect.poll(() => start('1,800').isEnabled()).toBe(true);
  await setBudget();
  await page.goBack();
  await page.getByText(/The wallet is empty/).waitFor();
  await expect.poll(() => start('0').isDisabled()).toBe(true);
  await addCredits(page, '12');
  // The draft is kept while credits are added.
  await page.goBack();
  await page.getByText(/300 rows · .*8 columns · UTF-8, semicolon/).waitFor();
  await page.getByText(/spends at most the 12 available credits/).waitFor();
  await start('12').click();

  await outcome().waitFor();
  await expect.poll(() => outcome().textContent()).toContain(' 12 credits charged.');
  await page.getByText(/^\d+ contacts have hidden values/).waitFor();
  const grid = page.getByRole('grid', { name: 'Contacts of contacts' });
  await page.getByText('Found only').click();
  await grid.getByRole('gridcell', { name: 'Locked' }).first().waitFor();
  await grid.getByRole('gridcell', { name: 'not enough credits' }).first().waitFor();
  const saved = join(desk.dir, 'file.csv');
  await desk.saveCsv(saved);
  const read = readCsv(saved);
  expect(read('Konto-Nr')).toEqual(
    Array.from({ length: 300 }, (_, at) => String(at).padStart(5, '0')),
  );
  expect(read('Credits charged').reduce((sum, one) => sum + Number(one), 0)).toBe(12);
  const shown = read('Email');
  const locked = read('Locked').map((kinds, at) => [kinds, shown[at]]);
  expect(locked).toContainEqual(['email, phone', '']);
});

test('a pipeline shows its steps while it runs, and is cancelled with its unlocked values', async () => {
  await goToLists(page);
  await page.getByRole('link', { name: 'Show emails and phones' }).click();
  await page.getByLabel('Job title').fill('state senator');
  await box(/^Verify/).click();
  const longName = 'A name that is as long as names get '.repeat(5).trim();
  await page.getByLabel('Name', { exact: true }).fill(longName);
  await page.getByText(/^Verify emails, [\d,]+ × 0\.1/).waitFor();
  await page.getByRole('button', { name: /^Show [\d,]+ contacts, at most/ }).click();
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByText(/^Verifying [\d,]+ of [\d,]+ contacts/).waitFor();
  const readSteps = async () => {
    const texts = await progress.getByRole('listitem').allTextContents();
    return texts.map((text) => text.replace(/[\d,]+ of [\d,]+$/, ''));
  };
  await expect.poll(readSteps).toEqual(['Look up', 'Show', 'Verify']);
  await goToLists(page);
  await page.getByRole('progressbar', { name: 'Verifying' }).waitFor({ state: 'attached' });
  await page.getByRole('link', { name: longName }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this run?' });
  await dialog.getByText(/stay yours and are charged/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel the run' }).click();
  const end = page.getByText(/^Cancelled\. [\d,]+ contacts that were shown before stay yours/);
  await end.waitFor();
  await expect.poll(() => end.textContent()).toMatch(/ [\d,.]+ credits charged, [\d,.]+ returned/);
  await expect.poll(() => page.getByRole('button', { name: 'Save…' }).count()).toBe(0);
  expect(desk.complaints).toEqual([]);
});
