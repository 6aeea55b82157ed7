/** What goes wrong is said whole, keeps what was done, and names the way on. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packZip } from '../csv/make-workbook.ts';
import { addCredits, chooseFile, goTo, type OpenDesk, openDesk } from '../open-desk.ts';

let desk: OpenDesk;
let page: Page;
beforeAll(async () => {
  desk = await openDesk('browser');
  page = desk.page;
});
afterAll(() => desk?.close());

const people = (rows: number) =>
  ['First name,Last name,Company']
    .concat(Array.from({ length: rows }, (_, row) => `Ada${row},Lovelace,Analytical Engines`))
    .join('\n');

const startOver = async () => {
  await goTo(page, 'Enrich');
  const change = page.getByRole('button', { name: 'Change', exact: true });
  if (await change.isVisible()) await change.click();
};

/** Chooses a new spreadsheet on the Enrich screen, in place of one that stands there. */
const chooseNew = async (name: string, content: string | Buffer) => {
  const path = join(desk.dir, name);
  writeFileSync(path, content);
  await startOver();
  await chooseFile(page, path);
};

test.each([
  ['empty.csv', '', /row|empty|header/i],
  ['header-only.csv', 'First name,Email\n', /row/i],
  ['broken-quote.csv', 'Name,Email\nAda,a@b.example\n"Bob,b@b.example\n', /line 3/i],
  ['broken-text.csv', Buffer.from([0xef, 0xbb, 0xbf, 0x4e, 0x0a, 0xff, 0xfe, 0x0a]), /line 2/i],
  ['not-a-workbook.xlsx', packZip({ 'a.txt': 'x' }), /workbook|sheet|xlsx/i],
])('a file that cannot be read is refused with its reason: %s', async (name, bytes, reason) => {
  await chooseNew(name, bytes);
  const refusal = page.getByRole('alert');
  await refusal.waitFor();
  expect(await refusal.textContent()).toMatch(reason);
  // The way on stands right under the reason.
  const good = join(desk.dir, 'good.csv');
  writeFileSync(good, people(3));
  await page.getByLabel('Choose another file', { exact: true }).setInputFiles(good);
  await page.getByText('good.csv').waitFor();
  await page.getByRole('heading', { name: 'Price' }).waitFor();
});

test('columns that identify nobody are asked for before a price is shown', async () => {
  await chooseNew('colours.csv', 'Colour,Size\nred,1\n');
  await page.getByText(/else no row can be matched/).waitFor();
  expect(await page.getByRole('button', { name: /^Enrich \d/ }).count()).toBe(0);
});

test('a mobile phone layer alone is refused with the layer that it needs', async () => {
  await chooseNew('three.csv', people(3));
  await page.getByRole('checkbox', { name: /^MPA/ }).click();
  await page.getByRole('checkbox', { name: /^L1/ }).click();
  await page.getByText('MPA cannot be the only layer; add L1.').waitFor();
  expect(await page.getByRole('button', { name: /^Enrich \d/ }).count()).toBe(0);
  await page.getByRole('checkbox', { name: /^L1/ }).click();
  await page.getByRole('checkbox', { name: /^MPA/ }).click();
});

test('credits that are short are counted exactly, and the flow waits for them', async () => {
  await chooseNew('many.csv', people(400_000));
  await page.getByText('300,000.0000 credits are missing.').waitFor();
  expect(await page.getByRole('button', { name: /^Enrich 400,000/ }).isDisabled()).toBe(true);
  await addCredits(page, '300,000');
  await goTo(page, 'Enrich');
  await page.getByRole('button', { name: /^Enrich 400,000/, disabled: false }).waitFor();
});

test('a running job is cancelled after one question, and its whole hold comes back', async () => {
  await page.getByRole('button', { name: /^Enrich 400,000/ }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await page.getByText(/400,000\.0000 credits went back to the wallet/).waitFor();
  await goTo(page, 'Wallet');
  await page.getByRole('definition').getByText('400,000.0000').first().waitFor();
});

test('an import that refuses lines names each of them, and is undone as a whole', async () => {
  const path = join(desk.dir, 'people.csv');
  copyFileSync(join(import.meta.dirname, '../fixtures/people.csv'), path);
  await goTo(page, 'Directory');
  await page.getByLabel('People', { exact: true }).setInputFiles(path);
  await page.getByLabel('Source', { exact: true }).fill('Spring fair');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported Spring fair').waitFor();
  const row = page.getByRole('row', { name: /Spring fair/ });
  await row.getByText(/2 people added/).waitFor();
  await page.getByRole('cell', { name: '4', exact: true }).first().waitFor();
  await row.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await row.getByText('undone').waitFor();
});

test('layers chosen a moment ago start nothing at the price of the ones before', async () => {
  await chooseNew('priced.csv', people(3));
  const enrich = page.getByRole('button', { name: /^Enrich 3 rows/ });
  const price = async () => [await enrich.textContent(), await enrich.isEnabled()];
  await expect.poll(price).toEqual(['Enrich 3 rows, at most 3.0000 credits', true]);
  // The page asks for the new price a moment later: here that moment does not end.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.getByRole('checkbox', { name: /^L2/ }).click();
  await page.getByText('L1, L2', { exact: true }).waitFor();
  expect(await price()).toEqual(['Enrich 3 rows, at most 3.0000 credits', false]);
  await page.clock.resume();
  await expect.poll(price).toEqual(['Enrich 3 rows, at most 4.5000 credits', true]);
});

test('rows that were asked for before the job reached them are asked for again when it ends', async () => {
  await chooseNew('early.csv', people(200_000));
  await page.getByRole('checkbox', { name: /^L2/ }).click();
  const ended = Promise.withResolvers<void>();
  await page.route(
    '**/app/v1/jobs/*/rows?limit=100*',
    async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const job = await route.fetch({
        url: route
          .request()
          .url()
          .replace(/\/rows\?.*/, ''),
      });
      // The answer of a moment before: no row reached yet, and on its way until the job has ended.
      if (!(await job.json()).data.ready) for (const row of answer.data.rows) row.result = null;
      await ended.promise;
      await route.fulfill({ response, json: answer }).catch(() => undefined);
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: /^Enrich 200,000 rows, at most 200,000/ }).click();
  await page.getByText('0 of 200,000 rows enriched').waitFor();
  ended.resolve();
  await page.getByRole('gridcell', { name: 'Ada1', exact: true }).click();
  const details = page.getByRole('dialog');
  await details.getByText(/Nobody in the directory fits/).waitFor();
});

test.each([
  ['jobs/00000000-0000-4000-8000-000000000000', 'job', 'See all jobs', 'Jobs'],
  ['pipelines/00000000-0000-4000-8000-000000000000', 'pipeline', 'See all pipelines', 'Unlock'],
  ['monitors/999', 'monitor', 'See all monitors', 'Monitors'],
  ['monitors/jobs/999', 'run', 'See all monitors', 'Monitors'],
])('%s, which does not exist, leads to the list of all', async (path, what, label, list) => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `/${path}`);
  await page.getByRole('heading', { name: `There is no such ${what} here` }).waitFor();
  await page.getByRole('link', { name: label }).click();
  await page.getByRole('heading', { name: list, level: 1 }).waitFor();
});

test('nothing in these turns made the page itself complain', () => {
  expect(desk.complaints).toEqual([]);
});
