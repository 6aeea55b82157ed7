// GET /result/: pages and links, filters, the CSV file, and responses before the end.
import { request } from 'node:http';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { ResultPageSchema } from '../../engine/contract/jobs/job.ts';
import { describeAttachment } from '../../engine/http/send-export.ts';
import {
  csv,
  type Desk,
  expectRefusal,
  openApiDesk,
  shareApiDesk,
  submit,
} from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const emails = ['found@1.example', 'nobody@2.example', 'failed@3.example', 'found@4.example'];

async function openFinished(): Promise<{ desk: Desk; jobId: string }> {
  const desk = await openDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  return { desk, jobId };
}

test('a page has every field of the specification, valid against its schema', async () => {
  const { desk, jobId } = await openFinished();
  const { status, data } = await desk.call('GET', `result/${jobId}/`);
  expect(status).toBe(200);
  expect(ResultPageSchema.strict().parse(data)).toEqual(data);
  const { results, ...page } = data;
  const found = {
    'First name': 'Ada',
    'Last name': 'Found3',
    Email: 'found@1.example',
    'Email status': 'unknown',
    'Current company name': 'Acme',
    'Employment status': 'Current',
  };
  const fromList = { source: 'crm.csv', observed_at: '2026-11-01', confidence: 0.8 };
  expect(page).toEqual({
    job_id: jobId,
    status: 'completed',
    count: 4,
    next: null,
    previous: null,
  });
  expect(results[0]).toEqual({
    row_index: 0,
    upstream_contact_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_reference_id: '',
    status: 'enriched',
    layer_status: { L1: 'enriched' },
    enriched_fields: found,
    error_message: '',
    credits_charged: '1.0000',
    charge_decision: 'used',
    created_at: expect.any(String),
    updated_at: expect.any(String),
    reason: '',
    confidence: 0.97,
    matched_on: ['email'],
    candidates: [],
    provenance: Object.fromEntries(Object.keys(found).map((name) => [name, fromList])),
    review: null,
    duplicate_of: null,
    paid_before: [],
    known_from: null,
    input_repairs: [],
    inferred_email: null,
    own_records: [{ list: 'crm.csv', kind: 'people', id: 'p3', fields: {} }],
  });
  expect(results[1]).toMatchObject({
    status: 'skipped',
    credits_charged: '0.0000',
    charge_decision: 'released',
    error_message: '',
  });
  expect(results[2]).toMatchObject({
    status: 'failed',
    layer_status: { L1: 'failed' },
    credits_charged: '0.0000',
    charge_decision: 'released',
    error_message: expect.stringMatching(/.{10}/),
  });
});

test('client_reference_id is returned with its row', async () => {
  const desk = await openDesk();
  const rows = [{ email: 'a@b.example', client_reference_id: 'CRM-7' }, { email: 'c@b.example' }];
  const { data } = await desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } });
  await desk.environment.finish(data.job_id);
  const { data: page } = await desk.call('GET', `result/${data.job_id}/`);
  expect(
    page.results.map((row: { client_reference_id: string }) => row.client_reference_id),
  ).toEqual(['CRM-7', '']);
});

test('following next from the first page reads every row once, and previous leads back', async () => {
  const { desk, jobId } = await openFinished();
  const seen: number[] = [];
  let path: string | null = `${desk.url}/api/v1/data-enrichment/result/${jobId}/?limit=3`;
  let last: string | null = null;
  while (path) {
    const { data } = await desk.call('GET', new URL(path).pathname + new URL(path).search);
    seen.push(...data.results.map((row: { row_index: number }) => row.row_index));
    expect(data.count).toBe(4);
    last = data.previous;
    path = data.next;
  }
  expect(seen).toEqual([0, 1, 2, 3]);
  expect(last).toBe(`${desk.url}/api/v1/data-enrichment/result/${jobId}/?limit=3&offset=0`);
});

test('links have the caller’s host name and route', async () => {
  const { desk, jobId } = await openFinished();
  const byName = desk.url.replace('127.0.0.1', 'localhost');
  const headers = { authorization: `Token ${desk.key}` };
  const answer = await fetch(`${byName}/api/v1/enrichment/result/${jobId}?limit=1`, { headers });
  const { data } = (await answer.json()) as { data: { next: string } };
  expect(data.next).toBe(`${byName}/api/v1/enrichment/result/${jobId}?limit=1&offset=1`);
});

test.each([
  ['enriched', [0, 3]],
  ['skipped', [1]],
  ['failed', [2]],
] as const)(
  'status=%s filters rows and the count, and is part of the links',
  async (status, indexes) => {
    const { desk, jobId } = await openFinished();
    const { data } = await desk.call('GET', `result/${jobId}/?status=${status}`);
    expect(data.count).toBe(indexes.length);
    expect(data.results.map((row: { row_index: number }) => row.row_index)).toEqual(indexes);
    const page = await desk.call('GET', `result/${jobId}/?status=enriched&limit=1`);
    expect(page.data.next).toContain('status=enriched&limit=1&offset=1');
  },
);

