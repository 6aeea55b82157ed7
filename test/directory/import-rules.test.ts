// The rules of an import: identity of people, precedence of values, refusals and reasons.
import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../engine/contract/directory.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { recordUuid, uuidV5 } from '../../engine/directory/import/uuid-v5.ts';
import {
  areNamesCompatible,
  listHeldKeys,
  listSoughtKeys,
} from '../../engine/directory/normalize/compatible-names.ts';
import { readGeneration } from '../../engine/directory/open-directory.ts';
import { listSources } from '../../engine/directory/read/list-sources.ts';
import { companyProvenanceSql, expandProvenance } from '../../engine/directory/read/provenance.ts';
import { readStats } from '../../engine/directory/stats.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

const ann: Row = {
  'First Name': 'Ann',
  'Last Name': 'Lee',
  Company: 'Acme Inc.',
  'Job Title': 'Clerk',
  Email: 'ann@acme.example',
  'LinkedIn URL': 'https://www.linkedin.com/in/annlee/',
};
const countPeople = (folder: ListFolder) => readStats(folder.db).people;

test.each<[title: string, second: Row, people: number]>([
  [
    'one URL, written otherwise',
    { Name: 'Annie Lee', 'LinkedIn URL': 'linkedin.com/in/AnnLee?trk=x' },
    1,
  ],
  ['one URL under another name', { Name: 'Bob May', 'LinkedIn URL': 'linkedin.com/in/annlee' }, 2],
  ['one work email', { Name: 'Ann Lee', Email: 'ANN@acme.example' }, 1],
  ['one work email under another name', { Name: 'Bob May', Email: 'ann@acme.example' }, 2],
  ['one name at one employer', { Name: 'Anne Lee', Company: 'ACME' }, 1],
  ['one name at another employer', { Name: 'Ann Lee', Company: 'Globex' }, 2],
  ['one name, no employer', { Name: 'Ann Lee' }, 2],
  ['another first name at one employer', { Name: 'Rob Lee', Company: 'Acme' }, 2],
  [
    'another profile under one name and employer',
    { Name: 'Ann Lee', Company: 'Acme', 'Profile URL': 'linkedin.com/in/ann2' },
    2,
  ],
])('without an id: %s', async (_title, second, people) => {
  using folder = openListFolder();
  await folder.importPeople([ann], { source: 'crm' });
  await folder.importPeople([second], { source: 'fair' });
  expect(countPeople(folder)).toBe(people);
});

describe.each([
  ['the umlauts first', 0, 1],
  ['the pairs of letters first', 1, 0],
])('a name with ö, ß or å, and the same name without: %s', (_title, firstAt, secondAt) => {
  const names = [
    ['Jörg Müller', 'Joerg Mueller'],
    ['JÖRG MÜLLER', 'Jorg Muller'],
    ['Åse Sørensen', 'Aase Soerensen'],
    ['Jörg Weiß', 'Joerg Weiss'],
  ] as const;
  const page = { 'Profile URL': 'linkedin.com/in/joerg' };
  const email = { Email: 'joerg@acme.example' };
  test.each([
    ['one profile', page],
    ['one email', email],
    ['one employer', { Company: 'Acme' }],
  ])('%s makes one person, with an id of each list', async (_key, shared) => {
    for (const pair of names) {
      using folder = openListFolder();
      const [first, second] = [pair[firstAt]!, pair[secondAt]!];
      const other = { 'Record ID': '7', Name: 'Cy Noe', Company: 'Acme' };
      await folder.importPeople([other, { 'Record ID': '1', Name: first, ...shared }], {
        source: 'crm',
      });
      await folder.importPeople([{ 'Record ID': '2', Name: second, ...shared }], {
        source: 'erp',
      });
      await folder.importPeople([{ Name: second, ...shared }], { source: 'fair' });
      expect([first, countPeople(folder)]).toEqual([first, 2]);
    }
  });
});

test.each([
  ['Anna Baur', 'Anna Bauer'],
  ['Jorg Muller', 'Joerg Mueller'],
])(
  '%s and %s at one employer are two people: neither name has a letter that is written as two',
  async (one, other) => {
    using folder = openListFolder();
    await folder.importPeople([{ Name: one, Company: 'Acme' }], { source: 'crm' });
    await folder.importPeople([{ Name: other, Company: 'Acme' }], { source: 'fair' });
    expect(countPeople(folder)).toBe(2);
  },
);

