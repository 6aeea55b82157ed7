// A job with a provider behind the directory: results and failures.
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { EngineError, type ErrorCode } from '../../engine/contract/errors.ts';
import { ResultRowSchema } from '../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import { ProviderError } from '../../engine/contract/provider.ts';
import { createResultWriter } from '../../engine/jobs/results/present-result.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { failJob } from '../../engine/jobs/run-jobs.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { listWanted } from '../../engine/providers/waterfall/layer-fields.ts';
import {
  fails,
  found,
  nothing,
  openTestWaterfalls,
  playProvider,
  type Say,
  type SayField,
} from '../providers/play-provider.ts';
import { now, openJobFixture } from './job-fixture.ts';

type JobFixture = Awaited<ReturnType<typeof openJobFixture>>;
/** A waterfall of one provider that accepts ten rows at a time, and the rows it received. */
function play(fixture: JobFixture, uuid: string, say: Say) {
  const { id, codes } = fixture.read(uuid);
  const played = playProvider(say);
  const waterfalls = openTestWaterfalls(fixture.database, [played.provider]);
  const waterfall = waterfalls.open({ jobId: id, wanted: listWanted(codes) }) ?? undefined;
  const names = () => played.asked.map(({ first_name = '' }) => first_name);
  return { ...played, names, waterfall };
}

const row = (name: string) => [name, 'Stranger', 'Elsewhere Ltd'];
const names = (count: number) => Array.from({ length: count }, (_, at) => `Row${at}`);
const everyLayer: LayerCode[] = ['L1', 'L2', 'L3', 'L4', 'MPA'];

const refuse =
  (failure: 'unavailable' | 'quota'): Say =>
  () => {
    throw new ProviderError(failure, 'It says no. Ask it why.');
  };

const describe = (fixture: JobFixture, uuid: string) => {
  const job = fixture.read(uuid);
  const write = createResultWriter(job);
  return fixture
    .results(job)
    .map((record) => ResultRowSchema.parse(JSON.parse(write(record, '', job.createdAt))));
};

test('a request that takes long does not keep the rows after it from being asked', async () => {
  const fixture = await openJobFixture();
  const people = ['Slow', ...names(7)];
  const uuid = fixture.submit(people.map(row), everyLayer);
  const asked: string[] = [];
  const answered = Promise.withResolvers<void>();
  const { provider } = playProvider(() => nothing, { rowsMax: 1, requestsMax: 8 });
  const slow = {
    ...provider,
    async answer(...[request, options]: Parameters<typeof provider.answer>) {
      const answer = await provider.answer(request, options);
      asked.push(...request.rows.map(({ row: { first_name: name = '' } }) => name));
      if (request.rows[0]?.row.first_name === 'Slow') await answered.promise;
      return answer;
    },
  };
  const waterfalls = openTestWaterfalls(fixture.database, [slow]);
  const { id, codes } = fixture.read(uuid);
  const waterfall = waterfalls.open({ jobId: id, wanted: listWanted(codes) }) ?? undefined;
  const run = runJob({ ...fixture.deps, batchRowsMax: 1, waterfall }, id);
  await expect.poll(() => asked.toSorted()).toEqual(people.toSorted());
  expect(fixture.read(uuid).processedRows).toBe(0);
  answered.resolve();
  await run;
  expect(fixture.read(uuid)).toMatchObject({ status: 'completed', processedRows: 8 });
});

