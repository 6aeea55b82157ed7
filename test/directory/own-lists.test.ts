// What an own list says of a record comes back with every match: its id, and kept columns.

import { describe, expect, test } from 'vitest';
import { mergeRecords } from '../../engine/directory/duplicates/merge-records.ts';
import { undoMerge } from '../../engine/directory/duplicates/undo-merge.ts';
import { sampleSource } from '../../engine/directory/import/sample.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import {
  listOwnLists,
  readOwnRecords,
  recordOfRow,
} from '../../engine/directory/read/own-lists.ts';
import { inventName } from '../invented-names.ts';
import { planOn } from '../migrations/plan-statements.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

const ann = { 'first name': 'Ann', 'last name': 'Lee', company: 'Acme', email: 'ann@acme.example' };
const bob = { 'first name': 'Bob', 'last name': 'May', company: 'Globex' };
const crm: readonly Row[] = [
  { 'Record ID': '101', ...ann, 'Contact owner': 'Zoe Fox', 'Lifecycle stage': 'Customer' },
  { 'Record ID': '102', ...bob, 'Contact owner': '', 'Lifecycle stage': 'Lead' },
];

const uuidOf = ({ db }: ListFolder, last: string): string =>
  db.prepare('SELECT uuid FROM person WHERE last_name = ?').pluck().get(last) as string;

/** What the lists say of a person: source → id and kept columns. */
const readOwn = (folder: ListFolder, last: string, kind: 'people' | 'companies' = 'people') => {
  const uuid = uuidOf(folder, last);
  const entries = readOwnRecords(folder.db, [uuid]).get(uuid)?.entries[kind] ?? [];
  return Object.fromEntries(
    [...entries].map(([list, { id, otherIds, kept }]) => [
      list,
      otherIds.length === 0 ? { id, kept } : { id, otherIds, kept },
    ]),
  );
};

test('a kept column is stored as it is, and returned with the id of the record in its list', async () => {
  using folder = openListFolder();
  const report = await folder.importPeople(crm, {
    source: 'CRM',
    keep: ['Contact owner', 'Lifecycle stage'],
  });
  expect(report.columns.map(({ field }) => field)).toEqual([
    'id',
    'first_name',
    'last_name',
    'company_name',
    'email',
    'kept',
    'kept',
  ]);
  expect(listOwnLists(folder.db)).toEqual([
    {
      kind: 'people',
      source: 'CRM',
      name: 'CRM',
      idHeader: 'Record ID',
      kept: ['Contact owner', 'Lifecycle stage'],
    },
  ]);
  expect(readOwn(folder, 'Lee')).toEqual({
    CRM: { id: '101', kept: { 'Contact owner': 'Zoe Fox', 'Lifecycle stage': 'Customer' } },
  });
  expect(readOwn(folder, 'May').CRM?.id).toBe('102');
});

test('the sample is no list of the user', async () => {
  using folder = openListFolder();
  await folder.importPeople(crm, { source: sampleSource });
  expect(listOwnLists(folder.db)).toEqual([]);
});

test('a star keeps every column that becomes no field', async () => {
  using folder = openListFolder();
  await folder.importPeople(crm, { source: 'CRM', keep: ['*'] });
  expect(listOwnLists(folder.db)[0]?.kept).toEqual(['Contact owner', 'Lifecycle stage']);
});

test('a column that would be recognised is kept if the user chooses so', async () => {
  using folder = openListFolder();
  const { columns } = await folder.importPeople(crm, { keep: ['company'] });
  expect(columns.find(({ header }) => header === 'company')?.field).toBe('kept');
});

