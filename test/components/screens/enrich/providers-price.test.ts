// What data services may cost a job, next to its price, and the switch that asks none.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  estimateExample,
  statusExample,
  submittedExample,
} from '../../../../engine/contract/examples.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { firstState } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { uploadExample } from '../../upload-example.ts';
import { makeProvider, makeUsedProvider } from '../providers/desk-of-providers.ts';

const text = 'First name,Last name,Company\nAda,Lovelace,Analytical Engines\n';
const upload: Upload = {
  ...uploadExample,
  row_count: estimateExample.row_count,
};

const services = page.getByRole('region', { name: 'Data services', exact: true });
const row = (name: RegExp) => services.getByRole('row', { name });

/** Opens the Enrich screen with an uploaded list. */
async function openPriced(answers: Answers) {
  const api = await openPage('Enrich', {
    'POST /app/v1/uploads': () => upload,
    'GET /app/v1/state': () => ({
      ...firstState,
      directory: { ...firstState.directory, people: 3 },
    }),
    'POST /app/v1/estimate': () => ({
      ...estimateExample,
      sufficient: true,
      preview: { ...estimateExample.preview, found_layers: { L1: 0.5, L2: 0.5 } },
    }),
    'POST /app/v1/jobs': () => submittedExample,
    'GET /app/v1/jobs/:job_id': () => ({ ...statusExample, status: 'queued', ready: false }),
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job: statusExample,
      headers: ['Name'],
      identity: [[0]],
      count: 0,
      offset: 0,
      rows: [],
    }),
    ...answers,
  });
  await page
    .elementLocator(document.querySelector('main input[type=file]')!)
    .upload(new File([text], 'people.csv'));
  await expect.element(page.getByRole('button', { name: /^Enrich \d/ })).toBeEnabled();
  return api;
}

const withProviders: Answers = {
  'GET /app/v1/providers': () => ({
    providers: [
      makeUsedProvider('alpha', { caps: { job: 500, day: 100, month: null } }),
      makeUsedProvider('beta', { price: null, caps: { job: null, day: null, month: null } }),
      makeUsedProvider('gamma', { is_on: false }),
    ],
    waterfall: [],
    keys_to_delete: 0,
    faulty: [],
  }),
  'POST /app/v1/provider-quote': () => [
    { provider: 'alpha', at_most: 1_200, expected: 564 },
    { provider: 'beta', at_most: 300, expected: 1.5 },
  ],
};

test('each service that is on has its highest and expected price, and what the caps allow', async () => {
  const api = await openPriced(withProviders);
  await expect
    .element(row(/^Alpha 1,200 about €60\.00 564 about €28\.20 6 left today$/))
    .toBeVisible();
  await expect.element(row(/^Beta 300 1\.5 no cap$/)).toBeVisible();
  await expect.poll(() => services.getByRole('row').elements().length).toBe(3);
  await expect.element(services.getByText(/^A cap may be reached\./)).toBeVisible();
  const { row_count: rows, selected_layers, preview } = estimateExample;
  expect(api.askedOf('POST /app/v1/provider-quote').map(({ sent }) => sent)).toEqual([
    { rows, selected_layers, open_fields: preview?.open_fields },
  ]);
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: /^Enrich \d/ }).click();
  await expect.poll(() => api.askedOf('POST /app/v1/jobs').length).toBe(1);
  expect(api.askedOf('POST /app/v1/jobs')[0]?.sent).toMatchObject({ use_providers: true });
});

test('the switch asks no service for this job', async () => {
  const api = await openPriced(withProviders);
  await services.getByRole('switch', { name: /^Ask data services/ }).click({ force: true });
  await expect.element(services.getByText(/^No service is asked\./)).toBeVisible();
  await expect.element(services.getByRole('row')).not.toBeInTheDocument();
  await page.getByRole('button', { name: /^Enrich \d/ }).click();
  await expect.poll(() => api.askedOf('POST /app/v1/jobs').length).toBe(1);
  expect(api.askedOf('POST /app/v1/jobs')[0]?.sent).toMatchObject({ use_providers: false });
});

test('a switch chooses what the job does without a network', async () => {
  const api = await openPriced(withProviders);
  const wait = services.getByRole('switch', { name: /^Wait if this machine is offline/ });
  await expect.element(wait).toBeChecked();
  await wait.click({ force: true });
  await expect.element(services.getByText(/^Rows that need a data service finish/)).toBeVisible();
  await page.getByRole('button', { name: /^Enrich \d/ }).click();
  await expect.poll(() => api.askedOf('POST /app/v1/jobs').length).toBe(1);
  expect(api.askedOf('POST /app/v1/jobs')[0]?.sent).toMatchObject({ when_offline: 'leave_out' });
});

test('without a service that is on nothing is shown and asked', async () => {
  const providers = [makeProvider('alpha'), makeUsedProvider('beta', { is_on: false })];
  const api = await openPriced({
    'GET /app/v1/providers': () => ({ providers, waterfall: [], keys_to_delete: 0, faulty: [] }),
  });
  await expect.poll(() => api.askedOf('GET /app/v1/providers').length).toBe(1);
  expect(services.elements()).toEqual([]);
  expect(api.askedOf('POST /app/v1/provider-quote')).toEqual([]);
});

test('a quote that fails can be repeated; layers that no service answers say so', async () => {
  const api = await openPriced({
    ...withProviders,
    'POST /app/v1/provider-quote': () => refuse('unavailable', 'Not now.'),
  });
  await expect.element(services.getByText('Not now.')).toBeVisible();
  api.answer({ 'POST /app/v1/provider-quote': () => [] });
  await services.getByRole('button', { name: 'Try again' }).click();
  await expect.element(services.getByText(/so none is asked\.$/)).toBeVisible();
});
