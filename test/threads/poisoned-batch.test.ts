/** Rows that end every thread that matches them: their job fails, and no other work with it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openChild, removeChild } from './open-child.ts';

const enrich = 'api/v1/data-enrichment';
const preload = join(import.meta.dirname, 'poison-rows.ts');
const bad = { email: 'ends-its-thread@example.com' };
const good = { email: 'ada@example.com' };

test('a job and a pipeline whose rows end their threads fail with an id of the log; others go on', async () => {
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
  expect([error, detail]).toEqual(['internal_error', expect.stringMatching(/retry the job/)]);
  const [id = 'no id'] = detail.match(/[0-9a-f-]{36}/) ?? [];
  expect(readLog()).toContain(`bug ${id} in job ${jobs[0]}`);
  expect(readLog()).toContain('a batch ended the threads that matched it');
  expect((await ask('GET', 'app/v1/wallet')).body.data).toMatchObject({ held: '0.0000' });
  await close();
  removeChild(dataDir);
});
