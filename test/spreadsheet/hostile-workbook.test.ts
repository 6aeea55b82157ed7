// Workbooks that cost much more than their size, or are broken, are refused before they do harm.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import {
  csvCellCharactersMax,
  workbookPartsMax,
  workbookRatioBytesMin,
  workbookXmlBytesMax,
} from '../../engine/contract/limits/spreadsheet.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import { farCellRefusal, makeFarCell, packWorkbook, packZip, wrapRows } from './make-workbook.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-hostile-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const table = () => join(dir, 'table');

function prepare(content: Uint8Array, more = {}) {
  const sourcePath = join(dir, 'source');
  writeFileSync(sourcePath, content);
  return prepareTable({ sourcePath, targetDir: table(), fileName: 'list.xlsx', ...more });
}

const cell = (reference: string, text: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (number: number, ...cells: string[]): string =>
  `<row r="${number}">${cells.join('')}</row>`;
const header = row(1, cell('A1', 'Email'));
const person = row(2, cell('A2', 'a@b.example'));
const workbook = (rows: string, more = {}): Buffer => packWorkbook([wrapRows(rows)], more);

/** This many characters as programs write them: in runs below the limit. */
const inRuns = (character: string, length: number): string =>
  `<r><t>${character.repeat(length / 8)}</t></r>`.repeat(8);

/** Text that many rows reference, and these rows. */
const sharedText = (text: string, rows: number): Buffer =>
  workbook(
    header +
      Array.from({ length: rows }, (_, at) =>
        row(at + 2, `<c r="A${at + 2}" t="s"><v>0</v></c>`),
      ).join(''),
    { 'xl/sharedStrings.xml': `<sst><si>${text}</si></sst>` },
  );

/** Declares another uncompressed size for the file inside at `place`. */
function declareBytes(archive: Buffer, place: number, bytes: number): Buffer {
  let at = archive.indexOf('PK\x01\x02', 0, 'latin1');
  for (let left = place; left > 0; left--) at = archive.indexOf('PK\x01\x02', at + 4, 'latin1');
  archive.writeUInt32LE(bytes, at + 24);
  return archive;
}
const sheetPlace = 4;

const spaces = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(wrapRows(header).slice(0, -24)), Buffer.alloc(bytes, 0x20)]);
const emptyParts = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`xl/j/${at}`, '']));
const doctype =
  '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]>';

