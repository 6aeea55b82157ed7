// Workbooks that the product writes: types, hostile text, marks, limits.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exportCellCharactersMax,
  exportSheetRowsMax,
} from '../../../engine/contract/limits/exports.ts';
import type {
  ExportChange,
  ExportColumn,
} from '../../../engine/spreadsheet/export/export-table.ts';
import { writeCsv } from '../../../engine/spreadsheet/export/write-table.ts';
import {
  checkSheetRows,
  writeWorkbook,
} from '../../../engine/spreadsheet/export/write-workbook.ts';
import { createZipWriter } from '../../../engine/spreadsheet/export/zip-writer.ts';
import { runsOf } from '../../property-runs.ts';
import { makeFolder, readOther, readOwn, tableOf, writePieces } from './read-exported.ts';

const sheetOf = (parts: Record<string, string>, number = 1): string =>
  parts[`xl/worksheets/sheet${number}.xml`] ?? '';
const added = (name: string, type: ExportColumn['type']): ExportColumn => ({
  name,
  type,
  isOwn: false,
});

const hostile = [
  '=1+1',
  '=HYPERLINK("http://a.example","b")',
  '+49 171 1234567',
  '-2+3',
  '@SUM(A1)',
  '007',
  '1e5',
  '2026-01-02',
  'TRUE',
  '12345678901234567890',
  ' spaces ',
  'two\nlines\tand tab',
  'a\rb',
  'bell\x07',
  '_x0041_',
  '_X000d_',
  '<b>&amp;</b>',
  ']]>',
  '\u{1f600}é',
  '＝1+1',
];

test('text stays text: ids keep their zeros, and nothing is a formula', async () => {
  const { path, parts } = writePieces(
    writeWorkbook(
      tableOf(
        ['Id', 'Note'],
        hostile.map((text, at) => [`00${at}`, text]),
      ),
    ),
  );
  expect(await readOwn(path)).toEqual([
    ['Id', 'Note'],
    ...hostile.map((text, at) => [`00${at}`, text]),
  ]);
  expect(sheetOf(parts)).not.toContain('<f');
  // Not one cell of the sheet is a number.
  expect(sheetOf(parts)).not.toContain('<v>');
  const plain = hostile.filter((text) => !/_x|(?![\t\n])\p{Cc}/iu.test(text));
  const other = (await readOther(path)).map((row) => row[1]);
  expect(other).toEqual(expect.arrayContaining(plain));
});

test('a text that would run if it is edited is marked as quoted', () => {
  const { parts } = writePieces(writeWorkbook(tableOf(['A'], [['=1'], ['x']])));
  const style = (cell: string) =>
    Number(new RegExp(`<c r="${cell}" s="(\\d+)"`).exec(sheetOf(parts))?.[1]);
  const formats = [...(parts['xl/styles.xml'] ?? '').matchAll(/<xf [^>]*xfId="0"[^>]*>/g)].map(
    ([xf]) => xf,
  );
  expect(formats[style('A2')]).toContain('quotePrefix="1"');
  expect(formats[style('A3')]).not.toContain('quotePrefix');
});

test('numbers and days of the product are typed, what is neither stays text', async () => {
  const columns = [added('Credits', 'number'), added('Start', 'date'), added('Title', 'text')];
  const rows = [
    ['1.5000', '2026-03-01', '12'],
    ['0.0000', '2024-02', ''],
    ['007', '1899-12-31', '=1'],
    ['', '2026-02-30', ''],
  ];
  const { path } = writePieces(writeWorkbook(tableOf(columns, rows)));
  expect(await readOther(path)).toEqual([
    ['Credits', 'Start', 'Title'],
    [1.5, new Date('2026-03-01T00:00:00.000Z'), '12'],
    [0, '2024-02', null],
    ['007', '1899-12-31', '=1'],
    [null, '2026-02-30', null],
  ]);
});

