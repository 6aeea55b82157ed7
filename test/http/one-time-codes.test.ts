// One-time codes: the interface's link and the tickets of downloads.
import { expect, test } from 'vitest';
import { oneTimeCodesMax } from '../../engine/contract/limits/http-server.ts';
import { createOneTimeCodes } from '../../engine/http/one-time-codes.ts';

test('a code works for its purpose, once', () => {
  const codes = createOneTimeCodes<string>(1_000, () => 0);
  const code = codes.issue('a download');
  expect(code).toMatch(/^[\w-]{43}$/);
  expect(codes.redeem(code)).toBe('a download');
  expect(codes.redeem(code)).toBeNull();
});

test('an expired code and an unknown one are refused', () => {
  let nowMs = 0;
  const codes = createOneTimeCodes<string>(1_000, () => nowMs);
  const code = codes.issue('late');
  nowMs = 1_000;
  expect(codes.redeem(code)).toBeNull();
  expect(codes.redeem('unknown')).toBeNull();
});

test('the oldest code is removed when too many wait', () => {
  const codes = createOneTimeCodes<number>(1_000, () => 0);
  const issued = Array.from({ length: oneTimeCodesMax + 1 }, (_, at) => codes.issue(at));
  expect(codes.redeem(issued[0] ?? '')).toBeNull();
  expect(codes.redeem(issued[1] ?? '')).toBe(1);
});
