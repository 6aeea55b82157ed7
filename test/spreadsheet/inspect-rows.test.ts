// Rows that are known to be free before anything is matched.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inspectRows } from '../../engine/spreadsheet/inspect-rows.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';

const headers = ['Name', 'Surname', 'Company', 'Ref', 'Note'];
const mapping = { first_name: 0, last_name: 1, company_name: 2, client_reference_id: 3 };

function inspect(rows: readonly string[][]) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-inspect-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const targetDir = join(folder, 'table');
  writeRowsTable({ headers, rows, targetDir });
  return inspectRows(targetDir, mapping);
}

const ann = ['Ann', 'Lee', 'Acme', '1', 'first'];

test.each([
  ['another reference and other cells', ['Ann', 'Lee', 'Acme', '2', 'second'], 1, 2],
  ['other case and space', [' ANN', 'lee ', 'Acme\u00a0', '', ''], 1, 2],
  ['full-width letters', ['Ａｎｎ', 'Lee', 'Acme', '', ''], 1, 2],
  ['other signs', ['Ann', 'Lee', 'Acme.', '1', 'first'], 0, 2],
  ['another company', ['Ann', 'Lee', 'Acme Ltd', '1', 'first'], 0, 1],
  ['no company', ['Ann', 'Lee', '', '1', 'first'], 0, 1],
  ['the same text in other columns', ['Lee', 'Ann', 'Acme', '1', 'first'], 0, 1],
])('a row with %s is compared with the first: %j', async (_, row, duplicateRows, repeats) => {
  expect(await inspect([ann, row])).toEqual({
    severalPeople: [],
    rowsWithoutIdentity: 0,
    duplicateRows,
    sampleRepeats: [repeats, repeats],
    examples: duplicateRows === 0 ? [] : [{ kind: 'duplicates', row: 1, cells: row }],
  });
});

test('rows that name no one repeat none, and a row with a company alone names the company', async () => {
  const nobody = ['', '', '', '', 'note'];
  const acme = ['', '', 'Acme', '', ''];
  expect(await inspect([nobody, nobody, ann, ann, acme, acme])).toEqual({
    severalPeople: [],
    rowsWithoutIdentity: 2,
    duplicateRows: 2,
    sampleRepeats: [1, 1, 2, 2, 2, 2],
    examples: [
      { kind: 'no_identity', row: 0, cells: nobody },
      { kind: 'no_identity', row: 1, cells: nobody },
      { kind: 'duplicates', row: 3, cells: ann },
      { kind: 'duplicates', row: 5, cells: acme },
    ],
  });
});

test('rows whose name is that of several people are named', async () => {
  const noOne = 'names a couple or a group, not one person';
  const rows = [
    ['Ann & Bo', 'Lee', '', '', ''],
    ['Herr und Frau', 'Ray', '', '', ''],
    ['Familie Ray', '', '', '', ''],
  ];
  expect((await inspect([ann, ...rows])).severalPeople).toEqual([
    { row: 1, text: 'Ann & Bo', said: 'holds two people', canSplit: true },
    { row: 2, text: 'Herr und Frau', said: noOne, canSplit: false },
    { row: 3, text: 'Familie Ray', said: noOne, canSplit: false },
  ]);
});
