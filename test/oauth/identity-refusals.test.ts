// Every failure of a login at an identity provider is reported in a sentence and authorizes
// nothing.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { identityLoginKeptMs, loginBeginsMax } from '../../engine/contract/limits/accounts.ts';
import { logInAtProvider } from './identity-provider.ts';
import { type IdentityDesk, openIdentityDesk } from './open-identity-desk.ts';
import type { OauthAnswer } from './open-oauth-desk.ts';

/** No one may answer a page's request now, and it still waits. */
async function expectNobody(desk: IdentityDesk, transaction: string): Promise<void> {
  const tried = await desk.post('/oauth/authorize', { transaction, action: 'allow-proven' });
  expect([tried.status, tried.location]).toEqual([401, null]);
  expect((await desk.app('GET', 'connections')).data).toEqual([]);
  expect((await desk.app('GET', 'authorizations')).data).not.toEqual([]);
}

const alertOf = ({ text }: OauthAnswer): string =>
  /role="alert">([^<]+)</.exec(text)?.[1]?.replaceAll('&#39;', "'") ?? text;

/** One login whose steps are manipulated. */
interface Meddling {
  readonly person?: string;
  /** Changes the provider's address for the browser. */
  ask?(url: URL): void;
  answer?(callback: URL, desk: IdentityDesk): unknown;
}

const meddlings: readonly (readonly [what: string, meddling: Meddling, said: RegExp])[] = [
  ['a stranger’s email', { person: 'bob' }, /^bob@example\.test may not authorize apps here/],
  ['a person without an email', { person: 'nameless' }, /^nameless may not authorize apps here/],
  ['an email that is not verified', { person: 'unverified' }, /is not verified\. Verify it/],
  ['a person who stops it', { person: 'nobody' }, /did not log you in, or you cancelled the login/],
  [
    'the name of another provider',
    { answer: (url) => url.searchParams.set('iss', 'https://evil.example') },
    /does not come from 127\.0\.0\.1:\d+\./,
  ],
  [
    'no name of a provider',
    { answer: (url) => url.searchParams.delete('iss') },
    /does not come from 127\.0\.0\.1:\d+\./,
  ],
  [
    'the nonce of another login',
    { ask: (url) => url.searchParams.set('nonce', 'another') },
    /belongs to another login/,
  ],
  [
    'an unknown state',
    { answer: (url) => url.searchParams.set('state', 'another') },
    /was already used or has expired/,
  ],
  [
    'a state that is too old',
    {
      answer(_, desk) {
        desk.clock.ms += identityLoginKeptMs;
      },
    },
    /was already used or has expired/,
  ],
  [
    'the code of another login',
    {
      async answer(url, desk) {
        const { location } = await desk.proceed(await desk.openPage('another'));
        const other = await logInAtProvider(location ?? '', 'ann');
        url.searchParams.set('code', other.searchParams.get('code') ?? '');
      },
    },
    /reports that the login was used or has expired/,
  ],
  [
    'an error of the provider',
    {
      answer(url) {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'server_error');
        url.searchParams.set('error_description', 'Call 555-1234');
      },
    },
    /refused the login \(server_error\)/,
  ],
  [
    'an error that is not a standard code',
    {
      answer(url) {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'Call 555-1234');
      },
    },
    /refused the login\. Compare/,
  ],
  [
    'a provider that has ended meanwhile',
    { answer: (_, desk) => desk.provider.close() },
    /could not be reached \(ECONNREFUSED\)/,
  ],
  [
    'a secret that is not the client’s',
    { answer: (_, desk) => desk.setProvider({ client_secret: 'wrong' }) },
    /settings of this login have changed/,
  ],
  [
    'settings that were taken away meanwhile',
    { answer: (_, desk) => desk.app('DELETE', 'identity-provider') },
    /settings of this login have changed/,
  ],
];

