// The parts of the directory: search of people and companies, empty states, charts, records.
import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { CompanyRecord, PersonRecord } from '../../../../engine/contract/records/records.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { emptyDirectory, firstState, idOf, noneHidden } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const directory = { ...emptyDirectory, people: 2, companies: 1, index: 'ready' as const };
const ada = {
  uuid: idOf(1),
  first_name: 'Ada',
  last_name: 'Lovelace',
  title: 'Analyst',
  job_level: null,
  company_name: 'Engines',
  country: 'UK',
  has_email: true,
  has_phone: false,
  email: 'ada@engines.example',
  phone: null,
};
const engines = {
  uuid: idOf(7),
  name: 'Engines',
  website: 'engines.example',
  industry: 'Machines',
  country: 'UK',
  employee_range: '51-200',
  revenue_range: '$100M-$500M',
  employees: null,
  revenue: '50-200M',
};
const origin = { source: 'crm.csv', observed_on: '2026-05-02', trust: 0.8 };
const value = (field: string, label: string, text: string | null) => ({
  field,
  label,
  value: text,
  is_hidden: text === null,
  others: [],
  ...origin,
});
const person: PersonRecord = {
  id: idOf(1),
  name: 'Ada Lovelace',
  title: 'Analyst',
  company_name: 'Engines',
  has_left: false,
  other_names: ['Ada King'],
  duplicates: [],
  values: [
    { ...value('city', 'City', 'London'), others: [{ ...origin, value: 'Paris' }] },
    value('email', 'Work email', null),
  ],
  jobs: [
    {
      company_name: 'Engines',
      company_id: idOf(7),
      is_current: true,
      is_primary: true,
      start_on: '2020-05',
      end_on: null,
      has_email: true,
      email: null,
      values: [value('title', 'Job title', 'Analyst')],
    },
  ],
};
const company: CompanyRecord = {
  id: idOf(7),
  name: 'Engines',
  domain: 'engines.example',
  other_names: ['Engines Ltd'],
  other_domains: [],
  values: [value('name', 'Name', 'Engines')],
  duplicates: [{ id: 4, probability: 0.98, likelihood: 'almost_certain', other: 'Engines Inc' }],
};
const answers: Answers = {
  'GET /app/v1/directory': () => directory,
  'GET /app/v1/state': () => ({ ...firstState, directory }),
  'GET /app/v1/directory/search/values': () => ({
    industry: ['Machines'],
    job_level: [],
    employee_range: [],
    revenue_range: ['$100M-$500M'],
    contact_office_country: ['UK'],
  }),
  'GET /app/v1/directory/origins': () => ({
    people: 2,
    ages: [
      { age: 'under_3_months', people: 2 },
      { age: 'older', people: 0 },
    ],
    sources: [{ source: 'crm.csv', people: 2 }],
  }),
  'POST /app/v1/directory/search/contacts': ({ sent }) =>
    sent.query === 'ada lov' || sent.company_id
      ? { total: 1, results: [ada] }
      : sent.query && sent.job_title
        ? { total: 0, results: [] }
        : { total: 2, results: [ada, { ...ada, uuid: idOf(2), first_name: 'Grace' }] },
  'POST /app/v1/directory/search/companies': () => ({ total: 1, results: [engines] }),
  'GET /app/v1/directory/people/:id': () => person,
  'GET /app/v1/directory/people/:id/jobs': () => ({
    jobs: [{ job_id: idOf(5), title: 'Fair leads', row_index: 11, completed_at: null }],
    jobs_left_out: 1,
  }),
  'GET /app/v1/directory/companies/:id': () => company,
};
const searchField = () => page.getByRole('textbox', { name: 'Name, company, email or domain' });

