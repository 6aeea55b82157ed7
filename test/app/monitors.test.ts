// Monitors: created, run, read, saved, changed, deleted; locked findings are paid for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCredits, goTo, type OpenDesk, openDesk } from '../open-desk.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');

let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk('browser', { directory: 'sample' });
});
afterAll(() => desk?.close());

/** Creates a monitor of the contacts that runs at once, and waits for the end of its run. */
async function createMonitor(page: Page, most: string): Promise<void> {
  await goTo(page, 'Monitors');
  await page.getByRole('link', { name: 'New monitor' }).click();
  await page.locator('main input[type=file]').first().setInputFiles(contacts);
  const create = page.getByRole('button', {
    name: `Create monitor, at most ${most} credits per run`,
  });
  await create.click();
  await page.getByRole('heading', { name: 'contacts', level: 1 }).waitFor();
}

const openRun = (page: Page) =>
  page.getByRole('region', { name: 'Runs' }).getByRole('link').first().click();

test('a spreadsheet is watched: changes are shown and saved as CSV', async () => {
  const { page, dir, saveCsv } = desk;
  await createMonitor(page, '300');
  await page
    .getByText(/Every Monday at 9:00.AM/)
    .first()
    .waitFor();
  await page.getByRole('region', { name: 'Runs' }).getByText('completed').waitFor();
  await openRun(page);
  const outcome = page.getByText(/of 300 contacts; .* credits charged/);
  const words = (await outcome.textContent()) ?? '';
  const [, changed, left] = /^(\d+) changed, (\d+) left/.exec(words) ?? [];
  expect(Number(changed) + Number(left)).toBeGreaterThan(0);
  await page.getByText('All 300').click();
  // What is known and has not changed is not empty before.
  await page.getByRole('gridcell', { name: 'no change' }).first().waitFor();
  const saved = join(dir, 'findings.csv');
  await saveCsv(saved);
  const lines = readFileSync(saved, 'utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(301);
  expect(lines[0]).toContain('Finding,Reason,Old company name,Current company name');
  expect(lines.filter((line) => /,changed,/.test(line))).toHaveLength(Number(changed));
});

test('a monitor is paused, resumed, changed, run and deleted; its runs stay', async () => {
  const { page } = desk;
  await createMonitor(page, '300');
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByText('completed').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();

  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Key accounts');
  await dialog.getByText('Monthly').click();
  await dialog.getByLabel('Day of the month').fill('31');
  await dialog.getByText(/On the 31st of each month, or its last day/).waitFor();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'Key accounts', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Run now, at most 300 credits' }).click();
  await expect.poll(() => runs.getByText('completed').count()).toBe(2);
  await openRun(page);
  await page.getByText(/^0 changed, 0 left of 300 contacts/).waitFor();
  await page.getByRole('link', { name: 'All its runs' }).click();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the monitor' }).click();
  const all = page.getByRole('region', { name: 'Runs of monitors and of the API' });
  await all.getByRole('link', { name: 'Key accounts' }).click();
  await page.getByRole('gridcell').first().waitFor();
  expect(desk.complaints).toEqual([]);
});

test('findings that the wallet does not cover are locked, and open when they are paid', async () => {
  const { page } = desk;
  await page.evaluate(() =>
    fetch('/app/v1/rates/L1', {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'x-desk-session': localStorage.getItem('desk-session') ?? '',
      },
      body: JSON.stringify({ price: '1000' }),
    }),
  );
  await page.reload();
  await goTo(page, 'Wallet');
  // Without a budget, missing credits are added.
  await page.getByRole('switch', { name: 'Limit this account to its credits' }).press('Space');
  await page.getByText('Work that needs more credits than are available is refused.').waitFor();
  await createMonitor(page, '300,000');
  await page.getByRole('region', { name: 'Runs' }).getByText('locked').waitFor();
  await openRun(page);
  await page.getByText(/Add [\d,]+ credits, then pay\./).waitFor();
  const pay = page.getByRole('button', { name: /^Pay [\d,]+ credits$/ });
  await expect.poll(() => pay.isDisabled()).toBe(true);
  await addCredits(page, '300000');
  await page.goBack();
  await pay.click();
  await page.getByRole('gridcell').first().waitFor();
  await page.getByRole('button', { name: 'Save…' }).waitFor();
  expect(desk.complaints).toEqual([]);
});
