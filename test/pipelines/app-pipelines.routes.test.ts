// Pipelines of the app over HTTP: from a search or a spreadsheet, priced, followed, cancelled,
// saved; with the sandbox of a real engine.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '../../engine/contract/errors.ts';
import type { AppEvent } from '../../engine/contract/events.ts';
import type {
  PipelineEstimate,
  PipelineGridPage,
} from '../../engine/contract/pipelines/app-pipelines.ts';
import { csv, expectRefusal, type Json } from '../http/open-api-desk.ts';
import {
  type EnvironmentClient,
  type Environments,
  openAccountAt,
  slowContacts,
  startEnvironments,
} from '../http/open-environments.ts';
import { readOwn } from '../spreadsheet/export/read-exported.ts';

type Headers = Readonly<Record<string, string>>;
type PipelineEvent = Extract<AppEvent, { type: 'pipeline' }>;

let environments: Environments;
let staging: EnvironmentClient;
beforeAll(async () => {
  environments = await startEnvironments();
  staging = environments.staging;
});
afterAll(() => environments.remove());

const openAccount = (credits: number) => openAccountAt(staging, credits);

const ask = (method: string, path: string, headers: Headers, json?: Json) =>
  staging.call(method, `app/v1/${path}`, { headers, ...(json === undefined ? {} : { json }) });

async function upload(headers: Headers, ...lines: string[]): Promise<string> {
  const form = { file: csv(...lines) };
  return (await staging.call('POST', 'app/v1/uploads', { form, headers })).data.upload_id;
}

const isEnd =
  (id: string) =>
  (event: AppEvent): event is PipelineEvent =>
    event.type === 'pipeline' && event.pipeline.ready && event.pipeline.pipeline_id === id;

async function run(headers: Headers, json: Json): Promise<PipelineEvent> {
  const events = await staging.listen(headers);
  const started = await ask('POST', 'pipelines', headers, json);
  expect(started.status).toBe(202);
  const event = await events.next(isEnd(started.data.pipeline_id));
  await events.close();
  return event;
}

const own = [
  'Ref,Mail,Note,Credits charged',
  '007,phone@sandbox.example,"keeps, commas",mine',
  '008,no-match@sandbox.example,=1+1,',
  '009,moved@sandbox.example,,',
];

test('a spreadsheet is returned with its own columns first, then the unlocked values', async () => {
  const headers = await openAccount(100);
  const upload_id = await upload(headers, ...own);
  const json = { title: 'Spring', upload_id, mapping: { email: 1 }, unlock: ['email', 'phone'] };
  const { pipeline } = await run(headers, json);
  expect(pipeline).toMatchObject({ title: 'Spring', status: 'completed', total: 3, matched: 2 });
  const at = `pipelines/${pipeline.pipeline_id}`;
  expect((await ask('GET', at, headers)).data).toEqual(pipeline);
  expect((await ask('GET', 'pipelines', headers)).data).toMatchObject({
    count: 1,
    results: [pipeline],
  });

  const { rows, ...grid }: PipelineGridPage = (await ask('GET', `${at}/rows?limit=2`, headers))
    .data;
  expect(grid).toEqual({ headers: own[0]?.split(','), count: 3, offset: 0 });
  expect(rows.map(({ input, contact }) => [input[0], contact.status, contact.email])).toEqual([
    ['007', 'unlocked', 'phone@sandbox.example'],
    ['008', 'not_found', null],
  ]);

  const path = join(environments.dataDir, 'saved.csv');
  const saved = await ask('POST', `${at}/export`, headers, { path });
  expect(saved.data).toEqual({
    path,
    download_url: null,
    file_name: 'Spring-emails-and-phones.csv',
    rows: 3,
  });
  const [first = {}, second] = parse(readFileSync(path), { columns: true }) as Json[];
  expect(Object.keys(first).slice(0, 6)).toEqual([
    'Ref',
    'Mail',
    'Note',
    'Credits charged',
    'First name',
    'Last name',
  ]);
  expect(first).toMatchObject({
    Ref: '007',
    Note: 'keeps, commas',
    'Credits charged': 'mine',
    Locked: '',
    Email: 'phone@sandbox.example',
    Phone: expect.stringMatching(/^\+1/),
    'Lookup status': 'unlocked',
    'Credits charged (enriched)': '6.0000',
  });
  expect(second).toMatchObject({ Note: '=1+1', 'Lookup reason': 'no_match', Email: '' });
});

test('a pipeline with rows truncated on disk is refused, and doctor names it', async () => {
  const headers = await openAccount(100);
  const upload_id = await upload(headers, ...own);
  const { pipeline } = await run(headers, { upload_id, mapping: { email: 1 }, unlock: ['email'] });
  const { pipeline_id: id } = pipeline;
  truncateSync(join(environments.dataDir, 'staging/jobs', id, 'input.csv'), 9);
  const path = join(environments.dataDir, 'never.csv');
  expectRefusal(await ask('POST', `pipelines/${id}/export`, headers, { path }), 'input_damaged');
  expectRefusal(await ask('GET', `pipelines/${id}/rows`, headers), 'input_damaged', /has 9 bytes/);
  const { data } = await ask('GET', 'doctor', headers);
  expect(data).toContainEqual({
    name: 'Jobs',
    state: 'wrong',
    detail: expect.stringContaining(`pipeline ${id}: input.csv has 9 bytes`),
  });
});

