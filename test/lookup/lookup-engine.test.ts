// Direct lookup with a whole engine in a separate process: threads, real files, and the most
// verbose log.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { send } from '../http/open-api-desk.ts';

const ada = 'https://www.linkedin.com/in/ada-lovelace';
const people = `id,name,company,email,mobile,profile url
1,Ada Lovelace,Engines,ada@engines.example,+41 79 100 00 01,${ada}
`;

async function startLookupEngine() {
  const dir = mkdtempSync(join(tmpdir(), 'desk-lookup-'));
  const dataDir = join(dir, 'data');
  const engine = await startEngineProcess(dataDir, [], {
    env: { DESK_LOG_LEVEL: 'trace' },
    stderr: 'pipe',
  });
  const log = text(engine.child.stderr!);
  onTestFinished(async () => {
    await engine.kill();
    rmSync(dir, { recursive: true, force: true });
  });
  writeFileSync(join(dir, 'people.csv'), people);
  const order = { people_path: join(dir, 'people.csv') };
  await engine.ask('POST', '/app/v1/directory/imports?wait=1', order);
  const made = await engine.ask('POST', '/app/v1/keys', { label: 'lookups' });
  const { key } = made as { key: string };
  const lookUp = (path: string, json: unknown = { profile_url: ada }) =>
    send(engine.url + path, 'POST', { json });
  return { engine, dir, dataDir, log, key, lookUp };
}

/** Sends bytes that fetch would not send, and waits for the end of the connection. */
const sendBytes = ({ url }: EngineProcess, bytes: string) =>
  new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('close', () => resolve());
    socket.on('error', reject);
    socket.resume();
  });

const listFiles = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('parallel lookups charge once, and after a kill behind the charge the value is owned', async () => {
  const { engine, dataDir, key, lookUp } = await startLookupEngine();
  const path = `/phone/enrichment/?token=${key}`;
  const answers = await Promise.all(Array.from({ length: 40 }, () => lookUp(path)));
  const found = { status: 'success', results: { phone: '+41791000001' } };
  for (const { body } of answers) expect(body).toEqual(found);
  await engine.kill();
  const again = await startEngineProcess(dataDir);
  onTestFinished(() => again.kill());
  const owned = await send(again.url + path, 'POST', { json: { profile_url: ada } });
  expect(owned.body).toEqual(found);
  expect(await again.ask('GET', '/app/v1/wallet')).toMatchObject({
    available: '99995.0000',
    spent: '5.0000',
  });
  const checks = (await again.ask('GET', '/app/v1/doctor')) as { state: string }[];
  expect(checks.filter(({ state }) => state === 'wrong')).toEqual([]);
});

test('the token is in no log, response or file, whatever fails', async () => {
  const { engine, dataDir, dir, log, key, lookUp } = await startLookupEngine();
  const token = `token=${key}`;
  const answers = [
    await lookUp(`/phone/enrichment/?${token}`),
    await lookUp(`/email/enrichment/?${token}`, { profile_url: key }),
    await lookUp(`/email/enrichment/?${token}`, {}),
    await lookUp(`/email/enrichment/?${token}&${token}`),
    await lookUp(`/email/enrichment/?${token}x`),
    await lookUp(`/staging/phone/enrichment/?${token}`),
    await lookUp(`/phone/nothing/?${token}`),
    await lookUp(`/phone/%zz/?${token}`),
    await lookUp(`/phone/${'x'.repeat(3_000)}/?${token}`),
    await lookUp(`/nothing?${token}`),
    await lookUp(`/api/v1/data-enrichment/layers/?${token}`),
    await send(`${engine.url}/api/v1/data-enrichment/jobs/?${token}`, 'GET', { key }),
    await send(`${engine.url}/phone/enrichment/?${token}`, 'PROPFIND', {}),
    await send(`${engine.url}/phone/enrichment/?${token}`, 'POST', { body: '{"profile_url":' }),
  ];
  const address = `/phone/enrichment/?${token}`;
  const { host } = new URL(engine.url);
  const [type, cut] = ['Content-Type: application/json', 'Content-Length: 99'];
  await sendBytes(engine, `POST ${address} HTTP/9.9\r\n\r\n`);
  await sendBytes(engine, `POST ${address} HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
  await sendBytes(
    engine,
    `POST ${address} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\n${cut}\r\n\r\n{`,
  );
  await sendBytes(engine, `POST ${address} HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`);
  // The import was undone, so this failure comes from inside the engine.
  await engine.ask('POST', '/app/v1/directory/imports/1/undo');
  answers.push(await lookUp(`/phone/enrichment/?${token}`));
  await engine.stop();
  expect(answers.map(({ status }) => status)).toEqual([
    200, 400, 400, 401, 401, 401, 404, 404, 404, 404, 404, 200, 404, 400, 404,
  ]);
  expect(answers.filter((answer) => answer.text.includes(key))).toEqual([]);
  const said = await log;
  // The log does contain these requests.
  expect(said).toContain('"path":"/phone/enrichment/"');
  expect(said).not.toContain(key);
  expect(said).not.toContain('token=');
  expect(listFiles(dataDir).filter((path) => readFileSync(path).includes(key))).toEqual([]);
  expect(listFiles(dir).length).toBeGreaterThan(3);
});
