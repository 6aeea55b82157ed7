// An uploaded file becomes the canonical table, or is refused and leaves nothing behind.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import {
  csvCellCharactersMax,
  csvUploadBytesMax,
  csvWarningsMax,
  inputIndexStride,
  previewRowsMax,
  tableBlockBytesMax,
} from '../../engine/contract/limits/spreadsheet.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import { openRows, parseRecords } from '../../engine/spreadsheet/read-rows.ts';
import { checkRowLength, createTableMeter } from '../../engine/spreadsheet/table-meter.ts';
import { runsOf } from '../property-runs.ts';
import { makeWorkbook, packZip, type SheetCell } from './make-workbook.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-csv-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const table = () => join(dir, 'table');

function prepare(content: string | Uint8Array, fileName = 'list.csv', more = {}) {
  const sourcePath = join(dir, 'source');
  writeFileSync(sourcePath, content);
  return prepareTable({ sourcePath, targetDir: table(), fileName, ...more });
}

const written = () => readFileSync(join(table(), 'input.csv'), 'utf8');

test('a CSV of any encoding and delimiter becomes the same canonical file', async () => {
  const text = 'Name;City;Note\r\nZoë;"Saint; Étienne";\r\nMax;Köln;"a ""b"", c"\r\n';
  const canonical = 'Name,City,Note\nZoë,Saint; Étienne,\nMax,Köln,"a ""b"", c"\n';
  const sources: [Uint8Array, string][] = [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(`\uFEFF${text}`), 'utf-8'],
    [Buffer.from(text, 'latin1'), 'windows-1252'],
    [Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf-16le'],
    [Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
  ];
  for (const [bytes, encoding] of sources) {
    const prepared = await prepare(bytes);
    expect(prepared).toEqual({
      headers: ['Name', 'City', 'Note'],
      labels: ['Name', 'City', 'Note'],
      rowCount: 2,
      kind: 'csv',
      encoding,
      delimiter: ';',
      sourceBytes: bytes.length,
      sha256: createHash('sha256').update(canonical).digest('hex'),
      firstRows: [
        ['Zoë', 'Saint; Étienne', ''],
        ['Max', 'Köln', 'a "b", c'],
      ],
      firstLines: [2, 3],
      lines: { rows: [0], offsets: [2] },
      warnings: [],
      about: [],
      headerLine: 1,
      wideCount: 0,
      wideLines: [],
      sheet: null,
      sheets: [],
      otherCount: 0,
      otherLines: [],
      isSplit: false,
      letters: expect.objectContaining({ encoding }),
    });
    expect(written()).toBe(canonical);
    expect(readdirSync(table()).sort()).toEqual(['input.csv', 'input.idx']);
  }
});

test('the encoding is detected from the whole file, not from its head', async () => {
  const head = `a,b\n${'x,y\n'.repeat(40_000)}`;
  const legacy = await prepare(Buffer.from(`${head}é,z\n`, 'latin1'));
  expect(legacy).toMatchObject({ encoding: 'windows-1252', rowCount: 40_001 });
  expect(written().endsWith('\né,z\n')).toBe(true);
  const mixed = Buffer.concat([Buffer.from(`${head}é,z\n`), Buffer.from('é,z\n', 'latin1')]);
  expect(await prepare(mixed)).toMatchObject({
    encoding: 'utf-8',
    warnings: [{ line: 40_003, message: expect.stringContaining('in line 40,003') }],
  });
  expect(written().endsWith('\né,z\né,z\n')).toBe(true);
});

test('blank lines and empty rows are not rows, short rows are padded, empty extra cells dropped', async () => {
  const prepared = await prepare('\n \na,b,c\n\n1\n  \n1,2,3,,\n,,\n');
  expect(written()).toBe('a,b,c\n1,,\n1,2,3\n');
  expect(prepared.warnings).toEqual([
    { line: 5, message: 'The row has 1 of 3 cells; the rest are empty.' },
  ]);
});

test('rows of a single column may be empty', async () => {
  expect(await prepare('email\na@b.example\n""\n\n')).toMatchObject({ rowCount: 2 });
  expect(written()).toBe('email\na@b.example\n""\n');
  const rows = openRows(table());
  expect(rows.readRange(0, 9)).toEqual([['a@b.example'], ['']]);
  rows.close();
});

test('equal and empty headers are kept unchanged and get different labels', async () => {
  const prepared = await prepare('Email,,Email,Email (2),Email\n1,2,3,4,5\n');
  expect(prepared.headers).toEqual(['Email', '', 'Email', 'Email (2)', 'Email']);
  expect(prepared.labels).toEqual(['Email', 'Column 2', 'Email (2)', 'Email (2) (2)', 'Email (3)']);
  expect(prepared.warnings.map(({ column }) => column)).toEqual(prepared.labels.slice(1));
});

test('warnings and first rows are limited', async () => {
  const prepared = await prepare(`a,b\n${'1\n'.repeat(500)}`);
  expect(prepared.rowCount).toBe(500);
  expect(prepared.warnings).toHaveLength(csvWarningsMax);
  expect(prepared.firstRows).toHaveLength(previewRowsMax);
});

test('a first line sep=; belongs to the spreadsheet program and is not a row', async () => {
  expect(await prepare('sep=;\r\na,x;b\r\n1;2\r\n')).toMatchObject({ headers: ['a,x', 'b'] });
});

test('NUL characters are left out, with a warning unless they only fill the last block', async () => {
  const filled = await prepare(`a,b\n1,2\n${'\0'.repeat(5_000)}`);
  expect(filled).toMatchObject({ firstRows: [['1', '2']], warnings: [] });
  const within = await prepare('a,b\n1\0\0,2\n');
  expect(within.firstRows).toEqual([['1', '2']]);
  expect(within.warnings).toEqual([
    { line: 1, message: expect.stringContaining('2 NUL characters were left out') },
  ]);
});

test('a canonical file is its own canonical form', async () => {
  const { sha256 } = await prepare('a,b\n"x,y",2\n,\n');
  expect(await prepare(readFileSync(join(table(), 'input.csv')))).toMatchObject({ sha256 });
});

test.each([
  ['an empty file', '', 'bad_rows', 'is empty'],
  ['a file of blank lines', '\n \r\n\n', 'bad_rows', 'is empty'],
  ['a header alone', 'a,b\n', 'bad_rows', 'no rows below it'],
  [
    'a row too wide',
    'a,b\n1,2\n1,2,,4\n',
    'validation_error',
    'Line 3 has 4 cells, but the header has 2',
  ],
  ['a quote never closed', 'a,b\n1,"2\n', 'validation_error', 'Line 2: a quote opened here'],
  [
    'a broken byte after the mark of UTF-8',
    Buffer.from('efbbbf4e0afffe0a', 'hex'),
    'validation_error',
    'Line 2: the byte 0xFF',
  ],
  ['a file whose contents were lost', '\0'.repeat(512), 'validation_error', 'no contents'],
  [
    'a hidden companion of a Mac',
    `\0\x05\x16\x07${'\0'.repeat(60)}Mac OS X`,
    'validation_error',
    'without "._"',
  ],
  ['a PDF', '%PDF-1.7 x', 'validation_error', 'is a PDF'],
  ['a zip', packZip({ 'a.csv': 'x' }), 'validation_error', 'Unpack it'],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'validation_error', '.xls'],
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), 'validation_error', 'an image'],
  ['a program', Buffer.from('7f454c460201010000000000', 'hex'), 'validation_error', 'neither text'],
  [
    'a broken workbook',
    makeWorkbook([[['a']]]).subarray(0, 900),
    'validation_error',
    'cannot be read',
  ],
  ['a workbook of empty sheets', makeWorkbook([[], [[]]]), 'bad_rows', 'is empty'],
  [
    'too many bytes',
    Buffer.alloc(csvUploadBytesMax + 1),
    'validation_error',
    'the maximum is 104,857,600',
  ],
] as const)('%s is refused and leaves nothing behind', async (_title, content, code, words) => {
  const refusal = await prepare(content).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EngineError);
  expect(refusal).toMatchObject({ code, detail: expect.stringContaining(words) });
  expect(existsSync(table()) ? readdirSync(table()) : []).toEqual([]);
});

