/** Numbers as the interface formats them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import {
  compactCredits,
  countCredits,
  showBytes,
  showCredits,
  showDuration,
  showShare,
  showUnits,
  unitsOf,
} from '../../renderer/components/numbers.ts';

test('any amount of credits can be parsed back from its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (units) => {
      expect(unitsOf(showUnits(creditUnits(units)).replaceAll(',', ''))).toBe(units);
    }),
  );
});

test.each([
  [showCredits('4905.0000'), '4,905'],
  [showCredits('-1234567.5000'), '-1,234,567.5'],
  [showCredits('0.0001'), '0.0001'],
  [showCredits('0.0000'), '0'],
  [compactCredits('1323154.0000'), '1.3M'],
  [compactCredits('0.5000'), '0.5'],
  [countCredits('1.0000'), '1 credit'],
  [countCredits('0.5000'), '0.5 credits'],
  [showShare(0), '0%'],
  [showShare(0.001), '<1%'],
  [showShare(0.999), '>99%'],
  [showShare(1), '100%'],
  [showDuration(0.4), '0 s'],
  [showDuration(200), '3 min 20 s'],
  [showDuration(7_500), '2 h 5 min'],
  [showBytes(999), '999 B'],
  [showBytes(20_400), '20 kB'],
  [showBytes(104_857_600), '104.9 MB'],
])('a formatted number is %s', (shown, expected) => {
  expect(shown).toBe(expected);
});
