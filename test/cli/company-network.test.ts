// Data services behind a company's proxy, with its own authority: `desk providers test`.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderLog } from '../../engine/contract/providers.ts';
import { findClosedPort, openConnectProxy } from '../connect-proxy.ts';
import { deskCommand } from '../desk-program.ts';
import { startEngineProcess } from '../engine-process.ts';
import { type Arrival, authorityPath, openReceiver } from '../webhook-receiver.ts';
import { companies, people } from './lists.ts';
import { makePlace } from './run-desk.ts';

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
  return {
    place,
    receiver,
    dataDir: place.dataDir,
    openProxy: (ownPort = 0) => openConnectProxy({ port: receiver.port, ownPort }),
    async test(env: NodeJS.ProcessEnv) {
      const args = ['providers', 'test', 'example-finder', '--data-dir', place.dataDir];
      const child = spawn(process.execPath, [...deskCommand, ...args], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...env },
      });
      child.stdin.end('key-of-the-user\n');
      const [said] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return said;
    },
  };
}

test('HTTPS_PROXY and DESK_EXTRA_CA_CERTS hold; NO_PROXY goes around the proxy', async () => {
  const { receiver, openProxy, test: runTest } = await openNetwork();
  const proxy = await openProxy();
  const HTTPS_PROXY = `http://${proxy.host}`;
  const DESK_EXTRA_CA_CERTS = authorityPath;
  expect(await runTest({ HTTPS_PROXY, DESK_EXTRA_CA_CERTS })).toContain('7 credits are left.');
  // The certificate is refused once, before anything is sent.
  expect(proxy.targets).toEqual(['elsewhere.example:443', 'elsewhere.example:443']);
  expect(receiver.arrivals).toMatchObject([{ headers: { 'x-api-key': 'key-of-the-user' } }]);
  const NO_PROXY = 'elsewhere.example';
  const around = await runTest({ HTTPS_PROXY, DESK_EXTRA_CA_CERTS, NO_PROXY });
  expect(around).toContain('Check the connection to the internet.');
  expect([proxy.targets.length, receiver.arrivals.length]).toEqual([2, 1]);
});

const long = { tags: ['full'] };

test('the engine goes through the proxy as well', long, async () => {
  const { receiver, openProxy, dataDir } = await openNetwork();
  const proxy = await openProxy();
  const engine = await startEngineProcess(dataDir, [], {
    env: {
      DESK_KEYCHAIN: 'off',
      NODE_EXTRA_CA_CERTS: authorityPath,
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
  const { openProxy, test: runTest } = await openNetwork();
  const proxy = await openProxy();
  const HTTPS_PROXY = `http://${proxy.host}`;
  expect(await runTest({ HTTPS_PROXY })).toContain('not trusted');
  expect(await runTest({ HTTPS_PROXY, SSL_CERT_FILE: authorityPath })).toContain(
    '7 credits are left.',
  );
});

/** Answers every person of a request as the example of the documentation expects. */
function findEveryone(response: ServerResponse, { body }: Arrival): void {
  const people = body === '' ? [] : (JSON.parse(body).people as { ref: string }[]);
  const email = { address: 'found@navy.example', verdict: 'ok' };
  const answers = people.map(({ ref }) => ({ ref, found: true, email, score: 90 }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ left: 7, people: answers, credits_used: answers.length }));
}

test(
  'a list waits for the network through a kill of the engine, and is charged once',
  long,
  async () => {
    const { place, receiver, openProxy, dataDir } = await openNetwork();
    receiver.answer = findEveryone;
    const port = await findClosedPort();
    const env = {
      DESK_KEYCHAIN: 'off',
      NODE_EXTRA_CA_CERTS: authorityPath,
      HTTPS_PROXY: `http://localhost:${port}`,
    };
    const first = await startEngineProcess(dataDir, [], { env });
    onTestFinished(() => first.kill());
    place.write('people.csv', people);
    place.write('companies.csv', companies);
    await place.here('directory', 'import', 'people.csv', '--companies', 'companies.csv');
    await first.ask('PUT', '/app/v1/providers/example-finder/key', { key: 'key-of-the-user' });
    await first.ask('PATCH', '/app/v1/providers/example-finder', { is_on: true });
    place.write(
      'rows.csv',
      'First name,Last name,Company domain,Email\n,,,ada@analytical.example\nEve,Gone,navy.example,\n',
    );
    const enriching = place.start(
      'enrich',
      'rows.csv',
      '--layers',
      'L1',
      '--out',
      'out.csv',
      '--yes',
    );
    await enriching.said('1 row waits for it');
    enriching.interrupt();
    const { stdout } = await enriching.done;
    const [, jobId = ''] = /--resume (\S+)/.exec(stdout) ?? [];
    await first.kill();
    expect(receiver.arrivals).toEqual([]);
    await openProxy(port);
    const second = await startEngineProcess(dataDir, [], { env });
    onTestFinished(() => void second.stop());
    const { code, last } = await place.run('enrich', '--resume', jobId, '--out', 'out.csv');
    expect([code, last]).toEqual([0, expect.stringContaining('2 of 2 rows enriched')]);
    expect(readFileSync(join(place.dir, 'out.csv'), 'utf8')).toContain('found@navy.example');
    const log = (await second.ask('GET', '/app/v1/provider-log')) as ProviderLog;
    const answered = log.requests.filter(({ state }) => state === 'answered');
    expect(answered).toMatchObject([{ rows: 1, cost: 1 }]);
    expect(receiver.arrivals.filter(({ path }) => path === '/v1/people')).toHaveLength(1);
  },
);
