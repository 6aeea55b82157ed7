// The log of requests that Connections shows.
import { expect, test } from 'vitest';
import type { Requests } from '../../engine/contract/requests/requests.ts';
import { createRequestLog } from '../../engine/http/requests/request-log.ts';
import { shareApiDesk } from './open-api-desk.ts';

const openDesk = shareApiDesk();

test('a request of a program is listed by its route, without ids, query, token or body', async () => {
  const desk = await openDesk();
  const id = '00000000-0000-4000-8000-00000000abcd';
  await desk.call('GET', `status/${id}`);
  await desk.call('POST', `/email/enrichment/?token=${desk.key}&note=secret-note`, {
    key: null,
    json: { profile_url: 'https://www.linkedin.com/in/secret-person' },
  });
  await desk.call('GET', 'jobs/', { key: 'sk_live_secret' });
  await desk.call('GET', '/api/v1/secret-path');
  await desk.call('GET', '/staging/api/v1/data-enrichment/layers/', { key: null });
  await desk.app('GET', 'state');
  const read = () => desk.app('GET', 'requests');
  await expect.poll(async () => (await read()).data.requests.length).toBe(4);
  const { data, text } = await read();
  const { requests } = data as Requests;
  const keyed = { caller: 'key', key_id: expect.any(String), key_label: expect.any(String) };
  const refused = { caller: 'none', key_id: null, key_label: null };
  expect(requests.toReversed()).toMatchObject([
    { method: 'GET', route: '/api/v1/data-enrichment/status/{job_id}', status: 404, ...keyed },
    { method: 'POST', route: '/email/enrichment', ...keyed },
    { method: 'GET', route: '/api/v1/data-enrichment/jobs', status: 401, ...refused },
    { method: 'GET', route: null, status: 404, ...refused },
  ]);
  expect(requests.every(({ duration_ms: ms }) => ms >= 0)).toBe(true);
  for (const part of [id, desk.key, 'secret', 'profile_url']) expect(text).not.toContain(part);
});

test('another account does not see the requests of this one', async () => {
  const [one, other] = [await openDesk(), await openDesk()];
  await one.call('GET', 'layers/');
  await other.call('GET', 'jobs/');
  const routes = async ({ app }: typeof one) =>
    ((await app('GET', 'requests')).data as Requests).requests
      .filter(({ caller }) => caller === 'key')
      .map(({ route }) => route);
  await expect.poll(() => routes(one)).toEqual(['/api/v1/data-enrichment/layers']);
  await expect.poll(() => routes(other)).toEqual(['/api/v1/data-enrichment/jobs']);
});

test('the log keeps the newest requests, and no more than its size', () => {
  const log = createRequestLog(3);
  const request = {
    at: '2026-11-20T10:00:00.000Z',
    method: 'GET',
    route: '/',
    status: 200,
    duration_ms: 1,
    key_id: null,
    key_label: null,
    caller: 'key' as const,
  };
  for (const accountId of [1, 2, 1, null, 1]) log.note({ ...request, accountId });
  expect(log.list(1, 10).map(({ id }) => id)).toEqual([5, 4, 3]);
  expect(log.list(2, 10).map(({ id }) => id)).toEqual([4]);
  expect(log.list(1, 1).map(({ id }) => id)).toEqual([5]);
});
