// Multipart submissions: parts in any order and form, files of every size up to the limit, nothing
// left behind.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csvUploadBytesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { csv, expectRefusal, openApiDesk, shareApiDesk } from '../http/open-api-desk.ts';
import { makeWorkbook } from '../spreadsheet/make-workbook.ts';

const openDesk = shareApiDesk();

const file = csv('First Name;Work Email;Team', 'Ada;found@a.example;West', 'Bo;b@b.example;');

test.each([
  ['a JSON array', { selected_layers: '["L1","L2"]', file }],
  ['a comma-separated list', { selected_layers: 'L1, L2', file }],
  ['the file first', { file, selected_layers: 'L2,L1' }],
  ['one meta part', { meta: '{"selected_layers":["L1","L2"]}', file }],
  ['meta after the file', { file, meta: '{"selected_layers":["L1","L2"]}' }],
  [
    'meta as a JSON part',
    { meta: new Blob(['{"selected_layers":["L1","L2"]}'], { type: 'application/json' }), file },
  ],
])('%s is accepted', async (_how, form) => {
  const desk = await openDesk();
  const { status, data } = await desk.call('POST', 'submit/', { form });
  expect(status).toBe(202);
  expect(data).toMatchObject({ selected_layers: ['L1', 'L2'], total_rows: 2, title: '' });
  expect(desk.listLeftovers()).toEqual([]);
});

test('a repeated part, one per layer, is also a list', async () => {
  const desk = await openDesk();
  const form = new FormData();
  for (const code of ['L1', 'MPA']) form.append('selected_layers', code);
  form.append('file', file, 'x.csv');
  const { data } = await desk.call('POST', 'submit/', { body: form });
  expect(data.selected_layers).toEqual(['L1', 'MPA']);
});

test('title and mapping are read from their own parts, or from meta', async () => {
  const desk = await openDesk();
  const table = csv('A,B', 'found@a.example,found@b.example');
  const mapped = { email: 'B' };
  const parts = { selected_layers: 'L1', title: 'By hand', mapping: JSON.stringify(mapped) };
  const meta = JSON.stringify({ selected_layers: ['L1'], title: 'By hand', mapping: mapped });
  for (const form of [
    { ...parts, file: table },
    { meta, file: table },
  ]) {
    const { data } = await desk.call('POST', 'submit/', { form });
    expect(data.title).toBe('By hand');
    await desk.environment.finish(data.job_id);
    const result = await desk.call('GET', `result/${data.job_id}/`);
    expect(result.data.results[0].enriched_fields.Email).toBe('found@b.example');
  }
});

test('more rows than JSON allows are accepted by a form', async () => {
  const desk = await openDesk();
  const lines = Array.from({ length: 10_001 }, (_, at) => `a${at}@b.example`);
  const form = { selected_layers: 'L1', file: csv('email', ...lines) };
  const { data } = await desk.call('POST', 'submit/', { form });
  expect(data.total_rows).toBe(10_001);
});

/** A CSV of exactly this many bytes, in few rows. */
function csvOfBytes(bytes: number): Blob {
  const line = `${'x'.repeat(1_000_000)}\n`;
  const parts = ['note\n'];
  let left = bytes - 5;
  for (; left > line.length; left -= line.length) parts.push(line);
  parts.push(`${'y'.repeat(left - 1)}\n`);
  return new Blob(parts);
}

test('a file of exactly 100 MB is accepted', { tags: ['full'] }, async () => {
  const desk = await openApiDesk();
  const taken = { selected_layers: 'L1', file: csvOfBytes(csvUploadBytesMax) };
  expect((await desk.call('POST', 'submit/', { form: taken })).status).toBe(202);
});

test('a file of one byte more than 100 MB is a validation_error', { tags: ['full'] }, async () => {
  const desk = await openApiDesk();
  const over = { selected_layers: 'L1', file: csvOfBytes(csvUploadBytesMax + 1) };
  const answer = await desk.call('POST', 'submit/', { form: over });
  expectRefusal(answer, 'validation_error', /^file: .*100 MB \(104857600 bytes\)/);
  expect(desk.listLeftovers()).toEqual([]);
});