test.each([
  ['a role mailbox', { Email: 'info@acme.example' }],
  ['an office with a number', { Email: 'rep72@acme.example' }],
])('%s never merges two people', async (_title, shared) => {
  using folder = openListFolder();
  await folder.importPeople([{ Name: 'Ann Lee', ...shared }], { source: 'crm' });
  await folder.importPeople([{ Name: 'Ann Lee', ...shared }], { source: 'fair' });
  expect(countPeople(folder)).toBe(2);
});

test('an email or URL of three people confirms the id of each', async () => {
  using folder = openListFolder();
  const shared = { Email: 'flat7@acme.example', 'Profile URL': 'https://house.example/members' };
  const rows = ['Ann Lee', 'Bob May', 'Eva Orr'].map((Name, at) => ({
    id: `${at}`,
    Name,
    ...shared,
  }));
  await folder.importPeople(rows, { source: 'crm' });
  const named = rows.map((row) => ({ ...row, Name: 'Zoe Fox' }));
  const report = await folder.importPeople(named, { source: 'fair' });
  expect(report).toMatchObject({ people_added: 0, people_merged: 3 });
});

test('an email that two people share may be that of a third', async () => {
  using folder = openListFolder();
  const rows = ['Ann Lee', 'Bob May', 'Eva Orr'].map((Name, at) => ({
    id: `${at}`,
    Name,
    Company: 'Acme',
    Email: Name === 'Eva Orr' ? 'eva@acme.example' : 'flat7@acme.example',
  }));
  await folder.importPeople(rows, { source: 'crm' });
  const row = { id: '2', Name: 'Eva Orr', Company: 'Globex', Email: 'flat7@acme.example' };
  expect(await folder.importPeople([row], { source: 'crm' })).toMatchObject({ remarks: [] });
});

test('a URL that several people hold identifies no one', async () => {
  using folder = openListFolder();
  const url = { 'Profile URL': 'https://house.example/members.txt' };
  const rows = ['Ann Lee', 'Bob May'].map((Name, at) => ({ id: String(at), Name, ...url }));
  await folder.importPeople(rows, { source: 'crm' });
  const report = await folder.importPeople([{ Name: 'Ann Lee', ...url }], { source: 'fair' });
  expect(report).toMatchObject({ people_added: 1, people_merged: 0 });
});

test('a row that fits two people is refused with its line', async () => {
  using folder = openListFolder();
  const rows = ['1', '2'].map((id) => ({ id, Name: 'Ann Lee', Company: 'Acme' }));
  await folder.importPeople(rows, { source: 'crm' });
  const report = await folder.importPeople('Name,Company\n\n\nAnn Lee,Acme\n', { source: 'fair' });
  expect(report).toMatchObject({ rows_refused: 1, people_added: 0 });
  expect(report.remarks).toEqual([
    { file: 'people.csv', line: 4, message: expect.stringContaining('two people') },
  ]);
});

