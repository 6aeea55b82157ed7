// Limits of an API key apply on every route (docs/rules.md, "Money"), proven with a real engine for
// each route that spends and every possible answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import type { Answer, CallOptions, Json } from '../http/open-api-desk.ts';
import { contact, type Environments, startEnvironments } from '../http/open-environments.ts';
import { type GuardedKey, openGuardedKey } from './guarded-key.ts';
import { type SpendingRoute, spendingRoutes } from './spending-routes.ts';

let environments: Environments;
beforeAll(async () => {
  environments = await startEnvironments();
});
afterAll(async () => {
  const store = openStoreReadable(`${environments.dataDir}/staging`);
  const violations = verifyLedger(store);
  store.close();
  await environments.remove();
  expect(violations).toEqual([]);
});

const least = 0.0001;

/** A prepared request of a route, sent with a key that has these limits. */
async function prepare({ prepare: makeReady }: SpendingRoute, limits: Json) {
  const key = await openGuardedKey(environments.staging, 0, limits);
  const { path, options } = await makeReady(key, environments.staging);
  await key.app('POST', 'wallet/grants', { credits: 100 });
  const send = (more: CallOptions = {}) => key.rest('POST', path, { ...options, ...more });
  return { key, send };
}

/** The error code in the envelope, or the status in the format of lookups. */
const codeOf = ({ body }: Answer): string | number => body.error ?? body.code;
const approvalOf = ({ body }: Answer): Json => body.approval;
const once = { headers: { 'idempotency-key': 'one' } };

/** Asserts what all accepted responses have in common. */
const expectSuccess = (answer: Answer) =>
  expect([answer.status, answer.text]).toEqual([
    expect.toSatisfy((status) => status < 300),
    answer.text,
  ]);

/** The states of the key's approvals, oldest first, and the spending under them. */
function readApprovals({ id }: GuardedKey): Json[] {
  const store = openStoreReadable(`${environments.dataDir}/staging`);
  const sql =
    'SELECT status, asked_units, used_units FROM approval WHERE key_id = ? ORDER BY asked_at';
  const rows = store.prepare(sql).all(id);
  store.close();
  return rows;
}

test.each(spendingRoutes)(
  '$name over cap_per_call is 402 and creates no question',
  async (route) => {
    const { key, send } = await prepare(route, { cap_per_call: route.price - least, ask_above: 0 });
    const before = await key.wallet();
    const refused = await send();
    expect([refused.status, codeOf(refused)]).toEqual([
      402,
      expect.toSatisfy((code) => code === 'spending_cap_reached' || code === 402),
    ]);
    expect(refused.text).toContain(`${Number(route.price.toFixed(4))} credit`);
    expect(refused.text).toMatch(/at most .* in one call.*Connections/);
    expect(await key.questions()).toEqual([]);
    expect(await key.wallet()).toBe(before);
  },
);

test.each(spendingRoutes)('$name within both limits needs no approval', async (route) => {
  const { key, send } = await prepare(route, { cap_per_call: route.price, ask_above: route.price });
  expectSuccess(await send(once));
  expect(await key.questions()).toEqual([]);
});

test.each(spendingRoutes)(
  '$name above ask_above is 409, and proceeds once after the approval',
  async (route) => {
    const { key, send } = await prepare(route, { ask_above: route.price - least });
    const before = await key.wallet();
    const asked = await send(once);
    expect([asked.status, codeOf(asked)]).toEqual([
      409,
      expect.toSatisfy((code) => code === 'approval_required' || code === 409),
    ]);
    const approval = approvalOf(asked);
    expect(approval).toEqual({
      approval_id: expect.stringMatching(/^[\w-]{36}$/),
      credits: route.price.toFixed(4),
      expires_at: expect.any(String),
    });
    expect(Date.parse(approval.expires_at)).toBeGreaterThan(Date.now());
    // The same request finds its question.
    expect(approvalOf(await send(once))).toEqual(approval);
    expect(await key.questions()).toMatchObject([
      {
        id: approval.approval_id,
        client: 'nightly',
        credits: approval.credits,
        operation: expect.stringMatching(route.operation),
      },
    ]);
    expect(await key.wallet()).toBe(before);
    expect((await key.answer(approval.approval_id, true)).status).toBe(200);
    expect(await key.wallet()).toBe(before);
    expect(await key.questions()).toEqual([]);
    expectSuccess(await send(once));
    const units = Math.round(route.price * 10_000);
    expect(readApprovals(key)).toEqual([{ status: 'used', asked_units: units, used_units: units }]);
  },
);

