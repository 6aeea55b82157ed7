// Rate limit and spending caps per day and month of an API key.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  type CreditUnits,
  creditUnits,
  formatCredits,
  parseCredits,
} from '../../engine/contract/credits.ts';
import { keyRequestsPerMinuteMax } from '../../engine/contract/limits/accounts.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import {
  type Answer,
  type Desk,
  expectRefusal,
  type Json,
  openApiDesk,
  shareApiDesk,
} from '../http/open-api-desk.ts';
import { runsOf } from '../property-runs.ts';

const openDesk = shareApiDesk();

const newKey = async (desk: Desk, json: object = {}): Promise<{ id: string; key: string }> => {
  const made = await desk.app('POST', 'keys', { json: { label: 'integration', ...json } });
  expect(made.status).toBe(201);
  return made.data;
};

const readKey = async (desk: Desk, id: string): Promise<Json> =>
  (await desk.app('GET', 'keys')).data.find((key: Json) => key.id === id);

/** Submits rows at 1 credit each, of which `found` match. */
const submitRows = (desk: Desk, key: string, count: number, found = 0): Promise<Answer> =>
  desk.call('POST', 'submit/', {
    key,
    json: {
      selected_layers: ['L1'],
      rows: Array.from({ length: count }, (_, row) => ({
        email: `${row < found ? 'found' : 'nobody'}${row}@a.example`,
      })),
    },
  });

test('a key has 60 requests a minute and no caps by default', async () => {
  const desk = await openDesk();
  const { id } = await newKey(desk);
  expect(await readKey(desk, id)).toMatchObject({
    requests_per_minute: 60,
    cap_per_day: null,
    cap_per_month: null,
    spent_today: '0.0000',
    spent_this_month: '0.0000',
  });
});

test('a key is renamed and its limits change one by one; null removes a cap', async () => {
  const desk = await openDesk();
  const limits = { requests_per_minute: 5, cap_per_day: '12.5', cap_per_month: 100 };
  const { id } = await newKey(desk, limits);
  const shown = { requests_per_minute: 5, cap_per_day: '12.5000', cap_per_month: '100.0000' };
  expect(await readKey(desk, id)).toMatchObject(shown);
  const change = (json: object) => desk.app('PATCH', `keys/${id}`, { json });
  expect((await change({ label: ' CRM ' })).data).toMatchObject({ ...shown, label: 'CRM' });
  expect((await change({ cap_per_day: null })).data).toMatchObject({
    ...shown,
    label: 'CRM',
    cap_per_day: null,
  });
  expect((await change({ requests_per_minute: 6_000, cap_per_month: 0 })).data).toMatchObject({
    requests_per_minute: 6_000,
    cap_per_month: '0.0000',
  });
  const unknown = 'keys/00000000-0000-4000-8000-000000000000';
  expectRefusal(await desk.app('PATCH', unknown, { json: { label: 'x' } }), 'not_found');
  const other = (await desk.app('POST', 'accounts', { json: { name: 'Other' } })).data;
  const foreign = { headers: { 'x-desk-account': other.id }, json: { label: 'mine' } };
  expectRefusal(await desk.app('PATCH', `keys/${id}`, foreign), 'not_found');
  expectRefusal(await desk.app('DELETE', `keys/${id}`, foreign), 'not_found');
});

test.each([
  [{ label: ' ' }, /^label: /],
  [{ label: 'x'.repeat(121) }, /^label: /],
  [{ requests_per_minute: 0 }, /^requests_per_minute: /],
  [{ requests_per_minute: keyRequestsPerMinuteMax + 1 }, /^requests_per_minute: /],
  [{ requests_per_minute: 1.5 }, /^requests_per_minute: /],
  [{ requests_per_minute: null }, /^requests_per_minute: /],
  [{ cap_per_day: -1 }, /^cap_per_day: /],
  [{ cap_per_day: 'plenty' }, /^cap_per_day: /],
  [{ cap_per_month: '1.00001' }, /^cap_per_month: /],
  [{ cap_per_month: 100_000_001 }, /^cap_per_month: /],
])('a key with %j is a validation_error', async (json, detail) => {
  const desk = await openDesk();
  const { id } = await newKey(desk);
  const whole = { label: 'x', ...json };
  expectRefusal(await desk.app('POST', 'keys', { json: whole }), 'validation_error', detail);
  expectRefusal(await desk.app('PATCH', `keys/${id}`, { json }), 'validation_error', detail);
});