test.each([
  ['gone.csv', 'does not exist'],
  ['', 'is a folder'],
])('a source %j that is not a file is refused with a message', async (name, words) => {
  const source = { sourcePath: join(dir, name), targetDir: table(), fileName: 'list.csv' };
  await expect(prepareTable(source)).rejects.toThrow(`The file "list.csv" ${words}`);
});

test.each([
  ['wrong.png', 'this is plain text', 'an image'],
  ['Scan.JPG', 'Email\nada@x.example\n', 'an image'],
  ['report.pdf', 'Email,Name\nada@x.example,Ada\n', 'a PDF'],
  ['notes.docx', 'Email\nada@x.example\n', 'a document'],
  ['list.png', '[{"email":"ada@x.example"}]', 'an image'],
])('text with the name %s is refused as the wrong kind of file', async (name, text, what) => {
  await expect(prepare(text, name, { readsJson: true })).rejects.toMatchObject({
    code: 'validation_error',
    detail: expect.stringMatching(new RegExp(`text, but its name "${name}" is that of ${what}\\.`)),
  });
  expect(existsSync(table())).toBe(false);
});

test('any other name is no reason to refuse a list', async () => {
  for (const name of ['list', 'list.txt', 'list.tsv', 'list.xls', 'export.png.csv', 'a.dat'])
    expect(await prepare('Email\nada@x.example\n', name)).toMatchObject({ rowCount: 1 });
});

