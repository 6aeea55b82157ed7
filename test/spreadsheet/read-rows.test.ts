// A prepared table is read by row number, and refused if its two files disagree.
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  csvCellCharactersMax,
  importTableBytesMax,
  tableReadBytesMax,
} from '../../engine/contract/limits/spreadsheet.ts';
import { blankInputRows } from '../../engine/person-data/input-files.ts';
import { formatRecords } from '../../engine/spreadsheet/format-record.ts';
import { openRows, parseRecords, planReads } from '../../engine/spreadsheet/read-rows.ts';
import { createRecordSpans } from '../../engine/spreadsheet/record-spans.ts';
import { packIndex, readIndex, writeIndexEntries } from '../../engine/spreadsheet/table-files.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-rows-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const numbered = (count: number) =>
  Array.from({ length: count }, (_, row) => [`${row}`, row % 7 ? 'x' : 'l1\n"l2",']);

test('rows given as JSON are written like a file and read back', () => {
  const rows = numbered(2_345);
  const written = writeRowsTable({ headers: ['n', 'note'], rows, targetDir: dir });
  expect(written).toMatchObject({ headers: ['n', 'note'], rowCount: 2_345, warnings: [] });
  const file = openRows(dir);
  expect([file.headers, file.rowCount]).toEqual([['n', 'note'], 2_345]);
  expect(file.readRange(990, 20)).toEqual(rows.slice(990, 1_010));
  expect(file.readRange(2_340, 100)).toEqual(rows.slice(2_340));
  expect(file.readRange(9_999, 5)).toEqual([]);
  expect(file.readRange(5, 0)).toEqual([]);
  file.close();
});

test('the index holds the end of the header and of every thousand rows', () => {
  writeRowsTable({ headers: ['n'], rows: numbered(2_000).map(([n]) => [n!]), targetDir: dir });
  const index = readFileSync(join(dir, 'input.idx'));
  const data = readFileSync(join(dir, 'input.csv'), 'utf8');
  const offsets = [0, 16, 32].map((at) => index.readDoubleLE(at));
  expect(index.length).toBe(48);
  expect(offsets).toEqual([2, data.indexOf('\n1000\n') + 1, data.length]);
});

test('offsets are exact up to the largest table', () => {
  const entries = [6, 2 ** 31 + 1, 2 ** 32 + 5, 5_000_005_006, importTableBytesMax].map(
    (endsAt) => ({ endsAt, checksum: 2 ** 32 - 1, isChanging: false }),
  );
  writeFileSync(join(dir, 'input.idx'), packIndex(entries));
  expect(readIndex(dir)).toEqual(entries);
});

const flip = (path: string, bit: number) => {
  const bytes = readFileSync(path);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  writeFileSync(path, bytes);
};

test.each(['input.idx', 'input.csv'])(
  'every flipped bit of %s is noticed when it is read',
  (name) => {
    const rows = numbered(1_002).map(([n]) => [n!]);
    writeRowsTable({ headers: ['n'], rows, targetDir: dir });
    const path = join(dir, name);
    const bits = readFileSync(path).length * 8;
    for (let bit = 0; bit < bits; bit += name === 'input.idx' ? 1 : 8 * 23 + 3) {
      flip(path, bit);
      const readAll = () => {
        const file = openRows(dir);
        try {
          return file.readRange(0, file.rowCount);
        } finally {
          file.close();
        }
      };
      expect(readAll, `bit ${bit}`).toThrow(/input\.(idx|csv)/);
      flip(path, bit);
      expect(readAll()).toEqual(rows);
    }
  },
);

test('a change in rows that are not read is named by a check of all rows', () => {
  writeRowsTable({ headers: ['n'], rows: numbered(3_000).map(([n]) => [n!]), targetDir: dir });
  flip(join(dir, 'input.csv'), 8 * 6_000);
  const file = openRows(dir);
  expect(file.readRange(0, 1)).toEqual([['0']]);
  expect(() => [...file.verify()]).toThrow(/a row of input\.csv from 1001 to 2000 was changed/);
  expect(() => file.rangeBytes(1_500, 1)).toThrow(/submitted for .* are damaged on disk/);
  file.close();
});

test('bytes beyond 4 GB are read at their place, in reads that no system truncates', () => {
  const [from, to] = [6, 5_000_005_006];
  const reads = planReads(from, to);
  let at = from;
  for (const read of reads) {
    expect(read.at).toBe(at);
    expect(read.length).toBeLessThan(2 ** 31);
    at += read.length;
  }
  expect(at).toBe(to);
  expect(planReads(to, to + 10)).toEqual([{ at: to, length: 10 }]);
  expect(planReads(0, tableReadBytesMax)).toHaveLength(1);
  expect(planReads(3, 3)).toEqual([]);
});

test('records are parsed from shared memory', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(16));
  shared.set(Buffer.from('é,"b\n"\nc,d\n'));
  expect(parseRecords(shared.subarray(0, 12))).toEqual([
    ['é', 'b\n'],
    ['c', 'd'],
  ]);
});

