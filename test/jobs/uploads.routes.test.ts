// /app/v1/uploads, /estimate and /jobs: from a spreadsheet to a saved result.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startServer } from '../../engine/app/start-server.ts';
import { GridPageSchema } from '../../engine/contract/jobs/app-jobs.ts';
import { ticketKeptMs } from '../../engine/contract/limits/http-server.ts';
import { uploadKeptMs } from '../../engine/contract/limits/uploads.ts';
import { UploadSchema } from '../../engine/contract/uploads.ts';
import {
  csv,
  type Desk,
  expectRefusal,
  type Json,
  openApiDesk,
  shareApiDesk,
} from '../http/open-api-desk.ts';
import { makeFarCell } from '../spreadsheet/make-workbook.ts';

const openDesk = shareApiDesk();

const file = csv('First Name;Work Email;Team', 'Ada;found@a.example;West', 'Bo;b@b.example;');
const upload = async (desk: Desk): Promise<Json> =>
  (await desk.app('POST', 'uploads', { form: { file } })).data;

test('an upload returns its detected format and columns, and can be read again', async () => {
  const desk = await openApiDesk({ now: () => Date.UTC(2026, 0, 1) });
  const answer = await desk.app('POST', 'uploads', { form: { file } });
  expect(answer.status).toBe(201);
  expect(UploadSchema.strict().parse(answer.data)).toMatchObject({
    file_name: 'contacts.csv',
    kind: 'csv',
    delimiter: ';',
    row_count: 2,
    headers: ['First Name', 'Work Email', 'Team'],
    mapping: { first_name: 0, email: 1 },
    expires_at: '2026-01-02T00:00:00.000Z',
  });
  const again = await desk.app('GET', `uploads/${answer.data.upload_id}`);
  expect(again.data).toEqual(answer.data);
});

test('a file of this machine is read in place and not removed', async () => {
  const desk = await openDesk();
  const path = join(desk.environment.folder, 'mine.csv');
  await writeFile(path, 'email\na@b.example\n');
  const { data } = await desk.app('POST', 'uploads', { json: { path } });
  expect(data).toMatchObject({ file_name: 'mine.csv', row_count: 1 });
  await desk.app('DELETE', `uploads/${data.upload_id}`);
  expect(desk.listLeftovers()).toEqual([]);
  expect((await desk.app('POST', 'uploads', { json: { path } })).status).toBe(201);
});

test.each([
  ['a path that is not absolute', { path: 'mine.csv' }, 'validation_error', /absolute/],
  [
    'a file that is not there',
    { path: '/nowhere/mine.csv' },
    'validation_error',
    /file \/nowhere\/mine.csv does not exist/,
  ],
  ['a folder', { path: '/' }, 'validation_error', /file \/ does not exist/],
  ['no path', {}, 'validation_error', /^path: /],
] as const)('%s is refused', async (_what, json, code, detail) => {
  const desk = await openDesk();
  expectRefusal(await desk.app('POST', 'uploads', { json }), code, detail);
});

test('a form without a file, an empty file and broken files leave nothing behind', async () => {
  const desk = await openDesk();
  const refused: [Record<string, string | Blob>, 'bad_rows' | 'validation_error', RegExp?][] = [
    [{ note: 'x' }, 'bad_rows'],
    [{ file: new Blob([]) }, 'bad_rows'],
    [{ file: csv('email', '"open') }, 'validation_error'],
    [
      { file: new Blob([new Uint8Array(makeFarCell())]) },
      'validation_error',
      /because of cell XFD1048576/,
    ],
  ];
  for (const [form, code, detail] of refused)
    expectRefusal(await desk.app('POST', 'uploads', { form }), code, detail);
  expect(desk.listLeftovers()).toEqual([]);
});

test('the sample spreadsheet is an upload like any other', async () => {
  const desk = await openDesk();
  const { status, data } = await desk.app('POST', 'uploads/sample');
  expect(status).toBe(201);
  expect(data.file_name).toBe('sample-contacts.csv');
  expect(data.mapping).toHaveProperty('first_name');
});