test('a table above its size limit is refused, and one at the limit is not', async () => {
  // Short rows are padded: 9 bytes become 12, and 2 bytes of Windows-1252 become 4.
  const short = 'a,b,c\n1\n\n2\n';
  await expect(prepare(short, 'x.csv', { tableBytesMax: 13 })).rejects.toThrow(
    'The list has more than 13 bytes with every cell written out, including empty ones. Remove',
  );
  expect(readdirSync(table())).toEqual([]);
  expect(await prepare(short, 'x.csv', { tableBytesMax: 14 })).toMatchObject({ rowCount: 2 });
  const latin = Buffer.from('é\né\n', 'latin1');
  await expect(prepare(latin, 'x.csv', { tableBytesMax: 5 })).rejects.toThrow('more than 5 bytes');
  const unwritten = { tableBytesMax: 13, targetDir: null };
  await expect(prepare(short, 'x.csv', unwritten)).rejects.toThrow('more than 13 bytes');
});

test('the rows between two index entries never exceed what readers can hold', () => {
  const meter = createTableMeter(Number.MAX_SAFE_INTEGER);
  meter.add(tableBlockBytesMax);
  meter.beginBlock();
  meter.add(tableBlockBytesMax);
  const refusal = '1,000 rows of the list have more than 134,217,728 bytes of text. Shorten';
  expect(() => meter.add(1)).toThrow(refusal);
  const text = 'A'.repeat(csvCellCharactersMax);
  const longest = new Array<string>(128).fill(text);
  expect(() => checkRowLength(longest)).not.toThrow();
  expect(() => checkRowLength([...longest, 'x'])).toThrow(refusal);
});

test.each([
  ['spaces before quotes', 'Name, "City"\nAda, "Leeds, UK"\n'],
  ['typographic quotes', '“Name”,“City”\n“Ada”,“Leeds, UK”\n'],
  ['single quotes', "'Name','City'\n'Ada','Leeds, UK'\n"],
  ['quoted with its delimiter line', '"sep=;"\r\nName;City\r\nAda;"Leeds, UK"\r\n'],
  ['with each line quoted once more', '"Name,City"\n"Ada,""Leeds, UK"""\n'],
  ['with semicolons inside quoted lines', '"Name;City"\r\n"Ada;Leeds, UK"\r\n'],
  ['with texts written as formulas', '="Name",City\n="Ada","=""Leeds, UK"""\n'],
])('a CSV %s is read as it is meant', async (_title, text) => {
  await prepare(text);
  expect(written()).toBe('Name,City\nAda,"Leeds, UK"\n');
});

test('a formula that is no text stays as it is', async () => {
  await prepare('Ref,Note\n="00123","=1+1"\n="a""b",="x\n');
  expect(written()).toBe('Ref,Note\n00123,=1+1\n"a""b","=""x"\n');
});

test('a failure keeps the previous table', async () => {
  await prepare('a\n1\n');
  await expect(prepare('a\n"\n')).rejects.toThrow('Line 2');
  expect(written()).toBe('a\n1\n');
  expect(readdirSync(table()).sort()).toEqual(['input.csv', 'input.idx']);
});

test('a table that cannot be renamed leaves nothing behind', async () => {
  mkdirSync(join(table(), 'input.idx', 'taken'), { recursive: true });
  await expect(prepare('a\n1\n')).rejects.toThrow();
  expect(readdirSync(table())).toEqual(['input.idx']);
});

