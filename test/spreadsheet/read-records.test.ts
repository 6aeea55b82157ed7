// CSV as people send it, in chunks of any size, compared with csv-parse as the oracle.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import { csvCellCharactersMax, csvColumnsMax } from '../../engine/contract/limits/spreadsheet.ts';
import type { Encoding } from '../../engine/contract/reading/encodings.ts';
import { formatRecord } from '../../engine/spreadsheet/format-record.ts';
import { createRecordReader } from '../../engine/spreadsheet/read-records.ts';
import { plainQuotes, type QuoteStyle } from '../../engine/spreadsheet/split-records.ts';
import { runsOf } from '../property-runs.ts';

interface Reading {
  readonly delimiter?: string;
  readonly encoding?: Encoding;
  readonly quotes?: QuoteStyle;
}

/** Reads in chunks; returns the records with their lines, or the refusal. */
function readInPieces(bytes: Uint8Array, pieceBytes: number, reading: Reading = {}) {
  const records: string[][] = [];
  const lines: number[] = [];
  const { delimiter = ',', encoding = 'utf-8', quotes } = reading;
  const reader = createRecordReader({
    delimiter,
    encoding,
    quotes,
    onRecord(cells, line) {
      records.push(cells);
      lines.push(line);
    },
  });
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      reader.push(bytes.subarray(at, at + pieceBytes));
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { records, lines, refusal: error.detail };
  }
  return { records, lines, refusal: '' };
}

const abc = ['a', 'b', 'c'];
const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const withMark = (mark: number[], bytes: Uint8Array) => Buffer.concat([Buffer.from(mark), bytes]);
const utf8Mark = [0xef, 0xbb, 0xbf];
const zoe = [abc, ['Zoë €', '日本語😀', '3']];
const longCell = 'x'.repeat(csvCellCharactersMax);

