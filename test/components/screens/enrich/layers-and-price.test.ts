// The layers with what each is expected to find and to cost, and the bar that starts the job.
import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { AppEstimate } from '../../../../engine/contract/jobs/app-jobs.ts';
import { showFailure, showSuccess } from '../../../../renderer/components/toast.ts';
import { expectAccessible } from '../../accessibility.ts';
import { firstState } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import {
  choose,
  enrichButton,
  estimate,
  keepUpload,
  layerBox,
  makeUpload,
  tried,
} from './enrich-desk.ts';

/** A desk that expects phones on a quarter of 2,000 rows. */
const expectsPhones = (parts: Partial<AppEstimate> = {}): Answers => ({
  ...keepUpload(makeUpload({ row_count: 2_000 })),
  'POST /app/v1/estimate': () => ({
    ...estimate(2_000, ['L1', 'MPA'], 100_000),
    preview: tried({
      sampled: 1_000,
      expected_match_rate: 0.8,
      certainty: 'about',
      expected_credits: '9601.7520',
      expected_layers: { L1: '1600.2920', MPA: '8001.4600' },
      found_layers: { L1: 0.8, MPA: 0.25 },
      fill_rate: { 'First name': 0.8, 'Current title': 0.7, 'Direct phone': 0.25 },
    }),
    ...parts,
  }),
});

/** A desk that expects nobody to have changed jobs. */
const expectsNoChange = (sampled: number, price: string) =>
  expectsPhones({
    preview: tried({
      sampled,
      expected_match_rate: 0.8,
      expected_credits: price,
      expected_layers: { L1: '1600.0000', L3: price },
      found_layers: { L1: 0.8, L3: 0 },
    }),
  });
const layerList = page.getByRole('list', { name: 'Layers and what they find' });

test('each layer says its expected hits, credits and credits per hit, and what a phone costs', async () => {
  const api = await openPage('Enrich', {
    ...expectsPhones(),
    'PATCH /app/v1/accounts/:id': () => ({ ...firstState.account, charge_policy: 'layers_found' }),
  });
  await choose('people.csv');
  await layerBox('MPA').click();
  const row = layerList.getByRole('listitem').filter({ hasText: 'Phone numbers' });
  await expect
    .element(row)
    .toMatchTextContent(/Finds about 500, 25% of rows, for about 8,000 credits/);
  await expect
    .element(row)
    .toMatchTextContent(/5 credits per enriched row, phones in 25% of rows: about 16 per phone\./);
  await expect
    .element(layerList.getByRole('listitem').filter({ hasText: 'Current job' }))
    .toMatchTextContent(/Finds about 1,600, 80% of rows, for about 1,600 credits/);
  await expect
    .element(page.getByRole('region', { name: 'Price and start' }))
    .toMatchTextContent(
      /^At most 12,000 credits, expected about 9,600 credits.*every row in full.*repeats are free/,
    );
  // Fields without a value stay listed.
  await layerList.getByRole('button', { name: '2 fields of Phone numbers' }).click();
  await expect.element(row).toMatchTextContent(/Mobile phone 0%Direct phone 25%$/);
  await expectAccessible();
  await page.getByRole('switch', { name: 'Charge found layers only' }).click();
  await expect.poll(() => api.askedOf('PATCH /app/v1/accounts/:id').length).toBe(1);
  expect(api.askedOf('PATCH /app/v1/accounts/:id')[0]?.sent).toEqual({
    charge_policy: 'layers_found',
  });
});

test.each([
  [
    2_000,
    '1600.0000',
    'Finds no job changes in this list, but each enriched row pays for the layer: 1,600 credits',
  ],
  [1_000, '0.0000', 'Finds no job changes in the rows tried, so it is free'],
])('a layer that finds nothing says so before its price (%i tried, %s)', async (...all) => {
  const [sampled, price, words] = all;
  await openPage('Enrich', expectsNoChange(sampled, price));
  await choose('people.csv');
  const row = layerList.getByRole('listitem').filter({ hasText: /^New company1 credit/ });
  await expect.element(row.getByText(/^Finds no job changes/)).toHaveTextContent(words);
});

test('each layer says what it would find before it is chosen, and columns what they will have', async () => {
  const api = await openPage('Enrich', expectsPhones());
  await choose('people.csv');
  const row = layerList.getByRole('listitem').filter({ hasText: 'Phone numbers' });
  await expect.element(row).toMatchTextContent(/Finds about 500, 25% of rows/);
  await expect.element(layerBox('MPA')).not.toBeChecked();
  const asked = api.askedOf('POST /app/v1/estimate').map(({ sent }) => sent.selected_layers);
  expect(asked).toContainEqual(['L1']);
  expect(asked.some((codes) => codes.includes('MPA'))).toBe(true);
  await page.getByText('Found only').click();
  const title = page.getByRole('columnheader', { name: 'Current title 70%' });
  await expect
    .element(title)
    .toHaveAttribute(
      'title',
      'Current title. Current job: 1 credit per enriched row, expected in 70% of rows',
    );
  await expect
    .element(page.getByRole('columnheader', { name: /^Current company name 1 credit · 0%$/ }))
    .toBeVisible();
});

