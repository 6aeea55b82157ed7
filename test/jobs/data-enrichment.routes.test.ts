// The data enrichment routes over real HTTP: layers, estimate, submit, status, cancel, retry, jobs.
import { expect, test } from 'vitest';
import { layerCodes, layers } from '../../engine/contract/jobs/layers.ts';
import { csv, expectRefusal, send, shareApiDesk, submit } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const rows = [
  { first_name: 'Ada', last_name: 'Byron', company_name: 'Analytical', email: 'found@a.example' },
  { first_name: 'Bo', email: null, Team: 'West' },
];
const unknownJob = '00000000-0000-4000-8000-000000000000';

test('GET /layers/ lists every layer with its price, and what full expands to', async () => {
  const desk = await openDesk();
  const { status, body } = await desk.call('GET', 'layers/');
  expect(status).toBe(200);
  expect(body.success).toBe(true);
  expect(body.data.layers).toEqual(
    layers.map(({ code, label, description, requires, fields, defaultPrice }) => ({
      code,
      label,
      description,
      active: true,
      requires,
      fields,
      price: defaultPrice,
    })),
  );
  const sum = layers.reduce((total, { defaultPrice }) => total + Number(defaultPrice), 0);
  expect(body.data.full).toEqual({ selected_layers: layerCodes, price_per_row: sum.toFixed(4) });
});

test('POST /submit/ with JSON is 202 with the job and its hold', async () => {
  const desk = await openDesk();
  const { status, body } = await desk.call('POST', 'submit/', {
    json: { selected_layers: ['L2', 'L1', 'L1'], title: 'Spring list', rows },
  });
  expect(status).toBe(202);
  expect(body).toEqual({
    success: true,
    data: {
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: 'Spring list',
      status: 'queued',
      ready: false,
      selected_layers: ['L1', 'L2'],
      total_rows: 2,
      price_per_row: '1.5000',
      credits_held: '3.0000',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  });
  expect((await desk.app('GET', 'wallet')).data).toEqual({
    available: '99997.0000',
    held: '3.0000',
    spent: '0.0000',
  });
  expect(desk.listLeftovers()).toEqual([]);
});

test.each(['full', ['full']])('selected_layers %j means every active layer', async (full) => {
  const desk = await openDesk();
  const { data } = await desk.call('POST', 'submit/', { json: { selected_layers: full, rows } });
  expect(data.selected_layers).toEqual(layerCodes);
});

test('a row without any field is a valid row', async () => {
  const desk = await openDesk();
  const json = { selected_layers: ['L1'], rows: [{}, {}] };
  const { data } = await desk.call('POST', 'submit/', { json });
  expect(data.total_rows).toBe(2);
  await desk.environment.finish(data.job_id);
  const { data: result } = await desk.call('GET', `result/${data.job_id}/`);
  expect(result.results.map((row: { status: string }) => row.status)).toEqual([
    'skipped',
    'skipped',
  ]);
});

test('GET /status/ follows the job, and ready is true in every end state', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'found@a.example', 'nobody@a.example');
  const read = async () => (await desk.call('GET', `status/${jobId}/`)).data;
  expect(await read()).toMatchObject({ status: 'queued', ready: false, processed_rows: 0 });
  await desk.environment.begin(jobId);
  expect(await read()).toMatchObject({
    status: 'running',
    ready: false,
    processed_rows: 1,
    credits_held: '2.0000',
    credits_charged: '0.0000',
  });
  await desk.environment.finish(jobId);
  expect(await read()).toEqual({
    job_id: jobId,
    title: '',
    status: 'completed',
    ready: true,
    selected_layers: ['L1'],
    total_rows: 2,
    processed_rows: 2,
    enriched_rows: 1,
    skipped_rows: 1,
    failed_rows: 0,
    duplicate_rows: 0,
    paid_before_rows: 0,
    known_rows: 0,
    new_since: null,
    infer_emails: false,
    when_offline: 'wait',
    waiting_rows: 0,
    waiting_since: null,
    waiting_reason: null,
    unanswered_rows: 0,
    credits_held: '2.0000',
    credits_charged: '1.0000',
    credits_released: '1.0000',
    error: null,
    error_detail: null,
    retry_of: null,
    created_at: expect.any(String),
    started_at: expect.any(String),
    completed_at: expect.any(String),
  });
  const failed = await submit(desk, 'down@b.example');
  await desk.environment.finish(failed);
  expect((await desk.call('GET', `status/${failed}/`)).data).toMatchObject({
    status: 'failed',
    ready: true,
    error: 'upstream_error',
    error_detail: 'Upstream: The upstream said no. Run the rows again later.',
  });
});

