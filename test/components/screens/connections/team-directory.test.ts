/** Connections → Team directory. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { openPage, openTab } from '../../open-page.tsx';

const address = 'postgres://desk@127.0.0.1/team';
const ready = {
  ...{ is_ready: true, problem: null, detail: 'The shared directory is ready.', answer_ms: 2.4 },
  ...{ people: 20_000_000, generation: 7, workers: 2, waiting_batches: 3, lag_seconds: 12 },
};

test('an address is saved with its password, and the state of the server is shown', async () => {
  let known: { address: string | null; is_on: boolean; set_at: string | null } = {
    ...{ address: null, is_on: false, set_at: null },
  };
  const api = await openPage('Connections', {
    'GET /app/v1/shared-directory': () => known,
    'PUT /app/v1/shared-directory': () => {
      known = { address, is_on: true, set_at: '2026-11-20T10:00:00.000Z' };
      return known;
    },
    'POST /app/v1/shared-directory/tests': () => ({ test: ready }),
  });
  await openTab('Team directory');
  await page.getByRole('button', { name: 'Add team directory' }).click();
  await userEvent.keyboard(address);
  const save = page.getByRole('button', { name: 'Save team directory' });
  await expect.element(save).toBeDisabled();
  await page.getByLabelText('Password', { exact: true }).fill('secret');
  await save.click();
  await expect.element(page.getByText('20,000,000')).toBeVisible();
  expect(api.askedOf('PUT /app/v1/shared-directory')[0]?.sent).toEqual({
    ...{ address, password: 'secret' },
  });
  await expect.element(page.getByText('3 batches, the oldest for 12 s')).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('a server that is not ready says what to do', async () => {
  const detail = 'The server refused the password of desk. Enter it again.';
  const unknown = { answer_ms: null, people: null, generation: null, workers: null };
  await openPage('Connections', {
    'GET /app/v1/shared-directory': () => ({
      ...{ address, is_on: true, set_at: '2026-11-20T10:00:00.000Z' },
    }),
    'POST /app/v1/shared-directory/tests': () => ({
      test: {
        ...{ is_ready: false, problem: 'password', detail, waiting_batches: null },
        ...{ ...unknown, lag_seconds: null },
      },
    }),
  });
  await openTab('Team directory');
  await expect.element(page.getByText(detail)).toBeVisible();
  await page.getByText('Staging', { exact: true }).click();
  await expect.element(page.getByText(/asks no team directory/)).toBeVisible();
});
