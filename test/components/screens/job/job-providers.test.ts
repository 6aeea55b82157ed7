// What a finished job found and cost at data services: the line, the table and the chart.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { resultRowExample, statusExample } from '../../../../engine/contract/examples.ts';
import type { StatusData } from '../../../../engine/contract/jobs/job.ts';
import type { JobProviders } from '../../../../engine/contract/providers.ts';
import { showDay } from '../../../../renderer/components/numbers.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { makeUsedProvider } from '../providers/desk-of-providers.ts';

type Spent = JobProviders[number];

const makeSpent = (provider: string, parts: Partial<Spent> = {}): Spent => ({
  provider,
  requests: 4,
  rows: 200,
  credits: 94,
  credits_open: 0,
  rows_open: 0,
  uncertain_requests: 0,
  is_estimated: false,
  price: { per_credit: 0.05, currency: 'EUR' },
  note: null,
  fields: [
    {
      field: 'work_email',
      asked: 200,
      hits: 94,
      hit_rate: 0.47,
      credits: 94,
      cost_per_hit: 1,
    },
  ],
  ...parts,
});
const phone: Spent['fields'][number] = {
  field: 'phone',
  asked: 20,
  hits: 0,
  hit_rate: 0,
  credits: 0,
  cost_per_hit: null,
};
const dear = { ...phone, hits: 2, hit_rate: 0.1, credits: 20, cost_per_hit: 10 };

async function openJob(
  spent: JobProviders | ReturnType<typeof refuse>,
  job: StatusData = statusExample,
) {
  const answers: Answers = {
    'GET /app/v1/jobs': () => ({ count: 1, next: null, previous: null, results: [job] }),
    'GET /app/v1/jobs/:job_id': () => job,
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job,
      headers: ['Name'],
      identity: [[0]],
      count: 1,
      offset: 0,
      rows: [{ input: ['Ada'], result: resultRowExample }],
    }),
    'GET /app/v1/jobs/:job_id/providers': () => spent,
    'GET /app/v1/providers': () => ({
      providers: [
        makeUsedProvider('alpha'),
        makeUsedProvider('beta'),
        makeUsedProvider('sandbox', { origin: 'built_in' }),
      ],
      waterfall: [],
      keys_to_delete: 0,
      faulty: [],
    }),
  };
  const api = await openPage('Jobs', answers);
  await page.getByRole('link', { name: 'Spring list' }).click();
  await expect.element(page.getByRole('heading', { name: /^Spring list/ })).toBeVisible();
  return api;
}

const line = page.getByRole('region', { name: 'Data services', exact: true });
const dialog = page.getByRole('dialog');
const details = page.getByRole('region', { name: /^Details of / });
const openDetails = () => line.getByRole('button', { name: 'Hit rates and costs' }).click();
const readBars = () =>
  dialog
    .getByRole('list', { name: 'Cost per hit' })
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent);

test('a job shows what each service found and cost by field, and what is not known', async () => {
  await openJob([
    makeSpent('alpha', { fields: [...makeSpent('alpha').fields, phone] }),
    makeSpent('beta', {
      credits: 20,
      is_estimated: true,
      price: null,
      fields: [dear],
      credits_open: 5,
      uncertain_requests: 1,
      note: 'No credits are left.',
    }),
    makeSpent('gone', { credits: 0, fields: [], note: 'The key is refused.' }),
  ]);
  await expect
    .element(
      line.getByText(
        'Data services, in their own credits: Alpha: 94 credits, about €4.70; Beta: 20 credits; ' +
          'gone: 0 credits, about €0.00.',
      ),
    )
    .toBeVisible();
  await expect.element(line.getByText('Beta: No credits are left.')).toBeVisible();
  await openDetails();
  const table = dialog.getByRole('region', { name: 'Found by data services' });
  for (const name of [
    /^Alpha Work email 200 94 47% 94 about €4\.70 1 about €0\.05$/,
    /^Alpha Phone 20 0 0% 0 about €0\.00 –$/,
    /^Beta Phone 20 2 10% 20 10$/,
  ])
    await expect.element(table.getByRole('row', { name })).toBeVisible();
  for (const words of [
    /^Beta does not report what each request costs:/,
    /^Up to 5 more credits may have been charged by Beta: 1 request with an unknown outcome\.$/,
    'gone: The key is refused.',
  ])
    await expect.element(dialog.getByText(words)).toBeVisible();
  await expect
    .poll(readBars)
    .toEqual(['Alpha, work email1 credit, about €0.05', 'Beta, phone10 credits']);
  await expectAccessibleAndResponsive();
});

test('services with prices in one currency are compared by money', async () => {
  await openJob([
    makeSpent('alpha', { price: { per_credit: 2, currency: 'EUR' } }),
    makeSpent('beta', { fields: [dear] }),
  ]);
  await openDetails();
  await expect
    .poll(readBars)
    .toEqual(['Beta, phone10 credits, about €0.50', 'Alpha, work email1 credit, about €2.00']);
});

test('each result names its source and the day it was observed, in the cell and in the row', async () => {
  const { source, observed_at: at } = resultRowExample.provenance['Current title'];
  const words = new RegExp(`${source}, ${showDay(at)}, \\d+% sure`);
  // The sandbox is no data service of the user.
  await openJob([makeSpent('sandbox')]);
  const cell = page.getByRole('gridcell', { name: 'Chief Engineer' }).first();
  await cell.hover();
  await expect.element(cell).toHaveAttribute('title', expect.stringMatching(words));
  await cell.dblClick();
  await expect.element(details.getByText(words).first()).toBeVisible();
  expect(line.elements()).toEqual([]);
});

test('nothing is read before the end of a job', async () => {
  const running: StatusData = { ...statusExample, status: 'running', ready: false };
  const early = await openJob([makeSpent('alpha')], running);
  expect(early.askedOf('GET /app/v1/jobs/:job_id/providers')).toEqual([]);
  expect(line.elements()).toEqual([]);
});

test('a failed read says so and can be repeated', async () => {
  const api = await openJob(refuse('unavailable', 'Not now.'));
  await expect.element(page.getByText('Not now.')).toBeVisible();
  api.answer({ 'GET /app/v1/jobs/:job_id/providers': () => [makeSpent('alpha')] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(line.getByText(/Alpha: 94 credits/)).toBeVisible();
});

test('a team’s directory that was not reached is named, and is no data service with a cost', async () => {
  const nothing = { requests: 0, rows: 0, credits: 0, price: null, fields: [] };
  await openJob([makeSpent('team-directory', { ...nothing, note: 'Rows were not looked up.' })]);
  const said = page.getByText('The team’s directory: Rows were not looked up.');
  await expect.element(said).toBeVisible();
  await expect.element(line).not.toBeInTheDocument();
});
