/** The order of the providers of each field: by the keyboard, by dragging, and refused. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
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

const openOrder = () =>
  openPage(
    'Providers',
    keepProviders({
      providers: [
        makeUsedProvider('alpha'),
        makeUsedProvider('beta'),
        makeUsedProvider('gamma', { is_on: false }),
      ],
      waterfall: [
        {
          field: 'work_email',
          steps: ['alpha', 'beta', 'gamma'].map((provider) => ({ provider, rule: {} })),
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
  const sent = api.askedOf('PUT /app/v1/provider-order').map((one) => one.sent);
  expect(sent).toEqual([
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
    .toEqual([...['1Y', '2G', '3A', '4B']]);
});

test('a refused order returns to the stored one and says why', async () => {
  const api = await openOrder();
  api.answer({ 'PUT /app/v1/provider-order': () => refuse('validation_error', 'Not now.') });
  await button('Move Alpha down for Work email').click();
  await expect.element(page.getByText('The order was not changed')).toBeVisible();
  await expect.element(page.getByText('Not now.')).toBeVisible();
  await expect.poll(readOrder).toEqual(startOrder);
});