/** Types into a field as a key does, without leaving time for anything else. */
function typeAtOnce(field: HTMLElement | SVGElement, text: string): void {
  const input = field as HTMLInputElement;
  const prototype = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
  prototype.set!.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

test('a search text that is cleared stays so if a filter is typed before the page follows', async () => {
  const api = await openPage('Directory', answers);
  await searchField().fill('ada lov');
  await expect.element(page.getByText('1 person found')).toBeVisible();
  typeAtOnce(searchField().element(), '');
  typeAtOnce(page.getByRole('textbox', { name: 'Job title' }).element(), 'analyst');
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/search/contacts').at(-1)?.sent)
    .toMatchObject({ job_title: 'analyst' });
  await expect.element(searchField()).toHaveValue('');
  await expect.element(page.getByText('2 people found')).toBeVisible();
  // The next test comes to the same place of the history, which keeps its search.
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Job title' })).toHaveValue('');
});

test('a filter without values is left out, a button without a use too, and results are in sight', async () => {
  await openPage('Directory', answers);
  await expect.element(page.getByRole('combobox', { name: 'Industry' })).toBeVisible();
  for (const name of ['Level', 'Employees'])
    await expect.element(page.getByRole('combobox', { name })).not.toBeInTheDocument();
  for (const name of ['Clear filters', 'Select all that match'])
    await expect.element(page.getByRole('button', { name })).not.toBeInTheDocument();
  const row = page.getByRole('row', { name: /Grace/ });
  await expect.element(row).toBeVisible();
  expect(row.element().getBoundingClientRect().top).toBeLessThan(600);
  // In a narrow window, what is searched comes before the figures.
  await page.viewport(390, 844);
  const topOf = (one: Locator) => one.element().getBoundingClientRect().top;
  const figure = page.getByText('Employments', { exact: true });
  expect(topOf(searchField())).toBeLessThan(topOf(figure));
  await page.viewport(1280, 800);
  // A chosen value is readable next to the name of its filter.
  await page.getByRole('combobox', { name: 'Industry' }).click();
  await userEvent.keyboard('{Enter}{Escape}');
  await expect.element(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
  const chosen = document.querySelector('.mantine-Pill-label') as HTMLElement;
  expect(chosen.scrollWidth).toBeLessThanOrEqual(chosen.clientWidth);
});

test('a person is found by name, opened by keyboard, and the search is there again on the way back', async () => {
  const api = await openPage('Directory', answers);
  await expect.element(page.getByRole('table', { name: 'People by source' })).toBeVisible();
  await expectAccessibleAndResponsive();
  await searchField().fill(' ada lov ');
  await expect.element(page.getByText('1 person found')).toBeVisible();
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/search/contacts').at(-1)?.sent.query)
    .toBe('ada lov');
  const grid = page.getByRole('grid', { name: 'People found' });
  await expect.element(grid.getByText('Ada Lovelace')).toBeVisible();
  // Values of the own directory are open.
  await expect.element(grid.getByText('ada@engines.example')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: /Show emails|Select rows/ }))
    .not.toBeInTheDocument();
  grid.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible();
  await expect.element(page.getByText('On file in the team’s directory')).toBeVisible();
  await expect.element(page.getByText('from May 2020')).toBeVisible();
  await expect.element(page.getByText('Paris:', { exact: false })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Fair leads' })).toBeVisible();
  await expect.element(page.getByText('1 large job was not searched.')).toBeVisible();
  await expectAccessibleAndResponsive();
  history.back();
  await expect.element(searchField()).toHaveValue(' ada lov ');
});

test('the people of a search of the team, or some of them, can be shown with emails and phones', async () => {
  const api = await openPage('Directory', {
    ...answers,
    'GET /app/v1/directory': () => ({ ...directory, has_team: true, people: 0 }),
    'POST /app/v1/pipelines/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await searchField().fill('lov');
  await page.getByRole('checkbox', { name: 'With an email' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/search/contacts').at(-1)?.sent)
    .toMatchObject({ query: 'lov', has_email: true });
  await page.getByRole('button', { name: 'Select rows 1 to 2' }).click();
  await expect
    .element(page.getByRole('button', { name: 'Show emails and phones of 2 people' }))
    .toBeEnabled();
  await page.getByRole('checkbox', { name: 'Select Grace Lovelace' }).click();
  await expect.element(page.getByText('1 person selected.')).toBeVisible();
  page.getByRole('grid', { name: 'People found' }).element().focus();
  await userEvent.keyboard(' ');
  await expect
    .element(page.getByText('everyone who matches is included', { exact: false }))
    .toBeVisible();
  await userEvent.keyboard(' ');
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'Show emails and phones of 1 person' }).click();
  await expect.element(page.getByText(/^1 person selected of 2 found/)).toBeVisible();
  const asked = () => api.askedOf('POST /app/v1/pipelines/estimate').at(-1)?.sent;
  await expect.poll(asked).toMatchObject({ uuids: [ada.uuid] });
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await expect
    .poll(asked)
    .toMatchObject({ filters: { query: 'lov', has_email: true, directory: 'team' } });
});

test('without results, the page says which filter to remove', async () => {
  await openPage('Directory', answers);
  await page.getByRole('textbox', { name: 'Job title' }).fill('pilot');
  await searchField().fill('grace');
  await page.getByRole('button', { name: 'Job title (2 people without it)' }).click();
  await expect.element(page.getByText('2 people found')).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'Job title' })).toHaveValue('');
});

