// A list of company ids and other names teaches the directory names of companies that it holds.
import { expect, test } from 'vitest';
import { createCompanyMatcher } from '../../engine/directory/match/match-companies.ts';
import { openListFolder } from './list-folder.ts';

const companies = [
  { company_id: 'c1', name: 'Hollis Precision Castings' },
  { company_id: 'c2', name: 'Penrose Valley Credit Union' },
];

test('each alias is added to the company of its id, which matching then finds by it', async () => {
  using lists = openListFolder();
  await lists.importCompanies(companies);
  expect(createCompanyMatcher(lists.db)({ name: 'Zorvex Metalworks' })).toBeNull();
  const report = await lists.importCompanies([
    { company_id: 'c1', alias: 'Zorvex Metalworks' },
    { company_id: 'c1', alias: 'HPC | Hollis' },
    { company_id: 'c2', alias: 'Farmers Thrift' },
  ]);
  expect(report).toMatchObject({ companies_added: 0, companies_updated: 2, rows_refused: 0 });
  const names = lists.db.prepare('SELECT name FROM company_alias ORDER BY name').pluck().all();
  expect(names).toEqual(['Farmers Thrift', 'HPC', 'Hollis', 'Zorvex Metalworks']);
  const found = createCompanyMatcher(lists.db)({ name: 'Zorvex Metalworks' });
  const readGiven = lists.db.prepare('SELECT given_id FROM company WHERE id = ?').pluck();
  expect(readGiven.get(found?.companyId)).toBe('c1');
});

test('a row of an unknown id, without an id or without an alias is refused with a remark', async () => {
  using lists = openListFolder();
  await lists.importCompanies(companies);
  const report = await lists.importCompanies([
    { company_id: 'c9', alias: 'Nowhere Ltd' },
    { company_id: '', alias: 'Nowhere Ltd' },
    { company_id: 'c1', alias: '' },
  ]);
  expect(report).toMatchObject({ companies_added: 0, companies_updated: 0, rows_refused: 3 });
  expect(report.remarks.map(({ line, message }) => [line, message])).toEqual([
    [2, expect.stringContaining('no company with the id c9')],
    [3, expect.stringContaining('needs a company id and an alias')],
    [4, expect.stringContaining('needs a company id and an alias')],
  ]);
});

test('an alias list that was imported before changes nothing', async () => {
  using lists = openListFolder();
  await lists.importCompanies(companies);
  const rows = [{ company_id: 'c2', alias: 'Farmers Thrift' }];
  await lists.importCompanies(rows);
  const before = lists.dump();
  const report = await lists.importCompanies([
    ...rows,
    { company_id: 'c2', alias: 'Farmers Thrift' },
  ]);
  expect(report).toMatchObject({ companies_updated: 0, companies_unchanged: 1 });
  expect(lists.dump().company_alias).toEqual(before.company_alias);
});

test('a list with neither names nor both of id and alias is refused', async () => {
  using lists = openListFolder();
  await expect(lists.importCompanies([{ alias: 'Hollis' }])).rejects.toThrow('"Company id"');
});
