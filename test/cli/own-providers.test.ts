// The user's own account at a data service, from the key to the second job: a real engine, the
// command line, and a fake of the service on loopback that counts what it charged.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { GridPage } from '../../engine/contract/jobs/app-jobs.ts';
import type { ProviderLog, UserProvider, UserProviders } from '../../engine/contract/providers.ts';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { openUpstream } from '../providers/definitions/open-upstream.ts';
import { exampleFinder } from '../providers/fakes/example-finder.ts';
import { type Fake, fakeKey, openFake } from '../providers/fakes/open-fake.ts';
import { companies, people } from './lists.ts';
import { makePlace, type Run, runHere } from './run-desk.ts';

const place = makePlace();
let engine: EngineHere;
let service: Fake;

function exampleFile(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/providers.md'), 'utf8');
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  const file = { ...example, title: 'My finder', dev: true, hosts: [service.host] };
  return JSON.stringify(file).replaceAll('https://api.finder.example', `http://${service.host}`);
}

const rows = [
  'Ref,First Name,Last Name,Company Domain',
  '1,Grace,Hopper,navy.example',
  '2,Ada,Miss,navy.example',
  '3,Grace,Hopper,navy.example',
  '',
].join('\n');

beforeAll(async () => {
  service = await openFake(exampleFinder);
  place.write('rows.csv', rows);
  place.write('people.csv', people);
  place.write('companies.csv', companies);
  engine = await startEngineHere(place.dataDir);
  await place.here('directory', 'import', 'people.csv', '--companies', 'companies.csv');
  const added = await engine.ask('POST', '/app/v1/provider-definitions', { text: exampleFile() });
  expect(added).toEqual({ id: 'example-finder', faults: [] });
}, 60_000);
afterAll(async () => {
  await engine.stop();
  await service[Symbol.asyncDispose]();
  place.remove();
});

const providers = (...args: string[]): Promise<Run> => place.here('providers', ...args);

async function ask<Value>(...args: string[]): Promise<Value> {
  const { code, json, stderr } = await providers(...args, '--json');
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  return json as unknown as Value;
}

const addKey = (key: string): Promise<Run> =>
  runHere(place, ['providers', 'add', 'example-finder'], {
    answer: () => false,
    secret: `${key}\n`,
  });

/** Enriches the list; returns its rows and the job. */
async function enrich(name: string, ...more: string[]) {
  const job = await place.here(
    'enrich',
    'rows.csv',
    '--layers',
    'L1',
    '--out',
    name,
    '--yes',
    '--json',
    ...more,
  );
  expect([job.stderr, job.code]).toEqual([expect.anything(), 0]);
  const cells = parse(readFileSync(join(place.dir, name)), { columns: true });
  return { job: job.json, said: job.stderr, cells: cells as Record<string, string>[] };
}

test('a key that is added asks nothing until the service is switched on', async () => {
  const { code, stdout } = await addKey(fakeKey);
  expect([code, stdout]).toEqual([0, expect.stringContaining('example-finder  off')]);
  const { job } = await enrich('off.csv');
  expect(job).toMatchObject({ enriched_rows: 0, skipped_rows: 3 });
  expect(service.arrivals).toEqual([]);
});