test.each([
  ['without a choice, a CRM export keeps owner and lifecycle stage', [...crm], undefined, 2],
  ['an empty choice keeps nothing', [...crm], [], 0],
  [
    'without a choice, a list without ids keeps nothing',
    crm.map(({ 'Record ID': _id, ...row }) => row),
    undefined,
    0,
  ],
])('%s', async (_what, rows, keep, count) => {
  using folder = openListFolder();
  const report = await folder.importPeople(rows, { source: 'CRM', keep });
  expect(report.columns.filter(({ field }) => field === 'kept')).toHaveLength(count);
});

test.each([
  'Contact owner|OwnerId|Owner: Full Name|Person - Owner|Für Kontakt zuständiger Mitarbeiter',
  'Propriétaire du contact|Lifecycle Stage|Lifecycle-Phase|Phase du cycle de vie|Lead Status|Stage',
])('these headers of CRMs are kept without a choice: %s', async (headers) => {
  using folder = openListFolder();
  const names = headers.split('|');
  const cells = Object.fromEntries(names.map((name) => [name, 'x']));
  const other = { Ownership: 'x', Backstage: 'x', Notes: 'x' };
  const report = await folder.importPeople([{ 'Record ID': '1', ...ann, ...cells, ...other }], {});
  const kept = report.columns.filter(({ field }) => field === 'kept');
  expect(kept.map(({ header }) => header)).toEqual(names);
});

test('a header that no file has cannot be kept', async () => {
  using folder = openListFolder();
  await expect(folder.importPeople(crm, { keep: ['Owner'] })).rejects.toThrow(
    /keep: no file has a column "Owner". The columns are "Record ID", /,
  );
});

test('each list has its own id of a person, and a later import of a list replaces its cells', async () => {
  using folder = openListFolder();
  await folder.importPeople(crm, { source: 'CRM', keep: ['*'] });
  const plain = { ...ann, Booth: '7' };
  await folder.importPeople([plain], { source: 'Fair', keep: ['Booth'] });
  const later = crm.map((row) => ({ ...row, 'Contact owner': 'Max Roe' }));
  const { import_id, people_updated } = await folder.importPeople(later, {
    source: 'CRM',
    keep: ['*'],
  });
  expect(people_updated).toBe(2);
  expect(readOwn(folder, 'Lee')).toEqual({
    CRM: { id: '101', kept: { 'Contact owner': 'Max Roe', 'Lifecycle stage': 'Customer' } },
    Fair: { id: '', kept: { Booth: '7' } },
  });
  undoImport(folder.db, import_id);
  expect(readOwn(folder, 'Lee').CRM?.kept['Contact owner']).toBe('Zoe Fox');
  // The CRM gave the record another id.
  const merged = { ...ann, 'Record ID': '900', 'Contact owner': '', 'Lifecycle stage': 'Lead' };
  await folder.importPeople([merged], { source: 'CRM', keep: ['*'] });
  expect(readOwn(folder, 'Lee').CRM).toEqual({
    id: '900',
    otherIds: ['101'],
    kept: { 'Contact owner': '', 'Lifecycle stage': 'Lead' },
  });
});

test('a person whose list was undone keeps the ids of the other lists alone', async () => {
  using folder = openListFolder();
  const { import_id } = await folder.importPeople(crm, { source: 'CRM', keep: ['*'] });
  await folder.importPeople([{ ...ann, title: 'Chief', Booth: '7' }], {
    source: 'Fair',
    keep: ['Booth'],
  });
  undoImport(folder.db, import_id);
  expect(readOwn(folder, 'Lee')).toEqual({ Fair: { id: '', kept: { Booth: '7' } } });
});

