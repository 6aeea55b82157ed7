// Direct lookup (docs/api.md): requests, responses and charges.
import { expect, test } from 'vitest';
import {
  ada,
  alan,
  expectLookupRefusal,
  grace,
  hidden,
  nobody,
  shared,
  shareLookupDesk,
} from './lookup-desk.ts';

const openDesk = shareLookupDesk();

test('POST /phone/enrichment/ answers {status: "success", results: {phone}}', async () => {
  const desk = await openDesk();
  const answer = await desk.lookUp('phone', ada);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: { status: 'success', results: { phone: '+41791000001' } },
  });
});

test('POST /email/enrichment/ answers {status: "success", results: {email, email_status}}', async () => {
  const desk = await openDesk();
  const found = await desk.lookUp('email', ada);
  expect({ status: found.status, body: found.body }).toEqual({
    status: 200,
    body: { status: 'success', results: { email: 'ada@engines.example', email_status: 'valid' } },
  });
  expect((await desk.lookUp('email', grace)).body.results).toEqual({
    email: 'grace@navy.example',
    email_status: 'unknown',
  });
});

test.each(['/phone/enrichment', '/phone/enrichment/', '/email/enrichment', '/email/enrichment/'])(
  '%s answers without a redirect',
  async (path) => {
    const desk = await openDesk();
    const json = { profile_url: ada };
    const answer = await desk.call('POST', `${path}?token=${desk.key}`, { key: null, json });
    expect(answer.status).toBe(200);
  },
);

test('a mobile phone precedes a direct one, which is returned if there is no other', async () => {
  const desk = await openDesk();
  expect((await desk.lookUp('phone', ada)).body.results.phone).toMatch(/^\+4179/);
  expect((await desk.lookUp('phone', alan)).body.results.phone).toBe('+41311000003');
});

test('the profile URL is accepted in any spelling, and other fields are ignored', async () => {
  const desk = await openDesk();
  const json = { profile_url: ' linkedin.com/in/Ada-Lovelace/?trk=x#about ', first_name: 7 };
  expect((await desk.lookUp('email', null, { json })).body.results.email).toBe(
    'ada@engines.example',
  );
});

test('phone 5 credits, email 1, charged on success only', async () => {
  const desk = await openDesk();
  await desk.lookUp('email', ada);
  expect(await desk.readWallet()).toBe('99999.0000 1.0000');
  await desk.lookUp('phone', ada);
  expect(await desk.readWallet()).toBe('99994.0000 6.0000');
  for (const [kind, url] of [
    ['phone', nobody],
    ['phone', grace],
    ['email', alan],
    ['email', 'no address'],
  ] as const)
    expect((await desk.lookUp(kind, url)).status).toBeGreaterThanOrEqual(400);
  expect(await desk.readWallet()).toBe('99994.0000 6.0000');
});

test('paid values are owned: the same lookup again is free, with any of the account’s keys', async () => {
  const desk = await openDesk();
  const { data } = await desk.app('POST', 'keys', { json: { label: 'second' } });
  for (const token of [desk.key, desk.key, data.key]) {
    expect((await desk.lookUp('phone', ada, { token })).status).toBe(200);
    expect(await desk.readWallet()).toBe('99995.0000 5.0000');
  }
});

test('another account pays separately', async () => {
  const desk = await openDesk();
  await desk.lookUp('email', ada);
  const other = (await desk.app('POST', 'accounts', { json: { name: 'Other' } })).data;
  const headers = { 'x-desk-account': other.id };
  const { data } = await desk.app('POST', 'keys', { headers, json: { label: 'theirs' } });
  const short = await desk.lookUp('email', ada, { token: data.key });
  expectLookupRefusal(short, 402, /needs 1 credit and .*has 0\. Add 1 credit,/);
  await desk.app('POST', 'wallet/grants', { headers, json: { credits: '1' } });
  expect((await desk.lookUp('email', ada, { token: data.key })).status).toBe(200);
  expect((await desk.app('GET', 'wallet', { headers })).data.spent).toBe('1.0000');
  expect(await desk.readWallet()).toBe('99999.0000 1.0000');
});

test('402 with a short wallet: the missing amount is named, nothing is charged or returned', async () => {
  const desk = await openDesk();
  const other = (await desk.app('POST', 'accounts', { json: { name: 'Poor' } })).data;
  const headers = { 'x-desk-account': other.id };
  const { data } = await desk.app('POST', 'keys', { headers, json: { label: 'poor' } });
  await desk.app('POST', 'wallet/grants', { headers, json: { credits: '4.5' } });
  const answer = await desk.lookUp('phone', ada, { token: data.key });
  expectLookupRefusal(answer, 402, /needs 5 credits.*has 4\.5\. Add 0\.5 credits/);
  expect(answer.text).not.toContain('+41');
  expect((await desk.app('GET', 'wallet', { headers })).data).toMatchObject({
    available: '4.5000',
    spent: '0.0000',
  });
});

test('402 at the key’s own spending cap, though owned values stay free', async () => {
  const desk = await openDesk();
  const capped = { label: 'capped', cap_per_day: '5' };
  const { data } = await desk.app('POST', 'keys', { json: capped });
  const token = data.key;
  expect((await desk.lookUp('phone', ada, { token })).status).toBe(200);
  expectLookupRefusal(await desk.lookUp('email', ada, { token }), 402, /5 a day/);
  expect((await desk.lookUp('phone', ada, { token })).status).toBe(200);
});

test('100 parallel lookups of one person charge once', async () => {
  const desk = await openDesk();
  const { data } = await desk.app('POST', 'keys', { json: { label: 'second' } });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      desk.lookUp('phone', ada, { token: at % 2 ? desk.key : data.key }),
    ),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await desk.readWallet()).toBe('99995.0000 5.0000');
});

test('the ledger names the lookup, the person and the key, never the token', async () => {
  const desk = await openDesk();
  await desk.lookUp('email', ada);
  const { data } = await desk.app('GET', 'wallet/entries');
  expect(data.results[0]).toMatchObject({
    kind: 'charge',
    amount: '1.0000',
    reference: expect.stringMatching(/^email lookup of person [0-9a-f-]{36}$/),
    key_label: 'tests',
    person_name: 'Ada Lovelace',
  });
  expect(JSON.stringify(data)).not.toContain(desk.key);
});

test.each([
  ['no one has the URL', 'email', nobody],
  ['several people hold the URL, which identifies no one', 'email', shared],
  ['the person is suppressed', 'email', hidden],
  ['the only address is known to be invalid', 'email', alan],
  ['no phone is known', 'phone', grace],
] as const)('404 if nothing is found: %s', async (_title, kind, url) => {
  const desk = await openDesk();
  expectLookupRefusal(await desk.lookUp(kind, url), 404, /Nothing was charged/);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});
