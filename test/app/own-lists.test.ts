// The user's own lists, from an import to a saved result.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longWork } from '../launch.ts';
import {
  addCredits,
  chooseFile,
  goTo,
  goToImports,
  type OpenDesk,
  openDesk,
} from '../open-desk.ts';
import { makeWorkbook } from '../spreadsheet/make-workbook.ts';
import { readCredits } from './try-sample.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser', { reducedMotion: 'reduce' });
  page = desk.page;
  await importList('known.csv', 'Name,Company\nAda King,Engines\nGrace Hopper,Harvard\n');
});
afterAll(() => desk?.close());

const startImport = () => page.getByRole('button', { name: 'Import', exact: true }).click();

function writeList(name: string, content: string | Buffer): string {
  const path = join(desk.dir, name);
  writeFileSync(path, content);
  return path;
}

/** Imports people, and waits until they are in the directory. */
async function importList(name: string, content: string): Promise<void> {
  await goToImports(page);
  await page.getByLabel('People', { exact: true }).setInputFiles(writeList(name, content));
  await startImport();
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByText('completed')
    .waitFor();
}

test('a chosen list and its columns are there again when the page is loaded again', async () => {
  const list = 'Wer;Wo\nGrace Hopper;Harvard\n';
  await chooseFile(page, writeList('again.csv', list));
  await page.getByRole('combobox', { name: 'Full name', exact: true }).click();
  await page.getByRole('option', { name: 'Wer', exact: true }).click();
  await page.getByRole('combobox', { name: 'Company', exact: true }).click();
  await page.getByRole('option', { name: 'Wo', exact: true }).click();
  await page.getByText('100% enriched').waitFor();
  await page.reload();
  await page.getByText('100% enriched').waitFor();
  await page.getByText('Full name ← Wer, Company ← Wo').waitFor();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'Enrich', exact: true }).waitFor();
  expect(await page.getByText('again.csv').count()).toBe(0);
});

test('an Excel workbook is enriched, and only the shown rows are saved for Excel', async () => {
  const rows = [
    ['Vorname', 'Nachname', 'Firma', 'Telefon'],
    ['Grace', 'Hopper', 'Harvard', '0043 1 000'],
    ['Nobody', 'Atall', 'Nowhere Größe', '+49 30'],
  ];
  await chooseFile(page, writeList('Kontakte.xlsx', makeWorkbook([rows])));
  await page.getByText('2 rows · 4 columns · Excel workbook').waitFor();
  await page.getByRole('button', { name: 'Enrich 2 rows, at most 2 credits' }).click();
  await page.getByText('1 of 2 rows enriched', { exact: false }).waitFor();
  await page.getByText('Skipped 1').click();
  const saved = join(desk.dir, 'out.csv');
  await desk.saveCsv(saved, async () => {
    // The format of the file that came in is preselected.
    await page.getByRole('button', { name: 'Save workbook' }).waitFor();
    await page.getByRole('radiogroup', { name: 'Format' }).getByText('CSV').click();
    await page.getByLabel('For Excel').check();
    await page.getByLabel('Only the rows shown').check();
  });
  const [header, ...lines] = readFileSync(saved, 'utf8').trimEnd().split('\r\n');
  expect(header?.startsWith('\uFEFFVorname,Nachname,Firma,Telefon,')).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.startsWith('Nobody,Atall,Nowhere Größe,+49 30,')).toBe(true);
  await page.getByText('Found only').click();
  await page.getByRole('columnheader', { name: 'Firma' }).waitFor({ state: 'detached' });
  await page.getByRole('columnheader', { name: 'Current company name' }).waitFor();
});

// In short: test/jobs/data-enrichment.routes.test.ts and test/components/screens/job.
test('a running job is cancelled, and its whole hold is released', {
  tags: ['full'],
}, async () => {
  const count = 400_000;
  const people = Array.from({ length: count }, (_, row) => `Ada${row},Lovelace,Engines`);
  await addCredits(page, '400,000');
  const available = page.locator('main').getByRole('definition').first();
  // The balance of before is on the screen until the wallet is read again.
  await expect
    .poll(async () => readCredits((await available.textContent()) ?? ''))
    .toBeGreaterThan(400_000);
  const before = (await available.textContent()) ?? '';
  const list = `First name,Last name,Company\n${people.join('\n')}`;
  await chooseFile(page, writeList('many.csv', list));
  await page.getByRole('button', { name: /^Enrich 400,000/ }).click(longWork);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await page.getByText(/400,000 credits returned to the wallet/).waitFor(longWork);
  await goTo(page, 'Wallet');
  await expect.poll(() => available.textContent()).toBe(before);
});

test.each([
  ['jobs/00000000-0000-4000-8000-000000000000', 'job', 'See all jobs', 'Jobs'],
  ['directory/contacts/00000000-0000-4000-8000-000000000000', 'list', 'See all lists', 'Directory'],
  ['monitors/999', 'monitor', 'See all monitors', 'Monitors'],
  ['monitors/jobs/999', 'run', 'See all monitors', 'Monitors'],
])('%s, which does not exist, links to the list of all', async (path, what, label, list) => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `/${path}`);
  await page.getByRole('heading', { name: `No such ${what} here` }).waitFor();
  await page.getByRole('link', { name: label }).click();
  await page.getByRole('heading', { name: list, level: 1 }).waitFor();
});

test('the page logs no errors', () => {
  expect(desk.complaints).toEqual([]);
});

test('rows without a match are added to the directory with one click', async () => {
  await goTo(page, 'Enrich');
  const change = page.getByRole('button', { name: 'Change', exact: true });
  if (await change.isVisible()) await change.click();
  const strangers =
    'First name,Last name,Email,Company\nZora,Quandt,zora@quandt.example,Quandt Ltd\n';
  await chooseFile(page, writeList('strangers.csv', strangers));
  await page.getByRole('button', { name: /^Enrich 1 row/ }).click();
  await page.getByText('0 of 1 row enriched', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Add 1 row without a match to the directory' }).click();
  await page.getByText('1 row without a match is imported.', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Imports', exact: true }).last().click();
  await page.getByText('strangers, unmatched').first().waitFor();
  await goTo(page, 'Directory');
  await page.getByLabel('Name, company, email or domain').fill('Zora Quandt');
  await page.getByRole('gridcell', { name: 'Quandt Ltd' }).first().waitFor();
});
