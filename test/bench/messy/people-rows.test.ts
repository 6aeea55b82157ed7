// Messy lists of people: what each kind of dirt changes, and that their labels are right.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDraws } from '../../../bench/generate-draws.ts';
import {
  type Cells,
  cellNames,
  createDraft,
  readClues,
  type Source,
} from '../../../bench/messy/draft.ts';
import {
  applyKinds,
  labelRow,
  makePeopleRows,
  peopleKinds,
} from '../../../bench/messy/make-people-rows.ts';
import { listVisibleRows } from '../../../bench/messy/messy-directory.ts';
import { negatives } from '../../../bench/messy/negatives.ts';
import { readSampleDirectory, splitNames } from '../../../bench/messy/sample-people.ts';
import { smallDirectory } from '../../../bench/messy/small-directory.ts';
import {
  compareRivals,
  costOfGiven,
  costOfLast,
  isOtherGiven,
} from '../../../bench/messy/who-is-meant.ts';
import { runsOf } from '../../property-runs.ts';

const personOf = (id: string) => smallDirectory.people.find((person) => person.id === id)!;
const draftOf = (id: string, at = 0) => {
  const { jobs } = personOf(id);
  return createDraft(personOf(id), jobs[at % jobs.length]!);
};

function sourceOf(seed: number): Source {
  const draws = createDraws(seed);
  return { draws, directory: smallDirectory, drawOther: () => personOf('p4') };
}

const anyPerson = fc.constantFrom(...smallDirectory.people.map(({ id }) => id));

test.each(peopleKinds.map((kind) => [kind.name, kind] as const))(
  '%s changes only the cells that it names',
  (_name, kind) => {
    let changed = 0;
    fc.assert(
      fc.property(anyPerson, fc.integer({ min: 0, max: 1_000_000 }), (id, seed) => {
        const draft = draftOf(id, seed);
        // Some kinds move values of these columns.
        if (seed % 2 === 0) draft.cells.email = 'list@example.org';
        const before = { ...draft.cells };
        kind.apply(draft, sourceOf(seed));
        for (const cell of cellNames)
          if (draft.cells[cell] !== before[cell]) {
            changed++;
            expect(kind.changes).toContain(cell);
          }
      }),
      { seed: 7, numRuns: runsOf(300) },
    );
    expect(changed).toBeGreaterThan(0);
  },
);

test('the tables have at least 70 kinds of dirt and 12 of rows without a person, once each', () => {
  const names = [...peopleKinds, ...negatives].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(peopleKinds.length).toBeGreaterThanOrEqual(70);
  expect(negatives.length).toBeGreaterThanOrEqual(12);
});

test.each([
  ['given name and surname of one', 'p4', {}, 'match'],
  ['the initial of two colleagues', 'p4', { first_name: 'M.' }, 'ambiguous'],
  ['the first letters of two colleagues', 'p4', { first_name: 'Mar' }, 'ambiguous'],
  ['the first letters of one colleague', 'p4', { first_name: 'Marc' }, 'match'],
  ['no given name, and a colleague of the same surname', 'p4', { first_name: '' }, 'ambiguous'],
  ['no company, and a namesake elsewhere', 'p9', { company_name: '' }, 'ambiguous'],
  ['a namesake elsewhere', 'p9', {}, 'match'],
  ['the name of a colleague', 'p4', { first_name: 'Martin' }, null],
  ['a given name that others have', 'p3', { first_name: 'Paula' }, null],
  ['a given name alone', 'p3', { last_name: '', company_name: '' }, null],
  ['two slips', 'p3', { first_name: 'Pual', last_name: 'McDonlad' }, 'match'],
  ['a nickname', 'p1', { first_name: 'Bill' }, 'match'],
] as const)('a row with %s is labelled by the directory', (_what, id, cells, label) => {
  const draft = draftOf(id);
  Object.assign(draft.cells, cells);
  readClues(draft);
  expect(labelRow(draft, smallDirectory)).toBe(label);
});

test('a row with a value that only one person holds means that person, whatever else it lacks', () => {
  const draft = draftOf('p1');
  const email = peopleKinds.find(({ name }) => name === 'email-own')!;
  const alone = peopleKinds.find(({ name }) => name === 'email-alone')!;
  applyKinds(draft, [alone, email], sourceOf(1));
  expect(draft.cells).toMatchObject({
    first_name: '',
    last_name: '',
    email: 'w.obrien@utexas.edu',
  });
  expect(labelRow(draft, smallDirectory)).toBe('match');
});

test.each([
  ['Paul', 0],
  ['P.', 1],
  ['Dr. Paul', 0],
  ['Pual', 1],
  ['Gregory', 4],
])('a given name written %s costs %d', (written, cost) => {
  expect(costOfGiven(written, personOf('p3'), smallDirectory)).toBe(cost);
});
test.each([
  ["O'Brien", 0],
  ['OBRIEN', 0],
  ['O Brien, PhD', 0],
  ['OBrein', 1],
  ['Whitfield', 4],
])('a surname written %s costs %d', (written, cost) => {
  expect(costOfLast(written, personOf('p1'))).toBe(cost);
});

test('another employer costs more than any typing error, and hidden people do not compete', () => {
  const { clues, person, job } = draftOf('p9');
  const origin = { clues, person, companyId: job.companyId, company: job.company };
  expect(compareRivals(origin, smallDirectory)).toMatchObject({ own: 0, rival: null });
  const everyone = compareRivals(origin, smallDirectory, 10);
  expect([everyone.rival?.id, everyone.best]).toEqual(['p10', 4]);
  const hidden = { ...smallDirectory, isHidden: (id: string) => id === 'p10' };
  expect(compareRivals(origin, hidden, 10).rival?.id).not.toBe('p10');
});

test('a spelling that sounds the same is not another given name', () => {
  expect(isOtherGiven('Paula', personOf('p3'), smallDirectory)).toBe(true);
  expect(isOtherGiven('Marc', personOf('p4'), smallDirectory)).toBe(false);
});

test('lists of the sample are repeatable, have separate splits, and omit the development set', {
  tags: ['full'],
}, () => {
  const directory = readSampleDirectory();
  const make = (seed: number, split: (typeof splitNames)[number]) =>
    makePeopleRows(directory, { seed, split, count: 400 });
  const lists = splitNames.map((split) => make(3, split));
  expect(make(3, 'report')).toEqual(lists[2]);
  expect(make(4, 'report')).not.toEqual(lists[2]);
  const visible = new Set(listVisibleRows(directory).map((row) => row.person_id));
  for (const [at, rows] of lists.entries())
    for (const { madeFrom, personId, reason, kinds, cells } of rows) {
      const ownersOf = ({ email, profile_url: url }: Cells) =>
        directory.people
          .filter(({ emails, urls }) => emails.includes(email) || urls.includes(url))
          .map(({ id }) => [id === madeFrom, directory.splitOf(id)]);
      expect(directory.splitOf(madeFrom)).toBe(splitNames[at]);
      expect(personId === '').toBe(reason !== '');
      if (personId !== '') expect([personId, visible.has(personId)]).toEqual([madeFrom, true]);
      if (kinds[0] === 'not-hidden') expect(visible.has(madeFrom)).toBe(false);
      if (reason === 'conflict') expect(ownersOf(cells)).toEqual([[false, splitNames[at]]]);
      if (kinds[0] === 'not-phone-alone') expect(cells.first_name + cells.email).toBe('');
    }
});
