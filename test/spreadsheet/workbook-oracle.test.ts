// Workbooks of any content are read like an independent library reads them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readWorkbook } from '../../engine/spreadsheet/workbook/read-workbook.ts';
import { runsOf } from '../property-runs.ts';
import { packWorkbook, wrapRows } from './make-workbook.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-oracle-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const formats = [
  'yyyy-mm-dd',
  'd.m.yy;@',
  '[$-409]d. mmm yyyy',
  '[h]:mm:ss.000',
  'm"th" yyyy',
  'aaa',
  'e',
  '0.00',
  '#,##0 "day"',
  '[Red]0',
  '@',
  'General',
  '0%',
  '"d"',
  'mmyy',
  '[s].00',
  'h\\ AM/PM',
];
const ownFormatFirst = 164;
const builtIn = [0, 1, 14, 22, 27, 37, 45, 49, 50, 58, 71, 81, 82];
const ids = [...builtIn, ...formats.map((_, at) => ownFormatFirst + at)];

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#62;');
const styles =
  `<x:styleSheet xmlns:x="m"><x:numFmts>${formats
    .map((code, at) => {
      const text = escapeXml(code).replaceAll('"', '&quot;');
      return `<x:numFmt numFmtId="${ownFormatFirst + at}" formatCode="${text}"/>`;
    })
    .join('')}</x:numFmts><x:cellXfs>${ids.map((id) => `<x:xf numFmtId="${id}"/>`).join('')}` +
  '</x:cellXfs></x:styleSheet>';
const shared = ['', ' a ', 'é😀', '_x000D_', '_x005F_x0041_', 'l1\nl2', '&lt;b&gt;'];
const sharedStrings = [
  '<sst>',
  ...shared.map((text) => `<si><t xml:space="preserve">${text}</t></si>`),
  '<si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0"><t>no</t></rPh></si></sst>',
].join('');

// Letters that XML can contain unescaped.
const text = fc
  .string({ unit: 'grapheme' })
  .filter((letters) => !/\p{Cc}|[\ufffe\uffff]/u.test(letters));
const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ min: 1, max: 60_000, noNaN: true }).map(String),
);
const cell = fc.oneof(
  text.map((letters) => ` t="inlineStr"><is><t>${escapeXml(letters)}</t></is>`),
  text.map((letters) => ` t="str"><f>A1</f><v>${escapeXml(letters)}</v>`),
  number.map((digits) => `><v>${digits}</v>`),
  fc
    .tuple(fc.nat(ids.length - 1), fc.double({ min: 1, max: 60_000, noNaN: true }))
    .map(([style, days]) => ` s="${style}"><v>${days}</v>`),
  fc.nat(shared.length).map((place) => ` t="s"><v>${place}</v>`),
  fc.constantFrom(
    ' t="b"><v>1</v>',
    ' t="b"><v>0</v>',
    ' t="e"><v>#N/A</v>',
    ' s="2">',
    '><f>B1</f>',
  ),
  fc.constantFrom(' t="s">', ' t="inlineStr">', ' t="d"><v>2021-06-10T00:47:45Z</v>'),
);

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const date1904 =
  `<workbook xmlns:r="${office}"><workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" ` +
  'r:id="rId1"/></sheets></workbook>';

/** The library's values as text: only dates and booleans need conversion. */
function sayValue(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (!(value instanceof Date)) return String(value);
  const seconds = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
  const [day = '', time = ''] = seconds.slice(0, 19).split('T');
  if (day.startsWith('1899-12-3')) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}

/** The same number, whatever its digits, because the library returns the written form. */
const sameNumber = (ours: string, theirs: string): boolean =>
  ours === theirs || (theirs !== '' && Number(ours) === Number(theirs));

test('cells of any kind and format read as the oracle reads them', async () => {
  const path = join(dir, 'list.xlsx');
  const rows = fc.array(fc.array(fc.option(cell), { maxLength: 30 }), {
    minLength: 1,
    maxLength: 9,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), async (cells, from1904) => {
      const xml = cells.map((values, row) => {
        const written = values.map((value, column) => {
          const reference = `${column < 26 ? '' : 'A'}${String.fromCharCode(65 + (column % 26))}`;
          return value === null ? '' : `<c r="${reference}${row + 1}"${value}</c>`;
        });
        return `<row r="${row + 1}">${written.join('')}</row>`;
      });
      const book = packWorkbook([wrapRows(xml.join(''))], {
        'xl/styles.xml': styles,
        'xl/sharedStrings.xml': sharedStrings,
        ...(from1904 && { 'xl/workbook.xml': date1904 }),
      });
      writeFileSync(path, book);
      const oracle = (await readSheet(path, 1, {
        trim: false,
        parseNumber: (digits: string) => digits,
      })) as unknown as unknown[][];
      const expected = oracle.flatMap((values, at) =>
        values.every((value) => value === null) ? [] : [[at + 1, ...values.map(sayValue)]],
      );
      const found: (string | number)[][] = [];
      const onRecord = (values: string[], row: number) => found.push([row, ...values]);
      await readWorkbook(path, { bytesMax: 1e9, onRecord, signal: undefined });
      expect(found.length).toBe(expected.length);
      for (const [at, values] of found.entries()) {
        expect(values.length).toBe(expected[at]?.length);
        for (const [column, value] of values.entries()) {
          const theirs = String(expected[at]?.[column]);
          if (!sameNumber(String(value), theirs)) expect(String(value)).toBe(theirs);
        }
      }
    }),
    { numRuns: runsOf(150) },
  );
});