test('a job asks for unknown rows once, with provenance, log and spend; the next is free', async () => {
  const on = await providers('set', 'example-finder', '--on', '--cap-day', '5');
  expect(on.stdout).toContain(
    `are sent to ${service.host}: first_name, last_name, profile_url, company_domain.`,
  );
  const without = await enrich('without.csv', '--no-providers');
  expect(without.job).toMatchObject({ enriched_rows: 0, skipped_rows: 3, providers: [] });
  expect(without.said).not.toContain('may cost at most');
  expect(service.arrivals).toEqual([]);
  const first = await enrich('first.csv');
  expect(first.job).toMatchObject({ enriched_rows: 2, skipped_rows: 1, failed_rows: 0 });
  expect(first.cells[0]).toMatchObject({
    'Current title': 'Chief Financial Officer',
    Email: 'grace.hopper@navy.example',
  });
  expect(service.spent()).toBe(1);
  const page = await engine.ask('GET', `/app/v1/jobs/${first.job.job_id}/rows`);
  const { result } = (page as GridPage).rows[0] ?? {};
  expect(result?.provenance?.['Current title']).toMatchObject({
    source: 'My finder',
    observed_at: '2026-05-04',
  });
  const log = await ask<ProviderLog>('log');
  expect(log).toEqual({
    requests: [
      expect.objectContaining({
        provider: 'example-finder',
        job_id: first.job.job_id,
        rows: 2,
        state: 'answered',
        fields: ['work_email', 'employment'],
        cost: 1,
        cost_max: 2,
        is_cost_reported: true,
      }),
    ],
    next: null,
  });
  expect(first.said).toContain('example-finder may cost at most 3 of its own credits');
  expect(first.said).toContain('example-finder: 2 rows asked, 1 of its own credits.');
  expect(first.said).toMatch(/provider +field +asked +found +hit rate +credits +credits a hit/);
  expect(first.said).toMatch(/example-finder +work_email +2 +1 +50% +0\.5 +0\.5/);
  expect(first.job.providers).toEqual([
    expect.objectContaining({
      provider: 'example-finder',
      credits: 1,
      is_estimated: false,
      price: null,
      fields: ['work_email', 'employment'].map((field) => ({
        field,
        asked: 2,
        hits: 1,
        hit_rate: 0.5,
        credits: 0.5,
        cost_per_hit: 0.5,
      })),
    }),
  ]);
  const stored = await enrich('stored.csv', '--no-providers');
  expect(stored.cells).toEqual(first.cells);
  const { cells, said } = await enrich('second.csv');
  expect(said).not.toContain('rows asked');
  expect(cells).toEqual(first.cells);
  expect(service.spent()).toBe(1);
  expect(service.ledger).toHaveLength(1);
  const status = await ask<UserProviders>('status');
  const shown = status.providers.find(({ id }) => id === 'example-finder');
  expect(shown).toMatchObject({
    is_on: true,
    has_key: true,
    caps: { job: null, day: 5, month: null },
    spend: { today: 1, month: 1, uncertain_requests: 0 },
    fields: [
      { field: 'work_email', asked: 2, hits: 1, hit_rate: 0.5 },
      { field: 'employment', asked: 2, hits: 1 },
    ],
  });
});

test('the order, the test with the stored key, and its balance', async () => {
  const { stdout } = await providers('order', 'work_email', 'none');
  expect(stdout).toBe('work_email: the directory\n');
  await providers('order', 'work_email', 'example-finder');
  expect((await providers('order', 'work_email')).last).toBe(
    'work_email: the directory, example-finder',
  );
  expect((await providers('order')).stdout).toBe(
    'work_email: the directory, example-finder\nemployment: the directory, example-finder\n',
  );
  expect((await providers('order', 'phone', 'example-finder')).code).toBe(1);
  const { last } = await providers('test', 'example-finder', '--stored');
  expect(last).toBe('2 of 2 checks passed.');
  expect((await providers('status')).stdout).toContain('balance 999');
});

test('the rule of a step is set in parts, shown with the order, and checked', async () => {
  const rule = (...words: string[]) => ask('rule', 'work_email', 'example-finder', ...words);
  expect(await rule()).toEqual({});
  expect(await rule('--status', 'valid,catch_all', '--confidence', '0.8')).toEqual({
    statuses: ['valid', 'catch_all'],
    confidence_min: 0.8,
  });
  const whole = {
    statuses: ['valid'],
    age_days_max: 90,
    only_if_missing: ['phone'],
    only_countries: ['FR', 'DE'],
    only_domains: ['fr', 'acme.example'],
  };
  const set = await rule(
    '--status',
    'valid',
    '--confidence',
    'none',
    '--age',
    '90',
    '--only-if-missing',
    'phone',
    '--countries',
    'fr,de',
    '--domains',
    'FR,acme.example',
  );
  expect(set).toEqual(whole);
  expect(await rule()).toEqual(whole);
  expect((await providers('order', 'work_email')).last).toBe(
    'work_email: the directory, example-finder (--status valid --age 90 --only-if-missing phone ' +
      '--countries FR,DE --domains fr,acme.example)',
  );
  const names = ['status', 'age', 'only-if-missing', 'countries', 'domains'];
  expect(await rule(...names.flatMap((name) => [`--${name}`, 'none']))).toEqual({});
  const refused = [
    ['--status', 'good'],
    ['--confidence', '2'],
    ['--age', 'old'],
    ['--countries', 'France'],
    ['--only-if-missing', 'fax'],
  ];
  for (const words of refused)
    expect([
      words,
      await providers('rule', 'work_email', 'example-finder', ...words),
    ]).toMatchObject([
      words,
      { code: 2, stderr: expect.stringContaining(`${words.join(' ')} is no rule. Give`) },
    ]);
  expect(await providers('rule', 'phone', 'example-finder')).toMatchObject({ code: 2 });
});

