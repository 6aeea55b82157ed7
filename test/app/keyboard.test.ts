/** The main flow without a mouse. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { focusWithin, openDesk } from '../open-desk.ts';
import { tabTo } from './tab-to.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');

test('a spreadsheet is selected, priced, enriched and read by keyboard alone', async () => {
  const desk = await openDesk('browser', { directory: 'sample' });
  onTestFinished(() => desk.close());
  const { page } = desk;
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
  await tabTo(page, /^Company Location L2/);
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
  const details = page.getByRole('dialog');
  await details.getByRole('heading', { name: 'Row 2' }).waitFor();
  await focusWithin(details);
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
    .toBe('grid');
});
