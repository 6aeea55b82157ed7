// The consent prompt: on every screen, answered only by its buttons.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type { Authorization } from '../../../../engine/contract/oauth.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { firstAccount, idOf } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const dialog = page.getByRole('dialog');
const titleOf = (name: string) => page.getByText(`Allow “${name}” to use Enrichment Desk?`);
const longName =
  'Vertriebsassistenz für Öffentlichkeitsarbeit und Neukundengewinnung am Standort Genf';

const makeAuthorization = (number: number, parts: Partial<Authorization> = {}): Authorization => ({
  id: idOf(number),
  environment: 'live',
  client_name: 'Claude Code',
  redirect_host: '127.0.0.1:4444',
  is_local: true,
  number: '42',
  expires_at: timestampExample,
  ...parts,
});

/** Responses for waiting clients, each of which is removed once it was answered. */
function keepWaiting(waiting: Authorization[]): Answers {
  const answer = (id: string | undefined) => {
    waiting.splice(
      waiting.findIndex((one) => one.id === id),
      1,
    );
    return {};
  };
  return {
    'GET /app/v1/authorizations': () => waiting,
    'POST /app/v1/authorizations/:id/allow': ({ params }) => answer(params.id),
    'POST /app/v1/authorizations/:id/deny': ({ params }) => answer(params.id),
  };
}

test('a client is shown with its number and allowed with caps', async () => {
  const waiting: Authorization[] = [];
  const api = await openPage('Enrich', keepWaiting(waiting));
  await expect.poll(() => api.askedOf('GET /app/v1/authorizations').length).toBeGreaterThan(0);
  expect(dialog.elements()).toEqual([]);
  waiting.push(makeAuthorization(1));
  api.tell({ type: 'authorizations' });
  await expect.element(titleOf('Claude Code')).toBeVisible();
  await expect.element(dialog.getByText('Number 42')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await dialog.getByLabelText('Credits per month').fill('much');
  await expect.element(dialog.getByRole('button', { name: 'Allow' })).toBeDisabled();
  await dialog.getByLabelText('Credits per month').fill('');
  await dialog.getByLabelText('Credits per day').fill('25');
  await dialog.getByRole('button', { name: 'Allow' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('“Claude Code” is connected.')).toBeVisible();
  expect(api.askedOf('POST /app/v1/authorizations/:id/allow').map(({ sent }) => sent)).toEqual([
    { cap_per_day: '25', cap_per_month: null, account_id: firstAccount.id },
  ]);
});

test('clients are shown one after the other, and each is denied separately', async () => {
  const second = makeAuthorization(2, { client_name: 'Cursor', environment: 'staging' });
  const api = await openPage('Jobs', keepWaiting([makeAuthorization(1), second]));
  await expect.element(dialog.getByText('1 more request is waiting.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await expect
    .element(page.getByText('Allow “Cursor” to use the staging environment?'))
    .toBeVisible();
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const denied = api.askedOf('POST /app/v1/authorizations/:id/deny');
  expect(denied.map(({ environment, params }) => [environment, params.id])).toEqual([
    ['live', idOf(1)],
    ['staging', idOf(2)],
  ]);
});

test('the account is selected if there are several', async () => {
  const sales = { ...firstAccount, id: idOf(2), name: 'Sales' };
  const api = await openPage('Enrich', {
    ...keepWaiting([makeAuthorization(1)]),
    'GET /app/v1/accounts': () => [firstAccount, sales],
  });
  await dialog.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'Sales' }).click();
  await dialog.getByRole('button', { name: 'Allow' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const allowed = api.askedOf('POST /app/v1/authorizations/:id/allow');
  expect(allowed.map(({ sent }) => sent.account_id)).toEqual([sales.id]);
});

test('a refusal is shown in the prompt, which stays open', async () => {
  await openPage('Enrich', {
    ...keepWaiting([makeAuthorization(1)]),
    'POST /app/v1/authorizations/:id/allow': () => refuse('not_found', 'It waits no longer.'),
  });
  await dialog.getByRole('button', { name: 'Allow' }).click();
  await expect.element(dialog.getByRole('alert').getByText('It waits no longer.')).toBeVisible();
});

test('the prompt: a long name, accessible, in every window', async () => {
  await openPage('Enrich', keepWaiting([makeAuthorization(1, { client_name: longName })]));
  await expect.element(titleOf(longName)).toBeVisible();
  await expectAccessibleAndResponsive();
});