test('values of a provider become a result of the selected layers, with their provenance', async () => {
  const fixture = await openJobFixture();
  const values = {
    first_name: 'Ida',
    email: 'ida@new.example',
    company_city: 'Bern',
    new_company_name: 'New AG',
    new_company_city: 'Basel',
    mobile_phone: '+41790000000',
  };
  const stayed = { ...values, employment_status: 'Current' };
  const answers: Record<string, SayField> = {
    Stays: found(stayed),
    Moved: found({ ...values, email: 'moved@new.example' }),
    Gone: found({ first_name: 'Ida', employment_status: 'Left' }),
    Wrong: found(stayed, { status: 'invalid' }),
    Nobody: nothing,
    Locked: fails('The row is locked. Try later.'),
  };
  const uuid = fixture.submit(Object.keys(answers).map(row), everyLayer);
  const { waterfall } = play(fixture, uuid, ({ first_name = '' }) => answers[first_name]!);
  await runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
  const results = describe(fixture, uuid);
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([
    ['enriched', ''],
    ['enriched', ''],
    ['enriched', ''],
    ['enriched', ''],
    ['skipped', 'no_match'],
    ['failed', 'source_error'],
  ]);
  const [stays, moved, gone, wrong, nobody, locked] = results;
  expect(stays?.layer_status).toEqual({
    L1: 'enriched',
    L2: 'enriched',
    MPA: 'enriched',
    L3: 'not_applicable',
    L4: 'not_applicable',
  });
  expect(stays?.enriched_fields).not.toHaveProperty('New company name');
  expect(stays?.provenance.Email).toEqual({
    source: 'Double',
    observed_at: '2026-10-01',
    confidence: 0.9,
  });
  expect(moved?.layer_status).toMatchObject({ L3: 'enriched', L4: 'enriched' });
  expect(moved?.enriched_fields).toMatchObject({
    'Employment status': 'Changed',
    'New company name': 'New AG',
  });
  expect(gone?.layer_status).toMatchObject({ L1: 'enriched', L2: 'not_found', L3: 'not_found' });
  expect(wrong?.enriched_fields).not.toHaveProperty('Email');
  expect([nobody?.credits_charged, locked?.credits_charged]).toEqual(['0.0000', '0.0000']);
  expect(locked?.error_message).toBe(
    'Double: The row is locked. Try later. Run the rows again later.',
  );
  expect(fixture.read(uuid)).toMatchObject({ enrichedRows: 4, skippedRows: 1, failedRows: 1 });
  expect(fixture.read(uuid).chargedUnits).toBe(4 * 80_000);
});

test('under layers_found only the layers with data of the provider are charged', async () => {
  const fixture = await openJobFixture();
  updateAccount(fixture.database, fixture.account.id, { chargePolicy: 'layers_found' });
  const uuid = fixture.submit([row('Ida')], everyLayer);
  const { waterfall } = play(fixture, uuid, () => found({ direct_phone: '+41310000000' }));
  await runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
  expect(fixture.read(uuid).chargedUnits).toBe(60_000);
});

test('a provider receives only rows without a match, and rows whose match lacks a field', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', [
    'p1,Ann,Lee,Acme Widgets,Buyer,ann@acme.example,1',
    'p2,Cy,Mo,Acme Widgets,Buyer,,1',
  ]);
  const uuid = fixture.submit([
    ['Ann', 'Lee', 'Acme Widgets'],
    row('Bo'),
    ['', '', ''],
    ['Cy', 'Mo', 'Acme Widgets'],
  ]);
  const { waterfall, names: asked } = play(fixture, uuid, () => nothing);
  await runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
  expect(asked()).toEqual(['Bo', 'Cy']);
  expect(describe(fixture, uuid).map(({ reason }) => reason)).toEqual([
    '',
    'no_match',
    'too_little_data',
    '',
  ]);
});

test('a value that a matched person lacks is added with its own provenance, and nothing else is', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', [
    'p1,Ann,Lee,Acme Widgets,Buyer,,1',
    'p2,Ed,Poe,Acme Widgets,Buyer,ed@acme.example,1',
    'p3,Lou,Ray,Acme Widgets,Buyer,,0',
  ]);
  const rows = ['Ann Lee', 'Ed Poe', 'Lou Ray'].map((name) => [...name.split(' '), 'Acme Widgets']);
  const uuid = fixture.submit(rows, ['L1', 'MPA']);
  const { waterfall, requests } = play(fixture, uuid, ({ first_name = '' }) =>
    found({ email: `${first_name}@new.example`, title: 'Queen', direct_phone: '+41310000000' }),
  );
  await runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
  const [ann, ed, lou] = describe(fixture, uuid);
  expect(ann).toMatchObject({
    layer_status: { L1: 'enriched', MPA: 'enriched' },
    enriched_fields: {
      Email: 'Ann@new.example',
      'Email status': 'valid',
      'Current title': 'Buyer',
      'Direct phone': '+41310000000',
    },
    provenance: {
      Email: { source: 'Double', observed_at: '2026-10-01', confidence: 0.9 },
      'Current title': { source: 'crm.csv' },
    },
  });
  expect(ed?.enriched_fields).toMatchObject({ Email: 'ed@acme.example' });
  expect(ed?.provenance).toMatchObject({
    Email: { source: 'crm.csv' },
    'Direct phone': { source: 'Double' },
  });
  // The work email of a person who left is not asked for.
  expect(lou?.enriched_fields).not.toHaveProperty('Email');
  const asked = requests.flatMap(({ rows: some }) => some);
  expect(asked.map(({ row: { first_name }, fields }) => [first_name, ...fields])).toEqual([
    ['Ann', 'work_email', 'phone'],
    ['Ed', 'phone'],
    ['Lou', 'phone'],
  ]);
  expect(fixture.read(uuid)).toMatchObject({ enrichedRows: 3, chargedUnits: 3 * 60_000 });
});

