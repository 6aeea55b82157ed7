// A list on one screen: its draft, its job while it runs, and its result are one grid.
import { expect, onTestFinished, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import {
  resultRowExample,
  statusExample,
  submittedExample,
} from '../../../../engine/contract/examples.ts';
import type { StatusData } from '../../../../engine/contract/jobs/job.ts';
import { expectAccessible } from '../../accessibility.ts';
import type { Answers } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { choose, enrichButton, keepUpload, makeUpload } from '../enrich/enrich-desk.ts';

const first_rows = [
  ['Ada', 'Lovelace', 'Analytical Engines'],
  ['Grace', 'Hopper', 'n/a'],
];
const upload = makeUpload({ first_rows, row_count: 2 });
const grid = page.getByRole('grid', { name: 'Rows of people' });
const cell = (name: string) => grid.getByRole('gridcell', { name, exact: true });

function keepJob(read: () => StatusData): Answers {
  return {
    ...keepUpload(upload),
    'POST /app/v1/jobs': () => ({ ...submittedExample, job_id: statusExample.job_id }),
    'GET /app/v1/jobs/:job_id': read,
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job: read(),
      headers: upload.headers,
      identity: [[0, 1]],
      count: 2,
      offset: 0,
      rows: first_rows.map((input, row_index) => ({
        input,
        result: read().ready ? { ...resultRowExample, row_index } : null,
      })),
    }),
  };
}

