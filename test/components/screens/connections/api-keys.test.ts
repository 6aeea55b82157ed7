// API keys on the Connections screen: form, limits and table.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { formatCredits, parseCredits } from '../../../../engine/contract/credits.ts';
import type { Key } from '../../../../engine/contract/keys.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf, makeKey } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const secret = `sk_live_${'a'.repeat(43)}`;
const dialog = page.getByRole('dialog');
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const rowOf = (name: RegExp) => page.getByRole('row', { name });

type Cap = string | number | null | undefined;
const creditsOf = (cap: Cap) => {
  const units = cap === null || cap === undefined ? null : parseCredits(String(cap));
  return units === null ? null : formatCredits(units);
};

function keepKeys(keys: Key[]): Answers {
  const change = (id: string | undefined, parts: Partial<Key>): Key => {
    const at = keys.findIndex((key) => key.id === id);
    keys[at] = { ...keys[at]!, ...parts };
    return keys[at];
  };
  return {
    'GET /app/v1/keys': ({ environment }) => (environment === 'live' ? keys : []),
    'POST /app/v1/keys': ({ sent }) => {
      const id = idOf(900 + keys.length);
      const caps = { cap_per_day: creditsOf(sent.cap_per_day) };
      keys.push(makeKey(1, { id, label: sent.label, ...caps }));
      return { id, key: secret, label: sent.label };
    },
    'PATCH /app/v1/keys/:id': ({ params, sent }) =>
      change(params.id, {
        label: sent.label ?? '',
        requests_per_minute: sent.requests_per_minute ?? 0,
        ask_above: creditsOf(sent.ask_above),
      }),
    'DELETE /app/v1/keys/:id': ({ params }) =>
      change(params.id, { revoked_at: new Date().toISOString() }),
  };
}

test('a key is created with its limits and shown until it was saved', async () => {
  const api = await openPage('Connections', keepKeys([]));
  await expect.element(page.getByText('No key yet')).toBeVisible();
  const staging = page.getByRole('button', { name: 'Test in staging' });
  await expect.element(staging).not.toBeInTheDocument();
  await press('New key');
  await dialog.getByLabelText('Label').fill('  nightly import ');
  await dialog.getByLabelText('Credits per day').fill('1,005.5');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect.element(dialog.getByText(secret)).toBeVisible();
  expect(api.askedOf('POST /app/v1/keys').map(({ sent }) => sent)).toEqual([
    {
      label: 'nightly import',
      requests_per_minute: 60,
      cap_per_day: '1005.5',
      cap_per_month: null,
      cap_per_call: null,
      ask_above: null,
      self_approval: false,
      // Without another choice, a key spends nothing at data services.
      provider_cap: 0,
    },
  ]);
  await expect.element(dialog.getByText('Save it now. It will not be shown again')).toBeVisible();

  await userEvent.keyboard('{Escape}');
  await expect.element(dialog.getByText(secret)).toBeVisible();
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(document.documentElement.outerHTML).not.toContain(secret);
  const row = rowOf(/nightly import/);
  await expect.element(row.getByText('never')).toBeVisible();
  await expect.element(row.getByText(/0 of 1,005\.5/)).toBeVisible();
});

const badFields = [
  ['Label', ' ', null, 'nightly import'],
  ['Requests per minute', '0', 'Enter a number from 1 to 6,000.', '6000'],
  ['Requests per minute', '6001', 'Enter a number from 1 to 6,000.', '1'],
  ['Credits per day', '1.00001', /^Enter a number/, '1.0001'],
  ['Credits per month', '-1', /^Enter a number/, ''],
  ['Maximum credits per request', 'much', /^Enter a number/, '1,000'],
  ['Ask me above', '99999999999', /^A cap is at most/, '0'],
] as const;

test('an invalid key cannot be created, and the form says why', async () => {
  const api = await openPage('Connections', keepKeys([]));
  await press('New key');
  const make = dialog.getByRole('button', { name: 'Create key' });
  await expect.element(make).toBeDisabled();
  await dialog.getByLabelText('Label').fill('nightly import');
  for (const [label, wrong, problem, right] of badFields) {
    const field = dialog.getByLabelText(label, { exact: true });
    await field.fill(wrong);
    if (problem) await expect.element(dialog.getByText(problem)).toBeVisible();
    await expect.element(make, { message: `${label} "${wrong}"` }).toBeDisabled();
    await userEvent.keyboard('{Enter}');
    await field.fill(right);
    await expect.element(make, { message: `${label} "${right}"` }).toBeEnabled();
  }
  expect(api.askedOf('POST /app/v1/keys')).toEqual([]);
});

