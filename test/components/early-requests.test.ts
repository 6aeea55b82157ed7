// What a screen asks for first is sent while its file loads, and asked for once.

import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { rates } from '../../engine/contract/rate-card.ts';
import { ask, callEarly } from '../../renderer/api/client.ts';

import { invalidate } from '../../renderer/api/query-cache.ts';
import { sendFirstRequests } from '../../renderer/screen-table.tsx';
import { emptyDesk } from './empty-desk.ts';
import { openFakeApi } from './fake-api.ts';

function openApi(answers = {}) {
  localStorage.setItem('desk-session', 'session-of-the-test');
  const api = openFakeApi({ ...emptyDesk, ...answers });
  onTestFinished(() => {
    api.close();
    localStorage.clear();
  });
  return api;
}

test('a screen with an id in its address asks for its own data first', async () => {
  const api = openApi({
    'GET /app/v1/jobs/:job_id': () => null,
    'GET /app/v1/jobs/:job_id/rows': () => null,
    'GET /app/v1/jobs/:job_id/outcomes': () => null,
  });
  sendFirstRequests('/jobs/4199169f-3478-431e-9b83-282c173b74e8');
  expect(api.asked.map(({ route }) => route)).toEqual([
    'GET /app/v1/jobs/:job_id',
    'GET /app/v1/jobs/:job_id/rows',
    'GET /app/v1/jobs/:job_id/outcomes',
  ]);
});

test('the first call takes the response that was asked for early, the second asks again', async () => {
  const api = openApi();
  callEarly([{ path: '/app/v1/rates' }]);
  await ask(rates.list);
  expect(api.askedOf('GET /app/v1/rates')).toHaveLength(1);
  await ask(rates.list);
  expect(api.askedOf('GET /app/v1/rates')).toHaveLength(2);
});

test('a response is not taken after a change', async () => {
  const api = openApi();
  callEarly([{ path: '/app/v1/rates' }]);
  await invalidate(new QueryClient(), 'rates');
  await ask(rates.list);
  expect(api.askedOf('GET /app/v1/rates')).toHaveLength(2);
});

test('the response of another session is not taken', async () => {
  const api = openApi();
  callEarly([{ path: '/app/v1/rates' }]);
  localStorage.setItem('desk-session', 'another session');
  await ask(rates.list);
  expect(api.askedOf('GET /app/v1/rates')).toHaveLength(2);
});