test('the list of a job is an upload again, with the columns that it had', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const json = {
    upload_id,
    selected_layers: ['L1'],
    mapping: { email: 1 },
    corrections: [{ row: 1, column: 0, value: 'Bob; "B"' }],
  };
  const { data: job } = await desk.app('POST', 'jobs', { json });
  await desk.environment.finish(job.job_id);
  const { status, data } = await desk.app('POST', `jobs/${job.job_id}/upload`);
  expect(status).toBe(201);
  expect(UploadSchema.parse(data)).toMatchObject({
    headers: ['First Name', 'Work Email', 'Team'],
    first_rows: [
      ['Ada', 'found@a.example', 'West'],
      ['Bob; "B"', 'b@b.example', ''],
    ],
    mapping: { email: 1 },
  });
  const more = { upload_id: data.upload_id, selected_layers: ['L1', 'L2'] };
  const { data: price } = await desk.app('POST', 'estimate', { json: more });
  expect(price).toMatchObject({ row_count: 2, credits_needed: '3.0000' });
  expectRefusal(await desk.app('POST', `jobs/${upload_id}/upload`), 'not_found');
});

test('an upload is kept for a day, also across a restart, and is then deleted', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const desk = await openApiDesk({ now: () => nowMs });
  const { upload_id: id } = await upload(desk);
  const restart = async () => {
    const config = { port: null, socketPath: null, uiDir: null, sessionToken: null, version: '1' };
    await (
      await startServer({ environment: desk.environment, config: { ...config, now: () => nowMs } })
    ).close();
  };
  await writeFile(join(desk.environment.folder, 'uploads', 'half.spool'), 'what a kill left');
  nowMs += uploadKeptMs - 1;
  await restart();
  expect(desk.listLeftovers()).toEqual([id]);
  expect((await desk.app('GET', `uploads/${id}`)).status).toBe(200);
  nowMs += 1;
  expectRefusal(await desk.app('GET', `uploads/${id}`), 'not_found', /kept for 24 hours/);
  await restart();
  expect(desk.listLeftovers()).toEqual([]);
});

test('an estimate of an upload prices it and has a preview', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const json = { upload_id, selected_layers: ['L1', 'L2'] };
  const { data } = await desk.app('POST', 'estimate', { json });
  expect(data).toMatchObject({ row_count: 2, credits_needed: '3.0000', preview: { sampled: 2 } });
  const mapping = { email: 3 };
  const answer = await desk.app('POST', 'estimate', { json: { ...json, mapping } });
  expectRefusal(answer, 'validation_error', /^mapping\.email: there is no column 4/);
  const unknown = { ...json, upload_id: '00000000-0000-4000-8000-000000000000' };
  expectRefusal(await desk.app('POST', 'estimate', { json: unknown }), 'not_found');
});

test('the balance is sufficient for any upload until the account has a budget', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const { data: made } = await desk.app('POST', 'accounts', { json: { name: 'Empty' } });
  const account = { headers: { 'x-desk-account': made.id } };
  const json = { upload_id, selected_layers: ['L1', 'L2'] };
  const estimate = () => desk.app('POST', 'estimate', { json, ...account });
  expect((await estimate()).data).toMatchObject({ available_credits: '0.0000', sufficient: true });
  await desk.app('PATCH', `accounts/${made.id}`, { json: { has_budget: true } });
  expect((await estimate()).data).toMatchObject({ available_credits: '0.0000', sufficient: false });
});

test('an estimate of an upload leaves out the people of an earlier job', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const json = { upload_id, selected_layers: ['L1'] };
  const { data: job } = await desk.app('POST', 'jobs', { json });
  const estimate = () => desk.app('POST', 'estimate', { json: { ...json, new_since: job.job_id } });
  expectRefusal(await estimate(), 'validation_error', /^new_since: the job is queued/);
  await desk.environment.finish(job.job_id);
  expect((await estimate()).data.preview).toMatchObject({
    enriched: 0,
    expected_credits: '0.0000',
    certainty: 'exact',
    reasons: { known_from_earlier_job: 0.5 },
    savings: [{ kind: 'known', rows: 1, credits: '1.0000' }],
  });
});

