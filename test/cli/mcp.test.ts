// `desk mcp`: the tools on standard input and output, with the official clients and raw lines.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../../engine/contract/assistants/tools.ts';
import { lockFolder } from '../../engine/platform/data-dir-lock.ts';
import { clientKinds, type ToolClient } from '../assistants/tool-client.ts';
import { startEngineHere } from '../engine-here.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { copySample } from '../sample-data.ts';
import { makePlace, type Place, runHere } from './run-desk.ts';
import { ask, connectStdio, hello, mcpWords, openStdio } from './stdio-desk.ts';

type Person = { uuid: string; has_email: boolean };
type KeyEntry = { id: string; label: string; spent_today: string };

let place: Place;
let engine: EngineProcess;
/** A copy of the folder with the sample directory, never opened by an engine. */
let sampleDir: string;

beforeAll(async () => {
  place = makePlace();
  sampleDir = join(place.dir, 'sample');
  await copySample(place.dataDir);
  await copySample(sampleDir);
  engine = await startEngineProcess(place.dataDir);
}, 180_000);
afterAll(async () => {
  await engine.stop();
  place.remove();
});

const words = (...args: string[]) => mcpWords(place.dataDir, ...args);
const listKeys = () => engine.ask('GET', '/app/v1/keys') as Promise<KeyEntry[]>;
const findKey = async (label: string) => (await listKeys()).filter((key) => key.label === label);

/** People with an email, different ones per offset. */
async function findPeople(client: ToolClient, offset: number): Promise<Person[]> {
  const { data } = await client.call('search_contacts', {
    company_name: 'senate',
    limit: 50,
    offset,
  });
  return (data.results as Person[]).filter(({ has_email: has }) => has);
}

const usesTools =
  'the client %s lists the tools, calls free ones and pays with a key of its own name';
async function useTools(kind: (typeof clientKinds)[number]): Promise<void> {
  const name = `assistant ${kind}`;
  const client = await connectStdio(words(), kind, name);
  expect(client.server).toMatchObject({ name: 'enrichment-desk' });
  expect((await client.listTools()).map((tool) => tool.name)).toEqual(Object.keys(tools));
  expect((await client.call('check_wallet')).data).toEqual(
    await engine.ask('GET', '/app/v1/wallet'),
  );
  const [person] = await findPeople(client, 50 * clientKinds.indexOf(kind));
  const uuids = [person?.uuid];
  const unlocked = await client.call('unlock_contacts', { uuids, unlock_type: 'email' });
  expect(unlocked.data.results[0].email).toContain('@');
  expect(unlocked.progress).toEqual([1]);
  expect(await findKey(`stdio: ${name}`)).toMatchObject([{ spent_today: '1.0000' }]);
}
// The oldest and the newest protocol; each client calls every tool over HTTP in clients.test.ts.
const isShort = (kind: string) => kind === 'v1' || kind === 'v2 newest';
test.each(clientKinds.filter(isShort))(usesTools, useTools);
test.each(clientKinds.filter((kind) => !isShort(kind)))(usesTools, { tags: ['full'] }, useTools);

