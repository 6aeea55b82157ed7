// The grid of a finished job: the person of a row, what was found, pages fetched ahead.
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultRowExample, statusExample } from '../../../../engine/contract/examples.ts';
import type { GridPage, GridRow } from '../../../../engine/contract/jobs/app-jobs.ts';
import type { StatusData } from '../../../../engine/contract/jobs/job.ts';
import { readTones } from '../../../../renderer/screens/job/compare-own.ts';
import { expectAccessible } from '../../accessibility.ts';
import { emptyDirectory } from '../../empty-desk.ts';
import type { FakeApi } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const headers = ['Owner', 'Notes', 'Region', 'Source', 'First', 'Last', 'Company'];
const rowOf = (row_index: number, fields: Record<string, string>, own?: string[]): GridRow => ({
  input: own ?? ['Kim', 'called twice', 'EMEA', 'fair', 'Ada', `Byron ${row_index + 1}`, 'Globex'],
  result: {
    ...resultRowExample,
    row_index,
    enriched_fields: { ...resultRowExample.enriched_fields, ...fields },
    own_records: [
      {
        list: 'CRM',
        kind: 'people',
        id: '501',
        other_ids: ['507'],
        fields: { Lifecycle: 'customer', Team: 'East' },
      },
      { list: 'Fair', kind: 'people', id: '', fields: { lifecycle: 'customer', Team: 'West' } },
    ],
  },
});

const rowNumberOf = ({ dataset }: HTMLElement) => Number(dataset.row);

/** Opens a finished job; every row is about another person. */
async function openJob(
  total: number,
  fields: Record<string, string> = {},
  own?: string[],
  correspondences: GridPage['correspondences'] = [],
  ownColumns: GridPage['own_columns'] = [],
): Promise<FakeApi> {
  const job: StatusData = {
    ...statusExample,
    total_rows: total,
    processed_rows: total,
    enriched_rows: total,
    skipped_rows: 0,
  };
  const api = await openPage('Jobs', {
    'GET /app/v1/jobs': () => ({ count: 1, next: null, previous: null, results: [job] }),
    'GET /app/v1/jobs/:job_id': () => job,
    'GET /app/v1/jobs/:job_id/rows': ({ query }) => {
      const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 100)];
      const count = Math.min(limit, total - offset);
      const rows = Array.from({ length: count }, (_row, at) => rowOf(offset + at, fields, own));
      const identity = [[4, 5], [0]];
      const columns = { headers, identity, correspondences, own_columns: ownColumns };
      return { job, ...columns, count: total, offset, rows };
    },
  });
  await page.getByRole('link', { name: 'Spring list' }).click();
  await expect.element(page.getByRole('grid')).toBeVisible();
  return api;
}

const offsetsOf = (api: FakeApi) => [
  ...new Set(
    api.askedOf('GET /app/v1/jobs/:job_id/rows').map(({ query }) => Number(query.get('offset'))),
  ),
];

test('the own columns come first, then what was found; the person stays while one scrolls', async () => {
  await openJob(3, { 'Current company name': 'Initech' });
  await expect.element(page.getByRole('rowheader', { name: /Ada Byron 2/ })).toBeVisible();
  const labels = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map((element) => element.textContent);
  // What was found is in sight at once.
  await expect.poll(labels).toContain('Current title');
  expect(labels().indexOf('Status')).toBe(labels().indexOf('Current company name') - 1);
  await expect.element(page.getByRole('gridcell', { name: 'Initech' }).first()).toBeInViewport();
  await expect.element(page.getByRole('rowheader', { name: /Ada Byron 2/ })).toBeVisible();
  await page.getByRole('grid').element().scrollTo({ left: 0 });
  await expect.poll(() => labels().slice(0, 4)).toEqual(['Row', 'Owner', 'Notes', 'Region']);
  // The active cell is named only while it is there.
  const grid = page.getByRole('grid').element() as HTMLElement;
  grid.focus();
  await expect.poll(() => grid.getAttribute('aria-activedescendant')).toMatch(/-0-0$/);
  grid.scrollTo({ left: 100_000 });
  await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBe(null);
});

test('in a narrow window the person stays next to the cells, with room for them', async () => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  await openJob(3, { 'Current company name': 'Initech' });
  const grid = page.getByRole('grid').element();
  grid.scrollTo({ left: 300 });
  const name = page.getByText('Ada Byron 2', { exact: true });
  const widthOf = (element: Element) => element.getBoundingClientRect().width;
  await expect.poll(() => widthOf(name.element())).toBeGreaterThan(60);
  await expect.element(name).toBeInViewport({ ratio: 1 });
  const head = page.getByRole('rowheader', { name: '2 enriched Ada Byron 2' });
  await expect.element(head).toBeInViewport({ ratio: 1 });
  expect(widthOf(head.element())).toBeLessThan(widthOf(grid) / 2);
});

