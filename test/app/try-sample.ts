// The first run: from an empty installation to the enriched sample.
import { expect } from 'vitest';
import { longWork } from '../launch.ts';
import type { OpenDesk } from '../open-desk.ts';
import { tabTo } from './tab-to.ts';

/** A number of credits as the page writes it. */
export const readCredits = (text: string | undefined) => Number(text?.replaceAll(',', ''));

/** The credits charged, of the sentence about a finished job. */
export const readCharge = (words: string) => readCredits(/([\d,.]+) charged/.exec(words)?.[1]);

/**
 * Tries the sample in an empty installation, without a mouse, and reads its rows. Returns the
 * credits charged.
 */
export async function trySample({ page, complaints }: OpenDesk): Promise<number> {
  await page.getByRole('heading', { name: 'Import your own directory' }).waitFor();
  await page.getByRole('button', { name: 'Try the sample', disabled: false }).waitFor();
  await tabTo(page, /^Try the sample$/);
  await page.keyboard.press('Enter');
  await page.getByText(/^Expected, from a free dry run/).waitFor(longWork);
  await page.getByRole('button', { name: /^Enrich \d+ rows, at most/ }).click();
  const outcome = page.getByText(/rows enriched/);
  await outcome.waitFor();
  const charged = readCharge((await outcome.textContent()) ?? '');
  await page
    .getByRole('rowheader', { name: /Karen Clark/ })
    .first()
    .click();
  const details = page.getByRole('region', { name: /^Details of / });
  const values = details.getByRole('region', { name: 'Found' });
  await values.getByRole('cell', { name: 'Clark' }).first().waitFor();
  await details.getByRole('button', { name: 'Next row' }).click();
  await details.getByText('Row 2', { exact: true }).waitFor();
  await details
    .getByText(/% sure/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  return charged;
}
