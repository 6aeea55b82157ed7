// A text that is kept does not keep the text that it is a piece of.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createBoundedCache } from '../../engine/platform/bounded-cache.ts';
import { copyText } from '../../engine/platform/copy-text.ts';

test.each([
  '',
  'Ada',
  'Latin letters: àéîõü ÿ',
  'Αλέξανδρος Παπαδόπουλος',
  '😀 a pair, and half of one: \ud83d',
])('a copy is equal: %j', (text) => {
  expect(copyText(text)).toBe(text);
});

test('a cache of words of long texts does not keep the texts', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const lengthOf = createBoundedCache((word: string) => word.length, 100);
  const textBytes = 1_000_000;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 20; at++) {
    const text = Buffer.alloc(textBytes, `Analytical Engines ${at}, `).toString('latin1');
    expect(lengthOf(text.slice(0, 18))).toBe(18);
    expect(lengthOf(text.slice(100, 120 + at))).toBe(20 + at);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * textBytes);
});
