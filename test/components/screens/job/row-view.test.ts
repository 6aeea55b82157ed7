// The rows of a job as a spreadsheet: filters, search, order, columns, selection, the row menu.
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultRowExample, statusExample } from '../../../../engine/contract/examples.ts';
import type { GridRow } from '../../../../engine/contract/jobs/app-jobs.ts';
import type { StatusData } from '../../../../engine/contract/jobs/job.ts';
import { expectAccessible } from '../../accessibility.ts';
import { type FakeApi, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const headers = ['Ref', 'Email', 'Note'];
const total = 40;

const rowOf = (row_index: number): GridRow => ({
  input: [`D-000${100 + row_index}`, 'old@a.example', row_index === 1 ? 'a\t"b"' : ''],
  result: {
    ...resultRowExample,
    row_index,
    ...(row_index === 5 && { status: 'skipped', reason: 'no_match' }),
    enriched_fields: {
      Email: `new${row_index}@a.example`,
      'Current company name': `Company ${row_index}`,
      'Current title': `Title ${row_index}`,
      'Profile URL': 'https://people.example/ada',
    },
  },
});

async function openJob(part: Partial<StatusData> = {}, query = ''): Promise<FakeApi> {
  localStorage.removeItem('desk-grid-layouts');
  localStorage.removeItem('desk-list-side');
  const counts = { enriched_rows: 30, skipped_rows: 9, failed_rows: 1, processed_rows: total };
  const job: StatusData = {
    ...statusExample,
    selected_layers: ['L1'],
    total_rows: total,
    ...counts,
    ...part,
  };
  const api = await openPage('Jobs', {
    'GET /app/v1/jobs': () => ({ count: 1, next: null, previous: null, results: [job] }),
    'GET /app/v1/jobs/:job_id': () => job,
    'GET /app/v1/jobs/:job_id/exports/record-ids': () => ({
      format: 'csv',
      headers: [],
      kind: 'people',
      guesses: {},
      lists: [],
      own_columns: [],
    }),
    'POST /app/v1/jobs/:job_id/exports': () => refuse('busy'),
    'GET /app/v1/jobs/:job_id/outcomes': () => ({
      rows: total,
      statuses: { enriched: 30, skipped: 9, failed: 1 },
      reasons: { ambiguous: 4, no_match: 5 },
      has: { changed: 6, left: 0, email: 25 },
      layers: { L1: 30 },
      sources: { directory: 30, provider: 0 },
    }),
    'GET /app/v1/jobs/:job_id/rows': ({ query }) => {
      const isNarrow = query.has('reason') || query.has('search');
      const count = isNarrow ? 4 : total;
      const rows = Array.from({ length: Math.min(count, Number(query.get('limit'))) }, (_, at) =>
        rowOf(query.get('direction') === 'desc' ? count - 1 - at : at),
      );
      const correspondences = [{ column: 1, fields: ['Email'] }];
      const own = { name: 'Lifecycle', header: 'Lifecycle', is_of_rows: true };
      const own_columns = [{ ...own, kind: 'people' as const, list: 'CRM' }];
      const columns = { headers, identity: [[0]], correspondences, own_columns };
      return { job, ...columns, count, offset: 0, rows };
    },
  });
  await page.getByRole('link', { name: 'Spring list' }).click();
  await expect.element(page.getByRole('grid')).toBeVisible();
  if (query) location.hash = `${location.hash}?${query}`;
  return api;
}

const views = (api: FakeApi) =>
  api.askedOf('GET /app/v1/jobs/:job_id/rows').map(({ query }) => {
    query.delete('limit');
    query.delete('offset');
    return query.toString();
  });

const columnLabels = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((element) => element.textContent);

/** Leaves the names and the found columns, with the whole width for them. */
async function showFound(): Promise<void> {
  await page.getByRole('button', { name: 'Outcomes and filters' }).click();
  await page.getByText('Found only').click();
}

const header = (name: string) => page.getByRole('columnheader', { name, exact: true });

function copy(): string {
  const clipboardData = new DataTransfer();
  page
    .getByRole('grid')
    .element()
    .dispatchEvent(new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData }));
  return clipboardData.getData('text/plain');
}

