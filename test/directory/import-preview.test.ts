// The preview of an import, and the progress that it reports.
import { expect, test } from 'vitest';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { previewList } from '../../engine/directory/import/preview-list.ts';
import { openListFolder } from './list-folder.ts';

const list = {
  kind: 'people' as const,
  file_name: 'people.csv',
  headers: ['Full name', 'E-Mail', 'Since', 'Shoe size', 'Wo tätig'],
  rows: [
    ['Ada Lovelace', 'ada@engines.example', '2020-05-01', '38', 'Engines'],
    ['Grace Hopper', 'grace at navy', 'last summer', '37', 'Navy'],
    ['', '', '', '40', ''],
  ],
};

test('the columns become fields by their headers and by hand', () => {
  expect(previewList(list).columns).toEqual(['full_name', 'email', 'start_on', null, null]);
  const mapping = { company_name: 'Wo tätig', last_name: 'Full name', name: 'Shoe size' };
  expect(previewList({ ...list, mapping }).columns).toEqual([
    'last_name',
    'email',
    'start_on',
    null,
    'company_name',
  ]);
});

test('rows and values that an import would leave out are named with their line', () => {
  const preview = previewList({ ...list, mapping: { company_name: 'Wo tätig' } });
  expect(preview).toMatchObject({ refusal: null, rows: 3, rows_refused: 1 });
  expect(preview.remarks).toEqual([
    expect.objectContaining({ line: 3, column: 'E-Mail', message: expect.stringMatching(/email/) }),
    expect.objectContaining({ line: 3, column: 'Since', message: expect.stringMatching(/a date/) }),
    expect.objectContaining({ line: 4 }),
  ]);
  const between = previewList({ ...list, lines: [5, 8, 13] });
  expect(between.remarks.map(({ line }) => line)).toEqual([8, 13]);
});

test('a list that cannot be imported at all is refused with a remedy', () => {
  const preview = previewList({ ...list, kind: 'companies' });
  expect(preview).toMatchObject({ rows_refused: 0, remarks: [] });
  expect(preview.refusal).toMatch(
    /no column of company names.*Its columns are "Full name", "E-Mail"/,
  );
});

test('the progress of an import does not exceed the rows of the file that it names', async () => {
  using folder = openListFolder();
  const last = new Map<string, number[]>();
  await importDirectory(
    folder.db,
    {
      companiesPath: folder.write('companies.csv', [{ Name: 'Acme' }, { Name: 'Globex' }]),
      peoplePath: folder.write('people.csv', [{ Name: 'Ann Lee', Company: 'Acme' }]),
    },
    (done, total, label) => {
      expect(done).toBeLessThanOrEqual(total);
      last.set(label, [done, total]);
    },
  );
  expect([...last]).toEqual([
    ['companies.csv', [2, 2]],
    ['people.csv', [1, 1]],
    ['Indexing the rows', [expect.any(Number), 3]],
  ]);
});
