// Names of rows against names of people, as a review shows them.
import { expect, test } from 'vitest';
import { createNameComparer } from '../../engine/directory/match/compare-names.ts';
import { indexOf } from './small-directory.ts';

const crowd = ['Paul', 'Paul', 'Paula', 'Paula', 'Michael', 'Michael'].map((first, at) => ({
  first,
  last: `Tree${at}`,
}));
const compare = createNameComparer(
  indexOf([
    { first: 'Elizabeth', last: 'Vasquez-Levy', middle: 'Ann' },
    { first: 'Paula', last: 'Haverkamp' },
    ...crowd,
  ]),
);

test.each([
  ['Elizabeth', 'Vasquez-Levy', 1, 'same', 'same'],
  ['ELIZABETH', 'Vasquez Levy', 1, 'same', 'same'],
  ['Liz', 'Levy', 1, 'similar', 'similar'],
  ['Elisabteh', 'Vasqez-Levy', 1, 'similar', 'similar'],
  ['E.', 'Vasquez-Levy', 1, 'similar', 'same'],
  ['Ann', 'V.', 1, 'similar', 'similar'],
  ['Vasquez-Levy', 'Elizabeth', 1, 'similar', 'similar'],
  ['Elizabeth Vasquez-Levy', '', 1, 'same', 'same'],
  ['Michael', 'Vasquez-Levy', 1, 'different', 'same'],
  ['Elizabeth', 'Haverkamp', 1, 'same', 'different'],
  ['Paul', 'Haverkamp', 2, 'different', 'same'],
  ['', 'Haverkamp', 2, 'different', 'same'],
  ['', '', 2, 'different', 'different'],
])('%s %s and person %i: %s, %s', (first, last, personId, ofFirst, ofLast) => {
  expect(compare({ first, last, personId })).toEqual({ first: ofFirst, last: ofLast });
});

test('a person who is not in the index is compared with no one', () => {
  expect(compare({ first: 'Ann', last: 'Lee', personId: 99 })).toBeNull();
});