test('the grid of a list stays on the screen while its job starts, runs and ends', async () => {
  const list = { ...statusExample, title: 'people', total_rows: 2 };
  let job: StatusData = { ...list, status: 'running', ready: false, processed_rows: 0 };
  const api = await openPage(
    'Enrich',
    keepJob(() => job),
  );
  await choose('people.csv');
  await expect.element(cell('Hopper')).toBeVisible();
  await expectAccessible();
  const draft = grid.element();
  const place = () => JSON.stringify(grid.element().getBoundingClientRect());
  const before = place();
  await enrichButton.click();
  await expect.element(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  expect(location.hash).toBe(`#/jobs/${statusExample.job_id}`);
  expect(grid.element()).toBe(draft);
  expect(place()).toBe(before);
  job = { ...list, enriched_rows: 2, skipped_rows: 0, processed_rows: 2 };
  const pulse = { rows_per_second: 1, seconds_left: null, charged_so_far: '0.0000', waiting: null };
  api.tell({ type: 'job', job, ...pulse });
  await expect
    .element(page.getByRole('rowheader', { name: '2 enriched Grace Hopper' }))
    .toBeVisible();
  expect(grid.element()).toBe(draft);
  expect(place()).toBe(before);
});

test('a job is shown as completed together with its rows', async () => {
  const list = { ...statusExample, title: 'people', total_rows: 2 };
  let job: StatusData = { ...list, status: 'running', ready: false, processed_rows: 0 };
  const answers = keepJob(() => job);
  const read = Promise.withResolvers<void>();
  const api = await openPage('Enrich', {
    ...answers,
    'GET /app/v1/jobs/:job_id/rows': async (request) => {
      if (job.ready) await read.promise;
      return answers['GET /app/v1/jobs/:job_id/rows']!(request);
    },
  });
  await choose('people.csv');
  await enrichButton.click();
  await expect.element(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  job = { ...list, enriched_rows: 2, skipped_rows: 0, processed_rows: 2 };
  const pulse = { rows_per_second: 1, seconds_left: null, charged_so_far: '0.0000', waiting: null };
  api.tell({ type: 'job', job, ...pulse });
  await expect.poll(() => api.askedOf('GET /app/v1/jobs/:job_id/rows').length).toBeGreaterThan(1);
  await expect.element(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  read.resolve();
  await expect.element(page.getByRole('button', { name: 'Save…' })).toBeVisible();
  await expect
    .element(page.getByRole('rowheader', { name: '2 enriched Grace Hopper' }))
    .toBeVisible();
});

test('before the start, the first found column is next to own ones of any number', async () => {
  const many = Array.from({ length: 12 }, (_, at) => `Column ${at}`);
  const row = many.map((name) => `${name} of Ada`);
  const wide = makeUpload({ headers: many, labels: many, first_rows: [row], row_count: 1 });
  await openPage('Enrich', keepUpload(wide));
  await choose('people.csv');
  const found = grid.getByRole('columnheader', { name: /^Current company name ?1 credit/ });
  await expect.element(cell('Column 0 of Ada')).toBeVisible();
  await expect.element(found).toBeInViewport({ ratio: 1 });
  // The icon of a row, and the reason behind it, begin with the job.
  await expect.element(grid.getByRole('columnheader', { name: 'Status' })).not.toBeInTheDocument();
  const leftOf = (header: Locator) => header.element().getBoundingClientRect().left;
  const before = leftOf(found);
  // The active cell is never below it, and it leaves the edge once it is reached.
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => leftOf(found)).toBeLessThan(before);
  await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect.poll(() => leftOf(found)).toBe(before);
  const active = cell('Column 4 of Ada').element().getBoundingClientRect();
  expect(active.right).toBeLessThanOrEqual(before);
});

test('at 200 % zoom, the price and the start are in sight with the first rows', async () => {
  await page.viewport(640, 400);
  onTestFinished(() => page.viewport(1280, 800));
  await openPage('Enrich', keepUpload(upload));
  await choose('people.csv');
  await expect.element(enrichButton).toBeInViewport({ ratio: 1 });
  await expect.element(cell('Hopper')).toBeInViewport({ ratio: 1 });
  // Over what scrolls below it, up to the end.
  const screen = document.getElementById('screen');
  screen?.scrollTo({ top: screen.scrollHeight });
  await expect.element(enrichButton).toBeInViewport({ ratio: 1 });
  await expectAccessible();
});

test('own cells are corrected in place before the start, and matched again', async () => {
  const api = await openPage(
    'Enrich',
    keepJob(() => statusExample),
  );
  await choose('people.csv');
  const sent = () => api.askedOf('POST /app/v1/estimate').at(-1)?.sent.corrections;
  await cell('n/a').dblClick();
  const field = page.getByRole('textbox', { name: 'Company, row 2' });
  await field.fill('Navy');
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await expect.element(cell('Navy')).toHaveAttribute('data-tone', 'corrected');
  await expect.element(page.getByText('1 cell corrected')).toBeVisible();
  await expect.poll(sent).toEqual([{ row: 1, column: 2, value: 'Navy' }]);
  // By keyboard: a character begins, Escape keeps the cell, Enter writes and returns to the grid.
  await expect.element(grid).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{ArrowLeft}Byron{Escape}');
  await expect.element(cell('Lovelace')).toBeVisible();
  await userEvent.keyboard('Byron{Enter}');
  await expect.element(cell('Byron')).toBeVisible();
  await expect.element(page.getByText('2 cells corrected')).toBeVisible();
  // The text of the file is no correction.
  await userEvent.keyboard('{F2}Lovelace{Enter}');
  await expect.element(page.getByText('1 cell corrected')).toBeVisible();
  await expect.element(enrichButton).toBeEnabled();
  await enrichButton.click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/jobs')[0]?.sent.corrections)
    .toEqual([{ row: 1, column: 2, value: 'Navy' }]);
});

test('corrections are undone together', async () => {
  await openPage(
    'Enrich',
    keepJob(() => statusExample),
  );
  await choose('people.csv');
  await cell('n/a').dblClick();
  await userEvent.keyboard('Navy{Enter}');
  await page.getByRole('button', { name: 'Undo all' }).click();
  await expect.element(cell('n/a')).toBeVisible();
  await expect.element(page.getByText(/corrected$/)).not.toBeInTheDocument();
});
