// The main flow: from a spreadsheet to a price, a job and the enriched spreadsheet. In the browser
// by keyboard, in the desktop app with a dialog that saves.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chooseFile, focusWithin, goTo, type OpenDesk, openDesk } from '../open-desk.ts';
import { tabTo } from './tab-to.ts';
import { readCharge, readCredits, trySample } from './try-sample.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');

/** All cells of a CSV with its header, without a byte order mark. */
const readCells = (path: string, delimiter: string): string[][] =>
  parse(readFileSync(path, 'utf8'), { bom: true, delimiter, skip_empty_lines: true });

/** Saves the CSV: every submitted cell, the results, and a status per row. */
async function expectSaved(desk: OpenDesk, enriched: number): Promise<void> {
  const saved = join(desk.dir, 'out.csv');
  await desk.saveCsv(saved);
  const given = readCells(contacts, ';');
  const answered = readCells(saved, ',');
  expect(answered.map((row) => row.slice(0, 8))).toEqual(given);
  const status = answered[0]?.indexOf('Enrichment status') ?? -1;
  expect(answered.filter((row) => row[status] === 'enriched')).toHaveLength(enriched);
  expect(answered[0]).toContain('Current title');
}

/** Counts the clicks in a page from now on. */
async function countClicks({ page }: OpenDesk): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const clicks: number[] = [];
    Object.assign(window, { clicks });
    document.addEventListener('pointerdown', ({ timeStamp }) => void clicks.push(timeStamp), true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number[] }).clicks.length);
}

/** The main flow without a mouse, in a page that is loaded again. */
async function enrichByKeyboard({ page }: OpenDesk): Promise<void> {
  await page.goto(new URL('/', page.url()).href);
  await page.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
  // Listens from the start, because the browser reports the file chooser after the key press.
  page.on('filechooser', () => undefined);
  const choose = async () => {
    await page.locator('#screen').focus();
    await tabTo(page, /^Drop a spreadsheet/);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.keyboard.press('Enter'),
    ]);
    await chooser.setFiles(contacts);
    await page.getByText(/^Expected, from a free dry run of 300/).waitFor();
  };
  await choose();
  await page.locator('#screen').focus();
  await tabTo(page, /^Change$/);
  await page.keyboard.press('Enter');
  await choose();
  await page.locator('#screen').focus();
  await tabTo(page, /^Company location,/);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Enrich 300 rows, at most 450 credits' }).waitFor();
  await tabTo(page, /^Enrich 300 rows/);
  await page.keyboard.press('Enter');

  await page.getByText(/of 300 rows enriched/).waitFor();
  await page.getByRole('gridcell').first().waitFor();
  await page.locator('#screen').focus();
  await tabTo(page, /^Rows of contacts$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: /^Details of / });
  await details.getByText('Row 2', { exact: true }).waitFor();
  await focusWithin(details);
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
    .toBe('grid');
}

describe('in the browser', () => {
  let desk: OpenDesk;
  beforeAll(async () => {
    desk = await openDesk('browser');
  });
  afterAll(() => desk?.close());

  test('the first run goes from nothing to a priced sample with one click', async () => {
    await trySample(desk);
  });
  test('a spreadsheet is selected, priced, enriched and read by keyboard alone', () =>
    enrichByKeyboard(desk));
});

test('in the desktop app a spreadsheet is priced exactly, enriched and returned with the results', async () => {
  const desk = await openDesk('desktop', { directory: 'sample' });
  onTestFinished(() => desk.close());
  const { page } = desk;
  await chooseFile(page, contacts);
  const readClicks = await countClicks(desk);
  await page.getByText(/300 rows · .*8 columns · UTF-8, semicolon/).waitFor();
  // The columns are recognised, so the step is folded to its first line.
  const columns = page.getByRole('region', { name: 'Columns', exact: true });
  await columns.getByText(/Last name ← Surname, Company ← Firm/).waitFor();

  await page.getByRole('checkbox', { name: /^New company,/ }).click();
  await page.getByText('New company needs Company location, so it was added too.').waitFor();
  const button = page.getByRole('button', { name: 'Enrich 300 rows, at most 750 credits' });
  await page.getByText(/^Expected, from a free dry run of 300 rows/).waitFor();
  await button.click();

  const outcome = page.getByText(/of 300 rows enriched/);
  await outcome.waitFor();
  const words = (await outcome.textContent()) ?? '';
  const enriched = Number(/^(\d+) of 300/.exec(words)?.[1]);
  const charged = readCharge(words);
  expect(enriched).toBeGreaterThan(200);
  expect(charged).toBe(enriched * 2.5);
  expect(readCredits(/([\d,.]+) returned/.exec(words)?.[1])).toBe(750 - charged);

  await expectSaved(desk, enriched);
  // One of them added a layer. A person needs it to choose the file instead.
  expect(await readClicks()).toBeLessThanOrEqual(4);

  await goTo(page, 'Wallet');
  const left = (100_000 - charged).toLocaleString('en-US');
  await page.getByRole('definition').getByText(left).first().waitFor();
  expect(desk.complaints).toEqual([]);
});
