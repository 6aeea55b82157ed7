/** A job with a provider behind the directory: results and failures. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { EngineError, type ErrorCode } from '../../engine/contract/errors.ts';
import { ResultRowSchema } from '../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import {
  type ProviderAnswer,
  ProviderError,
  type ProviderRow,
} from '../../engine/contract/provider.ts';
import { failJob } from '../../engine/jobs/fail-job.ts';
import { createResultWriter } from '../../engine/jobs/results/present-result.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { createUpstreamClient } from '../../engine/providers/upstream-client.ts';
import { now, openJobFixture } from './job-fixture.ts';

type JobFixture = Awaited<ReturnType<typeof openJobFixture>>;
type Say = (row: ProviderRow) => ProviderAnswer;

/** A provider that accepts ten rows at a time, and the rows that it received. */
function play(say: Say) {
  const asked: string[] = [];
  const ids: string[] = [];
  const provider = {
    ...{ name: 'Double', rowsMax: 10, retryDelaysMs: [] },
    answer: async ({ id, rows }: { id: string; rows: readonly ProviderRow[] }) => {
      ids.push(id);
      asked.push(...rows.map(({ first_name = '' }) => first_name));
      return rows.map(say);
    },
  };
  return { asked, ids, upstream: createUpstreamClient(provider, async () => undefined) };
}

const row = (name: string) => [name, 'Stranger', 'Elsewhere Ltd'];
const names = (count: number) => Array.from({ length: count }, (_, at) => `Row${at}`);
const everyLayer: LayerCode[] = ['L1', 'L2', 'L3', 'L4', 'MPA'];

const found = (more: Partial<Extract<ProviderAnswer, { kind: 'found' }>>): ProviderAnswer => ({
  ...{ kind: 'found', contactUuid: randomUUID(), confidence: 0.9 },
  ...{ employmentStatus: 'Current', observedOn: '2026-10-01', values: {} },
  ...more,
});
const refuse = (code: 'unavailable' | 'refused_credits'): Say => {
  return () => {
    throw new ProviderError(code, 'It says no. Ask it why.');
  };
};

const describe = (fixture: JobFixture, uuid: string) => {
  const job = fixture.read(uuid);
  const write = createResultWriter(job);
  return fixture
    .results(job)
    .map((record) => ResultRowSchema.parse(JSON.parse(write(record, '', job.createdAt))));
};

test('values of a provider become a result of the selected layers, with their provenance', async () => {
  const fixture = await openJobFixture();
  const values = {
    ...{ 'First name': 'Ida', Email: 'ida@new.example', 'Email status': 'valid' },
    ...{ 'Company city': 'Bern', 'New company name': 'New AG', 'New company city': 'Basel' },
    ...{ 'Mobile phone': '+41790000000', Shoes: '42' },
  };
  const answers: Record<string, ProviderAnswer> = {
    Stays: found({ values }),
    Moved: found({ values, employmentStatus: 'Changed' }),
    Gone: found({ values: { 'First name': 'Ida' }, employmentStatus: 'Left' }),
    Wrong: found({ values: { ...values, 'Email status': 'invalid' } }),
    Nobody: { kind: 'nothing' },
    Locked: { kind: 'failed', detail: 'The row is locked. Try later.' },
  };
  const uuid = fixture.submit(Object.keys(answers).map(row), everyLayer);
  const { upstream } = play(({ first_name = '' }) => answers[first_name]!);
  await runJob({ ...fixture.deps, upstream }, fixture.read(uuid).id);
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
    ...{ L1: 'enriched', L2: 'enriched', MPA: 'enriched' },
    ...{ L3: 'not_applicable', L4: 'not_applicable' },
  });
  expect(stays?.enriched_fields).not.toHaveProperty('New company name');
  expect(stays?.enriched_fields).not.toHaveProperty('Shoes');
  expect(stays?.provenance.Email).toEqual({
    ...{ source: 'Double', observed_at: '2026-10-01', confidence: 0.9 },
  });
  expect(moved?.layer_status).toMatchObject({ L3: 'enriched', L4: 'enriched' });
  expect(moved?.enriched_fields).toMatchObject({
    ...{ 'Employment status': 'Changed', 'New company name': 'New AG' },
  });
  expect(gone?.layer_status).toMatchObject({ L1: 'enriched', L2: 'not_found', L3: 'not_found' });
  expect(wrong?.enriched_fields).not.toHaveProperty('Email');
  expect([nobody?.credits_charged, locked?.credits_charged]).toEqual(['0.0000', '0.0000']);
  expect(locked?.error_message).toBe('The row is locked. Try later.');
  expect(fixture.read(uuid)).toMatchObject({ enrichedRows: 4, skippedRows: 1, failedRows: 1 });
  expect(fixture.read(uuid).chargedUnits).toBe(4 * 80_000);
});

