// One credit is 10,000 units, shown with four fraction digits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditUnits, formatCredits, parseCredits } from '../../engine/contract/credits.ts';

test.each([
  [0, '0.0000'],
  [1, '0.0001'],
  [15_000, '1.5000'],
  [1_000_000_000, '100000.0000'],
  [-5, '-0.0005'],
])('%i units are shown as %s', (units, text) => {
  expect(formatCredits(creditUnits(units))).toBe(text);
});

test.each(['', 'x', '1.23456', '1,5', '1e3', '--1', '0x10', 'NaN', '123456789012'])(
  '%j is not an amount',
  (text) => {
    expect(parseCredits(text)).toBeNull();
  },
);

test('every amount is parsed back from its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), (units) => {
      expect(parseCredits(formatCredits(creditUnits(units)))).toBe(units);
    }),
  );
});

test('a fraction of a unit is refused', () => {
  expect(() => creditUnits(0.5)).toThrow(RangeError);
});
