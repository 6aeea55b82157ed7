// The app's engine asks main for the system's proxy, and its requests go through it.
import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UtilityProcess } from 'electron';
import { expect, onTestFinished, test } from 'vitest';
import { pickEngineEnvironment } from '../../main/engine-environment.ts';
import { EngineProcess } from '../../main/engine-process.ts';
import { openConnectProxy } from '../connect-proxy.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { authorityPath, openReceiver } from '../webhook-receiver.ts';

const root = join(import.meta.dirname, '../..');
const program = process.env.DESK_TEST_BUILT ? 'out/engine/utility.js' : 'engine/app/utility.ts';

function forkEngine(dataDir: string): UtilityProcess {
  const env = { ...process.env, DESK_DATA_DIR: dataDir, DESK_EXTRA_CA_CERTS: authorityPath };
  const child = fork(join(root, program), [], {
    env: pickEngineEnvironment(env),
    serialization: 'advanced' as const,
    execArgv: ['--import', join(root, 'test/double/child.ts')],
  });
  onTestFinished(() => void child.kill());
  const postMessage = (message: object) => child.send(message);
  return Object.assign(child, { postMessage }) as unknown as UtilityProcess;
}

test('a request of the app goes through the proxy of the system', { tags: ['full'] }, async () => {
  const dataDir = makeTemporaryFolder();
  const page = readFileSync(join(root, 'docs/providers.md'), 'utf8');
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  mkdirSync(join(dataDir, 'providers'), { mode: 0o700 });
  writeFileSync(
    join(dataDir, 'providers/example-finder.json'),
    example.replaceAll('api.finder.example', 'elsewhere.example'),
  );
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  receiver.answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"left":7}');
  const proxy = await openConnectProxy({ port: receiver.port });
  const asked: string[] = [];
  let list = `PROXY ${proxy.host}; DIRECT`;
  const engine = new EngineProcess({
    port: 0,
    fork: () => forkEngine(dataDir),
    async findProxy(origin) {
      asked.push(origin);
      return list;
    },
  });
  engine.start();
  const { url, token } = await engine.whenReady();
  const call = async (method: string, path: string, body: object = {}) => {
    const headers = { 'x-desk-session': token, 'content-type': 'application/json' };
    const address = new URL(`/app/v1/providers/example-finder/${path}`, url);
    const answer = await fetch(address, { method, headers, body: JSON.stringify(body) });
    return ((await answer.json()) as { data: unknown }).data;
  };
  await call('PUT', 'key', { key: 'key-of-the-user' });
  expect(await call('POST', 'test')).toMatchObject({ checks: [{ is_ok: true }, { is_ok: true }] });
  expect(asked).toEqual(['https://elsewhere.example/']);
  // The certificate is refused once, before anything is sent.
  expect(new Set(proxy.targets)).toEqual(new Set(['elsewhere.example:443']));
  expect(receiver.arrivals).toHaveLength(1);
  list = 'SOCKS5 localhost:1080';
  expect(await call('POST', 'test')).toMatchObject({
    checks: [{ is_ok: false, detail: expect.stringMatching(/SOCKS5, which cannot be used/) }],
  });
  await engine.stop();
});
