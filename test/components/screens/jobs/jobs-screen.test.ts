// The screen Jobs: search, outcomes, selection, deletion with undo, the queue, run again.
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { statusExample, submittedExample } from '../../../../engine/contract/examples.ts';
import type { StatusData } from '../../../../engine/contract/jobs/job.ts';
import { layerCodes, nameLayer } from '../../../../engine/contract/jobs/layers.ts';
import { expectAccessible, expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf, makeJobList } from '../../empty-desk.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';
import { priced } from '../enrich/enrich-desk.ts';

const job = (number: number, parts: Partial<StatusData> = {}): StatusData => ({
  ...(statusExample as StatusData),
  job_id: idOf(number),
  title: `List ${number}`,
  total_rows: 100,
  processed_rows: 100,
  enriched_rows: 78,
  skipped_rows: 20,
  failed_rows: 2,
  started_at: '2026-11-22T10:00:00.000Z',
  completed_at: '2026-11-22T10:00:05.000Z',
  ...parts,
});
const queued = (number: number) =>
  job(number, {
    status: 'queued',
    ready: false,
    processed_rows: 0,
    credits_held: '100.0000',
    enriched_rows: 0,
    skipped_rows: 0,
    failed_rows: 0,
    started_at: null,
    completed_at: null,
  });

test('a row shows the outcome, age, duration and speed of its job, and opens it from any cell', async () => {
  await openPage('Jobs', {
    'GET /app/v1/job-list': () =>
      makeJobList([job(1, { created_at: new Date(Date.now() - 5 * 60_000).toISOString() })]),
    'GET /app/v1/jobs/:job_id': () => job(1, { status: 'cancelled' }),
  });
  const row = page.getByRole('row').filter({ hasText: 'List 1' });
  await expect
    .element(row.getByRole('img', { name: '78 enriched, 20 skipped, 2 failed' }))
    .toBeVisible();
  await expect.element(row.getByText('78 enriched (78%)')).toBeVisible();
  await expect.element(row.getByText(/^5 s/)).toBeVisible();
  await expect.element(row.getByText('20 rows/s')).toBeVisible();
  await expect
    .element(row.getByText('5 min ago'))
    .toHaveAttribute('title', expect.stringMatching(/\d:\d\d/));
  // The link covers the row, so the click that lands on this cell is one on the link.
  await row.getByText('20 rows/s').click({ force: true });
  await expect.element(page.getByRole('heading', { name: /^List 1/, level: 1 })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Your list is kept' })).toBeVisible();
});

test('a title that is read from right to left begins where others do, before its status', async () => {
  const titled = { title: 'مندوبون' };
  await openPage('Jobs', {
    'GET /app/v1/job-list': () => makeJobList([job(1, titled)]),
    'GET /app/v1/jobs/:job_id': () => job(1, { ...titled, status: 'cancelled' }),
  });
  await page.getByRole('link', { name: titled.title }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading.getByText('cancelled')).toBeVisible();
  const [title, status] = [titled.title, 'cancelled'].map((text) =>
    heading.getByText(text).element().getBoundingClientRect(),
  );
  expect(title?.left).toBe(heading.element().getBoundingClientRect().left);
  expect(status?.left).toBeGreaterThan(title?.right ?? 0);
});

test.each([390, 1280])(
  'no text of a job with all layers covers another cell at %i px',
  async (width) => {
    await page.viewport(width, 800);
    onTestFinished(() => page.viewport(1280, 800));
    await openPage('Jobs', {
      'GET /app/v1/job-list': () => makeJobList([job(1, { selected_layers: [...layerCodes] })]),
    });
    const layers = page.getByText(layerCodes.map(nameLayer).join(', '));
    await expect.element(layers).toBeVisible();
    const caption = layers.element();
    expect(caption.scrollWidth).toBeLessThanOrEqual(caption.clientWidth);
  },
);

test('state, progress and time of a job are in sight in a narrow window', async () => {
  await page.viewport(390, 700);
  onTestFinished(() => page.viewport(1280, 800));
  await openPage('Jobs', {
    'GET /app/v1/job-list': () =>
      makeJobList([job(1, { title: 'A list of 40 characters or some more' })]),
  });
  const row = page.getByRole('row').filter({ hasText: 'A list of' });
  for (const text of ['completed', '78 enriched (78%)', /^5 s/, /ago$/])
    await expect.element(row.getByText(text)).toBeInViewport({ ratio: 1 });
  await expectAccessible();
});

test('jobs are searched and filtered by the engine, page by page', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': ({ query }) => ({
      ...makeJobList(query.get('search') === 'nothing' ? [] : [job(1)]),
      next: query.has('before') ? null : 7,
    }),
  });
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.element(page.getByRole('button', { name: 'Newer' })).toBeVisible();
  await page.getByText('Failed 0').click();
  await page.getByRole('searchbox', { name: 'Search jobs by name' }).fill('nothing');
  await expect.element(page.getByRole('heading', { name: 'No jobs found' })).toBeVisible();
  const queries = () => api.askedOf('GET /app/v1/job-list').map(({ query }) => String(query));
  expect(queries()).toContain('search=&before=7');
  // The filter alone finds no jobs either.
  await expect.poll(() => queries().at(-1)).toBe('status=failed&search=nothing');
  // The address has the filters, so a reload keeps them.
  await expect.poll(() => location.hash).toBe('#/jobs?status=failed&search=nothing');
  location.hash = '#/jobs?status=completed';
  await expect.element(page.getByRole('radio', { name: /^Completed/ })).toBeChecked();
});

