/** Data services behind a company's proxy, with its own authority: `desk providers test`. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openConnectProxy } from '../connect-proxy.ts';
import { deskProgram } from '../desk-program.ts';
import { startEngineProcess } from '../engine-process.ts';
import { authorityPath, openReceiver } from '../webhook-receiver.ts';
import { makePlace } from './run-desk.ts';

/** A definition of a service at elsewhere.example, and a receiver that answers in its place. */
async function openNetwork() {
  const place = makePlace();
  onTestFinished(place.remove);
  const page = readFileSync(join(import.meta.dirname, '../../docs/providers.md'), 'utf8');
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  mkdirSync(join(place.dataDir, 'providers'), { recursive: true, mode: 0o700 });
  writeFileSync(
    join(place.dataDir, 'providers/example-finder.json'),
    example.replaceAll('api.finder.example', 'elsewhere.example'),
  );
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  receiver.answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"left":7}');
  const proxy = await openConnectProxy({ port: receiver.port });
  return {
    ...{ receiver, proxy, dataDir: place.dataDir },
    async test(env: NodeJS.ProcessEnv) {
      const args = ['providers', 'test', 'example-finder', '--data-dir', place.dataDir];
      const child = spawn(process.execPath, [deskProgram, ...args], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...env },
      });
      child.stdin.end('key-of-the-user\n');
      const [said] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return said;
    },
  };
}

test('HTTPS_PROXY and NODE_EXTRA_CA_CERTS hold; NO_PROXY goes around the proxy', async () => {
  const { receiver, proxy, test: runTest } = await openNetwork();
  const HTTPS_PROXY = `http://${proxy.host}`;
  const NODE_EXTRA_CA_CERTS = authorityPath;
  expect(await runTest({ HTTPS_PROXY, NODE_EXTRA_CA_CERTS })).toContain('7 credits are left.');
  expect(proxy.targets).toEqual(['elsewhere.example:443']);
  expect(receiver.arrivals).toMatchObject([{ headers: { 'x-api-key': 'key-of-the-user' } }]);
  const NO_PROXY = 'elsewhere.example';
  const around = await runTest({ HTTPS_PROXY, NODE_EXTRA_CA_CERTS, NO_PROXY });
  expect(around).toContain('Check the connection to the internet.');
  expect([proxy.targets.length, receiver.arrivals.length]).toEqual([1, 1]);
});

const long = { tags: ['full'] };

test('the engine goes through the proxy as well', long, async () => {
  const { receiver, proxy, dataDir } = await openNetwork();
  const engine = await startEngineProcess(dataDir, [], {
    env: {
      ...{ DESK_KEYCHAIN: 'off', NODE_EXTRA_CA_CERTS: authorityPath },
      HTTPS_PROXY: `http://${proxy.host}`,
    },
  });
  onTestFinished(() => void engine.stop());
  await engine.ask('PUT', '/app/v1/providers/example-finder/key', { key: 'key-of-the-user' });
  const tested = await engine.ask('POST', '/app/v1/providers/example-finder/test');
  expect(tested).toMatchObject({ checks: [{ is_ok: true }, { is_ok: true }] });
  expect([proxy.targets, receiver.arrivals.length]).toEqual([['elsewhere.example:443'], 1]);
});

test("an authority of the system's store is trusted", long, async () => {
  if (process.platform !== 'linux')
    return console.warn('An authority can be added to the store of the system on Linux alone.');
  const { proxy, test: runTest } = await openNetwork();
  const HTTPS_PROXY = `http://${proxy.host}`;
  expect(await runTest({ HTTPS_PROXY })).toContain('not trusted');
  expect(await runTest({ HTTPS_PROXY, SSL_CERT_FILE: authorityPath })).toContain(
    '7 credits are left.',
  );
});
