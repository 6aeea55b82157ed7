/** An engine that can open no further file says so, loses nothing, and goes on once it can. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openReadable } from '../../engine/sqlite/open.ts';
import { verifyLedger } from '../../engine/store/ledger.ts';
import type { Json } from '../server/open-desk.ts';
import { settleWithin } from './hang-guard.ts';
import type { LimitedCommand } from './limited-engine.ts';
import { sessionToken } from './limited-session.ts';

/** Files that the engine may open: twice what it has open when it is idle. */
const filesMax = 128;
const program = join(import.meta.dirname, 'limited-engine.ts');

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Json;
}

/** Asks over one connection that is kept: the engine could accept no other. */
function openConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = async (method: string, path: string, json?: object): Promise<Reply> => {
    const headers = { 'x-desk-session': sessionToken, 'content-type': 'application/json' };
    const asked = request(`${url}/${path}`, { agent, method, headers });
    asked.end(json && JSON.stringify(json));
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    const { statusCode: status, headers: answered } = response;
    return { status, retryAfter: answered['retry-after'], body: JSON.parse(text) };
  };
  return async (...args: Parameters<typeof send>) => (await settleWithin(send(...args))) as Reply;
}

const start = (dataDir: string): ChildProcess =>
  spawn(
    'sh',
    ['-c', `ulimit -n ${filesMax} && exec "$0" "$@"`, process.execPath, program, dataDir],
    {
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    },
  );

/** Starts an engine with few files; what it kept is whole when the test ends. */
async function open(dataDir = mkdtempSync(join(tmpdir(), 'desk-limit-'))) {
  const child = start(dataDir);
  const gone = once(child, 'exit');
  // A test that fails leaves nothing running.
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = await once(child, 'message');
  const tell = async (command: LimitedCommand) => {
    child.send(command);
    await once(child, 'message');
  };
  const close = async () => {
    child.send('close' satisfies LimitedCommand);
    expect(await settleWithin(gone)).toEqual([0, null]);
  };
  return { ...{ dataDir, tell, close }, ask: openConnection(url) };
}

/** How the directory stands. */
const readIndex = async (ask: ReturnType<typeof openConnection>) =>
  (await ask('GET', 'app/v1/directory')).body.data;

/** Removes the folder of an engine that has ended, whose ledger must be whole. */
function remove(dataDir: string): void {
  const database = openReadable(join(dataDir, 'engine.db'));
  expect(verifyLedger(database)).toEqual([]);
  database.close();
  rmSync(dataDir, { recursive: true, force: true });
}

const submit = 'api/v1/data-enrichment/submit/';
const order = { selected_layers: ['L1'], rows: [{ email: 'ada@example.com' }] };
const lackOfFiles = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { success: false, error: 'unavailable', detail: expect.stringContaining('ulimit -n') },
};

test('without a free descriptor requests are 503 with what to do, and answered once there is one', async () => {
  const { dataDir, ask, tell, close } = await open();
  const path = join(dataDir, 'list.csv');
  writeFileSync(path, 'Email\nada@example.com\n');
  await expect.poll(async () => (await readIndex(ask)).index).toBe('empty');
  await tell('use up');
  // What was open for the start may be given back first.
  await expect.poll(() => ask('POST', submit, order)).toMatchObject(lackOfFiles);
  expect(await ask('POST', 'app/v1/uploads', { path })).toMatchObject(lackOfFiles);
  const people = { people_path: path };
  expect(await ask('POST', 'app/v1/directory/imports?wait=1', people)).toMatchObject(lackOfFiles);
  expect((await ask('GET', 'healthz')).status).toBe(200);
  await tell('give back');
  expect((await ask('POST', 'app/v1/uploads', { path })).status).toBe(201);
  const { data } = (await ask('POST', submit, order)).body;
  const status = async () => (await ask('GET', `app/v1/jobs/${data.job_id}`)).body.data.status;
  await expect.poll(status).toBe('completed');
  await close();
  remove(dataDir);
});

test('an index that could not be built for want of descriptors is built once there are some', async () => {
  const first = await open();
  const { dataDir } = first;
  const indexPath = join(dataDir, 'directory.index');
  const inTheWay = join(indexPath, 'in-the-way');
  await expect.poll(async () => (await readIndex(first.ask)).index).toBe('empty');
  await first.close();
  rmSync(indexPath);
  // Until the descriptors are used up the index is kept from being built by a folder in its place.
  mkdirSync(inTheWay, { recursive: true });
  const { ask, tell, close } = await open(dataDir);
  const { data } = (await ask('POST', submit, order)).body;
  await tell('use up');
  for (const folder of [inTheWay, indexPath]) rmdirSync(folder);
  await expect.poll(async () => (await readIndex(ask)).index_error).toContain('ulimit -n');
  expect((await ask('GET', `app/v1/jobs/${data.job_id}`)).body.data.status).toBe('queued');
  await tell('give back');
  await expect.poll(async () => (await readIndex(ask)).index).toBe('empty');
  const status = async () => (await ask('GET', `app/v1/jobs/${data.job_id}`)).body.data.status;
  await expect.poll(status).toBe('completed');
  await close();
  remove(dataDir);
});
