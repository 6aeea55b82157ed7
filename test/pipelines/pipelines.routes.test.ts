// POST /api/v1/pipeline/ and its reads (docs/api.md), with the sandbox of a real engine.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '../../engine/contract/errors.ts';
import type { AppEvent } from '../../engine/contract/events.ts';
import type { Pipeline, PipelineContact } from '../../engine/contract/pipelines/pipeline.ts';
import { type Answer, expectRefusal, type Json } from '../http/open-api-desk.ts';
import {
  contact,
  type EnvironmentClient,
  type Environments,
  openAccountAt,
  slowContacts,
  startEnvironments,
} from '../http/open-environments.ts';

const path = 'api/v1/pipeline/';
const unknownUuid = '00000000-0000-4000-8000-000000000001';
let environments: Environments;
let staging: EnvironmentClient;

beforeAll(async () => {
  environments = await startEnvironments();
  staging = environments.staging;
});
afterAll(() => environments.remove());

type Headers = Readonly<Record<string, string>>;

const openAccount = (credits: number) => openAccountAt(staging, credits);

const start = (json: Json, headers: Headers = {}): Promise<Answer> =>
  staging.call('POST', path, { json, headers });
const read = async (id: string, headers: Headers = {}): Promise<Pipeline> =>
  (await staging.call('GET', `${path}${id}/`, { headers })).data;
const readContacts = async (id: string, headers: Headers = {}): Promise<PipelineContact[]> =>
  (await staging.call('GET', `${path}${id}/result/?limit=1000`, { headers })).data.results;

type PipelineEvent = Extract<AppEvent, { type: 'pipeline' }>;

const isEnd =
  (id: string) =>
  (event: AppEvent): event is PipelineEvent =>
    event.type === 'pipeline' && event.pipeline.ready && event.pipeline.pipeline_id === id;

async function run(json: Json, headers: Headers = {}): Promise<Pipeline> {
  const events = await staging.listen(headers);
  const started = await start(json, headers);
  expect(started.status).toBe(202);
  const id = started.data.pipeline_id;
  const { pipeline } = await events.next(isEnd(id));
  await events.close();
  return pipeline;
}

const wallet = async (headers: Headers) =>
  (await staging.call('GET', 'app/v1/wallet', { headers })).data.available;

test('it returns 202 {pipeline_id, status}, and ends with the record of its event', async () => {
  const headers = await openAccount(20);
  const json = { title: 'Spring', contacts: [contact('enriched')], unlock: ['email', 'phone'] };
  const events = await staging.listen(headers);
  const started = await start({ ...json, verify_emails: true }, headers);
  expect(started).toMatchObject({
    status: 202,
    body: { success: true, data: { pipeline_id: expect.any(String), status: 'queued' } },
  });
  expect(Object.keys(started.data)).toEqual(['pipeline_id', 'status']);
  const { pipeline } = await events.next(isEnd(started.data.pipeline_id));
  await events.close();
  expect(pipeline).toEqual({
    pipeline_id: started.data.pipeline_id,
    title: 'Spring',
    status: 'completed',
    ready: true,
    total: 1,
    matched: 1,
    unlocked: 1,
    locked: 0,
    verified: 1,
    credits_held: '6.1000',
    credits_charged: '6.1000',
    credits_released: '0.0000',
    error: null,
    error_detail: null,
    created_at: expect.any(String),
    started_at: expect.any(String),
    completed_at: expect.any(String),
  });
  expect(await read(pipeline.pipeline_id, headers)).toEqual(pipeline);
  expect(await wallet(headers)).toBe('13.9000');
});

test('row inputs are matched as those of a job, each contact at its position', async () => {
  const headers = await openAccount(100);
  const mailboxes = ['phone', 'no-match', 'suppressed', 'ambiguous', 'failed', 'left', 'slow'];
  const contacts = mailboxes.map((mailbox) => ({
    ...contact(mailbox),
    client_reference_id: mailbox,
  }));
  const pipeline = await run({ contacts, unlock: ['email', 'phone'] }, headers);
  const found = await readContacts(pipeline.pipeline_id, headers);
  expect(found.map((one) => [one.client_reference_id, one.status, one.reason])).toEqual([
    ['phone', 'unlocked', ''],
    ['no-match', 'not_found', 'no_match'],
    ['suppressed', 'not_found', 'suppressed'],
    ['ambiguous', 'not_found', 'ambiguous'],
    ['failed', 'failed', 'source_error'],
    ['left', 'not_found', 'no_value'],
    ['slow', 'unlocked', ''],
  ]);
  expect(found[0]).toMatchObject({
    row_index: 0,
    first_name: 'Phoebe',
    company_name: 'Sandbox Works',
    email: 'phone@sandbox.example',
    email_status: 'valid',
    locked: [],
    verification: null,
    phone: expect.stringMatching(/^\+1/),
    credits_charged: '6.0000',
  });
  expect(found[4]?.error_message).toMatch(/fails this row/);
  expect(pipeline).toMatchObject({ matched: 3, unlocked: 2, credits_charged: '12.0000' });
});