// 2 people are read for each row, 40 are kept in memory during the import.
describe.each([2, 40])('of %i people of one name at one employer', (size) => {
  const at = { Company: 'Acme' };
  const page = (person: number) => `https://www.linkedin.com/in/ann-lee-${person}`;
  const crowd = Array.from({ length: size }, (_, person) => ({
    ...at,
    Name: 'Ann Lee',
    Email: `ann${person}@acme.example`,
    'Profile URL': page(person),
  }));
  const robert = { ...at, Name: 'Robert Lee', Email: 'rob@acme.example', 'Profile URL': '' };

  test.each<[title: string, row: Row, counts: object]>([
    ['a row of the name alone fits two', { ...at, Name: 'Ann Lee' }, { rows_refused: 1 }],
    ['an initial fits two', { ...at, Name: 'A. Lee' }, { rows_refused: 1 }],
    ['another name is another person', { ...at, Name: 'Joan Lee' }, { people_added: 1 }],
    ['a nickname finds its person', { ...at, Name: 'Bob Lee' }, { people_merged: 1 }],
    ['the initial of one finds its person', { ...at, Name: 'R. Lee' }, { people_merged: 1 }],
    [
      'another profile is another person',
      { ...at, Name: 'Ann Lee', 'Profile URL': page(99) },
      { people_added: 1 },
    ],
    [
      'the profile of one finds its person',
      { ...at, Name: 'Ann Lee', 'Profile URL': page(1) },
      { people_merged: 1 },
    ],
  ])('%s', async (_title, row, counts) => {
    using folder = openListFolder();
    await folder.importPeople([...crowd, robert], { source: 'crm' });
    expect(countPeople(folder)).toBe(size + 1);
    // The crowd is kept from its first row on, and the row must find what follows.
    const rows = [{ ...at, Name: 'Zoe Lee' }, row];
    const report = await folder.importPeople(rows, { source: 'fair' });
    const none = { rows_refused: 0, people_added: 0, people_merged: 0 };
    const { people_added: added, ...others } = { ...none, ...counts };
    expect(report).toMatchObject({ ...others, people_added: added + 1 });
  });

  test('each with an address of the employer, one list has all of them', async () => {
    using folder = openListFolder();
    const rows = crowd.map((row) => ({ ...row, 'Profile URL': '' }));
    const again = [...rows, { ...at, Name: 'Ann Lee', Email: 'ann@elsewhere.example' }];
    const report = await folder.importPeople(again, { source: 'crm' });
    expect(report).toMatchObject({ people_added: size, rows_refused: 1 });
  });
});

test('a list of many people of one name and employer takes as many queries a row as a short one', async () => {
  const countQueries = async (size: number): Promise<number> => {
    using folder = openListFolder();
    let count = 0;
    const db = new Database(folder.db.name, { verbose: () => void count++ });
    const rows = Array.from({ length: size }, (_, at) => `Ann Lee,Acme,ann${at}@acme.example\n`);
    const peoplePath = folder.write('list.csv', `Name,Company,Email\n${rows.join('')}`);
    const report = await importDirectory(db as WritableDatabase, { peoplePath });
    db.close();
    expect(report.people_added).toBe(size);
    return count;
  };
  expect(await countQueries(400)).toBeLessThan(2.1 * (await countQueries(200)));
});

test('of two compatible names of a surname, one is found by a key of the other', () => {
  const name = fc.record({
    first: fc.constantFrom(
      'Ann',
      'Anne',
      'A.',
      'A B',
      'Bob',
      'Robert',
      'Rob',
      'Zoë',
      'Jörg',
      'Joerg',
      'J. R.',
      '-',
      '',
    ),
    last: fc.constantFrom('Lee', 'Lee Jr'),
  });
  fc.assert(
    fc.property(name, name, (one, other) => {
      fc.pre(areNamesCompatible(one, other));
      const sought = listSoughtKeys(one);
      expect(listHeldKeys(other).some((key) => sought.has(key))).toBe(true);
    }),
  );
});

test('a given UUID is kept, any other id becomes one, for companies too', async () => {
  using folder = openListFolder();
  const uuid = '0A1B2C3D-0000-4000-8000-000000000001';
  await folder.importPeople([
    { id: uuid, Name: 'Ann Lee', Company: 'Acme', 'Company ID': 'a1' },
    { id: 'x-7', Name: 'Bob May' },
  ]);
  const uuids = folder.db.prepare('SELECT uuid FROM person ORDER BY id').pluck().all();
  expect(uuids).toEqual([uuid.toLowerCase(), uuidV5('desk:person:x-7')]);
  expect(folder.db.prepare('SELECT uuid FROM company').pluck().get()).toBe(
    recordUuid('company', 'a1'),
  );
  // Computed by another implementation: uuid.uuid5(uuid.NAMESPACE_URL, 'desk:person:x-7').
  expect(uuidV5('desk:person:x-7')).toBe('2b152f86-63b3-5fc8-b836-0fac9d714c5c');
});

test('an id of another source that contradicts the person is kept apart and reported', async () => {
  using folder = openListFolder();
  await folder.importPeople([{ id: '7', Name: 'Ann Lee' }], { source: 'crm' });
  const same = await folder.importPeople([{ id: '7', Name: 'Annie Lee' }], { source: 'fair' });
  expect(same).toMatchObject({ people_merged: 1, people_added: 0 });
  const other = await folder.importPeople([{ id: '7', Name: 'Bob May' }], { source: 'list' });
  expect(other).toMatchObject({ people_added: 1 });
  expect(other.remarks).toMatchObject([{ line: 2, column: 'id' }]);
  const uuids = folder.db.prepare('SELECT uuid FROM person ORDER BY id').pluck().all();
  expect(uuids[1]).toBe(uuidV5('desk:person:list:7'));
});