test('the header is frozen and bold, and columns fit their text', () => {
  const rows = [['x'.repeat(200), 'ab']];
  const { parts } = writePieces(writeWorkbook(tableOf(['Long', 'Short header'], rows)));
  expect(sheetOf(parts)).toContain('state="frozen"');
  expect(sheetOf(parts)).toContain('ySplit="1"');
  const widths = [...sheetOf(parts).matchAll(/ width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([48, 14]);
});

test('an export without rows or without columns is a workbook', async () => {
  const { path } = writePieces(writeWorkbook(tableOf(['A', 'B'], [])));
  expect(await readOther(path)).toEqual([['A', 'B']]);
  const { parts } = writePieces(writeWorkbook(tableOf([], [])), makeFolder());
  expect(sheetOf(parts)).toContain('<sheetData>');
});

const change = (row: number): ExportChange => ({
  row,
  column: 1,
  old: '=old',
  found: `new ${row}`,
  source: 'List',
  observedOn: '2026-01-02',
});

test('replaced cells are filled with a colour and listed in sheets of their own', async () => {
  const table = tableOf(
    ['Id', 'Note'],
    [
      ['1', 'same'],
      ['2', 'new 1'],
      ['3', 'new 2'],
    ],
  );
  const pieces = writeWorkbook(
    {
      ...table,
      *rows() {
        yield [
          { cells: ['1', 'same'], changed: [] },
          { cells: ['2', 'new 1'], changed: [1] },
          { cells: ['3', 'new 2'], changed: [1] },
        ];
      },
      *changes() {
        yield [change(1), change(2)];
      },
    },
    1,
  );
  // One row fits in a sheet of this test, so that the table itself is not limited.
  const { path, parts } = writePieces(pieces);
  const fill = (cell: string) => new RegExp(`<c r="${cell}" s="6"`).test(sheetOf(parts));
  expect([fill('B2'), fill('B3'), fill('B4'), fill('A3')]).toEqual([false, true, true, false]);
  const header = ['Row', 'Column', 'Old value', 'New value', 'Source', 'Date of the new value'];
  const day = new Date('2026-01-02T00:00:00.000Z');
  const [first, ...rest] = await readOther(path, 'Changes');
  expect(first?.slice(0, 6)).toEqual(header);
  expect(first?.[7]).toMatch(/colour/);
  expect(rest.map((row) => row.slice(0, 6))).toEqual([[3, 'Note', '=old', 'new 1', 'List', day]]);
  const more = await readOther(path, 'Changes 2');
  expect(more.slice(1).map((row) => row.slice(0, 6))).toEqual([
    [4, 'Note', '=old', 'new 2', 'List', day],
  ]);
});

test('more rows than a sheet holds are refused, with what to do', () => {
  expect(() => checkSheetRows(exportSheetRowsMax)).not.toThrow();
  expect(() => checkSheetRows(exportSheetRowsMax + 1)).toThrow(/holds 1,048,575 .* Save as CSV/);
});

test('a cell that Excel would not open is refused, and named', () => {
  const rows = [['x'.repeat(exportCellCharactersMax)], ['y'.repeat(exportCellCharactersMax + 1)]];
  expect(() => writePieces(writeWorkbook(tableOf(['Note'], rows)))).toThrow(
    /Cell A3 \(column "Note"\) has 32,768 characters.* Save as CSV/,
  );
});

test('an archive that exceeds the format is refused', () => {
  const zip = createZipWriter(1_000);
  zip.open('a');
  zip.write(Buffer.alloc(900));
  expect(() => zip.write(Buffer.alloc(101))).toThrow(/larger than 4 GB.* as CSV/);
});

test('a long table is written in chunks of bounded size', () => {
  const row = { cells: ['Ada', 'Byron', 'ada@acme.example'], changed: [] };
  let read = 0;
  const table = {
    ...tableOf(['First', 'Last', 'Email'], []),
    *rows() {
      for (; read < 200; read++) yield Array.from({ length: 100 }, () => row);
    },
  };
  let most = 0;
  let ahead = 0;
  for (const piece of writeWorkbook(table)) {
    most = Math.max(most, piece.length);
    ahead += piece.length;
  }
  expect(read).toBe(200);
  expect(most).toBeLessThan(256 * 1024);
  expect(ahead).toBeGreaterThan(most);
});

test('any text is the same in the CSV and in the workbook', async () => {
  const folder = makeFolder();
  const text = fc.oneof(
    // No list of the product has a NUL.
    fc.string({ unit: 'binary', maxLength: 12 }).filter((one) => !one.includes('\0')),
    fc.constantFrom(...hostile),
  );
  const rows = fc.array(fc.tuple(fc.constant('id'), text, text), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const table = tableOf(['Id', 'A', 'B'], cells);
      const { path } = writePieces(writeWorkbook(table), folder);
      const read = (await readOwn(path)).map((row) => [...row, '', ''].slice(0, 3));
      const csv = [...writeCsv(table, { forExcel: false, protectAll: false })].join('');
      expect(read).toEqual(parse(Buffer.from(csv)));
    }),
    { numRuns: runsOf(30) },
  );
});
