// Results and jobs belong to the key's account (docs/api.md, "Authentication").
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type CallOptions,
  type Desk,
  expectRefusal,
  openApiDesk,
  shareApiDesk,
  submit,
} from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

/** A second account with its own key, and its header for app requests. */
async function addOther(desk: Desk) {
  const { id } = (await desk.app('POST', 'accounts', { json: { name: 'Other' } })).data;
  const headers = { 'x-desk-account': id };
  const { data } = await desk.app('POST', 'keys', { headers, json: { label: 'other' } });
  return { id, headers, key: data.key as string };
}

const restRoutes = [
  ['GET', 'status/JOB/'],
  ['GET', 'result/JOB/'],
  ['GET', 'result/JOB/?format=csv'],
  ['POST', 'cancel/JOB/'],
  ['POST', 'retry/JOB/'],
] as const;

test.each(restRoutes)(
  'Authentication 2: %s %s of a job of another account is 404',
  async (method, route) => {
    const desk = await openDesk();
    const { key } = await addOther(desk);
    const jobId = await submit(desk, 'found@a.example', 'failed@a.example');
    const ask = (id: string, by: string) =>
      desk.call(method, route.replace('JOB', id), { key: by });
    for (const finish of [async () => undefined, () => desk.environment.finish(jobId)]) {
      await finish();
      const foreign = await ask(jobId, key);
      expectRefusal(foreign, 'not_found');
      expect(foreign.body).toEqual((await ask(randomUUID(), key)).body);
    }
    const { data } = await desk.call('GET', `status/${jobId}/`);
    expect([data.status, data.failed_rows]).toEqual(['completed', 1]);
  },
);

const appRoutes: [method: string, path: string, options?: CallOptions][] = [
  ['GET', 'jobs/JOB'],
  ['GET', 'jobs/JOB/rows'],
  ['POST', 'jobs/JOB/cancel'],
  ['POST', 'jobs/JOB/retry'],
  ['POST', 'jobs/JOB/exports', { json: {} }],
];

test.each(appRoutes)(
  'the app acting for one account: %s /%s of a job of another is 404',
  async (method, path, options = {}) => {
    const desk = await openDesk();
    const { headers } = await addOther(desk);
    const jobId = await submit(desk, 'found@a.example', 'failed@a.example');
    await desk.environment.finish(jobId);
    const asked = { ...options, headers };
    expectRefusal(await desk.app(method, path.replace('JOB', jobId), asked), 'not_found');
    const own = await desk.app(method, path.replace('JOB', jobId), options);
    expect([200, 202, 409]).toContain(own.status);
  },
);

test('Authentication 2: jobs, credits, keys and prices of one account are hidden from another', async () => {
  const desk = await openDesk();
  const { headers, key } = await addOther(desk);
  await submit(desk, 'found@a.example');
  await desk.app('PUT', 'rates/L1', { json: { price: '7' } });
  expect((await desk.call('GET', 'jobs/', { key })).data).toMatchObject({ count: 0, results: [] });
  expect((await desk.app('GET', 'jobs', { headers })).data.count).toBe(0);
  expect((await desk.app('GET', 'wallet/entries', { headers })).data.count).toBe(0);
  const labels = async (options?: CallOptions) =>
    (await desk.app('GET', 'keys', options)).data.map((one: { label: string }) => one.label);
  expect([await labels(), await labels({ headers })]).toEqual([['tests'], ['other']]);
  const { layers } = (await desk.call('GET', 'layers/', { key })).data;
  expect(layers[0]).toMatchObject({ code: 'L1', price: '1.0000' });
});

test('an account is renamed, and keeps everything else', async () => {
  const desk = await openApiDesk();
  const [first] = (await desk.app('GET', 'accounts')).data;
  const rename = (name: string) => desk.app('PATCH', `accounts/${first.id}`, { json: { name } });
  const name = 'Ä'.repeat(120);
  expect((await rename(` ${name} `)).data).toEqual({ ...first, name });
  expect((await desk.app('GET', 'state')).data.account.name).toBe(name);
  for (const wrong of ['', ' ', 'x'.repeat(121)])
    expectRefusal(await rename(wrong), 'validation_error', /^name: /);
});
