/** Matching keeps its promise on real people and companies. */
import { expect, test } from 'vitest';
import { measureCompanies, measurePeople, precisionOf, recallOf } from './matching-quality.ts';

// Most of it is the import of the whole sample.
const timeLimitMs = 180_000;

test(
  'of the real contacts nearly all are found, and hardly ever the wrong person',
  async () => {
    const { all, mistakes } = await measurePeople();
    expect(precisionOf(all), mistakes.join('\n')).toBeGreaterThanOrEqual(0.98);
    expect(recallOf(all)).toBeGreaterThanOrEqual(0.9);
  },
  timeLimitMs,
);

test(
  'of the real companies most are found, and hardly ever the wrong one',
  async () => {
    const { all, mistakes } = await measureCompanies();
    expect(precisionOf(all), mistakes.join('\n')).toBeGreaterThanOrEqual(0.97);
    expect(recallOf(all)).toBeGreaterThanOrEqual(0.6);
  },
  timeLimitMs,
);