test('an id is accepted in any case', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'a@b.example');
  expect((await desk.call('GET', `status/${jobId.toUpperCase()}/`)).data.job_id).toBe(jobId);
});

test.each(['queued', 'running'])(
  'POST /cancel/ of a %s job releases the whole hold',
  async (state) => {
    const desk = await openDesk();
    const jobId = await submit(desk, 'found@a.example', 'b@b.example');
    if (state === 'running') await desk.environment.begin(jobId);
    const { status, data } = await desk.call('POST', `cancel/${jobId}/`);
    expect(status).toBe(200);
    expect(data).toEqual({ job_id: jobId, status: 'cancelled', credits_released: '2.0000' });
    expectRefusal(await desk.call('POST', `cancel/${jobId}/`), 'already_finished');
    expect((await desk.app('GET', 'wallet')).data.available).toBe('100000.0000');
  },
);

test('POST /cancel/ with a JSON content type and no body is accepted', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'a@b.example');
  const headers = { 'content-type': 'application/json' };
  expect((await desk.call('POST', `cancel/${jobId}`, { headers, body: '' })).status).toBe(200);
});

test('POST /retry/ continues a failed job, and creates a new job of failed rows', async () => {
  const desk = await openDesk();
  const failed = await submit(desk, 'down@b.example');
  await desk.environment.finish(failed);
  const again = await desk.call('POST', `retry/${failed}/`);
  expect(again.status).toBe(202);
  expect(again.data).toMatchObject({ job_id: failed, status: 'queued', credits_held: '1.0000' });
  const partly = await submit(desk, 'found@a.example', 'failed@a.example');
  await desk.environment.finish(partly);
  const { data } = await desk.call('POST', `retry/${partly}/`);
  expect(data).toMatchObject({ status: 'queued', total_rows: 1 });
  const status = await desk.call('GET', `status/${data.job_id}/`);
  expect(status.data.retry_of).toBe(partly);
  expectRefusal(await desk.call('POST', `retry/${data.job_id}/`), 'nothing_to_retry');
});

test('GET /jobs/ pages the account’s jobs, newest first, optionally by status', async () => {
  const desk = await openDesk();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.unshift(await submit(desk, `${name}@b.example`));
  await desk.call('POST', `cancel/${ids[1]}/`);
  const all = await desk.call('GET', 'jobs/');
  expect(all.data).toMatchObject({ count: 3, next: null, previous: null });
  expect(all.data.results.map((job: { job_id: string }) => job.job_id)).toEqual(ids);
  const page = await desk.call('GET', 'jobs/?limit=1&offset=1');
  expect(page.data.results.map((job: { job_id: string }) => job.job_id)).toEqual([ids[1]]);
  expect(page.data.next).toBe(`${desk.url}/api/v1/data-enrichment/jobs/?limit=1&offset=2`);
  expect(page.data.previous).toBe(`${desk.url}/api/v1/data-enrichment/jobs/?limit=1&offset=0`);
  const queued = await desk.call('GET', 'jobs?status=queued&limit=1');
  expect(queued.data).toMatchObject({ count: 2, previous: null });
  expect(queued.data.next).toContain('status=queued&limit=1&offset=1');
});

test.each(['limit=0', 'limit=1001', 'limit=ten', 'limit=1.5', 'offset=-1', 'status=done'])(
  'GET /jobs/?%s is a validation_error that names the parameter',
  async (query) => {
    const desk = await openDesk();
    const answer = await desk.call('GET', `jobs/?${query}`);
    expectRefusal(answer, 'validation_error', new RegExp(`^${query.split('=')[0]}: `));
  },
);

test.each(['GET status', 'GET result', 'POST cancel', 'POST retry'])(
  '%s of an unknown id and of a malformed one is 404',
  async (route) => {
    const desk = await openDesk();
    const [method = '', path] = route.split(' ');
    const jobId = await submit(desk, 'a@b.example');
    for (const id of [unknownJob, 'not-a-uuid', '1', `${jobId}x`])
      expectRefusal(await desk.call(method, `${path}/${id}/`), 'not_found');
  },
);

