// The days in force: the account's choice within the rules of the organisation and the product.
import { expect, test } from 'vitest';
import type { RetentionRule } from '../../engine/contract/retention/retention.ts';
import { effectiveDays } from '../../engine/retention/effective-days.ts';

const fixed = (days: number | null): RetentionRule => ({ binding: 'fixed', days });
const atMost = (days: number): RetentionRule => ({ binding: 'at_most', days });

test.each([
  ['nothing is chosen', null, undefined, undefined, null, 'default'],
  ['the account chooses', 30, undefined, undefined, 30, 'account'],
  ['a fixed rule replaces a longer choice', 90, fixed(30), undefined, 30, 'organisation'],
  ['a fixed rule replaces a shorter choice', 5, fixed(30), undefined, 30, 'organisation'],
  ['a fixed rule keeps forever', 5, fixed(null), undefined, null, 'organisation'],
  ['a cap shortens a longer choice', 90, atMost(30), undefined, 30, 'organisation'],
  ['a cap ends keeping forever', null, atMost(30), undefined, 30, 'organisation'],
  ['a cap leaves a shorter choice', 5, atMost(30), undefined, 5, 'account'],
  ['a cap leaves an equal choice', 30, atMost(30), undefined, 30, 'account'],
  ['the product limits keeping forever', null, undefined, 30, 30, 'product'],
  ['the product limits a longer choice', 90, undefined, 30, 30, 'product'],
  ['the product leaves a shorter choice', 5, undefined, 30, 5, 'account'],
  ['the product limits a fixed rule', null, fixed(null), 30, 30, 'product'],
  ['a fixed rule below the limit of the product', 40, fixed(7), 30, 7, 'organisation'],
] as const)('%s', (_what, setting, rule, limit, days, source) => {
  expect(effectiveDays(setting, rule, limit)).toEqual({ days, source });
});