test('a merge keeps the ids of both records, and its undo gives each its own', async () => {
  using folder = openListFolder();
  await folder.importPeople(crm, { source: 'CRM', keep: ['*'] });
  const other = { id: 'P-9', 'first name': 'Annie', 'last name': 'Leeds', Region: 'West' };
  await folder.importPeople([other], { source: 'Pipedrive', keep: ['Region'] });
  const [survivor, loser] = [uuidOf(folder, 'Lee'), uuidOf(folder, 'Leeds')];
  const at = '2026-11-27T00:00:00.000Z';
  const mergeId = mergeRecords(folder.db, {
    kind: 'person',
    survivor,
    other: loser,
    choices: {},
    acrossLegalForms: false,
    author: 'test',
    at,
  });
  const merged = readOwnRecords(folder.db, [loser]).get(loser);
  expect([...(merged?.entries.people.keys() ?? [])].sort()).toEqual(['CRM', 'Pipedrive']);
  expect(merged?.entries.people.get('Pipedrive')).toMatchObject({
    id: 'P-9',
    kept: { Region: 'West' },
  });
  undoMerge(folder.db, { mergeId, at, author: 'test' });
  expect(Object.keys(readOwn(folder, 'Lee'))).toEqual(['CRM']);
  expect(readOwn(folder, 'Leeds')).toEqual({ Pipedrive: { id: 'P-9', kept: { Region: 'West' } } });
});

test.each<[what: string, row: Row, expected: object]>([
  ['its employer', { company: 'Acme' }, { people_merged: 1, people_added: 0, rows_refused: 0 }],
  ['its phone', { Phone: '+43 316 555 0142' }, { people_merged: 1, rows_refused: 0 }],
  ['another employer', { company: 'Globex' }, { companies_added: 0, rows_refused: 1 }],
  ['nothing else', {}, { people_added: 0, rows_refused: 1 }],
  ['an id that nobody has', { 'Record ID': '9', company: 'Acme' }, { rows_refused: 1 }],
])(
  'a row that names a person by the id alone, with %s, is the person or refused',
  async (...of) => {
    const [, row, expected] = of;
    using folder = openListFolder();
    const early = [
      { 'Record ID': '9', company: 'Acme', email: '' },
      { 'Record ID': '102', ...bob },
    ];
    const refused = await folder.importPeople(early, { source: 'Early' });
    expect(refused).toMatchObject({ people_added: 1, rows_refused: 1 });
    const list = crm.map((one, at) => (at === 0 ? { ...one, ...phone } : one));
    await folder.importPeople(list, { source: 'CRM' });
    const update = { 'Record ID': '101', email: '', title: 'Chief Engineer', ...row };
    expect(await folder.importPeople([update], { source: 'Update' })).toMatchObject(expected);
    const read = folder.db.prepare('SELECT title FROM employment WHERE email IS NOT NULL').pluck();
    const isMerged = 'people_merged' in expected;
    if (isMerged && row.company !== undefined) expect(read.all()).toEqual(['Chief Engineer']);
    // The same list needs no more than its id.
    const own = await folder.importPeople([{ 'Record ID': '101', email: '', title: 'Owner' }], {
      source: 'CRM',
    });
    expect(own).toMatchObject({ rows_refused: 0, people_added: 0 });
  },
);

test('a person comes with what the lists of companies say of the current employer', async () => {
  using folder = openListFolder();
  await folder.importCompanies(
    [{ 'Company ID': 'C-1', 'Company name': 'Acme', 'Account tier': 'A' }],
    { source: 'Accounts', keep: ['Account tier'] },
  );
  await folder.importPeople(crm, { source: 'CRM' });
  expect(readOwn(folder, 'Lee', 'companies')).toEqual({
    Accounts: { id: 'C-1', kept: { 'Account tier': 'A' } },
  });
  expect(readOwn(folder, 'May', 'companies')).toEqual({});
});

