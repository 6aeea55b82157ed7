// Pages of rows: which part of an answer the page parses.
import { expect, test } from 'vitest';
import { resultRowExample, statusExample } from '../../engine/contract/examples.ts';
import type { GridRow } from '../../engine/contract/jobs/app-jobs.ts';
import { SampledPageSchema } from '../../renderer/api/job-rows.ts';

const row = (change: object): unknown => ({
  input: ['Ada'],
  result: { ...resultRowExample, ...change },
});
const pageOf = (rows: unknown) => ({
  job: statusExample,
  headers: ['Name'],
  identity: [[0]],
  count: 3,
  offset: 0,
  rows,
});
const waiting: GridRow = { input: ['Ada'], result: null };
const parses = (rows: unknown) => SampledPageSchema.safeParse(pageOf(rows)).success;

test('a page of rows keeps every row', () => {
  const rows = [row({ status: 'enriched' }), row({ status: 'skipped' }), waiting];
  expect(SampledPageSchema.parse(pageOf(rows)).rows).toEqual(rows);
});

test.each([
  ['no list', {}],
  ['a row that is none', [null]],
  ['a first row without its input', [{ result: null }]],
  [
    'a first row of another status that does not fit',
    [waiting, row({ status: 'failed', reason: 1 })],
  ],
  ['an unknown status after known ones', [row({}), row({}), row({ status: 'new' })]],
])('a page with %s is refused', (_what, rows) => {
  expect(parses(rows)).toBe(false);
});

test('an empty page is a page', () => {
  expect(parses([])).toBe(true);
});

test('a page without its job is refused', () => {
  expect(SampledPageSchema.safeParse({ ...pageOf([]), job: {} }).success).toBe(false);
});
