// CSV lines, and the protection of cells that would run as formulas.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { protectFormula } from '../../engine/contract/exports/protect-formula.ts';
import { formatRecord } from '../../engine/spreadsheet/format-record.ts';

test.each([
  [['a', 'b'], 'a,b\r\n'],
  [
    ['a,b', 'say "hi"', 'two\nlines', 'cr\r', ' space '],
    '"a,b","say ""hi""","two\nlines","cr\r", space \r\n',
  ],
  [['', ''], ',\r\n'],
  [[''], '""\r\n'],
])('%j is written with quotes only where needed', (cells, line) => {
  expect(formatRecord(cells)).toBe(line);
});

test('the line end can be chosen', () => {
  expect(formatRecord(['a', 'b'], '\n')).toBe('a,b\n');
});

test.each([
  '=1+1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '+cmd|x',
  '-2+3',
  '-A1',
  '+1+cmd|x',
  '-',
  '+',
  '+49 30=x',
  // Forms that a spreadsheet reads as the same sign.
  '＝1+1',
  '＋cmd|x',
  '－2+3',
  '＠SUM(A1)',
  '﹦1',
  '﹢x',
  '﹣x',
  '﹫x',
  '⁼1',
  '₊x',
  '−A1',
  '⩵1',
  // Spaces and invisible characters before the sign, which a spreadsheet drops.
  ' =x',
  '\u00a0=x',
  '\u3000=x',
  '\n=x',
  '\u200b=1+1',
  '\ufeff=1+1',
  '\u00ad@x',
  '\u2060 +cmd',
  '\u0000=x',
  '\u202e=x',
  '\u3164=x',
  '\u034f=x',
  '\u2800=x',
  '\ufe0f=x',
  '\u200b＝1',
  '\u200b-2+3',
  '\u{e0020}=x',
  '\u{1d173}=x',
])('%j gets an apostrophe', (cell) => {
  expect(protectFormula(cell)).toBe(`'${cell}`);
});

test.each([
  '',
  'x',
  '-5',
  '+5',
  '-3.5',
  '-1,234.50',
  '-.5',
  '-1e5',
  '-12 %',
  '+49 30 123456',
  '+1 (555) 123-4567',
  '+(44) 20 7946 0958',
  '+1 555 0100 ext. 12',
  "'=1",
  '1-2',
  ' x',
  '\u200bx',
  ' -5',
  '\u200b+49 30 123456',
  'a=b',
  '(=x)',
  '–',
  'Émile',
  '木',
])('%j stays unchanged', (cell) => {
  expect(protectFormula(cell)).toBe(cell);
});

const invisible = fc.constantFrom(
  ' ',
  '\n',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u061c',
  '\u115f',
  '\u180e',
  '\u2028',
  '\u202a',
  '\u3164',
  '\uffa0',
  '\ufe00',
  '\u{e0001}',
  '\u0007',
);
const leading = fc.string({ unit: invisible, maxLength: 4 });
const sign = fc.constantFrom('=', '@', '＝', '＠', '﹦', '﹫');

test('no added cell begins a formula, whatever invisible characters precede the sign', () => {
  fc.assert(
    fc.property(leading, sign, fc.string(), (before, starter, rest) => {
      const cell = before + starter + rest;
      expect(protectFormula(cell)).toBe(`'${cell}`);
    }),
  );
});

test('a cell gets one apostrophe or none, and never a second one', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(leading, fc.string()).map((two) => two.join('')),
  );
  fc.assert(
    fc.property(texts, (cell) => {
      const written = protectFormula(cell);
      expect([cell, `'${cell}`]).toContain(written);
      expect(protectFormula(written)).toBe(written);
      // Numbers and letters stay unchanged.
      if (/^[\p{L}\p{N}]/u.test(cell) && !/^[\u115f\u1160\u3164\uffa0⁼₌⁺₊]/.test(cell))
        expect(written).toBe(cell);
    }),
    { numRuns: 2_000 },
  );
});
