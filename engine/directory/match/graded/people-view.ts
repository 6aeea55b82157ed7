// What the index knows of one person, as the graded comparison reads it.
import { createNumberCache } from '../../../platform/bounded-cache.ts';
import { factKinds, jobFlags, type MatchIndex } from '../../index/index-layout.ts';
import type { PersonWord, Vocabulary } from './row-words.ts';

export interface HeldSurname {
  readonly whole: PersonWord;
  readonly core: PersonWord;
  readonly parts: readonly PersonWord[];
  /** The surname of the record, a former or other one, or a single word that may be one. */
  readonly rank: 0 | 1 | 2;
}

export interface PersonView {
  readonly person: number;
  /** Words of the first name in order. */
  readonly firsts: readonly PersonWord[];
  /** First name, nicknames; given names of other names; other words between. */
  readonly given: readonly PersonWord[];
  readonly otherGiven: readonly PersonWord[];
  readonly middles: readonly PersonWord[];
  /** Those by which the person may be called: no father's name, as behind "bin". */
  readonly calledMiddles: readonly PersonWord[];
  /** Words that only an address spells. */
  readonly spelled: readonly PersonWord[];
  readonly surnames: readonly HeldSurname[];
  readonly peerages: readonly string[];
  readonly generation: number;
  /** Groups of the employers, and whether the employment is current. */
  readonly groups: readonly number[];
  readonly isCurrent: readonly boolean[];
}

interface Lists {
  firsts: PersonWord[];
  given: PersonWord[];
  otherGiven: PersonWord[];
  middles: PersonWord[];
  spelled: PersonWord[];
  surnames: { whole: PersonWord; core: PersonWord; parts: PersonWord[]; rank: 0 | 1 | 2 }[];
  peerages: string[];
}

const ranks: Readonly<Record<number, 0 | 1 | 2>> = {
  [factKinds.last]: 0,
  [factKinds.formerLast]: 1,
  [factKinds.aliasLast]: 2,
};

function addFact(lists: Lists, kind: number, word: PersonWord): void {
  const rank = ranks[kind];
  const surname = lists.surnames.at(-1);
  if (rank !== undefined) lists.surnames.push({ whole: word, core: word, parts: [], rank });
  else if (kind === factKinds.lastCore && surname) surname.core = word;
  else if (kind === factKinds.lastPart && surname) surname.parts.push(word);
  else if (kind === factKinds.first) lists.firsts.push(word);
  else if (kind === factKinds.given) lists.given.push(word);
  else if (kind === factKinds.otherGiven) lists.otherGiven.push(word);
  else if (kind === factKinds.middle) lists.middles.push(word);
  else if (kind === factKinds.spelled) lists.spelled.push(word);
  else lists.peerages.push(word.text);
}

/** Groups of a person's employers once each, current if any employment there is. */
function readGroups({ sections }: MatchIndex, person: number) {
  const groups: number[] = [];
  const isCurrent: boolean[] = [];
  const { jobStarts, jobs, companyGroups } = sections;
  for (let at = jobStarts[person]!; at < jobStarts[person + 1]!; at++) {
    const company = jobs[at]! >>> 2;
    if (company === 0) continue;
    const group = companyGroups[company - 1]!;
    const known = groups.indexOf(group);
    const current = (jobs[at]! & jobFlags.current) !== 0;
    if (known < 0) {
      groups.push(group);
      isCurrent.push(current);
    } else if (current) isCurrent[known] = true;
  }
  return { groups, isCurrent };
}

const fatherWords: ReadonlySet<string> = new Set(['bin', 'ben', 'ibn', 'bint', 'ould']);

/** The words of a name before a word for "son of" or "daughter of". */
export function beforeFather<Word extends { readonly text: string }>(
  words: readonly Word[],
): readonly Word[] {
  const at = words.findIndex(({ text }) => fatherWords.has(text));
  return at < 0 ? words : words.slice(0, at);
}

function readPerson(index: MatchIndex, vocabulary: Vocabulary, person: number): PersonView {
  const { factStarts, facts, personGenerations } = index.sections;
  const lists: Lists = {
    firsts: [],
    given: [],
    otherGiven: [],
    middles: [],
    spelled: [],
    surnames: [],
    peerages: [],
  };
  for (let at = factStarts[person]!; at < factStarts[person + 1]!; at++) {
    const id = facts[at]! >>> 4;
    addFact(lists, facts[at]! & 15, vocabulary.name(id));
  }
  const { firsts } = lists;
  if (firsts.length > 0) lists.given.unshift(firsts[0]!);
  if (firsts.length > 1) {
    const joined = vocabulary.word(firsts.map(({ text }) => text).join(''));
    lists.given.push({ ...joined, id: joined.id < 0 ? -2 : joined.id });
    lists.middles.unshift(...firsts.slice(1));
  }
  return {
    person,
    ...lists,
    calledMiddles: beforeFather(lists.middles),
    generation: personGenerations[person]!,
    ...readGroups(index, person),
  };
}

/** A power of two. */
const peopleMax = 8_192;

export const createPeopleReader = (
  index: MatchIndex,
  vocabulary: Vocabulary,
): ((person: number) => PersonView) =>
  createNumberCache((person: number) => readPerson(index, vocabulary, person), peopleMax);
