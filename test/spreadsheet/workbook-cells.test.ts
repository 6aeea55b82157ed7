// A workbook is read as its sheet shows it: zeros, merges, links, hidden sheets, formulas.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import { readDigitFormat, showDigits } from '../../engine/spreadsheet/workbook/digit-format.ts';
import { makeWorkbook, type Parts, packWorkbook, wrapRows } from './make-workbook.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-cells-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function read(bytes: Uint8Array, sheet?: string) {
  const sourcePath = join(dir, 'list.xlsx');
  writeFileSync(sourcePath, bytes);
  const reading = sheet === undefined ? {} : { sheet };
  const table = await prepareTable({ sourcePath, targetDir: null, fileName: 'l.xlsx', reading });
  return { ...table, found: [table.headers, ...table.firstRows] };
}

const cell = (reference: string, text: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (at: number, ...texts: string[]) => {
  const cells = texts.map((text, column) =>
    text === '' ? '' : cell(`${'ABCDEF'[column]}${at}`, text),
  );
  return `<row r="${at}">${cells.join('')}</row>`;
};
const sheetWith = (rows: string, after: string) =>
  wrapRows(rows).replace('</worksheet>', `${after}</worksheet>`);

test.each([
  ['00000', '17', '00017'],
  ['00000', '123456', '123456'],
  ['0000', '0', '0000'],
  ['000\\-00\\-0000', '12345678', '012-34-5678'],
  ['"DE-"0000', '42', 'DE-0042'],
  ['0000\\ 0000000', '15120301144', '1512 0301144'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '5550123', '555-0123'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '2125550123', '(212) 555-0123'],
  ['[$-407]00000', '1067', '01067'],
])('a whole number in the format %s is shown: %s as %s', (code, written, shown) => {
  const format = readDigitFormat(code);
  expect(format && showDigits(written, format)).toBe(shown);
});

test.each([
  '0',
  'General',
  '#,##0',
  '0.00',
  '0%',
  '0.0E+00',
  '#',
  '@',
  '# ?/?',
  '#\\ ##0',
  '"EUR" 0',
])('a number in the format %s stays as it is', (code) => {
  expect(readDigitFormat(code)).toBe(null);
});

test('amounts, and numbers that the format does not fit, stay as they are', () => {
  const format = readDigitFormat('00000') ?? [];
  expect(['-17', '1.5', '1234567890123456'].map((text) => showDigits(text, format))).toEqual([
    null,
    null,
    null,
  ]);
});

test('ids and postal codes have the zeros of their format', async () => {
  const styles =
    '<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="00000"/></numFmts>' +
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';
  const rows =
    row(1, 'Id', 'Zip') +
    '<row r="2"><c r="A2" s="1"><v>7</v></c><c r="B2" s="0"><v>7</v></c></row>';
  const { found } = await read(packWorkbook([wrapRows(rows)], { 'xl/styles.xml': styles }));
  expect(found).toEqual([
    ['Id', 'Zip'],
    ['00007', '7'],
  ]);
});

test('rows that are merged have the value of the first, and no other row has', async () => {
  const rows =
    row(1, 'Company', 'First name', 'City') +
    row(2, 'Engines', 'Ada', 'Leeds') +
    row(3, '', 'Bo', '') +
    row(4, '', 'Cy', 'York') +
    row(5, '', 'Di', '');
  const merges = '<mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="C2:C3"/></mergeCells>';
  const { found } = await read(packWorkbook([sheetWith(rows, merges)]));
  expect(found.slice(1)).toEqual([
    ['Engines', 'Ada', 'Leeds'],
    ['Engines', 'Bo', 'Leeds'],
    ['Engines', 'Cy', 'York'],
    ['', 'Di', ''],
  ]);
});

const relation = (id: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/hyperlink" Target="${target}" TargetMode="External"/>`;

/** A sheet of three rows with links, and its relations. */
function makeLinked(header: string[]): Buffer {
  const rows =
    row(1, ...header) + row(2, 'Ada', 'write') + row(3, 'Bo', 'bo@b.example') + row(4, 'Cy', '');
  const links =
    '<hyperlinks><hyperlink ref="B2" r:id="a"/><hyperlink ref="B3" r:id="a"/>' +
    '<hyperlink ref="A4" r:id="b"/><hyperlink ref="A2" r:id="c"/></hyperlinks>';
  const relations = [
    relation('a', 'mailto:ada%2Bx@a.example?subject=Hi'),
    relation('b', 'https://www.linkedin.com/in/cy-y'),
    relation('c', 'https://www.a.example/about'),
  ];
  const more: Parts = {
    'xl/worksheets/_rels/s1.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
  };
  return packWorkbook([sheetWith(rows, links)], more);
}

test('an address that is only in a link is read into its column, or into a new one', async () => {
  expect((await read(makeLinked(['First name', 'E-mail']))).found).toEqual([
    ['First name', 'E-mail', 'LinkedIn URL'],
    ['Ada', 'ada+x@a.example', ''],
    ['Bo', 'bo@b.example', ''],
    ['Cy', '', 'https://www.linkedin.com/in/cy-y'],
  ]);
  expect((await read(makeLinked(['First name', 'Contact us']))).found.slice(0, 2)).toEqual([
    ['First name', 'Contact us', 'Email', 'LinkedIn URL'],
    ['Ada', 'write', 'ada+x@a.example', ''],
  ]);
});

test('the address of a HYPERLINK formula is read', async () => {
  const rows =
    row(1, 'First name', 'Email') +
    `<row r="2">${cell('A2', 'Ada')}<c r="B2" t="str"><f>HYPERLINK("mailto:ada@a.example","mail")</f><v>mail</v></c></row>`;
  expect((await read(packWorkbook([wrapRows(rows)]))).found[1]).toEqual(['Ada', 'ada@a.example']);
});

test('formulas without a value are counted and said', async () => {
  const formula = (reference: string) => `<c r="${reference}"><f>A1&amp;"x"</f></c>`;
  const rows =
    row(1, 'First name', 'Email') +
    `<row r="2">${cell('A2', 'Ada')}${formula('B2')}</row><row r="3">${formula('B3')}</row>` +
    `<row r="4">${cell('A4', 'Bo')}<c r="B4" t="str"><f>""</f><v></v></c></row>`;
  const { warnings, rowCount } = await read(packWorkbook([wrapRows(rows)]));
  expect([rowCount, warnings]).toEqual([
    2,
    [
      {
        line: 2,
        message:
          '2 cells have a formula without a value and are empty, the first in B2. Open the ' +
          'workbook in a spreadsheet program, save it, and choose it again.',
      },
    ],
  ]);
});

const books = [
  [['Read me'], ['This list is of 2024.']],
  [
    ['Stage', 'Weight'],
    ['Open', '1'],
  ],
  [['Fair'], ['First name', 'Last name', 'Email'], ['Ada', 'Byron', 'ada@a.example']],
];

test('the visible sheet whose column names are known is read, not the first', async () => {
  expect((await read(makeWorkbook(books))).sheet).toBe('Sheet3');
  // Without known names, the first visible sheet with cells.
  expect((await read(makeWorkbook([[], books[1] ?? []]))).sheet).toBe('Sheet2');
});

test('a hidden sheet is read only by its name, or if there is no other', async () => {
  const make = (...names: string[]) => {
    const list = books.map((_rows, at) => {
      const state = names.includes(`Sheet${at + 1}`) ? ' state="veryHidden"' : '';
      return `<sheet name="Sheet${at + 1}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`;
    });
    return packWorkbook(
      books.map((lines) => wrapRows(lines.map((cells, at) => row(at + 1, ...cells)).join(''))),
      { 'xl/workbook.xml': `<workbook><sheets>${list.join('')}</sheets></workbook>` },
    );
  };
  const hidden = make('Sheet1', 'Sheet3');
  expect((await read(hidden)).sheet).toBe('Sheet2');
  expect((await read(hidden, 'Sheet3')).found[1]).toEqual(['Ada', 'Byron', 'ada@a.example']);
  const all = make('Sheet1', 'Sheet2', 'Sheet3');
  expect((await read(all)).sheet).toBe('Sheet1');
});
