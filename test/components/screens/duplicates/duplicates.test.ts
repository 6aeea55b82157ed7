// The screens of duplicates: list, evidence, choices, merge, dismissal and undo.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type {
  DuplicateDetail,
  DuplicateField,
  DuplicatesPage,
  RecordMerge,
} from '../../../../engine/contract/duplicates/duplicates.ts';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const value = (text: string) => ({
  value: text,
  source: 'CRM',
  observed_on: '2026-01-01',
  trust: 0.8,
  witnesses: 1,
});
const field = (name: string, label: string, change: Partial<DuplicateField>): DuplicateField => ({
  field: name,
  label,
  verdict: 'agrees',
  values: [value('x'), value('x')],
  winner: 0,
  reason: 'same',
  ...change,
});
const pair: DuplicateDetail = {
  id: 4,
  kind: 'person',
  status: 'open',
  probability: 0.994,
  likelihood: 'almost_certain',
  records: [
    { id: 'ann', name: 'Ann Abernathy', detail: 'Chief, Engines' },
    { id: 'anna', name: 'Anna Abernathy', detail: '' },
  ],
  agrees: ['Last name'],
  differs: ['City'],
  fields: [
    field('last_name', 'Last name', { values: [value('Abernathy'), value('Abernathy')] }),
    field('city', 'City', {
      verdict: 'differs',
      values: [value('Bern'), value('Rome')],
      reason: 'newer',
    }),
    field('emails', 'Emails', {
      verdict: 'one_side',
      values: [value('a@b.example'), null],
      winner: null,
      reason: 'all_kept',
    }),
  ],
};
const merge: RecordMerge = {
  id: 9,
  kind: 'person',
  merged_at: timestampExample,
  merged_by: 'Local workspace',
  survivor: { id: 'ann', name: 'Ann Abernathy' },
  other: { id: 'anna', name: 'Anna Abernathy' },
  undone_at: null,
  undone_by: null,
};
const search: DuplicatesPage['search'] = {
  status: 'completed',
  compared: 3,
  blocks_skipped: 0,
  is_outdated: true,
  ended_at: timestampExample,
};
const listOf = (duplicates: DuplicatesPage['duplicates'], change = search, merges = [merge]) => ({
  'GET /app/v1/duplicates': () => ({ duplicates, total: duplicates.length, search: change }),
  'GET /app/v1/duplicate-merges': () => ({ merges, next: null }),
});
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('Directory leads to the duplicates; without a search there is one thing to do', async () => {
  const never = { ...search, status: 'never' as const, is_outdated: false, ended_at: null };
  const api = await openPage('Directory', {
    ...listOf([], never, []),
    'POST /app/v1/duplicate-searches': () => never,
  });
  await page.getByRole('link', { name: 'Duplicates' }).click();
  await expect.element(page.getByText('Not searched yet')).toBeVisible();
  await expectAccessibleAndResponsive();
  await press('Search for duplicates');
  await expect.poll(() => api.askedOf('POST /app/v1/duplicate-searches')).toHaveLength(1);
});

test('a pair is listed with its evidence, and merged with a chosen value', async () => {
  const api = await openPage('Duplicates', {
    ...listOf([pair]),
    'GET /app/v1/duplicates/:id': () => pair,
    'POST /app/v1/duplicates/:id/merge': () => refuse('busy'),
  });
  await expect.element(page.getByText(/has changed since the search/)).toBeVisible();
  await expect.element(page.getByText('99%, almost certain')).toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('link', { name: 'Compare Ann Abernathy and Anna Abernathy' }).click();
  const table = page.getByRole('region', { name: 'Comparison' });
  await expect.element(table.getByRole('row', { name: /^City differs/ })).toBeVisible();
  await expectAccessibleAndResponsive();
  await table.getByRole('radio', { name: 'City: Rome' }).click();
  await expect.element(table.getByText('your choice')).toBeVisible();
  await press('Merge');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect.element(page.getByText('The records were not merged')).toBeVisible();
  api.answer({ 'POST /app/v1/duplicates/:id/merge': () => merge });
  await press('Merge');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect
    .element(page.getByText('Anna Abernathy was merged into Ann Abernathy.'))
    .toBeVisible();
  expect(api.askedOf('POST /app/v1/duplicates/:id/merge').at(-1)?.sent).toEqual({
    survivor: 'ann',
    choices: { city: 'anna' },
  });
});

test('the other record is kept on request, and a pair is dismissed', async () => {
  const api = await openPage('Duplicates', {
    ...listOf([pair]),
    'GET /app/v1/duplicates/:id': () => pair,
    'POST /app/v1/duplicates/:id/dismiss': () => ({ ...pair, status: 'dismissed' as const }),
  });
  await page.getByRole('link', { name: /^Compare Ann/ }).click();
  await press('Keep the other record');
  await expect
    .poll(() => api.askedOf('GET /app/v1/duplicates/:id').at(-1)?.query.get('survivor'))
    .toBe('anna');
  await press('Not the same');
  await expect.element(page.getByText('The pair was dismissed.')).toBeVisible();
});

test('a merge is undone, and a refusal says why not', async () => {
  const api = await openPage('Duplicates', {
    ...listOf([]),
    'POST /app/v1/duplicate-merges/:id/undo': () => refuse('already_finished'),
  });
  await press('Undo the merge of Ann Abernathy');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Undo the merge' }).click();
  await expect.element(page.getByText('The merge was not undone')).toBeVisible();
  // The list is read again, and its button is gone, before the rest has been read.
  const undone = { ...merge, undone_at: timestampExample, undone_by: 'Local workspace' };
  const listAfter = listOf([], search, [undone]);
  api.answer({
    ...listAfter,
    'POST /app/v1/duplicate-merges/:id/undo': () => undone,
    'GET /app/v1/duplicates': async () => {
      await expect.element(page.getByText(/^undone /)).toBeVisible();
      return listAfter['GET /app/v1/duplicates']();
    },
  });
  await press('Undo the merge of Ann Abernathy');
  await dialog.getByRole('button', { name: 'Undo the merge' }).click();
  await expect.element(page.getByText('The merge of Ann Abernathy was undone.')).toBeVisible();
});