test('each outcome is a filter with its count, and the address keeps the view', async () => {
  const api = await openJob();
  const rows = page.getByRole('radiogroup', { name: 'Rows shown' });
  await expect
    .poll(() => rows.element().textContent)
    .toBe('All 40Enriched 30With email 25Changed jobs 6Skipped 9No match 5Ambiguous 4Failed 1');
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect.element(trail).toHaveTextContent('Jobs/Current job');
  // The reason of a skipped row is in its status, and the icons of all rows are one column.
  await expect
    .element(page.getByRole('rowheader', { name: /^6 no match D-000105$/ }))
    .toBeVisible();
  const edges = page
    .getByRole('rowheader')
    .elements()
    .map((head) => head.querySelector('[data-tone]')?.getBoundingClientRect())
    .map((icon) => `${icon?.left} to ${icon?.right}`);
  expect(edges.length).toBeGreaterThan(9);
  expect(new Set(edges).size).toBe(1);
  await rows.getByText('Ambiguous 4').click();
  await expect.element(page.getByText('4 of 40 rows')).toBeVisible();
  await expect.poll(() => location.hash).toMatch(/\?reason=ambiguous$/);
  await page.getByLabelText('Search names, companies and emails').fill('ann b');
  await expect.poll(() => views(api).at(-1)).toBe('reason=ambiguous&search=ann+b');
  await expect.poll(() => location.hash).toMatch(/\?reason=ambiguous&search=ann\+b$/);
  await expectAccessible();
  await page.getByRole('link', { name: 'Jobs' }).first().click();
  await expect.poll(() => location.hash).toBe('#/jobs');
});

test.each([
  ['has ended', true, ''],
  ['runs', false, 'Failed 0'],
] as const)('the filters of a job without failed rows that %s', async (_, ready, failed) => {
  await openJob({ ready, failed_rows: 0 });
  const filters = page.getByRole('radiogroup', { name: 'Rows shown' });
  await expect
    .poll(() => filters.element().textContent)
    .toBe(`All 40Enriched 30With email 25Changed jobs 6Skipped 9No match 5Ambiguous 4${failed}`);
});