test('a new id of another list is one more id of the person or company that the row means', async () => {
  using folder = openListFolder();
  const crm = { source: 'crm' };
  await folder.importPeople(
    [
      { id: '7', Name: 'Ann Lee', Email: 'ann@acme.example', Company: 'Acme' },
      { id: '8', Name: 'Bob May', Company: 'Acme' },
    ],
    crm,
  );
  const before = folder.dump();
  const sales = { source: 'sales' };
  const rows = [
    { id: 'S1', Name: 'Ann Lee', Email: 'ann@acme.example' },
    { id: 'S2', Name: 'Bob May', Company: 'Acme' },
    // The list itself says that these are two people.
    { id: 'S3', Name: 'Ann Lee', Email: 'lee@acme.example', Company: 'Acme' },
    // A person of that name elsewhere is another one.
    { id: 'S4', Name: 'Bob May', Company: 'Globex' },
  ];
  expect(await folder.importPeople(rows, sales)).toMatchObject({
    people_merged: 2,
    people_added: 2,
  });
  // The id finds the person when the row says something else, also for a third list.
  const moved = { id: 'S1', Name: 'Ann Byron', Email: 'ab@hooli.example' };
  expect(await folder.importPeople([moved], sales)).toMatchObject({ people_added: 0 });
  const third = { id: 'S1', Name: 'Ann Byron' };
  const again = await folder.importPeople([third], { source: 'fair' });
  expect(again).toMatchObject({ people_added: 0 });
  const companies = [
    { id: '71', Name: 'Acme', Domain: 'acme.example' },
    { id: '72', Name: 'Acme', Domain: 'acme.example', City: 'Oslo' },
  ];
  const listed = await folder.importCompanies(companies, { source: 'accounts' });
  expect(listed).toMatchObject({ companies_added: 1, companies_updated: 1 });
  expect(
    folder.db
      .prepare(
        `SELECT l.given_id AS id, c.domain FROM company c
         JOIN company_listing l ON l.company_id = c.id
         JOIN employment e ON e.company_id = c.id JOIN person p ON p.id = e.person_id
         WHERE p.given_id = '8'`,
      )
      .get(),
  ).toEqual({ id: '71', domain: 'acme.example' });
  const imports = folder.db.prepare('SELECT id FROM source_import ORDER BY id DESC').pluck().all();
  for (const id of imports.slice(0, -1)) undoImport(folder.db, Number(id));
  expect(folder.dump()).toEqual(before);
});

test('an email of another person replaces no known one, and the import says so', async () => {
  using folder = openListFolder();
  await folder.importPeople([
    { Name: 'Ann Lee', Company: 'Acme', Email: 'ann@acme.example' },
    { Name: 'Bob May', Company: 'Acme', Email: 'bob@acme.example' },
  ]);
  const rows = [{ id: 'S1', Name: 'Ann Lee', Company: 'Acme', Email: 'bob@acme.example' }];
  const report = await folder.importPeople(rows, { source: 'sales' });
  expect(report.remarks).toMatchObject([
    {
      line: 2,
      message: 'The email bob@acme.example belongs to Bob May, so the known one was kept.',
    },
  ]);
  const emails = folder.db.prepare('SELECT email FROM employment ORDER BY id').pluck().all();
  expect(emails).toEqual(['ann@acme.example', 'bob@acme.example']);
});

const job = { id: '1', Name: 'Ann Lee', Company: 'Acme', Title: 'Clerk', City: 'Bern' };
const readAnn = (folder: ListFolder) =>
  folder.db
    .prepare(
      `SELECT p.city, p.has_left, e.title, e.start_on, e.is_current, c.name AS company FROM person p
       LEFT JOIN employment e ON e.id = p.employment_id LEFT JOIN company c ON c.id = e.company_id`,
    )
    .get();

