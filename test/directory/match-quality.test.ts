// Precision and recall of matching on real people and companies.
import { expect, test } from 'vitest';
import { copySample } from '../sample-data.ts';
import { measureCompanies, measurePeople, precisionOf, recallOf } from './matching-quality.ts';

// Includes the import of the sample if no other file has made it yet.
const timeLimitMs = 180_000;

test(
  'nearly all real contacts are found, and the wrong person hardly ever',
  async () => {
    const { all, mistakes } = await measurePeople(copySample);
    expect(precisionOf(all), mistakes.join('\n')).toBeGreaterThanOrEqual(0.98);
    expect(recallOf(all)).toBeGreaterThanOrEqual(0.9);
  },
  timeLimitMs,
);

test(
  'most real companies are found, and the wrong one hardly ever',
  async () => {
    const { all, mistakes } = await measureCompanies();
    expect(precisionOf(all), mistakes.join('\n')).toBeGreaterThanOrEqual(0.97);
    expect(recallOf(all)).toBeGreaterThanOrEqual(0.6);
  },
  timeLimitMs,
);
