// Retention over HTTP: days, the rules of an organisation, previews, and a run of the engine.
import { expect, test } from 'vitest';
import type { RetentionPreview } from '../../engine/contract/retention/retention.ts';
import { openApiDesk, shareApiDesk } from '../http/open-api-desk.ts';

const dayMs = 86_400_000;
/** Wall clock of the engine, milliseconds since 1970. */
let nowMs = Date.parse('2026-11-20T10:00:00Z');
const clock = [{ now: () => nowMs }, { now: () => new Date(nowMs) }] as const;
const openDesk = shareApiDesk(...clock);

const kindOf = (kinds: { kind: string }[], kind: string) => kinds.find((one) => one.kind === kind);

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** A completed job of one row that ended some days ago. */
async function runOldJob(desk: Desk, daysAgo: number): Promise<string> {
  nowMs -= daysAgo * dayMs;
  const rows = [{ first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines' }];
  const answer = await desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } });
  const { job_id: jobId } = answer.data;
  await desk.environment.finish(jobId);
  nowMs += daysAgo * dayMs;
  return jobId;
}

/** The state when the run has ended. */
const whenIdle = async (desk: Desk) => {
  await expect
    .poll(async () => (await desk.app('GET', 'retention')).data.run)
    .toMatchObject({ state: 'idle', started_at: expect.any(String) });
  return (await desk.app('GET', 'retention')).data;
};

test('everything is kept forever at first, except what the product limits', async () => {
  const desk = await openDesk();
  const { kinds } = (await desk.app('GET', 'retention')).data;
  expect(kindOf(kinds, 'jobs')).toEqual({
    kind: 'jobs',
    scope: 'account',
    setting: null,
    days: null,
    source: 'default',
    days_max: null,
    is_fixed: false,
  });
  expect(kindOf(kinds, 'uploads')).toMatchObject({ days: 1, source: 'product', is_fixed: true });
  expect(kindOf(kinds, 'webhook_deliveries')).toMatchObject({ days: 30, days_max: 30 });
});

test('a preview changes nothing; the same days, set, delete what it named', async () => {
  const desk = await openDesk();
  const [old, young] = [await runOldJob(desk, 40), await runOldJob(desk, 2)];
  const days = { jobs: 30 };
  const found: RetentionPreview = (await desk.app('POST', 'retention-previews', { json: { days } }))
    .data;
  expect(kindOf(found.kinds, 'jobs')).toMatchObject({ items: 1, days: 30, kept: [] });
  expect((await desk.call('GET', `status/${old}/`)).status).toBe(200);
  const { kinds } = (await desk.app('PATCH', 'retention', { json: { days } })).data;
  expect(kindOf(kinds, 'jobs')).toMatchObject({ setting: 30, days: 30, source: 'account' });
  const { run } = await whenIdle(desk);
  expect(run.deleted).toEqual({ jobs: 1 });
  expect(Date.parse(run.due_at) - Date.parse(run.ended_at)).toBe(dayMs);
  expect((await desk.call('GET', `status/${old}/`)).status).toBe(404);
  expect((await desk.call('GET', `result/${old}/`)).status).toBe(404);
  expect((await desk.call('GET', `status/${young}/`)).status).toBe(200);
  expect((await desk.call('GET', 'jobs/')).data.count).toBe(1);
  // The days of one account are not those of another.
  const other = (await (await openDesk()).app('GET', 'retention')).data.kinds;
  expect(kindOf(other, 'jobs')).toMatchObject({ days: null });
});

test('wrong days and unknown kinds are refused', async () => {
  const desk = await openDesk();
  for (const days of [{ jobs: -1 }, { jobs: 1.5 }, { jobs: 36_501 }, { jobs: '5' }, { other: 5 }])
    for (const [method, path] of [
      ['PATCH', 'retention'],
      ['POST', 'retention-previews'],
    ] as const) {
      const answer = await desk.app(method, path, { json: { days } });
      expect([answer.status, answer.body.error]).toEqual([400, 'validation_error']);
    }
  const refused = await desk.app('PATCH', 'retention', { json: { days: { uploads: 5 } } });
  expect(refused.body.detail).toBe('Uploads without a job are always deleted after a day.');
  const beyond = await desk.app('PATCH', 'retention', {
    json: { days: { webhook_deliveries: 31 } },
  });
  expect(beyond.body.detail).toContain('at most 30 days');
  const none = await desk.app('PATCH', 'retention', { json: { days: { jobs: 0 } } });
  expect(kindOf(none.data.kinds, 'jobs')).toMatchObject({ setting: null, days: null });
});

test('what the organisation fixes or caps holds without a setting, and cannot be widened', async () => {
  const desk = await openApiDesk(clock[0], {
    ...clock[1],
    policy: {
      retention: {
        jobs: { binding: 'fixed', days: 7 },
        pipelines: { binding: 'at_most', days: 90 },
      },
    },
  });
  const old = await runOldJob(desk, 8);
  const { kinds } = (await desk.app('GET', 'retention')).data;
  expect(kindOf(kinds, 'jobs')).toMatchObject({
    days: 7,
    source: 'organisation',
    is_fixed: true,
  });
  expect(kindOf(kinds, 'pipelines')).toMatchObject({ days: 90, source: 'organisation' });
  const fixed = await desk.app('PATCH', 'retention', { json: { days: { jobs: 3 } } });
  expect([fixed.status, fixed.body.detail]).toEqual([
    400,
    'Jobs: the days are set by your organisation.',
  ]);
  const wider = await desk.app('PATCH', 'retention', { json: { days: { pipelines: 91 } } });
  expect(wider.status).toBe(400);
  const shorter = await desk.app('PATCH', 'retention', { json: { days: { pipelines: 5 } } });
  expect(kindOf(shorter.data.kinds, 'pipelines')).toMatchObject({ days: 5, source: 'account' });
  await desk.app('POST', 'retention-runs', { json: {} });
  await expect.poll(async () => (await desk.call('GET', `status/${old}/`)).status).toBe(404);
  await whenIdle(desk);
});

test('a key has no access to retention', async () => {
  const desk = await openDesk();
  expect((await desk.call('GET', '/app/v1/retention')).status).toBe(401);
});
