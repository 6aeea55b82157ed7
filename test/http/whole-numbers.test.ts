// Numbers in queries and amounts of credits are digits, on every route.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import { expectRefusal, send, sessionToken } from './open-api-desk.ts';

const own = { 'x-desk-session': sessionToken };
const unknownId = '00000000-0000-4000-8000-000000000000';
let url = '';
let key = '';
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'desk-digits-'));
  const config = { dataDir, port: 0, socket: false, uiDir: null, sessionToken };
  const engine = await startEngine(config);
  url = engine.url ?? '';
  const made = await send(`${url}/app/v1/keys`, 'POST', { headers: own, json: { label: 'a' } });
  key = made.data.key;
  await send(`${url}/app/v1/keys/${made.data.id}`, 'PATCH', {
    headers: own,
    json: { requests_per_minute: 6_000 },
  });
  return async () => {
    await engine.close();
    await rm(dataDir, { recursive: true });
  };
});

const notDigits = ['1e2', '0x10', '%2010', '+5', '10%20', '5.0', '', '٣', 'Infinity', '-0', '1_0'];
const rest = '/api/v1';
const lists: readonly (readonly [path: string, names: readonly string[]])[] = [
  [`${rest}/data-enrichment/jobs/`, ['limit', 'offset']],
  [`${rest}/enrichment/result/${unknownId}/`, ['limit', 'offset']],
  [`${rest}/pipeline/`, ['limit', 'offset']],
  [`${rest}/pipeline/${unknownId}/result/`, ['limit', 'offset']],
  [`${rest}/career-monitor/jobs/`, ['limit', 'offset']],
  [`${rest}/career-monitor/jobs/1/result/`, ['limit', 'offset']],
  [`${rest}/webhooks/`, ['limit', 'offset']],
  [`${rest}/webhooks/${unknownId}/deliveries/`, ['limit', 'before']],
  [`/staging${rest}/data-enrichment/jobs/`, ['limit', 'offset']],
  ['/app/v1/jobs', ['limit', 'offset']],
  [`/app/v1/jobs/${unknownId}/rows`, ['limit', 'offset']],
  ['/app/v1/wallet/entries', ['limit', 'offset']],
  ['/app/v1/pipelines', ['limit', 'offset']],
  ['/app/v1/monitor-jobs', ['limit', 'offset']],
  ['/app/v1/monitor-jobs/1/findings', ['limit', 'offset']],
  ['/app/v1/email-validations', ['limit', 'offset']],
  ['/app/v1/assistants/calls', ['limit', 'before']],
];

describe.each(lists)('%s', (path, names) => {
  const ask = (query: string) =>
    send(`${url}${path}?${query}`, 'GET', path.includes('/app/v1') ? { headers: own } : askKey());
  const askKey = () => (path.startsWith('/staging') ? { headers: own } : { key });

  test.each(names)('%s has digits, or is a validation_error', async (name) => {
    for (const text of notDigits)
      expectRefusal(await ask(`${name}=${text}`), 'validation_error', new RegExp(`^${name}: `));
    expectRefusal(await ask(`${name}=5&${name}=6`), 'validation_error', new RegExp(`^${name}: `));
    expect([200, 404]).toContain((await ask(`${name}=0010`)).status);
  });
});

test('an id in a path has digits, or is unknown', async () => {
  for (const [method, before, behind] of [
    ['POST', '/app/v1/directory/imports/', '/undo'],
    ['DELETE', '/app/v1/assistants/folders/', ''],
    ['GET', '/app/v1/monitors/', ''],
    ['GET', '/api/v1/career-monitor/jobs/', ''],
  ] as const)
    for (const id of ['1e0', '0x1', '%201']) {
      const answer = await send(url + before + id + behind, method, { headers: own });
      expectRefusal(answer, 'not_found', /the path and the id/);
    }
});

const notCredits = [' 5', '5 ', '+5', '1e2', '0x10', '', '5.', '.5', '5.00001', '1,000', '٣', null];

test.each([
  ['POST', '/app/v1/wallet/grants', 'credits'],
  ['POST', '/staging/app/v1/wallet/grants', 'credits'],
  ['POST', '/staging/api/v1/wallet/top-up/', 'credits'],
  ['POST', '/app/v1/keys', 'cap_per_day'],
  ['POST', '/app/v1/keys', 'cap_per_month'],
  ['PUT', '/app/v1/rates/L1', 'price'],
])('%s %s accepts %s in digits only', async (method, path, name) => {
  for (const amount of notCredits) {
    if (amount === null && name.startsWith('cap')) continue;
    const answer = await send(url + path, method, {
      headers: own,
      json: { label: 'digits', [name]: amount },
    });
    expectRefusal(answer, 'validation_error', new RegExp(`^${name}: `));
  }
});
