// Compares the names of rows with those of people, by the levels of the graded comparison.
import type { Verdict } from '../../contract/jobs/review.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { compareFirst } from './graded/compare-first.ts';
import { compareLast } from './graded/compare-last.ts';
import { firstGroup, groupOfFirst, groupOfLast, lastGroup, readingKinds } from './graded/levels.ts';
import { createPeopleReader } from './graded/people-view.ts';
import { readRowText } from './graded/readings/read-identifiers.ts';
import {
  listOtherReadings,
  listPlainReadings,
  type ReadingSources,
} from './graded/readings/read-row.ts';
import { createVocabulary } from './graded/row-words.ts';

export interface NamePair {
  readonly first: string;
  readonly last: string;
  /** person.id */
  readonly personId: number;
}

export interface NameVerdicts {
  readonly first: Verdict;
  readonly last: Verdict;
}

const sameFirsts: ReadonlySet<number> = new Set([firstGroup.exact, firstGroup.second]);
/** A known name with which another begins is another name: Paul and Paula. */
const otherFirsts: ReadonlySet<number> = new Set([
  firstGroup.none,
  firstGroup.uncommon,
  firstGroup.missing,
  firstGroup.cut_known,
]);
const otherLasts: ReadonlySet<number> = new Set([
  lastGroup.none,
  lastGroup.two_names,
  lastGroup.missing,
]);

const verdictOf = (isSame: boolean, isOther: boolean): Verdict =>
  isSame ? 'same' : isOther ? 'different' : 'similar';

/** Position of a person in the index; -1 if it is not there. The ids ascend. */
export function findPerson({ sections: { personIds } }: MatchIndex, id: number): number {
  let [low, high] = [0, personIds.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (personIds[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return personIds[low] === id ? low : -1;
}

/** A comparer over an index; not to be shared between threads. Null for an unknown person. */
export function createNameComparer(index: MatchIndex): (pair: NamePair) => NameVerdicts | null {
  const vocabulary = createVocabulary(index);
  const readPerson = createPeopleReader(index, vocabulary);
  // Only names are read, so that nothing is an organisation.
  const sources: ReadingSources = { vocabulary, orgScore: () => 0 };
  return ({ first, last, personId }) => {
    const person = findPerson(index, personId);
    if (person < 0) return null;
    const view = readPerson(person);
    const cells: Partial<Record<string, string>> = { first_name: first, last_name: last };
    const text = readRowText((cell) => cells[cell] ?? '');
    const plain = listPlainReadings(text, sources);
    const readings = [...plain, ...listOtherReadings(text, sources, false, plain.length, '')];
    const fits = readings.map((reading) => {
      const [ofFirst, ofLast] = [
        compareFirst(index, reading, view),
        compareLast(index, reading.surname, view),
      ];
      return { reading, ofFirst, ofLast, quality: ofFirst.quality + ofLast.quality };
    });
    const [usual, ...others] = fits;
    if (!usual) return { first: 'different', last: 'different' };
    const best = others.reduce((one, other) => (other.quality > one.quality ? other : one), usual);
    const firstAgreement = groupOfFirst[best.ofFirst.level]!;
    const lastAgreement = groupOfLast[best.ofLast.level]!;
    // Names that agree only in the other's cell are alike, not the same.
    const isPlain = readingKinds[best.reading.kind] === 'given_plain';
    const canBeSame = isPlain || first === '' || last === '';
    return {
      first: verdictOf(
        canBeSame && sameFirsts.has(firstAgreement),
        otherFirsts.has(firstAgreement),
      ),
      last: verdictOf(
        canBeSame && lastAgreement === lastGroup.exact,
        otherLasts.has(lastAgreement),
      ),
    };
  };
}