test.each(spendingRoutes)(
  '$name stays refused after a denial, and another request has its own question',
  async (route) => {
    const { key, send } = await prepare(route, { ask_above: 0 });
    const before = await key.wallet();
    const { approval_id: id } = approvalOf(await send(once));
    await key.answer(id, false);
    const refused = await send(once);
    expect(refused.status).toBe(402);
    expect(refused.text).toMatch(/denied/);
    expect(await key.questions()).toEqual([]);
    expect(await key.wallet()).toBe(before);
    expect((await key.answer(id, true)).status).toBe(404);
    const other = await send({ headers: { 'idempotency-key': 'two' } });
    expect(approvalOf(other).approval_id).not.toBe(id);
  },
);

test.each(spendingRoutes)(
  '$name by the app itself has no limits and no question',
  async (route) => {
    const key = await openGuardedKey(environments.staging, 0, { cap_per_call: 0, ask_above: 0 });
    if (/lookup/.test(route.name)) return;
    const { path, options } = await route.prepare(key, environments.staging);
    await key.app('POST', 'wallet/grants', { credits: 100 });
    expectSuccess(
      await environments.staging.call('POST', path, { ...options, headers: key.account }),
    );
  },
);

const enrich = 'api/v1/data-enrichment';
/** Contacts whose rows are each charged. */
const charged = ['enriched', 'moved', 'left', 'phone'].map(contact);
const order = (count: number) => ({
  json: { selected_layers: ['L1'], rows: charged.slice(0, count) },
});

test('without an Idempotency-Key one approval serves one of several equal requests, and the next one asks', async () => {
  const key = await openGuardedKey(environments.staging, 100, { ask_above: 1 });
  const submit = () => key.rest('POST', `${enrich}/submit/`, order(3));
  const asked = await Promise.all([submit(), submit(), submit()]);
  const ids = new Set(asked.map((answer) => approvalOf(answer).approval_id));
  expect(ids.size).toBe(1);
  await key.answer([...ids][0], true);
  const answers = await Promise.all(Array.from({ length: 6 }, submit));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
  // The sum held or settled so far.
  expect(await key.wallet()).toMatch(/^97\.0000 /);
  expect((await key.questions()).map(({ id }) => id)).not.toContain([...ids][0]);
});

test('an approval serves no other body, route or key', async () => {
  const key = await openGuardedKey(environments.staging, 100, { ask_above: 1 });
  const submit = (count: number) =>
    key.rest('POST', `${enrich}/submit/`, { ...order(count), ...once });
  await key.answer(approvalOf(await submit(3)).approval_id, true);
  expect((await submit(4)).status).toBe(409);
  expect((await submit(2)).status).toBe(409);
  const json = { rows: order(3).json.rows };
  expect((await key.rest('POST', 'api/v1/career-monitor/jobs/', { json, ...once })).status).toBe(
    409,
  );
  const made = await key.app('POST', 'keys', { label: 'other', ask_above: 1 });
  const other = await environments.staging.call('POST', `${enrich}/submit/`, {
    ...order(3),
    ...once,
    key: made.data.key,
  });
  expect(other.status).toBe(409);
  expect((await submit(3)).status).toBe(202);
  // The sum held or settled so far.
  expect(await key.wallet()).toMatch(/^97\.0000 /);
});