test('only the local socket can act with a key without its secret', async () => {
  const client = await connectStdio(words(), 'v2', 'local');
  await client.call('check_wallet');
  const [key] = await findKey('stdio: local');
  const answer = await fetch(`${engine.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-desk-client': key?.id ?? '' },
    body: JSON.stringify(ask(1, 'tools/list')),
  });
  expect(answer.status).toBe(401);
});

test('concurrent calls are all answered', async () => {
  const client = await connectStdio(words(), 'v2 newest', 'busy');
  const limits = Array.from({ length: 40 }, (_, at) => at + 1);
  const answers = await Promise.all(
    limits.map((limit) => client.call('search_contacts', { company_name: 'senate', limit })),
  );
  expect(answers.map(({ data }) => data.results.length)).toEqual(limits);
});

test('every client continues after the engine was killed and restarted', {
  tags: ['full'],
}, async () => {
  const clients = await Promise.all(
    clientKinds.map((kind) => connectStdio(words(), kind, 'patient')),
  );
  await Promise.all(clients.map((client) => client.call('check_wallet')));
  await engine.kill();
  engine = await startEngineProcess(place.dataDir);
  for (const client of clients) {
    expect((await client.call('check_wallet')).isError).toBe(false);
    expect(await client.listTools()).toHaveLength(Object.keys(tools).length);
  }
});

test('without an engine it opens the folder itself, and releases it at the end', async () => {
  const client = await connectStdio(mcpWords(sampleDir), 'v2', 'alone');
  const [person] = await findPeople(client, 0);
  const unlocked = await client.call('unlock_contacts', {
    uuids: [person?.uuid],
    unlock_type: 'email',
  });
  expect(unlocked.data.credits_charged).toBe('1.0000');
  await client.end();
  lockFolder(sampleDir).release();
});

test('if its engine stops permanently, it opens the folder itself', {
  tags: ['full'],
}, async () => {
  const dataDir = join(place.dir, 'left');
  const other = await startEngineHere(dataDir);
  const client = await connectStdio(mcpWords(dataDir), 'v1');
  expect(await other.stop()).toBe(0);
  expect((await client.call('check_wallet')).data.available).toBe('100000.0000');
});

test('it releases the folder to the app, and continues through it', async () => {
  const dataDir = join(place.dir, 'secondary');
  const clients = [
    await connectStdio(mcpWords(dataDir), 'v1', 'first'),
    await connectStdio(mcpWords(dataDir), 'v2 newest', 'second'),
  ];
  const backup = join(place.dir, 'secondary.tar.gz');
  const folder = { dir: place.dir, dataDir };
  expect((await runHere(folder, ['backup', backup])).code).toBe(0);
  // The engine opens the folder again by itself.
  const restore = ['restore', backup, '--yes'];
  expect((await runHere(folder, restore)).stderr).toContain('Another engine is using');
  expect((await runHere(folder, [...restore, '--while-running'])).code).toBe(0);
  const host = await startEngineHere(dataDir);
  for (const client of clients)
    expect((await client.call('check_wallet')).data.available).toBe('100000.0000');
  const keys = (await host.ask('GET', '/app/v1/keys')) as KeyEntry[];
  expect(keys.map(({ label }) => label).sort()).toEqual(['stdio: first', 'stdio: second']);
  expect(await host.stop()).toBe(0);
});

test('with --staging and --account it acts in that environment for that account', async () => {
  const staging = await connectStdio(words('--staging'), 'v2', 'trying');
  expect((await staging.call('check_wallet')).data.available).toBe('10000.0000');
  const made = (await engine.ask('POST', '/app/v1/accounts', { name: 'Other' })) as { id: string };
  const other = await connectStdio(words('--account', made.id), 'v2', 'other');
  expect((await other.call('check_wallet')).data).toMatchObject({ available: '0.0000' });
  expect(await findKey('stdio: other')).toEqual([]);
});

test('a malformed message is refused on its line, and the next one is answered', async () => {
  const desk = openStdio(words());
  desk.send('garbage', '', '  ', '[]', '{"id": 7}', Buffer.from('22ff22', 'hex'));
  desk.send(...hello, ask(1, 'ping'));
  const answers = [];
  while (answers.at(-1)?.id !== 1) answers.push(await desk.next());
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [7, -32600],
    [null, -32700],
    ['hello', undefined],
    [1, undefined],
  ]);
  desk.end();
  expect(await desk.exited).toBe(0);
});

test('a line that is too long is refused, and the next one is answered', async () => {
  const desk = openStdio(words());
  desk.send(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(33 * 1024 ** 2)}"}`, ask(2, 'ping'));
  expect(await desk.next()).toMatchObject({ id: null, error: { message: /MiB/ } });
  expect(await desk.next()).toMatchObject({ id: 2, result: {} });
});

test('requests before the end of standard input are answered, and it exits with 0', async () => {
  const desk = openStdio(words());
  desk.send(...hello, ask('last', 'tools/list'));
  desk.end();
  expect(await desk.exited).toBe(0);
  expect(desk.unread.map(({ id }) => id)).toEqual(['hello', 'last']);
  expect(desk.said).toBe('');
});

test('it exits with 0 at a signal, with 2 for an invalid command line, with 1 without its folder', {
  tags: ['posix'],
}, async () => {
  const desk = openStdio(words());
  desk.send(...hello);
  await desk.next();
  desk.child.kill('SIGTERM');
  expect(await desk.exited).toBe(0);
  const wrong = openStdio(words('extra'));
  expect(await wrong.exited).toBe(2);
  const file = place.write('no-folder', '');
  const closed = openStdio(mcpWords(file));
  expect(await closed.exited).toBe(1);
  expect([...wrong.unread, ...closed.unread]).toEqual([]);
});
