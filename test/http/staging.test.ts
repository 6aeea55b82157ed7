// Two environments in one engine (docs/api.md, "Staging and the sandbox"): the same routes under
// /staging, and no shared data.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal, type Json } from './open-api-desk.ts';
import {
  contact,
  type EnvironmentClient,
  type Environments,
  isEnd,
  startEnvironments,
} from './open-environments.ts';

const enrich = 'api/v1/data-enrichment';
const both = ['live', 'staging'] as const;
let environments: Environments;
let keys: Record<(typeof both)[number], string>;
const otherOf = (environment: (typeof both)[number]) =>
  environment === 'live' ? 'staging' : 'live';

beforeAll(async () => {
  environments = await startEnvironments();
  keys = { live: await environments.live.makeKey(), staging: await environments.staging.makeKey() };
});
afterAll(() => environments.remove());

test('Production keys are sk_live_…, those of staging sk_test_…', () => {
  expect(keys.live).toMatch(/^sk_live_/);
  expect(keys.staging).toMatch(/^sk_test_/);
});

test.each(both)(
  'a key of the other environment is answered with 401 in the %s environment',
  async (environment) => {
    const foreign = keys[otherOf(environment)];
    expectRefusal(await environments[environment].rest(foreign, 'GET', 'layers/'), 'unauthorized');
    const path = `phone/enrichment/?token=${foreign}`;
    const json = { profile_url: 'https://sandbox.example/in/phone' };
    const lookup = await environments[environment].call('POST', path, { key: null, json });
    expect(lookup.status).toBe(401);
    expect((await environments[environment].rest(keys[environment], 'GET', 'layers/')).status).toBe(
      200,
    );
  },
);

