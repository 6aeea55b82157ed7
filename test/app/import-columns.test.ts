/** A list whose headers nobody knows is imported by hand; a refusal keeps what was chosen. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBarriers, setColors } from '../accessibility.ts';
import { makeWorkbook } from '../csv/make-workbook.ts';
import { goTo, type OpenDesk, openDesk } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser', { reducedMotion: 'reduce' });
  page = desk.page;
});
afterAll(() => desk?.close());
beforeEach(async () => {
  // Leaving the screen lets go of what was chosen on it.
  await goTo(page, 'Enrich');
  await goTo(page, 'Directory');
});

const odd = 'Wer;Wo tätig;Rolle dort;Netzpost\n';
const rows = [
  'Ada Lovelace;Analytical Engines;Analyst;ada@engines.example',
  'Grace Hopper;Harvard;Commander;grace@harvard.example',
];

/** Chooses a list under its place and answers the part of the screen that shows its columns. */
async function chooseList(place: string, name: string, content: string | Buffer): Promise<Locator> {
  const path = join(desk.dir, name);
  writeFileSync(path, content);
  await page.getByLabel(place, { exact: true }).setInputFiles(path);
  const columns = page.getByRole('region', { name: `The columns of ${name}` });
  await columns.getByRole('grid', { name: `First rows of ${name}` }).waitFor();
  return columns;
}

async function pick(columns: Locator, field: string, header: string): Promise<void> {
  await columns.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: header, exact: true }).click();
}

const openColumns = (columns: Locator) =>
  columns.getByRole('button', { name: 'Columns', exact: true }).click();
const startImport = () => page.getByRole('button', { name: 'Import', exact: true }).click();

test('a list with odd headers is refused with the way on, keeps its choice, and goes in by hand', async () => {
  const columns = await chooseList('People', 'kontakte.csv', odd + rows.join('\n'));
  await columns.getByRole('columnheader', { name: 'Wo tätig' }).waitFor();
  await columns.getByRole('gridcell', { name: 'Ada Lovelace' }).waitFor();
  await columns.getByText(/^The engine recognises the columns by their headers/).waitFor();

  await openColumns(columns);
  await pick(columns, 'Company name', 'Wo tätig');
  await startImport();
  const refusal = page.getByRole('status').filter({ hasText: 'The import failed' });
  await refusal
    .getByText(/^kontakte\.csv has no column of names, emails or profile URLs/)
    .waitFor();
  await refusal.getByText(/Its columns are Wer, Wo tätig, Rolle dort, Netzpost\.$/).waitFor();
  await refusal.getByText(/^Your files and columns stand as chosen\./).waitFor();
  await columns.getByText(/^Chosen by hand: Company name from "Wo tätig"\./).waitFor();

  await pick(columns, 'Full name', 'Wer');
  await pick(columns, 'Job title', 'Rolle dort');
  await pick(columns, 'Email', 'Netzpost');
  await startImport();
  const row = page.getByRole('row', { name: /kontakte\.csv/ }).filter({ hasText: 'completed' });
  await row.getByText(/2 people added, 2 employments added, 2 companies added/).waitFor();
  await columns.waitFor({ state: 'detached' });

  const path = join(desk.dir, 'leads.csv');
  writeFileSync(path, 'First name,Last name,Company\nGrace,Hopper,Harvard\n');
  await goTo(page, 'Enrich');
  await page.locator('main input[type=file]').first().setInputFiles(path);
  await page.getByRole('button', { name: /^Enrich 1 row/ }).waitFor();
  await page.getByText('100 % enriched').waitFor();
});

test('a workbook and a list of companies go in together, under one mapping that says so', async () => {
  const people = await chooseList(
    'People',
    'people.xlsx',
    makeWorkbook([
      [
        ['Wer', 'Ort', 'Firma'],
        ['Alan Turing', 'Manchester', 'Ferranti'],
      ],
    ]),
  );
  const companies = await chooseList(
    'Companies',
    'firms.csv',
    'Wessen;Sitz;Ort\nFerranti;UK;Hollinwood\n',
  );
  await openColumns(people);
  await pick(people, 'Full name', 'Wer');
  await pick(people, 'City', 'Ort');
  await page.getByText(/^City from "Ort" holds for the companies as well/).waitFor();

  await openColumns(companies);
  await pick(companies, 'City', 'Sitz');
  await page.getByText(/^City is "Ort" for people and "Sitz" for companies\./).waitFor();
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);

  await companies.getByRole('button', { name: 'Leave City to the engine' }).click();
  await pick(companies, 'Company name', 'Wessen');
  await startImport();
  await page
    .getByText(/1 person added, 1 employment added, 1 company added/)
    .first()
    .waitFor();
});

test.each([
  ['empty.csv', '', 'The file is empty.'],
  ['report.csv', '%PDF-1.7\n1 0 obj\n', 'The file is a PDF'],
])('a file without a table says so before it is imported: %s', async (name, content, reason) => {
  const path = join(desk.dir, name);
  writeFileSync(path, content);
  await page.getByLabel('People', { exact: true }).setInputFiles(path);
  const refusal = page.getByRole('alert', { name: `The first rows of ${name} cannot be shown` });
  await refusal.getByText(reason).waitFor();
  await page.getByRole('button', { name: `Take ${name} away` }).click();
  await refusal.waitFor({ state: 'detached' });
});

test.each([
  ['light', 1280, 800],
  ['dark', 960, 640],
] as const)(
  'columns are chosen by keys, without a barrier, in %s',
  async (colorScheme, width, height) => {
    await setColors(page, colorScheme);
    await page.setViewportSize({ width, height });
    const columns = await chooseList('People', `keys-${colorScheme}.csv`, odd + rows.join('\n'));
    await columns.getByRole('button', { name: 'Columns', exact: true }).focus();
    await page.keyboard.press('Enter');
    const field = columns.getByRole('combobox', { name: 'Full name', exact: true });
    await field.waitFor();
    await page.keyboard.press('Tab');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('wer');
    await page.getByRole('option', { name: 'Wer', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    // The library says which option Enter would take by nothing but its own attribute.
    await page.locator('[role=option][data-combobox-selected]', { hasText: /^Wer$/ }).waitFor();
    await page.keyboard.press('Enter');
    await columns.getByText(/^Chosen by hand: Full name from "Wer"\./).waitFor();
    await page.keyboard.press('Escape');
    expect(await findBarriers(page)).toEqual([]);
  },
);

test('keys faster than the timers of the page choose all the same', async () => {
  const columns = await chooseList('People', 'fast.csv', odd + rows.join('\n'));
  await openColumns(columns);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await columns.getByRole('combobox', { name: 'Full name', exact: true }).pressSequentially('wer');
  await page.getByRole('option', { name: 'Wer', exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.clock.runFor(100);
  await page.keyboard.press('Enter');
  await page.clock.resume();
  await columns.getByText(/^Chosen by hand: Full name from "Wer"\./).waitFor();
});

test('nothing in these imports made the page itself complain', () => {
  expect(desk.complaints).toEqual([]);
});