test('an interrupted upload leaves nothing behind', async () => {
  const desk = await openApiDesk();
  const { port } = new URL(desk.url);
  const headers = {
    authorization: `Token ${desk.key}`,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': 1_000_000,
    expect: '100-continue',
  };
  const path = '/api/v1/data-enrichment/submit/';
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers });
  outgoing.on('error', () => undefined).flushHeaders();
  await once(outgoing, 'continue');
  const watcher = watch(join(desk.environment.folder, 'uploads'));
  const spooled = once(watcher, 'change');
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\n';
  outgoing.write(head + 'a@b.example\r\n'.repeat(1_000));
  await spooled;
  watcher.close();
  outgoing.destroy();
  // Stopping waits for running work, so nothing is about to be deleted.
  await desk.stop();
  expect(desk.listLeftovers()).toEqual([]);
});

test('a workbook is refused by name, whatever its file name', async () => {
  const desk = await openDesk();
  const file = new Blob([new Uint8Array(makeWorkbook([[['email'], ['a@b.example']]]))]);
  const answer = await desk.call('POST', 'submit/', { form: { selected_layers: 'L1', file } });
  expectRefusal(answer, 'validation_error', /^contacts\.csv is an Excel workbook \(\.xlsx\)/);
  expect(desk.listLeftovers()).toEqual([]);
});

const json = { selected_layers: ['L1'], title: 'T', rows: [{ email: 'a@b.example' }] };
const headers = { 'idempotency-key': 'one' };

test('the same request with the same Idempotency-Key answers 200 with the same job', async () => {
  const desk = await openDesk();
  const first = await desk.call('POST', 'submit/', { json, headers });
  const again = await desk.call('POST', 'submit/', { json, headers });
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(again.data).toEqual(first.data);
  expect((await desk.call('GET', 'jobs/')).data.count).toBe(1);
  const form = { selected_layers: 'L1', file };
  const sent = [1, 2].map(() =>
    desk.call('POST', 'submit/', { form, headers: { 'idempotency-key': 'two' } }),
  );
  const answers = await Promise.all(sent);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 202]);
  expect(answers[0]?.data.job_id).toBe(answers[1]?.data.job_id);
});

test.each([
  ['other layers', { ...json, selected_layers: ['L1', 'L2'] }],
  ['another title', { ...json, title: 'U' }],
  ['other rows', { ...json, rows: [{ email: 'c@b.example' }] }],
  ['another field', { ...json, rows: [{ title: 'a@b.example' }] }],
])('%s under the same Idempotency-Key is an idempotency_conflict', async (_what, other) => {
  const desk = await openDesk();
  await desk.call('POST', 'submit/', { json, headers });
  expectRefusal(
    await desk.call('POST', 'submit/', { json: other, headers }),
    'idempotency_conflict',
  );
});

test('an Idempotency-Key counts per API key, and only after an accepted request', async () => {
  const desk = await openDesk();
  const wrong = { ...json, selected_layers: ['L9'] };
  expectRefusal(await desk.call('POST', 'submit/', { json: wrong, headers }), 'validation_error');
  expect((await desk.call('POST', 'submit/', { json, headers })).status).toBe(202);
  const { data } = await desk.app('POST', 'keys', { json: { label: 'second' } });
  expect((await desk.call('POST', 'submit/', { json, headers, key: data.key })).status).toBe(202);
});

test('an Idempotency-Key has at most 255 characters', async () => {
  const desk = await openDesk();
  const submitWith = (key: string) =>
    desk.call('POST', 'submit/', { json, headers: { 'idempotency-key': key } });
  const longest = createHash('sha512').update(randomBytes(8)).digest('hex').repeat(2).slice(0, 255);
  expect((await submitWith(longest)).status).toBe(202);
  for (const key of [`${longest}x`, ''])
    expectRefusal(await submitWith(key), 'validation_error', /^Idempotency-Key: /);
});
