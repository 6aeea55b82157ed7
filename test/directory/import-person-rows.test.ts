// Consecutive rows of one person: repeated values, and the values of each row.
import { expect, test } from 'vitest';
import { openListFolder, type Row } from './list-folder.ts';

const ann: Row = {
  id: 'p1',
  'First Name': 'Ann',
  'Last Name': 'Lee',
  Company: 'Acme',
  Title: 'Clerk',
  Start: '2020-01',
  Current: '0',
  City: 'Bern',
  Mobile: '+16032713661',
  'Profile URL': 'https://pages.example/ann',
};
const later: Row = { ...ann, Company: 'Globex', Title: 'Buyer', Start: '2024-01', Current: '1' };

test('values that every row repeats are written once, each row’s job separately', async () => {
  using folder = openListFolder();
  const report = await folder.importPeople([ann, later]);
  expect(report).toMatchObject({ people_added: 1, employments_added: 2, remarks: [] });
  const phones = folder.db.prepare('SELECT number FROM person_phone').pluck().all();
  expect(phones).toEqual(['+16032713661']);
});

test.each<[what: string, change: Row, sql: string, found: unknown[]]>([
  [
    'another phone',
    { Mobile: '+16032713662' },
    'SELECT number FROM person_phone ORDER BY 1',
    ['+16032713661', '+16032713662'],
  ],
  ['another city', { City: 'Basel' }, 'SELECT city FROM person', ['Basel']],
  [
    'another page',
    { 'Profile URL': 'https://pages.example/annlee' },
    'SELECT value FROM person_key',
    ['pages.example/ann'],
  ],
  ['no city', { City: '' }, 'SELECT city FROM person', ['Bern']],
])('a row with %s of the same person is applied', async (_what, change, sql, found) => {
  using folder = openListFolder();
  await folder.importPeople([ann, { ...later, ...change }]);
  expect(folder.db.prepare(sql).pluck().all()).toEqual(found);
});

test('an unusable value is remarked on every row that repeats it', async () => {
  using folder = openListFolder();
  const bad = { Mobile: 'call me', 'Profile URL': 'no page' };
  const report = await folder.importPeople([
    { ...ann, ...bad },
    { ...later, ...bad },
  ]);
  expect(report.remarks.map(({ line, column }) => [line, column])).toEqual([
    [2, 'Profile URL'],
    [2, 'Mobile'],
    [3, 'Profile URL'],
    [3, 'Mobile'],
  ]);
});

test('people who differ in their id and their email are two', async () => {
  using folder = openListFolder();
  const report = await folder.importPeople([
    { ...ann, Email: 'ann@acme.example' },
    { ...ann, id: 'p2', Email: 'lee@acme.example' },
  ]);
  expect(report).toMatchObject({ people_added: 2, employments_added: 2 });
});
