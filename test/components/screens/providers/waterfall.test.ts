// The order of the providers of each field, by the keyboard and by dragging, and their rules.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { StepRule } from '../../../../engine/contract/providers.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { keepProviders, makeUsedProvider } from './desk-of-providers.ts';

const email = page.getByRole('region', { name: 'Work email' });
const readOrder = () =>
  email
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent);
const button = (name: string) => email.getByRole('button', { name });

const openOrder = (rules: Record<string, StepRule> = {}) =>
  openPage(
    'Data services',
    keepProviders({
      providers: [
        makeUsedProvider('alpha'),
        makeUsedProvider('beta'),
        makeUsedProvider('gamma', { is_on: false }),
      ],
      waterfall: [
        {
          field: 'work_email',
          steps: ['alpha', 'beta', 'gamma'].map((provider) => ({
            provider,
            rule: rules[provider] ?? {},
          })),
        },
        { field: 'phone', steps: [] },
      ],
      keys_to_delete: 0,
      faulty: [],
    }),
  );

const startOrder = [
  '1Your directoryalways first, free',
  '2AAlpha',
  '3BBeta',
  '4GGammaswitched off, not asked',
];

test('the directory is always first; the keyboard moves a provider and keeps the focus', async () => {
  const api = await openOrder();
  await expect.poll(readOrder).toEqual(startOrder);
  await expectAccessibleAndResponsive();
  const up = button('Move Beta up for Work email');
  (up.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => readOrder().slice(0, 3)).toEqual([startOrder[0], '2BBeta', '3AAlpha']);
  await expect
    .element(email.getByRole('status'))
    .toHaveTextContent('Beta is now number 2 for Work email.');
  await expect.element(up).toHaveFocus();
  await expect.element(up).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  const sent = () => api.askedOf('PUT /app/v1/provider-order').map((one) => one.sent);
  await expect.poll(sent).toEqual([
    {
      field: 'work_email',
      steps: [{ provider: 'beta' }, { provider: 'alpha' }, { provider: 'gamma' }],
    },
  ]);
});

test('a provider is dragged to the position of another', async () => {
  await openOrder();
  await expect.poll(readOrder).toEqual(startOrder);
  const [, alpha, , gamma] = email.getByRole('listitem').elements();
  await userEvent.dragAndDrop(gamma!, alpha!);
  await expect
    .poll(() => readOrder().map((text) => text?.slice(0, 2)))
    .toEqual(['1Y', '2G', '3A', '4B']);
});

test('a refused order returns to the stored one and says why', async () => {
  const api = await openOrder();
  api.answer({ 'PUT /app/v1/provider-order': () => refuse('validation_error', 'Not now.') });
  await button('Move Alpha down for Work email').click();
  await expect.element(page.getByText('The order was not changed')).toBeVisible();
  await expect.element(page.getByText('Not now.')).toBeVisible();
  await expect.poll(readOrder).toEqual(startOrder);
});

const dialog = page.getByRole('dialog');
const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
const text = (label: RegExp) => dialog.getByRole('textbox', { name: label });

test('a rule is set in a dialog, shown in words, and keeps the order and the other rules', async () => {
  const api = await openOrder({ alpha: { age_days_max: 90 } });
  const sent = () => api.askedOf('PUT /app/v1/provider-order').map((one) => one.sent);
  await expect.element(email.getByText('at most 90 days old')).toBeVisible();
  await button('Rule of Beta for Work email').click();
  await expect.element(dialog.getByText('Beta for work email')).toBeVisible();
  for (const name of ['Catch-all', 'Role mailbox', 'Unknown', 'Phone']) await box(name).click();
  await text(/^Confidence at least/).fill('80');
  await text(/^At most this many days/).fill('30');
  await text(/^Only for these countries/).fill('fr, de');
  await text(/^Only for these company domains/).fill('Acme.example fr');
  await expectAccessibleAndResponsive();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const rule = {
    statuses: ['valid'],
    confidence_min: 0.8,
    age_days_max: 30,
    only_if_missing: ['phone'],
    only_countries: ['FR', 'DE'],
    only_domains: ['acme.example', 'fr'],
  };
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toEqual([
    {
      field: 'work_email',
      steps: [{ provider: 'alpha' }, { provider: 'beta', rule }, { provider: 'gamma' }],
    },
  ]);
  await expect
    .element(email.getByText(/^only valid; at least 80% sure; at most 30 days old; only without/))
    .toBeVisible();
  await expect.element(email.getByText('at most 90 days old', { exact: true })).toBeVisible();
  await expectAccessibleAndResponsive();
  // The form holds the stored rule, and removes it.
  await button('Rule of Beta for Work email').click();
  await expect.element(text(/^Only for these countries/)).toHaveValue('FR, DE');
  await dialog.getByRole('button', { name: 'Remove the rule' }).click();
  await expect.element(text(/^Only for these countries/)).toHaveValue('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()[1]?.steps[1]).toEqual({ provider: 'beta', rule: {} });
});

test('what is no rule is not sent, and a refused rule stays in the form with the reason', async () => {
  const api = await openOrder();
  await button('Rule of Alpha for Work email').click();
  const save = dialog.getByRole('button', { name: 'Save' });
  for (const [name, wrong, words] of [
    [/^Confidence at least/, '101', /^Enter 0 to 100/],
    [/^At most this many days/, '1.5', /^Enter a whole number of days/],
    [/^Only for these countries/, 'France', /^Enter codes of two letters/],
    [/^Only for these company domains/, 'http://acme', /^Enter domains/],
  ] as const) {
    await text(name).fill(wrong);
    await expect.element(dialog.getByText(words)).toBeVisible();
    await expect.element(save).toBeDisabled();
    await text(name).fill('');
  }
  for (const name of ['Valid', 'Catch-all', 'Role mailbox', 'Unknown']) await box(name).click();
  await expect.element(dialog.getByText('Select at least one.')).toBeVisible();
  await expect.element(save).toBeDisabled();
  await box('Valid').click();
  api.answer({ 'PUT /app/v1/provider-order': () => refuse('validation_error', 'Not now.') });
  await save.click();
  await expect.element(dialog.getByText('Not now.')).toBeVisible();
  await expect.element(box('Valid')).toBeChecked();
  await expect.element(box('Unknown')).not.toBeChecked();
});