test('a row without a name is named by the next column that says who it is about', async () => {
  await openJob(2, {}, ['Kim', '', '', '', '', ' ', '']);
  await expect.element(page.getByRole('rowheader', { name: /^2 enriched Kim$/ })).toBeVisible();
});

test('a found value is coloured by how it relates to the own one, which its title says', async () => {
  const own = ['Dr. Ada Byron', '', '0049 421-123456', 'fair', 'Ada', 'Byron', 'Globex'];
  const found = { 'First name': 'Ada', 'Last name': 'Byron', 'Current company name': 'Initech' };
  const values = { ...found, Email: 'ada@initech.example', 'Mobile phone': '+49421123456' };
  const correspondences = [
    { column: 0, fields: ['First name', 'Last name'], is_full_name: false },
    { column: 6, fields: ['Current company name'], is_full_name: false },
    { column: 1, fields: ['Email'], is_full_name: false },
    { column: 2, fields: ['Mobile phone'], is_full_name: false },
  ];
  // A row is compared again once its job says what corresponds.
  const row = rowOf(0, values, own);
  expect(readTones([], row).get('Email')).toBe(undefined);
  expect(readTones(correspondences, row).get('Email')).toBe('new');
  await openJob(1, values, own, correspondences);
  page.getByRole('grid').element().scrollLeft = 9_999;
  await page.getByText('Found only').click();
  const company = page.getByRole('gridcell', { name: 'Initech', exact: true });
  await expect.element(company).toBeInViewport({ ratio: 1 });
  await expect.element(company).toHaveAttribute('data-tone', 'differs');
  await company.hover();
  await expect
    .element(company)
    .toHaveAttribute('title', expect.stringMatching(/other than yours$/));
  const email = page.getByRole('gridcell', { name: 'ada@initech.example' });
  await expect.element(email).toHaveAttribute('data-tone', 'new');
  // The legend has the same colours.
  (page.getByRole('button', { name: 'Colours of cells' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const legend = page.getByRole('dialog', { name: 'Colours of cells' });
  await expect.element(legend).toBeVisible();
  await expectAccessible();
  const colourOf = (element: Element) => getComputedStyle(element).color;
  for (const [word, cell] of [
    ['new', email],
    ['other than yours', company],
  ] as const)
    expect(colourOf(legend.getByText(word).element())).toBe(colourOf(cell.element()));
  await userEvent.keyboard('{Escape}');
  await expect.element(legend).not.toBeInTheDocument();
  // The details compare a whole name as one, whatever the header of its column says.
  await page.getByRole('rowheader', { name: /Ada Byron/ }).click();
  const lines = page.getByRole('region', { name: 'Found' }).getByRole('row');
  const lineOf = (name: RegExp) => lines.filter({ hasText: name }).element().textContent;
  await expect.poll(() => lineOf(/^Owner/)).toMatch(/^OwnerDr\. Ada ByronAda Byron(?!differs|new)/);
  expect(lineOf(/^CompanyGlobex/)).toMatch(/^CompanyGlobexInitechdiffers/);
  // A phone number is the same however it is written.
  expect(lineOf(/^Region/)).not.toMatch(/differs/);
});

test('the id of the person in an own list is next to the status, and in the details', async () => {
  const list = { kind: 'people', list: 'CRM', is_of_rows: true } as const;
  const columns: GridPage['own_columns'] = [
    { ...list, name: 'Lifecycle (CRM)', header: 'Lifecycle' },
    { ...list, name: 'Team (CRM)', header: 'Team' },
    { ...list, name: 'Id in CRM', header: null },
    { ...list, name: 'lifecycle (Fair)', list: 'Fair', header: 'lifecycle' },
    { ...list, name: 'Team (Fair)', list: 'Fair', header: 'Team' },
  ];
  const api = await openJob(2, {}, undefined, [], columns);
  const labels = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map((element) => element.textContent);
  // Each attempt reads both, because columns are added until the rows have come.
  await expect.poll(() => labels().indexOf('Id in CRM') - labels().indexOf('Status')).toBe(1);
  await page.getByRole('rowheader', { name: /Ada Byron 1/ }).click();
  const line = page.getByRole('region', { name: 'Found' }).getByRole('row');
  const lines = () => line.elements().map(({ textContent }) => textContent);
  // Where two lists say the same of a row, no list is named.
  const kept = ['Lifecyclecustomer', 'Team (CRM)East', 'Team (Fair)West'];
  await expect
    .poll(lines)
    .toEqual(expect.arrayContaining(['Id in CRM501', 'Id in CRM (further)507', ...kept]));
  // An import or its undo changes what lists say of the rows of a finished job.
  expect(labels()).toContain('Id in CRM');
  columns.length = 0;
  api.tell({ type: 'directory', directory: emptyDirectory });
  await expect.poll(labels).not.toContain('Id in CRM');
});

test('a column without a value in any row is behind those with one', async () => {
  const list = { kind: 'companies', list: 'CRM', is_of_rows: true } as const;
  const columns = [{ ...list, name: 'Id in Other', list: 'Other', header: null }];
  await openJob(2, {}, undefined, [], columns);
  const labels = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map((element) => element.textContent);
  await expect.poll(() => labels().indexOf('Current title')).toBeGreaterThan(0);
  expect(labels().indexOf('Id in Other')).not.toBe(labels().indexOf('Status') + 1);
});

test('a person who left is said to have left', async () => {
  await openJob(1, { 'Employment status': 'Left' });
  await expect.element(page.getByRole('rowheader', { name: /left Ada Byron 1/ })).toBeVisible();
});

const waitingCells = (grid: Element) => grid.querySelectorAll('[class*="waiting"]').length;

test('pages ahead are fetched while one reads, in the direction of the last move', async () => {
  const api = await openJob(5_000);
  await expect.poll(() => offsetsOf(api)).toEqual([0, 100, 200, 300]);
  const grid = page.getByRole('grid').element();
  grid.scrollTo({ top: 250 * 32 });
  await expect.poll(() => offsetsOf(api)).toEqual([0, 100, 200, 300, 400, 500]);
  await expect.poll(() => waitingCells(grid)).toBe(0);
  // A jump fetches only the pages where it ends, and those ahead of them.
  grid.scrollTo({ top: 4_050 * 32 });
  await expect.element(page.getByRole('rowheader', { name: /Ada Byron 4055/ })).toBeVisible();
  await expect.poll(() => offsetsOf(api)).toEqual(expect.arrayContaining([4_000, 4_100, 4_200]));
  // A page that is late on a busy machine may be asked for further ahead, but none in between.
  expect(offsetsOf(api).filter((offset) => offset > 2_800 && offset < 3_900)).toEqual([]);
});

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

test('a scroll through 1,000,000 rows moves by its pixels and fetches further ahead', async () => {
  const api = await openJob(1_000_000);
  const grid = page.getByRole('grid').element();
  await expect.poll(() => offsetsOf(api).length).toBe(4);
  const firstRow = () =>
    Math.min(...[...grid.querySelectorAll<HTMLElement>('[data-row]')].map(rowNumberOf));
  // The speed decides how far ahead is fetched: a frame has 16 ms, also on a busy machine.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  for (let frame = 0; frame < 40; frame += 1) {
    now += 16;
    grid.scrollTop += 400;
    await nextFrame();
  }
  clock.mockRestore();
  await expect.poll(() => waitingCells(grid)).toBe(0);
  // A row has 32 pixels; one more is rendered above those in sight.
  await expect.poll(firstRow).toBe((40 * 400) / 32 - 1);
  expect(Math.max(...offsetsOf(api))).toBeGreaterThan(800);
  // The scroll bar reaches the last row.
  grid.scrollTo({ top: grid.scrollHeight });
  await expect.element(page.getByRole('rowheader', { name: /Ada Byron 1000000/ })).toBeVisible();
});

test('rows that stay are not rendered again, and all are in their order at rest', async () => {
  await openJob(5_000);
  const grid = page.getByRole('grid').element();
  const row = await vi.waitUntil(() => grid.querySelector('[data-row="12"]'));
  const changes: Node[] = [];
  const observer = new MutationObserver((records) => {
    for (const { target } of records) if (row.contains(target)) changes.push(target);
  });
  observer.observe(grid, { subtree: true, childList: true, attributes: true, characterData: true });
  grid.scrollTop = 320;
  const order = () => [...grid.querySelectorAll<HTMLElement>('[data-row]')].map(rowNumberOf);
  await expect.poll(() => order().includes(30)).toBe(true);
  await expect.poll(() => order().every((one, at) => one === (order()[0] ?? 0) + at)).toBe(true);
  observer.disconnect();
  expect(changes).toEqual([]);
});

test('the active cell is copied, and the arrow keys of the grid or the details go from row to row', async () => {
  await openJob(3, { 'Current company name': 'Initech' });
  const grid = page.getByRole('grid').element() as HTMLElement;
  grid.focus();
  const clipboardData = new DataTransfer();
  const options = { bubbles: true, cancelable: true, clipboardData };
  await expect
    .poll(() => {
      grid.dispatchEvent(new ClipboardEvent('copy', options));
      return clipboardData.getData('text/plain');
    })
    .toBe('Kim');
  await userEvent.keyboard('{Enter}');
  const details = (row: number) =>
    expect.element(page.getByRole('region', { name: `Details of Ada Byron ${row}` })).toBeVisible();
  await details(1);
  await page.getByRole('button', { name: 'Next row' }).click();
  await details(2);
  await userEvent.keyboard('{ArrowDown}');
  await details(3);
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{ArrowUp}');
  await details(1);
  // The grid stays in use: its active row is the one in the details.
  grid.focus();
  await userEvent.keyboard('{ArrowDown}');
  await details(2);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('region', { name: /^Details of / })).not.toBeInTheDocument();
  expect(document.activeElement).toBe(grid);
});