test.each(meddlings)('%s authorizes nothing and is reported', async (_what, meddling, said) => {
  const desk = await openIdentityDesk();
  const transaction = await desk.openPage();
  const { location } = await desk.proceed(transaction);
  const url = new URL(location ?? '');
  meddling.ask?.(url);
  const callback = await logInAtProvider(url.href, meddling.person ?? 'ann');
  await meddling.answer?.(callback, desk);
  const refused = await desk.handOn(transaction, callback);
  expect([Math.floor(refused.status / 100), refused.location]).toEqual([4, null]);
  expect(alertOf(refused)).toMatch(said);
  expect(refused.text).not.toContain('555-1234');
  await expectNobody(desk, transaction);
});

test('a failed login may be repeated on the same page', async () => {
  const desk = await openIdentityDesk();
  const transaction = await desk.openPage();
  expect((await desk.logIn('bob', transaction)).status).toBe(403);
  expect((await desk.logIn('ann', transaction)).status).toBe(200);
  const allowed = await desk.post('/oauth/authorize', { transaction, action: 'allow-proven' });
  expect(allowed.status).toBe(303);
});

test('a response is valid for one attempt, whichever page makes it', async () => {
  const desk = await openIdentityDesk();
  const page = await desk.openPage();
  const { location } = await desk.proceed(page);
  const callback = await logInAtProvider(location ?? '', 'ann');
  const elsewhere = await desk.handOn('', callback);
  expect([elsewhere.status, elsewhere.text.includes('not started in this tab')]).toEqual([
    400,
    true,
  ]);
  expect(alertOf(await desk.handOn(page, callback))).toMatch(/was already used/);
  await expectNobody(desk, page);
});

test('a response from another page of this browser is refused', async () => {
  const desk = await openIdentityDesk();
  const [page, other] = [await desk.openPage(), await desk.openPage('another')];
  const { location } = await desk.proceed(page);
  const callback = await logInAtProvider(location ?? '', 'ann');
  const refused = await desk.handOn(other, callback);
  expect([refused.status, refused.text.includes('not started in this tab')]).toEqual([400, true]);
  await expectNobody(desk, other);
  await expectNobody(desk, page);
});

test('the provider is not asked before the tab has proven itself', async () => {
  const desk = await openIdentityDesk();
  const { location } = await desk.proceed(await desk.openPage());
  const callback = await logInAtProvider(location ?? '', 'ann');
  const before = desk.provider.asked.length;
  await desk.handOn('a guess', callback);
  expect(desk.provider.asked).toHaveLength(before);
});

test('a person who was removed from the list after the login authorizes nothing', async () => {
  const desk = await openIdentityDesk();
  const { transaction } = await desk.logIn('ann');
  await desk.setProvider({ emails: ['bob@example.test'] });
  await expectNobody(desk, transaction);
});

test('a client that the provider refuses is reported as such', async () => {
  const desk = await openIdentityDesk();
  await desk.setProvider({ client_secret: 'wrong' });
  const refused = await desk.logIn('ann');
  expect(alertOf(refused)).toMatch(/rejected the client or its secret/);
});

test('an ID token with another key’s signature is refused', async () => {
  const desk = await openIdentityDesk({}, { hasForeignKeys: true });
  const refused = await desk.logIn('ann');
  expect(alertOf(refused)).toMatch(/did not respond like an identity provider/);
  await expectNobody(desk, refused.transaction);
});

/** A server that is not an identity provider; returns its address. */
async function openIssuer(listener: (issuer: string) => RequestListener): Promise<string> {
  let answer: RequestListener = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = listener(issuer);
  return issuer;
}

const serveMetadata =
  (change: object) =>
  (issuer: string): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json');
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/t` };
    response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/j`, ...endpoints, ...change }));
  };