test('a download is the same CSV, optionally guarded, at an address that works once', async () => {
  const headers = await openAccount(10);
  const upload_id = await upload(headers, ...own);
  const { pipeline } = await run(headers, { upload_id, mapping: { email: 1 }, unlock: ['email'] });
  const json = { for_excel: true, protect_all: true };
  const { data } = await ask('POST', `pipelines/${pipeline.pipeline_id}/export`, headers, json);
  expect(data).toMatchObject({ path: null, rows: 3, file_name: /-emails-and-phones\.csv$/ });
  const url = new URL(data.download_url, staging.base);
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  const found = parse(bytes, { columns: true, bom: true }) as Json[];
  expect(found.map((row) => row.Note)).toEqual(['keeps, commas', "'=1+1", '']);
  expect((await fetch(url)).status).toBe(404);
  const book = await ask('POST', `pipelines/${pipeline.pipeline_id}/export`, headers, {
    format: 'xlsx',
  });
  expect(book.data.file_name).toMatch(/-emails-and-phones\.xlsx$/);
  const answer = await fetch(new URL(book.data.download_url, staging.base));
  const path = join(environments.dataDir, 'unlocked.xlsx');
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  const notes = (await readOwn(path))
    .slice(1)
    .map((row) => row[own[0]!.split(',').indexOf('Note')]);
  expect(notes).toEqual(['keeps, commas', '=1+1', '']);
});

test('a search becomes a pipeline, whose CSV has the people’s names', async () => {
  const headers = await openAccount(1_000);
  const filters = { job_level: 'Director', limit: 4 };
  const { pipeline, progress } = await run(headers, { filters, unlock: ['email'] });
  expect(pipeline).toMatchObject({ total: 4, matched: 4 });
  expect(progress).toEqual({
    unlock: ['email'],
    steps: [
      { step: 'look_up', done: 4, total: 4 },
      { step: 'unlock', done: 4, total: 4 },
    ],
    charged_so_far: pipeline.credits_charged,
    contacts_per_second: 0,
    seconds_left: 0,
  });
  const at = `pipelines/${pipeline.pipeline_id}`;
  expect((await ask('GET', `${at}/progress`, headers)).data).toMatchObject({
    unlock: ['email'],
    steps: progress.steps,
  });
  const { data }: { data: PipelineGridPage } = await ask('GET', `${at}/rows`, headers);
  expect(data).toMatchObject({ headers: [], count: 4, rows: [{ input: [] }, {}, {}, {}] });
  const path = join(environments.dataDir, 'search.csv');
  await ask('POST', `${at}/export`, headers, { path });
  const saved = parse(readFileSync(path), { columns: true }) as Json[];
  expect(saved.map((row) => row['First name'])).toEqual(
    data.rows.map(({ contact }) => contact.first_name),
  );
});

const estimate = async (headers: Headers, json: Json): Promise<PipelineEstimate> =>
  (await ask('POST', 'pipelines/estimate', headers, json)).data;

test('the text, the emails and the people of a search are those of its pipeline', async () => {
  const headers = await openAccount(1_000);
  const search = async (wanted: Json) =>
    (await ask('POST', 'directory/search/contacts', headers, { ...wanted, limit: 100 })).data;
  const [one] = (await search({ job_level: 'Director' })).results;
  const query = one.last_name.slice(0, 3);
  const found = await search({ query });
  const withEmail = await search({ query, has_email: true });
  expect(withEmail.results).toEqual(
    found.results.filter(({ has_email }: { has_email: boolean }) => has_email),
  );
  expect(withEmail.total).toBe(withEmail.results.length);
  const filters = { query, has_email: true, limit: 1_000 };
  const { contacts, preview } = await estimate(headers, { filters, unlock: ['email'] });
  expect(contacts).toBe(withEmail.total);
  expect(preview).toMatchObject({ sampled: contacts, with_email: contacts });
  const uuids = [one.uuid];
  const { pipeline } = await run(headers, { uuids, unlock: ['email'] });
  expect(pipeline).toMatchObject({ total: 1, matched: 1 });
});

