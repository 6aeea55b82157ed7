// The sandbox of staging (docs/api.md, "Staging and the sandbox"): the content of its directory,
// and the effect of each contact.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResultRow } from '../../engine/contract/jobs/job.ts';
import { jobFunctions, jobLevels } from '../../engine/directory/normalize/classify-title.ts';
import { employeeRangeNames, revenueRangeNames } from '../../engine/directory/normalize/ranges.ts';
import { openDirectoryReadable } from '../../engine/directory/open-directory.ts';
import { expectRefusal } from '../http/open-api-desk.ts';
import {
  contact,
  type EnvironmentClient,
  type Environments,
  isEnd,
  startEnvironments,
} from '../http/open-environments.ts';

const enrich = 'api/v1/data-enrichment';
const nobody = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ email: `nobody${at}@elsewhere.example` }));
let environments: Environments;
let staging: EnvironmentClient;
const found = new Map<string, ResultRow>();

const mailboxes = [
  'enriched',
  'moved',
  'left',
  'phone',
  'no-match',
  'ambiguous',
  'suppressed',
  'failed',
  'slow',
];

beforeAll(async () => {
  environments = await startEnvironments();
  staging = environments.staging;
  const job = await staging.run(mailboxes.map(contact));
  for (const [at, row] of (await staging.results(job.job_id)).entries())
    found.set(mailboxes[at] ?? '', row);
});
afterAll(() => environments.remove());

/** Submits without waiting; returns the job's id. */
async function submit(...rows: object[]): Promise<string> {
  const json = { selected_layers: ['L1'], rows };
  return (await staging.call('POST', `${enrich}/submit/`, { json })).data.job_id;
}

test.each([
  ['job level', 'employment', 'job_level', jobLevels],
  ['job function', 'employment', 'job_function', jobFunctions],
  ['employee range', 'company', 'employee_range', employeeRangeNames],
  ['revenue range', 'company', 'revenue_range', revenueRangeNames],
])('the sandbox directory contains every %s', (_what, table, column, names) => {
  const directory = openDirectoryReadable(`${environments.dataDir}/staging`);
  const held = directory.prepare(`SELECT DISTINCT ${column} FROM ${table}`).pluck().all();
  directory.close();
  expect(new Set(held)).toEqual(new Set(names));
});

test('the sandbox directory is an import like any other, with more than 20 industries', async () => {
  const { imports } = (await staging.call('GET', 'app/v1/directory')).data;
  expect(imports).toMatchObject([
    { source: 'Sandbox', status: 'completed', rows_refused: 0, remarks: [] },
  ]);
  const directory = openDirectoryReadable(`${environments.dataDir}/staging`);
  const sql = 'SELECT count(DISTINCT industry) FROM company';
  expect(directory.prepare(sql).pluck().get()).toBeGreaterThan(20);
  directory.close();
});

test('enriched@ is enriched, and charged', () => {
  expect(found.get('enriched')).toMatchObject({
    status: 'enriched',
    credits_charged: '8.0000',
    layer_status: { L1: 'enriched', L2: 'enriched', L3: 'not_applicable', MPA: 'enriched' },
    enriched_fields: { Email: 'enriched@sandbox.example', 'Employment status': 'Current' },
    provenance: { Email: { source: 'Sandbox', observed_at: '2026-10-11' } },
  });
});

test('moved@ has changed jobs: L3 and L4 return the new company', () => {
  const row = found.get('moved');
  expect(row).toMatchObject({
    status: 'enriched',
    layer_status: { L1: 'enriched', L3: 'enriched', L4: 'enriched' },
    enriched_fields: { 'Employment status': 'Changed', 'New title': 'Sales Director' },
  });
  expect(row?.enriched_fields['New company name']).not.toBe('Sandbox Works');
});