test('the completed ones of the selected jobs are saved, a file for each', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': () => makeJobList([job(1), job(2), job(3, { status: 'failed' })]),
    'POST /app/v1/jobs/:job_id/exports': () => ({
      path: null,
      download_url: '#/jobs',
      file_name: 'list.xlsx',
      rows: 100,
      diff: null,
    }),
  });
  await page.getByRole('checkbox').first().click({ force: true });
  await page.getByRole('button', { name: 'Save 2 completed…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save 2 jobs' });
  await expectAccessible();
  await dialog.getByText('Excel (.xlsx)').click();
  await dialog.getByRole('button', { name: 'Save 2 files' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const asked = api.askedOf('POST /app/v1/jobs/:job_id/exports');
  expect(asked.map(({ sent }) => sent.format)).toEqual(['xlsx', 'xlsx']);
});

test('selected jobs are deleted at once, and an undo restores them', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': () => makeJobList([job(1), job(2), job(3)]),
    'POST /app/v1/job-deletions': () => ({ deleted: 2, undo_until: '2026-11-22T10:10:00.000Z' }),
    'POST /app/v1/job-restorations': () => ({ restored: 2 }),
  });
  for (const number of [1, 3])
    await page.getByRole('checkbox', { name: `Select List ${number}` }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('Deleted 2 jobs')).toBeVisible();
  await expect.element(page.getByText('2 selected')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('Restored 2 jobs')).toBeVisible();
  const ids = [idOf(1), idOf(3)];
  expect(api.askedOf('POST /app/v1/job-deletions').map(({ sent }) => sent)).toEqual([
    { job_ids: ids, cancel: false },
  ]);
  expect(api.askedOf('POST /app/v1/job-restorations').map(({ sent }) => sent)).toEqual([
    { job_ids: ids },
  ]);
});

test('an open job is deleted after a question, and renamed by the keyboard', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': () => makeJobList([queued(1)]),
    'GET /app/v1/jobs/:job_id': () => queued(1),
    'PATCH /app/v1/jobs/:job_id': ({ sent }) => job(1, sent),
    'POST /app/v1/job-deletions': () => ({ deleted: 1, undo_until: '2026-11-22T10:10:00.000Z' }),
  });
  const menu = page.getByRole('button', { name: 'Actions for List 1' });
  await expect.element(menu).toBeVisible();
  (menu.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), ' Spring fair ');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => api.askedOf('PATCH /app/v1/jobs/:job_id').at(0)?.sent.title)
    .toBe('Spring fair');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Cancel and delete…' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/returns the 100 credits reserved/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel and delete' }).click();
  await expect.element(page.getByText('Deleted “List 1”')).toBeVisible();
  expect(api.askedOf('POST /app/v1/job-deletions')[0]?.sent.cancel).toBe(true);
});

