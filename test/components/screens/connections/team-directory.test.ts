// Connections → Team directory.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type {
  SharedDirectory,
  SharedDirectoryChange,
} from '../../../../engine/contract/shared/settings.ts';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { makeKey } from '../../empty-desk.ts';
import { openPage, openTab } from '../../open-page.tsx';

const address = 'postgres://desk@127.0.0.1/team';
const ready = {
  is_ready: true,
  problem: null,
  detail: 'The shared directory is ready.',
  answer_ms: 2.4,
  people: 20_000_000,
  generation: 7,
  workers: 2,
  waiting_batches: 3,
  lag_seconds: 12,
  own_worker: { state: 'running' as const, detail: null },
};
const saved = {
  address,
  is_on: true,
  has_secret: false,
  matches_here: false,
  set_at: '2026-11-20T10:00:00.000Z',
};

test('an address is saved with its password, and the state of the server is shown', async () => {
  let known: SharedDirectory = { ...saved, address: null, is_on: false, set_at: null };
  const api = await openPage('Connections', {
    'GET /app/v1/shared-directory': () => known,
    'PUT /app/v1/shared-directory': () => {
      known = saved;
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
    address,
    password: 'secret',
  });
  await expect.element(page.getByText('3 batches, the oldest for 12 s')).toBeVisible();
  await expectAccessibleAndResponsive();
});

test('a server that is not ready says what to do', async () => {
  const detail = 'The server refused the password of desk. Enter it again.';
  const unknown = { answer_ms: null, people: null, generation: null, workers: null };
  await openPage('Connections', {
    'GET /app/v1/keys': () => [makeKey(1)],
    'GET /app/v1/shared-directory': () => saved,
    'POST /app/v1/shared-directory/tests': () => ({
      test: {
        is_ready: false,
        problem: 'password',
        detail,
        waiting_batches: null,
        ...unknown,
        lag_seconds: null,
        own_worker: { state: 'off', detail: null },
      },
    }),
  });
  await openTab('Team directory');
  await expect.element(page.getByText(detail)).toBeVisible();
  await page.getByRole('button', { name: 'Test in staging' }).click();
  await expect.element(page.getByText(/does not use a team directory/)).toBeVisible();
});

test('this computer matches for the team once the secret is known', async () => {
  let known: SharedDirectory = saved;
  const refusal = 'The shared directory was loaded with another secret.';
  const api = await openPage('Connections', {
    'GET /app/v1/shared-directory': () => known,
    'PUT /app/v1/shared-directory': ({ sent }) => {
      const { secret, matches_here = known.matches_here } = sent as SharedDirectoryChange;
      known = { ...known, has_secret: known.has_secret || secret !== undefined, matches_here };
      return known;
    },
    'POST /app/v1/shared-directory/tests': () => ({
      test: {
        ...ready,
        own_worker: known.matches_here
          ? { state: 'refused', detail: refusal }
          : { state: 'off', detail: null },
      },
    }),
  });
  await openTab('Team directory');
  await expect.element(page.getByText(/^Enter the secret of the keys first/)).toBeVisible();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabelText('Secret of the keys', { exact: true }).fill('00'.repeat(16));
  await page.getByRole('button', { name: 'Save team directory' }).click();
  await expect.element(page.getByText(/^A worker runs while the app is open/)).toBeVisible();
  await page.getByRole('switch', { name: /^Match on this computer/ }).click();
  await expect.element(page.getByText(refusal)).toBeVisible();
  expect(api.askedOf('PUT /app/v1/shared-directory').map(({ sent }) => sent)).toEqual([
    { address, secret: '00'.repeat(16) },
    { address, matches_here: true },
  ]);
  await expectAccessibleAndResponsive();
});