test.each([
  ['one id', { 'Record ID': '101' }],
  ['no id', {}],
])(
  'later rows of a person of %s fill empty kept cells, also when it comes again',
  async (_what, id) => {
    using folder = openListFolder();
    const row = (booth: string, notes: string) => ({ ...id, ...ann, Booth: booth, Notes: notes });
    const list = [
      row('7', ''),
      { ...bob, Booth: '', Notes: 'b' },
      row('8', 'met'),
      row('', 'late'),
    ];
    const options = { source: 'Fair', keep: ['*'] };
    await folder.importPeople(list, options);
    const kept = { Booth: '7', Notes: 'met' };
    expect(readOwn(folder, 'Lee').Fair?.kept).toEqual(kept);
    const again = await folder.importPeople(list, options);
    expect(again).toMatchObject({ people_unchanged: 2, people_updated: 0 });
    expect(readOwn(folder, 'Lee').Fair?.kept).toEqual(kept);
    // A cell that no row fills any more is empty, and an undo fills it again.
    const emptied = await folder.importPeople(list.toSpliced(2, 2), options);
    expect(emptied).toMatchObject({ people_unchanged: 1, people_updated: 1 });
    expect(readOwn(folder, 'Lee').Fair?.kept).toEqual({ Booth: '7', Notes: '' });
    undoImport(folder.db, emptied.import_id);
    expect(readOwn(folder, 'Lee').Fair?.kept).toEqual(kept);
  },
);

test('later rows of a company fill empty kept cells', async () => {
  using folder = openListFolder();
  const acme = { 'Company ID': 'C-1', 'Company name': 'Acme' };
  const list = [
    { ...acme, Tier: '', Segment: 'West' },
    { 'Company ID': 'C-2', 'Company name': 'Globex', Tier: 'B', Segment: '' },
    { ...acme, Tier: 'A', Segment: 'East' },
  ];
  const options = { source: 'Accounts', keep: ['*'] };
  await folder.importCompanies(list, options);
  await folder.importPeople(crm, { source: 'CRM' });
  const again = await folder.importCompanies(list, { ...options, trust: 0.7 });
  expect(again).toMatchObject({ companies_unchanged: 2, companies_updated: 0 });
  expect(readOwn(folder, 'Lee', 'companies')).toEqual({
    Accounts: { id: 'C-1', kept: { Tier: 'A', Segment: 'West' } },
  });
});

test('after a merge of two records of one list, a row has the id of the one whose values it has', async () => {
  using folder = openListFolder();
  const email = 'lee@acme.example';
  await folder.importPeople(
    [
      { 'Record ID': '101', ...ann },
      { 'Record ID': '103', ...ann, email },
    ],
    { source: 'CRM' },
  );
  const readUuid = folder.db.prepare('SELECT uuid FROM person WHERE given_id = ?').pluck();
  const [survivor, other] = ['101', '103'].map((id) => readUuid.get(id) as string);
  if (!survivor || !other) throw new Error('the list has two people');
  const at = '2026-11-27T00:00:00.000Z';
  mergeRecords(folder.db, {
    kind: 'person',
    survivor,
    other,
    choices: {},
    acrossLegalForms: false,
    author: 'test',
    at,
  });
  const record = readOwnRecords(folder.db, [survivor]).get(survivor);
  const idOf = (cell: string) => recordOfRow(record, [cell], '')?.entries.people.get('CRM')?.id;
  expect([ann.email, email, ''].map(idOf)).toEqual(['101', '103', '101']);
});

const phone = { 'Direct phone': '+43 316 555 0142' };
const { email: _email, ...annAtAcme } = ann;

// So many that a list below is short in comparison, and each of its rows is looked up.
const others = Array.from({ length: 20 }, (_, at) => {
  const [first, last] = inventName(at);
  return { 'first name': first, 'last name': last };
});