test.each(['unavailable', 'quota'] as const)(
  'a provider that is %s for what matched people lack ends nothing',
  async (failure) => {
    const fixture = await openJobFixture();
    await fixture.importPeople('crm.csv', ['p1,Ann,Lee,Acme Widgets,Buyer,,1']);
    const uuid = fixture.submit([['Ann', 'Lee', 'Acme Widgets']]);
    const { waterfall } = play(fixture, uuid, refuse(failure));
    await runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
    expect(fixture.read(uuid)).toMatchObject({ status: 'completed', enrichedRows: 1 });
  },
);

test('the acceptance of a job by its provider survives a stop: a later outage fails only rows', async () => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit(names(20).map(row));
  const { id } = fixture.read(uuid);
  const first = play(fixture, uuid, ({ first_name = '' }) => {
    if (Number(first_name.slice(3)) < 10) return nothing;
    throw new ProviderError('unavailable', 'It is gone already.');
  });
  const isStopping = () => fixture.read(uuid).processedRows >= 10;
  await runJob({ ...fixture.deps, waterfall: first.waterfall, isStopping }, id);
  expect(fixture.read(uuid)).toMatchObject({ status: 'running', processedRows: 10 });
  const second = play(fixture, uuid, refuse('unavailable'));
  await runJob({ ...fixture.deps, waterfall: second.waterfall }, id);
  expect(fixture.read(uuid)).toMatchObject({
    status: 'completed',
    skippedRows: 10,
    failedRows: 10,
  });
});

test.each<['unavailable' | 'quota', ErrorCode]>([
  ['unavailable', 'upstream_error'],
  ['quota', 'upstream_insufficient_credits'],
])('a provider that returns %s for the first batch ends the job with %s', async (says, code) => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit(names(3).map(row));
  const { waterfall } = play(fixture, uuid, refuse(says));
  const run = runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
  await expect(run).rejects.toMatchObject({ name: 'EngineError', code });
});

test('a job refused for credits keeps its rows, and a retry requests only the rest', async () => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit(names(20).map(row));
  const { id } = fixture.read(uuid);
  const poor = play(fixture, uuid, ({ first_name = '' }) => {
    if (Number(first_name.slice(3)) >= 10) throw new ProviderError('quota', 'None left.');
    return found({ first_name });
  });
  const error: unknown = await runJob({ ...fixture.deps, waterfall: poor.waterfall }, id).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EngineError)) throw error;
  failJob(fixture.database, id, { code: error.code, detail: error.detail }, now());
  expect(fixture.read(uuid)).toMatchObject({
    status: 'failed',
    processedRows: 10,
    chargedUnits: 0,
  });
  const command = { accountId: fixture.account.id, keyId: null, jobId: uuid };
  retryJob(fixture.database, fixture.folder, command, now());
  expect(fixture.read(uuid)).toMatchObject({ status: 'queued', upstreamAccepted: 0 });
  const rich = play(fixture, uuid, ({ first_name = '' }) => found({ first_name }));
  await runJob({ ...fixture.deps, waterfall: rich.waterfall }, id);
  expect(rich.names()).toEqual(names(20).slice(10));
  expect(fixture.read(uuid)).toMatchObject({ status: 'completed', enrichedRows: 20 });
  expect(describe(fixture, uuid).map((result) => result.enriched_fields['First name'])).toEqual(
    names(20),
  );
});

test.each([
  ['one column of names', ['Dr. Ada King', 'Elsewhere Ltd'], { first_name: 0, company_name: 1 }],
  ['surnames first', ['King, Ada', 'n/a'], { first_name: 0, company_name: 1 }],
  ['two columns', ['Dr. Ada', 'King, MBA'], { first_name: 0, last_name: 1 }],
])('a service is asked for a first and a last name: %s', async (_what, cells, mapping) => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit([cells], ['L1'], { mapping });
  const { waterfall, asked } = play(fixture, uuid, () => nothing);
  await runJob({ ...fixture.deps, waterfall }, fixture.read(uuid).id);
  const company = cells.includes('Elsewhere Ltd') ? { company_name: 'Elsewhere Ltd' } : {};
  expect(asked).toEqual([{ first_name: 'Ada', last_name: 'King', ...company }]);
});