test('progress rises to the total, and a signal stops the work', async () => {
  const content = `a,b\n${'1,2\n'.repeat(700_000)}`;
  const told: number[] = [];
  const stop = new AbortController();
  await prepare(content, 'x.csv', { onProgress: (bytes: number) => told.push(bytes) });
  expect(told).toEqual([1_048_576, 2_097_152, content.length]);
  const onProgress = () => stop.abort(new Error('stopped by hand'));
  rmSync(table(), { recursive: true });
  await expect(prepare(content, 'x.csv', { signal: stop.signal, onProgress })).rejects.toThrow(
    'stopped by hand',
  );
  expect(readdirSync(table())).toEqual([]);
});

test('the first sheet with content of a workbook is read as displayed', async () => {
  const sheet: SheetCell[][] = [
    [],
    ['Name', 'Phone', 'When', 'Amount', 'Formula'],
    [' Zoë, "Z" & Co ', '+49 030', { v: '45413', style: 1 }, { v: '1.1000000000000001' }, ''],
    [],
    ['two\nlines', { v: '491701234567' }, { v: '45413.75', style: 2 }, { v: '1.5E+20' }, '=1+1'],
    [
      '',
      { v: '12345678901234567890' },
      { v: '0.5', style: 2 },
      { v: '-2.5E-7' },
      { type: 'b', v: '1' },
    ],
    ['', '', '', { type: 'e', v: '#N/A' }, { type: 'str', v: '007' }],
  ];
  const prepared = await prepare(makeWorkbook([[], sheet, [['other']]]), 'list.csv');
  expect(prepared).toMatchObject({ kind: 'xlsx', encoding: 'utf-8', delimiter: ',', rowCount: 4 });
  expect([prepared.headers, ...prepared.firstRows]).toEqual([
    ['Name', 'Phone', 'When', 'Amount', 'Formula'],
    [' Zoë, "Z" & Co ', '+49 030', '2024-05-01', '1.1', ''],
    ['two\nlines', '491701234567', '2024-05-01 18:00:00', '150000000000000000000', '=1+1'],
    ['', '12345678901234567890', '12:00:00', '-0.00000025', 'TRUE'],
    ['', '', '', '', '007'],
  ]);
});

// Text with irregular lines, quotes and widths.
const cell = fc.oneof(
  fc.constantFrom('', 'x', 'é', '😀', 'a,b', '"', 'l1\nl2', 'l1\r\nl2'),
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
);

test('any range of rows reads back as the oracle reads it, as cells and as bytes', async () => {
  const shape = fc.record({
    cells: fc.array(cell, { minLength: 7, maxLength: 40 }),
    width: fc.integer({ min: 1, max: 5 }),
    rowCount: fc.oneof(
      fc.integer({ min: 1, max: 2_500 }),
      fc.constantFrom(inputIndexStride - 1, inputIndexStride, inputIndexStride + 1, 2_000),
    ),
    ranges: fc.array(fc.tuple(fc.nat(2_600), fc.nat(1_500)), { minLength: 1, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ cells, width, rowCount, ranges }) => {
      const take = (at: number) => cells[at % cells.length]!;
      const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const line = (row: number) =>
        Array.from({ length: width }, (_, column) => quote(take(row * width + column))).join(',');
      const header = Array.from({ length: width }, (_, column) => `h${column}`).join(',');
      const text = [header, ...Array.from({ length: rowCount }, (_, row) => line(row))].join(
        '\r\n',
      );
      const oracle: string[][] = parse(text, { record_delimiter: '\r\n' }).slice(1);
      const kept = oracle.filter((row) => width === 1 || row.length > 1);
      // Cells such as "Total" may be at the end of a row by chance.
      await prepare(text, 'list.csv', { reading: { header_line: 1, other_lines: 'keep' } });
      const rows = openRows(table());
      try {
        expect(rows.rowCount).toBe(kept.length);
        for (const [first, count] of [...ranges, [0, rowCount], [1000, 1000]] as const) {
          const slice = kept.slice(first, first + count);
          expect(rows.readRange(first, count)).toEqual(slice);
          expect(parseRecords(rows.rangeBytes(first, count))).toEqual(slice);
        }
      } finally {
        rows.close();
      }
    }),
    { numRuns: runsOf(40) },
  );
});
