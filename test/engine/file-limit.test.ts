// An engine without free file descriptors says so, loses nothing, and continues once it has some.
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openChild, removeChild } from './open-child.ts';

/** The limit of open files: twice the number of an idle engine. */
const filesMax = 128;
type Ask = Awaited<ReturnType<typeof openChild>>['ask'];

const readIndex = async (ask: Ask) => (await ask('GET', 'app/v1/directory')).body.data;

const submit = 'api/v1/data-enrichment/submit/';
const order = { selected_layers: ['L1'], rows: [{ email: 'ada@example.com' }] };
const lackOfFiles = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { success: false, error: 'unavailable', detail: expect.stringContaining('ulimit -n') },
};

test('without a free descriptor requests are 503 with a remedy, and answered once there is one', {
  tags: ['full'],
}, async () => {
  const { dataDir, ask, tell, close } = await openChild({ filesMax });
  const path = join(dataDir, 'list.csv');
  writeFileSync(path, 'Email\nada@example.com\n');
  await expect.poll(async () => (await readIndex(ask)).index).toBe('empty');
  await tell('use up');
  // Descriptors of the start may be freed first.
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
  removeChild(dataDir);
});

test('an index that could not be built for lack of descriptors is built once there are some', {
  tags: ['full'],
}, async () => {
  const first = await openChild({ filesMax });
  const { dataDir } = first;
  const indexPath = join(dataDir, 'directory.index');
  const inTheWay = join(indexPath, 'in-the-way');
  await expect.poll(async () => (await readIndex(first.ask)).index).toBe('empty');
  await first.close();
  rmSync(indexPath);
  // Until the descriptors are used up, a folder in its place prevents the index build.
  mkdirSync(inTheWay, { recursive: true });
  const { ask, tell, close } = await openChild({ dataDir, filesMax });
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
  removeChild(dataDir);
});