test.each([
  ['a newer value replaces an older one', '2026-02-01', 0.8, 'Chief'],
  ['an older value does not', '2025-01-01', 0.8, 'Clerk'],
  ['on one day the more trusted counts', '2026-01-01', 0.5, 'Clerk'],
  ['on one day, equally trusted, the later import counts', '2026-01-01', 0.8, 'Chief'],
])('%s, and the other is kept as history', async (_title, observed, trust, title) => {
  using folder = openListFolder();
  await folder.importPeople([job], { source: 'crm', observed: '2026-01-01' });
  const second = [{ ...job, Title: 'Chief' }];
  const report = await folder.importPeople(second, { source: 'fair', observed, trust });
  expect(readAnn(folder)).toMatchObject({ title });
  expect(report).toMatchObject({ employments_added: 0, people_merged: 1 });
  const claims = folder.db.prepare('SELECT value FROM value_claim WHERE field = 0 AND record = 1');
  expect(claims.pluck().all().sort()).toEqual(['Chief', 'Clerk']);
});

test('the date of observation in a row takes precedence over that of the import', async () => {
  using folder = openListFolder();
  await folder.importPeople([{ ...job, 'Last updated': '2026-03-01' }], { observed: '2026-01-01' });
  await folder.importPeople([{ ...job, City: 'Rome' }], { source: 'b', observed: '2026-02-01' });
  expect(readAnn(folder)).toMatchObject({ city: 'Bern' });
});

test('a list with another employer ends the job that it omits', async () => {
  using folder = openListFolder();
  await folder.importPeople([job], { source: 'crm', observed: '2026-01-01' });
  await folder.importPeople([{ ...job, Company: 'Globex' }], {
    source: 'crm',
    observed: '2026-02-01',
  });
  expect(readAnn(folder)).toMatchObject({ company: 'Globex', has_left: 0 });
  const current = 'SELECT count(*) FROM employment WHERE is_current = 1';
  expect(folder.db.prepare(current).pluck().get()).toBe(1);
});

test.each<[title: string, rows: Row[], expected: object]>([
  [
    'the primary current one',
    [
      { Company: 'Acme', 'Is primary': '0', Start: '2024' },
      { Company: 'Globex', 'Is primary': '1', Start: '2020' },
    ],
    { company: 'Globex', has_left: 0 },
  ],
  [
    'the last known one where all have ended',
    [
      { Company: 'Acme', Start: '2010', End: '2015' },
      { Company: 'Globex', Start: '2016', End: '2019-06' },
    ],
    { company: 'Globex', has_left: 1 },
  ],
  [
    'one that says it is current, whatever its end',
    [{ Company: 'Acme', End: 'Present' }],
    { company: 'Acme', has_left: 0, is_current: 1 },
  ],
  ['none where none is known', [{ City: 'Bern' }], { company: null, has_left: 0 }],
])('the employment that represents a person is %s', async (_title, rows, expected) => {
  using folder = openListFolder();
  await folder.importPeople(rows.map((row) => ({ id: '1', Name: 'Ann Lee', ...row })));
  expect(readAnn(folder)).toMatchObject(expected);
  expect(readStats(folder.db)).toMatchObject({ people: 1 });
});

test('a phone of a company or of several people belongs to no one, and becomes a person’s again', async () => {
  using folder = openListFolder();
  const own = () =>
    folder.db.prepare('SELECT mobile_phone, direct_phone FROM person ORDER BY id').raw().all();
  const main = { 'Company Phone': '+1 202-555-0100', Company: 'Acme' };
  await folder.importPeople([
    { id: '1', Name: 'Ann Lee', 'Mobile Phone': '+12025550101', Phone: '(202) 555-0100', ...main },
    { id: '2', Name: 'Bob May', Phone: '+1-202-555-0102 ext. 8' },
    { id: '3', Name: 'Cy Noe', 'Direct Phone': '030 901820', Country: 'Germany' },
  ]);
  expect(own()).toEqual([
    ['+12025550101', null],
    [null, '+12025550102 x8'],
    [null, '+4930901820'],
  ]);
  await folder.importPeople([{ id: '4', Name: 'Di Orr', Cell: '+12025550101' }], { source: 'b' });
  expect(own()[0]).toEqual([null, null]);
  expect(readStats(folder.db).people_with_phone).toBe(2);
});

