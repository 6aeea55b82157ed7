// The options of reading a list: its sheet, its column names, and lines with extra cells.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import { wideLinesShownMax } from '../../engine/contract/limits/spreadsheet.ts';
import {
  extraCellsChoices,
  headerChoices,
  type Reading,
} from '../../engine/contract/reading/reading.ts';
import { openRowSplit } from '../../engine/directory/import/decode/split-row.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import { prepareUpload } from '../../engine/spreadsheet/prepare-upload.ts';
import { openRows } from '../../engine/spreadsheet/read-rows.ts';
import { readsLikeContact } from '../../engine/spreadsheet/reading/first-row.ts';
import { leftOutDir } from '../../engine/spreadsheet/reading/wide-lines.ts';
import { runsOf } from '../property-runs.ts';
import { makeWorkbook, packWorkbook } from './make-workbook.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-reading-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const targetDir = () => join(dir, 'table');
const write = (content: string | Uint8Array): string => {
  const path = join(dir, 'source');
  writeFileSync(path, content);
  return path;
};
const read = (content: string | Uint8Array, reading: Partial<Reading> = {}, fileName = 'a.csv') =>
  prepareUpload(
    { sourcePath: write(content), fileName, targetDir: targetDir(), reading },
    undefined,
    undefined,
    openRowSplit,
  );

const written = (): string => readFileSync(join(targetDir(), 'input.csv'), 'utf8');

function readLeftOut(): string[][] {
  const rows = openRows(leftOutDir(targetDir()));
  const found = [rows.headers, ...rows.readRange(0, 1_000)];
  rows.close();
  return found;
}

const workbook = () =>
  makeWorkbook([
    [],
    [
      ['Email', 'Name'],
      ['a@b.example', 'Ada Lovelace'],
    ],
    [['Mail'], ['c@d.example'], ['e@f.example']],
  ]);

test('the sheets with cells are listed, and the first of them is read by default', async () => {
  const upload = await read(workbook(), {}, 'a.xlsx');
  expect(upload).toMatchObject({ headers: ['Email', 'Name'], row_count: 1 });
  expect(upload.reading).toMatchObject({
    sheet: 'Sheet2',
    sheets: [{ name: 'Sheet2' }, { name: 'Sheet3' }],
  });
});

test('a sheet is read by its name, and an unknown one is refused with the names', async () => {
  const upload = await read(workbook(), { sheet: 'Sheet3' }, 'a.xlsx');
  expect([upload.headers, upload.row_count, upload.reading.sheet]).toEqual([['Mail'], 2, 'Sheet3']);
  await expect(read(workbook(), { sheet: 'Sheet9' }, 'a.xlsx')).rejects.toThrow(
    'The workbook has no sheet "Sheet9". Its sheets are "Sheet1", "Sheet2", "Sheet3".',
  );
  const empty = read(workbook(), { sheet: 'Sheet1' }, 'a.xlsx');
  await expect(empty).rejects.toThrow('The file is empty');
});

test('a sheet states its number of rows, and a damaged one does not hide the others', async () => {
  const [named, other] = [
    '<dimension ref="A1:B40"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row>' +
      '<row r="2"><c r="A2"><v>2</v></c></row></sheetData>',
    '<sheetData><row r="1"><c r="A1"><v>1</v></c>',
  ].map((xml) => `<worksheet>${xml}</worksheet>`);
  const { reading } = await read(packWorkbook([named ?? '', '<a></b>', other ?? '']), {}, 'a.xlsx');
  expect(reading.sheets).toEqual([
    { name: 'Sheet1', rows: 40 },
    { name: 'Sheet3', rows: null },
  ]);
});