test('a view in the address is shown, and its order is changed in the header', async () => {
  const api = await openJob({}, 'has=email&sort=found:Email&direction=desc');
  await showFound();
  await expect.element(header('Email')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => views(api)).toContain('has=email&sort=found%3AEmail&direction=desc');
  await header('Email').click();
  await expect.element(header('Email')).not.toHaveAttribute('aria-sort');
  await expect.poll(() => location.hash).toMatch(/\?has=email$/);
  // By keyboard: up into the header, to the title, then the order.
  (page.getByRole('grid').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowUp}{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
  await expect.element(header('Current title')).toHaveAttribute('aria-sort', 'ascending');
});

test('rows are filtered by the name of an import, which the address keeps', async () => {
  const api = await openJob();
  api.answer({
    'GET /app/v1/directory/origins': () => ({
      people: 30,
      ages: [],
      sources: [
        { source: 'crm-export.csv', people: 20 },
        { source: 'Bought list, spring', people: 10 },
      ],
    }),
  });
  const filter = page.getByRole('combobox', { name: 'Found in' });
  await filter.click();
  await page.getByRole('option', { name: 'Bought list, spring' }).click();
  await expect.poll(() => views(api).at(-1)).toBe('origin=Bought+list%2C+spring');
  await expect.poll(() => location.hash).toMatch(/\?origin=Bought\+list%2C\+spring$/);
  await expect.element(filter).toHaveValue('Bought list, spring');
  await expectAccessible();
  await page.getByLabelText('Any source').click();
  await expect.poll(() => location.hash).not.toContain('origin');
});

test('an import in the address is shown as the choice', async () => {
  const api = await openJob({}, 'origin=old.csv');
  const filter = page.getByRole('combobox', { name: 'Found in' });
  await expect.element(filter).toHaveValue('old.csv');
  await expect.poll(() => views(api)).toContain('origin=old.csv');
  // The names of imports are asked for only when they are chosen from.
  expect(api.askedOf('GET /app/v1/directory/origins')).toEqual([]);
});

test('a job that runs is neither searched nor sorted, and says why', async () => {
  const api = await openJob(
    { status: 'running', ready: false },
    'sort=found:Email&status=enriched',
  );
  await showFound();
  await expect.element(page.getByLabelText('Search names, companies and emails')).toBeDisabled();
  await expect
    .element(header('Email'))
    .toHaveAttribute('title', 'Email. Available when the job has finished.');
  await expect.poll(() => views(api)).toContain('status=enriched');
  expect(views(api).filter((view) => view.includes('sort'))).toEqual([]);
});

test('columns are resized, moved and hidden, by keyboard too, and stay so', async () => {
  await openJob();
  // What tells it from the found column is not cut off.
  const own = header('Email (yours)').element().firstElementChild as HTMLElement;
  expect(own.scrollWidth).toBeLessThanOrEqual(own.clientWidth);
  await showFound();
  const widthOf = (name: string) => header(name).element().getBoundingClientRect().width;
  const before = widthOf('Current title');
  (page.getByRole('grid').element() as HTMLElement).focus();
  await userEvent.keyboard(
    '{ArrowUp}{ArrowRight}{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}',
  );
  await expect.poll(() => widthOf('Current title')).toBe(before + 32);
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(() => columnLabels()[3]).toBe('Current title');
  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await expect.element(menu.getByLabelText('Email (yours)')).toBeInTheDocument();
  await menu.getByRole('button', { name: 'Move Email up', exact: true }).click();
  await menu.getByLabelText('Current company name').click();
  await expect.poll(() => columnLabels().slice(3, 5)).toEqual(['Current title', 'Email']);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('link', { name: 'Jobs' }).first().click();
  await page.getByRole('link', { name: 'Spring list' }).click();
  await expect.poll(() => columnLabels().slice(3, 5)).toEqual(['Current title', 'Email']);
  await expect.poll(() => widthOf('Current title')).toBe(before + 32);
});

test('a column is dragged by its title, which does not sort, and Escape keeps it in place', async () => {
  const api = await openJob();
  await showFound();
  await expect.poll(() => columnLabels()[3]).toBe('Current company name');
  await userEvent.dragAndDrop(header('Current title'), header('Current company name'));
  const moved = ['Current title', 'Current company name'];
  await expect.poll(() => columnLabels().slice(3, 5)).toEqual(moved);
  expect(location.hash).not.toContain('sort');
  // A drag that is given up.
  const place = (name: string) => header(name).element().getBoundingClientRect();
  const point = (name: string, type: string) =>
    header(name)
      .element()
      .dispatchEvent(
        new PointerEvent(type, { bubbles: true, button: 0, clientX: place(name).left + 20 }),
      );
  point('Current title', 'pointerdown');
  point('Current company name', 'pointermove');
  await expect.element(header('Current company name')).toHaveAttribute('data-drop', 'after');
  await userEvent.keyboard('{Escape}');
  await expect.element(header('Current company name')).not.toHaveAttribute('data-drop');
  point('Current company name', 'pointerup');
  expect(columnLabels().slice(3, 5)).toEqual(moved);
  expect(views(api).filter((view) => view.includes('sort'))).toEqual([]);
});

test('the edge of a column is dragged, and the columns that are shown are saved in their order', async () => {
  const api = await openJob({}, '');
  await showFound();
  const title = header('Current title');
  const before = title.element().getBoundingClientRect();
  const edge = title.element().querySelector('[class*="resize"]') as HTMLElement;
  await userEvent.dragAndDrop(edge, page.getByRole('grid'), {
    sourcePosition: { x: 4, y: 10 },
    targetPosition: {
      x: before.right - page.getByRole('grid').element().getBoundingClientRect().left + 60,
      y: 10,
    },
  });
  await expect
    .poll(() => Math.round(title.element().getBoundingClientRect().width - before.width))
    .toBeGreaterThan(50);
  // The drag ends over a header, and does not sort by it.
  expect(location.hash).not.toContain('sort=');
  (page.getByRole('grid').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowUp}{ArrowRight}{ArrowRight}{ArrowRight}{Alt>}{ArrowLeft}{/Alt}');
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByLabelText('The columns shown').click();
  await page.getByRole('button', { name: 'Save CSV' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/jobs/:job_id/exports').at(-1)?.sent.columns?.slice(2, 5))
    .toEqual(['found:Current title', 'found:Current company name', 'found:Email']);
});

test('selected cells are copied as a spreadsheet pastes them', async () => {
  await openJob();
  await showFound();
  const grid = page.getByRole('grid');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard(
    '{ArrowRight}{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{ArrowDown}{/Shift}',
  );
  await expect.poll(copy).toBe('Title 0\tnew0@a.example\nTitle 1\tnew1@a.example');
  await userEvent.keyboard('{Escape}');
  await expect.poll(copy).toBe('new1@a.example');
  await page.getByText('All columns').click();
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await expect.poll(() => copy().split('\n')).toHaveLength(total);
  expect(copy().split('\n')[1]).toContain('"a\t""b"""');
  await page.getByText('Found only').click();
  // By pointer: press on one cell, move to another.
  const cells = page.getByRole('gridcell', { name: /^Title [12]$/ }).elements();
  cells[0]?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  cells[1]?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, buttons: 1 }));
  await expect.poll(copy).toBe('Title 1\nTitle 2');
});

