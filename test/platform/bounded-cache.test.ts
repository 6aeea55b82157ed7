// The memories of pure functions forget entries and never change an answer.
import { expect, test } from 'vitest';
import { createBoundedCache, createNumberCache } from '../../engine/platform/bounded-cache.ts';

test.each([
  ['createBoundedCache', createBoundedCache],
  ['createNumberCache', createNumberCache],
])('%s answers as the function does, and asks it once while it remembers', (_name, create) => {
  const asked: number[] = [];
  const remembered = create((key: number) => {
    asked.push(key);
    return key * 2;
  }, 4);
  for (const key of [0, 1, 1, 0, 5, 9, 13, 17, 21, 25, 29, 1, 1])
    expect(remembered(key)).toBe(key * 2);
  expect(asked).toEqual([0, 1, 5, 9, 13, 17, 21, 25, 29, 1]);
});
