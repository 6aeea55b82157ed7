// Which pairs a search offers, and how it continues.
import { expect, test } from 'vitest';
import { setDismissed } from '../../../engine/directory/duplicates/duplicate.table.ts';
import { getSearch } from '../../../engine/directory/duplicates/duplicate-search.table.ts';
import { legalFormOf } from '../../../engine/directory/normalize/normalize-company.ts';
import { openListFolder, type Row } from '../list-folder.ts';
import { listNames, search } from './merge-folder.ts';

const jon: Row = {
  id: '1',
  'first name': 'Jonathan',
  'last name': 'Abernathy',
  company: 'Acme',
  title: 'Chief',
  email: 'jon@acme.example',
  'mobile phone': '+12025550101',
};

const cases: [string, Row, boolean][] = [
  ['the same email', { 'first name': 'Jon', email: 'jon@acme.example' }, true],
  [
    'the same email, another given name',
    { 'first name': 'Mary', email: 'jon@acme.example' },
    false,
  ],
  ['the same employer', { company: 'Acme' }, true],
  ['the same phone', { 'first name': 'Jon', 'mobile phone': '+12025550101' }, true],
  ['another mailbox there', { company: 'Acme', email: 'j.abernathy@acme.example' }, false],
  ['another employer', { company: 'Globex' }, false],
  ['another middle initial', { company: 'Acme', 'middle name': 'B', city: 'Bern' }, false],
  ['another surname', { 'last name': 'Zimmer', company: 'Acme', title: 'Chief' }, false],
  ['another generation', { suffix: 'Jr.', email: 'jon@acme.example', company: 'Acme' }, false],
];

test.each(cases)('a namesake with %s', async (_what, other, isOffered) => {
  using folder = openListFolder();
  const first: Row = {
    ...jon,
    ...(other['middle name'] && { 'middle name': 'A' }),
    ...(other.suffix && { suffix: 'Sr.' }),
  };
  const namesake = { id: '2', 'first name': 'Jonathan', 'last name': 'Abernathy' };
  const colleagues = ['Ann', 'Bob', 'Cy'].map((name, at) => ({
    id: `x${at}`,
    'first name': name,
    company: 'Acme',
  }));
  // The second import says more of a known record.
  await folder.importPeople([first, namesake, ...colleagues]);
  await folder.importPeople([{ ...namesake, ...other }]);
  await search(folder.db);
  expect(listNames(folder.db)).toHaveLength(isOffered ? 1 : 0);
});

const companies: [string, Row, Row, boolean][] = [
  [
    'one domain',
    { name: 'Acme', domain: 'acme.example' },
    { name: 'ACME', domain: 'acme.example' },
    true,
  ],
  [
    'no legal form',
    { name: 'Acme GmbH', domain: 'a.example' },
    { name: 'Acme', domain: 'a.example' },
    true,
  ],
  [
    'other legal forms',
    { name: 'Acme GmbH', domain: 'a.example' },
    { name: 'Acme Ltd', domain: 'a.example' },
    false,
  ],
  [
    'one form in words',
    { name: 'Acme Limited', domain: 'a.example' },
    { name: 'Acme Ltd.', domain: 'a.example' },
    true,
  ],
  [
    'other countries',
    { name: 'Acme', domain: 'a.example', country: 'Germany' },
    { name: 'Acme', domain: 'a.example', country: 'UK' },
    false,
  ],
  [
    'other domains',
    { name: 'Acme', domain: 'a.example' },
    { name: 'Acme', domain: 'b.example' },
    false,
  ],
  [
    'one place',
    { name: 'Acme', city: 'Bern' },
    { name: 'Acme', city: 'Bern', domain: 'b.example' },
    true,
  ],
  ['other places', { name: 'Acme', city: 'Bern' }, { name: 'Acme', city: 'Rome' }, false],
  [
    'a holding',
    { name: 'Acme Holding', domain: 'a.example' },
    { name: 'Acme', domain: 'a.example' },
    false,
  ],
];

test.each(companies)('companies with %s', async (_what, one, other, isOffered) => {
  using folder = openListFolder();
  await folder.importCompanies([
    { id: '1', ...one },
    { id: '2', ...other },
  ]);
  await search(folder.db);
  expect(listNames(folder.db, 'company')).toHaveLength(isOffered ? 1 : 0);
});

test('legal forms are read from the end of a name, and clear ones anywhere', () => {
  const forms = (name: string) => legalFormOf(name);
  expect(forms('Acme')).toBe('');
  expect(forms('Acme Co., Ltd.')).toBe('ltd');
  expect(forms('Acme GmbH & Co. KG')).toBe('gmbh kg');
  expect(forms('Acme GmbH Berlin')).toBe('gmbh');
  expect(forms('Acme S.A.')).toBe('sa');
  expect(forms('Acme Incorporated')).toBe(forms('Acme, Inc.'));
});

test('a dismissed pair stays dismissed, and pairs that are no longer found are removed', async () => {
  using folder = openListFolder();
  const twin: Row = { ...jon, id: '2', email: 'jonathan@acme.example', 'first name': 'Jon' };
  await folder.importPeople([jon, twin]);
  await search(folder.db);
  const pairs = folder.db.prepare('SELECT id FROM duplicate_pair').pluck().all() as number[];
  expect(pairs).toHaveLength(1);
  setDismissed(folder.db, pairs[0] ?? 0, { at: '2026-11-23', author: 'me' });
  await search(folder.db);
  expect(listNames(folder.db)).toEqual([]);
  expect(folder.db.prepare('SELECT status FROM duplicate_pair').pluck().all()).toEqual([
    'dismissed',
  ]);
});

test('a stopped search continues where it stopped, and skips large blocks', async () => {
  using folder = openListFolder();
  const many = Array.from({ length: 60 }, (_, at) => ({
    id: `m${at}`,
    'first name': 'Jo',
    'last name': 'Smith',
    company: 'Globex',
  }));
  const { email: _email, ...twin } = jon;
  await folder.importPeople([jon, { ...twin, id: '2', 'first name': 'Jon' }, ...many]);
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(search(folder.db, stop.signal)).rejects.toThrow('stopped');
  expect(getSearch(folder.db)).toMatchObject({ status: 'stopped', number: 1 });
  await search(folder.db);
  expect(getSearch(folder.db)).toMatchObject({
    status: 'completed',
    number: 1,
    blocksSkipped: 1,
  });
  expect(listNames(folder.db)).toHaveLength(1);
  await search(folder.db);
  expect(getSearch(folder.db)).toMatchObject({ status: 'completed', number: 2 });
});
