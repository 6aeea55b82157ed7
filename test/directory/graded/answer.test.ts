// Which candidates a row without a match keeps.
import { expect, test } from 'vitest';
import { answerOf } from '../../../engine/directory/match/graded/answer.ts';
import type {
  GradedCandidate,
  GradedResult,
} from '../../../engine/directory/match/graded/graded-matcher.ts';
import { first, last } from '../../../engine/directory/match/graded/levels.ts';
import { indexOf, matchOne } from '../small-directory.ts';

const candidate = (person: number, probability: number): GradedCandidate => ({
  person,
  probability,
  score: 0,
  org: 0,
  orgScore: 0,
  group: -1,
  identifiers: 0,
  last: last.exact,
  first: first.exact,
  isCurrent: true,
  isDomain: false,
  reading: null,
  isSuffixConflict: false,
  isOtherMiddle: false,
  isOtherInLast: false,
});
const resultOf = (...probabilities: number[]): GradedResult => ({
  text: {} as never,
  identified: {} as never,
  candidates: probabilities.map((probability, at) => candidate(at, probability)),
  veto: null,
  hasName: true,
  isOffice: () => false,
});
const briefOf = (...probabilities: number[]) => {
  const answer = answerOf(resultOf(...probabilities), 0.9);
  const people = answer.kind === 'match' ? [answer.candidate] : answer.candidates;
  return [answer.kind, people.map(({ person }) => person)];
};

test.each([
  [[0.95, 0.04], 'match', [0]],
  [[0.45, 0.4], 'ambiguous', [0, 1]],
  [[0.8, 0.1], 'no_match', [0]],
  [[0.3, 0.05], 'no_match', [0]],
  [[0.21, 0.2], 'no_match', [0, 1]],
  [[0.19, 0.01], 'no_match', []],
  [[], 'no_match', []],
])('candidates as likely as %j give %s with %j', (probabilities, kind, people) => {
  expect(briefOf(...probabilities)).toEqual([kind, people]);
});

test('a candidate that a veto excludes is not kept', () => {
  const answer = answerOf({ ...resultOf(0.8), veto: 'no_evidence' }, 0.9);
  expect(answer).toEqual({ kind: 'no_match', candidates: [] });
});

test('a row of the matcher keeps its unlikely candidate', () => {
  const crowd = Array.from({ length: 30 }, (_, at) => ({ first: `Given${at}`, last: `Name${at}` }));
  const index = indexOf([{ first: 'Paula', last: 'Haverkamp', jobs: [{ at: 'Acme' }] }, ...crowd]);
  expect(matchOne(index, { first_name: 'P.', last_name: 'Haverkamp' })).toMatchObject({
    person: 0,
    reason: 'no_match',
    candidates: [1],
  });
});

const mailboxes = indexOf(
  [
    ['Linda', 'Brown', 'linda.brown7@gmail.com'],
    ['Robert', 'Miller', 'rmiller@gmail.com'],
    ['Maria', 'Miller', 'mmiller@gmail.com'],
    ...Array.from({ length: 30 }, (_, at) => [`Given${at}`, `Name${at}`, `given${at}@gmail.com`]),
  ].map(([first = '', last = '', email = '']) => ({
    first,
    last,
    jobs: [{ at: 'Acme', email }],
  })),
);

test.each([
  ['a lost letter', 'linda.bown7@gmail.com'],
  ['an added letter', 'lindaa.brown7@gmail.com'],
  ['another letter', 'linda.brown7@gmaik.com'],
  ['two letters exchanged', 'linda.borwn7@gmail.com'],
])('a common name is answered if its email is a letter from the person’s: %s', (_slip, email) => {
  const row = { first_name: 'Linda', last_name: 'Brown', email };
  expect(matchOne(mailboxes, row)).toMatchObject({
    person: 1,
    matchedOn: expect.arrayContaining(['email']),
  });
  expect(matchOne(mailboxes, { ...row, first_name: 'Lnida' }).person).toBe(1);
});

test.each([
  ['another number', { first_name: 'Linda', last_name: 'Brown', email: 'linda.brown9@gmail.com' }],
  ['two slips', { first_name: 'Linda', last_name: 'Brown', email: 'lidna.bown7@gmail.com' }],
  [
    'another given name',
    { first_name: 'Karen', last_name: 'Brown', email: 'lindabrown7@gmail.com' },
  ],
  ['no name', { email: 'linda.bown7@gmail.com' }],
  [
    'a letter from two mailboxes',
    { first_name: 'R.', last_name: 'Miller', email: 'miller@gmail.com' },
  ],
])('an email that is near a person’s is not the person’s: %s', (_what, row) => {
  expect(matchOne(mailboxes, row).person).toBe(0);
});
