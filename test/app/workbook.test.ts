/** A workbook goes in as it is, and comes out as a CSV that Excel reads right. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorkbook } from '../csv/make-workbook.ts';
import { chooseFile, loadSample, openDesk } from '../open-desk.ts';

test('an Excel workbook is enriched, and only the rows shown are saved for Excel', async () => {
  const desk = await openDesk('browser');
  onTestFinished(() => desk.close());
  const { page } = desk;
  await loadSample(page);
  const path = join(desk.dir, 'Kontakte.xlsx');
  const rows = [
    ['Vorname', 'Nachname', 'Firma', 'Telefon'],
    ['Lindsey', 'Daugherty', 'Colorado Senate', '0043 1 000'],
    ['Nobody', 'Atall', 'Nowhere Größe', '+49 30'],
  ];
  writeFileSync(path, makeWorkbook([rows]));
  await chooseFile(page, path);
  await page.getByText('2 rows · 4 columns · Excel workbook').waitFor();
  await page.getByRole('button', { name: 'Enrich 2 rows, at most 2.0000 credits' }).click();
  await page.getByText('1 of 2 rows enriched', { exact: false }).waitFor();
  await page.getByText('Skipped 1').click();
  await page.getByRole('button', { name: 'How the CSV is saved' }).click();
  await page.getByLabel('For Excel').check();
  await page.getByLabel('Only the rows shown').check();
  await page.keyboard.press('Escape');
  const saved = join(desk.dir, 'out.csv');
  await desk.saveCsv(saved);
  const [header, ...lines] = readFileSync(saved, 'utf8').trimEnd().split('\r\n');
  expect(header?.startsWith('\uFEFFVorname,Nachname,Firma,Telefon,')).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.startsWith('Nobody,Atall,Nowhere Größe,+49 30,')).toBe(true);
  await page.getByText('Found only').click();
  await page.getByRole('columnheader', { name: 'Current title' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Firma' }).count()).toBe(0);
});