test('the button stays in the window and in its place while credits are short', async () => {
  let available = 100_000;
  const api = await openPage('Enrich', {
    ...expectsPhones(),
    'POST /app/v1/estimate': ({ sent }) => estimate(2_000, sent.selected_layers, available),
  });
  await choose('people.csv');
  await expect.element(enrichButton).toBeEnabled();
  const readPlace = () => {
    const { right, bottom } = enrichButton.element().getBoundingClientRect();
    return { right, bottom, isInWindow: bottom <= innerHeight };
  };
  const before = readPlace();
  expect(before.isInWindow).toBe(true);
  // Messages do not cover it.
  showSuccess('A list was imported.');
  showFailure('The rules were not saved', new Error('The disk is full.'));
  const toasts = page.getByRole('alert');
  await expect.poll(() => toasts.elements().length).toBe(2);
  const { left } = enrichButton.element().getBoundingClientRect();
  for (const toast of toasts.elements())
    expect(toast.getBoundingClientRect().right).toBeLessThan(left);
  available = 10;
  const { length } = api.askedOf('POST /app/v1/estimate');
  await layerBox('MPA').click();
  await expect.poll(() => api.askedOf('POST /app/v1/estimate').length).toBeGreaterThan(length);
  await expect.element(page.getByText(/^You’re 11,990 credits short/)).toBeVisible();
  expect(readPlace()).toEqual(before);
});

test('an empty directory keeps the button disabled, and says why', async () => {
  await openPage('Enrich', {
    ...keepUpload(makeUpload()),
    'GET /app/v1/state': () => firstState,
  });
  await choose('people.csv');
  const bar = page.getByRole('region', { name: 'Price and start' });
  await expect.element(bar.getByText(/^Your directory is empty/)).toBeVisible();
  await expect
    .element(bar.getByRole('link', { name: 'Import people or load the sample' }))
    .toBeVisible();
  await expect.element(enrichButton).toBeDisabled();
  await expectAccessible();
});

test('with the directory of a team, an empty own one prevents no job; the price says what it lacks', async () => {
  const directory = { ...firstState.directory, has_team: true };
  await openPage('Enrich', {
    ...keepUpload(makeUpload()),
    'GET /app/v1/state': () => ({ ...firstState, directory }),
    'POST /app/v1/estimate': () => ({
      ...estimate(3, ['L1'], 100_000),
      preview: tried({ enriched: 0, expected_credits: '0.0000', has_team: true }),
    }),
  });
  await expect
    .element(page.getByText('that it does not know are looked up', { exact: false }))
    .toBeVisible();
  await choose('people.csv');
  await expect.element(enrichButton).toBeEnabled();
  const bar = page.getByRole('region', { name: 'Price and start' });
  await expect
    .element(bar.getByText('expected 0 credits without the team’s directory', { exact: false }))
    .toBeVisible();
  await expect
    .element(page.getByText('Rows that your own directory does not know are', { exact: false }))
    .toBeVisible();
  await expectAccessible();
});

test('ten rows are tried, with found next to given', async () => {
  const longEmail = 'augusta.ada.king-noel-of-lovelace@analytical-engines.engines.example';
  const api = await openPage('Enrich', {
    ...expectsPhones(),
    'POST /app/v1/trials': () => ({
      columns: ['First name', 'Company'],
      rows: [
        {
          row_index: 99,
          given: ['Ada', 'Engines'],
          status: 'enriched',
          reason: '',
          found: { 'First name': 'Ada', 'Current title': 'Chief', Email: longEmail },
        },
        {
          row_index: 299,
          given: ['Bo', ''],
          status: 'skipped',
          reason: 'no_match',
          found: {},
        },
      ],
    }),
  });
  await choose('people.csv');
  await page.getByRole('button', { name: 'Try 10 rows' }).click();
  const dialog = page.getByRole('dialog', { name: '10 rows of your list' });
  await expect.element(dialog.getByText('1 of 2 rows found')).toBeVisible();
  const rows = dialog.getByRole('row');
  await expect
    .poll(() => rows.elements().map(({ textContent }) => textContent))
    .toEqual([
      'RowFirst name (yours)Company (yours)OutcomeCurrent titleEmail',
      `100AdaEnginesfoundChief${longEmail}`,
      '300Bono match',
    ]);
  // A long value is cut in one line, and whole on hover.
  const email = dialog.getByRole('cell', { name: longEmail });
  await expect.element(email).toHaveAttribute('title', longEmail);
  const height = (cell: Locator) => cell.element().getBoundingClientRect().height;
  expect(height(email)).toBe(height(dialog.getByRole('cell', { name: 'Chief' })));
  expect(height(email)).toBeLessThan(50);
  await expectAccessible();
  // The dialog shows the same trial again.
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Try 10 rows' }).click();
  await expect.element(dialog.getByText('1 of 2 rows found')).toBeVisible();
  expect(api.askedOf('POST /app/v1/trials').map(({ sent }) => sent)).toMatchObject([
    { selected_layers: ['L1'], mapping: { first_name: 0 } },
  ]);
});

test('a trial that is refused says why', async () => {
  await openPage('Enrich', {
    ...expectsPhones(),
    'POST /app/v1/trials': () => refuse('rate_limited', 'Too many requests.'),
  });
  await choose('people.csv');
  await page.getByRole('button', { name: 'Try 10 rows' }).click();
  await expect.element(page.getByText('Too many requests.')).toBeVisible();
});