test('a submitted upload is a job with readable rows, and the upload can be used again', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const json = { upload_id, selected_layers: ['L1'], idempotency_key: 'click' };
  const { status, data } = await desk.app('POST', 'jobs', { json });
  expect([status, data.title]).toEqual([202, 'contacts.csv']);
  expect((await desk.app('POST', 'jobs', { json })).status).toBe(200);
  const byHeader = {
    json: { ...json, idempotency_key: undefined },
    headers: { 'idempotency-key': 'click' },
  };
  expect((await desk.app('POST', 'jobs', byHeader)).data.job_id).toBe(data.job_id);
  const rows = async (query = '') =>
    (await desk.app('GET', `jobs/${data.job_id}/rows${query}`)).data;
  const seen = (page: Json) =>
    page.rows.map((row: Json) => [row.input[0], row.result?.status ?? null]);
  expect(seen(await rows())).toEqual([
    ['Ada', null],
    ['Bo', null],
  ]);
  await desk.environment.begin(data.job_id);
  expect(seen(await rows())).toEqual([
    ['Ada', 'enriched'],
    ['Bo', null],
  ]);
  await desk.environment.finish(data.job_id);
  const page = await rows('?limit=1&offset=1');
  expect(GridPageSchema.strict().parse(page)).toMatchObject({ count: 2, offset: 1 });
  expect(seen(page)).toEqual([['Bo', 'skipped']]);
  expect(seen(await rows('?status=enriched'))).toEqual([['Ada', 'enriched']]);
  expect((await desk.app('GET', 'jobs')).data.results[0].job_id).toBe(data.job_id);
  const more = { upload_id, selected_layers: ['L1', 'L2'], title: 'Again' };
  const second = await desk.app('POST', 'jobs', { json: more });
  expect(second.data).toMatchObject({ title: 'Again', price_per_row: '1.5000' });
  const cancelled = await desk.app('POST', `jobs/${second.data.job_id}/cancel`, { json: {} });
  expect(cancelled.data.status).toBe('cancelled');
  expectRefusal(await desk.app('POST', `jobs/${data.job_id}/retry`), 'nothing_to_retry');
});

test('an export is downloaded with a ticket: once, within a minute, without a session', async () => {
  let nowMs = 0;
  const desk = await openApiDesk({ now: () => nowMs });
  const { upload_id } = await upload(desk);
  const { data: job } = await desk.app('POST', 'jobs', {
    json: { upload_id, selected_layers: ['L1'] },
  });
  const ask = (json: object = {}) => desk.app('POST', `jobs/${job.job_id}/exports`, { json });
  expectRefusal(await ask(), 'not_ready');
  await desk.environment.finish(job.job_id);
  const { data } = await ask({ rows: 'shown', status: 'enriched', for_excel: true });
  expect(data).toEqual({
    path: null,
    download_url: expect.stringMatching(/^\/app\/v1\/downloads\/[\w-]{43}$/),
    file_name: 'contacts-enriched.csv',
    rows: 1,
    diff: null,
    records: null,
    suppressed: 0,
  });
  const answer = await fetch(desk.url + data.download_url);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
  expect(text.startsWith('\uFEFFFirst Name,Work Email,Team,')).toBe(true);
  expect(parse(text, { bom: true, columns: true })).toMatchObject([
    { 'Work Email': 'found@a.example' },
  ]);
  expectRefusal(
    await desk.call('GET', data.download_url, { key: null }),
    'not_found',
    /already used. Request a new one/,
  );
  const late = (await ask()).data.download_url;
  nowMs += ticketKeptMs;
  expectRefusal(await desk.call('GET', late, { key: null }), 'not_found');
});

test('an export to a path is written by the engine itself', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const { data: job } = await desk.app('POST', 'jobs', {
    json: { upload_id, selected_layers: ['L1'] },
  });
  await desk.environment.finish(job.job_id);
  const out = join(desk.environment.folder, 'out.csv');
  const ask = (path: string) =>
    desk.app('POST', `jobs/${job.job_id}/exports`, { json: { path, protect_all: true } });
  expect((await ask(out)).data).toEqual({
    path: out,
    download_url: null,
    file_name: 'contacts-enriched.csv',
    rows: 2,
    diff: null,
    records: null,
    suppressed: 0,
  });
  const cells = parse(await readFile(out, 'utf8'), { fromLine: 2 }) as string[][];
  // Every cell is protected.
  expect(cells.map((row) => row.slice(0, 3))).toEqual([
    ['Ada', 'found@a.example', 'West'],
    ['Bo', 'b@b.example', ''],
  ]);
  expectRefusal(await ask('out.csv'), 'validation_error', /absolute/);
});
