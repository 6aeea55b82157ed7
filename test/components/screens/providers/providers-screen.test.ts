// The screen of data services: states, switching on, key and test, caps, removal, the log.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type { UserProviders } from '../../../../engine/contract/providers.ts';
import { showDay } from '../../../../renderer/components/numbers.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf } from '../../empty-desk.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import {
  dayAgo,
  keepProviders,
  makeProvider,
  makeRequest,
  makeUsedProvider,
} from './desk-of-providers.ts';

const dialog = page.getByRole('dialog');
const table = page.getByRole('region', { name: 'Data services', exact: true });
const log = page.getByRole('region', { name: 'Requests', exact: true });
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const longTitle = 'Vereinigte Kontaktdatenvermittlungsgesellschaft für den Großraum München';

const deskOf = (...providers: UserProviders['providers']): UserProviders => ({
  providers,
  waterfall: [],
  keys_to_delete: 0,
  faulty: [],
});

test('Connections leads to the providers; without one, the page says what to do', async () => {
  await openPage('Connections', keepProviders(deskOf(makeProvider('finder'))));
  await page.getByRole('link', { name: 'Data services' }).click();
  await expect.element(page.getByText('No data service yet')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Connections' }).first()).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('an error can be retried, and a faulty definition is shown with its line', async () => {
  const api = await openPage('Data services', {
    'GET /app/v1/providers': () => refuse('unavailable'),
  });
  await expect.element(page.getByText('The data services could not be loaded')).toBeVisible();
  const path = '/home/ada/data/providers/mine.json';
  const faults = [{ line: 12, what: '"hosts" is missing' }];
  api.answer(keepProviders({ ...deskOf(), faulty: [{ id: 'mine', path, faults }] }));
  await press('Try again');
  await expect.element(page.getByText(`${path}, line 12: "hosts" is missing`)).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('the table has costs, hit rates, state, balance, spend against caps, and keys that cannot be used', async () => {
  const uncertain = { today: 94, month: 1_240, days: [], uncertain_requests: 2 };
  const note = { job_id: idOf(3), failure: 'quota' as const, at: timestampExample };
  const places = ['missing', 'unavailable', 'file'] as const;
  const providers = [
    makeUsedProvider('finder'),
    makeUsedProvider('slow', {
      breaker: { state: 'open', until: timestampExample },
      spend: uncertain,
    }),
    makeUsedProvider('empty', { notes: [{ ...note, detail: 'No credits are left.' }] }),
    makeProvider('mine', { origin: 'own', title: longTitle, row_cost_max: 0.5 }),
    ...places.map((key_place) => makeUsedProvider(key_place, { key_place })),
  ];
  await openPage('Data services', keepProviders({ ...deskOf(...providers), keys_to_delete: 1 }));
  const row = table.getByRole('row', { name: /^Finder/ });
  for (const text of [/at most 1, 47% found/, /^12,400\.5/, /of 1,000/, /no cap/, /about €4\.70/])
    await expect.element(row.getByText(text)).toBeVisible();
  await expect.element(table.getByText('on, not responding')).toBeVisible();
  await expect.element(table.getByText('2 with an unknown outcome')).toBeVisible();
  await expect.element(table.getByText(/^No credits are left\./)).toBeVisible();
  await expect.element(table.getByText('your own definition')).toBeVisible();
  await expect.element(table.getByText('each row at most 0.5')).toBeVisible();
  await expect.element(table.getByRole('switch', { name: `${longTitle} is on` })).toBeDisabled();
  await expect.element(table.getByText('key missing')).toBeVisible();
  await expect.element(table.getByText('keychain locked')).toBeVisible();
  await expect.element(page.getByText('A removed key is still in the keychain')).toBeVisible();
  await expectAccessibleAndResponsive();
  await page.getByRole('button', { name: 'Manage File' }).click();
  await expect.element(dialog.getByText(/encrypted with engine\.key/)).toBeVisible();
});

test('before a provider is on, a dialog lists the columns that are sent and where', async () => {
  const fresh = makeProvider('finder', { has_key: true });
  const api = await openPage(
    'Data services',
    keepProviders(deskOf(fresh, makeUsedProvider('other'))),
  );
  const sent = () =>
    api.askedOf('PATCH /app/v1/providers/:id').map((one) => [one.params.id, one.sent]);
  const toggle = table.getByRole('switch', { name: 'Finder is on' });
  await toggle.click({ force: true });
  await expect.element(dialog.getByText(/api\.finder\.example/)).toBeVisible();
  await expect
    .poll(() =>
      dialog
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['First name', 'Last name', 'Company domain']);
  await expectAccessibleAndResponsive();
  await dialog.getByRole('button', { name: 'Keep it off' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toEqual([]);
  await expect.element(toggle).not.toBeChecked();

  await toggle.click({ force: true });
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect.element(toggle).toBeChecked();
  await table.getByRole('switch', { name: 'Other is on' }).click({ force: true });
  await expect.poll(sent).toEqual([
    ['finder', { is_on: true }],
    ['other', { is_on: false }],
  ]);
});

test('the key is replaced unseen and tested; caps and the price of a credit are saved if they are numbers', async () => {
  const api = await openPage('Data services', {
    ...keepProviders(deskOf(makeUsedProvider('finder'))),
    'POST /app/v1/providers/:id/test': () => ({
      checks: [
        { assumption: 'The service accepts the key.', is_ok: true, detail: '' },
        { assumption: 'The answer has the balance.', is_ok: false, detail: 'It has no number.' },
      ],
    }),
  });
  await press('Manage Finder');
  const field = dialog.getByLabelText('API key of Finder');
  await expect.element(field).toHaveValue('');
  await expect.element(field).toHaveAttribute('type', 'password');
  await field.fill(' k-1234567 ');
  await dialog.getByRole('button', { name: 'Replace the key' }).click();
  await expect.element(field).toHaveValue('');
  await expect
    .poll(() => api.askedOf('PUT /app/v1/providers/:id/key').map(({ sent }) => sent))
    .toEqual([{ key: 'k-1234567' }]);
  expect(document.documentElement.outerHTML).not.toContain('k-1234567');
  await dialog.getByRole('button', { name: 'Test the key' }).click();
  const checks = dialog.getByRole('table', { name: 'Checks' });
  await expect.element(checks.getByRole('row', { name: /^ok The service accepts/ })).toBeVisible();
  await expect.element(checks.getByRole('row', { name: /^wrong The answer has/ })).toBeVisible();
  await expect.element(checks.getByText('It has no number.')).toBeVisible();
  const day = dialog.getByRole('textbox', { name: 'Credits per day' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await expect.element(day).toHaveValue('1000');
  await day.fill('lots');
  await expect.element(dialog.getByText(/^Enter a number such as 500/)).toBeVisible();
  await expect.element(save).toBeDisabled();
  await expectAccessibleAndResponsive();
  await day.fill('2,500');
  await dialog.getByRole('textbox', { name: 'Credits per job' }).fill('');
  await dialog.getByRole('textbox', { name: 'Currency' }).fill('');
  await expect.element(save).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Currency' }).fill('usd');
  await dialog.getByRole('checkbox', { name: /^Ask again/ }).click();
  await save.click();
  await expect.element(page.getByText('The settings of Finder were saved.')).toBeVisible();
  expect(api.askedOf('PATCH /app/v1/providers/:id').map(({ sent }) => sent)).toEqual([
    {
      caps: { job: null, day: 2_500, month: null },
      price: { per_credit: 0.05, currency: 'USD' },
      repeats_uncertain: true,
    },
  ]);
});

test('the balance is shown with its time, and read again', async () => {
  const api = await openPage('Data services', keepProviders(deskOf(makeUsedProvider('finder'))));
  await press('Manage Finder');
  const balance = dialog.getByRole('region', { name: 'Balance' });
  await expect
    .element(balance.getByText(/^12,400\.5 credits, about €620\.03 left, read on 20 Nov 2026/))
    .toBeVisible();
  const again = balance.getByRole('button', { name: 'Read it now' });
  await again.click();
  await expect
    .element(page.getByText('Finder has 12,306 credits, about €615.30 left.'))
    .toBeVisible();
  await expect.element(balance.getByText(/^12,306 credits/)).toBeVisible();
  api.answer({ 'POST /app/v1/providers/:id/test': () => ({ checks: [] }) });
  await again.click();
  await expect.element(page.getByText('Finder did not report it.')).toBeVisible();
  api.answer({ 'POST /app/v1/providers/:id/test': () => refuse('unavailable', 'Not now.') });
  await again.click();
  await expect.element(page.getByText('Not now.')).toBeVisible();
});

test('the dialog has the spend of each day; answers are forgotten and the provider removed after a confirmation', async () => {
  const api = await openPage('Data services', keepProviders(deskOf(makeUsedProvider('finder'))));
  await press('Manage Finder');
  const bars = dialog.getByRole('list', { name: 'Credits per day' });
  await expect
    .element(bars.getByText(`${showDay(dayAgo(3))}: 1,146 credits, 30 requests`))
    .toBeInTheDocument();
  expect(bars.getByRole('listitem').elements()).toHaveLength(30);
  await expect
    .element(dialog.getByText(/^1,240 credits, about €62\.00 in 30 days, 32 requests\./))
    .toBeVisible();
  await dialog.getByRole('button', { name: 'Forget its answers' }).click();
  await expect.element(page.getByText(/^94 stored answers will be deleted/)).toBeVisible();
  await press('Keep it');
  expect(api.askedOf('POST /app/v1/providers/:id/forget')).toEqual([]);
  await dialog.getByRole('button', { name: 'Forget its answers' }).click();
  await press('Forget the answers');
  await expect.element(page.getByText('94 answers of Finder deleted.')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Forget its answers' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await press('Remove the data service');
  await expect.element(page.getByText('No data service yet')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the log has each request with its outcome and cost, in pages; an unknown outcome is decided', async () => {
  const balance = {
    before: { credits: 100, read_at: timestampExample },
    after: { credits: 97, read_at: timestampExample },
    fell_by: 3,
    other_requests: 0,
  };
  let request = makeRequest(8, {
    state: 'uncertain',
    cost: null,
    cost_max: 5,
    detail: 'The connection was reset.',
    uncertain: { cost_max: 5, balance, decisions: [] },
  });
  const first = () => [
    makeRequest(9, { job_id: idOf(5), fields: ['work_email', 'phone'] }),
    request,
    makeRequest(7, { state: 'answered', is_cost_reported: false }),
    makeRequest(6, { state: 'sent', cost: null, is_cost_reported: null, cost_max: 12 }),
  ];
  const api = await openPage('Data services', {
    ...keepProviders(deskOf(makeUsedProvider('finder'))),
    'GET /app/v1/provider-log': ({ query }) =>
      query.get('before') === '6'
        ? { requests: [makeRequest(2, { provider: 'gone', cost: 3 })], next: null }
        : { requests: first(), next: 6 },
    'POST /app/v1/provider-requests/:id/decision': ({ sent }) => {
      const credits = sent.outcome === 'charged' ? sent.credits : 0;
      const stored = { outcome: sent.outcome, credits, decided_by: 'app' };
      const decisions = [
        ...(request.uncertain?.decisions ?? []),
        { ...stored, decided_at: timestampExample },
      ];
      request = { ...request, uncertain: { cost_max: 5, balance, decisions } };
      return request;
    },
  });
  await expect.element(log.getByText('Work email, Phone')).toBeVisible();
  await expect.element(log.getByText('outcome unknown')).toBeVisible();
  await expect.element(log.getByText('The connection was reset.')).toBeVisible();
  await expect.element(log.getByText('470, derived')).toBeVisible();
  await expect.element(log.getByText('at most 12')).toBeVisible();
  const link = log.getByRole('link', { name: 'Open the job' });
  await expect.element(link).toHaveAttribute('href', expect.stringContaining(idOf(5)));
  await expectAccessibleAndResponsive();
  await log.getByRole('button', { name: 'Older' }).click();
  await expect.element(log.getByText('gone')).toBeVisible();
  await expect.element(log.getByRole('button', { name: 'Older' })).not.toBeInTheDocument();
  await log.getByRole('button', { name: 'Newer' }).click();
  await expect.element(log.getByText('Balance after it: 97, 3 less than before.')).toBeVisible();
  await expect.element(log.getByLabelText('Credits charged')).toHaveValue('3');
  await log.getByRole('button', { name: 'It was charged' }).click();
  await expect.element(log.getByText(/^Charged 3\. Decided by you/)).toBeVisible();
  await log.getByRole('button', { name: 'Change the decision' }).click();
  await log.getByRole('button', { name: 'It was not charged' }).click();
  await expect.element(log.getByText(/^Not charged; later jobs ask again\./)).toBeVisible();
  expect(
    api.askedOf('POST /app/v1/provider-requests/:id/decision').map(({ sent }) => sent),
  ).toEqual([{ outcome: 'charged', credits: 3 }, { outcome: 'not_charged' }]);
  expect(api.askedOf('GET /app/v1/provider-log').every(({ query }) => query.has('limit'))).toBe(
    true,
  );
});

test('thirty providers with long names fit, and a failing log does not hide them', async () => {
  const many = Array.from({ length: 30 }, (_, at) =>
    makeUsedProvider(`p${at}`, { title: `${longTitle} ${at}` }),
  );
  const steps = many.map(({ id }) => ({ provider: id, rule: {} }));
  await openPage('Data services', {
    ...keepProviders({ ...deskOf(...many), waterfall: [{ field: 'work_email', steps }] }),
    'GET /app/v1/provider-log': () => refuse('unavailable'),
  });
  await expect.element(page.getByText('The requests could not be loaded')).toBeVisible();
  expect(table.getByRole('row').elements()).toHaveLength(31);
  await expectAccessibleAndResponsive();
});