test('a list without column names is recognised, and its first row stays a row', async () => {
  const text = 'Ada Lovelace,ada@a.example,+44 20 7946 0000\nBo Diddley,bo@b.example,\n';
  const upload = await read(text, { header: 'auto' });
  expect(upload.reading).toMatchObject({ header: false, first_row_is_contact: true });
  expect(upload.labels).toEqual(['Column 1', 'Column 2', 'Column 3']);
  expect(upload).toMatchObject({
    row_count: 2,
    full_name_column: 0,
    mapping: { first_name: 0, email: 1, phone: 2 },
  });
  expect(written()).toMatch(/^Column 1,Column 2,Column 3\nAda Lovelace,/);
  const asked = await read(text, { header: 'yes' });
  expect(asked).toMatchObject({ row_count: 1, reading: { first_row_is_contact: true } });
  expect((await read('Name,Email\nAda,a@b.example\n', { header: 'no' })).row_count).toBe(2);
});

test('a list of one contact has a row', async () => {
  const upload = await read('ada@a.example\n', { header: 'auto' });
  expect(upload).toMatchObject({ row_count: 1, mapping: { email: 0 } });
  await expect(read('Email\n', { header: 'auto' })).rejects.toThrow('no rows below it');
});

test.each<[boolean, string[], string[][]]>([
  [true, ['Ada', 'ada@a.example'], []],
  [true, ['Ada', 'https://www.linkedin.com/in/ada'], []],
  [true, ['Ada', '(020) 7946-0000'], []],
  [true, ['Ada', 'London'], [['Bo', 'London']]],
  [false, ['First name', 'Email'], [['Ada', 'a@b.example']]],
  [false, ['Email', 'Name', 'sales@list.example'], []],
  [false, ['Who', 'Where'], [['Ada', 'London']]],
  // Joined files repeat their header.
  [
    false,
    ['Who', 'Where'],
    [
      ['Ada', 'London'],
      ['Who', 'Where'],
    ],
  ],
  [false, ['Who', '2024-01-31', '1000000'], []],
])('the first row is a contact: %s %j %j', (isContact, first, rows) => {
  expect(readsLikeContact(first, rows)).toBe(isContact);
});

const wide = 'Name,City\nAda,London\nBo,"x",y\nCy,Rome\nDi,Köln,z,z\n';

test('all lines with extra cells are listed, left out or kept in a column', async () => {
  await expect(read(wide)).rejects.toThrow('Line 3 has 3 cells, but the header has 2.');
  const upload = await read(wide, { extra_cells: 'leave_out' });
  expect(written()).toBe('Name,City\nAda,London\nCy,Rome\n');
  expect(upload.reading).toMatchObject({
    wide_count: 2,
    wide_lines: [
      { line: 3, cells: 3, text: 'Bo, x, y' },
      { line: 5, cells: 4, text: 'Di, Köln, z, z' },
    ],
  });
  expect(readLeftOut()).toEqual([
    ['Name', 'City', 'Extra cells', 'Place', 'Left out because'],
    ['Bo', 'x', 'y', 'Line 3', 'More cells than columns'],
    ['Di', 'Köln', 'z,z', 'Line 5', 'More cells than columns'],
  ]);
  rmSync(targetDir(), { recursive: true });
  await read(wide, { extra_cells: 'keep' });
  expect(written()).toBe('Name,City,Extra cells\nAda,London,\nBo,x,y\nCy,Rome,\nDi,Köln,"z,z"\n');
  expect(existsSync(leftOutDir(targetDir()))).toBe(false);
});

test('several people of a cell stay one row, or have a row each with what is theirs', async () => {
  const text = [
    'Name,Company,Email,Ticket',
    'Ann Lee / Bo Kim,Ola,bo.kim@ola.example,VIP',
    'Herr und Frau Ray,Ray,,',
    'Cy Poe,Ola,cy@ola.example; dan.moe@ola.example,',
  ].join('\n');
  const kept = await read(text);
  expect(kept).toMatchObject({ row_count: 3, reading: { several_people: 'keep' } });
  const split = await read(text, { several_people: 'split' });
  expect(split).toMatchObject({
    row_count: 4,
    reading: { several_people: 'split', first_lines: [2, 2, 3, 4] },
    warnings: [
      {
        line: 2,
        message: expect.stringMatching(/^"Ann Lee \/ Bo Kim" holds two people, and each/),
      },
      { line: 3, message: expect.stringContaining('names a couple') },
    ],
  });
  expect(written().split('\n').slice(1, 5)).toEqual([
    'Ann Lee,Ola,,VIP',
    'Bo Kim,Ola,bo.kim@ola.example,VIP',
    ...text.split('\n').slice(2),
  ]);
  expect((await read('Name\nAnn Lee')).reading).not.toHaveProperty('several_people');
});