test('rows of one person need not be consecutive', async () => {
  using folder = openListFolder();
  const report = await folder.importPeople([
    { id: '1', Name: 'Ann Lee', Company: 'Acme', End: '2019' },
    { id: '2', Name: 'Bob May', Company: 'Acme' },
    { id: '1', Name: 'Ann Lee', Company: 'Globex', Start: '2020', Mobile: '+12025550101' },
  ]);
  expect(report).toMatchObject({ people_added: 2, employments_added: 3, people_updated: 0 });
  expect(readAnn(folder)).toMatchObject({ company: 'Globex', has_left: 0 });
  const mobile = folder.db.prepare('SELECT mobile_phone FROM person WHERE id = 1');
  expect(mobile.pluck().get()).toBe('+12025550101');
});

test('email reports of a list are kept, and the rest follows from the address', async () => {
  using folder = openListFolder();
  const people = [
    ['ann@acme.example', 'Verified'],
    ['bob@acme.example', 'bounced'],
    ['info@acme.example', ''],
    ['cy@mailinator.com', ''],
    ['di@acme.example', ''],
  ].map(([Email = '', status = ''], id) => ({
    id: String(id),
    Name: `P Q${id}`,
    Email,
    'Email Status': status,
  }));
  await folder.importPeople(people);
  const statuses = folder.db.prepare('SELECT email_status FROM employment ORDER BY id');
  expect(statuses.pluck().all()).toEqual(['valid', 'invalid', 'role', 'disposable', 'unknown']);
});

test('companies are taken with their ranges, aliases and domain, and updated by id', async () => {
  using folder = openListFolder();
  const acme = { id: 'a', Name: 'Acme Inc.', Website: 'www.acme.example/x', Employees: '5,200' };
  await folder.importCompanies([{ ...acme, 'Annual Revenue': '$12M', Aliases: 'ACM|Acme Tools' }]);
  const report = await folder.importCompanies([{ ...acme, Name: 'Acme Holdings' }], {
    observed: '2999-01-01',
  });
  expect(report).toMatchObject({ companies_updated: 1, companies_added: 0 });
  expect(folder.db.prepare('SELECT * FROM company').get()).toMatchObject({
    name: 'Acme Holdings',
    website: 'www.acme.example/x',
    domain: 'acme.example',
    employee_range: '5001-10000',
    revenue_range: '$10M-$50M',
  });
  const aliases = folder.db.prepare('SELECT name FROM company_alias').pluck().all();
  expect(aliases).toEqual(['ACM', 'Acme Tools']);
});

/** The source that a result names for each value of the companies, by company and field. */
function readCompanySources({ db }: ListFolder): Record<string, Record<string, string>> {
  const rows = db
    .prepare(`SELECT h.name, ${companyProvenanceSql('main')} AS sources FROM company h`)
    .all() as { name: string; sources: string }[];
  const fields = ['Company website', 'Company city', 'Company phone'];
  return Object.fromEntries(
    rows.map(({ name, sources }) => [
      name,
      Object.fromEntries(
        Object.entries(expandProvenance(sources, fields)).map(([at, { source }]) => [at, source]),
      ),
    ]),
  );
}

test.each<[what: string, ImportOptions, people: string, companies: string]>([
  ['its own file', {}, 'people.csv', 'companies.csv'],
  ['the source that was chosen', { source: 'CRM' }, 'CRM', 'CRM'],
])('of two lists imported together, each value names %s', async (_what, options, ...names) => {
  const [ofPeople, ofCompanies] = names;
  using folder = openListFolder();
  const rows = [
    { ...ann, 'Company phone': '+41 31 999 99 99' },
    { Name: 'Bob May', Company: 'Globex', 'Company city': 'Rome' },
  ];
  const list = [{ id: 'a', Name: 'Acme Inc.', Website: 'acme.example', City: 'Bern', Tier: 'A' }];
  const both = { ...options, keep: ['*'] };
  const first = await folder.importBoth(rows, list, both);
  expect(readCompanySources(folder)).toEqual({
    'Acme Inc.': {
      'Company website': ofCompanies,
      'Company city': ofCompanies,
      'Company phone': ofPeople,
    },
    Globex: {
      'Company website': ofPeople,
      'Company city': ofPeople,
      'Company phone': ofPeople,
    },
  });
  expect(listSources(folder.db)).toEqual(new Set(names));
  const stood = folder.dump();
  const unchanged = { people_unchanged: 2, companies_unchanged: 2, companies_updated: 0 };
  expect(await folder.importBoth(rows, list, both)).toMatchObject(unchanged);
  const again = await folder.importBoth(rows, list, { ...both, trust: 0.7 });
  expect(again).toMatchObject({ ...unchanged, people_updated: 0 });
  expect(folder.dump()).toEqual(stood);
  expect(readStats(folder.db).imports.map(({ import_id: id }) => id)).toHaveLength(3);
  for (const { import_id: id } of readStats(folder.db).imports) undoImport(folder.db, id);
  const { counts, ...tables } = folder.dump();
  expect(Object.values(tables).flat()).toEqual([]);
  expect(first.file_names).toEqual(['people.csv', 'companies.csv']);
});

