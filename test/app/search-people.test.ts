// The Directory screen finds people by their job, with their emails and phones.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goTo, type OpenDesk, openDesk } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;
beforeEach(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterEach(() => desk?.close());

const people = [
  'First name,Last name,Title,Company,Country,Email,Mobile',
  'Ada,Lovelace,Director of Sales,Analytical Engines,United Kingdom,ada@engines.example,',
  'Grace,Hopper,Sales Engineer,Harvard Mark,United States,,+1 202 555 0143',
  ...Array.from({ length: 120 }, (_, at) => `Pat,Nr${at},Clerk,Archive,Germany,,`),
];

const grid = () => page.getByRole('grid', { name: 'People found' });
/** The last three cells of a person's row. A row is empty while the answer of a search arrives. */
const lastCellsOf = (name: string) => async () => {
  const row = grid().getByRole('row').filter({ hasText: name });
  return (await row.getByRole('gridcell').allTextContents()).slice(-3);
};

test('people are found by title, level and country, with their emails and phones', async () => {
  await goTo(page, 'Directory');
  const section = page.getByRole('region', { name: 'Find people' });
  await page.getByRole('link', { name: 'Import a list' }).waitFor();
  await expect.poll(() => section.count()).toBe(0);
  const path = join(desk.dir, 'people.csv');
  writeFileSync(path, people.join('\n'));
  await page.getByRole('link', { name: 'Import a list' }).click();
  await page.getByLabel('People', { exact: true }).setInputFiles(path);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported people.csv').waitFor();
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await section.getByText('122 people found').waitFor();

  await section.getByLabel('Name, company, email or domain').fill('hop gra');
  await section.getByText('1 person found').waitFor();
  await grid().getByText('Grace Hopper').waitFor();
  await grid().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();
  await page.getByText('No job has used this person.').waitFor();
  await page.goBack();
  await section.getByLabel('Name, company, email or domain').fill('');

  await section.getByLabel('Job title').fill('SAL dir');
  await section.getByText('1 person found').waitFor();
  await expect
    .poll(lastCellsOf('Ada Lovelace'))
    .toEqual(['United Kingdom', 'ada@engines.example', '–']);

  await section.getByLabel('Job title').fill('sales');
  await section.getByText('2 people found').waitFor();
  await expect.poll(lastCellsOf('Grace Hopper')).toEqual(['United States', '–', '+12025550143']);
  await section.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: 'Germany' }).click();
  await section.getByText('No matches').waitFor();

  await section.getByRole('button', { name: 'Clear filters' }).click();
  await section.getByText('122 people found').waitFor();
  await grid().getByText('Ada Lovelace').waitFor();
  await grid().focus();
  await page.keyboard.press('Control+End');
  await grid().getByText('Pat Nr119').waitFor();
  expect(desk.complaints).toEqual([]);
});