test('the menu of a row opens by its key, and its details have one table', async () => {
  await openJob();
  (page.getByRole('grid').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}{Shift>}{F10}{/Shift}');
  const menu = page.getByRole('menu');
  await expect.element(menu.getByRole('menuitem', { name: 'Open profile' })).toBeVisible();
  await menu.getByRole('menuitem', { name: 'Open details' }).click();
  const details = page.getByRole('region', { name: /^Details of / });
  await expect.element(details.getByText('Row 2', { exact: true })).toBeVisible();
  const line = details.getByRole('row', { name: /^Email/ });
  await expect.element(line.getByText('differs')).toBeVisible();
  await expect.element(line.getByRole('link', { name: 'new1@a.example' })).toBeVisible();
  await expect.element(line.getByRole('button', { name: 'Copy new1@a.example' })).toBeVisible();
  await expectAccessible();
});

test('addresses can be opened, and what says little in most rows is behind the rest', async () => {
  await openJob();
  await showFound();
  const link = page.getByRole('link', { name: 'https://people.example/ada' }).first();
  await expect.element(link).toHaveAttribute('href', 'https://people.example/ada');
  await page.getByRole('gridcell').first().click();
  await userEvent.keyboard('{End}');
  await expect.element(header('Email status')).toBeVisible();
  const last = ['Lifecycle', 'First name', 'Last name', 'Email status'];
  expect(columnLabels().slice(-last.length)).toEqual(last);
});

test('a click selects a cell, and a double click opens the details of its row', async () => {
  await openJob();
  const cell = page.getByRole('gridcell', { name: 'Title 3' });
  await cell.click();
  const menu = page.getByRole('button', { name: 'Menu of row 4' });
  await expect.element(menu).toBeVisible();
  // No room is kept for the menu: the name follows the icon.
  const head = page.getByRole('rowheader').first().element();
  const [icon, name] = head.querySelectorAll('[title]');
  const range = document.createRange();
  range.selectNodeContents(name as Element);
  const iconEnd = icon?.getBoundingClientRect().right ?? 0;
  expect(range.getBoundingClientRect().left - iconEnd).toBeLessThan(20);
  const details = page.getByRole('region', { name: /^Details of / });
  expect(details.elements()).toEqual([]);
  await cell.dblClick();
  await expect.element(details.getByText('Row 4', { exact: true })).toBeVisible();
});

test('in a small window the screen scrolls, and not the window around it', async () => {
  await openJob();
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  const topOfGrid = () => page.getByRole('grid').element().getBoundingClientRect().top;
  await expect.poll(topOfGrid).toBeLessThan(300);
  await page.viewport(320, 400);
  const main = document.getElementById('screen');
  await expect.poll(() => (main?.scrollHeight ?? 0) > 400).toBe(true);
  const window = document.documentElement;
  await expect.poll(() => window.scrollHeight - window.clientHeight).toBe(0);
});

test('the active cell is outlined strongly while the grid has the focus, also after a click', async () => {
  await openJob();
  const outline = () => {
    const cell = document.querySelector('[role=gridcell][data-active]');
    return cell && getComputedStyle(cell).boxShadow;
  };
  await page.getByRole('gridcell', { name: 'Title 1', exact: true }).click();
  await expect.poll(outline).toMatch(/ 2px inset$/);
  page.getByRole('button', { name: 'Columns' }).element().focus();
  await expect.poll(outline).toMatch(/ 1px inset$/);
});
