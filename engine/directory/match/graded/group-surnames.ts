// The people of an organisation by their surnames: a row's word is compared with each surname of an
// organisation once, not with each person.
import { factKinds, type MatchIndex } from '../../index/index-layout.ts';
import type { GroupMembers } from '../../index/people-lists.ts';
import {
  canSoundAlike,
  codedDistance,
  farApart,
  letterCostMin,
  phoneticHashOf,
  phoneticOf,
} from '../../normalize/messy/weighted-distance.ts';
import { countBits } from '../../normalize/similarity.ts';
import { askedDistanceMax, type RowWord, type Vocabulary } from './row-words.ts';

/** The surnames of an organisation, their cores and their parts, once each. */
interface GroupSurnames {
  /** Those who it was read from. */
  readonly members: Uint32Array;
  readonly names: Uint32Array;
  readonly masks: Int32Array;
  /** Where the members of each name begin, then the end of the last. */
  readonly starts: Uint32Array;
  readonly holders: Uint32Array;
}

/** Letters by which a surname may differ and still be compared. */
const lettersApartMax = 3;
const soundLettersMin = 4;
/** Entries of the organisations that are remembered: about 12 bytes each. */
const rememberedEntriesMax = 400_000;
/** Organisations that are known to have been met. */
const seenMax = 20_000;
/** Answers for words and organisations that are remembered: the readings of a row repeat both. */
const answersMax = 1_024;

/** Whether a word and a name agree as compare-last.ts knows it: whatever it accepts passes. */
function agrees({ coded, name }: Vocabulary, word: RowWord, id: number, mask: number): boolean {
  if (word.id === id) return true;
  const { text, mask: own } = word;
  const [more, less] = [countBits(own & ~mask), countBits(mask & ~own)];
  const isPart = more === 0 || less === 0;
  const apart = Math.max(more, less);
  // Most names are far apart by their letters alone.
  if (apart > lettersApartMax && !isPart) return false;
  const start = coded.starts[id]!;
  const length = coded.starts[id + 1]! - start;
  if (!isPart && Math.abs(length - text.length) > 4) return false;
  const max = askedDistanceMax(text.length, length);
  if (apart * letterCostMin <= max && codedDistance(word, coded, id, max) < farApart) return true;
  const letters = Math.min(text.length, length);
  if (isPart) {
    let same = 0;
    while (same < letters && text.charCodeAt(same) === coded.pool[start + same]) same++;
    if (same === letters) return true;
  }
  if (letters < soundLettersMin || !canSoundAlike(own, mask)) return false;
  if (phoneticHashOf(word) !== coded.phoneticHash(id)) return false;
  return phoneticOf(word) === phoneticOf(name(id));
}

const isSurname = (fact: number): boolean => {
  const kind = fact & 15;
  return kind >= factKinds.last && kind <= factKinds.lastPart;
};

/** Whether a surname of a member, or of a person of the index, may be a word. */
function hasSurname(
  { sections: { nameMasks } }: MatchIndex,
  vocabulary: Vocabulary,
  word: RowWord,
  { factStarts, facts }: Pick<GroupMembers, 'factStarts' | 'facts'>,
  member: number,
): boolean {
  const to = factStarts[member + 1]!;
  for (let at = factStarts[member]!; at < to; at++) {
    const fact = facts[at]!;
    if (isSurname(fact) && agrees(vocabulary, word, fact >>> 4, nameMasks[fact >>> 4]!))
      return true;
  }
  return false;
}

/** Whether two lists of an index are the same one: an index of some people replaces its lists. */
const isSameList = (one: Uint32Array, other: Uint32Array): boolean =>
  one.buffer === other.buffer && one.byteOffset === other.byteOffset && one.length === other.length;

