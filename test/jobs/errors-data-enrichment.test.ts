// The errors of data enrichment (docs/api.md, "Errors"), row by row over HTTP.
import { expect, test } from 'vitest';
import { type ErrorCode, errorTable } from '../../engine/contract/errors.ts';
import {
  type Answer,
  csv,
  type Desk,
  expectRefusal,
  shareApiDesk,
  submit,
} from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const row = { email: 'a@b.example' };
const form = (parts: Record<string, string | Blob>) => ({ form: parts });

/** An account without credits, and its key. */
async function openPoorAccount(desk: Desk): Promise<string> {
  const { id } = await desk.environment.writer['accounts.create']({ name: 'Poor' });
  const headers = { 'x-desk-account': id };
  return (await desk.app('POST', 'keys', { json: { label: 'poor' }, headers })).data.key;
}

/** Submits a row that the upstream refuses, and waits until its job has failed. */
async function failJob(desk: Desk, email: string): Promise<string> {
  const jobId = await submit(desk, email);
  await desk.environment.finish(jobId);
  return jobId;
}

/** error, HTTP status, condition → a request that meets the condition. */
type Row = [
  code: ErrorCode,
  status: number,
  condition: string,
  provoke: (desk: Desk) => Promise<Answer>,
];
const rows: readonly Row[] = [
  [
    'validation_error',
    400,
    'request body failed validation',
    (desk) => desk.call('POST', 'submit/', { json: { selected_layers: ['L9'], rows: [row] } }),
  ],
  [
    'bad_meta',
    400,
    'submit payload lacks a required part',
    (desk) => desk.call('POST', 'submit/', form({ file: csv('email', 'a@b.example') })),
  ],
  [
    'bad_layers',
    400,
    'submit payload lacks a required part',
    (desk) => desk.call('POST', 'submit/', { json: { rows: [row] } }),
  ],
  [
    'bad_rows',
    400,
    'submit payload lacks a required part',
    (desk) => desk.call('POST', 'submit/', { json: { selected_layers: ['L1'] } }),
  ],
  [
    'not_ready',
    409,
    'result requested before the job finished',
    async (desk) => desk.call('GET', `result/${await submit(desk, 'a@b.example')}/`),
  ],
  [
    'insufficient_credits',
    402,
    'the wallet cannot cover the hold',
    async (desk) => {
      const key = await openPoorAccount(desk);
      const json = { selected_layers: ['L1'], rows: [row] };
      return desk.call('POST', 'submit/', { key, json });
    },
  ],
  [
    'upstream_insufficient_credits',
    402,
    'the upstream provider rejected the job for credit reasons',
    async (desk) => {
      const jobId = await failJob(desk, 'broke@b.example');
      return desk.call('GET', `result/${jobId}/`);
    },
  ],
  [
    'upstream_error',
    502,
    'transient upstream failure',
    async (desk) => desk.call('GET', `result/${await failJob(desk, 'down@b.example')}/`),
  ],
  [
    'unauthorized',
    401,
    'missing or invalid API key',
    (desk) => desk.call('GET', 'jobs/', { key: 'sk_live_nobody' }),
  ],
  [
    'not_found',
    404,
    'job id does not exist or belongs to another account',
    async (desk) => {
      const jobId = await submit(desk, 'a@b.example');
      return desk.call('GET', `status/${jobId}/`, { key: await openPoorAccount(desk) });
    },
  ],
];

test.each(rows)('%s, %i: %s', async (code, status, _condition, provoke) => {
  const desk = await openDesk();
  const answer = await provoke(desk);
  expectRefusal(answer, code);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('upstream_error is safe to retry: the same job continues, held again, charged once', async () => {
  const desk = await openDesk();
  const jobId = await failJob(desk, 'down-once@b.example');
  expect((await desk.app('GET', 'wallet')).data.held).toBe('0.0000');
  expect((await desk.call('POST', `retry/${jobId}/`)).data.job_id).toBe(jobId);
  expect((await desk.app('GET', 'wallet')).data.held).toBe('1.0000');
  await desk.environment.finish(jobId);
  expect((await desk.app('GET', 'wallet')).data).toMatchObject({ held: '0.0000', spent: '0.0000' });
  expect((await desk.call('GET', `result/${jobId}/`)).status).toBe(200);
});

test('the API uses the status codes of the specification, and few others', () => {
  const specified = [200, 201, 202, 400, 401, 402, 404, 409, 502];
  const used = new Set(Object.values(errorTable).map(({ status }) => status));
  const added = [...used].filter((status) => !specified.includes(status));
  expect(added.sort()).toEqual([403, 429, 500, 503]);
});
