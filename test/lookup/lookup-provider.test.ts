// Direct lookups beyond the directory: results and failures of the provider.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import { ProviderError, type ProviderRow } from '../../engine/contract/provider.ts';
import { type Json, send, sessionToken } from '../http/open-api-desk.ts';
import { fails, found, nothing, playProvider, type SayField } from '../providers/play-provider.ts';
import { ada, expectLookupRefusal, hidden, nobody, openLookupDesk, shared } from './lookup-desk.ts';

const everything = {
  email: 'new@up.example',
  mobile_phone: '+41791000077',
  direct_phone: '+41311000077',
};
const knows = (change: object = {}) =>
  found({ ...everything, ...change }, { status: 'catch_all', observedOn: '2026-11-01' });

/** A provider with these results in turn, and the rows that it received. */
function playInTurn(...said: (SayField | ProviderError)[]) {
  const asked: ProviderRow[] = [];
  const say = (row: ProviderRow) => {
    asked.push(row);
    const next = said.length > 1 ? said.shift() : said[0];
    if (next instanceof ProviderError) throw next;
    return next ?? nothing;
  };
  return { ...playProvider(say, { title: 'Played', repeatDelaysMs: [1, 1] }), asked };
}

/** A desk with such a provider behind its directory. */
async function openProvidedDesk(...said: Parameters<typeof playInTurn>) {
  const { provider, asked } = playInTurn(...said);
  const desk = await openLookupDesk({}, { provider });
  return { desk, asked };
}

test('the provider is asked for people that the directory does not know, and found values are owned', async () => {
  const { desk, asked } = await openProvidedDesk(knows());
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
  const { desk, asked } = await openProvidedDesk(knows());
  expect((await desk.lookUp('phone', ada)).body.results).toEqual({ phone: '+41791000001' });
  for (const url of [hidden, shared]) expectLookupRefusal(await desk.lookUp('email', url), 404);
  expect(asked).toEqual([]);
});

test.each([
  ['nothing', nothing, 'email'],
  ['an address that is known to be invalid', found(everything, { status: 'invalid' }), 'email'],
  ['no address', knows({ email: '' }), 'email'],
  ['no number', knows({ mobile_phone: '', direct_phone: '' }), 'phone'],
] as const)('404 if the provider finds %s', async (_what, said, kind) => {
  const { desk } = await openProvidedDesk(said);
  expectLookupRefusal(await desk.lookUp(kind, nobody), 404, /Nothing was charged/);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

const down = new ProviderError('unavailable', 'The provider sleeps. Try again later.');
const refused = new ProviderError('quota', 'The provider wants credits. Add some there.');

test.each<[string, SayField | ProviderError, number, RegExp, tries: number]>([
  ['500 upstream down, after all retries', down, 500, /provider sleeps/, 3],
  ['402 upstream without credits, at once', refused, 402, /wants credits/, 1],
  [
    '500 where the provider received the request and could not answer it, at once',
    fails('The provider stumbled. Try again.'),
    500,
    /stumbled/,
    1,
  ],
])('%s: nothing is charged', async (_title, said, status, message, tries) => {
  const { desk, asked } = await openProvidedDesk(said);
  expectLookupRefusal(await desk.lookUp('phone', nobody), status, message);
  expect(asked).toHaveLength(tries);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('a provider that recovers within its retries has no effect on the result', async () => {
  const { desk } = await openProvidedDesk(down, knows());
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
