// Undo removes an import as a whole, whatever was there before or after it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { readGeneration } from '../../engine/directory/open-directory.ts';
import { readStats } from '../../engine/directory/stats.ts';
import { runsOf } from '../property-runs.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

// Each run creates its own directory on disk.
const propertyTimeoutMs = 60_000;

const pick = (...values: string[]) => fc.constantFrom(...values);
const row: fc.Arbitrary<Row> = fc.record({
  id: pick('', '', '1', '2', '3'),
  'first name': pick('Ann', 'Anne', 'Bob', 'Cy', ''),
  'last name': pick('Lee', 'May', 'Noe'),
  'other names': pick('', '', 'Ann Old', 'A. Lee|Annie Lee'),
  company: pick('', 'Acme', 'Acme Inc.', 'Globex', 'Initech'),
  'company domain': pick('', '', 'acme.example', 'globex.example'),
  'company phone': pick('', '', '+12025550100'),
  industry: pick('', 'Tools', 'Toys'),
  title: pick('', 'Chief', 'Clerk'),
  email: pick('', 'ann@acme.example', 'bob@globex.example', 'info@acme.example', 'x@y.example'),
  'profile url': pick('', '', 'linkedin.com/in/ann', 'https://www.linkedin.com/in/bob/?trk=1'),
  'mobile phone': pick('', '', '+12025550101', '+12025550102'),
  phone: pick('', '', '+12025550100', '+12025550103'),
  start: pick('', '', '2019', '2020-03'),
  end: pick('', '', '2021'),
  'is primary': pick('', '0', '1'),
  city: pick('', 'Bern', 'Rome'),
  'do not contact': pick('', '', '', 'yes'),
  owner: pick('', 'Ann', 'Bob'),
  observed: pick('', '2026-01-01', '2026-02-01'),
});
const company: fc.Arbitrary<Row> = fc.record({
  id: pick('', 'Acme', 'Globex'),
  name: pick('Acme', 'Acme Inc.', 'Globex'),
  aliases: pick('', 'ACM'),
  domain: pick('', 'acme.example', 'globex.example'),
  phone: pick('', '+12025550100'),
  tier: pick('', 'A', 'B'),
});
const list = fc.record({
  companies: fc.oneof(fc.constant([]), fc.array(company, { minLength: 1, maxLength: 4 })),
  keep: fc.boolean().map((keeps): string[] => (keeps ? ['*'] : [])),
  rows: fc.array(row, { minLength: 1, maxLength: 6 }),
  source: fc.constantFrom('crm', 'fair', 'list', undefined),
  trust: fc.constantFrom(0.5, 0.8),
  observed: pick('2026-01-01', '2026-02-01', '2026-03-01'),
});
type List = typeof list extends fc.Arbitrary<infer One> ? One : never;

const importList = (folder: ListFolder, { rows, companies, ...options }: List) =>
  companies.length > 0
    ? folder.importBoth(rows, companies, options)
    : folder.importPeople(rows, options);

test(
  'undoing the last import restores every previous value',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(list, { minLength: 1, maxLength: 3 }),
        list,
        async (before, last) => {
          using folder = openListFolder();
          for (const one of before) await importList(folder, one);
          const stood = folder.dump();
          const { import_id: importId } = await importList(folder, last);
          undoImport(folder.db, importId);
          expect(folder.dump()).toEqual(stood);
        },
      ),
      { numRuns: runsOf(30) },
    );
  },
  propertyTimeoutMs,
);

test(
  'undoing every import, in any order, leaves nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(list, { minLength: 2, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        async (lists, choices) => {
          using folder = openListFolder();
          const ids: number[] = [];
          for (const one of lists) ids.push((await importList(folder, one)).import_id);
          while (ids.length) {
            const [id = 0] = ids.splice((choices.next().value ?? 0) % ids.length, 1);
            undoImport(folder.db, id);
          }
          const { counts, ...tables } = folder.dump();
          expect(Object.values(tables).flat()).toEqual([]);
          expect(Object.values(counts?.[0] as object).filter((count) => count !== 0)).toEqual([1]);
        },
      ),
      { numRuns: runsOf(20) },
    );
  },
  propertyTimeoutMs,
);

