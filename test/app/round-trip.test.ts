/**
 * The round trip: a CRM export is imported, an event list is enriched, and the saved file goes back
 * into the CRM, by someone who has never seen the product.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDesk, openDesk } from '../open-desk.ts';
import { readOwn } from '../spreadsheet/export/read-exported.ts';
import { makeWorkbook } from '../spreadsheet/make-workbook.ts';

const [peopleCount, companyCount, eventRows, knownRows] = [400, 90, 600, 420];
/** Clicks from the first run to the saved file, a choice of a file included. */
const clicksMax = 10;

const firstNames = 'Ada Bela Cleo Dora Emil Fay Gus Hedy Ivo Jana Kai Lena Max Nora Olaf Pia'.split(
  ' ',
);
const lastParts =
  'Ash Birk Corn Dale Elm Fern Gold Hazel Iron Jade Kest Lark Moor Nash Oak Pell'.split(' ');

/** A person of the CRM, or beyond it. */
function describePerson(at: number) {
  const first = firstNames[at % firstNames.length] ?? '';
  const part = lastParts[Math.floor(at / firstNames.length) % lastParts.length] ?? '';
  const last = `${part}${['wood', 'field', 'stone', 'brook'][at % 4]}${at < 256 ? '' : 'er'}`;
  const company = at % companyCount;
  const domain = `company${company}.example`;
  return {
    id: String(90_001 + at),
    first,
    last,
    company: `Company ${String.fromCharCode(65 + (company % 26))}${company} Works`,
    companyId: `7${String(company).padStart(4, '0')}`,
    domain,
    email: `${first}.${last}@${domain}`.toLowerCase(),
    title: ['Head of Sales', 'Engineer', 'Buyer'][at % 3] ?? '',
    owner: ['Zoe Fox', 'Max Roe', ''][at % 3] ?? '',
    stage: ['customer', 'lead'][at % 2] ?? '',
  };
}
type Person = ReturnType<typeof describePerson>;

const people = Array.from({ length: peopleCount }, (_, at) => describePerson(at));
const isKnown = (at: number) => at < peopleCount;
// The first twenty people are on the list twice.
const event = Array.from({ length: eventRows }, (_, row) =>
  describePerson(row < knownRows ? row % peopleCount : row - knownRows + peopleCount),
);

const toCsv = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(',')).join('\n');

const crmContacts = toCsv([
  ['Record ID', 'First Name', 'Last Name', 'Email', 'Company name', 'Job Title'].concat([
    'Contact owner',
    'Lifecycle Stage',
  ]),
  ...people.map((one) => [
    one.id,
    one.first,
    one.last,
    one.email,
    one.company,
    one.title,
    one.owner,
    one.stage,
  ]),
]);
const crmCompanies = toCsv([
  ['Record ID', 'Company name', 'Company Domain Name', 'Industry'],
  ...people
    .slice(0, companyCount)
    .map((one) => [one.companyId, one.company, one.domain, 'Machinery']),
]);
const eventList = makeWorkbook([
  [
    ['Vorname', 'Nachname', 'Firma', 'E-Mail', 'Booth'],
    ...event.map((one, row) => [one.first, one.last, one.company, one.email, String(row)]),
  ],
]);

/** What the CRM must receive for a person, by the columns of its importer. */
function expectedRecord(one: Person, at: number): Record<string, string> {
  const known = isKnown(at);
  return {
    'Record ID': known ? one.id : '',
    'First Name': known ? '' : one.first,
    'Last Name': known ? '' : one.last,
    'Company Name': one.company,
    'Job Title': known ? one.title : '',
    Email: one.email,
    'LinkedIn URL': '',
    City: '',
    'State/Region': '',
    'Country/Region': '',
    'Phone Number': '',
    'Contact owner': known ? one.owner : '',
    'Lifecycle Stage': known ? one.stage : '',
  };
}

/** The records of the event list in its order, each person once. */
const expectedRecords = event
  .map((one, row) => ({
    one,
    at: row < knownRows ? row % peopleCount : row - knownRows + peopleCount,
  }))
  .filter(({ at }, row) => row < peopleCount || !isKnown(at))
  .map(({ one, at }) => expectedRecord(one, at));

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
};
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(desk.dir, name), content);
  return join(desk.dir, name);
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
  await chooseBy(place, write('crm-contacts.csv', crmContacts));
  const contacts = page.getByRole('region', { name: 'The columns of crm-contacts.csv' });
  // Owner and lifecycle stage are kept without a choice.
  await contacts
    .getByRole('checkbox', { name: 'Keep Contact owner as it is', checked: true })
    .waitFor();
  await chooseBy(place, write('crm-companies.csv', crmCompanies));
  await page.getByRole('region', { name: 'The columns of crm-companies.csv' }).waitFor();
  await click(button('Import'));
  await chooseBy(button('Enrich a list…'), write('event.xlsx', eventList));
  await click(button(/^Enrich 600 rows, at most/));
  await page.getByText(/420 of 600 rows enriched/).waitFor();
  await click(button('Save…'));
  await click(button('For HubSpot contacts'));
  const saved = await readSaved(() => click(button('Save workbook')), 'hubspot.xlsx');
  expect(clicks).toBeLessThanOrEqual(clicksMax);
  expect(saved).toEqual(expectedRecords);
});

test('people who are not in the CRM go into a second file if the user wants so', async () => {
  await button('Save…').click();
  // The CRM of the last file is proposed.
  await page.getByLabel('In a second file').check();
  await page.getByLabel('Also your list’s other columns').check();
  await page
    .getByText(
      `${eventRows} rows: ${peopleCount} records to update, ${eventRows - knownRows} new records ` +
        `in a second file, ${knownRows - peopleCount} rows repeat an earlier one.`,
    )
    .waitFor();
  // The browser reports two downloads in either order.
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await button('Save workbook').click();
  await expect.poll(() => downloads.length).toBe(2);
  await Promise.all(
    downloads.map((one) => one.saveAs(join(desk.dir, `split-${one.suggestedFilename()}`))),
  );
  const read = (name: string) => readOwn(join(desk.dir, `split-${name}.xlsx`));
  const known = await read('event-hubspot');
  const added = await read('event-hubspot-new');
  expect([known.length - 1, added.length - 1]).toEqual([peopleCount, eventRows - knownRows]);
  expect(known[0]).toContain('Record ID');
  expect(added[0]).not.toContain('Record ID');
  expect(added.map((row) => row.at(-1)).slice(0, 2)).toEqual(['Booth', String(knownRows)]);
});

test('the file with everything has the id in each list and the kept columns', async () => {
  await button('Save…').click();
  await page.getByRole('combobox', { name: 'Columns for' }).click();
  await page.getByRole('option', { name: 'A spreadsheet, all columns' }).click();
  await page.getByLabel('Source, date and confidence').check();
  const saved = await readSaved(() => button('Save workbook').click(), 'everything.xlsx');
  expect(saved).toHaveLength(eventRows);
  for (const [row, one] of saved.entries()) {
    const person = event[row] as Person;
    const known = row < knownRows;
    expect(one).toMatchObject({
      Vorname: person.first,
      Booth: String(row),
      'Id in crm-contacts.csv': known ? person.id : '',
      'Company id in crm-companies.csv': known ? person.companyId : '',
      'Contact owner': known ? person.owner : '',
      'Current title source': known ? 'crm-contacts.csv' : '',
    });
  }
});

test('the page logs no errors', () => {
  expect(desk.complaints).toEqual([]);
});
