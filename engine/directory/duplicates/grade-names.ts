/** Compares the names of two people of the directory, with the graded comparison of matching. */
import type { MatchIndex } from '../index/index-layout.ts';
import { compareFirst } from '../match/graded/compare-first.ts';
import { compareLast } from '../match/graded/compare-last.ts';
import { type CountedWord, isKnownGiven } from '../match/graded/known-names.ts';
import {
  firstGroup,
  firstGroups,
  groupOfFirst,
  groupOfLast,
  lastGroup,
  lastGroups,
} from '../match/graded/levels.ts';
import { createPeopleReader } from '../match/graded/people-view.ts';
import { listPlainReadings } from '../match/graded/readings/read-row.ts';
import { isTestRow } from '../match/graded/readings/row-signs.ts';
import { createVocabulary } from '../match/graded/row-words.ts';

export interface RecordName {
  readonly first: string;
  readonly last: string;
  readonly suffix: string;
}

/** How often the agreement of a part of two names is found in one person rather than in two. */
const firstWeights: Readonly<Partial<Record<(typeof firstGroups)[number], number>>> = {
  exact: 1,
  second: 0.3,
  nickname: 0.7,
  sibling: 0.1,
  middle: 0.15,
  middle_nickname: 0.1,
  typo: 0.1,
  typos: 0.03,
  cut: 0.1,
  cut_known: 0.02,
  spelling: 0.15,
  initial: 0.15,
  weak_initial: 0.05,
};
const lastWeights: Readonly<Partial<Record<(typeof lastGroups)[number], number>>> = {
  exact: 1,
  part: 0.4,
  typo: 0.25,
  typos: 0.05,
};

const weightOf = <Group extends string>(
  weights: Readonly<Partial<Record<Group, number>>>,
  groups: readonly Group[],
  group: number,
): number => weights[groups[group] as Group] ?? 0;

const isInitial = (text: string): boolean => text.length === 1;

/** Groups in which one of two first names may be the other, mistyped or cut. */
const inexact = new Set([
  firstGroup.typo,
  firstGroup.typos,
  firstGroup.cut,
  firstGroup.cut_known,
  firstGroup.spelling,
  firstGroup.far,
]);
const twoNamesWeight = 0.05;

/** Whether both first names are known as such: Roberta is rarely Robert mistyped. */
const areTwoNames = (
  index: MatchIndex,
  group: number,
  one: CountedWord | undefined,
  other: CountedWord | undefined,
): boolean =>
  inexact.has(group) &&
  one !== undefined &&
  other !== undefined &&
  isKnownGiven(index, one) &&
  isKnownGiven(index, other);

export function createNameGrader(index: MatchIndex) {
  const vocabulary = createVocabulary(index);
  const readPerson = createPeopleReader(index, vocabulary);
  const sources = { vocabulary, orgScore: () => 0 };
  /**
   * The weight of the agreement, 0 to 1; 0 if the names are of two people.
   * @param name of the one person
   * @param person dense number of the other
   */
  return (name: RecordName, person: number): number => {
    const view = readPerson(person);
    const text = {
      first: name.first,
      last: `${name.last} ${name.suffix}`.trim(),
      company: '',
      inEmail: '',
      inUrl: '',
      title: '',
      display: '',
      emails: [],
      urls: [],
      phones: [],
      domains: [],
    };
    if (isTestRow(text)) return 0;
    let best = 0;
    for (const reading of listPlainReadings(text, sources)) {
      if (reading.generation > 0 && view.generation > 0 && reading.generation !== view.generation)
        return 0;
      const ofFirst = groupOfFirst[compareFirst(index, reading, view).level] ?? firstGroup.none;
      const ofLast = groupOfLast[compareLast(index, reading.surname, view).level] ?? lastGroup.none;
      const weight =
        weightOf(firstWeights, firstGroups, ofFirst) *
        weightOf(lastWeights, lastGroups, ofLast) *
        (areTwoNames(index, ofFirst, reading.given[0], view.firsts[0]) ? twoNamesWeight : 1);
      // Only one of two people has a generation: a father and a son share the rest.
      const isOneSided = reading.generation !== view.generation;
      best = Math.max(best, isOneSided ? weight * 0.3 : weight);
    }
    return best;
  };
}

/** Whether two middle names are of two people. Unknown ones are not. */
export function areMiddlesApart(one: string, other: string): boolean {
  if (one === '' || other === '' || one === other) return false;
  if (isInitial(one) || isInitial(other)) return one[0] !== other[0];
  return !one.startsWith(other) && !other.startsWith(one);
}
