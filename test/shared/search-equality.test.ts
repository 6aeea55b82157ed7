// A search of the shared directory finds what a search of the own directory finds.
import { test } from 'vitest';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { runsOf } from '../property-runs.ts';
import { fewBuckets } from './open-shared.ts';
import { checkSearchEquality } from './prove-search.ts';

const missing = postgresMissing();

test('a search of the shared directory finds the people and companies of the own search, by pages', async () => {
  if (missing) return console.warn(missing);
  await checkSearchEquality(40, runsOf(12));
});

test('a search over buckets finds the same', async () => {
  if (missing) return console.warn(missing);
  await checkSearchEquality(40, 3, { distribution: fewBuckets });
});

test('the same for many directories in buckets', { tags: ['full'], timeout: 600_000 }, async () => {
  if (missing) return console.warn(missing);
  await checkSearchEquality(60, runsOf(60), { distribution: fewBuckets });
});