test('a company has its people, names and possible duplicates, and can be suppressed', async () => {
  const api = await openPage('Companies', {
    ...answers,
    'POST /app/v1/suppression': () => ({
      added: 2,
      known: 0,
      unreadable: 0,
      remarks: [],
      ...noneHidden,
    }),
  });
  await expect.element(page.getByText('1 company found')).toBeVisible();
  const found = page.getByRole('grid', { name: 'Companies found' });
  await expect
    .element(found.getByRole('link', { name: 'engines.example' }))
    .toHaveAttribute('href', 'https://engines.example');
  // As the source writes it, otherwise the range without a currency.
  await expect.element(found.getByText('50-200M', { exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Revenue' }).click();
  await expect.element(page.getByRole('option', { name: '100M-500M' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expectAccessibleAndResponsive();
  await page.getByRole('gridcell', { name: 'Engines', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'Engines', level: 1 })).toBeVisible();
  await expect.element(page.getByText('Other names: Engines Ltd')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Engines Inc' })).toBeVisible();
  await expect.element(page.getByRole('gridcell', { name: 'Ada Lovelace' })).toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'Suppress…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/suppression').at(-1)?.sent.values)
    .toEqual([
      { kind: 'company', value: 'Engines' },
      { kind: 'domain', value: 'engines.example' },
    ]);
});

test('an empty directory has one next action; a person who is gone is an error with a way back', async () => {
  const api = await openPage('Directory', {
    'GET /app/v1/directory/people/:id': () => refuse('not_found'),
  });
  await expect.element(page.getByText('Your directory is empty')).toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('link', { name: 'Import a list' }).click();
  await expect.element(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  location.hash = `/directory/people/${idOf(9)}`;
  await expect.element(page.getByText('The person could not be loaded')).toBeVisible();
  await page.getByRole('link', { name: 'All people' }).click();
  await expect.element(page.getByText('Your directory is empty')).toBeVisible();
  expect(api.askedOf('GET /app/v1/directory/people/:id').length).toBeGreaterThan(0);
});

/** Two pages of the team's directory: 100 people, then the last one. */
const teamPage = (after: string | undefined) => ({
  total: 12_300,
  total_is_estimate: true as const,
  ...(!after && { next_after: '100' }),
  results: Array.from({ length: after ? 1 : 100 }, (_, at) => ({
    ...ada,
    first_name: after ? 'Zoe' : `Team${at}`,
    uuid: idOf(after ? 999 : 100 + at),
  })),
});

test('the directory of the team is searched when it is chosen, page after page; its people have pages and are unlocked', async () => {
  const api = await openPage('Directory', {
    ...answers,
    'GET /app/v1/directory': () => ({ ...directory, has_team: true }),
    'POST /app/v1/directory/search/contacts': ({ sent }) =>
      sent.directory === 'team' ? teamPage(sent.after) : { total: 0, results: [] },
    'POST /app/v1/pipelines/estimate': () => refuse('validation_error', 'No price in this test.'),
    'GET /app/v1/directory/people/:id': () => person,
  });
  await page.getByText('Team', { exact: true }).click();
  await expect.element(page.getByText('About 12,300 people found')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Show emails and phones' })).toBeEnabled();
  await expectAccessibleAndResponsive();
  page.getByRole('grid', { name: 'People found' }).element().focus();
  await userEvent.keyboard('{Control>}{End}{/Control}');
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/search/contacts').at(-1)?.sent)
    .toMatchObject({ directory: 'team', after: '100', limit: 100 });
  await userEvent.keyboard('{Control>}{End}{/Control}');
  await expect.element(page.getByText('Zoe Lovelace')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select Zoe Lovelace' }).click();
  await page.getByRole('button', { name: 'Show emails and phones of 1 person' }).click();
  await expect.element(page.getByText('in the team’s directory', { exact: false })).toBeVisible();
  await expect
    .poll(() => api.askedOf('POST /app/v1/pipelines/estimate').at(-1)?.sent)
    .toMatchObject({ uuids: [idOf(999)] });
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await expect
    .poll(() => api.askedOf('POST /app/v1/pipelines/estimate').at(-1)?.sent)
    .toMatchObject({ filters: { directory: 'team', limit: 100_000 } });
  location.hash = `/directory/people/${idOf(999)}?directory=team`;
  await expect
    .element(page.getByText('This person is in the team’s directory.', { exact: false }))
    .toBeVisible();
  // What this computer has of its own people is not asked for.
  expect(api.askedOf('GET /app/v1/directory/people/:id/jobs')).toEqual([]);
});

test('if the own directory is empty, the search and a new pipeline have people of the team', async () => {
  const api = await openPage('Directory', {
    ...answers,
    'GET /app/v1/directory': () => ({ ...directory, people: 0, has_team: true }),
    'POST /app/v1/directory/search/contacts': ({ sent }) =>
      sent.directory === 'team' ? teamPage(sent.after) : { total: 0, results: [] },
    'POST /app/v1/pipelines/estimate': () => refuse('validation_error', 'No price in this test.'),
  });
  await expect.element(page.getByText('About 12,300 people found')).toBeVisible();
  location.hash = '/directory/contacts/new';
  await expect
    .element(page.getByRole('heading', { name: 'Show emails and phones', level: 1 }))
    .toBeVisible();
  await expect.element(page.getByText('in the team’s directory', { exact: false })).toBeVisible();
  await expect
    .poll(() => api.askedOf('POST /app/v1/pipelines/estimate').at(-1)?.sent)
    .toMatchObject({ filters: { directory: 'team' } });
});

test('columns of companies are as wide as their values', async () => {
  await openPage('Companies', {
    ...answers,
    'POST /app/v1/directory/search/companies': () => ({
      total: 1,
      results: [{ ...engines, name: 'Long Analytical Engines of London', website: 'a.example' }],
    }),
  });
  const widthOf = (name: string) =>
    page.getByRole('gridcell', { name }).element().getBoundingClientRect().width;
  await expect.element(page.getByRole('gridcell', { name: 'a.example' })).toBeVisible();
  expect(widthOf('Long Analytical Engines of London')).toBeGreaterThan(230);
  expect(widthOf('a.example')).toBeLessThan(120);
});

test('companies of the team are found when it is chosen, and open with their people', async () => {
  const api = await openPage('Companies', {
    ...answers,
    'GET /app/v1/directory': () => ({ ...directory, has_team: true }),
    'POST /app/v1/directory/search/companies': ({ sent }) =>
      sent.directory === 'team'
        ? {
            total: 12_300,
            total_is_estimate: true as const,
            ...(!sent.after && { next_after: '100' }),
            results: Array.from({ length: sent.after ? 1 : 100 }, (_, at) => ({
              ...engines,
              name: sent.after ? 'Last Works' : `Works ${at}`,
              uuid: idOf(sent.after ? 999 : 100 + at),
            })),
          }
        : { total: 0, results: [] },
  });
  await page.getByText('Team', { exact: true }).click();
  await expect.element(page.getByText('About 12,300 companies found')).toBeVisible();
  await expectAccessibleAndResponsive();
  page.getByRole('grid', { name: 'Companies found' }).element().focus();
  await userEvent.keyboard('{Control>}{End}{/Control}');
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/search/companies').at(-1)?.sent)
    .toMatchObject({ directory: 'team', after: '100', limit: 100 });
  await userEvent.keyboard('{Control>}{End}{/Control}');
  await expect.element(page.getByText('Last Works')).toBeVisible();
  await page.getByRole('gridcell', { name: 'Last Works', exact: true }).click();
  await expect
    .element(page.getByText('This company is in the team’s directory.', { exact: false }))
    .toBeVisible();
  await expect
    .poll(() => api.askedOf('POST /app/v1/directory/search/contacts').at(-1)?.sent)
    .toMatchObject({ directory: 'team', company_id: idOf(7) });
});
