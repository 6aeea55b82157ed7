/** The forecast for unseen dirt trains without each kind and counts the rows that have it. */
import { expect, test } from 'vitest';
import { leaveOneOut } from './leave-one-out.ts';
import { createDraft } from './messy/draft.ts';
import type { MessyRow } from './messy/make-people-rows.ts';
import { smallDirectory } from './messy/small-directory.ts';

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

test('each kind is counted on rows that have it, by a matcher trained on rows that lack it', async () => {
  const trainedOn: string[][] = [];
  const rows = [rowOf('1', ['a']), rowOf('2', ['a', 'b']), rowOf('3', ['b'])];
  const table = await leaveOneOut(
    async (training) => {
      trainedOn.push(training.map(({ id }) => id));
      return async (asked) =>
        asked.map(({ id }) => ({ answer: id === '1' ? 'p1' : 'p2', confidence: 1 }));
    },
    rows,
    rows,
  );
  expect(trainedOn).toEqual([['3'], ['1']]);
  expect(table).toEqual([
    { kind: 'a', counts: { rows: 2, known: 2, right: 1, wrong: 1 } },
    { kind: 'b', counts: { rows: 2, known: 2, right: 0, wrong: 2 } },
  ]);
});
