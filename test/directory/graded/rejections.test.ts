// Cheap tests that reject words and people never reject what the full comparison accepts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOtherPerson } from '../../../engine/directory/match/graded/collect-best.ts';
import { createSurnameScanner } from '../../../engine/directory/match/graded/group-surnames.ts';
import { loadModel } from '../../../engine/directory/match/graded/model.ts';
import { createOrgResolver } from '../../../engine/directory/match/graded/organisations/resolve-organisation.ts';
import { readRowOrganisation } from '../../../engine/directory/match/graded/organisations/row-organisation.ts';
import { createPeopleReader } from '../../../engine/directory/match/graded/people-view.ts';
import { readRowText } from '../../../engine/directory/match/graded/readings/read-identifiers.ts';
import { listPlainReadings } from '../../../engine/directory/match/graded/readings/read-row.ts';
import { createVocabulary } from '../../../engine/directory/match/graded/row-words.ts';
import { weighPair } from '../../../engine/directory/match/graded/weigh-pair.ts';
import { phoneticKey } from '../../../engine/directory/normalize/messy/phonetic-key.ts';
import {
  canSoundAlike,
  codedDistance,
  formedDistance,
  leastDistance,
  typingDistance,
} from '../../../engine/directory/normalize/messy/weighted-distance.ts';
import { letterMaskOf } from '../../../engine/directory/normalize/similarity.ts';
import { runsOf } from '../../property-runs.ts';
import { indexOf, type Person, type Row } from '../small-directory.ts';

const word = fc.stringMatching(/^[a-z]{2,9}$/);
/** Words of letters that are mistaken for each other, or sound alike. */
const nearWord = fc.stringMatching(/^[ailmnrcdkqwv01]{2,8}$/);
const words = fc.oneof(fc.tuple(word, word), fc.tuple(nearWord, nearWord));

test('no two words are nearer than their letters allow', () => {
  fc.assert(
    fc.property(words, ([a, b]) => {
      const [maskA, maskB] = [letterMaskOf(a), letterMaskOf(b)];
      expect(leastDistance(maskA, maskB)).toBeLessThanOrEqual(typingDistance(a, b, 20) + 1e-9);
      if (phoneticKey(a) === phoneticKey(b)) expect(canSoundAlike(maskA, maskB)).toBe(true);
    }),
  );
});

const givenNames = 'Robert|Bob|Roberta|Martha|Jo|JR|Al|Anna Maria|Zoe|J|Robert J|Bo|Zo M'.split(
  '|',
);
const surnames = ['Whitcombe', 'Whitcomb', 'Bernard', 'Bemard', 'van Dalen', 'Schroeder', 'Li'];
const person: fc.Arbitrary<Person> = fc.record({
  first: fc.constantFrom(...givenNames),
  last: fc.constantFrom(...surnames),
  middle: fc.constantFrom('', 'J', 'Robert', 'Bo'),
  jobs: fc.constantFrom('Acme Holdings', 'Borealis Bank').map((at) => [{ at }]),
});
const people = fc.array(person, { minLength: 1, maxLength: 12 });
const row: fc.Arbitrary<Row> = fc.record({
  first_name: fc.constantFrom(...givenNames, 'Jrobert', 'Marhta', 'Bert', 'Jules', 'Alan', 'M. J.'),
  last_name: fc.constantFrom(...surnames, 'Schroder', 'Witcombe', 'Dalen'),
  company_name: fc.constantFrom('Acme Holdings', 'Borealis', 'Nowhere Inc'),
});

test('a word is as far from a name of the index as from the same name alone', () => {
  const vocabulary = createVocabulary(
    indexOf(surnames.map((last) => ({ first: 'Ada', last, jobs: [] }))),
  );
  fc.assert(
    fc.property(word, fc.constantFrom(...surnames), (typed, surname) => {
      const { id } = vocabulary.word(surname.toLowerCase().replace(' ', ''));
      for (const near of [typed, `${surname.toLowerCase().slice(1)}x`, 'bemard', 'shroder']) {
        const one = vocabulary.word(near);
        const coded = codedDistance(one, vocabulary.coded, id, 2.6);
        expect(coded).toBe(formedDistance(one, vocabulary.name(id), 2.6));
      }
    }),
  );
});

test('people who are rejected by their given name are not worth weighing', () => {
  const { weights } = loadModel();
  fc.assert(
    fc.property(people, row, (held, cells) => {
      const index = indexOf(held);
      const vocabulary = createVocabulary(index);
      const resolver = createOrgResolver(index);
      const readPerson = createPeopleReader(index, vocabulary);
      const domains = { web: new Set<number>(), mail: new Set<number>() };
      const text = readRowText((cell) => cells[cell as keyof Row] ?? '');
      const org = readRowOrganisation(index, resolver, text.company, domains);
      const identified = {
        people: new Map(),
        emailOwner: -1,
        urlOwner: -1,
        hasTwoOwners: false,
        domains,
      };
      for (const plain of listPlainReadings(text, { vocabulary, orgScore: () => 0 }))
        for (let who = 0; who < held.length; who++) {
          const reading = { ...plain, org };
          if (!isOtherPerson(index, vocabulary, reading, who)) continue;
          const weighed = { text, identified, org, title: 0 };
          expect(weighPair(index, weights, weighed, reading, readPerson(who))).toBeNull();
        }
    }),
    { numRuns: runsOf(25) },
  );
});

test('an organisation’s people of a surname are those whose surname may be the word', () => {
  fc.assert(
    fc.property(people, fc.constantFrom('whitcmbe', 'bernard', 'dalen', 'li'), (held, typed) => {
      const index = indexOf(held);
      const vocabulary = createVocabulary(index);
      const scanner = createSurnameScanner(index, vocabulary);
      const { groupPeopleStarts, groupPeople } = index.sections;
      for (let group = 0; group + 1 < groupPeopleStarts.length; group++) {
        const found = new Set<number>();
        scanner.take(vocabulary.word(typed), group, found);
        const members = groupPeople.subarray(
          groupPeopleStarts[group],
          groupPeopleStarts[group + 1],
        );
        const expected = [...members].filter((who) => scanner.has(who, vocabulary.word(typed)));
        expect([...found].sort()).toEqual(expected.sort());
      }
    }),
    { numRuns: runsOf(12) },
  );
});