test('under layers_found only the layers with data of the provider are charged', async () => {
  const fixture = await openJobFixture();
  updateAccount(fixture.database, fixture.account.id, { chargePolicy: 'layers_found' });
  const uuid = fixture.submit([row('Ida')], everyLayer);
  const { upstream } = play(() => found({ values: { 'Direct phone': '+41310000000' } }));
  await runJob({ ...fixture.deps, upstream }, fixture.read(uuid).id);
  expect(fixture.read(uuid).chargedUnits).toBe(60_000);
});

test('a provider receives only rows without a match in the directory', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', ['p1,Ann,Lee,Acme Widgets,Buyer,,1']);
  const uuid = fixture.submit([['Ann', 'Lee', 'Acme Widgets'], row('Bo'), ['', '', '']]);
  const { upstream, asked } = play(() => ({ kind: 'nothing' }));
  await runJob({ ...fixture.deps, upstream }, fixture.read(uuid).id);
  expect(asked).toEqual(['Bo']);
  expect(describe(fixture, uuid).map(({ reason }) => reason)).toEqual([
    ...['', 'no_match', 'too_little_data'],
  ]);
});

test('the acceptance of a job by its provider survives a stop: a later outage fails only rows', async () => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit(names(20).map(row));
  const { id } = fixture.read(uuid);
  const first = play(() => ({ kind: 'nothing' }));
  const isStopping = () => fixture.read(uuid).processedRows >= 10;
  await runJob({ ...fixture.deps, upstream: first.upstream, isStopping }, id);
  expect(fixture.read(uuid)).toMatchObject({ status: 'running', processedRows: 10 });
  const second = play(refuse('unavailable'));
  await runJob({ ...fixture.deps, upstream: second.upstream }, id);
  expect(fixture.read(uuid)).toMatchObject({
    status: 'completed',
    skippedRows: 10,
    failedRows: 10,
  });
});

test.each<['unavailable' | 'refused_credits', ErrorCode]>([
  ['unavailable', 'upstream_error'],
  ['refused_credits', 'upstream_insufficient_credits'],
])('a provider that returns %s for the first batch ends the job with %s', async (says, code) => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit(names(3).map(row));
  const { upstream } = play(refuse(says));
  const run = runJob({ ...fixture.deps, upstream }, fixture.read(uuid).id);
  await expect(run).rejects.toMatchObject({ name: 'EngineError', code });
});

test('a job refused for credits keeps its rows, and a retry requests only the rest', async () => {
  const fixture = await openJobFixture();
  const uuid = fixture.submit(names(20).map(row));
  const { id } = fixture.read(uuid);
  const poor = play(({ first_name = '' }) => {
    if (Number(first_name.slice(3)) >= 10) throw new ProviderError('refused_credits', 'None left.');
    return found({ values: { 'First name': first_name } });
  });
  const error: unknown = await runJob({ ...fixture.deps, upstream: poor.upstream }, id).catch(
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
  const rich = play(({ first_name = '' }) => found({ values: { 'First name': first_name } }));
  await runJob({ ...fixture.deps, upstream: rich.upstream }, id);
  expect(rich.asked).toEqual(names(20).slice(10));
  expect(rich.ids).toEqual(poor.ids.slice(1));
  expect(fixture.read(uuid)).toMatchObject({ status: 'completed', enrichedRows: 20 });
  expect(describe(fixture, uuid).map((result) => result.enriched_fields['First name'])).toEqual(
    names(20),
  );
});