test('a refused request leaves the approval for its repeat', async () => {
  const key = await openGuardedKey(environments.staging, 3, { ask_above: 1 });
  const submit = () => key.rest('POST', `${enrich}/submit/`, { ...order(3), ...once });
  await key.answer(approvalOf(await submit()).approval_id, true);
  const mine = { ...order(2), headers: key.account };
  expect((await environments.staging.call('POST', `${enrich}/submit/`, mine)).status).toBe(202);
  expect((await submit()).body.error).toBe('insufficient_credits');
  expect(readApprovals(key)).toMatchObject([{ status: 'allowed' }]);
  await key.app('POST', 'wallet/grants', { credits: 2 });
  expect((await submit()).status).toBe(202);
  expect(readApprovals(key)).toMatchObject([{ status: 'used', used_units: 30_000 }]);
});

test('owned values, a price of 0 and estimates are neither refused nor questioned', async () => {
  const key = await openGuardedKey(environments.staging, 100, {});
  const lookUp = () =>
    key.rest('POST', 'phone/enrichment/', {
      json: { profile_url: 'https://sandbox.example/in/phone' },
    });
  expect((await lookUp()).status).toBe(200);
  await key.app('PATCH', `keys/${key.id}`, { cap_per_call: 0, ask_above: 0 });
  expect((await lookUp()).status).toBe(200);
  expect((await key.rest('POST', `${enrich}/estimate/`, order(3))).status).toBe(200);
  await key.app('PUT', 'rates/L1', { price: '0' });
  expect((await key.rest('POST', `${enrich}/submit/`, order(3))).status).toBe(202);
});

test('a pipeline of owned contacts is free, and no pipeline holds more than was approved', async () => {
  const key = await openGuardedKey(environments.staging, 100, {});
  const start = (json: Json, name: string = crypto.randomUUID()) =>
    key.rest('POST', 'api/v1/pipeline/', { json, headers: { 'idempotency-key': name } });
  const whenEnded = (answer: Answer) =>
    expect
      .poll(async () => {
        const path = `api/v1/pipeline/${answer.data.pipeline_id}/`;
        return (await key.rest('GET', path)).data;
      })
      .toMatchObject({ status: 'completed' });
  const everybody = { filters: { company_name: 'Sandbox Works', limit: 100 }, unlock: ['email'] };
  await key.app('PATCH', `keys/${key.id}`, { ask_above: 0 });
  const priceBefore = approvalOf(await start(everybody, 'before')).credits;
  await key.app('PATCH', `keys/${key.id}`, { ask_above: null });
  const first = await start({
    contacts: [contact('enriched'), contact('phone')],
    unlock: ['email'],
  });
  await whenEnded(first);
  const path = `api/v1/pipeline/${first.data.pipeline_id}/result/`;
  const { results } = (await key.rest('GET', path)).data;
  const uuids = results.map(({ uuid }: Json) => uuid);
  expect((await key.wallet()).split(' ')[2]).toBe('2.0000');
  await key.app('PATCH', `keys/${key.id}`, { cap_per_call: 0, ask_above: 0 });
  await whenEnded(await start({ uuids, unlock: ['email'] }));
  await key.app('PATCH', `keys/${key.id}`, { cap_per_call: null });
  const priceAfter = approvalOf(await start(everybody, 'after')).credits;
  expect(Number(priceBefore) - Number(priceAfter)).toBe(2);
  const wider = { uuids, unlock: ['email', 'phone'] };
  const asked = await start(wider, 'wider');
  expect(approvalOf(asked).credits).toBe('10.0000');
  await key.answer(approvalOf(asked).approval_id, true);
  await whenEnded(await start(wider, 'wider'));
  expect((await key.wallet()).split(' ')[1]).toBe('0.0000');
});