test('left@ has left: company and title stay empty', () => {
  const row = found.get('left');
  expect(row).toMatchObject({
    status: 'enriched',
    layer_status: { L1: 'enriched', L3: 'not_found' },
    enriched_fields: { 'Employment status': 'Left' },
  });
  expect(row?.enriched_fields).not.toHaveProperty('Current title');
});

test('phone@ has a mobile and a direct phone', () => {
  expect(found.get('phone')?.enriched_fields).toMatchObject({
    'Mobile phone': expect.stringMatching(/^\+1217555\d{4}$/),
    'Direct phone': expect.stringMatching(/^\+1217555\d{4}$/),
  });
});

test.each([
  ['no-match', 'no_match', 0],
  ['ambiguous', 'ambiguous', 2],
  ['suppressed', 'suppressed', 0],
])('%s@ is skipped with the reason %s, and not charged', (mailbox, reason, candidates) => {
  const row = found.get(mailbox);
  expect(row).toMatchObject({ status: 'skipped', reason, credits_charged: '0.0000' });
  expect(row?.candidates).toHaveLength(candidates);
});

test('failed@ fails with source_error and a message, and is not charged', () => {
  expect(found.get('failed')).toMatchObject({
    status: 'failed',
    reason: 'source_error',
    error_message: expect.stringMatching(/.{10}/),
    credits_charged: '0.0000',
    charge_decision: 'released',
    layer_status: { L1: 'failed', L2: 'failed' },
  });
});

test('slow@ is answered with values of the upstream, after a second', () => {
  const row = found.get('slow');
  expect(row).toMatchObject({
    status: 'enriched',
    enriched_fields: { 'First name': 'Sloane', 'Employment status': 'Current' },
    provenance: { Email: { source: 'Sandbox upstream', confidence: 0.97 } },
    layer_status: { L1: 'enriched', L2: 'enriched', L3: 'not_applicable', MPA: 'enriched' },
  });
  const took = Date.parse(row?.updated_at ?? '') - Date.parse(row?.created_at ?? '');
  expect(took).toBeGreaterThanOrEqual(900);
});

test.each([
  ['upstream-credits', 'upstream_insufficient_credits', 402],
  ['upstream-down', 'upstream_error', 502],
] as const)('%s@ fails the job with %s: its result is %i', async (mailbox, code, status) => {
  const held = (await staging.call('GET', 'app/v1/wallet')).data;
  const job = await staging.run([contact('enriched'), contact(mailbox)]);
  expect(job).toMatchObject({ status: 'failed', ready: true, error: code });
  expect(job).toMatchObject({ credits_charged: '0.0000', credits_released: '16.0000' });
  expect((await staging.call('GET', 'app/v1/wallet')).data).toEqual(held);
  for (const query of ['', '?format=csv']) {
    const answer = await staging.call('GET', `${enrich}/result/${job.job_id}/${query}`);
    expect(answer.status).toBe(status);
    expectRefusal(answer, code);
  }
});

test('POST /retry/ of a failed job holds the price again and keeps the id', async () => {
  const job = await staging.run([contact('upstream-down')], ['L1']);
  const events = await staging.listen();
  const again = await staging.call('POST', `${enrich}/retry/${job.job_id}/`);
  expect(again.status).toBe(202);
  expect(again.data).toMatchObject({ job_id: job.job_id, credits_held: '1.0000', ready: false });
  await events.next((event): event is typeof event => event.type === 'job' && !event.job.ready);
  await events.next(isEnd(job.job_id));
  await events.close();
  const { data } = await staging.call('GET', `${enrich}/status/${job.job_id}/`);
  expect(data).toMatchObject({ status: 'failed', error: 'upstream_error' });
});