test('an estimate says which fields of the rows the directory leaves open', async () => {
  const desk = await openDesk();
  const asked = ['found@a.example', 'found2@a.example', 'no.one@nowhere.example', ''].map(
    (email) => ({ email }),
  );
  const json = { selected_layers: ['L1', 'MPA'], rows: asked };
  const { preview } = (await desk.call('POST', 'estimate/', { json })).data;
  expect(preview).toMatchObject({
    enriched: 2,
    reasons: { no_match: 0.25, too_little_data: 0.25 },
  });
  expect(preview.open_fields).toMatchObject({ work_email: 0.25, employment: 0.25, phone: 0.75 });
});

test.each([
  ['JSON rows', { json: { selected_layers: ['L1'], rows } }],
  [
    'a form',
    { form: { selected_layers: 'L1', file: csv('email,Team', 'found@a.example,', ',West') } },
  ],
])('POST /estimate/ with %s prices them with a preview, and stores nothing', async (_how, body) => {
  const desk = await openDesk();
  const { status, data } = await desk.call('POST', 'estimate/', body);
  expect(status).toBe(200);
  expect(data).toEqual({
    selected_layers: ['L1'],
    row_count: 2,
    price_per_row: '1.0000',
    credits_needed: '2.0000',
    available_credits: '100000.0000',
    sufficient: true,
    breakdown: [{ code: 'L1', label: 'Career Monitor', price: '1.0000', subtotal: '2.0000' }],
    preview: {
      sampled: 2,
      duplicate_rows: 0,
      enriched: 1,
      expected_match_rate: 0.5,
      expected_credits: '1.0000',
      certainty: 'exact',
      expected_layers: { L1: '1.0000' },
      savings: [],
      free_repeat_days: 0,
      decided_rows: 0,
      fill_rate: expect.objectContaining({ Email: 0.5, 'First name': 0.5 }),
      reasons: { too_little_data: 0.5 },
      open_fields: {},
      input_repairs: {},
      repaired_rows: [],
    },
  });
  expect(desk.listLeftovers()).toEqual([]);
  expect((await desk.app('GET', 'wallet/entries')).data.count).toBe(1);
});

test('POST /estimate/ by count prices without a preview, also beyond the balance', async () => {
  const desk = await openDesk();
  const json = { selected_layers: ['L1', 'L2', 'L3', 'L4', 'MPA'], row_count: 1_000_000 };
  const { data } = await desk.call('POST', 'estimate/', { json });
  expect(data).toMatchObject({ credits_needed: '8000000.0000', sufficient: false });
  expect(data.preview).toBeUndefined();
});

test.each([
  [{ row_count: 3 }, 'bad_layers', /selected_layers/],
  [{ selected_layers: [], rows }, 'bad_layers', /selected_layers/],
  [{ selected_layers: ['L1'] }, 'bad_rows', /rows/],
  [{ selected_layers: ['L1'], rows: [] }, 'bad_rows', /rows/],
  [{ selected_layers: ['L1'], row_count: 0 }, 'validation_error', /^row_count: /],
  [{ selected_layers: ['L1'], row_count: '3' }, 'validation_error', /^row_count: /],
  [{ selected_layers: ['L3'], row_count: 3 }, 'validation_error', /^selected_layers: L3 needs/],
] as const)('POST /estimate/ %j is %s', async (json, code, detail) => {
  const desk = await openDesk();
  expectRefusal(await desk.call('POST', 'estimate/', { json }), code, detail);
});

test('the older /api/v1/enrichment/ routes answer about the same jobs', async () => {
  const desk = await openDesk();
  const json = { selected_layers: ['L1'], rows: [{ email: 'found@a.example' }] };
  const old = (path: string) => `${desk.url}/api/v1/enrichment/${path}`;
  const { data } = await send(old('submit/'), 'POST', { key: desk.key, json });
  await desk.environment.finish(data.job_id);
  const paths = ['layers/', 'jobs/', `status/${data.job_id}/`, `result/${data.job_id}/`];
  for (const path of paths) {
    const answer = await send(old(path), 'GET', { key: desk.key });
    expect(answer.body).toEqual((await desk.call('GET', path)).body);
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
  }
});
