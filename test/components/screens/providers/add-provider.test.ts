// Adding a provider: picking one, its key and test, and definition files with faults.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { UserProviders } from '../../../../engine/contract/providers.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { keepProviders, makeProvider, makeUsedProvider } from './desk-of-providers.ts';

const dialog = page.getByRole('dialog');
const choices = dialog.getByRole('list', { name: 'Data services' });
const press = (name: string) => page.getByRole('button', { name }).click();

const phone = { field: 'phone' as const, cost_max: 5, asked: 0, hits: 0, hit_rate: null };
const makeDesk = (): UserProviders => ({
  providers: [
    makeProvider('finder'),
    makeProvider('dialer', { fields: [phone] }),
    makeUsedProvider('taken'),
  ],
  waterfall: [],
  keys_to_delete: 0,
  faulty: [],
});

test('a data service is found by its field, gets a key, is tested, and is off', async () => {
  const api = await openPage('Data services', {
    ...keepProviders(makeDesk()),
    'POST /app/v1/providers/:id/test': () => ({ checks: [] }),
  });
  await press('Add a data service');
  await expect.element(choices.getByRole('button', { name: /^Finder/ })).toBeVisible();
  await expect.poll(() => choices.getByRole('button').elements()).toHaveLength(2);
  await expectAccessibleAndResponsive();
  const search = dialog.getByRole('textbox', { name: 'Find a data service' });
  await search.fill('nothing of the kind');
  await expect.element(dialog.getByText('No other data service matches.')).toBeVisible();
  await search.fill('phone');
  await expect.poll(() => choices.getByRole('button').elements()).toHaveLength(1);
  await choices.getByRole('button', { name: /^Dialer/ }).click();
  await expect.element(dialog.getByText(/^Requests go only to api\.dialer\.example/)).toBeVisible();
  const save = dialog.getByRole('button', { name: 'Save the key' });
  await expect.element(save).toBeDisabled();
  await dialog.getByLabelText('API key of Dialer').fill('k-1');
  await expectAccessibleAndResponsive();
  await save.click();
  await expect.element(dialog.getByText(/^Dialer is added and off/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Test the key' }).click();
  await expect.element(dialog.getByText(/has no free request/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.element(page.getByRole('switch', { name: 'Dialer is on' })).not.toBeChecked();
  expect(api.askedOf('PUT /app/v1/providers/:id/key').map(({ params }) => params.id)).toEqual([
    'dialer',
  ]);
});

test('each service is listed with its initials, what it finds and its price', async () => {
  const email = { ...phone, field: 'work_email' as const, cost_max: 1 };
  const office = { ...phone, field: 'headquarters' as const, cost_max: 1 };
  const made = [
    makeProvider('people-data', { title: 'People Data', fields: [email, office, phone] }),
    makeProvider('rows', { fields: [{ ...email, cost_max: 0 }], row_cost_max: 1 }),
  ];
  await openPage('Data services', keepProviders({ ...makeDesk(), providers: made }));
  await press('Add a data service');
  const text = (name: RegExp) => choices.getByRole('button', { name }).element().textContent;
  await expect.element(choices.getByRole('button', { name: /^People/ })).toBeVisible();
  expect(text(/^People Data/)).toBe(
    'PDPeople DataWork email, Head office: at most 1 credit eachPhone: at most 5 credits',
  );
  expect(text(/^Rows/)).toBe('RRowsWork emailAt most 1 credit for each row');
});

test('a service that the organisation forbids is disabled in the list and in the table', async () => {
  const organisation = {
    name: null,
    upstream: null,
    allowed_providers: ['dialer'],
    sources: [],
    rules: [],
  };
  const api = await openPage('Data services', {
    ...keepProviders(makeDesk()),
    'GET /app/v1/organisation': () => organisation,
  });
  const taken = page.getByRole('row', { name: /^Taken/ });
  await expect.element(taken.getByText('Set by your organisation.')).toBeVisible();
  await expect.element(taken.getByRole('switch', { name: 'Taken is on' })).toBeDisabled();
  await press('Add a data service');
  const finder = choices.getByRole('button', { name: /^Finder/ });
  await expect.element(finder).toBeDisabled();
  await expect.element(finder.getByText('Set by your organisation.')).toBeVisible();
  await expect.element(choices.getByRole('button', { name: /^Dialer/ })).toBeEnabled();
  await expectAccessibleAndResponsive();
  expect(api.askedOf('PUT /app/v1/providers/:id/key')).toEqual([]);
});

test('a refused key stays in the form with the reason, and another service can be picked', async () => {
  await openPage('Data services', {
    ...keepProviders(makeDesk()),
    'PUT /app/v1/providers/:id/key': () => refuse('unavailable', 'The keychain is locked.'),
  });
  await press('Add a data service');
  await choices.getByRole('button', { name: /^Finder/ }).click();
  await dialog.getByLabelText('API key of Finder').fill('k-1');
  await dialog.getByRole('button', { name: 'Save the key' }).click();
  await expect.element(dialog.getByText('The keychain is locked.')).toBeVisible();
  await expect.element(dialog.getByLabelText('API key of Finder')).toHaveValue('k-1');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect.element(choices).toBeVisible();
});

test('another engine gets its address and its key, and its place is said', async () => {
  const engine = { address: null, place: 'internet' as const };
  const desk = { ...makeDesk(), providers: [makeProvider('desk', { engine, hosts: [] })] };
  const added = { address: 'http://127.0.0.1:4000', place: 'this_machine' as const };
  const parts = { engine: added, hosts: ['127.0.0.1:4000'], has_key: true };
  const after = { ...desk, providers: [makeProvider('desk', parts)] };
  let isAdded = false;
  const api = await openPage('Data services', {
    ...keepProviders(desk),
    'GET /app/v1/providers': () => (isAdded ? after : desk),
    'PUT /app/v1/providers/:id/key': () => {
      isAdded = true;
      return after;
    },
  });
  await press('Add a data service');
  await choices.getByRole('button', { name: /^Desk/ }).click();
  const save = dialog.getByRole('button', { name: 'Save the address and the key' });
  await dialog.getByLabelText('API key of Desk').fill('k-1');
  await expect.element(save).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:4000');
  await expectAccessibleAndResponsive();
  await save.click();
  await expect.element(dialog.getByText('This address is on this machine.')).toBeVisible();
  await expect.element(dialog.getByText(/^Desk is added and off/)).toBeVisible();
  expect(api.askedOf('PUT /app/v1/providers/:id/key').map(({ sent }) => sent)).toEqual([
    { key: 'k-1', address: 'http://127.0.0.1:4000', is_local: false },
  ]);
});

test('a definition file with faults shows each with its line; the repaired one gets its key', async () => {
  const desk = makeDesk();
  const faults = [
    { line: 3, what: '"hosts" is missing' },
    { line: 17, what: 'the expression ends too early' },
  ];
  const api = await openPage('Data services', {
    ...keepProviders(desk),
    'POST /app/v1/provider-definitions': ({ sent }) => {
      if (sent.text !== '{}') return { id: null, faults };
      desk.providers.push(makeProvider('mine', { origin: 'own' }));
      return { id: 'mine', faults: [] };
    },
  });
  await press('Add a data service');
  const input = () => document.querySelector('[role=dialog] input[type=file]')!;
  await page.elementLocator(input()).upload(new File(['{'], 'mine.json'));
  await expect.element(dialog.getByText('mine.json cannot be used')).toBeVisible();
  await expect.element(dialog.getByText('Line 17: the expression ends too early')).toBeVisible();
  await expectAccessibleAndResponsive();
  await page.elementLocator(input()).upload(new File(['x'.repeat(1_000_001)], 'big.json'));
  await expect.element(dialog.getByText(/^big\.json has 1\.0 MB/)).toBeVisible();
  await page.elementLocator(input()).upload(new File(['{}'], 'mine.json'));
  await expect.element(dialog.getByLabelText('API key of Mine')).toBeVisible();
  expect(api.askedOf('POST /app/v1/provider-definitions')).toHaveLength(2);
});
