// Cancelling a pipeline in every step and during a batch: unlocked values stay owned and are
// settled, the rest is released, and nothing is written afterwards.
import { expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import { readBalances, verifyLedger } from '../../engine/ledger/ledger.ts';
import { cancelPipeline, failPipeline } from '../../engine/pipelines/end-pipeline.ts';
import type { PipelineRow } from '../../engine/pipelines/pipeline.table.ts';
import type { PipelineDeps } from '../../engine/pipelines/pipeline-deps.ts';
import { requireCompletedPipeline } from '../../engine/pipelines/results/read-pipeline.ts';
import { stepPipeline } from '../../engine/pipelines/run-pipeline.ts';
import { now } from '../jobs/job-fixture.ts';
import {
  addWebhook,
  credits,
  openPipelines,
  type Pipelines,
  runToEnd,
  type UpstreamMood,
} from './open-pipelines.ts';

/** Seven hundred strangers that the upstream knows by their email, each another person. */
const strangers = Array.from({ length: 700 }, (_, nth) => `up${nth}@far.example`);

const cancel = ({ database }: Pipelines, { accountId, uuid }: PipelineRow) =>
  cancelPipeline(database, { accountId, pipelineId: uuid }, now());

/** A pipeline of the strangers that verifies, for an account that can pay. */
async function startLong() {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(1000);
  const subject = pipelines.table(strangers);
  const pipeline = pipelines.start(accountId, { subject, kinds: ['email'], verifyEmails: true });
  return { pipelines, accountId, pipeline };
}

/** All data of a pipeline that a batch could write. */
const readAll = (pipelines: Pipelines, pipeline: PipelineRow) => ({
  row: pipelines.read(pipeline),
  contacts: pipelines.contacts(pipeline),
  owned: pipelines.database.prepare('SELECT count(*) FROM owned').pluck().get(),
  subjects: pipelines.database.prepare('SELECT count(*) FROM pipeline_subjects').pluck().get(),
  balances: readBalances(pipelines.database, pipeline.accountId),
});

// The hold is for 700 emails and their verification, 770 credits; every second address has a
// verdict.
test.each([
  ['before it began', 0, { held: 0, charged: 0, unlocked: 0 }],
  ['while it looks up', 2, { held: 0, charged: 0, unlocked: 0 }],
  ['when all is looked up', 5, { held: 0, charged: 0, unlocked: 0 }],
  ['when it holds', 6, { held: 770, charged: 0, unlocked: 0 }],
  ['while it unlocks', 7, { held: 770, charged: 500, unlocked: 500 }],
  ['when all is unlocked', 8, { held: 770, charged: 700, unlocked: 700 }],
  ['while it verifies', 9, { held: 770, charged: 712.5, unlocked: 700 }],
])('%s: unlocked values are settled, the rest is released', async (_, steps, expected) => {
  const { pipelines, accountId, pipeline } = await startLong();
  const deps = pipelines.createDeps('knows');
  for (let step = 0; step < steps; step += 1) await stepPipeline(deps, pipeline.id);
  const { held, charged, unlocked } = expected;
  expect(cancel(pipelines, pipeline)).toEqual({
    pipeline_id: pipeline.uuid,
    status: 'cancelled',
    credits_charged: charged.toFixed(4),
    credits_released: (held - charged).toFixed(4),
  });
  expect(pipelines.read(pipeline)).toMatchObject({ status: 'cancelled', unlocked, error: null });
  expect(readBalances(pipelines.database, accountId)).toEqual({
    availableUnits: credits(1000 - charged),
    heldUnits: 0,
    spentUnits: credits(charged),
  });
  const before = readAll(pipelines, pipeline);
  expect(await stepPipeline(deps, pipeline.id)).toBe('ended');
  expect(readAll(pipelines, pipeline)).toEqual(before);
  expect(verifyLedger(pipelines.database)).toEqual([]);
  // Unlocked values are free for another pipeline; verified ones are validated again.
  const subject = pipelines.table(strangers);
  const other = pipelines.start(accountId, { subject, kinds: ['email'] });
  expect(await runToEnd(pipelines, other, 'knows')).toMatchObject({
    unlocked: 700,
    chargedUnits: credits(700 - unlocked),
  });
});

test('subjects that will not be looked up are deleted', async () => {
  const pipelines = await openPipelines();
  const pipeline = pipelines.start(pipelines.openAccount(0), {});
  cancel(pipelines, pipeline);
  expect(readAll(pipelines, pipeline)).toMatchObject({ subjects: 0, contacts: [] });
});

/** Where a batch waits, and the number of batches before it. */
const waits: readonly [
  where: string,
  steps: number,
  mood: UpstreamMood,
  (deps: PipelineDeps, cancelNow: () => void) => Partial<PipelineDeps>,
][] = [
  [
    'for its match',
    1,
    'knows',
    ({ match }, cancelNow) => ({ match: (...asked) => match(...asked).finally(cancelNow) }),
  ],
  ['for an index', 1, 'knows', (_, cancelNow) => ({ whenGeneration: async () => cancelNow() })],
  [
    'for the upstream',
    1,
    'knows',
    ({ waterfall }, cancelNow) => ({
      waterfall: waterfall && {
        ...waterfall,
        ask: (rows) => waterfall.ask(rows).finally(cancelNow),
      },
    }),
  ],
  [
    'for an upstream that then refuses',
    0,
    'refuses',
    ({ waterfall }, cancelNow) => ({
      waterfall: waterfall && {
        ...waterfall,
        ask: (rows) => waterfall.ask(rows).finally(cancelNow),
      },
    }),
  ],
  [
    'for an upstream that is stopped',
    1,
    'knows',
    ({ waterfall }, cancelNow) => ({
      waterfall: waterfall && {
        ...waterfall,
        ask(rows) {
          waterfall.stop();
          cancelNow();
          return waterfall.ask(rows);
        },
      },
    }),
  ],
  [
    'for name servers',
    8,
    'knows',
    ({ validator }, cancelNow) => ({
      validator: {
        ...validator,
        validateEmails: (emails) => validator.validateEmails(emails).finally(cancelNow),
      },
    }),
  ],
];

test.each(waits)('a batch that waits %s writes nothing after a cancel', async (...wait) => {
  const [, steps, mood, delay] = wait;
  const { pipelines, pipeline } = await startLong();
  for (let step = 0; step < steps; step += 1)
    await stepPipeline(pipelines.createDeps('knows'), pipeline.id);
  const deps = pipelines.createDeps(mood);
  let before: unknown = null;
  const cancelNow = () => {
    if (before) return;
    cancel(pipelines, pipeline);
    before = readAll(pipelines, pipeline);
  };
  const waiting = { ...deps, ...delay(deps, cancelNow) };
  expect(await stepPipeline(waiting, pipeline.id)).toBe('ended');
  expect(before).not.toBeNull();
  expect(readAll(pipelines, pipeline)).toEqual(before);
});

test('a cancel during the pricing leaves nothing held', async () => {
  const { pipelines, pipeline } = await startLong();
  const deps = pipelines.createDeps('knows');
  for (let step = 0; step < 5; step += 1) await stepPipeline(deps, pipeline.id);
  const stepping = stepPipeline(deps, pipeline.id);
  expect(cancel(pipelines, pipeline)).toMatchObject({ credits_released: '0.0000' });
  expect(await stepping).toBe('ended');
  expect(pipelines.read(pipeline)).toMatchObject({ heldAt: null, holdId: null });
});

test.each(['completed', 'failed', 'cancelled'] as const)(
  'a pipeline that is %s is 409 already_finished, and stays unchanged',
  async (status) => {
    const pipelines = await openPipelines();
    const pipeline = pipelines.start(pipelines.openAccount(9), {});
    if (status === 'completed') await runToEnd(pipelines, pipeline);
    const failure = { code: 'upstream_error' as const, detail: 'Nobody answers.' };
    if (status === 'failed') failPipeline(pipelines.database, pipeline.id, failure, now());
    if (status === 'cancelled') cancel(pipelines, pipeline);
    const before = readAll(pipelines, pipeline);
    expect(() => cancel(pipelines, pipeline)).toThrow(
      new EngineError('already_finished', `This pipeline is already ${status}.`),
    );
    // A later bug does not change its end either.
    failPipeline(pipelines.database, pipeline.id, failure, now());
    expect(readAll(pipelines, pipeline)).toEqual(before);
  },
);

test('its result is 409 job_cancelled, and no webhook receives an event', async () => {
  const pipelines = await openPipelines();
  const { database } = pipelines;
  const accountId = pipelines.openAccount(9);
  addWebhook(database, accountId);
  const pipeline = pipelines.start(accountId, {});
  cancel(pipelines, pipeline);
  expect(() => requireCompletedPipeline(database, accountId, pipeline.uuid)).toThrow(
    expect.objectContaining({ code: 'job_cancelled', detail: expect.stringMatching(/are owned/) }),
  );
  expect(database.prepare('SELECT count(*) FROM webhook_event').pluck().get()).toBe(0);
});

test('a pipeline of another account is not found', async () => {
  const pipelines = await openPipelines();
  const pipeline = pipelines.start(pipelines.openAccount(9), {});
  const order = { accountId: pipelines.openAccount(0), pipelineId: pipeline.uuid };
  expect(() => cancelPipeline(pipelines.database, order, now())).toThrow(
    /This pipeline does not exist/,
  );
});