const readable: readonly [string, Uint8Array, string[][], Reading?][] = [
  ['quotes', bytesOf('a,b,c\n1,"x ""y"", z",3\n'), [abc, ['1', 'x "y", z', '3']]],
  ['line ends in cells', bytesOf('a,b,c\n1,"l1\nl2\r\nl3",3\n'), [abc, ['1', 'l1\nl2\r\nl3', '3']]],
  ['CRLF', bytesOf('a,b,c\r\n1,2,3\r\n'), [abc, ['1', '2', '3']]],
  [
    'fields and blocks that are filled with NUL',
    bytesOf('a\0\0,b,c\0\n\0\0\0\n1,2\0\0\0,3\n\0\0\0\0'),
    [abc, ['1', '2', '3']],
  ],
  ['the end of a file of DOS', bytesOf('a,b,c\r\n1,2,3\x1a\x1a\0\r\n'), [abc, ['1', '2', '3']]],
  ['the same sign within a text', bytesOf('a,b,c\n1,x\x1a,3\n'), [abc, ['1', 'x\x1a', '3']]],
  [
    'UTF-7',
    bytesOf('a,b,c\nM+APw-ller +ACY- Co,+ZeVnLIqe-,1+-2\n'),
    [abc, ['Müller & Co', '日本語', '1+2']],
    { encoding: 'utf-7' },
  ],
  ['CR', bytesOf('a,b,c\r1,2,3\r'), [abc, ['1', '2', '3']]],
  [
    'mixed line ends',
    bytesOf('a,b,c\r\n1,2,3\n4,5,6\r7,8,9'),
    [abc, ...'147'.split('').map(three)],
  ],
  ['a UTF-8 mark', withMark(utf8Mark, bytesOf('a,b,c\n1,2,3\n')), [abc, ['1', '2', '3']]],
  ['a mark, then a quote', withMark(utf8Mark, bytesOf('"a",b,c\n')), [abc]],
  ['no final line end', bytesOf('a,b,c\n1,2,3'), [abc, ['1', '2', '3']]],
  ['empty last cells', bytesOf('a,b,c\n1,2,\n4,5,""'), [abc, ['1', '2', ''], ['4', '5', '']]],
  ['a final delimiter', bytesOf('a,b,c\n1,2,'), [abc, ['1', '2', '']]],
  ['UTF-8', bytesOf('a,b,c\nZoë €,日本語😀,3\n'), zoe],
  ['ragged rows', bytesOf('a,b,c\n1,2\n1,2,3,4\n'), [abc, ['1', '2'], ['1', '2', '3', '4']]],
  ['empty lines', bytesOf('\na,b,c\n\r\n\r1,2,3\n\n'), [abc, ['1', '2', '3']]],
  ['a lone empty cell', bytesOf('a\n""\n\nb\n'), [['a'], [''], ['b']]],
  ['a stray quote', bytesOf('a,b,c\n1,5" disk,3\n'), [abc, ['1', '5" disk', '3']]],
  ['text after a closing quote', bytesOf('"a"x,"b" ""y"",c\n'), [['ax', 'b ""y""', 'c']]],
  ['semicolons', bytesOf('a;b;c\n1;"2,0";3\n'), [abc, ['1', '2,0', '3']], { delimiter: ';' }],
  [
    'spaces before quotes',
    bytesOf('a, "b", c\n1,  "x, y", 3\n 4,5, "6"\n'),
    [
      ['a', 'b', ' c'],
      ['1', 'x, y', ' 3'],
      [' 4', '5', '6'],
    ],
    { quotes: { ...plainQuotes, isSpaced: true } },
  ],
  [
    'quotes behind a backslash',
    bytesOf('a,b,c\n"x \\"y\\", z",2,"C:\\\\"\n'),
    [abc, ['x "y", z', '2', 'C:\\\\']],
    { quotes: { ...plainQuotes, isEscaped: true } },
  ],
  [
    'single quotes',
    bytesOf("'a','b','c'\n'x, y','O''Hara','\"'\n"),
    [abc, ['x, y', "O'Hara", '"']],
    { quotes: { ...plainQuotes, quote: "'" } },
  ],
  ['tabs', bytesOf('a\tb\tc\n1\t2\t3'), [abc, ['1', '2', '3']], { delimiter: '\t' }],
  ['bars', bytesOf('a|b|c\n1|"2|"|3'), [abc, ['1', '2|', '3']], { delimiter: '|' }],
  [
    'UTF-16LE',
    bytesOf('\uFEFFa,b,c\nZoë €,日本語😀,3\n', 'utf16le'),
    zoe,
    { encoding: 'utf-16le' },
  ],
  [
    'UTF-16BE',
    bytesOf('\uFEFFa,b,c\nZoë €,日本語😀,3\n', 'utf16le').swap16(),
    zoe,
    { encoding: 'utf-16be' },
  ],
  [
    'Windows-1252',
    bytesOf('a,b,c\nZo\xeb \x80,\x93x\x94,3\n', 'latin1'),
    [abc, ['Zoë €', '“x”', '3']],
    { encoding: 'windows-1252' },
  ],
  [
    'the longest cell',
    bytesOf(`a,b\n1,"${longCell}"\n`),
    [
      ['a', 'b'],
      ['1', longCell],
    ],
  ],
];

function three(first: string): string[] {
  return [0, 1, 2].map((more) => `${Number(first) + more}`);
}

const pieceSizes = [1_048_576, 7, 3];
const inPieces = <Expected>(
  cases: readonly (readonly [string, Uint8Array, Expected, Reading?])[],
) =>
  pieceSizes.flatMap((size) =>
    cases.map(([title, bytes, expected, reading]) => ({ size, title, bytes, expected, reading })),
  );

test.each(inPieces(readable))('in chunks of $size bytes, $title are read', (given) => {
  const { size, bytes, expected, reading } = given;
  expect(readInPieces(bytes, size, reading)).toMatchObject({ records: expected, refusal: '' });
});

