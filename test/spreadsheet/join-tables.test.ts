// Several uploads become one list, and JSON becomes a table.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Reading } from '../../engine/contract/reading/reading.ts';
import { prepareUpload } from '../../engine/spreadsheet/prepare-upload.ts';
import { openRows } from '../../engine/spreadsheet/read-rows.ts';
import { joinTables } from '../../engine/spreadsheet/reading/join-tables.ts';
import { leftOutDir } from '../../engine/spreadsheet/reading/wide-lines.ts';
import { makeWorkbook } from './make-workbook.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'desk-join-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function read(fileName: string, content: string | Uint8Array, more: Partial<Reading> = {}) {
  const sourcePath = join(dir, 'source');
  writeFileSync(sourcePath, content);
  const targetDir = join(dir, `table of ${fileName}`);
  const reading = { header: 'auto', extra_cells: 'leave_out', ...more } as const;
  const { sha256: _sha256, ...facts } = await prepareUpload({
    sourcePath,
    fileName,
    targetDir,
    reading,
  });
  const upload = { ...facts, upload_id: '', expires_at: '' };
  return { dir: targetDir, upload };
}

const origin = { origin: 'columns' } as const;
const target = () => join(dir, 'joined');
const written = (folder = target()) => readFileSync(join(folder, 'input.csv'), 'utf8');

test('files become one list, matched by column name, and each row keeps its file and line', async () => {
  const tables = [
    await read('a.csv', 'Name,Email\n\nAda Lovelace,ada@a.example\n', origin),
    await read(
      'c.xlsx',
      makeWorkbook([
        [
          ['EMAIL ', 'name'],
          ['c@c.example', 'Bo Diddley'],
        ],
      ]),
      origin,
    ),
  ];
  const [a, c] = tables;
  const joined = await joinTables({ tables: [a!, c!], targetDir: target() });
  expect(written()).toBe(
    'Name,Email,Source file,Source line\n' +
      'Ada Lovelace,ada@a.example,a.csv,3\n' +
      'Bo Diddley,c@c.example,c.xlsx,2\n',
  );
  expect(joined).toMatchObject({
    file_name: 'a and 1 more.csv',
    row_count: 2,
    full_name_column: 0,
    files: [
      { name: 'a.csv', row_count: 1 },
      { name: 'c.xlsx', row_count: 1 },
    ],
    mapping: { first_name: 0, email: 1 },
  });
});

test('a file with other columns is named with what to do', async () => {
  const tables = [
    await read('a.csv', 'Name,Email\nAda,ada@a.example\n', origin),
    await read('b.csv', 'Name,Phone\nBo,+44 20 7946 0000\n', origin),
  ];
  await expect(joinTables({ tables, targetDir: target() })).rejects.toThrow(
    '"b.csv" does not have "Email" and also has "Phone", unlike "a.csv". Rename its columns, or ' +
      'open it by itself.',
  );
});

test('columns whose names differ in case alone stay apart, in their order', async () => {
  const tables = [
    await read('a.csv', 'Note,note\n1,2\n', origin),
    await read('b.csv', 'NOTE,Note\n3,4\n', origin),
  ];
  await joinTables({ tables, targetDir: target() });
  expect(written()).toBe('Note,note,Source file,Source line\n1,2,a.csv,2\n3,4,b.csv,2\n');
  const other = await read('c.csv', 'Note,Mail\n5,6\n', origin);
  await expect(joinTables({ tables: [...tables, other], targetDir: target() })).rejects.toThrow(
    '"c.csv" does not have "note" and also has "Mail", unlike "a.csv".',
  );
});

test('lines with extra cells of every file are left out, in the columns of the first', async () => {
  const tables = [
    await read('a.csv', 'Name,Email\nAda,ada@a.example\nBo,bo@b.example,x\n', origin),
    await read('b.csv', 'Email,Name\ncy@c.example,Cy\ndee@d.example,Dee,y,z\n', origin),
  ];
  const { reading } = await joinTables({ tables, targetDir: target() });
  expect(reading).toMatchObject({ wide_count: 2, extra_cells: 'leave_out' });
  expect(reading.wide_lines.map(({ text }) => text)).toEqual([
    'a.csv: Bo, bo@b.example, x',
    'b.csv: dee@d.example, Dee, y, z',
  ]);
  const rows = openRows(leftOutDir(target()));
  expect(rows.readRange(0, 9)).toEqual([
    ['Bo', 'bo@b.example', 'a.csv', '3', 'x', 'Line 3', 'More cells than columns'],
    ['Dee', 'dee@d.example', 'b.csv', '3', 'y,z', 'Line 3', 'More cells than columns'],
  ]);
  rows.close();
});

test('a workbook with more sheets says which one is part of the list', async () => {
  const sheets = [
    [['Email'], ['a@b.example']],
    [['Email'], ['c@d.example']],
  ];
  const table = await read('book.xlsx', makeWorkbook(sheets), origin);
  const tables = [table, await read('a.csv', 'Email\ne@f.example\n', origin)];
  const { warnings } = await joinTables({ tables, targetDir: target() });
  expect(warnings[0]).toEqual({
    line: null,
    message:
      'book.xlsx: only the sheet "Sheet1" was read. Open the file by itself to choose another.',
  });
});

test('a JSON array of flat objects is a list, and keeps long numbers', async () => {
  const { dir: folder, upload } = await read(
    'people.json',
    '\uFEFF[{"email": "a@b.example", "id": 12345678901234567890},\n' +
      ' {"Name": "Zoë", "email": null, "active": true}]',
  );
  expect(upload).toMatchObject({ kind: 'json', row_count: 2, mapping: { email: 0 } });
  expect(written(folder)).toBe(
    'email,id,Name,active\na@b.example,12345678901234567890,,\n,,Zoë,true\n',
  );
});

test.each([
  ['[{"a": 1}, 2]', 'Item 2 of the JSON file is not an object.'],
  ['{"a": [1]}', 'it must be an array of objects'],
  ['[{"a": 1}', 'not complete JSON'],
  ['[{"a": "x\\u0000"}]', 'Item 1, "a": the text contains a NUL'],
])('%s is refused', async (content, message) => {
  await expect(read('a.json', content)).rejects.toThrow(message);
});

test('the progress of a workbook grows to its end', async () => {
  const rows = Array.from({ length: 12_000 }, (_, at) => [`text ${at}`, `${at * 7}`]);
  const sourcePath = join(dir, 'source');
  writeFileSync(sourcePath, makeWorkbook([[], rows]));
  const shares: number[] = [];
  await prepareUpload(
    { sourcePath, fileName: 'a.xlsx', targetDir: join(dir, 'table') },
    (done, total) => shares.push(done / total),
  );
  expect(shares).toEqual([...shares].sort((one, other) => one - other));
  expect(shares.at(-1)).toBe(1);
  const steps = shares.map((share, at) => share - (shares[at - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThan(0.4);
});
