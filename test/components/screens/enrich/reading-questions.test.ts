// The Enrich screen asks how a file is read: its sheet, its column names, extra cells.
import { expect, onTestFinished, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import type { ReadList } from '../../../../engine/contract/reading/reading.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import { expectAccessible } from '../../accessibility.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';

const makeUpload = (reading: Partial<ReadList>, parts: Partial<Upload> = {}): Upload => ({
  ...uploadExample,
  file_name: 'list.csv',
  headers: ['Email', 'City'],
  labels: ['Email', 'City'],
  mapping: { email: 0 },
  first_rows: [['ada@a.example', 'Rome']],
  reading: { ...uploadExample.reading, ...reading },
  ...parts,
});

const choose = () =>
  page
    .elementLocator(document.querySelector('main input[type=file]')!)
    .upload(new File(['Email,City\nada@a.example,Rome\n'], 'list.csv'));

test('a workbook of several sheets shows the one that is read, and reads another', async () => {
  const sheets = [
    { name: 'Leads', rows: 43 },
    { name: 'Old', rows: null },
  ];
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload({ sheet: sent.sheet ?? 'Leads', sheets }, { kind: 'xlsx' }),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  await expect.element(page.getByText(/Excel workbook, sheet Leads/)).toBeVisible();
  await page.getByRole('button', { name: 'Show file' }).click();
  const picker = page.getByRole('combobox', { name: 'Sheet' });
  await expect.element(picker).toHaveValue('Leads · 43 lines');
  await picker.click();
  await page.getByRole('option', { name: 'Old' }).click();
  await expect.element(page.getByText(/Excel workbook, sheet Old/)).toBeVisible();
  expect(api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent)).toMatchObject([
    { header: 'auto', extra_cells: 'leave_out' },
    { header: 'auto', sheet: 'Old' },
  ]);
  await expectAccessible();
});

test('at 640 px and 200% the buttons of a step show their words, within the window', async () => {
  await openPage('Enrich', {
    'POST /app/v1/uploads': () => makeUpload({}),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(320, 600);
  await choose();
  await expect.element(page.getByRole('heading', { name: 'Columns' })).toBeVisible();
  const listButtons = () =>
    [...document.querySelectorAll('main section button')].filter(
      ({ textContent }) => textContent !== '',
    );
  await expect.poll(() => listButtons().length).toBeGreaterThan(2);
  const isCut = (button: Element) => {
    const label = button.querySelector('.mantine-Button-label') ?? button;
    return label.scrollWidth > label.clientWidth || button.getBoundingClientRect().right > 320;
  };
  const readCut = () =>
    listButtons()
      .filter(isCut)
      .map(({ textContent }) => textContent);
  await expect.poll(readCut).toEqual([]);
});

test('a first row that reads like a contact is asked about, and can be the header', async () => {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload({ header: sent.header === 'yes', first_row_is_contact: true }),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  const question = page.getByRole('group', {
    name: 'The first row looks like a contact. Does your file have column names?',
  });
  await expect.element(question.getByRole('radio', { name: /^No/ })).toBeChecked();
  await expectAccessible();
  await question.getByText('Yes, in the first row').click();
  await expect.element(question.getByRole('radio', { name: /^Yes/ })).toBeChecked();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent.header))
    .toEqual(['auto', 'yes']);
  // A reading that is refused leaves the earlier one in place.
  api.answer({ 'POST /app/v1/uploads': () => refuse('bad_rows', 'The file is empty.') });
  await question.getByText('No, every row is data').click();
  await expect.element(page.getByText('The file is empty.')).toBeVisible();
  await expect.element(question.getByRole('radio', { name: /^Yes/ })).toBeChecked();
  await expect.element(page.getByRole('heading', { name: 'Columns' })).toBeVisible();
});

test('a list without a column name that is known is asked about its names', async () => {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload(
        { header: sent.header !== 'no' },
        { headers: ['Sid', 'Trant'], labels: ['Sid', 'Trant'], mapping: {} },
      ),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  const question = page.getByRole('group', {
    name: 'No column name was recognised. Does your file have column names?',
  });
  await expect.element(question.getByRole('radio', { name: /^Yes/ })).toBeChecked();
  await question.getByText('No, every row is data').click();
  await expect.element(page.getByRole('radio', { name: /^No, every/ })).toBeChecked();
  expect(api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent.header)).toEqual([
    'auto',
    'no',
  ]);
});

