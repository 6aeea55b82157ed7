// A list that is long in comparison with the directory is loaded in bulk, with the same result.
import { describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../engine/contract/directory.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { recordNames } from '../../engine/directory/normalize/record-fields.ts';
import { inventName } from '../invented-names.ts';
import { runsOf } from '../property-runs.ts';
import { createRandom } from '../random.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

const fillerSource = 'others';

/** Imports other people, so many that a list is short in comparison. */
async function importOthers(folder: ListFolder, list: readonly Row[]): Promise<void> {
  const rows = Array.from({ length: list.length * 5 }, (_, at) => {
    const [first, last] = inventName(at);
    return { 'First name': first, 'Last name': last };
  });
  await folder.importPeople(rows, { source: fillerSource });
}

type Ids = ReadonlyMap<unknown, unknown>;

/** All content without the numbers of rows, which depend on the order of writing. */
function describeContent({ db, dump }: ListFolder): Record<string, string[]> {
  const mapOf = (sql: string): Ids => new Map(db.prepare(sql).raw().all() as [unknown, unknown][]);
  const sources = mapOf('SELECT id, source FROM source_import');
  const people = mapOf('SELECT id, uuid FROM person');
  const companies = mapOf('SELECT id, uuid FROM company');
  const jobs = mapOf(`SELECT e.id, json_array(p.uuid, c.uuid, e.title, e.email, e.start_on)
    FROM employment e JOIN person p ON p.id = person_id LEFT JOIN company c ON c.id = company_id`);
  const records = { person: people, company: companies, employment: jobs };
  const named: Readonly<Record<string, Ids>> = {
    import_id: sources,
    person_id: people,
    company_id: companies,
    employment_id: jobs,
  };
  const { counts, ...tables } = dump() as Record<string, Record<string, unknown>[]>;
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => {
      const described = rows.map(({ id, record_id: recordId, ...row }) => {
        const ids = recordId === undefined ? null : records[recordNames[Number(row.record)]!];
        const cells = Object.entries(row).map(([name, value]) => [
          name,
          named[name]?.get(value) ?? value,
        ]);
        return [...cells, ids?.get(recordId)];
      });
      const shown = described.map((row) => JSON.stringify(row));
      return [table, shown.filter((row) => !row.includes(fillerSource)).sort()];
    }),
  );
}

const values: Readonly<Record<string, readonly string[]>> = {
  'First name': ['Ann', 'Anne', 'Bob', 'Robert', 'Jörg', 'Joerg', ''],
  'Last name': ['Lee', 'Müller', 'Mueller', 'Smith', 'Smith-Jones', 'Jones', ''],
  Company: ['Acme', 'Acme Inc.', 'Globex', 'Initech', 'Hooli', ''],
  'Company city': ['Graz', 'Linz', '', '', ''],
  'Job title': ['Clerk', 'Owner', ''],
  Email: ['ann@acme.example', 'lee@acme.example', 'bob@globex.example', 'info@acme.example'],
  'Personal email': ['ann@gmail.com', 'bob@gmail.com'],
  'Profile URL': ['linkedin.com/in/ann-lee', 'linkedin.com/in/bob-smith'],
  Phone: ['+43 316 555 0142', '+43 316 555 0143'],
  Notes: ['met', 'called', ''],
};
/** Share of the cells that are filled, by column; the others are always filled. */
const filled: Readonly<Record<string, number>> = {
  Email: 0.2,
  'Personal email': 0.05,
  'Profile URL': 0.1,
  Phone: 0.2,
};
/** Share of the rows that say nothing but their employer, phone and id. */
const nameless = 0.05;
const nobody = { 'First name': '', 'Last name': '', Email: '', 'Profile URL': '' };

function makeRows(random: () => number, count: number, shareWithId: number): Row[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  return Array.from({ length: count }, () => {
    const cells = Object.entries(values).map(([header, texts]) => [
      header,
      random() < (filled[header] ?? 1) ? pick(texts) : '',
    ]);
    const id = random() < shareWithId ? String(Math.floor(random() * count * 2)) : '';
    const blank = random() < nameless ? nobody : {};
    return { 'Record ID': id, ...(Object.fromEntries(cells) as Row), ...blank };
  });
}

interface TwoLists {
  readonly known: readonly Row[];
  readonly list: readonly Row[];
  /** Of the second list. */
  readonly options: ImportOptions;
}

/** Imports two lists in bulk and row by row, and expects equal directories and reports. */
async function expectOneResult({ known, list, options }: TwoLists): Promise<void> {
  const contents = [];
  for (const isLong of [true, false]) {
    using folder = openListFolder();
    if (!isLong) await importOthers(folder, list);
    if (known.length > 0) await folder.importPeople(known, { source: 'CRM', keep: ['*'] });
    const report = await folder.importPeople(list, { keep: ['*'], ...options });
    const { import_id, started_at, completed_at, remarks, ...counts } = report;
    contents.push({ ...describeContent(folder), counts, remarks });
  }
  expect(contents[0]).toEqual(contents[1]);
}

