// An engine behind a proxy with TLS: `desk serve --public-url`.
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEngineHere } from '../engine-here.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { startTlsProxy } from './tls-proxy.ts';

/** An engine whose public address is that of a proxy before it. */
async function openProxied() {
  const proxy = await startTlsProxy();
  const dataDir = join(makeTemporaryFolder(), 'data');
  const engine = await startEngineHere(dataDir, ['--public-url', proxy.url]);
  onTestFinished(async () => void (await engine.stop()));
  proxy.passTo(engine.url);
  const { key } = (await engine.ask('POST', '/app/v1/keys', { label: 'desk' })) as { key: string };
  const authorization = `Token ${key}`;
  return { proxy, engine, authorization };
}

test('everything that the engine names behind a proxy is at the public address', async () => {
  const { proxy, engine, authorization } = await openProxied();
  const { url } = proxy;
  expect(engine.openUrl).toMatch(new RegExp(`^${url}/#open=`));
  const read = async (path: string) => {
    const { status, body } = await proxy.call('GET', path, { headers: { authorization } });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: url,
    token_endpoint: `${url}/oauth/token`,
    authorization_endpoint: `${url}/oauth/authorize`,
  });
  const resource = await read('/.well-known/oauth-protected-resource');
  expect(resource).toMatchObject({ authorization_servers: [url] });
  expect(resource.resource).toMatch(new RegExp(`^${url}/`));
  const refused = await proxy.call('POST', new URL(resource.resource).pathname, { json: {} });
  expect(refused.status).toBe(401);
  expect(refused.headers['www-authenticate']).toContain(`${url}/.well-known/`);
  expect((await read('/openapi.json')).servers[0].url).toMatch(new RegExp(`^${url}`));
  const { redirect_uris: uris } = (await engine.ask('GET', '/app/v1/identity-provider')) as {
    redirect_uris: string[];
  };
  expect(uris[0]).toMatch(new RegExp(`^${url}/`));
});

test('behind a proxy, the hosts and origins of the public address are added, and nothing else', async () => {
  const { proxy, engine, authorization } = await openProxied();
  const path = '/api/v1/data-enrichment/layers/';
  const ask = async (headers: Record<string, string>) =>
    (await proxy.call('GET', path, { headers: { authorization, ...headers } })).status;
  const { port } = new URL(proxy.url);
  expect(await ask({})).toBe(200);
  expect(await ask({ origin: proxy.url })).toBe(200);
  for (const origin of ['https://evil.example', `http://localhost:${port}`, 'null', engine.url])
    expect([origin, await ask({ origin })]).toEqual([origin, 403]);
  // A name that a program claims to have been forwarded decides nothing.
  for (const host of ['evil.example', 'localhost', `127.0.0.1:${port}`])
    expect([host, await ask({ host, 'x-forwarded-host': `localhost:${port}` })]).toEqual([
      host,
      403,
    ]);
  expect(await ask({ 'x-forwarded-host': 'evil.example' })).toBe(200);
  // A proxy that replaces the host by the engine's own is answered as this machine.
  expect(await ask({ host: new URL(engine.url).host })).toBe(200);
  // The engine listens on loopback alone.
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (!outside) return console.warn('This machine has no other address: none was asked.');
  const elsewhere = engine.url.replace('127.0.0.1', outside.address);
  await expect(fetch(elsewhere + path)).rejects.toThrow('fetch failed');
});