describe.each([
  ['an empty directory', false],
  ['a directory of many people', true],
])('in %s, a list that has one person twice', (_what, hasPeople) => {
  test.each<[title: string, first: Row, second: Row]>([
    ['with one email', ann, { ...ann, company: 'Acme Europe', ...phone }],
    [
      'with one private email',
      { ...ann, email: 'ann@gmail.com' },
      { ...ann, email: 'Ann@gmail.com' },
    ],
    ['with one employer and phone', { ...ann, ...phone }, { ...annAtAcme, ...phone }],
    [
      'with one employer and phone, and ä as two letters',
      { ...annAtAcme, ...phone, 'first name': 'Änn' },
      { ...annAtAcme, ...phone, 'first name': 'Aenn' },
    ],
    [
      'with one profile',
      { ...annAtAcme, 'Profile URL': 'linkedin.com/in/ann-lee' },
      { ...annAtAcme, 'Profile URL': 'https://www.linkedin.com/in/ann-lee/' },
    ],
  ])('adds a person with both ids: %s', async (_title, first, second) => {
    using folder = openListFolder();
    if (hasPeople) await folder.importPeople(others);
    const list = [
      { 'Record ID': '101', ...first, ...phone, Owner: 'Zoe', Stage: '' },
      { 'Record ID': '102', ...bob, Owner: '', Stage: '' },
      { 'Record ID': '103', ...second, Owner: 'Max', Stage: 'Customer' },
    ];
    const options = { source: 'CRM', keep: ['*'] };
    const report = await folder.importPeople(list, options);
    expect(report).toMatchObject({ rows_read: 3, people_added: 2, people_unchanged: 0 });
    expect(report.remarks).toMatchObject([
      { line: 4, column: 'id', message: expect.stringContaining('101 and 103 are of one person') },
    ]);
    expect(readOwn(folder, 'Lee')).toEqual({
      CRM: { id: '101', otherIds: ['103'], kept: { Owner: 'Zoe', Stage: 'Customer' } },
    });
    // The phone is the person's: nobody else has it.
    expect(
      folder.db.prepare('SELECT direct_phone FROM person WHERE last_name = ?').pluck().get('Lee'),
    ).toBe('+433165550142');
    const before = folder.dump();
    // With another trust it is another import.
    const again = await folder.importPeople(list, { ...options, trust: 0.7 });
    expect(again).toMatchObject({ people_unchanged: 2, people_updated: 0, remarks: [] });
    expect(folder.dump()).toEqual(before);
    const changed = list.map((row) => ({ ...row, Owner: row.Owner && 'Pat' }));
    await folder.importPeople(changed, options);
    expect(readOwn(folder, 'Lee').CRM?.kept).toEqual({ Owner: 'Pat', Stage: 'Customer' });
  });

  test.each<[what: string, cells: readonly string[], id: string]>([
    ['values of both, or none', ['Ann', 'ann@acme.example', ''], '101'],
    ['a phone of the first', ['+43 316 555 0142'], '101'],
    ['a phone of the second', ['ann@acme.example', '0316 555 0177'], '103'],
    ['a page of the second', ['https://linkedin.com/in/Ann-Lee/'], '103'],
    ['a private email of the second', ['ANN@gmail.com'], '103'],
    ['the id of the second', ['Ann', '103'], '103'],
    ['the id of the first and a phone of the second', ['101', '+433165550177'], '101'],
  ])('gives the id of the record that a row means: %s', async (_what, cells, id) => {
    using folder = openListFolder();
    if (hasPeople) await folder.importPeople([{ 'first name': 'Cy', 'last name': 'Noe' }]);
    const second = {
      'Direct phone': '+43 316 555 0177',
      'Profile URL': 'linkedin.com/in/ann-lee',
      'Personal email': 'ann@gmail.com',
    };
    const list = [
      { 'Record ID': '101', ...ann, ...phone, Owner: 'Zoe' },
      { 'Record ID': '103', ...ann, ...second, Owner: 'Max' },
    ];
    const readChosen = () => {
      const uuid = uuidOf(folder, 'Lee');
      const record = readOwnRecords(folder.db, [uuid]).get(uuid);
      return recordOfRow(record, cells, 'Austria')?.entries.people.get('CRM');
    };
    const owner = id === '101' ? 'Zoe' : 'Max';
    const chosen = { id, otherIds: [id === '101' ? '103' : '101'], kept: { Owner: owner } };
    const options = { source: 'CRM', keep: ['Owner'] };
    await folder.importPeople(list, options);
    expect(readChosen()).toMatchObject(chosen);
    // Another import of the list, in another order, changes no id.
    await folder.importPeople(list.toReversed(), { ...options, trust: 0.7 });
    expect(readChosen()).toMatchObject(chosen);
  });

  test('undoing an import removes the values that it gave to a further id', async () => {
    using folder = openListFolder();
    if (hasPeople) await folder.importPeople(others);
    const second = { 'Record ID': '103', ...ann, Owner: 'Max' };
    const options = { source: 'CRM', keep: ['Owner'] };
    await folder.importPeople([{ 'Record ID': '101', ...ann, Owner: 'Zoe' }, second], options);
    const before = folder.dump();
    const update = { ...second, 'Personal email': 'ann@gmail.com' };
    const { import_id } = await folder.importPeople([update], options);
    expect(folder.db.prepare('SELECT min(keys) FROM person_listing').pluck().get()).toBe(
      '["ann@gmail.com"]',
    );
    undoImport(folder.db, import_id);
    expect(folder.dump()).toEqual(before);
  });

  test('a person has opted out if one of the records says so', async () => {
    using folder = openListFolder();
    if (hasPeople) await folder.importPeople(others);
    await folder.importPeople([
      { 'Record ID': '101', ...ann, 'Opted out': 'no' },
      { 'Record ID': '103', ...ann, 'Opted out': 'yes' },
    ]);
    const optedOut = folder.db.prepare("SELECT opted_out FROM person WHERE last_name = 'Lee'");
    expect(optedOut.pluck().all()).toEqual([1]);
  });

  test.each<[title: string, first: Row, second: Row]>([
    ['one name at one employer', annAtAcme, annAtAcme],
    [
      'other emails and one phone',
      { ...ann, ...phone },
      { ...ann, ...phone, email: 'lee@acme.example' },
    ],
    ['one email and another suffix', { ...ann, suffix: 'Sr.' }, { ...ann, suffix: 'Jr.' }],
    ['one email under another name', ann, { ...ann, 'first name': 'Paul' }],
    [
      'one role mailbox',
      { ...ann, email: 'info@acme.example' },
      { ...ann, email: 'info@acme.example' },
    ],
    [
      'one email and two profiles',
      { ...ann, 'Profile URL': 'linkedin.com/in/ann-lee' },
      { ...ann, 'Profile URL': 'linkedin.com/in/ann-lee-2' },
    ],
  ])('has two people: %s', async (_title, first, second) => {
    using folder = openListFolder();
    if (hasPeople) await folder.importPeople(others);
    const list = [
      { 'Record ID': '101', ...first },
      { 'Record ID': '103', ...second },
    ];
    expect(await folder.importPeople(list, { source: 'CRM' })).toMatchObject({ people_added: 2 });
  });
});

test('a list that a separate thread reads keeps its columns too', async () => {
  using folder = openListFolder();
  const many = Array.from({ length: 10_001 }, (_, at) => ({
    id: String(at),
    'first name': `F${at}`,
    'last name': `L${at}`,
    Note: `n${at}`,
  }));
  await folder.importPeople(many, { source: 'Long', keep: ['Note'] });
  expect(readOwn(folder, 'L10000')).toEqual({ Long: { id: '10000', kept: { Note: 'n10000' } } });
});

test('what lists say of some contacts is found by keys only, whatever the size of the lists', () => {
  using folder = openListFolder();
  const steps = planOn(folder.db, () => readOwnRecords(folder.db, ['someone']));
  expect(steps.some((step) => step.includes('person_listing_person'))).toBe(true);
  // Of the contacts (w) and of the imports, but of no records.
  expect(steps.filter((step) => /^SCAN (?!w\b|source_import)|AUTOMATIC/.test(step))).toEqual([]);
});