test('the price of a credit, and whether unknown outcomes are asked again', async () => {
  const set = (...words: string[]) => ask<UserProvider>('set', 'example-finder', ...words);
  expect(
    await set('--price', '0.05', '--currency', 'eur', '--repeat-uncertain', 'on'),
  ).toMatchObject({ price: { per_credit: 0.05, currency: 'EUR' }, repeats_uncertain: true });
  const status = await providers('status');
  expect(status.stdout).toContain('0.05 EUR a credit  repeats uncertain');
  expect(await set('--price', 'none', '--repeat-uncertain', 'off')).toMatchObject({
    price: null,
    repeats_uncertain: false,
    is_on: true,
  });
  for (const words of [
    ['--price', '1'],
    ['--currency', 'EUR'],
    ['--repeat-uncertain', 'maybe'],
  ])
    expect(await providers('set', 'example-finder', ...words)).toMatchObject({ code: 2 });
});

test('forget deletes the answers, and the next job pays again', async () => {
  expect(await ask('forget', 'example-finder')).toEqual({ deleted: 4 });
  await enrich('third.csv');
  expect(service.spent()).toBe(2);
});

test('a request that lost its answer is decided about, with the balance as a hint', async () => {
  await ask('forget', 'example-finder');
  await providers('set', 'example-finder', '--cap-day', 'none');
  service.fail('reset');
  expect((await enrich('lost.csv')).said).toMatch(
    /may have been charged: see desk providers uncertain\. Until you decide there, every job fails/,
  );
  await expect
    .poll(async () => (await providers('uncertain')).stdout, { timeout: 20_000 })
    .toMatch(/up to 2 credits {2}the balance fell by \d/);
  const [request] = (await ask<ProviderLog>('uncertain')).requests;
  expect((await providers('uncertain', String(request?.id))).stderr).toContain('--not-charged');
  const decided = await providers('uncertain', String(request?.id), '--charged', '1');
  expect(decided.stdout).toContain('cost 1 credit. It counts as a miss.');
  expect((await providers('uncertain')).stdout).toBe('No request has an unknown outcome.\n');
});

test('the key is in no file of the data folder, no answer and no backup', async () => {
  const backup = join(place.dir, 'copy.tar.gz');
  await place.here('backup', backup);
  const names = readdirSync(place.dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  for (const path of files)
    expect([path, readFileSync(path).includes(fakeKey)]).toEqual([path, false]);
  expect(gunzipSync(readFileSync(backup)).includes(fakeKey)).toBe(false);
  const all = JSON.stringify(await engine.ask('GET', '/app/v1/providers'));
  const log = JSON.stringify(await engine.ask('GET', '/app/v1/provider-log'));
  expect(all + log).not.toContain(fakeKey);
});

test('a definition with other hosts does not receive the key', async () => {
  const other = await openFake(exampleFinder);
  onTestFinished(() => other[Symbol.asyncDispose]());
  const text = exampleFile().replaceAll(service.host, other.host);
  await engine.ask('POST', '/app/v1/provider-definitions', { text });
  const { last, code } = await providers('test', 'example-finder', '--stored');
  expect([code, last]).toEqual([1, '0 of 1 check passed.']);
  expect((await providers('set', 'example-finder', '--on')).stderr).toContain('has no key');
  expect(other.arrivals).toEqual([]);
  await addKey(fakeKey);
  expect(await ask<UserProvider>('set', 'example-finder', '--off')).toMatchObject({
    has_key: true,
    is_on: false,
  });
});

test('remove ends it: no key, no settings, no definition of the user', async () => {
  const left = await ask<UserProviders>('remove', 'example-finder');
  expect(left.providers.map(({ id }) => id)).not.toContain('example-finder');
  expect(left.waterfall).toEqual([]);
  expect((await providers('remove', 'example-finder')).stderr).toContain('There is no provider');
});

test('another engine is added with --local, also on this machine; --local alone is bad usage', async () => {
  const layers = [{ code: 'L1', price: '1.0000' }];
  const other = await openUpstream({ status: 200, body: { success: true, data: { layers } } });
  onTestFinished(() => other[Symbol.asyncDispose]());
  const add = (...options: string[]) =>
    runHere(place, ['providers', 'add', 'desk', ...options], {
      answer: () => false,
      secret: 'key-of-the-engine\n',
    });
  const alone = await add('--local');
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringContaining('--local with --address'),
  ]);
  const plain = await add('--address', 'http://10.0.0.5:4000', '--local');
  expect(plain.stderr).toContain('http is only for an engine on this machine; use https');
  const address = `http://${other.host}`;
  const { code, stdout } = await add('--address', address, '--local');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${address} is on this machine.`)]);
  const path = join(place.dataDir, 'providers/desk.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ address, local: true });
  expect(other.arrived).toMatchObject([{ headers: { authorization: 'Token key-of-the-engine' } }]);
  await ask('remove', 'desk');
});
