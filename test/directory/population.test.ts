/** More people exist than the directory holds: what a name says does not depend on its size. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../property-runs.ts';
import { indexOf, matchOne, type Person } from './small-directory.ts';

const at = 'Penrith Mills Ltd';

test.each([
  ['Paul', 'Paula'],
  ['Mario', 'Maria'],
  ['Erik', 'Erika'],
  ['Alexander', 'Alexandra'],
  ['Robert', 'Roberta'],
  ['Dean', 'Dan'],
  ['Joan', 'Ivan'],
  ['Min-jung', 'Min-ji'],
  ['Min-jung', 'Min-jun'],
])('the given names %s and %s are those of two people, in a directory of one', (written, held) => {
  const index = indexOf([{ first: held, last: 'Haverkamp', jobs: [{ at }] }]);
  const row = { first_name: written, last_name: 'Haverkamp', company_name: at };
  expect(matchOne(index, row).person).toBe(0);
});

test.each([
  ['Harris', 'Harrison'],
  ['Chen', 'Cheng'],
  ['Hussein', 'Hassan'],
  ['Peters', 'Petersen'],
  ['Taylor', 'Naylor'],
  ['Robertson', 'Roberts'],
  ['Stephens', 'Stephenson'],
  ['Li', 'Lee'],
])('the surnames %s and %s are those of two people, in a directory of one', (written, held) => {
  const index = indexOf([{ first: 'Ingrid', last: held, jobs: [{ at }] }]);
  const row = { first_name: 'Ingrid', last_name: written, company_name: at };
  expect(matchOne(index, row).person).toBe(0);
});

test.each([
  ['Steven', 'Haverkamp', 'Stephen', 'Haverkamp'],
  ['Marc', 'Haverkamp', 'Mark', 'Haverkamp'],
  ['Catherine', 'Haverkamp', 'Katherine', 'Haverkamp'],
  ['Tracey', 'Haverkamp', 'Tracy', 'Haverkamp'],
  ['Jorge', 'Haverkamp', 'George', 'Haverkamp'],
  ['Marcos', 'Haverkamp', 'Mark', 'Haverkamp'],
  ['Pepe', 'Haverkamp', 'José', 'Haverkamp'],
  ['Uli', 'Haverkamp', 'Ulrich', 'Haverkamp'],
  ['Kathi', 'Haverkamp', 'Katharina', 'Haverkamp'],
  ['Ingrid', 'Meier', 'Ingrid', 'Maier'],
  ['Ingrid', 'Harison', 'Ingrid', 'Harrison'],
  ['Davdi', 'Haverkamp', 'David', 'Haverkamp'],
])(
  '%s %s may be %s %s, by another spelling, language or a slip',
  (first, last, heldFirst, heldLast) => {
    const index = indexOf([{ first: heldFirst, last: heldLast, jobs: [{ at }] }]);
    const row = { first_name: first, last_name: last, company_name: at };
    expect(matchOne(index, row).person).toBe(1);
  },
);

test.each([
  ['in two columns', { first_name: 'Patricia', last_name: 'Morgan' }],
  ['in one column', { first_name: 'Patricia Morgan' }],
  ['in the column of surnames', { last_name: 'Morgan, Patricia' }],
  [
    'with a private mailbox that spells it',
    { first_name: 'Patricia', last_name: 'Morgan', email: 'patricia.morgan@gmail.com' },
  ],
])('a common name %s is no answer, but its holder a candidate', (_where, row) => {
  const index = indexOf([{ first: 'Patricia', last: 'Morgan', jobs: [{ at }] }]);
  expect(matchOne(index, row)).toMatchObject({ person: 0, reason: 'ambiguous', candidates: [1] });
});

test.each([
  ['in two columns', { first_name: 'Endrika', last_name: 'Ehretsmann' }],
  ['in one column', { first_name: 'Endrika Ehretsmann' }],
  ['in the column of surnames', { last_name: 'Ehretsmann, Endrika' }],
])('a name that hardly anyone has finds its holder %s', (_where, row) => {
  const index = indexOf([{ first: 'Endrika', last: 'Ehretsmann', jobs: [{ at }] }]);
  expect(matchOne(index, row).person).toBe(1);
});

const given = ['Paul', 'Paula', 'Steven', 'Ingrid', 'Endrika'];
const surnames = ['Morgan', 'Haverkamp', 'Ehretsmann', 'Peters', 'Petersen'];
const person: fc.Arbitrary<Person> = fc.record({
  first: fc.constantFrom(...given),
  last: fc.constantFrom(...surnames),
  jobs: fc.constantFrom([{ at }], [{ at: 'Borealis Bank' }], []),
});
const other: fc.Arbitrary<Person> = fc.record({
  first: fc.constantFrom('Quentin', 'Wolfgang', 'Beatriz'),
  last: fc.constantFrom('Okonkwo', 'Lindqvist', 'Yamamoto'),
  jobs: fc.constantFrom([{ at }], [{ at: 'Borealis Bank' }], [{ at: 'Gulf Cedar' }]),
});
const row = fc.record({
  first_name: fc.constantFrom(...given, 'Stephen', 'Endrka', ''),
  last_name: fc.constantFrom(...surnames, 'Ehretsman', 'Haverkmap'),
  company_name: fc.constantFrom('', at, 'Nowhere Inc'),
});

test('an answer’s confidence does not rise when other people leave the directory', () => {
  fc.assert(
    fc.property(person, fc.array(other, { maxLength: 20 }), row, (own, others, cells) => {
      const among = matchOne(indexOf([own, ...others]), cells);
      const alone = matchOne(indexOf([own]), cells);
      expect(alone.confidence).toBeLessThanOrEqual(among.confidence + 0.002);
    }),
    { numRuns: runsOf(60) },
  );
});
