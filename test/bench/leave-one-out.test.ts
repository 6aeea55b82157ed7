// The forecast for dirt that was not learned trains without kinds and judges rows with them.
import { expect, test } from 'vitest';
import { eachKind, judge, judgeOnce, leaveOneOut } from '../../bench/leave-one-out.ts';
import { createDraft } from '../../bench/messy/draft.ts';
import type { MessyRow } from '../../bench/messy/make-people-rows.ts';
import { smallDirectory } from '../../bench/messy/small-directory.ts';

const [person] = smallDirectory.people;
const rowOf = (id: string, kinds: string[]): MessyRow => ({
  id,
  kinds,
  split: 'train',
  cells: createDraft(person!, person!.jobs[0]!).cells,
  personId: 'p1',
  reason: '',
  madeFrom: 'p1',
});

const rows = [rowOf('1', ['a']), rowOf('2', ['a', 'b']), rowOf('3', ['b'])];
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

/** The table of the rows by kind, and the rows that each matcher was trained on. */
function leaveEachOut(list: readonly MessyRow[]) {
  const trainedOn: string[][][] = [];
  const table = leaveOneOut(
    ({ training, calibration }) => {
      trainedOn.push([idsOf(training), idsOf(calibration)]);
      return (shown) =>
        judge(
          (some) => some.map(({ id }) => ({ answer: id === '1' ? 'p1' : 'p2', confidence: 0.5 })),
          shown,
        );
    },
    { training: list, calibration: list.slice(1) },
    [list],
    eachKind(list),
  );
  return { table, trainedOn };
}

test('rows with a kind are answered by a matcher that learned from rows without it', () => {
  const { table, trainedOn } = leaveEachOut(rows);
  expect(trainedOn).toEqual([
    [['3'], ['3']],
    [['1'], []],
  ]);
  const judged = { truth: 'p1', confidence: 0.5 };
  expect(table).toMatchObject([
    {
      name: 'a',
      lists: [
        [
          { ...judged, id: '1', kinds: ['a'], answer: 'p1' },
          { ...judged, id: '2', kinds: ['a', 'b'], answer: 'p2' },
        ],
      ],
    },
    { name: 'b', lists: [[{ id: '2' }, { id: '3' }]] },
  ]);
});

test('a row without an answer counts for what it is, not for what was added to it', () => {
  const kindsOf = (...kinds: string[]) => eachKind([rowOf('1', kinds)]).map(({ name }) => name);
  expect(kindsOf('not-generation', 'text-quotes')).toEqual(['not-generation']);
  expect(kindsOf('not-hidden', 'text-quotes')).toEqual(['not-hidden', 'text-quotes']);
});

test('the forecast of a list has each row once, by a matcher that lacks one of its kinds', () => {
  const many = Array.from({ length: 20 }, (_value, at) => rowOf(`row ${at}`, ['a', 'b', 'c']));
  const list = [...many, rowOf('other', ['d'])];
  const learned = judge((shown) => shown.map(() => ({ answer: 'p1', confidence: 1 })), list);
  const { table } = leaveEachOut(list);
  const known = table.filter(({ name }) => name !== 'd');
  const judged = judgeOnce(learned, known, 0);
  expect(idsOf(judged)).toEqual(idsOf(list));
  expect(judged.map(({ confidence }) => confidence)).toEqual([...many.map(() => 0.5), 1]);
});