test('a key has its own rate limit, and a change applies to the next request', async () => {
  let nowMs = 1_000_000;
  const desk = await openApiDesk({ now: () => nowMs });
  const { id, key } = await newKey(desk, { requests_per_minute: 3 });
  const ask = async () => {
    nowMs += 1_000;
    const { status, headers } = await desk.call('GET', 'layers/', { key });
    const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
    return [status, ...names.map((name) => headers.get(name))];
  };
  expect(await ask()).toEqual([200, '3', '2', '60', null]);
  expect(await ask()).toEqual([200, '3', '1', '59', null]);
  const change = (limit: number) =>
    desk.app('PATCH', `keys/${id}`, { json: { requests_per_minute: limit } });
  await change(2);
  expect(await ask()).toEqual([429, '2', '0', '58', '58']);
  await change(5);
  expect(await ask()).toEqual([200, '5', '2', '57', null]);
  // Three requests were allowed. With a limit of one, the newest must be 60 seconds old.
  await change(1);
  const [status, , , reset, retryAfter] = await ask();
  expect([status, reset, retryAfter]).toEqual([429, '59', '59']);
  nowMs += Number(retryAfter) * 1_000 - 1_000;
  expect((await ask())[0]).toBe(200);
});

test('a submission over the cap is 402 spending_cap_reached, names the remainder, and holds nothing', async () => {
  const desk = await openDesk();
  const { id, key } = await newKey(desk, { cap_per_day: 10 });
  expect((await submitRows(desk, key, 8)).status).toBe(202);
  const refused = await submitRows(desk, key, 3);
  expectRefusal(
    refused,
    'spending_cap_reached',
    /needs 3 credits.* 10 a day .* 2 left until \d{4}-\d\d-\d\dT00:00:00\.000Z/,
  );
  expect((await desk.app('GET', 'wallet')).data.held).toBe('8.0000');
  expect(desk.listLeftovers()).toEqual([]);
  expect(await readKey(desk, id)).toMatchObject({ spent_today: '8.0000' });
  expect((await submitRows(desk, key, 2)).status).toBe(202);
});

test('a retry counts for the key that requests it, and an idempotent repeat for none', async () => {
  const desk = await openDesk();
  const { key } = await newKey(desk);
  const capped = await newKey(desk, { cap_per_day: 3 });
  const rows = Array.from({ length: 4 }, () => ({ email: 'down@a.example' }));
  const json = { selected_layers: ['L1'], rows };
  const jobId = (await desk.call('POST', 'submit/', { key, json })).data.job_id;
  await desk.environment.finish(jobId);
  const retry = (by: string) => desk.call('POST', `retry/${jobId}/`, { key: by });
  expectRefusal(await retry(capped.key), 'spending_cap_reached');
  expect((await desk.call('GET', `status/${jobId}/`)).data.status).toBe('failed');
  expect((await retry(key)).status).toBe(202);
  const again = () =>
    desk.call('POST', 'submit/', {
      key: capped.key,
      headers: { 'idempotency-key': 'one' },
      json: { selected_layers: ['L1'], rows: [{}, {}] },
    });
  expect([(await again()).status, (await again()).status]).toEqual([202, 200]);
  expect((await readKey(desk, capped.id)).spent_today).toBe('2.0000');
});

test('concurrent submissions of a key never exceed its cap together', async () => {
  const desk = await openDesk();
  onTestFinished(() => expect(verifyLedger(desk.environment.database)).toEqual([]));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 0, max: 60 }), async (counts, cap) => {
      const { id, key } = await newKey(desk, { requests_per_minute: 200, cap_per_day: cap });
      const answers = await Promise.all(counts.map((count) => submitRows(desk, key, count)));
      let sum: CreditUnits = creditUnits(0);
      for (const [at, { status, body }] of answers.entries()) {
        if (status === 202)
          sum = creditUnits(sum + (parseCredits(body.data.credits_held) ?? Number.NaN));
        else expect([status, body.error]).toEqual([402, 'spending_cap_reached']);
        expect(status === 202 && counts[at] === 0).toBe(false);
      }
      expect(sum).toBeLessThanOrEqual(cap * 10_000);
      expect((await readKey(desk, id)).spent_today).toBe(formatCredits(sum));
      // Each refused submission would have exceeded the cap at its time.
      const smallestRefused = Math.min(
        ...counts.filter((_, at) => answers[at]?.status === 402),
        Number.POSITIVE_INFINITY,
      );
      expect(sum + smallestRefused * 10_000).toBeGreaterThan(cap * 10_000);
    }),
    { numRuns: runsOf(3) },
  );
});