test('filters are those of search_contacts, with as many people as their limit', async () => {
  const headers = await openAccount(1000);
  const filters = { job_level: ['Director', 'VP'], limit: 7 };
  const pipeline = await run({ filters, unlock: ['email'] }, headers);
  expect(pipeline).toMatchObject({ status: 'completed', total: 7, matched: 7 });
  const { limit, ...rest } = filters;
  const sought = await staging.call('POST', 'app/v1/directory/search/contacts', {
    json: { ...rest, limit },
  });
  const found = await readContacts(pipeline.pipeline_id, headers);
  expect(found.map(({ uuid }) => uuid)).toEqual(
    sought.data.results.map(({ uuid }: { uuid: string }) => uuid),
  );
});

test('UUIDs are those of a search; an unknown one is not found', async () => {
  const headers = await openAccount(10);
  const first = await run({ contacts: [contact('enriched')], unlock: ['email'] }, headers);
  const [{ uuid } = { uuid: '' }] = await readContacts(first.pipeline_id, headers);
  const uuids = [unknownUuid, uuid.toUpperCase(), uuid];
  const pipeline = await run({ uuids, unlock: ['email'] }, headers);
  // Paid values are owned, and free from then on.
  expect(pipeline).toMatchObject({ total: 2, matched: 1, credits_charged: '0.0000' });
  expect(await readContacts(pipeline.pipeline_id, headers)).toMatchObject([
    { uuid: '', status: 'not_found', reason: 'no_match', email: null },
    { uuid, status: 'unlocked', email: 'enriched@sandbox.example', credits_charged: '0.0000' },
  ]);
});

test.each([
  ['upstream-credits', 402, 'upstream_insufficient_credits'],
  ['upstream-down', 502, 'upstream_error'],
])(
  '%s@ fails the pipeline: nothing is charged, and its result is %i %s',
  async (mailbox, status, error) => {
    const headers = await openAccount(20);
    const contacts = [contact('enriched'), contact(mailbox)];
    const pipeline = await run({ contacts, unlock: ['email'] }, headers);
    expect(pipeline).toMatchObject({ status: 'failed', ready: true, credits_charged: '0.0000' });
    expect(pipeline).toMatchObject({ error, error_detail: expect.stringMatching(/Remove .*@/) });
    expect(await wallet(headers)).toBe('20.0000');
    const result = await staging.call('GET', `${path}${pipeline.pipeline_id}/result/`, { headers });
    expectRefusal(result, error as ErrorCode);
    expect(result.status).toBe(status);
  },
);

test('the result of a pipeline that has not finished is 409 not_ready', async () => {
  const events = await staging.listen();
  const started = await start({ contacts: slowContacts(1), unlock: ['phone'] });
  const id = started.data.pipeline_id;
  expectRefusal(await staging.call('GET', `${path}${id}/result/`), 'not_ready', /Poll it/);
  await events.next(isEnd(started.data.pipeline_id));
  await events.close();
  expect((await staging.call('GET', `${path}${id}/result/`)).status).toBe(200);
});

const cancel = (id: string, headers: Headers = {}): Promise<Answer> =>
  staging.call('POST', `${path}${id}/cancel/`, { headers });

test('cancel ends it, releases its hold, and returns the credits', async () => {
  const headers = await openAccount(20);
  // A second each, longer than any test may take.
  const contacts = slowContacts(200);
  const events = await staging.listen(headers);
  const started = await start({ contacts, unlock: ['phone'] }, headers);
  const id = started.data.pipeline_id;
  expect(await cancel(id, headers)).toMatchObject({
    status: 200,
    body: {
      success: true,
      data: {
        pipeline_id: id,
        status: 'cancelled',
        credits_charged: '0.0000',
        credits_released: '0.0000',
      },
    },
  });
  expect((await events.next(isEnd(id))).pipeline.status).toBe('cancelled');
  await events.close();
  expect(await read(id, headers)).toMatchObject({ status: 'cancelled', ready: true, error: null });
  expectRefusal(
    await staging.call('GET', `${path}${id}/result/`, { headers }),
    'job_cancelled',
    /are owned/,
  );
  expectRefusal(await cancel(id, headers), 'already_finished', /already cancelled/);
  // Nothing waits for its rows, so the next one runs at once.
  const next = await run({ contacts: [contact('phone')], unlock: ['email'] }, headers);
  expect(next).toMatchObject({ status: 'completed', credits_charged: '1.0000' });
  expect(await wallet(headers)).toBe('19.0000');
});

test('pages are linked by next and previous', async () => {
  const contacts = ['a', 'b', 'c', 'd', 'e'].map(contact);
  const { pipeline_id: id } = await run({ contacts, unlock: ['email'] });
  const { data } = await staging.call('GET', `${path}${id}/result/?limit=2&offset=2`);
  expect(data).toMatchObject({ pipeline_id: id, status: 'completed', count: 5 });
  expect(data.results.map((one: PipelineContact) => one.row_index)).toEqual([2, 3]);
  expect([data.previous, data.next].map((link: string) => new URL(link).search)).toEqual([
    '?limit=2&offset=0',
    '?limit=2&offset=4',
  ]);
  const last = await staging.call('GET', `${path}${id}/result/?limit=2&offset=4`);
  expect(last.data).toMatchObject({ next: null, results: [{ row_index: 4 }] });
});