test('the older routes of staging have a Deprecation header and link to the newer ones of staging', async () => {
  const old = await environments.staging.call('GET', 'api/v1/enrichment/layers/');
  expect(old.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(old.headers.get('link')).toBe(
    '</staging/api/v1/data-enrichment/>; rel="successor-version"',
  );
});

test('POST /staging/api/v1/wallet/top-up/ adds credits, with and without a slash', async () => {
  const { staging, live } = environments;
  const topUp = (client: EnvironmentClient, key: string | null, path: string, json: unknown) =>
    client.call('POST', path, { key, json });
  const before = Number((await staging.call('GET', 'app/v1/wallet')).data.available);
  for (const path of ['api/v1/wallet/top-up/', 'api/v1/wallet/top-up'])
    expect((await topUp(staging, keys.staging, path, { credits: '2.5' })).status).toBe(200);
  const last = await topUp(staging, keys.staging, 'api/v1/wallet/top-up/', { credits: 5 });
  expect(Number(last.data.available)).toBe(before + 10);
  for (const credits of [0, -1, 'many', 1e12, null])
    expectRefusal(
      await topUp(staging, keys.staging, 'api/v1/wallet/top-up/', { credits }),
      'validation_error',
    );
  const path = 'api/v1/wallet/top-up/';
  expectRefusal(await topUp(staging, null, path, { credits: 1 }), 'unauthorized');
  expectRefusal(await topUp(live, keys.live, path, { credits: 1 }), 'not_found');
});

test('jobs, wallets, accounts and lists of one environment are unknown to the other', async () => {
  const { staging, live } = environments;
  const ours = async () => ({
    jobs: (await live.call('GET', `${enrich}/jobs/`)).data,
    wallet: (await live.call('GET', 'app/v1/wallet')).data,
    entries: (await live.call('GET', 'app/v1/wallet/entries')).data.count,
    accounts: (await live.call('GET', 'app/v1/accounts')).data,
    directory: (await live.call('GET', 'app/v1/directory')).data,
  });
  const before = await ours();
  const job = await staging.run([contact('enriched')]);
  await staging.call('POST', 'app/v1/accounts', { json: { name: 'Only in staging' } });
  expect(await ours()).toEqual(before);
  expect(before.directory).toMatchObject({ people: 0, index: 'empty' });
  for (const path of [`status/${job.job_id}/`, `result/${job.job_id}/`])
    expectRefusal(await live.rest(keys.live, 'GET', path), 'not_found');
  for (const verb of ['cancel', 'retry'])
    expectRefusal(await live.rest(keys.live, 'POST', `${verb}/${job.job_id}/`), 'not_found');
  expectRefusal(await live.call('GET', `app/v1/jobs/${job.job_id}/rows`), 'not_found');
  const accounts: Json[] = (await staging.call('GET', 'app/v1/accounts')).data;
  const headers = { 'x-desk-account': accounts.at(-1).id };
  expectRefusal(await live.call('GET', 'app/v1/wallet', { headers }), 'not_found');
});

test('uploads and downloads of one environment are unknown to the other', async () => {
  const { staging, live } = environments;
  const form = { file: new Blob(['email\nenriched@sandbox.example\n']) };
  const { upload_id } = (await staging.call('POST', 'app/v1/uploads', { form })).data;
  expectRefusal(await live.call('GET', `app/v1/uploads/${upload_id}`), 'not_found');
  expect((await staging.call('GET', `app/v1/uploads/${upload_id}`)).status).toBe(200);
  const events = await staging.listen();
  const json = { upload_id, selected_layers: ['L1'] };
  const { job_id } = (await staging.call('POST', 'app/v1/jobs', { json })).data;
  await events.next(isEnd(job_id));
  await events.close();
  const asked = await staging.call('POST', `app/v1/jobs/${job_id}/exports`, { json: {} });
  const { download_url } = asked.data;
  expect(download_url).toMatch(/^\/staging\/app\/v1\/downloads\//);
  const there = await fetch(environments.url + download_url.replace('/staging', ''));
  expect(there.status).toBe(404);
  const file = await fetch(environments.url + download_url);
  expect(await file.text()).toContain('enriched@sandbox.example');
});

test('an environment sends only its own events', async () => {
  const [ours, theirs] = [await environments.live.listen(), await environments.staging.listen()];
  const there = await environments.staging.run([contact('enriched')]);
  const here = await environments.live.run([contact('enriched')]);
  await ours.next(isEnd(here.job_id));
  await theirs.next(isEnd(there.job_id));
  const named = (received: typeof ours.received) =>
    new Set(received.flatMap((event) => (event.type === 'job' ? [event.job.job_id] : [])));
  // Each may receive the end of a job that an earlier test left running in its own environment.
  for (const id of named(ours.received).add(here.job_id))
    expect((await environments.live.rest(keys.live, 'GET', `status/${id}/`)).status).toBe(200);
  for (const id of named(theirs.received).add(there.job_id))
    expect((await environments.staging.rest(keys.staging, 'GET', `status/${id}/`)).status).toBe(
      200,
    );
  await ours.close();
  await theirs.close();
});

/** An engine in which staging was never opened, and which is restarted later. */
let own: Environments;
const ownStaging = () => join(own.dataDir, 'staging');
beforeAll(async () => {
  own = await startEnvironments();
});
afterAll(() => own.remove());

test('a staging database of a newer version is answered as 503 read_only', async () => {
  await own.live.call('GET', 'app/v1/state');
  expect(existsSync(ownStaging())).toBe(false);
  mkdirSync(ownStaging(), { mode: 0o700 });
  const newer = new Database(join(ownStaging(), 'engine.db'));
  newer.pragma('user_version = 999');
  newer.close();
  const refused = await own.staging.call('GET', `${enrich}/layers/`);
  expectRefusal(refused, 'read_only');
  expect(refused.body.detail).toContain('written by a newer version');
  rmSync(ownStaging(), { recursive: true });
});

test('the reason why staging cannot be opened is answered, and the next request tries again', async () => {
  mkdirSync(join(ownStaging(), 'engine.db'), { recursive: true });
  const first = await own.staging.call('GET', `${enrich}/layers/`);
  expect(first.status).toBeGreaterThanOrEqual(500);
  expect(first.body.success).toBe(false);
  expect((await own.live.call('GET', `${enrich}/layers/`)).status).toBe(200);
  rmSync(ownStaging(), { recursive: true });
});

test('staging is opened at its first use, once, and starts with 10,000 credits', async () => {
  expect(existsSync(ownStaging())).toBe(false);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => own.staging.call('GET', 'app/v1/directory')),
  );
  for (const { status, data } of answers) {
    expect(status).toBe(200);
    expect(data.imports).toHaveLength(1);
    expect(data.people).toBe(answers[0]?.data.people);
  }
  expect((await own.staging.call('GET', 'app/v1/accounts')).data).toHaveLength(1);
  const wallet = { available: '10000.0000', held: '0.0000', spent: '0.0000' };
  expect((await own.staging.call('GET', 'app/v1/wallet')).data).toEqual(wallet);
});

test('deleting the folder of staging does not change the live environment', {
  tags: ['full'],
}, async () => {
  const key = await own.live.makeKey();
  const stagingKey = await own.staging.makeKey();
  const job = await own.live.run([contact('enriched')]);
  expect((await own.staging.run([contact('enriched')])).credits_charged).not.toBe('0.0000');
  own = await own.restart(() => rmSync(ownStaging(), { recursive: true }));
  expect((await own.live.rest(key, 'GET', `status/${job.job_id}/`)).data).toEqual(job);
  expectRefusal(await own.staging.rest(stagingKey, 'GET', 'layers/'), 'unauthorized');
  expect((await own.staging.call('GET', 'app/v1/wallet')).data.spent).toBe('0.0000');
});

// Last, because it is the only test that imports into the live directory.
test('an import into one environment is not in the directory of the other', async () => {
  const path = join(environments.dataDir, 'people.csv');
  writeFileSync(path, 'id,first_name,last_name,email\n1,Ada,Lovelace,ada@engines.example\n');
  await environments.live.call('POST', 'app/v1/directory/imports?wait=1', {
    json: { people_path: path },
  });
  const row = { email: 'ada@engines.example' };
  expect((await environments.live.run([row, contact('enriched')])).enriched_rows).toBe(1);
  const job = await environments.staging.run([row, contact('enriched')]);
  expect((await environments.staging.results(job.job_id)).map(({ status }) => status)).toEqual([
    'skipped',
    'enriched',
  ]);
});