test('people find their companies by id, domain or name; an ambiguous name finds none', async () => {
  using folder = openListFolder();
  await folder.importCompanies([
    { id: 'a', Name: 'Acme Inc.', Domain: 'acme.example' },
    { id: 'b', Name: 'Mercy Hospital', City: 'Rome' },
    { id: 'c', Name: 'Mercy Hospital', City: 'Bern' },
  ]);
  const rows = [
    { Company: 'Acme Corporation', 'Company Domain': 'acme.example' },
    { Company: 'ACME, Inc' },
    { Company: 'Mercy Hospital' },
    { Company: 'Other words', 'Company ID': 'c' },
  ].map((row, id) => ({ id: String(id), Name: `P Q${id}`, ...row }));
  await folder.importPeople(rows, { source: 'companies.csv' });
  const given = folder.db.prepare(
    'SELECT c.given_id FROM employment e JOIN company c ON c.id = company_id ORDER BY e.id',
  );
  expect(given.pluck().all()).toEqual(['a', 'a', null, 'c']);
});

test('unusable values are omitted and unusable rows refused, each with line, column and reason', async () => {
  using folder = openListFolder();
  const text = [
    'Name,Email,Phone,Start',
    '"Lee,',
    'Ann",not an address,12,soon',
    ',,,',
    'Bob May,bob@x.example,+12025550101,2020-05',
    ',,+12025550102,',
  ].join('\r\n');
  const report = await folder.importPeople(text);
  expect(report).toMatchObject({ rows_read: 3, people_added: 2, rows_refused: 1 });
  const told = report.remarks.map(({ line, column, message }) => [
    line,
    column,
    message.slice(0, 21),
  ]);
  expect(told).toEqual([
    [2, 'Email', '"not an address" is n'],
    [2, 'Phone', '"12" is not a valid p'],
    [4, undefined, 'Left out, because it '],
    [6, undefined, 'The row was refused b'],
  ]);
});

test.each([
  ['a file without a usable column', 'Colour,Size\nred,1\n', {}, 'no column of names'],
  [
    'a mapping to a column that is not there',
    'Who\nAnn Lee\n',
    { full_name: 'Name' },
    'no column "Name"',
  ],
  ['a mapping of an unknown field', 'Name\nAnn Lee\n', { shoe: 'Name' }, 'no field "shoe"'],
  ['broken quotes', 'Name\n"Ann\n', {}, 'never closed'],
  ['a file without rows', 'Name\n', {}, 'no rows'],
])('%s is refused and leaves nothing behind', async (_title, text, mapping, words) => {
  using folder = openListFolder();
  const before = folder.dump();
  const refused = folder.importPeople(text, { mapping });
  await expect(refused).rejects.toThrow(words);
  await expect(refused).rejects.toBeInstanceOf(EngineError);
  expect(folder.dump()).toEqual(before);
  expect(readGeneration(folder.db)).toBe(0);
});

test('a mapping takes precedence over recognised headers', async () => {
  using folder = openListFolder();
  await folder.importPeople('Wer,Name\nAnn Lee,Acme\n', {
    mapping: { full_name: 'Wer', company_name: 'Name' },
  });
  expect(readAnn(folder)).toMatchObject({ company: 'Acme' });
});