test('lines with extra cells are listed, and nothing continues before they are decided', async () => {
  const wide = {
    wide_count: 2,
    wide_lines: [
      { line: 3, cells: 3, text: 'bo@b.example, Paris, Texas' },
      { line: 5, cells: 4, text: 'cy@c.example, a, b, c' },
    ],
  };
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload({ ...wide, extra_cells: sent.extra_cells ?? 'refuse' }),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  const question = page.getByRole('alert').filter({ hasText: '2 lines have more cells' });
  await expect.element(question.getByRole('cell', { name: /Paris, Texas/ })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Columns' })).not.toBeInTheDocument();
  await expectAccessible();
  await page.getByRole('button', { name: 'Leave out 2 lines' }).click();
  await expect.element(page.getByText(/^2 lines are left out\./)).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Columns' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep the extra cells in a column instead' }).click();
  await expect.element(page.getByText(/^The extra cells of 2 lines are in/)).toBeVisible();
  expect(api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent.extra_cells)).toEqual([
    'leave_out',
    'keep',
  ]);
});

test('remarks and offers of a file leave a layer in sight, and the start in a narrow window', async () => {
  const message = '"Ann / Bob" holds two people.';
  const warnings = [2, 3].map((line) => ({ line, column: 'Name', message }));
  const found = { header_line: 3, other_count: 2, several_people: 'keep' } as const;
  await openPage('Enrich', {
    'POST /app/v1/uploads': () => makeUpload(found, { warnings }),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  const layer = page.getByRole('checkbox', { name: /^Current job/ });
  await expect.element(layer).toBeVisible();
  const bottomOf = (place: Locator) => place.element().getBoundingClientRect().bottom;
  const foot = page.getByRole('region', { name: 'Price and start' });
  const topOfFoot = () => foot.element().getBoundingClientRect().top;
  await expect.poll(() => topOfFoot() - bottomOf(layer)).toBeGreaterThan(0);
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  await expect.poll(() => bottomOf(foot)).toBeLessThanOrEqual(844);
});

test('remarks of one kind are one line, and several people of a cell may have a row each', async () => {
  const warnings = [92, 159, 194].map((line) => ({
    line,
    column: 'Name',
    message: `"Ann ${line} / Bob" holds two people.`,
  }));
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload(
        { several_people: sent.several_people === 'split' ? 'split' : 'keep' },
        { warnings, mapping: {} },
      ),
  });
  await choose();
  await expect.element(page.getByText(/^Line 92, column Name: "Ann 92/)).toBeVisible();
  await expect.element(page.getByText(/Ann 159/)).not.toBeVisible();
  await page.getByText('2 more like it').click();
  await expect.element(page.getByText(/Ann 159/)).toBeVisible();
  await page.getByRole('button', { name: 'Give each person a row' }).click();
  await page.getByRole('button', { name: 'Keep several people in one row' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent.several_people))
    .toEqual(['keep', 'split', 'keep']);
});

test('lines that are no rows are counted and named, and kept or read as the names', async () => {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload(
        sent.other_lines === 'keep'
          ? { header_line: 3 }
          : {
              header_line: 3,
              other_count: 1,
              other_lines: [{ line: 9, kind: 'total', text: 'Total, 5' }],
            },
      ),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  await expect.element(page.getByText(/ · 1 line left out · /)).toBeVisible();
  // The step is folded.
  await expect.element(page.getByRole('button', { name: 'Show file' })).toBeVisible();
  await expect
    .element(page.getByText(/^1 line that is no row is left out: line 9 \(Total: Total, 5\)/))
    .toBeVisible();
  await expect
    .element(page.getByRole('combobox', { name: 'Column names in line' }))
    .toHaveValue('3');
  await expectAccessible();
  await page.getByRole('button', { name: 'Keep lines below the names' }).click();
  await expect.element(page.getByText('Total: Total, 5')).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Column names in line' }).click();
  await page.getByRole('option', { name: '1', exact: true }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent))
    .toMatchObject([
      { header: 'auto' },
      { other_lines: 'keep' },
      { header: 'yes', header_line: 1, other_lines: 'keep' },
    ]);
});

test('letters that are not sure are shown in each likely encoding', async () => {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload(
        {
          letters: {
            is_sure: sent.encoding !== undefined,
            sample: 'Gdañsk',
            others: [{ encoding: 'windows-1250', sample: 'Gdańsk' }],
          },
        },
        { encoding: 'windows-1252' },
      ),
    'POST /app/v1/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await choose();
  await page.getByRole('combobox', { name: 'Letters' }).click();
  await page.getByRole('option', { name: 'Gdańsk · Central European (Windows)' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/uploads').map(({ sent }) => sent.encoding))
    .toEqual([undefined, 'windows-1250']);
});
