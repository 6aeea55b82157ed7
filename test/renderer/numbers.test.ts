// Numbers as the interface formats them.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import {
  compactCredits,
  countCredits,
  countOf,
  showAgo,
  showBytes,
  showCount,
  showCredits,
  showDay,
  showDuration,
  showShare,
  showTime,
  showUnits,
  unitsOf,
} from '../../renderer/components/numbers.ts';
import { readAmount, setLocale } from '../../renderer/preferences/locale.ts';

beforeEach(() => setLocale('en-US'));
afterEach(() => setLocale());

const locales = ['en-US', 'de-DE', 'ar-EG', 'fr-FR', 'de-CH', 'en-IN', 'fa-IR'];

test.each(locales)('any amount of credits can be parsed back from its text in %s', (locale) => {
  setLocale(locale);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (units) => {
      expect(unitsOf(readAmount(showUnits(creditUnits(units))))).toBe(units);
    }),
  );
});

test.each([
  ['en-US', '1,005.5', '1005.5'],
  ['en-US', ' 12.5 ', '12.5'],
  ['de-DE', '1.005,5', '1005.5'],
  ['de-DE', '0.5', '0.5'],
  ['de-DE', '1.005', '1005'],
  ['de-CH', "1'005.5", '1005.5'],
  ['fr-FR', '1 005,5', '1005.5'],
  ['ar-EG', '١٬٠٠٥٫٥', '1005.5'],
  ['ar-EG', '1,005.5', '1005.5'],
  ['en-US', '1,00,5', '1,00,5'],
  ['en-US', 'ten', 'ten'],
  ['en-US', '', ''],
])('in %s the typed amount “%s” is %s', (locale, typed, amount) => {
  setLocale(locale);
  expect(readAmount(typed)).toBe(amount);
});

/** A local time, so that the test holds in every time zone. */
const afternoon = new Date(2026, 10, 22, 14, 5).toISOString();
const nbsp = '\u00a0';

test.each([
  [
    'en-US',
    ['3,313', '1 row', '0.5 credits', '47%', '1.3M', '4.2 MB', '22 Nov 2026'],
    '22 Nov 2026, 2:05 PM',
  ],
  [
    'en-GB',
    ['3,313', '1 row', '0.5 credits', '47%', '1.3M', '4.2 MB', '22 Nov 2026'],
    '22 Nov 2026, 14:05',
  ],
  [
    'de-DE',
    ['3.313', '1 row', '0,5 credits', `47${nbsp}%`, `1,3${nbsp}Mio.`, '4,2 MB', '22.11.2026'],
    '22.11.2026, 14:05',
  ],
])('numbers, dates and times are those of %s', (locale, expected, time) => {
  setLocale(locale);
  expect([
    showCount(3_313),
    countOf(1, 'row'),
    countCredits('0.5000'),
    showShare(0.47),
    compactCredits('1323154.0000'),
    showBytes(4_200_000),
    showDay('2026-11-22'),
  ]).toEqual(expected);
  expect(showTime(afternoon)).toBe(time);
});

test('Arabic numbers and dates have Arabic digits and are isolated from the English words', () => {
  setLocale('ar-EG');
  expect(countOf(3_313, 'row')).toBe('\u2068٣٬٣١٣\u2069 rows');
  expect(showShare(0.001)).toMatch(/^<\u2068١٪.?\u2069$/u);
  expect(showDay('2026-11-22')).toMatch(/^\u2068٢٢.*١١.*٢٠٢٦\u2069$/u);
  expect(showAgo('2026-11-22T10:00:00Z', Date.parse('2026-11-22T10:05:00Z'))).toBe(
    '\u2068٥\u2069 min ago',
  );
  expect(showDuration(200)).toBe('\u2068٣\u2069 min \u2068٢٠\u2069 s');
});

test('a text that begins with no day is shown as it is', () => {
  expect([showDay('2024'), showDay('')]).toEqual(['2024', '']);
});

test.each([
  [() => showCredits('4905.0000'), '4,905'],
  [() => showCredits('-1234567.5000'), '-1,234,567.5'],
  [() => showCredits('0.0001'), '0.0001'],
  [() => showCredits('0.0000'), '0'],
  [() => compactCredits('1323154.0000'), '1.3M'],
  [() => compactCredits('0.5000'), '0.5'],
  [() => countCredits('1.0000'), '1 credit'],
  [() => countCredits('0.5000'), '0.5 credits'],
  [() => showShare(0), '0%'],
  [() => showShare(0.001), '<1%'],
  [() => showShare(0.999), '>99%'],
  [() => showShare(1), '100%'],
  [() => showDuration(0.4), '0 s'],
  [() => showDuration(200), '3 min 20 s'],
  [() => showDuration(7_500), '2 h 5 min'],
  [() => showBytes(999), '999 B'],
  [() => showBytes(20_400), '20 kB'],
  [() => showBytes(104_857_600), '104.9 MB'],
])('%s is shown as %s', (show, expected) => {
  expect(show()).toBe(expected);
});