describe.each([
  ['an empty directory', 0],
  ['a directory of people', 24],
])('into %s', (_what, knownCount) => {
  test.each(
    [0, 0.7, 1].flatMap((share) =>
      Array.from({ length: runsOf(16) }, (_, seed) => [share, seed] as const),
    ),
  )('rows of which %d have an id, seed %i', async (share, seed) => {
    const random = createRandom(seed * 10 + share);
    const known = makeRows(random, knownCount, share);
    const list = makeRows(random, 60, share);
    await expectOneResult({ known, list, options: { source: 'fair' } });
  });
});

const phone = '+43 316 555 0142';
const [asCrm, asFair] = [{ source: 'CRM' }, { source: 'fair' }];

/** @param cells id, first name, last name, company, phone, email, city of the company */
const makeRow = (...cells: readonly string[]): Row => {
  const headers = ['id', 'first name', 'last name', 'company', 'phone', 'email', 'company city'];
  return Object.fromEntries(headers.map((header, at) => [header, cells[at] ?? '']));
};

test.each<[what: string, known: readonly string[][], list: readonly string[][], ImportOptions]>([
  [
    'a name that its id changes, at an employer of before',
    [['1', 'Ann', 'Lee', 'Globex', phone]],
    [
      ['1', 'Ann', 'Kim', 'Hooli'],
      ['2', 'Ann', 'Kim', 'Globex', phone],
    ],
    asCrm,
  ],
  [
    'a name that an older list does not change, at the employer that it adds',
    [['1', 'Ann', 'Lee', 'Globex', phone]],
    [
      ['1', 'Ann', 'Kim', 'Hooli'],
      ['2', 'Ann', 'Lee', 'Hooli', phone],
    ],
    { ...asCrm, observed: '2020-01-01' },
  ],
  [
    'a name of the same list, with the phone of a row under another name',
    [],
    [
      ['1', 'Ann', 'Lee', 'Globex'],
      ['3', 'Bob', 'Roe', 'Acme'],
      ['1', 'Ann', 'Kim', 'Hooli', phone],
      ['2', 'Ann', 'Lee', 'Globex', phone],
    ],
    asCrm,
  ],
  [
    'a name that is unknown at first',
    [],
    [
      ['1', 'Ann', '', 'Globex', phone],
      ['3', 'Bob', 'Roe', 'Acme'],
      ['1', 'Ann', 'Kim', 'Hooli'],
      ['2', 'Ann', 'Kim', 'Globex', phone],
    ],
    asCrm,
  ],
  [
    'a row that waits, and the second employer of a later person',
    [['', 'Bob', 'Roe', 'Acme', '', 'a@acme.example']],
    [
      ['', 'Ann', 'Lee', 'Globex', '', 'a@acme.example'],
      ['5', 'Ann', 'Lee', 'Hooli'],
      ['5', 'Ann', 'Lee', 'Globex'],
    ],
    asFair,
  ],
  [
    'a refused row that says the city of a known company before another row',
    [
      ['1', 'Ann', 'Lee', 'Acme'],
      ['2', 'Ann', 'Lee', 'Acme', '', 'ann@acme.example'],
    ],
    [
      ['', 'Ann', 'Lee', 'Acme', '', '', 'Graz'],
      ['', 'Bob', 'Roe', 'Acme', '', '', 'Linz'],
    ],
    asFair,
  ],
  [
    'an id that two lists give to two people',
    [
      ['7', 'Zoe', 'Poe', 'Initech'],
      ['', 'Ann', 'Lee', 'Acme'],
      ['9', 'Ann', 'Lee', 'Acme'],
      ['8', 'Bob', 'Roe', 'Globex'],
    ],
    [
      ['9', 'Bob', 'Roe', 'Globex'],
      ['3', 'Eve', 'Fox', 'Initech'],
      ['9', 'Ann', 'Lee', 'Acme'],
    ],
    asFair,
  ],
])('%s', (_what, known, list, options) =>
  expectOneResult({
    known: known.map((cells) => makeRow(...cells)),
    list: list.map((cells) => makeRow(...cells)),
    options,
  }),
);

test('rows that wait for the indexes are done when they are merged, which can be stopped', async () => {
  using folder = openListFolder();
  const rows = Array.from({ length: 600 }, (_, at) => ({
    id: `${at}`,
    Email: `u${at}@acme.example`,
  }));
  await folder.importPeople(rows, { source: 'CRM' });
  const before = folder.dump();
  const peoplePath = folder.write('fair.csv', rows);
  const shown = new Set<number>();
  const stop = new AbortController();
  const stages = new Set<string>();
  const note = (done: number, _total: number, label: string) => {
    stages.add(label);
    if (label === 'fair.csv') shown.add(done);
  };
  const stopLate: typeof note = (done) => void (done === 500 && stop.abort());
  const run = (onProgress: typeof note, signal?: AbortSignal) =>
    importDirectory(folder.db, { peoplePath, source: 'fair' }, onProgress, signal);
  await expect(run(stopLate, stop.signal)).rejects.toThrow('abort');
  expect(folder.dump()).toEqual(before);
  expect(await run(note)).toMatchObject({ people_merged: 600 });
  // The row that is read and the one before it do not wait yet.
  expect([...shown]).toEqual([1, 2, 500, 600]);
  expect([...stages]).toEqual(['fair.csv', 'Indexing the rows']);
});
