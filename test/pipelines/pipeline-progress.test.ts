// Progress and speed of a pipeline in its events.
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import type { PipelineRow } from '../../engine/pipelines/pipeline.table.ts';
import { followPipelines } from '../../engine/pipelines/run-pipelines.ts';

const pipeline = (change: Partial<PipelineRow>): PipelineRow =>
  ({
    id: 1,
    kinds: ['email'],
    total: 1_000,
    completedAt: null,
    lookedUpTo: 0,
    unlockedTo: 0,
    verifiedTo: 0,
    verifyPriceUnits: creditUnits(1_000),
    ...change,
  }) as PipelineRow;

test('speed and time left are those of the current step, and restart with each', () => {
  let nowMs = 0;
  const follow = followPipelines(() => nowMs);
  const look = (change: Partial<PipelineRow>, atMs: number) => {
    nowMs = atMs;
    const { contacts_per_second, seconds_left } = follow(pipeline(change));
    return [contacts_per_second, seconds_left];
  };
  expect(look({}, 0)).toEqual([0, null]);
  expect(look({ lookedUpTo: 500 }, 1_000)).toEqual([500, 1]);
  expect(look({ lookedUpTo: 750 }, 2_000)).toEqual([375, 1]);
  const found = { lookedUpTo: 1_000 };
  expect(look({ ...found, unlockedTo: 100 }, 3_000)).toEqual([0, null]);
  expect(look({ ...found, unlockedTo: 200 }, 3_500)).toEqual([200, 4]);
  // Old samples do not count.
  expect(look({ ...found, unlockedTo: 200 }, 9_000)).toEqual([0, null]);
  expect(look({ ...found, unlockedTo: 1_000, verifiedTo: 1 }, 9_100)).toEqual([0, null]);
  const ended = { ...found, unlockedTo: 1_000, verifiedTo: 1_000, completedAt: 'now' };
  expect(look(ended, 9_200)).toEqual([0, 0]);
});

test('pipelines that alternate have separate speeds', () => {
  let nowMs = 0;
  const follow = followPipelines(() => nowMs);
  follow(pipeline({ id: 1 }));
  follow(pipeline({ id: 2 }));
  nowMs = 1_000;
  expect(follow(pipeline({ id: 1, lookedUpTo: 10 })).contacts_per_second).toBe(10);
  expect(follow(pipeline({ id: 2, lookedUpTo: 90 })).contacts_per_second).toBe(90);
});

test('a cancelled pipeline has nothing left to do', () => {
  const follow = followPipelines(() => 0);
  const { seconds_left, steps } = follow(pipeline({ lookedUpTo: 10, completedAt: 'now' }));
  expect(seconds_left).toBe(0);
  expect(steps[0]).toEqual({ step: 'look_up', done: 10, total: 1_000 });
});
