/** A list that is long in comparison with the directory is loaded in bulk, with the same result. */
import { describe, expect, test } from 'vitest';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { recordNames } from '../../engine/directory/normalize/record-fields.ts';
import { inventName } from '../invented-names.ts';
import { runsOf } from '../property-runs.ts';
import { createRandom } from '../random.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

const fillerSource = 'others';
/** More than any list, so that a list is short in comparison. */
const fillerCount = 400;

async function importOthers(folder: ListFolder): Promise<void> {
  const rows = Array.from({ length: fillerCount }, (_, at) => {
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
    const contents = [];
    for (const isLong of [true, false]) {
      using folder = openListFolder();
      if (!isLong) await importOthers(folder);
      if (knownCount > 0) await folder.importPeople(known, { source: 'CRM', keep: ['*'] });
      const report = await folder.importPeople(list, { source: 'fair', keep: ['*'] });
      const { import_id, started_at, completed_at, remarks, ...counts } = report;
      contents.push({ ...describeContent(folder), counts, remarks });
    }
    expect(contents[0]).toEqual(contents[1]);
  });
});

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
  const note = (done: number) => void shown.add(done);
  const stopLate = (done: number) => void (done === 500 && stop.abort());
  const run = (onProgress: typeof note, signal?: AbortSignal) =>
    importDirectory(folder.db, { peoplePath, source: 'fair' }, onProgress, signal);
  await expect(run(stopLate, stop.signal)).rejects.toThrow('abort');
  expect(folder.dump()).toEqual(before);
  expect(await run(note)).toMatchObject({ people_merged: 600 });
  // The row that is read and the one before it do not wait yet.
  expect([...shown]).toEqual([1, 2, 500, 600]);
});