test('a refusal is shown in the dialog, which keeps the input', async () => {
  const api = await openPage('Connections', {
    'POST /app/v1/keys': () => refuse('validation_error', 'There are too many keys.'),
  });
  await press('New key');
  await dialog.getByLabelText('Label').fill('nightly import');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(dialog.getByRole('alert').getByText('There are too many keys.'))
    .toBeVisible();
  await expect.element(dialog.getByLabelText('Label')).toHaveValue('nightly import');
  api.answer(keepKeys([]));
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect.element(dialog.getByText(secret)).toBeVisible();
});

test('a key is renamed, gets other limits, and an approval threshold', async () => {
  const api = await openPage('Connections', keepKeys([makeKey(1, { label: 'nightly import' })]));
  await press('Edit nightly import');
  await expect.element(dialog.getByLabelText('The assistant may ask me itself')).not.toBeChecked();
  await dialog.getByLabelText('Label').fill('weekly import');
  await dialog.getByLabelText('Requests per minute').fill('1');
  await dialog.getByLabelText('Ask me above').fill('1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(rowOf(/weekly import/).getByText('asks above 1')).toBeVisible();
  expect(
    api.askedOf('PATCH /app/v1/keys/:id').map(({ params, sent }) => [params.id, sent]),
  ).toEqual([
    [
      idOf(1),
      expect.objectContaining({
        label: 'weekly import',
        requests_per_minute: 1,
        ask_above: '1',
      }),
    ],
  ]);
});

test('a key is revoked after a confirmation and stays in the list of revoked keys', async () => {
  const api = await openPage('Connections', keepKeys([makeKey(1, { label: 'nightly import' })]));
  await rowOf(/nightly import/)
    .getByRole('button', { name: 'Revoke' })
    .click();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(api.askedOf('DELETE /app/v1/keys/:id')).toEqual([]);
  await rowOf(/nightly import/)
    .getByRole('button', { name: 'Revoke' })
    .click();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await expect.element(page.getByText('No key yet')).toBeVisible();
  await press('Show 1 revoked key');
  await expect.element(rowOf(/nightly import/).getByText('revoked just now')).toBeVisible();
});

test('staging shows the keys of its first account', async () => {
  const api = await openPage('Connections', keepKeys([makeKey(1, { label: 'nightly import' })]));
  await expect.element(rowOf(/nightly import/)).toBeVisible();
  await page.getByRole('button', { name: 'Test in staging' }).click();
  await expect.element(page.getByText('No key yet')).toBeVisible();
  await press('New key');
  await dialog.getByLabelText('Label').fill('trying out');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  expect(
    api.askedOf('POST /app/v1/keys').map(({ environment, account }) => [environment, account]),
  ).toEqual([['staging', null]]);
  await expect
    .element(page.getByText('http://127.0.0.1:43118/staging/api/v1', { exact: true }))
    .toBeVisible();
});

const yesterday = new Date(Date.now() - 86_400_000).toISOString();
/** Oldest first, as the engine sends them. */
const manyKeys = [
  makeKey(1, { label: 'of yesterday', created_at: yesterday, revoked_at: yesterday }),
  makeKey(2, { label: 'x'.repeat(120), cap_per_month: '0.0000' }),
  ...Array.from({ length: 200 }, (_, number) =>
    makeKey(1_000 + number, { label: `integration ${number}`, cap_per_day: `${number}.0000` }),
  ),
];

test('with 200 keys a search by label finds one, and the others are in pages', async () => {
  await openPage('Connections', keepKeys([...manyKeys]));
  const rows = page.getByRole('region', { name: 'Keys in use' }).getByRole('row');
  await expect.element(rowOf(/integration 199/)).toBeVisible();
  await press('Older');
  await expect.element(page.getByText('51 to 100 of 201')).toBeVisible();
  await page.getByLabelText('Find a key').fill('INTEGRATION 42');
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.getByText('integration 42')).toBeVisible();
  await page.getByLabelText('Find a key').fill('');
  await expect.element(page.getByText('1 to 50 of 201')).toBeVisible();
});

const steps: Record<string, () => Promise<unknown>> = {
  'the keys': async () => {
    await press('Show 1 revoked key');
    await expect.element(rowOf(/of yesterday/)).toBeVisible();
  },
  'a new key': () => press('New key'),
  'a key that is edited': () => press('Edit integration 199'),
  'a key that is revoked': () =>
    rowOf(/integration 199/)
      .getByRole('button', { name: 'Revoke' })
      .click(),
};
test.each(Object.keys(steps))('%s: long and many, accessible, in every window', async (name) => {
  // More than a page; dialogs need fewer behind them.
  const count = name === 'the keys' ? 50 : 12;
  await openPage('Connections', keepKeys([...manyKeys.slice(0, 2), ...manyKeys.slice(-count)]));
  await expect.element(rowOf(/integration 199/)).toBeVisible();
  await steps[name]?.();
  await expectAccessibleAndResponsive();
});
