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
  startEnvironments,
} from '../http/open-environments.ts';

const enrich = 'api/v1/data-enrichment';
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