const refused: readonly [string, Uint8Array, string, Reading?][] = [
  [
    'a quote never closed',
    bytesOf('a,b\n1,2\n3,"4\n5,6\n'),
    'Line 3: a quote opened here is never',
  ],
  ['a quote opened at the end', bytesOf('a,b\n1,"'), 'Line 2: a quote opened here is never closed'],
  [
    'broken UTF-8',
    bytesOf('a,é\n1,2\n3,\xe9x\n', 'latin1'),
    'Line 1: the byte 0xE9 is not valid UTF-8',
  ],
  [
    'one broken byte in UTF-8',
    Buffer.concat([bytesOf('é\r\n"\r\n"\r\n'), bytesOf('x\xff', 'latin1')]),
    'Line 4: the byte 0xFF is not valid UTF-8',
  ],
  ['half a character at the end', bytesOf('a\né').subarray(0, 3), 'Line 2: the byte 0xC3 is not'],
  [
    'a byte that Windows-1252 lacks',
    bytesOf('a\nb\x81', 'latin1'),
    'Line 2: the byte 0x81 is neither',
    { encoding: 'windows-1252' },
  ],
  [
    'half a surrogate pair',
    bytesOf('a\nb\ud800c', 'utf16le'),
    'Line 2: there is an unpaired UTF-16 surrogate',
    { encoding: 'utf-16le' },
  ],
  [
    'an odd byte of UTF-16',
    bytesOf('a\nb', 'utf16le').subarray(0, 5),
    'Line 2: the UTF-16 text ends',
    { encoding: 'utf-16le' },
  ],
  [
    'a cell too long',
    bytesOf(`a,Notes\n1,${longCell}x\n`),
    'Line 2, column "Notes": the cell is longer than 1,048,576 characters',
  ],
  [
    'a cell too long beyond the header',
    bytesOf(`a\n1,"${longCell}x"\n`),
    'Line 2, column 2: a quote opened here is never closed within the 1,048,576 characters',
  ],
  ['too many columns', bytesOf(`a\n${','.repeat(csvColumnsMax)}\n`), 'Line 2 has more than 1,000'],
];

test.each(inPieces(refused))(
  'in chunks of $size bytes, $title is refused with its line',
  (given) => {
    const { size, bytes, expected, reading } = given;
    expect(readInPieces(bytes, size, reading).refusal).toContain(expected);
  },
);

test('lines are counted through cells with line ends, empty lines and every kind of end', () => {
  const text = 'a,b\r\n"1\r\n\n2",x\n\r\ry,"\r\r"\rz\n';
  for (const size of [1, 2, 3, 100]) {
    expect(readInPieces(bytesOf(text), size).lines).toEqual([1, 2, 7, 9 + 1]);
  }
});

test('an open quote before 64 MB is refused as soon as it exceeds the longest cell', () => {
  const piece = Buffer.alloc(1_048_576, 'x,y\n');
  const reader = createRecordReader({ delimiter: ',', encoding: 'utf-8', onRecord: () => {} });
  reader.push(bytesOf('a,b\n1,"'));
  let taken = 0;
  const pushAll = () => {
    for (; taken < 64; taken++) reader.push(piece);
  };
  expect(pushAll).toThrow('Line 2, column "b": a quote opened here is never closed');
  expect(taken).toBe(1);
});

// Letters, syntax and characters of one to four bytes, which break readers.
const awkwardText = fc
  .array(fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\n', '\r', 'é', '€', '😀'), {
    maxLength: 6,
  })
  .map((letters) => letters.join(''));
const cell = fc
  .oneof(awkwardText, fc.string({ unit: 'grapheme' }), fc.constant(''))
  .filter((text) => !text.includes('\0') && !text.startsWith('\uFEFF'));
const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 20,
  }),
);

test('any written table is read back unchanged, here and by csv-parse', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('\r\n', '\n'),
      fc.integer({ min: 1, max: 50 }),
      (rows, end, size) => {
        const text = rows.map((row) => formatRecord(row, end)).join('');
        expect(readInPieces(bytesOf(text), size)).toMatchObject({ records: rows, refusal: '' });
        expect(readInPieces(bytesOf(text), 1_048_576).records).toEqual(rows);
        expect(parse(text, { record_delimiter: end })).toEqual(rows);
      },
    ),
  );
});

test('any text, well formed or not, is read the same in chunks of any size', () => {
  const text = fc.array(awkwardText, { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (given, size) => {
      const whole = readInPieces(bytesOf(given), 1_048_576);
      expect(readInPieces(bytesOf(given), size)).toEqual(whole);
    }),
    { numRuns: runsOf(1000) },
  );
});