const issuers: readonly (readonly [
  what: string,
  listener: (issuer: string) => RequestListener,
  said: RegExp,
])[] = [
  ['is a page', () => (_, response) => void response.end('<p>Hello'), /did not respond like an/],
  [
    'is nothing',
    () => (_, response) => void response.writeHead(404).end(),
    /did not respond like an identity provider/,
  ],
  [
    'is somewhere else',
    () => (_, response) => void response.writeHead(302, { location: '/else' }).end(),
    /did not respond like an identity provider/,
  ],
  [
    'calls itself otherwise',
    serveMetadata({ issuer: 'https://evil.example' }),
    /calls itself https:\/\/evil\.example\. Set exactly the issuer/,
  ],
  [
    'speaks for many tenants',
    (issuer) => serveMetadata({ issuer: `${issuer}/{tenantid}` })(issuer),
    /calls itself .*tenantid.*\. Set exactly the issuer/,
  ],
  [
    'sends people where nothing is encrypted',
    serveMetadata({ authorization_endpoint: 'http://accounts.example.com/auth' }),
    /uses a URL that is not https/,
  ],
  [
    'sends people to a script',
    serveMetadata({ authorization_endpoint: 'javascript:alert(1)' }),
    /did not respond like an identity provider/,
  ],
  [
    'answers without end',
    serveMetadata({ more: 'x'.repeat(300_000) }),
    /response that is too large/,
  ],
];

test.each(issuers)(
  'an issuer that %s is reported, on the page and by the check',
  async (...row) => {
    const [, listener, said] = row;
    const desk = await openIdentityDesk();
    await desk.setProvider({ issuer: await openIssuer(listener) });
    const refused = await desk.proceed(await desk.openPage());
    expect([refused.status, refused.location]).toEqual([502, null]);
    expect(alertOf(refused)).toMatch(said);
    const { data } = await desk.app('POST', 'identity-provider/check', { json: {} });
    expect(data).toEqual({ ok: false, detail: expect.stringMatching(said) });
  },
);

test('a provider that does not answer in time is given up, and the app still answers', async () => {
  const deadline = new AbortController();
  const desk = await openIdentityDesk({ identityDeadline: () => deadline.signal });
  const issuer = await openIssuer(() => () => deadline.abort());
  await desk.setProvider({ issuer });
  const transaction = await desk.openPage();
  const refused = await desk.proceed(transaction);
  expect([refused.status, alertOf(refused)]).toEqual([
    502,
    expect.stringMatching(/did not answer in time\. Try again, or answer in the app\./),
  ]);
  const { data } = await desk.app('GET', 'authorizations');
  await desk.app('POST', `authorizations/${data[0].id}/allow`, { json: {} });
  expect((await desk.post('/oauth/wait', { transaction })).body.state).toBe('answered');
});

test('a provider that is down is reported when the login begins', async () => {
  const desk = await openIdentityDesk();
  desk.provider.close();
  const refused = await desk.proceed(await desk.openPage());
  expect(alertOf(refused)).toMatch(/could not be reached \(ECONNREFUSED\)/);
});

test('a page may start twenty logins in fifteen minutes, independently of other pages', async () => {
  const desk = await openIdentityDesk();
  const transaction = await desk.openPage();
  for (let count = 0; count < loginBeginsMax; count += 1)
    expect((await desk.proceed(transaction)).status).toBe(303);
  const refused = await desk.proceed(transaction);
  expect([refused.status, alertOf(refused)]).toEqual([
    429,
    'Too many attempts. Wait 15 min, or answer in the app.',
  ]);
  const other = await desk.openPage('of another page');
  expect((await desk.proceed(other)).status).toBe(303);
});

test('without a provider no login can be started', async () => {
  const desk = await openIdentityDesk();
  await desk.app('DELETE', 'identity-provider');
  const page = await desk.authorize();
  expect(page.text).not.toContain('Continue with');
  const transaction = await desk.openPage();
  for (const action of ['provider', 'provider nobody', 'allow-proven', 'constructor']) {
    const refused = await desk.post('/oauth/authorize', { transaction, action });
    expect(refused.location).toBe(null);
  }
  await expectNobody(desk, transaction);
});
