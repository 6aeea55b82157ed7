// Rows that end every thread that matches them fail their job, and no other work.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openChild, removeChild } from '../engine/open-child.ts';

const enrich = 'api/v1/data-enrichment';
const preload = join(import.meta.dirname, 'poison-rows.ts');
const bad = { email: 'ends-its-thread@example.com' };
const good = { email: 'ada@example.com' };

test('a job and a pipeline whose rows end their threads fail with a logged id; others continue', {
  tags: ['full'],
}, async () => {
  const { dataDir, ask, readLog, close } = await openChild({ preload });
  const submit = async (row: object) => {
    const order = { selected_layers: ['L1'], rows: [row] };
    return (await ask('POST', `${enrich}/submit/`, order)).body.data.job_id as string;
  };
  const start = async (row: object) =>
    (await ask('POST', 'api/v1/pipeline/', { contacts: [row], unlock: ['email'] })).body.data
      .pipeline_id as string;
  const readJob = async (id: string) => (await ask('GET', `app/v1/jobs/${id}`)).body.data;
  const readPipeline = async (id: string) => (await ask('GET', `api/v1/pipeline/${id}/`)).body.data;
  const jobs = [await submit(bad), await submit(good)] as const;
  const pipelines = [await start(bad), await start(good)] as const;
  await expect.poll(async () => (await readJob(jobs[0])).status).toBe('failed');
  await expect.poll(async () => (await readPipeline(pipelines[0])).status).toBe('failed');
  await expect.poll(async () => (await readJob(jobs[1])).status).toBe('completed');
  await expect.poll(async () => (await readPipeline(pipelines[1])).status).toBe('completed');
  const { error, error_detail: detail } = await readJob(jobs[0]);
  expect([error, detail]).toEqual(['internal_error', expect.stringMatching(/Retry the job/)]);
  const [id = 'no id'] = detail.match(/[0-9a-f-]{36}/) ?? [];
  expect(readLog()).toContain(`bug ${id} in job ${jobs[0]}`);
  expect(readLog()).toContain('the threads that matched a batch ended repeatedly');
  expect((await ask('GET', 'app/v1/wallet')).body.data).toMatchObject({ held: '0.0000' });
  await close();
  removeChild(dataDir);
});

test('a match thread that ends loses no row of a job, a pipeline or a validation', async () => {
  const { dataDir, ask, close } = await openChild({ preload });
  const markers = ['job', 'pipeline'].map((name) => join(dataDir, `${name}-met-it`));
  const nobody = (at: number) => ({ email: `nobody${at}@elsewhere.example` });
  const makeRows = (length: number, marker = '') =>
    Array.from({ length }, (_, at) =>
      at === length / 2 ? { company_name: `ends-one-thread:${marker}:` } : nobody(at),
    );
  const job = await ask('POST', `${enrich}/submit/`, {
    selected_layers: ['L1'],
    rows: makeRows(5_000, markers[0]),
  });
  const pipeline = await ask('POST', 'api/v1/pipeline/', {
    contacts: makeRows(2_000, markers[1]),
    unlock: ['email'],
  });
  const emails = Array.from({ length: 600 }, (_, at) => `person${at}@unknown.invalid`);
  const validation = await ask('POST', 'app/v1/email-validations', { emails });
  expect([job, pipeline, validation].map(({ status }) => status)).toEqual([202, 202, 202]);
  const paths = [
    `app/v1/jobs/${job.body.data.job_id}`,
    `app/v1/email-validations/${validation.body.data.job_id}`,
    `api/v1/pipeline/${pipeline.body.data.pipeline_id}/`,
  ];
  const readAll = () => Promise.all(paths.map(async (path) => (await ask('GET', path)).body.data));
  await expect
    .poll(async () => (await readAll()).map(({ status }) => status))
    .toEqual(['completed', 'completed', 'completed']);
  expect(await readAll()).toMatchObject([
    { processed_rows: 5_000, skipped_rows: 5_000, failed_rows: 0 },
    { done_emails: 600 },
    { total: 2_000 },
  ]);
  expect(markers.map((path) => existsSync(path))).toEqual([true, true]);
  expect((await ask('GET', 'app/v1/wallet')).body.data).toMatchObject({ held: '0.0000' });
  await close();
  removeChild(dataDir);
});
