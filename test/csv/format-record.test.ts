/** Lines of CSV as they are written, and cells that must not run as formulas. */
import { expect, test } from 'vitest';
import { formatRecord, protectFormula } from '../../engine/csv/format-record.ts';

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
  ' =x',
])('%j stays as it is', (cell) => {
  expect(protectFormula(cell)).toBe(cell);
});