test('an estimate has the maximum, and for a short list the exact charge', async () => {
  const headers = await openAccount(50);
  const question = { filters: { limit: 20 }, unlock: ['email', 'phone'] };
  const before = await estimate(headers, question);
  expect(before).toMatchObject({
    contacts: 20,
    credits_most: '120.0000',
    available_credits: '50.0000',
    sufficient: false,
    breakdown: [
      { code: 'email', price: '1.0000', subtotal: '20.0000' },
      { code: 'phone', price: '5.0000', subtotal: '100.0000' },
    ],
    preview: { sampled: 20, matched: 20, owned_values: 0 },
  });
  const { with_email, with_phone, expected_credits } = before.preview;
  expect(Number(expected_credits)).toBe(with_email + 5 * with_phone);
  expect(await estimate(headers, question)).toEqual(before);
  const grant = { credits: '1000' };
  await ask('POST', 'wallet/grants', headers, grant);
  const { pipeline } = await run(headers, question);
  expect(pipeline.credits_charged).toBe(expected_credits);
  const after = await estimate(headers, question);
  expect(after.preview).toMatchObject({
    owned_values: with_email + with_phone,
    expected_credits: '0.0000',
  });
});

test('an estimate of a spreadsheet is matched by its mapping, and prices verification', async () => {
  const headers = await openAccount(10);
  const upload_id = await upload(headers, ...own, '010,phone@sandbox.example,,');
  const json = { upload_id, mapping: { email: 1 }, unlock: ['email'], verify_emails: true };
  expect(await estimate(headers, json)).toMatchObject({
    contacts: 4,
    credits_most: '4.4000',
    sufficient: true,
    // Two people, one of them twice: paid for and verified once.
    preview: { sampled: 4, matched: 3, with_email: 3, expected_credits: '2.2000' },
  });
  const unmapped = await estimate(headers, { ...json, mapping: { first_name: 2 } });
  expect(unmapped.preview).toMatchObject({ matched: 0, expected_credits: '0.0000' });
});

test('a running one has progress and no rows, and can be cancelled', async () => {
  const headers = await openAccount(10);
  const slow = slowContacts(5).map(({ email }) => `x,${email}`);
  const upload_id = await upload(headers, 'Ref,Mail', ...slow);
  const json = { upload_id, mapping: { email: 1 }, unlock: ['email'], verify_emails: true };
  const { data } = await ask('POST', 'pipelines', headers, json);
  const at = `pipelines/${data.pipeline_id}`;
  expect((await ask('GET', `${at}/progress`, headers)).data.steps).toEqual([
    { step: 'look_up', done: 0, total: 5 },
    { step: 'unlock', done: 0, total: 5 },
    { step: 'verify', done: 0, total: 5 },
  ]);
  expectRefusal(await ask('GET', `${at}/rows`, headers), 'not_ready');
  expectRefusal(await ask('POST', `${at}/export`, headers, {}), 'not_ready');
  const cancelled = await ask('POST', `${at}/cancel`, headers);
  expect(cancelled.data).toMatchObject({ status: 'cancelled', credits_charged: '0.0000' });
  expectRefusal(await ask('GET', `${at}/rows`, headers), 'job_cancelled');
});

test('pipelines of another account are 404', async () => {
  const headers = await openAccount(1);
  const { pipeline } = await run(headers, { filters: { limit: 1 }, unlock: ['email'] });
  const stranger = await openAccount(0);
  const at = `pipelines/${pipeline.pipeline_id}`;
  for (const rest of ['', '/progress', '/rows'])
    expectRefusal(await ask('GET', at + rest, stranger), 'not_found');
  for (const rest of ['/export', '/cancel'])
    expectRefusal(await ask('POST', at + rest, stranger, {}), 'not_found');
});

const filters = { limit: 5 };
const nowhere = '00000000-0000-4000-8000-000000000001';
test.each<[string, Json, ErrorCode, RegExp]>([
  ['no contacts', { unlock: ['email'] }, 'validation_error', /one of filters, uuids and upload_id/],
  [
    'people and a file',
    { filters, upload_id: nowhere, unlock: ['email'] },
    'validation_error',
    /one of filters, uuids and upload_id/,
  ],
  ['nothing to unlock', { filters, unlock: [] }, 'validation_error', /^unlock: /],
  [
    'verification alone',
    { filters, unlock: ['phone'], verify_emails: true },
    'validation_error',
    /^verify_emails: .*add "email"/,
  ],
  ['an upload that is gone', { upload_id: nowhere, unlock: ['email'] }, 'not_found', /24 hours/],
])('a pipeline of %s is refused, and so is its price', async (_what, json, code, detail) => {
  const headers = await openAccount(0);
  for (const path of ['pipelines', 'pipelines/estimate'])
    expectRefusal(await ask('POST', path, headers, json), code, detail);
  expect((await ask('GET', 'pipelines', headers)).data.count).toBe(0);
});

test('a spreadsheet with too many rows is refused, and so is a mapping to an unknown column', async () => {
  const headers = await openAccount(0);
  const long = await upload(headers, 'Email', 'a@b.example\n'.repeat(100_001).trim());
  const json = { upload_id: long, unlock: ['email'] };
  const few = await upload(headers, ...own);
  const stray = { upload_id: few, mapping: { email: 9 }, unlock: ['email'] };
  for (const path of ['pipelines', 'pipelines/estimate']) {
    expectRefusal(await ask('POST', path, headers, json), 'validation_error', /at most 100000/);
    expectRefusal(await ask('POST', path, headers, stray), 'validation_error', /mapping\.email/);
  }
});
