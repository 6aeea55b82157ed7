// An organisation's rules over HTTP: what they set, what the engine refuses, and what it shows.
import { expect, test } from 'vitest';
import type { TeamConfig } from '../../engine/contract/team/team-config.ts';
import { expectRefusal, openApiDesk, openRestartableDesk } from '../http/open-api-desk.ts';
import { nothing, playProvider } from '../providers/play-provider.ts';

const policy: TeamConfig = {
  organisation: 'Acme',
  upstream: { address: 'https://desk.acme.example/', is_local: true },
  providers: { allowed: ['desk'] },
  rates: {
    L1: { binding: 'fixed', price: '0.4', active: true },
    L2: { binding: 'default', price: '3' },
  },
  caps: { keys: { per_day: '20', per_call: '5' }, providers: { paid: { job: 10 } } },
  settings: {
    match_threshold: { binding: 'fixed', value: 0.95 },
    infer_emails: { binding: 'default', value: true },
  },
};
const { provider } = playProvider(() => nothing, {
  id: 'paid',
  title: 'Paid',
  rowsMax: 1,
  fields: { work_email: { needs: [['email' as const]], costMaxCredits: 2 } },
});

/** A folder that was used without rules, and is then opened with them. */
async function openRuled() {
  const setting: { policy?: TeamConfig; provider: typeof provider } = { provider };
  const { desk, restart } = await openRestartableDesk(setting);
  const free = await desk.app('PATCH', 'providers/paid', { json: { caps: { job: 900 } } });
  expect(free.status).toBe(200);
  expect((await desk.app('GET', 'organisation')).data).toEqual({
    name: null,
    upstream: null,
    allowed_providers: null,
    sources: [],
    rules: [],
  });
  return restart(async () => {
    setting.policy = policy;
  });
}

test('rules hold for what was there and for what is new, and are shown with their source', async () => {
  const desk = await openRuled();
  const { data: state } = await desk.app('GET', 'state');
  // A default is what a new account starts with; this account is older than the rules.
  expect(state.account).toMatchObject({ match_threshold: 0.95, infer_emails: false });
  const priceOf = async (headers = {}) =>
    (await desk.app('GET', 'rates', { headers })).data
      .slice(0, 2)
      .map(({ price }: { price: string }) => price);
  expect(await priceOf()).toEqual(['0.4000', '0.5000']);
  const made = await desk.app('POST', 'accounts', { json: { name: 'New' } });
  expect(made.data).toMatchObject({ match_threshold: 0.95, infer_emails: true });
  expect(await priceOf({ 'x-desk-account': made.data.id })).toEqual(['0.4000', '3.0000']);
  const keys = (await desk.app('GET', 'keys')).data;
  for (const key of keys)
    expect(key).toMatchObject({ cap_per_call: '5.0000', cap_per_day: '20.0000' });
  expect((await desk.app('GET', 'providers')).data.providers[0].caps.job).toBe(10);
  const { data: shown } = await desk.app('GET', 'organisation');
  expect(shown).toMatchObject({ name: 'Acme', allowed_providers: ['desk'] });
  expect(shown.rules).toContainEqual({
    path: 'settings.match_threshold',
    value: '{"binding":"fixed","value":0.95}',
    is_locked: true,
    source: shown.sources[0],
  });
  const { data: checks } = await desk.app('GET', 'doctor');
  expect(checks.at(-1)).toMatchObject({ name: 'Organisation', state: 'ok' });
  expect(checks.at(-1).detail).toMatch(/^10 rules, 7 of them fixed, from /);
  const { data: log } = await desk.app('GET', 'audit?limit=50');
  const done = log.entries.map(({ action, actor }: Record<string, unknown>) => [action, actor]);
  for (const action of ['account_changed', 'rate_changed', 'key_changed', 'provider_changed'])
    expect(done).toContainEqual([action, 'engine']);
});

test('the engine refuses what the rules forbid, and takes the rest', async () => {
  const desk = await openApiDesk({}, { provider, policy });
  const { data: state } = await desk.app('GET', 'state');
  const account = `accounts/${state.account.id}`;
  const refuse = async (method: string, path: string, json: object, sentence: RegExp) =>
    expectRefusal(await desk.app(method, path, { json }), 'validation_error', sentence);
  const take = async (method: string, path: string, json: object) =>
    expect((await desk.app(method, path, { json })).status).toBeLessThan(300);
  await refuse('PATCH', account, { match_threshold: 0.8 }, /Match threshold: set by Acme\./);
  await take('PATCH', account, { match_threshold: 0.95, infer_emails: false });
  await refuse('PUT', 'rates/L1', { price: '1' }, /The price of L1: set by Acme\./);
  await refuse('PUT', 'rates/L1', { active: false }, /Whether L1 is on: set by Acme\./);
  await take('PUT', 'rates/L2', { price: '7', active: false });
  const day = /Credits per day: limited to 20 by Acme\./;
  await refuse('POST', 'keys', { label: 'wide', cap_per_day: '21' }, day);
  const { data: key } = await desk.app('POST', 'keys', { json: { label: 'new' } });
  await refuse('PATCH', `keys/${key.id}`, { cap_per_day: null }, day);
  await take('PATCH', `keys/${key.id}`, { cap_per_day: '3', cap_per_month: null });
  await refuse('PATCH', 'providers/paid', { caps: { job: null } }, /limited to 10 by Acme\./);
  await take('PATCH', 'providers/paid', { caps: { job: 9, day: null }, is_on: true });
  const secret = { key: 'sk_live_x' };
  await refuse('PUT', 'providers/hunter/key', secret, /hunter: not allowed by Acme\./);
  const elsewhere = { ...secret, address: 'https://elsewhere.example' };
  await refuse(
    'PUT',
    'providers/desk/key',
    elsewhere,
    /set to https:\/\/desk\.acme\.example\/ by Acme/,
  );
  const { data: client } = await desk.app('POST', 'stdio-clients', { json: { name: 'helper' } });
  const { data: keys } = await desk.app('GET', 'keys');
  expect(keys.find(({ id }: { id: string }) => id === client.key_id)).toMatchObject({
    cap_per_call: '5.0000',
    cap_per_day: '20.0000',
  });
});
