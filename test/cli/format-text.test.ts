// Amounts as the command line shows them.
import { expect, test } from 'vitest';
import { formatAmount, formatCreditCount, formatShare } from '../../engine/cli/kit/format-text.ts';

test.each([
  ['4905.0000', '4,905'],
  ['1.5000', '1.5'],
  ['0.0001', '0.0001'],
  ['0.0000', '0'],
  ['-0.5000', '-0.5'],
  ['1000', '1,000'],
])(
  '%s credits are shown as %s: thousands separated, without zeros at the end',
  (credits, shown) => {
    expect(formatAmount(credits)).toBe(shown);
  },
);

test('one credit is singular, any other amount is plural', () => {
  expect(['1.0000', '0.5000', '2.0000'].map(formatCreditCount)).toEqual([
    '1 credit',
    '0.5 credits',
    '2 credits',
  ]);
});

test.each([
  [0, '0%'],
  [0.0017, '<1%'],
  [0.784, '78%'],
  [0.998, '>99%'],
  [1, '100%'],
])('a share of %s is %s: some are not none, and most are not all', (share, shown) => {
  expect(formatShare(share)).toBe(shown);
});