test('an offset beyond the end is an empty page', async () => {
  const { desk, jobId } = await openFinished();
  const { data } = await desk.call('GET', `result/${jobId}/?offset=100&limit=10`);
  expect(data).toMatchObject({ count: 4, next: null, results: [] });
  expect(data.previous).toContain('offset=90');
});

test.each([
  'limit=0',
  'limit=1001',
  'offset=-1',
  'status=done',
  'format=xml',
  'limit=',
  'limit=2&limit=3',
])('?%s is a validation_error', async (query) => {
  const { desk, jobId } = await openFinished();
  expectRefusal(await desk.call('GET', `result/${jobId}/?${query}`), 'validation_error');
});

test.each(['json', 'csv'])(
  'before the end, and after another end, %s returns the reason',
  async (format) => {
    const desk = await openDesk();
    const read = (jobId: string) => desk.call('GET', `result/${jobId}/?format=${format}`);
    const running = await submit(desk, 'a@b.example', 'b@b.example');
    expectRefusal(await read(running), 'not_ready');
    await desk.environment.begin(running);
    expectRefusal(await read(running), 'not_ready');
    await desk.call('POST', `cancel/${running}/`);
    expectRefusal(await read(running), 'job_cancelled');
    for (const [email, code] of [
      ['down@b.example', 'upstream_error'],
      ['broke@b.example', 'upstream_insufficient_credits'],
    ] as const) {
      const failed = await submit(desk, email);
      await desk.environment.finish(failed);
      expectRefusal(await read(failed), code, /The upstream said no/);
    }
  },
);

test('format=csv is one file: the caller’s columns first, then the product’s, a line for every row', async () => {
  const desk = await openDesk();
  const file = csv('Email,Team,note', 'found@a.example,West,=1+1', 'b@b.example,"a ""b"", c",');
  const form = { selected_layers: 'L1', file };
  const { data } = await desk.call('POST', 'submit/', { form });
  await desk.environment.finish(data.job_id);
  const answer = await desk.call('GET', `result/${data.job_id}/?format=csv&limit=1`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="contacts-enriched.csv"; filename*=UTF-8''contacts-enriched.csv`,
  );
  const [header = [], ...lines] = parse(answer.text, { recordDelimiter: '\r\n' }) as string[][];
  expect(header.slice(0, 5)).toEqual(['Email', 'Team', 'note', 'First name', 'Last name']);
  expect(header).toContain('Email (enriched)');
  expect(header.slice(-4)).toEqual([
    'Enrichment status',
    'Enrichment reason',
    'Enrichment error',
    'Credits charged',
  ]);
  expect(lines.map((cells) => cells.slice(0, 4))).toEqual([
    ['found@a.example', 'West', '=1+1', 'Ada'],
    ['b@b.example', 'a "b", c', '', ''],
  ]);
  expect(lines.map((cells) => cells.slice(-4))).toEqual([
    ['enriched', '', '', '1.0000'],
    ['skipped', 'no_match', '', '0.0000'],
  ]);
  expect(desk.environment.passing.size).toBe(0);
});

test('format=csv accepts the status filter', async () => {
  const { desk, jobId } = await openFinished();
  const { text } = await desk.call('GET', `result/${jobId}/?format=csv&status=failed`);
  expect(parse(text, { fromLine: 2 }).map((cells: string[]) => cells[0])).toEqual([
    'failed@3.example',
  ]);
});

test('an export is produced as the client reads, and ends when the client disconnects', async () => {
  const desk = await openApiDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  const closed = Promise.withResolvers<void>();
  let pieces = 0;
  Object.assign(desk.environment.reader, {
    openExport: async () => ({
      exportId: 1,
      fileName: 'endless.csv',
      mediaType: 'text/csv',
      rows: 1,
    }),
    readExport: async () => {
      pieces += 1;
      return Buffer.alloc(65_536, 'a,b\n');
    },
    closeExport: async () => closed.resolve(),
  });
  const outgoing = request(`${desk.url}/api/v1/data-enrichment/result/${jobId}/?format=csv`, {
    headers: { authorization: `Token ${desk.key}` },
  });
  outgoing.on('response', (incoming) => incoming.once('readable', () => outgoing.destroy()));
  outgoing.on('error', () => undefined).end();
  await closed.promise;
  // Only the buffers of sockets and streams: a client that stops reading stops the export.
  expect(pieces).toBeLessThan(1_000);
});

test.each([
  ['list.csv', `attachment; filename="list.csv"; filename*=UTF-8''list.csv`],
  [
    'Größe "x".csv',
    `attachment; filename="Gr__e _x_.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.csv`,
  ],
  [
    "o'neil (1).csv",
    `attachment; filename="o'neil (1).csv"; filename*=UTF-8''o%27neil%20%281%29.csv`,
  ],
])('the attachment name %s is plain ASCII with the original form', (name, header) => {
  expect(describeAttachment(name)).toBe(header);
});