test('the queue is reordered by its buttons, and says what it did', async () => {
  let order = [2, 3, 4];
  const answer = () => order.map((number, at) => ({ job: queued(number), rows_ahead: at * 100 }));
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': () => makeJobList([job(1), job(5, { title: 'قائمة' })]),
    'GET /app/v1/job-queue': answer,
    'POST /app/v1/jobs/:job_id/move'({ params, sent }) {
      const moved = [2, 3, 4].find((number) => idOf(number) === params.job_id) ?? 0;
      order = order.filter((number) => number !== moved);
      order.splice(sent.place - 1, 0, moved);
      return answer();
    },
  });
  const items = page.getByRole('region', { name: 'Queue' }).getByRole('listitem');
  const names = () => items.elements().map((item) => item.querySelector('a')?.textContent);
  await expect.element(page.getByRole('row').nth(2)).toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'Run next: List 4' }).click();
  await expect.poll(names).toEqual(['List 4', 'List 2', 'List 3']);
  await expect.element(items.nth(0).getByText('100 rows · starts next')).toBeVisible();
  await expect.element(items.nth(1).getByText('100 rows · starts after 100 rows')).toBeVisible();
  await page.getByRole('button', { name: 'Move down: List 4' }).click();
  await expect.poll(names).toEqual(['List 2', 'List 4', 'List 3']);
  await expect
    .element(page.getByText('List 4 is now number 2 of 3 in the queue.'))
    .toBeInTheDocument();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/move').map(({ sent }) => sent.place)).toEqual([
    1, 2,
  ]);
});

test('a job runs again for the price on the button', async () => {
  const choice = (rows: 'all' | 'unmatched', row_count: number, sufficient: boolean) => ({
    rows,
    row_count,
    credits_needed: `${row_count}.5000`,
    sufficient,
  });
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': () => makeJobList([job(1)]),
    'GET /app/v1/jobs/:job_id': () => job(9, { status: 'cancelled' }),
    'GET /app/v1/jobs/:job_id/rerun': () => ({
      title: 'List 1 (2)',
      choices: [choice('all', 100, false), choice('unmatched', 20, true)],
      price_per_row: '1.0000',
      available_credits: '50.0000',
      free_repeat_days: 30,
      imports_since: 2,
      problem: null,
    }),
    'POST /app/v1/jobs/:job_id/upload': () => ({ ...uploadExample, bytes: 0 }),
    'POST /app/v1/estimate': () => priced,
    'POST /app/v1/jobs/:job_id/rerun': () => ({ ...submittedExample, job_id: idOf(9) }) as never,
  });
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Actions for List 1' }).click();
    await page.getByRole('menuitem', { name: 'Run again…' }).click();
  };
  await openDialog();
  // Its list as a draft, with its layers.
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Change layers…' }).click();
  await expect.element(page.getByRole('heading', { name: 'List 1 (2)', level: 1 })).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: /^Company location/ })).toBeChecked();
  await expect.element(page.getByText(/^people\.csv · 3 rows · 3 columns$/)).toBeVisible();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/upload')).toHaveLength(1);
  location.hash = '/jobs';
  await openDialog();
  // The draft is not lost without a question.
  await dialog.getByRole('button', { name: 'Change layers…' }).click();
  await page.getByRole('button', { name: /^Keep .*people/ }).click();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/upload')).toHaveLength(1);
  await expect.element(dialog.getByText('You have 50 credits.', { exact: false })).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: /^Run 100 rows/ })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Rows without a match (20 rows)' }).click();
  await expect.element(dialog.getByText(/You have imported 2 lists since/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Run 20 rows, at most 20.5 credits' }).click();
  await expect.element(page.getByRole('heading', { name: /^List 9/, level: 1 })).toBeVisible();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/rerun')[0]?.sent).toEqual({ rows: 'unmatched' });
});
