/**
 * A list of 100,000 rows in the browser: shown at once, scrolled to its end, saved completely.
 * @module-tag full
 */
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { longWork } from '../launch.ts';
import { chooseFile, openDesk } from '../open-desk.ts';

const rows = 100_000;

test('100,000 rows are enriched, scrolled through by keyboard and saved in order', async () => {
  const desk = await openDesk('browser', { directory: 'sample' });
  onTestFinished(() => desk.close());
  const { page } = desk;
  const path = join(desk.dir, 'large.csv');
  const names = ['Karen,Clark,Minnesota House', 'Nobody,Atall,Nowhere', 'Marc,Bradley,Wisconsin'];
  const lines = Array.from({ length: rows }, (_, row) => `R${row},${names[row % names.length]}`);
  writeFileSync(path, `${['Ref,First name,Last name,Company', ...lines].join('\n')}\n`);
  await chooseFile(page, path);
  await page.getByRole('gridcell', { name: 'R0', exact: true }).waitFor(longWork);
  await page.getByRole('button', { name: /^Enrich 100,000/ }).click();
  await page.getByText(/of 100,000 rows enriched/).waitFor(longWork);

  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Home');
  await page.getByRole('rowheader', { name: /^100,000 .*Karen Clark/ }).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(80);
  await page.getByText(/^Skipped /).click();
  await page.getByRole('rowheader', { name: /^2 .*Nobody Atall/ }).waitFor();

  const saved = join(desk.dir, 'out.csv');
  await desk.saveCsv(saved);
  let next = -1;
  for await (const line of createInterface({ input: createReadStream(saved) })) {
    if (next >= 0 && !line.startsWith(`R${next},`)) throw new Error(`row ${next}: ${line}`);
    next += 1;
  }
  expect(next).toBe(rows);
  expect(desk.complaints).toEqual([]);
});
