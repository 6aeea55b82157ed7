// Direct lookups beyond the directory: results and failures of the provider.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import {
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderRow,
} from '../../engine/contract/provider.ts';
import { type Json, send, sessionToken } from '../http/open-api-desk.ts';
import { ada, expectLookupRefusal, hidden, nobody, openLookupDesk, shared } from './lookup-desk.ts';

const uuid = 'f0000000-0000-4000-8000-000000000000';
const found = (
  values: Readonly<Record<string, string>>,
  employmentStatus: 'Current' | 'Left' = 'Current',
): ProviderAnswer => ({
  ...{ kind: 'found', contactUuid: uuid, employmentStatus, values },
  ...{ confidence: 0.97, observedOn: '2026-11-01' },
});
const everything = {
  ...{ Email: 'new@up.example', 'Email status': 'catch_all' },
  ...{ 'Mobile phone': '+41791000077', 'Direct phone': '+41311000077' },
};

/** A provider with these results in turn, and the rows that it received. */
function playProvider(...said: (ProviderAnswer | ProviderError)[]) {
  const asked: ProviderRow[] = [];
  const provider: Provider = {
    name: 'Played',
    rowsMax: 25,
    retryDelaysMs: [1, 1],
    async answer({ rows }) {
      asked.push(...rows);
      const next = said.length > 1 ? said.shift() : said[0];
      if (next instanceof ProviderError) throw next;
      return next ? [next] : [];
    },
  };
  return { provider, asked };
}

/** A desk with such a provider behind its directory. */
async function openProvidedDesk(...said: Parameters<typeof playProvider>) {
  const { provider, asked } = playProvider(...said);
  const desk = await openLookupDesk({}, { provider });
  return { desk, asked };
}

test('the provider is asked for people that the directory does not know, and found values are owned', async () => {
  const { desk, asked } = await openProvidedDesk(found(everything));
  for (const _again of [1, 2]) {
    expect((await desk.lookUp('phone', nobody)).body.results).toEqual({ phone: '+41791000077' });
    expect((await desk.lookUp('email', nobody)).body.results).toEqual({
      email: 'new@up.example',
      email_status: 'catch_all',
    });
    expect(await desk.readWallet()).toBe('99994.0000 6.0000');
  }
  expect(asked[0]).toEqual({ profile_url: nobody });
});

test('the provider is never asked for people that the directory knows or withholds', async () => {
  const { desk, asked } = await openProvidedDesk(found(everything));
  expect((await desk.lookUp('phone', ada)).body.results).toEqual({ phone: '+41791000001' });
  for (const url of [hidden, shared]) expectLookupRefusal(await desk.lookUp('email', url), 404);
  expect(asked).toEqual([]);
});

test.each([
  ['nothing', { kind: 'nobody' }, 'email'],
  ['an address that is known to be invalid', { 'Email status': 'invalid' }, 'email'],
  ['no address', { Email: '' }, 'email'],
  ['no number', { 'Mobile phone': '', 'Direct phone': '' }, 'phone'],
] as const)('404 if the provider finds %s', async (_what, change, kind) => {
  const said: ProviderAnswer =
    'kind' in change ? { kind: 'nothing' } : found({ ...everything, ...change });
  const { desk } = await openProvidedDesk(said);
  expectLookupRefusal(await desk.lookUp(kind, nobody), 404, /Nothing was charged/);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('404 for the work email of a person who left', async () => {
  const { desk } = await openProvidedDesk(found(everything, 'Left'));
  expectLookupRefusal(await desk.lookUp('email', nobody), 404);
});

const down = new ProviderError('unavailable', 'The provider sleeps. Try again later.');
const refused = new ProviderError('refused_credits', 'The provider wants credits. Add some there.');

test.each<[string, ProviderAnswer | ProviderError, number, RegExp, tries: number]>([
  ['500 upstream down, after all retries', down, 500, /provider sleeps/, 3],
  ['402 upstream without credits, at once', refused, 402, /wants credits/, 1],
  [
    '500 where the provider cannot answer the lookup, after all retries',
    { kind: 'failed', detail: 'The provider stumbled. Try again.' },
    500,
    /stumbled/,
    3,
  ],
])('%s: nothing is charged', async (_title, said, status, message, tries) => {
  const { desk, asked } = await openProvidedDesk(said);
  expectLookupRefusal(await desk.lookUp('phone', nobody), status, message);
  expect(asked).toHaveLength(tries);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('a provider that recovers within its retries has no effect on the result', async () => {
  const { desk } = await openProvidedDesk(down, found(everything));
  expect((await desk.lookUp('email', nobody)).status).toBe(200);
});

test('staging answers lookups about the sandbox, with its own keys and credits', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-staging-'));
  const config = { dataDir, port: 0, socket: false, uiDir: null, sessionToken };
  const engine = await startEngine(config);
  onTestFinished(async () => {
    await engine.close();
    rmSync(dataDir, { recursive: true });
  });
  const app = (method: string, path: string, json?: Json) =>
    send(`${engine.url}/staging/app/v1/${path}`, method, {
      headers: { 'x-desk-session': sessionToken },
      json,
    });
  const { key } = (await app('POST', 'keys', { label: 'sandbox' })).data;
  const lookUp = (kind: string, mailbox: string, base = '/staging') => {
    const json = { profile_url: `https://sandbox.example/in/${mailbox}` };
    return send(`${engine.url}${base}/${kind}/enrichment/?token=${key}`, 'POST', { json });
  };
  const answers = await Promise.all([
    lookUp('email', 'enriched'),
    lookUp('phone', 'phone'),
    lookUp('phone', 'slow'),
    lookUp('email', 'left'),
    lookUp('email', 'no-match'),
    lookUp('email', 'suppressed'),
    lookUp('email', 'failed'),
    lookUp('email', 'upstream-credits'),
    lookUp('email', 'upstream-down'),
    lookUp('email', 'enriched', ''),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 200, 404, 404, 404, 500, 402, 500, 401,
  ]);
  expect(answers[0]?.body.results).toEqual({
    email: 'enriched@sandbox.example',
    email_status: 'valid',
  });
  for (const answer of answers.slice(3)) expectLookupRefusal(answer, answer.status);
  expect((await app('GET', 'wallet')).data).toMatchObject({
    available: '9989.0000',
    spent: '11.0000',
  });
});
