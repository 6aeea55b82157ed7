// Plain rows: most are answered by a short comparison, which never names another person.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf } from '../../../engine/directory/match/graded/answer.ts';
import { createGradedMatcher } from '../../../engine/directory/match/graded/graded-matcher.ts';
import { loadModel } from '../../../engine/directory/match/graded/model.ts';
import { readPlainRow } from '../../../engine/directory/match/graded/readings/plain-row.ts';
import { defaultMatchThreshold } from '../../../engine/directory/match/match-threshold.ts';
import { runsOf } from '../../property-runs.ts';
import { indexOf, matchOne, type Person, type Row } from '../small-directory.ts';

const readerOf = (row: Row & { phone?: string }) => (cell: keyof Row | 'phone') => row[cell] ?? '';

test.each<[string, Row & { phone?: string }]>([
  ['a name and a company', { first_name: 'Ada', last_name: 'King', company_name: 'Acme Ltd.' }],
  ['accents, hyphens and apostrophes', { first_name: 'Zoë-Ann', last_name: "O'Néill" }],
  ['a middle initial', { first_name: 'Ada B.', last_name: 'King' }],
  ['an address', { first_name: 'Ada', last_name: 'King', email: ' Ada.King@Acme.example' }],
])('%s: the row is plain', (_what, row) => {
  expect(readPlainRow(readerOf(row))).not.toBeNull();
});

test.each<[string, Row & { phone?: string }]>([
  ['a missing name', { first_name: 'Ada', company_name: 'Acme' }],
  ['two people', { first_name: 'Ada and Bob', last_name: 'King' }],
  ['a digit', { first_name: 'Ad4', last_name: 'King' }],
  ['a nickname in brackets', { first_name: 'Ada (Addie)', last_name: 'King' }],
  ['an organisation as name', { first_name: 'Springfield', last_name: 'College' }],
  ['a test row', { first_name: 'Test', last_name: 'King' }],
  ['a placeholder', { first_name: 'Unknown', last_name: 'King' }],
  ['two sides of a company', { first_name: 'Ada', last_name: 'King', company_name: 'Acme / Beta' }],
  ['text as address', { first_name: 'Ada', last_name: 'King', email: 'ask reception' }],
  ['a tagged address', { first_name: 'Ada', last_name: 'King', email: 'ada+x@acme.example' }],
  ['a phone', { first_name: 'Ada', last_name: 'King', phone: '+1 202 555 0100' }],
])('%s: the row is not plain', (_what, row) => {
  expect(readPlainRow(readerOf(row))).toBeNull();
});

const acme = 'Acme Holdings';
const firm = indexOf([
  { first: 'Robert', last: 'Whitcombe', jobs: [{ at: acme, email: 'rwhit@acme.example' }] },
  { first: 'Martha', last: 'Whitcombe', jobs: [{ at: 'Borealis Bank' }] },
  { first: 'Robert', last: 'Ellington', jobs: [{ at: 'Borealis Bank' }] },
  { first: 'Martha', last: 'Ellington', jobs: [{ at: 'Acme Partners' }] },
  { first: 'Susan', last: 'Ellington', jobs: [{ at: acme }] },
]);

test.each<[string, Row, number]>([
  ['a mistyped surname', { first_name: 'Robert', last_name: 'Whitcmbe' }, 1],
  ['a nickname and a mistyped surname', { first_name: 'Bob', last_name: 'Whitcmobe' }, 1],
  ['exchanged names', { first_name: 'Whitcombe', last_name: 'Robert' }, 1],
  ['a colleague of the same surname', { first_name: 'Susan', last_name: 'Elington' }, 5],
])('%s: someone of the organisation is found', (_what, row, person) => {
  expect(matchOne(firm, { ...row, company_name: acme })).toMatchObject({ person, reason: '' });
});

test.each<[string, Row]>([
  ['a given name and a surname of two colleagues', { first_name: 'Susan', last_name: 'Whitcombe' }],
  ['names that are held elsewhere alone', { first_name: 'Martha', last_name: 'Whitcombe' }],
])('%s: no one of the organisation is meant', (_what, row) => {
  expect(matchOne(firm, { ...row, company_name: acme }).person).toBe(0);
});

const givenNames = ['Robert', 'Bob', 'Roberta', 'Martha', 'Marta', 'Susan', 'Anne', 'Anna'];
const surnames = ['Whitcombe', 'Whitcomb', 'Ellington', 'Elling', 'Dalton', 'Daltry', 'Whit'];
const firms = [acme, 'Acme Partners', 'Borealis Bank', 'Borealis Holdings'];

const person: fc.Arbitrary<Person> = fc.record({
  first: fc.constantFrom(...givenNames),
  last: fc.constantFrom(...surnames),
  jobs: fc
    .uniqueArray(fc.constantFrom(...firms), { minLength: 1, maxLength: 2 })
    .map((names) => names.map((at, nth) => ({ at, left: nth > 0 }))),
});

/** A name, as it is or with one letter left out. */
const mistyped = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.integer({ min: -6, max: 8 }))
    .map(([name, at]) => (at < 1 ? name : name.slice(0, at) + name.slice(at + 1)));

test('the short comparison never names another person than the full one', () => {
  const row = fc.record({
    first_name: mistyped(givenNames),
    last_name: mistyped(surnames),
    company_name: fc.constantFrom(...firms),
  });
  fc.assert(
    fc.property(
      fc.array(person, { minLength: 1, maxLength: 14 }),
      fc.array(row, { minLength: 1, maxLength: 8 }),
      (people, rows) => {
        const index = indexOf(people);
        const compare = createGradedMatcher(index, loadModel());
        for (const cells of rows) {
          const short = matchOne(index, cells);
          const full = answerOf(compare(readerOf(cells), null), defaultMatchThreshold);
          if (short.person === 0 || full.kind !== 'match') continue;
          expect(short.person).toBe(index.sections.personIds[full.candidate.person]);
        }
      },
    ),
    { numRuns: runsOf(60) },
  );
});