test('the list names the account’s own pipelines, newest first', async () => {
  const headers = await openAccount(0);
  for (const title of ['first', 'second'])
    await run({ title, uuids: [unknownUuid], unlock: ['phone'] }, headers);
  const { data } = await staging.call('GET', `${path}?limit=1`, { headers });
  expect(data).toMatchObject({ count: 2, previous: null, results: [{ title: 'second' }] });
  expect(data.next).toContain('offset=1');
});

test('a pipeline of another account, or of no such id, is 404', async () => {
  const { pipeline_id: id } = await run({ uuids: [unknownUuid], unlock: ['phone'] });
  const headers = await openAccount(0);
  for (const one of [id, unknownUuid, 'x'])
    for (const rest of ['', 'result/'])
      expectRefusal(await staging.call('GET', `${path}${one}/${rest}`, { headers }), 'not_found');
});

const uuids = [unknownUuid];
test.each<[string, Json, RegExp]>([
  ['no contacts', { unlock: ['email'] }, /exactly one of filters, uuids and contacts/],
  ['two kinds of them', { uuids, filters: {}, unlock: ['email'] }, /^uuids: .*exactly one/],
  ['nothing to unlock', { uuids }, /^unlock: /],
  ['an empty unlock', { uuids, unlock: [] }, /^unlock: .*"email", "phone"/],
  ['an unlock of something else', { uuids, unlock: ['email', 'fax'] }, /^unlock\[1\]: /],
  ['an empty list', { uuids: [], unlock: ['email'] }, /^uuids: .*1 to 100000/],
  ['an invalid UUID', { uuids: ['7'], unlock: ['email'] }, /^uuids\[0\]: /],
  [
    'more UUIDs than it takes',
    { uuids: Array(100_001).fill(unknownUuid), unlock: ['email'] },
    /^uuids: .*1 to 100000/,
  ],
  [
    'more rows than it takes',
    { contacts: Array(10_001).fill({}), unlock: ['email'] },
    /^contacts: /,
  ],
  ['an invalid row', { contacts: [{}, 7], unlock: ['email'] }, /^contacts\[1\]: /],
  [
    'a field that is not a string',
    { contacts: [{ email: 7 }], unlock: ['email'] },
    /^contacts\[0\]\.email: /,
  ],
  [
    'a text that no file can keep',
    { contacts: [{ email: 'a\0' }], unlock: ['email'] },
    /^contacts\[0\]\.email: .*NUL/,
  ],
  ['a limit of 0', { filters: { limit: 0 }, unlock: ['email'] }, /^filters\.limit: /],
  [
    'a limit that is too high',
    { filters: { limit: 100_001 }, unlock: ['email'] },
    /^filters\.limit: /,
  ],
  ['an unknown filter', { filters: { surname: 'x' }, unlock: ['email'] }, /^filters: .*surname/],
  [
    'a value that the directory does not hold',
    { filters: { job_level: 'Wizard' }, unlock: ['email'] },
    /^filters\.job_level: .*“Director”/,
  ],
  ['an unknown field', { uuids, unlock: ['email'], limit: 5 }, /limit/],
  ['a title that is too long', { title: 'x'.repeat(201), uuids, unlock: ['email'] }, /^title: /],
  [
    'a verification of what is not unlocked',
    { uuids, unlock: ['phone'], verify_emails: true },
    /^verify_emails: .*"email"/,
  ],
])('%s: validation_error with the JSON path', async (_what, json, detail) => {
  expectRefusal(await start(json), 'validation_error', detail);
});

test('it is refused if email validation is switched off', async () => {
  const headers = await openAccount(5);
  const off = { json: { active: false }, headers };
  await staging.call('PUT', 'app/v1/rates/email_validation', off);
  const json = { contacts: [contact('enriched')], unlock: ['email'], verify_emails: true };
  expectRefusal(await start(json, headers), 'validation_error', /switched off/);
  expect((await staging.call('GET', path, { headers })).data.count).toBe(0);
});

test('the same request under the same Idempotency-Key is the same pipeline; another is 409', async () => {
  const headers = { ...(await openAccount(5)), 'idempotency-key': 'once' };
  const json = { contacts: [contact('enriched')], unlock: ['email'] };
  const [first, second] = await Promise.all([start(json, headers), start(json, headers)]);
  expect([first.status, second.status].sort()).toEqual([200, 202]);
  expect(second.data.pipeline_id).toBe(first.data.pipeline_id);
  const other = { ...json, unlock: ['phone'] };
  expectRefusal(await start(other, headers), 'idempotency_conflict');
  expect((await staging.call('GET', path, { headers })).data.count).toBe(1);
});