test('the cells of any columns are found in the bytes as parseRecords reads them', () => {
  const cell = fc.oneof(
    fc.constantFrom('', 'a', '"', '""', ',\n', 'é,"'),
    fc.string({ unit: 'grapheme' }),
  );
  const spans = createRecordSpans();
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 6 });
  fc.assert(
    fc.property(table, fc.uniqueArray(fc.nat(6), { maxLength: 4 }), (rows, columns) => {
      const bytes = formatRecords(rows);
      const parsed = parseRecords(bytes);
      expect(spans.read(bytes, columns)).toBe(parsed.length);
      const found = parsed.map((_cells, row) =>
        columns.map((_at, place) => spans.text(row, place)),
      );
      expect(found).toEqual(parsed.map((cells) => columns.map((at) => cells[at] ?? '')));
    }),
  );
});

test('rows without keys, and rows of spaces, are rows too', () => {
  expect(writeRowsTable({ headers: [], rows: [[], []], targetDir: dir }).rowCount).toBe(2);
  const spaces = [
    [' ', ''],
    ['', ''],
  ];
  writeRowsTable({ headers: ['a', 'b'], rows: spaces, targetDir: dir });
  const file = openRows(dir);
  expect(file.readRange(0, 9)).toEqual(spaces);
  file.close();
});

test('a table that replaces another of the same size is read, not the other', () => {
  const write = (name: string, cell: string) =>
    writeRowsTable({ headers: [name], rows: [[cell], [cell]], targetDir: dir });
  const read = () => {
    const file = openRows(dir);
    file.close();
    return [file.headers, file.rowCount];
  };
  write('a', '12');
  expect([read(), read()]).toEqual([
    [['a'], 2],
    [['a'], 2],
  ]);
  write('b', '34');
  expect(read()).toEqual([['b'], 2]);
});

test('rows that were read stay as they are while others are read', () => {
  writeRowsTable({ headers: ['n'], rows: [['1'], ['2']], targetDir: dir });
  const file = openRows(dir);
  const kept = file.rangeBytes(0, 1);
  const cells = file.readRange(0, 1);
  expect(file.readRange(1, 1)).toEqual([['2']]);
  file.rangeBytes(1, 1);
  expect([parseRecords(kept), cells]).toEqual([[['1']], [['1']]]);
  file.close();
});

test('rows whose deletion was interrupted can be read, and the repeat ends it', () => {
  writeRowsTable({ headers: ['n', 'x'], rows: numbered(1_500), targetDir: dir });
  const [, first] = readIndex(dir);
  writeIndexEntries(dir, new Map([[1, { ...first!, isChanging: true }]]));
  const path = join(dir, 'input.csv');
  writeFileSync(path, readFileSync(path, 'utf8').replace('\n7,', '\n ,'));
  const read = () => {
    const file = openRows(dir);
    for (const _block of file.verify());
    const [row] = file.readRange(7, 1);
    file.close();
    return row?.map((cell) => cell.trim());
  };
  expect(read()?.[0]).toBe('');
  blankInputRows(dir, [{ row: 7, columns: null }]);
  expect(read()).toEqual(['', '']);
  expect(readIndex(dir).some(({ isChanging }) => isChanging)).toBe(false);
});

test.each([
  ['no row', [], 'at least one row'],
  ['a NUL', [['x'], ['a\0']], 'rows[1].name: the text contains a NUL character'],
  ['an unpaired surrogate', [['\ud800']], 'rows[0].name: the text contains an unpaired surrogate'],
  ['a cell too long', [['x'.repeat(csvCellCharactersMax + 1)]], 'rows[0].name: the text is longer'],
])('%s is refused with the place of it', (_title, rows, words) => {
  expect(() => writeRowsTable({ headers: ['name'], rows, targetDir: dir })).toThrow(words);
});

test.each<[string, string, (path: string) => void, string]>([
  [
    'rows that grew',
    'input.csv',
    (path) => appendFileSync(path, '2\n'),
    'instead of the 6 in input.idx',
  ],
  ['rows that were cut', 'input.csv', (path) => truncateSync(path, 4), 'has 4 bytes'],
  ['rows that are missing', 'input.csv', (path) => rmSync(path), 'ENOENT'],
  [
    'a last row without its end',
    'input.csv',
    (path) => writeFileSync(path, 'a\n1\n22'),
    'from 1 to 1000 was changed',
  ],
  [
    'a quote that is never closed',
    'input.csv',
    (path) => writeFileSync(path, 'a\n"1\n\n'),
    'from 1 to 1000 was changed',
  ],
  ['an index that was cut', 'input.idx', (path) => truncateSync(path, 12), 'input.idx is damaged'],
  ['an index of one entry', 'input.idx', (path) => truncateSync(path, 8), 'input.idx is damaged'],
  [
    'an index that goes back',
    'input.idx',
    (path) => writeFileSync(path, new Uint8Array(new Float64Array([6, 6]).buffer)),
    'input.idx is damaged',
  ],
  ['an index that is missing', 'input.idx', (path) => rmSync(path), 'ENOENT'],
])('%s are refused', (_what, name, harm, words) => {
  writeRowsTable({ headers: ['a'], rows: [['1'], ['2']], targetDir: dir });
  harm(join(dir, name));
  expect(() => openRows(dir)).toThrow(words);
});
