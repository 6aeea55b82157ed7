// The round trip: a CRM export is imported, an event list is enriched, and the saved file goes back
// into the CRM, by someone who has never seen the product. The people of the files are invented.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDesk, openDesk } from '../open-desk.ts';
import { readOwn } from '../spreadsheet/export/read-exported.ts';

/** Clicks from the first run to the saved file, a choice of a file included. */
const clicksMax = 10;
/** Of the 420 rows about people of the CRM, how many are answered without a review at least. */
const answeredMin = 400;

type Cells = Readonly<Record<string, string>>;
const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/trip', name);
const readCsv = (name: string): Cells[] =>
  parse(readFileSync(fixture(name), 'utf8'), { columns: true, bom: true });

const contacts = new Map(readCsv('crm-contacts.csv').map((one) => [one['Record ID'], one]));
const companyIds = new Map(
  readCsv('crm-companies.csv').map((one) => [one['Company name'], one['Record ID']]),
);
/** The rows of event-list.xlsx, each with the record of the person that it means, if any. */
const event = readCsv('answers.csv');
/** The records that the list means, in its order, each once. */
const meantIds = [...new Set(event.map((row) => row['Record ID']).filter(Boolean))];

const mobiles = [...contacts.values()].map((one) => one['Mobile Phone Number']);
/** A mobile number that several people have is not a person's. */
const isOwn = (mobile: string): boolean => mobiles.filter((one) => one === mobile).length === 1;

/** What HubSpot receives for a known person: the cells that it exported, without names. */
function recordOf(id: string | undefined): Cells {
  const known = contacts.get(id);
  if (!known) throw new Error(`The CRM has no record ${id}.`);
  const { 'Last Modified Date': _modified, 'Mobile Phone Number': mobile = '', ...cells } = known;
  return {
    ...cells,
    'First Name': '',
    'Last Name': '',
    'State/Region': '',
    'Phone Number': (cells['Phone Number'] ?? '').replaceAll(' ', ''),
    'Mobile Phone Number': isOwn(mobile) ? mobile.replaceAll(' ', '') : '',
  };
}

/** A contact by its email and the words of its name in any order. */
const keyOf = (name = '', email = ''): string =>
  [...name.split(/[\s,]+/).sort(), email.trim()].join(' ').toLowerCase();

let desk: OpenDesk;
let page: Page;
let clicks = 0;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

const click = async (target: Locator) => {
  clicks += 1;
  await target.click();
  // The part of the page that keeps the focus is loaded after the first screen.
  if (clicks > 1) await expect.poll(() => page.locator('body:focus').count()).toBe(0);
};
/** Chooses a file by one click and the file chooser that it opens. */
async function chooseBy(target: Locator, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(target)]);
  await chooser.setFiles(path);
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Presses a button that saves, and returns the rows of the workbook that it downloads. */
async function readSaved(
  save: () => Promise<void>,
  name: string,
): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), save()]);
  const path = join(desk.dir, name);
  await download.saveAs(path);
  const [headers = [], ...rows] = await readOwn(path);
  return rows.map((row) =>
    Object.fromEntries(headers.map((header, at) => [header, row[at] ?? ''])),
  );
}

test('from the first run to the file for the CRM there are at most ten clicks', async () => {
  await click(page.getByRole('link', { name: 'Import people and companies' }));
  // The one that has no file yet.
  const place = page.locator('main [data-drop-area]').first();
  await chooseBy(place, fixture('crm-contacts.csv'));
  // Owner and lifecycle stage are kept without a choice.
  await page
    .getByRole('region', { name: 'The columns of crm-contacts.csv' })
    .getByRole('checkbox', { name: 'Keep Contact owner as it is', checked: true })
    .waitFor();
  await chooseBy(place, fixture('crm-companies.csv'));
  await page.getByRole('region', { name: 'The columns of crm-companies.csv' }).waitFor();
  await click(button('Import'));
  await chooseBy(button('Enrich a list…'), fixture('event-list.xlsx'));
  await click(button('All layers'));
  await click(button(/^Enrich 600 rows, at most/));
  await page.getByText(/[0-9]+ of 600 rows enriched/).waitFor();
  await click(button('Save…'));
  await click(button('For HubSpot contacts'));
  const saved = await readSaved(() => click(button('Save workbook')), 'hubspot.xlsx');
  expect(clicks).toBeLessThanOrEqual(clicksMax);
  const known = saved.filter((one) => one['Record ID'] !== '');
  const ids = known.map((one) => one['Record ID']);
  expect(ids.length).toBeGreaterThanOrEqual((answeredMin / 420) * meantIds.length);
  expect(ids.toSorted()).toEqual(meantIds.filter((id) => ids.includes(id)).toSorted());
  expect(known).toEqual(ids.map(recordOf));
  const strangers = event.filter((row) => row['Record ID'] === '');
  const meant = new Set(strangers.map((row) => keyOf(row['Full name'], row['E-Mail'])));
  const added = saved.filter((one) => one['Record ID'] === '');
  expect(added.length).toBeGreaterThan(0.9 * strangers.length);
  expect(
    added.filter((one) => !meant.has(keyOf(`${one['First Name']} ${one['Last Name']}`, one.Email))),
  ).toEqual([]);
});

test('people who are not in the CRM go into a second file if the user wants so', async () => {
  await button('Save…').click();
  // The CRM of the last file is proposed.
  await page.getByLabel('In a second file').check();
  await page.getByLabel('Also your list’s other columns').check();
  const counts = await page.getByText(/^600 rows: .* new records in a second file/).innerText();
  const [, updates, news] = /(\d+) records to update, (\d+) new/.exec(counts) ?? [];
  // The browser reports two downloads in either order.
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await button('Save workbook').click();
  await expect.poll(() => downloads.length).toBe(2);
  await Promise.all(
    downloads.map((one) => one.saveAs(join(desk.dir, `split-${one.suggestedFilename()}`))),
  );
  const read = (name: string) => readOwn(join(desk.dir, `split-${name}.xlsx`));
  const known = await read('event-list-hubspot');
  const added = await read('event-list-hubspot-new');
  expect([known.length - 1, added.length - 1]).toEqual([Number(updates), Number(news)]);
  expect(known[0]).toContain('Record ID');
  expect(added[0]).not.toContain('Record ID');
  expect(added[0]?.slice(-2)).toEqual(['Ticket', 'Notes']);
});

test('the file with everything has the id in each list and the kept columns', async () => {
  await button('Save…').click();
  await page.getByRole('combobox', { name: 'Columns for' }).click();
  await page.getByRole('option', { name: 'A spreadsheet, all columns' }).click();
  await page.getByLabel('Source, date and confidence').check();
  const saved = await readSaved(() => button('Save workbook').click(), 'everything.xlsx');
  const answered = saved.filter((one) => one['Id in crm-contacts.csv'] !== '');
  expect(answered.length).toBeGreaterThanOrEqual(answeredMin);
  expect(saved).toHaveLength(event.length);
  for (const [row, one] of saved.entries()) {
    const { 'Record ID': id, ...own } = event[row] ?? {};
    const known = contacts.get(one['Id in crm-contacts.csv']);
    expect(one).toMatchObject({
      ...own,
      'Id in crm-contacts.csv': known ? id : '',
      'Company id in crm-companies.csv': companyIds.get(known?.['Company Name']) ?? '',
      'Contact owner': known?.['Contact owner'] ?? '',
      'Current title source': known ? 'crm-contacts.csv' : '',
      'Company city source': known ? 'crm-companies.csv' : '',
    });
  }
});

test('the page logs no errors', () => {
  expect(desk.complaints).toEqual([]);
});