test('the shown lines with extra cells are limited, and a list of nothing else is refused', async () => {
  const many = `a,b\n1,2\n${'1,2,3\n'.repeat(wideLinesShownMax + 5)}`;
  const { reading } = await read(many, { extra_cells: 'leave_out' });
  expect([reading.wide_count, reading.wide_lines.length]).toEqual([
    wideLinesShownMax + 5,
    wideLinesShownMax,
  ]);
  rmSync(targetDir(), { recursive: true });
  await expect(read('a\n1,2\n', { extra_cells: 'leave_out' })).rejects.toThrow(
    'Every row has more cells than the header',
  );
  expect(existsSync(leftOutDir(targetDir()))).toBe(false);
});

test.each<[string, number | null, object]>([
  ['Full name,Email\nAda Lovelace,a@b.example\n', 0, { first_name: 0, email: 1 }],
  ['Contact,Company\n"Lovelace, Ada",Engines\n', 0, { first_name: 0, company_name: 1 }],
  ['Vorname,Name\nAda,Lovelace\n', null, { first_name: 0, last_name: 1 }],
  ['First name,Name\nAda,Ada Lovelace\n', 1, { first_name: 1 }],
  ['Name,City\nAcme Inc.,Rome\nEngines Ltd,Oslo\n', null, { company_name: 0 }],
  ['Name,Country\nAda,UK\nBo,US\n', null, { first_name: 0, country: 1 }],
  ['Owner,Email\nSam Seller,a@b.example\n', null, { email: 1 }],
  ['Email,Owner email\na@b.example,o@own.example\n', null, { email: 0 }],
])('a column of full names is decided by its values: %j', async (text, fullName, mapping) => {
  expect(await read(text)).toMatchObject({ full_name_column: fullName });
  expect((await read(text)).mapping).toEqual(mapping);
});

/** Any bytes, and texts that are close to a list. */
const hostile = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .array(
      fc.constantFrom('a', ',', ';', '\t', '\n', '"', '\r', 'a@b.example', ' ', 'é', '\u0000'),
      {
        maxLength: 60,
      },
    )
    .map((parts) => Buffer.from(parts.join(''))),
);

test('any bytes, with any options, become a list or a typed refusal', async () => {
  const options = fc.record(
    {
      sheet: fc.constantFrom('Sheet2', 'x'),
      header: fc.constantFrom(...headerChoices),
      extra_cells: fc.constantFrom(...extraCellsChoices),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(hostile, options, async (bytes, reading) => {
      const sourcePath = write(bytes);
      const order = { sourcePath, targetDir: targetDir(), fileName: 'a.csv', reading };
      try {
        const table = await prepareTable(order);
        const rows = openRows(targetDir());
        const all = rows.readRange(0, table.rowCount);
        rows.close();
        expect(all).toHaveLength(table.rowCount);
        expect(all.every((cells) => cells.length === table.headers.length)).toBe(true);
        const isLeftOut = reading.extra_cells === 'leave_out' && table.wideCount > 0;
        expect(existsSync(leftOutDir(targetDir()))).toBe(isLeftOut);
        if (isLeftOut) expect(readLeftOut()).toHaveLength(table.wideCount + 1);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      } finally {
        rmSync(targetDir(), { recursive: true, force: true });
      }
    }),
    { numRuns: runsOf(150) },
  );
});