/** Reads the surnames of the people of a group. */
function readSurnames({ sections }: MatchIndex, group: GroupMembers): GroupSurnames {
  const { nameMasks } = sections;
  const { members, factStarts, facts } = group;
  let count = 0;
  for (const member of members)
    for (let fact = factStarts[member]!; fact < factStarts[member + 1]!; fact++)
      if (isSurname(facts[fact]!)) count++;
  // The name and the member in one number, so that sorting needs no function.
  const pairs = new Float64Array(count);
  let filled = 0;
  for (const member of members)
    for (let fact = factStarts[member]!; fact < factStarts[member + 1]!; fact++)
      if (isSurname(facts[fact]!)) pairs[filled++] = (facts[fact]! >>> 4) * 2 ** 24 + member;
  pairs.sort();
  const holders = new Uint32Array(count);
  const names: number[] = [];
  const starts: number[] = [];
  for (let at = 0; at < count; at++) {
    const name = Math.floor(pairs[at]! / 2 ** 24);
    holders[at] = pairs[at]! - name * 2 ** 24;
    if (name === names.at(-1)) continue;
    names.push(name);
    starts.push(at);
  }
  starts.push(count);
  return {
    members,
    names: Uint32Array.from(names),
    masks: Int32Array.from(names, (name) => nameMasks[name]!),
    starts: Uint32Array.from(starts),
    holders,
  };
}

/** The members of an organisation whose surname may be a word. */
interface Answer {
  /** Those who were looked at. */
  readonly members: Uint32Array;
  readonly found: readonly number[];
}

/** Finds people of organisations by surname. */
export interface SurnameScanner {
  /** Adds everyone of an organisation with a surname, or a part of one, that may be the word. */
  take(word: RowWord, group: number, into: Set<number>): void;
  /** Whether a surname of a person may be the word. */
  has(person: number, word: RowWord): boolean;
}

/** Scans an index, with bounded memories of its own. */
export function createSurnameScanner(index: MatchIndex, vocabulary: Vocabulary): SurnameScanner {
  let remembered = new Map<number, GroupSurnames>();
  let entries = 0;
  let seen = new Set<number>();
  /** The surnames of an organisation; null for one that is met for the first time. */
  const surnamesOf = (group: number, people: GroupMembers): GroupSurnames | null => {
    const known = remembered.get(group);
    if (known !== undefined && isSameList(known.members, people.members)) return known;
    // Most organisations of a list are met once: sorting their surnames would cost more than
    // comparing with each person.
    if (!seen.has(group)) {
      if (seen.size >= seenMax) seen = new Set();
      seen.add(group);
      return null;
    }
    const read = readSurnames(index, people);
    entries += read.holders.length;
    if (entries > rememberedEntriesMax) {
      remembered = new Map();
      entries = read.holders.length;
    }
    remembered.set(group, read);
    return read;
  };
  const answers = new Map<RowWord, Map<number, Answer>>();
  let answersCount = 0;
  const find = (word: RowWord, group: number, people: GroupMembers): readonly number[] => {
    const surnames = surnamesOf(group, people);
    const found: number[] = [];
    if (surnames === null) {
      const { members } = people;
      for (let at = 0; at < members.length; at++)
        if (hasSurname(index, vocabulary, word, people, members[at]!)) found.push(members[at]!);
      return found;
    }
    const { names, masks, starts, holders } = surnames;
    for (let at = 0; at < names.length; at++)
      if (agrees(vocabulary, word, names[at]!, masks[at]!))
        for (let next = starts[at]!; next < starts[at + 1]!; next++) found.push(holders[next]!);
    return found;
  };
  const answer = (word: RowWord, group: number, people: GroupMembers): readonly number[] => {
    const { members } = people;
    const known = answers.get(word)?.get(group);
    if (known !== undefined && isSameList(known.members, members)) return known.found;
    if (answersCount++ >= answersMax) {
      answers.clear();
      answersCount = 1;
    }
    const found = find(word, group, people);
    let ofWord = answers.get(word);
    if (ofWord === undefined) {
      ofWord = new Map();
      answers.set(word, ofWord);
    }
    ofWord.set(group, { members, found });
    return found;
  };
  return {
    take(word, group, into) {
      // Asked for even if the answer is known: the index notes what a row depends on.
      const people = index.people.membersOf(group);
      const found = answer(word, group, people);
      for (let at = 0; at < found.length; at++) {
        const person = people.personOf(found[at]!);
        if (person >= 0) into.add(person);
      }
    },
    has: (person, word) => hasSurname(index, vocabulary, word, index.sections, person),
  };
}