test.each([
  ['a cell in the last row and column of all', makeFarCell, farCellRefusal],
  [
    'a column that no program has',
    () => workbook(header + row(2, cell('ZZZZZZ2', 'x'))),
    'Sheet1 uses 2 rows × 321,272,406 columns because of cell ZZZZZZ2.',
  ],
  [
    'a row that no program has',
    () => workbook(header + row(9_999_999, cell('A9999999', 'x'))),
    'Sheet1 uses 9,999,999 rows × 1 column because of cell A9999999.',
  ],
  [
    'long rows that one wide cell would widen all',
    () => {
      const rows = Array.from({ length: 100_100 }, (_, at) => `<row><c><v>${at}</v></c></row>`);
      return workbook(row(1, cell('ALL1', 'far')) + rows.join(''));
    },
    'Sheet1 uses 100,001 rows × 1,000 columns because of cell ALL1.',
  ],
  [
    'rows that all name one long text',
    () => sharedText(inRuns('A', 1_000_000), 20_000),
    '1,000 rows of the list have more than 134,217,728 bytes of text. Shorten their longest',
  ],
  [
    'many rows that all name one text',
    () => sharedText(inRuns('A', 100_000), 11_000),
    'The list has more than 1,073,741,824 bytes with every cell written out',
  ],
  [
    'numbers of a few characters that mean hundreds of digits',
    () => {
      const digits = `<row>${'<c><v>1e308</v></c>'.repeat(500)}</row>`;
      return workbook(digits.repeat(1_000));
    },
    '1,000 rows of the list have more than 134,217,728 bytes of text.',
  ],
  [
    'a shared text longer than a cell may be',
    () => sharedText(inRuns('é', csvCellCharactersMax + 8), 1),
    "The workbook's xl/sharedStrings.xml contains a text longer than 1,048,576 characters. Shorten",
  ],
  [
    'a cell longer than a cell may be',
    () =>
      workbook(
        header +
          row(2, `<c r="A2" t="inlineStr"><is>${inRuns('A', csvCellCharactersMax + 8)}</is></c>`),
      ),
    'The text of cell A2 of Sheet1 is longer than 1,048,576 characters. Shorten it and try again.',
  ],
  [
    'a NUL',
    () => workbook(header + row(2, cell('A2', 'a_x0000_b'))),
    'The text of cell A2 of Sheet1 contains a NUL character. Remove it and try again.',
  ],
  [
    'XML of nothing but space',
    () => packWorkbook([spaces(1_048_576)]),
    'contains a text or a tag of more than 262,144 characters. ' +
      'Save the sheet as "CSV UTF-8" and choose the new file.',
  ],
  [
    'XML that is packed better than any sheet',
    () => packWorkbook([spaces(workbookRatioBytesMin)]),
    "The workbook's xl/worksheets/s1.xml unpacks to 1,0",
  ],
  [
    'a tag without end',
    () => workbook(`<row><c x="${'y'.repeat(300_000)}`),
    'contains a text or a tag of more than 262,144 characters.',
  ],
  [
    'a NUL in shared text',
    () => sharedText('<t>a_x0000_b</t>', 1),
    "The workbook's xl/sharedStrings.xml contains a NUL character. ",
  ],
  [
    'elements in elements without end',
    () => workbook(header + row(2, `<c r="A2"><is>${'<r>'.repeat(200_000)}</is></c>`)),
    'nests XML elements more than 64 deep.',
  ],
  [
    'too many files inside',
    () => workbook(header + person, emptyParts(workbookPartsMax)),
    'The workbook contains 10,005 files; the maximum is 10,000.',
  ],
  [
    'XML that says it is too large',
    () => declareBytes(workbook(header + person), sheetPlace, workbookXmlBytesMax),
    'bytes of XML; the maximum is 268,435,456.',
  ],
  [
    'a sheet larger than it says',
    () => declareBytes(workbook(header + person), sheetPlace, 20),
    "xl/worksheets/s1.xml unpacks to more than the 20 bytes in the archive's directory",
  ],
  [
    'styles larger than a small part may be',
    () => declareBytes(workbook(header + person), sheetPlace - 1, 16_777_217),
    'xl/styles.xml unpacks to 16,777,217 bytes; the maximum is 16,777,216.',
  ],
  [
    'a missing shared string',
    () => workbook(header + row(2, '<c r="A2" t="s"><v>7</v></c>')),
    'The workbook cannot be read: cell A2 of Sheet1 refers to a missing shared string.',
  ],
  [
    'cells out of order',
    () => workbook(header + row(2, cell('B2', 'x'), cell('A2', 'y'))),
    'The workbook cannot be read: cell A2 of Sheet1 is out of order.',
  ],
  [
    'a way out of the folder',
    () => workbook(header + person, { '../../.../pwned.xml': 'x' }),
    'The workbook cannot be read: ',
  ],
  [
    'a cut archive',
    () => workbook(header + person).subarray(0, 400),
    'The workbook cannot be read: ',
  ],
  [
    'a sheet that ends in the middle',
    () => packWorkbook([wrapRows(header + person).slice(0, -20)]),
    'The workbook cannot be read: xl/worksheets/s1.xml is not valid XML',
  ],
  [
    'bytes that are no text',
    () => packWorkbook([Buffer.from(wrapRows(header + row(2, cell('A2', 'é'))), 'latin1')]),
    'The workbook cannot be read: xl/worksheets/s1.xml: the byte 0xE9 is not valid UTF-8',
  ],
] as const)('%s is refused and leaves nothing behind', async (_what, make, words) => {
  const refusal = await prepare(make()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EngineError);
  expect(refusal).toMatchObject({
    code: 'validation_error',
    detail: expect.stringContaining(words),
  });
  expect(existsSync(table()) ? readdirSync(table()) : []).toEqual([]);
});

test.each([
  ['an honest workbook', workbook(header + person), [['a@b.example']]],
  [
    'entities and a document type, which stay as written',
    packWorkbook([doctype + wrapRows(header + row(2, cell('A2', '&amp;&e;&b;&#x1F600;')))]),
    [['&&e;&b;😀']],
  ],
  ['a far row', workbook(header + row(1_048_576, cell('A1048576', 'x'))), [['x']]],
  [
    'far cells without content',
    workbook(header + person + row(1_048_576, '<c r="XFD1048576" s="1"/>')),
    [['a@b.example']],
  ],
  [
    'cells that do not say where they are',
    workbook(`<row>${'<c><v>1</v></c>'}</row>${person}`),
    [['a@b.example']],
  ],
] as const)('%s is read', async (_what, content, rows) => {
  expect((await prepare(content)).firstRows).toEqual(rows);
});

test('a workbook is no longer read once the signal is aborted', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => row(at + 2, cell(`A${at + 2}`, 'x')));
  const stop = new AbortController();
  const onRow = () => stop.abort(new Error('stopped by hand'));
  const stopped = prepare(workbook(header + rows.join('')), { signal: stop.signal, onRow });
  await expect(stopped).rejects.toThrow('stopped by hand');
  expect(readdirSync(table())).toEqual([]);
});

test('a zip that is not a workbook is distinguished from one', async () => {
  const archive = packZip({ 'a/b.xml': '<a/>' });
  await expect(prepare(archive)).rejects.toThrow(
    'The workbook cannot be read: xl/_rels/workbook.xml.rels is missing',
  );
});