test(
  'importing the same list again changes nothing, whatever its content',
  async () => {
    await fc.assert(
      fc.asyncProperty(list, async (one) => {
        using folder = openListFolder();
        await importList(folder, one);
        const [stood, generation] = [folder.dump(), readGeneration(folder.db)];
        const again = await importList(folder, one);
        expect(folder.dump()).toEqual(stood);
        expect(again).toMatchObject({ people_added: 0, people_updated: 0, companies_added: 0 });
        expect(readGeneration(folder.db)).toBe(generation);
      }),
      { numRuns: 5 },
    );
  },
  propertyTimeoutMs,
);

const rowOfId = fc.tuple(row, pick('1', '2', '3')).map(([given, id]) => ({
  ...given,
  id,
  'company id': given.company ?? '',
  'company domain': '',
}));

test(
  'a list with ids that grew by a row changes no person of its former rows',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOfId, { minLength: 1, maxLength: 6 }),
        list,
        async (rows, { rows: _rows, companies: _companies, ...options }) => {
          using folder = openListFolder();
          await folder.importPeople(rows, options);
          const stood = folder.dump();
          const stranger = { id: '9', 'first name': 'Zoe', 'last name': 'Zed' };
          const grown = await folder.importPeople([...rows, stranger], options);
          expect(grown).toMatchObject({ people_added: 1, people_updated: 0, companies_updated: 0 });
          const now = folder.dump();
          expect(now.employment).toEqual(stood.employment);
          expect(now.person?.slice(0, -1)).toEqual(stood.person);
        },
      ),
      { numRuns: runsOf(20) },
    );
  },
  propertyTimeoutMs,
);

const ann = { id: '1', 'first name': 'Ann', 'last name': 'Lee', company: 'Acme', title: 'Clerk' };

test('values that a later import confirmed stay when the first one is undone', async () => {
  using folder = openListFolder();
  const first = await folder.importPeople([{ ...ann, city: 'Bern' }], { source: 'crm' });
  await folder.importPeople([ann], { source: 'fair' });
  undoImport(folder.db, first.import_id);
  expect(
    folder.db
      .prepare(
        'SELECT p.first_name, p.city, e.title FROM person p JOIN employment e ON person_id = p.id',
      )
      .all(),
  ).toEqual([{ first_name: 'Ann', city: null, title: 'Clerk' }]);
});

test('a person with a job of another import stays, by name, when its own import is undone', async () => {
  using folder = openListFolder();
  const first = await folder.importPeople([{ ...ann, city: 'Bern' }], { source: 'crm' });
  await folder.importPeople([{ ...ann, company: 'Globex', start: '2026' }], { source: 'crm' });
  undoImport(folder.db, first.import_id);
  const people = folder.db.prepare('SELECT first_name, last_name, city FROM person').all();
  expect(people).toEqual([{ first_name: 'Ann', last_name: 'Lee', city: null }]);
  expect(readStats(folder.db)).toMatchObject({ people: 1, employments: 1, companies: 1 });
});

test('an id is never reused, also after an undo', async () => {
  using folder = openListFolder();
  const idOf = () => folder.db.prepare('SELECT id FROM person').pluck().get();
  const first = await folder.importPeople([ann]);
  const before = idOf();
  undoImport(folder.db, first.import_id);
  await folder.importPeople([ann]);
  expect(idOf()).toBeGreaterThan(Number(before));
});

test('undo returns the report, raises the generation, and is refused a second time', async () => {
  using folder = openListFolder();
  const first = await folder.importPeople([ann]);
  const generation = readGeneration(folder.db);
  expect(undoImport(folder.db, first.import_id)).toEqual({ ...first, status: 'undone' });
  expect(readGeneration(folder.db)).toBe(generation + 1);
  expect(readStats(folder.db).imports).toEqual([{ ...first, status: 'undone' }]);
  const codeOf = (importId: number) => {
    try {
      return undoImport(folder.db, importId);
    } catch (error) {
      return error instanceof EngineError ? error.code : error;
    }
  };
  expect(codeOf(first.import_id)).toBe('already_finished');
  expect(codeOf(99)).toBe('not_found');
});
