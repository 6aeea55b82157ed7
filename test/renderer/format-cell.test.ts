// How a cell of a grid is copied for a spreadsheet.
import { expect, test } from 'vitest';
import { formatCell } from '../../renderer/components/data-grid/format-cell.ts';

test.each([
  ['a word', 'Acme', 'Acme'],
  ['signs that separate cells', 'a\tb "c"\nd', '"a\tb ""c""\nd"'],
  ['a formula', '=HYPERLINK("http://x.example")', '"\'=HYPERLINK(""http://x.example"")"'],
  ['a command of an old spreadsheet', '@SUM(A1)', "'@SUM(A1)"],
  ['a phone', '+41 79 100 00 01', '+41 79 100 00 01'],
  ['a negative number', '-12.5', '-12.5'],
])('%s', (_what, text, copied) => {
  expect(formatCell(text)).toBe(copied);
});
