// The tabs of Connections, and the log of requests.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf, makeKey } from '../../empty-desk.ts';
import { openPage, openTab } from '../../open-page.tsx';

const request = {
  id: 1,
  at: '2026-11-20T10:00:00.000Z',
  method: 'GET',
  duration_ms: 4.2,
  route: '/api/v1/data-enrichment/status/{job_id}',
  status: 200,
  key_id: idOf(1),
  key_label: 'nightly import',
  caller: 'key' as const,
};
const refused = {
  ...request,
  id: 2,
  route: null,
  status: 401,
  duration_ms: 1_234,
  key_id: null,
  key_label: null,
  caller: 'none' as const,
};

test('tabs have addresses, keep the environment, and are changed by keys', async () => {
  const api = await openPage('Connections', { 'GET /app/v1/keys': () => [makeKey(1)] });
  await page.getByRole('button', { name: 'Test in staging' }).click();
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Connections' }).getByRole('link', { name });
  await openTab('Webhooks');
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(tab('Requests')).toHaveFocus();
  await expect.element(tab('Requests')).toHaveAttribute('aria-current', 'page');
  await expect.poll(() => location.hash).toBe('#/connections/requests');
  await expect.poll(() => document.title).toBe('Requests · Enrichment Desk');
  await expect.element(page.getByText('No requests yet')).toBeVisible();
  expect(api.askedOf('GET /app/v1/requests').map(({ environment }) => environment)).toContain(
    'staging',
  );
  history.back();
  await expect.element(page.getByText('No webhook yet')).toBeVisible();
});

test('a request has its route, status, duration and key; a refused one says so', async () => {
  const requests = [refused, request];
  await openPage('Connections', {
    'GET /app/v1/requests': () => ({ requests, kept_max: 500 }),
  });
  await openTab('Requests');
  const table = page.getByRole('region', { name: 'Program requests' });
  const cells = (name: RegExp) =>
    table
      .getByRole('row', { name })
      .getByRole('cell')
      .elements()
      .slice(1)
      .map(({ textContent }) => textContent);
  await expect.element(table).toBeVisible();
  await expect
    .poll(() => cells(/nightly import/))
    .toEqual(['GET', '/api/v1/data-enrichment/status/{job_id}', '200', '4.2 ms', 'nightly import']);
  expect(cells(/Not admitted/)).toEqual(['GET', 'Unknown address', '401', '1.2 s', 'Not admitted']);
  await expectAccessibleAndResponsive();
});