test('POST /retry/ of a completed job creates a new job of its failed rows', async () => {
  const rows = [contact('enriched'), contact('failed'), contact('no-match'), contact('failed')];
  const job = await staging.run(rows);
  expect(job).toMatchObject({ status: 'completed', failed_rows: 2, credits_charged: '8.0000' });
  const events = await staging.listen();
  const { data } = await staging.call('POST', `${enrich}/retry/${job.job_id}/`);
  expect(data).toMatchObject({ total_rows: 2, credits_held: '16.0000' });
  const ended = (await events.next(isEnd(data.job_id))).job;
  await events.close();
  expect(ended).toMatchObject({ retry_of: job.job_id, failed_rows: 2, credits_charged: '0.0000' });
});

test('once the upstream has accepted a batch, an outage fails rows and not the job', async () => {
  const rows = [...nobody(30), contact('upstream-down'), contact('enriched')];
  const job = await staging.run(rows, ['L1']);
  expect(job).toMatchObject({ status: 'completed', enriched_rows: 1, credits_charged: '1.0000' });
  const results = await staging.results(job.job_id);
  expect(results[30]).toMatchObject({ status: 'failed', reason: 'source_error' });
  expect(results[31]).toMatchObject({ status: 'enriched' });
  expect(results[0]).toMatchObject({ status: 'skipped', reason: 'no_match' });
});

test('a refusal for credits fails the job at once, also later; its finished rows stay', async () => {
  const rows = [...nobody(30), contact('upstream-credits')];
  const job = await staging.run(rows, ['L1']);
  expect(job).toMatchObject({ status: 'failed', error: 'upstream_insufficient_credits' });
  expect(job).toMatchObject({ processed_rows: 25, credits_charged: '0.0000' });
});

test('slow rows delay neither a cancel nor other commands nor the next job', async () => {
  const events = await staging.listen();
  const jobId = await submit(...Array.from({ length: 20 }, (_, at) => contact(`slow+${at}`)));
  await events.next(
    (event): event is Extract<typeof event, { type: 'job' }> =>
      event.type === 'job' && event.job.job_id === jobId && event.job.status === 'running',
  );
  expect((await staging.call('POST', 'app/v1/keys', { json: { label: 'k' } })).status).toBe(201);
  const cancelled = await staging.call('POST', `${enrich}/cancel/${jobId}/`);
  expect(cancelled.data).toMatchObject({ status: 'cancelled', credits_released: '20.0000' });
  const nextId = await submit(contact('enriched'));
  const { job } = await events.next(isEnd(nextId));
  await events.close();
  expect(job).toMatchObject({ status: 'completed', enriched_rows: 1 });
  // The slow rows alone would take twenty seconds.
  expect(Date.parse(job.completed_at ?? '') - Date.parse(job.created_at)).toBeLessThan(10_000);
});

test.each([
  ['upstream-credits', 'Failed'],
  ['upstream-down', 'Failed'],
  ['failed', 'Completed'],
])('a Career Monitor job with %s@ ends as %s, and nothing is charged', async (mailbox, status) => {
  const json = { title: mailbox, rows: [contact(mailbox)] };
  const started = await staging.call('POST', 'api/v1/career-monitor/jobs/', { json });
  expect(started.status).toBe(202);
  const read = async () => {
    const list = await staging.call('GET', 'api/v1/career-monitor/jobs/?limit=1');
    return list.body.results[0];
  };
  await expect.poll(async () => (await read()).status).toBe(status);
  expect(await read()).toMatchObject({ job_id: started.body.job_id, total_credits_charged: 0 });
});

test('the contacts are also found by their profile URLs, and by name and company', async () => {
  const job = await staging.run(
    [
      { profile_url: 'https://sandbox.example/in/phone' },
      { first_name: 'Erin', last_name: 'Richards', company_name: 'Sandbox Works' },
      { first_name: 'Robin', last_name: 'Twain', company_name: 'Sandbox Works' },
    ],
    ['L1'],
  );
  expect((await staging.results(job.job_id)).map((row) => row.reason || row.status)).toEqual([
    'enriched',
    'enriched',
    'ambiguous',
  ]);
});
