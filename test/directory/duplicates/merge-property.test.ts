// Merges, undo, imports and dismissals in any order lose nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EngineError } from '../../../engine/contract/errors.ts';
import { undoImport } from '../../../engine/directory/import/undo-import.ts';
import { buildIndex } from '../../../engine/directory/index/index-build.ts';
import { runsOf } from '../../property-runs.ts';
import { type ListFolder, openListFolder, type Row } from '../list-folder.ts';
import { merge, search, undo } from './merge-folder.ts';

const propertyTimeoutMs = 60_000;
const pick = (...values: string[]) => fc.constantFrom(...values);
const row: fc.Arbitrary<Row> = fc.record({
  id: pick('1', '2', '3', '4'),
  'first name': pick('Ann', 'Anne', 'Bob'),
  'last name': pick('Lee', 'May'),
  company: pick('', 'Acme', 'Acme Inc.', 'Globex'),
  'company domain': pick('', '', 'acme.example'),
  title: pick('', 'Chief', 'Clerk'),
  email: pick('', 'ann@acme.example', 'bob@globex.example', 'x@y.example'),
  'profile url': pick('', '', 'linkedin.com/in/ann', 'linkedin.com/in/bob'),
  'mobile phone': pick('', '', '+12025550101', '+12025550102'),
  'company phone': pick('', '', '+12025550101'),
  start: pick('', '', '2019'),
  city: pick('', 'Bern', 'Rome'),
  country: pick('', 'Switzerland'),
  observed: pick('2026-01-01', '2026-02-01'),
});
const list = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 5 }),
  source: pick('crm', 'fair'),
  trust: fc.constantFrom(0.5, 0.8),
});

const kinds = ['person', 'company'] as const;
type Kind = (typeof kinds)[number];

const step = fc.oneof(
  { weight: 2, arbitrary: list.map((given) => ({ do: 'import' as const, ...given })) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      kind: fc.constantFrom<Kind>(...kinds),
      one: fc.nat(5),
      other: fc.nat(5),
      chosen: fc.array(pick('first_name', 'city', 'name', 'domain'), { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), merge: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), import: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('search' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const listIds = ({ db }: ListFolder, kind: Kind): string[] =>
  db.prepare(`SELECT uuid FROM ${kind} ORDER BY id`).pluck().all() as string[];

/** Makes a merge of two records; null if there are not two. */
function tryMerge(
  folder: ListFolder,
  { kind, one, other, chosen }: Extract<Step, { do: 'merge' }>,
) {
  const ids = listIds(folder, kind);
  const [a, b] = [ids[one % ids.length], ids[other % ids.length]];
  if (!a || !b || a === b) return null;
  const known = kind === 'person' ? ['first_name', 'city'] : ['name', 'domain', 'city'];
  const choices = Object.fromEntries(
    chosen.filter((field) => known.includes(field)).map((field) => [field, b]),
  );
  return merge(folder.db, a, b, { kind, choices, acrossLegalForms: true });
}

function refusedWith(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** Facts of all records and of the merges that were not undone: values, identifiers and names. */
function readFacts({ db }: ListFolder): Set<string> {
  const facts = new Set<string>();
  const add = (what: string, value: unknown) => {
    if (typeof value === 'string' && value !== '') facts.add(`${what} ${value.toLowerCase()}`);
  };
  const addRows = (table: string, rows: readonly Record<string, unknown>[]) => {
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (!/_on$|_key$|uuid|given_id|phone$/.test(column)) add(`${table} ${column}`, value);
  };
  const tables = ['person', 'employment', 'person_name', 'person_key', 'person_phone', 'company'];
  for (const table of [...tables, 'company_alias', 'value_claim'])
    addRows(table, db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]);
  const merges = db
    .prepare('SELECT before FROM record_merge WHERE undone_at IS NULL')
    .pluck()
    .all() as string[];
  for (const before of merges)
    for (const [table, rows] of Object.entries(JSON.parse(before)))
      addRows(table, rows as Record<string, unknown>[]);
  return facts;
}

/** What refers to nothing, or names a record that is gone. */
function findBroken({ db }: ListFolder): unknown[] {
  return [
    ...(db.pragma('foreign_key_check') as unknown[]),
    ...db.prepare('SELECT uuid FROM merged_record WHERE uuid IN (SELECT uuid FROM person)').all(),
    ...db
      .prepare(
        `SELECT record, record_id FROM value_claim WHERE
           (record = 0 AND record_id NOT IN (SELECT id FROM person)) OR
           (record = 1 AND record_id NOT IN (SELECT id FROM employment)) OR
           (record = 2 AND record_id NOT IN (SELECT id FROM company))`,
      )
      .all(),
    ...db
      .prepare('SELECT id FROM person WHERE employment_id NOT IN (SELECT id FROM employment)')
      .all(),
  ];
}

test(
  'after any imports, merges and undos, every fact is at a survivor or in a merge',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        list,
        fc.array(step, { minLength: 3, maxLength: 8 }),
        async (first, steps) => {
          using folder = openListFolder();
          await folder.importPeople(first.rows, first);
          const merges: number[] = [];
          for (const one of steps) {
            const before = readFacts(folder);
            if (one.do === 'import') await folder.importPeople(one.rows, one);
            else if (one.do === 'merge') {
              const dump = folder.dump();
              const id = tryMerge(folder, one);
              if (id === null) continue;
              expect([...before].filter((fact) => !readFacts(folder).has(fact))).toEqual([]);
              undo(folder.db, id);
              expect(folder.dump()).toEqual(dump);
              const again = tryMerge(folder, one);
              if (again !== null) merges.push(again);
            } else if (one.do === 'undo') {
              const id = merges[one.merge % merges.length];
              const dump = folder.dump();
              if (id !== undefined && refusedWith(() => undo(folder.db, id)) !== null)
                expect(folder.dump()).toEqual(dump);
            } else if (one.do === 'forget')
              refusedWith(() => undoImport(folder.db, one.import + 1));
            else await search(folder.db);
            expect(findBroken(folder)).toEqual([]);
          }
          const { personIds } = buildIndex(folder.db).sections;
          const people = folder.db.prepare('SELECT id FROM person ORDER BY id').pluck().all();
          expect([...personIds]).toEqual(people);
        },
      ),
      { numRuns: runsOf(8) },
    );
  },
  propertyTimeoutMs,
);

test('a merge that a list of companies touched names the import that can be undone', async () => {
  using folder = openListFolder();
  const { db } = folder;
  const acme = { id: 'a', name: 'Acme', domain: 'acme.example' };
  await folder.importCompanies([acme, { id: 'b', name: 'Acme Tools', city: 'Bern' }]);
  const [one = '', other = ''] = listIds(folder, 'company');
  const mergeId = merge(db, one, other, { kind: 'company' });
  const merged = folder.dump();
  const person = { id: '1', name: 'Ann Lee', company: 'Globex' };
  const { import_id: id } = await folder.importBoth([person], [{ ...acme, city: 'Rome' }]);
  expect(() => undo(db, mergeId)).toThrow(`import ${id} stated values`);
  undoImport(db, id);
  expect(folder.dump()).toEqual(merged);
  undo(db, mergeId);
  expect(listIds(folder, 'company')).toEqual([one, other]);
});
