// The Suppression screen: search, pages, adding, importing and removing.
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type {
  SuppressionEntry,
  SuppressionReport,
} from '../../../../engine/contract/suppression/suppression.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf, noneHidden } from '../../empty-desk.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';
import { makeUpload } from '../enrich/enrich-desk.ts';

const entry = (id: number, change: Partial<SuppressionEntry> = {}): SuppressionEntry => ({
  id,
  kind: 'email',
  value: `person${id}@example.com`,
  reason: 'asked by letter',
  source: 'csv',
  author: 'Local workspace',
  added_at: timestampExample,
  job_id: null,
  ...change,
});
const report = (change: Partial<SuppressionReport> = {}): SuppressionReport => ({
  added: 1,
  known: 0,
  unreadable: 0,
  remarks: [],
  ...noneHidden,
  ...change,
});
const table = page.getByRole('region', { name: 'Suppressed values' });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** A list of one page, or none. */
const listOf = (...entries: SuppressionEntry[]) => ({
  'GET /app/v1/suppression': () => ({ entries, total: entries.length, next: null }),
});

test('Directory leads to the list; an empty one says what it is for', async () => {
  await openPage('Directory', listOf());
  await page.getByRole('link', { name: 'Suppressed' }).click();
  await expect.element(page.getByText('Nothing is suppressed')).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('the part that is shown is in sight among the parts, also in a narrow window', async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1280, 800));
  await openPage('Directory', listOf());
  location.hash = '#/directory/suppression';
  const tab = page.getByRole('link', { name: 'Suppressed' });
  await expect.element(tab).toHaveAttribute('aria-current', 'page');
  await expect.element(tab).toBeInViewport({ ratio: 1 });
});

test('an entry has its reason, source, author and time; a long list has pages and a search', async () => {
  const api = await openPage('Suppression', {
    'GET /app/v1/suppression': ({ query }) =>
      query.has('before')
        ? { entries: [entry(1)], total: 100_000, next: null }
        : {
            entries: [entry(3, { kind: 'domain', value: '*.example.com' }), entry(2)],
            total: 100_000,
            next: 2,
          },
  });
  await expect.element(page.getByText('100,000 in the list')).toBeVisible();
  const row = table.getByRole('row', { name: /^\*\.example\.com/ });
  for (const text of ['Domain', 'asked by letter', 'Local workspace', 'from a CSV file'])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  await expectAccessibleAndResponsive();
  await press('Older');
  await expect.element(table.getByText('person1@example.com')).toBeVisible();
  await page.getByRole('textbox', { name: 'Search' }).fill('Letter');
  await expect
    .poll(() => api.askedOf('GET /app/v1/suppression').at(-1)?.query.get('search'))
    .toBe('Letter');
  expect(api.askedOf('GET /app/v1/suppression').at(-1)?.query.get('before')).toBeNull();
});

test('values are added with a reason, and unreadable ones are named', async () => {
  const remarks = [{ line: 2, what: 'It is not an email address.' }];
  const api = await openPage('Suppression', {
    ...listOf(entry(1)),
    'POST /app/v1/suppression': () => report({ unreadable: 1, remarks }),
  });
  await page.getByRole('textbox', { name: 'Reason' }).fill('letter of May');
  await page.getByRole('textbox', { name: 'Values, one per line' }).fill('a@b.com\n\n x ');
  await press('Suppress');
  await expect
    .element(page.getByText(/1 unreadable\. Hidden people in the directory: 0 \(0 before\)/))
    .toBeVisible();
  await expect.element(page.getByText('Value 2: It is not an email address.')).toBeVisible();
  expect(api.askedOf('POST /app/v1/suppression')[0]?.sent).toEqual({
    values: [{ value: 'a@b.com' }, { value: 'x' }],
    reason: 'letter of May',
  });
});

test('a file is read as an import reads it, and imported after its questions', async () => {
  const sheets = [
    { name: 'All', rows: 43 },
    { name: 'Left', rows: 7 },
  ];
  const upload_id = idOf(5);
  const api = await openPage('Suppression', {
    ...listOf(entry(1)),
    'POST /app/v1/uploads': ({ sent }) =>
      makeUpload({
        upload_id,
        kind: 'xlsx',
        reading: { ...uploadExample.reading, sheet: sent.sheet ?? 'All', sheets },
      }),
    'DELETE /app/v1/uploads/:upload_id': () => ({ upload_id }),
    'POST /app/v1/suppression-imports': () => report({ added: 2, known: 3 }),
  });
  const file = new File(['PK'], 'stop.xlsx');
  await page.getByLabelText('Import a list').upload(file);
  await page.getByRole('combobox', { name: 'Sheet' }).click();
  await page.getByRole('option', { name: 'Left · 7 lines' }).click();
  await expect.element(page.getByRole('combobox', { name: 'Sheet' })).toHaveValue('Left · 7 lines');
  await press('Import stop.xlsx');
  await expect.element(page.getByText(/^2 added, 3 already listed, 0 unreadable\./)).toBeVisible();
  expect(api.askedOf('POST /app/v1/suppression-imports')[0]?.sent).toEqual({
    upload_id,
    reason: '',
  });
  expect(api.askedOf('POST /app/v1/uploads').at(-1)?.sent).toMatchObject({
    sheet: 'Left',
    other_lines: 'keep',
    origin: 'columns',
  });
});

test('an entry is removed after a confirmation, and a refusal is shown', async () => {
  const api = await openPage('Suppression', {
    ...listOf(entry(7)),
    'POST /app/v1/suppression-removals': () => refuse('unavailable'),
  });
  await press('Remove person7@example.com');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/is then matched, shown, exported/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByText('The entry was not removed')).toBeVisible();
  api.answer({ 'POST /app/v1/suppression-removals': () => ({ removed: 1, ...noneHidden }) });
  await press('Remove person7@example.com');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect
    .element(page.getByText('person7@example.com is no longer suppressed.'))
    .toBeVisible();
  expect(api.askedOf('POST /app/v1/suppression-removals').map(({ sent }) => sent)).toEqual([
    { ids: [7] },
    { ids: [7] },
  ]);
});

test('all entries that refusals in one job made are removed together', async () => {
  const jobId = '90000000-0000-4000-8000-000000000000';
  const api = await openPage('Suppression', {
    ...listOf(entry(7, { source: 'refusal', author: 'lawful', job_id: jobId })),
    'POST /app/v1/suppression-removals': () => ({ removed: 12, ...noneHidden }),
  });
  await press('Remove all from its job');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
  await expect.element(page.getByText('12 entries of the job were removed.')).toBeVisible();
  expect(api.askedOf('POST /app/v1/suppression-removals')[0]?.sent).toEqual({ job_id: jobId });
});
