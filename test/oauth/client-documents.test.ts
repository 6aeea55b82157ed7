// Clients that describe themselves in a document at an https address, which is their client_id.
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { clientDocumentKeptMs } from '../../engine/contract/limits/oauth.ts';
import { fetchDocument } from '../../engine/oauth/fetch-document.ts';
import { openHost, serveDocument } from './document-host.ts';
import { openOauthDesk, redirectUri } from './open-oauth-desk.ts';

const open = () => openOauthDesk({ documentSource: { isAllowed: () => true } });

test('a client with a document is authorized without registration, on any loopback port', async () => {
  let asked = 0;
  const answer = serveDocument();
  const client_id = await openHost((request, response) => {
    asked += 1;
    answer(request, response);
  });
  const desk = await open();
  const code = await desk.obtainCode({ client_id });
  const { body } = await desk.redeem(code, { client_id });
  expect(await desk.tryKey(body.access_token)).toBe(200);
  const { data } = await desk.app('GET', 'connections');
  expect(data[0]).toMatchObject({ client_name: 'Documented program', client_id });
  // It is cached for an hour.
  await desk.authorize({ client_id });
  expect(asked).toBe(1);
  desk.clock.ms += clientDocumentKeptMs;
  await desk.authorize({ client_id });
  expect(asked).toBe(2);
});

test.each([
  [
    'that names another client_id',
    serveDocument({ client_id: 'https://else.example/client.json' }),
  ],
  ['without a name', serveDocument({ client_name: '' })],
  ['without addresses', serveDocument({ redirect_uris: [] })],
  ['with an address of another kind', serveDocument({ redirect_uris: ['javascript:alert(1)'] })],
  [
    'with one address of a scheme that is not allowed',
    serveDocument({ redirect_uris: ['http://localhost/callback', 'shell:startup'] }),
  ],
  ['with a secret', serveDocument({ client_secret: 'known to all' })],
  [
    'that wants to log in with a secret',
    serveDocument({ token_endpoint_auth_method: 'client_secret_post' }),
  ],
  ['that is not JSON', serveDocument({}, 'text/html')],
  ['that is too large', serveDocument({ more: 'x'.repeat(20_000) })],
  [
    'that is somewhere else',
    (_request, response) => response.writeHead(302, { location: '/' }).end(),
  ],
  ['that is not there', (_request, response) => response.writeHead(404).end('{}')],
] as [string, RequestListener][])('a document %s identifies no client', async (_what, listener) => {
  const client_id = await openHost(listener);
  const desk = await open();
  const { status, location } = await desk.authorize({ client_id });
  expect([status, location]).toEqual([400, null]);
});

test('a document is valid only for its own addresses', async () => {
  const client_id = await openHost(serveDocument({ redirect_uris: ['https://a.example/cb'] }));
  const desk = await open();
  expect((await desk.authorize({ client_id, redirect_uri: redirectUri })).status).toBe(400);
});

test.each([
  'https://localhost:1/client.json',
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://10.0.0.1/client.json',
  'http://example.com/client.json',
])('%s is never requested', async (url) => {
  await expect(fetchDocument(url)).rejects.toThrow(
    /https URL with a host name|address that is not allowed/,
  );
});

test.each([
  'https://a.example',
  'https://a.example/',
  'https://u@a.example/c',
  'https://a.example/c#x',
  'https://a.example/../c',
])('%s cannot be a client_id', async (client_id) => {
  const desk = await open();
  expect((await desk.authorize({ client_id })).status).toBe(400);
});