test('a cancelled import leaves the directory unchanged and is listed as cancelled', async () => {
  using folder = openListFolder();
  await folder.importPeople([job], { source: 'crm' });
  const before = folder.dump();
  const path = folder.write(
    'many.csv',
    `Name\n${Array.from({ length: 5000 }, (_, at) => `Ann Lee${at}`).join('\n')}\n`,
  );
  const cancel = new AbortController();
  const running = importDirectory(
    folder.db,
    { peoplePath: path },
    () => cancel.abort(new Error('cancelled here')),
    cancel.signal,
  );
  await expect(running).rejects.toThrow('cancelled here');
  expect(folder.dump()).toEqual(before);
  expect(readStats(folder.db).imports[0]).toMatchObject({
    status: 'failed',
    error: 'The import was stopped. Import the file again.',
  });
  const indices = "SELECT count(*) FROM sqlite_schema WHERE name = 'employment_person'";
  expect(folder.db.prepare(indices).pluck().get()).toBe(1);
});

test('a repeat of a request to import changes nothing and is answered with its report', async () => {
  using folder = openListFolder();
  const peoplePath = folder.write('people.csv', [{ Name: 'Ann Lee' }]);
  const request = { peoplePath, beganAt: new Date().toISOString() };
  const report = await importDirectory(folder.db, request);
  expect(await importDirectory(folder.db, request)).toEqual(report);
  expect(readStats(folder.db).imports).toHaveLength(1);
});

test('UTF-16, semicolons and a list in another language are read the same', async () => {
  using folder = openListFolder();
  const text =
    '\ufeffVorname;Nachname;Firma;E-Mail-Adresse\r\nJörg;Groß;Müller GmbH;jg@m.example\r\n';
  const path = folder.write('leute.csv', '');
  writeFileSync(path, Buffer.from(text, 'utf16le'));
  const report = await importDirectory(folder.db, { peoplePath: path });
  expect(report).toMatchObject({ source: 'leute.csv', people_added: 1, companies_added: 1 });
  const name = folder.db.prepare('SELECT first_name, last_name FROM person').raw().get();
  expect(name).toEqual(['Jörg', 'Groß']);
});

test('lookups of an import use indices', () => {
  using folder = openListFolder();
  for (const sql of [
    "SELECT id FROM person WHERE profile_key = 'x'",
    "SELECT person_id FROM person_key WHERE kind = 'email' AND value = 'x'",
    "SELECT person_id FROM employment WHERE email = 'x'",
    "SELECT id FROM person WHERE last_key = 'x'",
    "SELECT id FROM company WHERE name_key = 'x'",
    "SELECT id FROM company WHERE domain = 'x'",
    "SELECT id FROM company WHERE phone = 'x'",
    "SELECT id FROM person_phone WHERE number = 'x'",
    'SELECT * FROM employment WHERE person_id = 1 ORDER BY id',
    'SELECT * FROM value_claim WHERE record = 1 AND record_id = 1',
    'DELETE FROM value_claim WHERE import_id = 1',
  ]) {
    const plan = folder.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    expect(plan.map(({ detail }) => detail).join(), sql).toMatch(/^SEARCH \w+ USING/);
  }
  const colleague = 'SELECT 1 FROM employment WHERE company_id = 1 AND person_id = 1';
  const [plan] = folder.db.prepare(`EXPLAIN QUERY PLAN ${colleague}`).all();
  expect(plan).toMatchObject({ detail: expect.stringContaining('COVERING INDEX') });
});

test('a list with more rows than the directory is written before its indices', async () => {
  using folder = openListFolder();
  await folder.importPeople([job], { source: 'crm' });
  const rows = Array.from({ length: 3 }, (_, at) => `n${at},Ann,Lee${at}\n`);
  const path = folder.write('many.csv', `person_id,first_name,last_name\n${rows.join('')}`);
  const count = folder.db.prepare('SELECT count(*) FROM person').pluck();
  const indices = folder.db
    .prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'person_last_key'")
    .pluck();
  const seen: unknown[] = [];
  await importDirectory(folder.db, { peoplePath: path }, (_done, _total, label) => {
    if (label === 'many.csv') seen.push([count.get(), indices.get()]);
  });
  // Rows are written many at a time.
  expect(seen.at(-1)).toEqual([1, 0]);
  expect([count.get(), indices.get()]).toEqual([4, 1]);
});
