// What an API key may spend at data services: nothing, unless it is allowed to.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { ProviderRow } from '../../engine/contract/provider.ts';
import { type Desk, type Json, shareApiDesk, submit } from '../http/open-api-desk.ts';
import { found, playProvider } from './play-provider.ts';

const paid = { work_email: { needs: [['profile_url'], ['email']] as const, costMaxCredits: 2 } };
const { provider, asked } = playProvider(
  ({ profile_url: url = '', email = `${url.split('/').at(-1)}@x.example` }: ProviderRow) =>
    found({ email }, { costCredits: 2 }),
  { id: 'paid', title: 'Paid', fields: paid, rowsMax: 1 },
);
const openDesk = shareApiDesk({}, { provider });

const nextUrl = (): string => `https://people.example/${randomUUID()}`;

async function makeKey(desk: Desk, providerCap?: number | null): Promise<string> {
  const json = { label: 'assistant', provider_cap: providerCap };
  return (await desk.app('POST', 'keys', { json })).data.key;
}

const withKey = (desk: Desk, key: string): Desk => ({
  ...desk,
  call: (method, path, options) => desk.call(method, path, { key, ...options }),
});

async function countAsked(work: () => Promise<unknown>): Promise<number> {
  const before = asked.length;
  await work();
  return asked.length - before;
}

const lookUp = (desk: Desk, key: string, url = nextUrl()) =>
  desk.call('POST', `/email/enrichment?token=${key}`, { key: null, json: { profile_url: url } });

async function callTool(desk: Desk, key: string, name: string, args: Json): Promise<Json> {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await fetch(`${desk.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  return ((await response.json()) as Json).result;
}

const findEmail = (desk: Desk, key: string, more = {}) =>
  callTool(desk, key, 'enrich_email', { profile_url: nextUrl(), ...more });

test('a new key spends nothing at data services: no lookup, no tool and no job', async () => {
  const desk = await openDesk();
  const key = await makeKey(desk);
  expect((await lookUp(desk, key)).status).toBe(404);
  expect((await findEmail(desk, key)).structuredContent).toMatchObject({ status: 'not_found' });
  expect(asked).toEqual([]);
  const jobId = await submit(withKey(desk, key), 'a@x.example');
  expect(await countAsked(() => desk.environment.finish(jobId))).toBe(0);
  // The app is not a key.
  const [shown] = (await desk.app('GET', 'keys')).data.slice(-1);
  expect(shown).toMatchObject({ label: 'assistant', provider_cap: 0 });
});

test('a key may spend its cap in each request, and stored answers are free', async () => {
  const desk = await openDesk();
  const key = await makeKey(desk, 4);
  const url = nextUrl();
  expect(await countAsked(() => lookUp(desk, key, url))).toBe(1);
  expect((await lookUp(desk, await makeKey(desk), url)).status).toBe(200);
  expect(await countAsked(() => findEmail(desk, key))).toBe(1);
  const jobId = await submit(withKey(desk, key), 'b@x.example', 'c@x.example', 'd@x.example');
  expect(await countAsked(() => desk.environment.finish(jobId))).toBe(2);
  const [spent] = (await desk.app('GET', `jobs/${jobId}/providers`)).data;
  expect(spent).toMatchObject({ credits: 4, note: expect.stringMatching(/API key.*4 credits/) });
  const narrow = await makeKey(desk, 1);
  expect(await countAsked(() => lookUp(desk, narrow))).toBe(0);
});

test('a dry run of a tool spends nothing at data services', async () => {
  const desk = await openDesk();
  const key = await makeKey(desk, null);
  expect(await countAsked(() => findEmail(desk, key, { dry_run: true }))).toBe(0);
  expect(await countAsked(() => findEmail(desk, key))).toBe(1);
});

test('check_wallet names the balances of data services', async () => {
  const desk = await openDesk();
  const key = await makeKey(desk);
  const readServices = async () =>
    (await callTool(desk, key, 'check_wallet', {})).structuredContent.data_services;
  expect(await readServices()).toBeUndefined();
  const store = new Database(join(desk.environment.folder, 'engine.db'));
  store.exec(`INSERT INTO provider_balance (provider, credits, at) VALUES
    ('paid', 40, '2026-11-22T08:00:00.000Z'), ('paid', 38, '2026-11-23T08:00:00.000Z')`);
  store.close();
  expect(await readServices()).toEqual([
    { provider: 'paid', credits: 38, read_at: '2026-11-23T08:00:00.000Z' },
  ]);
});
