// The people that a reading may mean: by surname, nearly the same surname or its sound, and
// everyone who works or worked at one of the best organisations.
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { hashText } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import { bucketOf, numberUnder } from '../../index/index-postings.ts';
import { listBounds } from '../../index/people-lists.ts';
import { phoneticHashOf, phoneticOf } from '../../normalize/messy/weighted-distance.ts';
import { createSurnameScanner, type SurnameScanner } from './group-surnames.ts';
import { isKnownGiven, isKnownSurname } from './known-names.ts';
import { createNearWords } from './near-words.ts';
import { type RowSurname, type RowWord, surnameDistanceMax, type Vocabulary } from './row-words.ts';
import type { RowReading } from './weigh-identifiers.ts';

/** Bounds of the work for one reading: a large directory has many people of a common name. */
const bounds = {
  nearPeople: 1_500,
  phoneticPeople: 150,
  mailPeople: 400,
  /** Everyone of a smaller organisation is looked at for a plain row. */
  scannedPeople: 400,
  knownPeople: 64,
} as const;
const orgScoreMin = 0.5;
const orgScoreGap = 0.3;
const rememberedMax = 4_000;

/** What lists candidates over an index. */
interface Lister {
  readonly index: MatchIndex;
  readonly scanner: SurnameScanner;
  /** Numbers of a surname, of nearly equal ones and of those that sound alike. */
  readonly listSurnameIds: (text: string) => readonly number[];
}

const countPeople = ({ sections }: MatchIndex, name: number): number =>
  sections.lastPeopleStarts[name + 1]! - sections.lastPeopleStarts[name]!;

/** People of a group of companies, former ones too. */
export const countGroup = ({ sections }: MatchIndex, group: number): number =>
  sections.groupPeopleStarts[group + 1]! - sections.groupPeopleStarts[group]!;

/** Numbers of the surnames that sound alike, unless too many people have them. */
function listAlike(index: MatchIndex, vocabulary: Vocabulary, text: string): readonly number[] {
  const key = text.length >= 4 ? phoneticOf(vocabulary.word(text)) : '';
  if (key.length < 2) return [];
  const hash = phoneticHashOf(vocabulary.word(text));
  const alike: number[] = [];
  let people = 0;
  const packed = hashText(key);
  const { from, to } = bucketOf(index.phonetics, packed);
  for (let at = from; at < to && people < bounds.phoneticPeople; at++) {
    const name = numberUnder(index.phonetics.entries[at]!, packed);
    if (name < 0 || vocabulary.coded.phoneticHash(name) !== hash) continue;
    if (phoneticOf(vocabulary.name(name)) !== key) continue;
    alike.push(name);
    people += countPeople(index, name);
  }
  return people < bounds.phoneticPeople ? alike : [];
}

/** Finds the numbers of nearly equal surnames; remembers the last ones. */
function createSurnameFinder(index: MatchIndex, vocabulary: Vocabulary) {
  const { sections } = index;
  const near = createNearWords(
    {
      starts: sections.nameGramStarts,
      words: sections.nameGrams,
      wordsCount: sections.nameMasks.length,
      masks: sections.nameMasks,
      coded: vocabulary.coded,
    },
    surnameDistanceMax,
  );
  return createBoundedCache((text: string): readonly number[] => {
    const ids = new Set<number>();
    const own = vocabulary.word(text);
    if (own.id >= 0) ids.add(own.id);
    let people = 0;
    for (const { id } of text.length >= 3 ? near(own) : []) {
      const count = countPeople(index, id);
      people += count;
      if (people <= bounds.nearPeople || count <= listBounds.namesakes) ids.add(id);
    }
    for (const id of listAlike(index, vocabulary, text)) ids.add(id);
    return [...ids];
  }, rememberedMax);
}

/** Numbers of a reading's given names and of the nicknames that stand for them. */
function listGivenIds({ sections }: MatchIndex, reading: RowReading): number[] {
  const { nicknameStarts, nicknames } = sections;
  const ids: number[] = [];
  for (const { id } of [...reading.given, ...reading.nicknames]) {
    if (id < 0) continue;
    ids.push(id);
    for (let at = nicknameStarts[id]!; at < nicknameStarts[id + 1]!; at++)
      ids.push(nicknames[at]! >>> 1);
  }
  return ids;
}

/** Takes the people of a reading's surname; returns the numbers of the surnames that it may be. */
function takeBySurname(
  { index, listSurnameIds }: Lister,
  reading: RowReading,
  isWide: boolean,
  into: Set<number>,
): readonly number[] {
  const { surname } = reading;
  if (surname === null || surname.whole.text.length < 2) return [];
  const ids = new Set<number>();
  for (const word of new Set([surname.whole, surname.core, ...surname.parts]))
    if (isWide && !isKnownSurname(index, word))
      for (const near of listSurnameIds(word.text)) ids.add(near);
    else if (word.id >= 0) ids.add(word.id);
  let givenIds: number[] | null = null;
  for (const id of ids) {
    if (countPeople(index, id) <= listBounds.surname) {
      for (const person of index.people.ofSurname(id)) into.add(person);
      continue;
    }
    givenIds ??= listGivenIds(index, reading);
    for (const given of givenIds)
      index.people.takeFirstLast(given, id, (person) => into.add(person));
  }
  return [...ids];
}

/** Whether a surname of a person may agree with a row's: most do not, and are not weighed. */
function mayShare(
  { scanner }: Lister,
  { whole, core, parts }: RowSurname,
  person: number,
): boolean {
  if (scanner.has(person, whole) || (core !== whole && scanner.has(person, core))) return true;
  for (const part of parts) if (scanner.has(person, part)) return true;
  return false;
}

/** Takes everyone of an organisation whose surname may agree. */
function takeSharing(
  { scanner }: Lister,
  { whole, core, parts }: RowSurname,
  group: number,
  into: Set<number>,
): void {
  scanner.take(whole, group, into);
  if (core !== whole) scanner.take(core, group, into);
  for (const part of parts) scanner.take(part, group, into);
}

/**
 * How many people of an organisation are looked at one by one. Two known names are hardly both
 * mistyped: everyone with one of them is looked up.
 */
function countScanned(index: MatchIndex, { given, surname }: RowReading, most: number): number {
  const isKnown =
    surname !== null &&
    isKnownSurname(index, surname.whole) &&
    given.some((word) => isKnownGiven(index, word));
  return isKnown ? bounds.knownPeople : most;
}

/** Takes everyone of an organisation whose surname may be the reading's. */
function takeGroup(
  lister: Lister,
  reading: RowReading,
  group: number,
  surnameIds: readonly number[],
  isWide: boolean,
  into: Set<number>,
): void {
  const { surname } = reading;
  const { index } = lister;
  if (countGroup(index, group) <= countScanned(index, reading, listBounds.organisation)) {
    // The narrow search has taken all of these that agree.
    if (isWide) return;
    if (surname !== null) takeSharing(lister, surname, group, into);
    else for (const person of index.people.ofGroup(group)) into.add(person);
    return;
  }
  const take = (person: number): void => {
    into.add(person);
  };
  for (const id of surnameIds) index.people.takeCompanyLast(group, id, take);
  for (const id of listGivenIds(index, reading))
    index.people.takeCompanyFirst(group, id, (person) => {
      if (surname === null || mayShare(lister, surname, person)) into.add(person);
    });
}

/** Takes the people of a group by the surnames that a plain row's may be, and by given names. */
function takePlainly(
  lister: Lister,
  reading: RowReading,
  group: number,
  isUsual: boolean,
  into: Set<number>,
): void {
  const { index, listSurnameIds } = lister;
  const { surname } = reading;
  if (surname === null) return;
  const most = isUsual ? bounds.scannedPeople : bounds.knownPeople;
  if (countGroup(index, group) <= countScanned(index, reading, most)) {
    takeSharing(lister, surname, group, into);
    return;
  }
  const take = (person: number): void => {
    into.add(person);
  };
  const takeByLast = (id: number): void => index.people.takeCompanyLast(group, id, take);
  const { whole, core, parts } = surname;
  // A known given name finds everyone who has it below, however the surname is written.
  const isNamed =
    isKnownSurname(index, whole) || reading.given.some((word) => isKnownGiven(index, word));
  if (!isNamed && isUsual) for (const id of listSurnameIds(whole.text)) takeByLast(id);
  else if (whole.id >= 0) takeByLast(whole.id);
  if (core !== whole && core.id >= 0) takeByLast(core.id);
  for (const { id } of parts) if (id >= 0) takeByLast(id);
  for (const id of listGivenIds(index, reading))
    index.people.takeCompanyFirst(group, id, (person) => {
      if (mayShare(lister, surname, person)) into.add(person);
    });
}

/** People of a given name and a surname of a reading, wherever they work. */
function takeNamesakes({ index }: Lister, reading: RowReading, into: Set<number>): void {
  const { surname } = reading;
  if (surname === null) return;
  for (const { id } of new Set([surname.whole, surname.core]))
    if (id >= 0)
      for (const given of listGivenIds(index, reading))
        index.people.takeFirstLast(given, id, (person) => into.add(person));
}

export interface CandidateLister {
  /**
   * @param mailGroups groups of the domain of the row's email
   * @param isWide people of nearly the same surname, wherever they work, beyond those of the narrow
   * search
   */
  list(reading: RowReading, mailGroups: ReadonlySet<number>, isWide: boolean): ReadonlySet<number>;
  /**
   * People of a plain row's organisations whose names may be the reading's.
   * @param isUsual the reading is the usual one, of which both names may be mistyped
   */
  listColleagues(
    reading: RowReading,
    groups: ReadonlySet<number>,
    isUsual: boolean,
  ): ReadonlySet<number>;
  /** Whether a surname of a person may be a row's word. */
  hasSurname(person: number, surname: RowWord): boolean;
  /** People of the reading's very name, wherever they work, and a few more. */
  listNamesakes(reading: RowReading): ReadonlySet<number>;
}

/** Lists candidates over an index, with bounded memories of its own. */
export function createCandidateLister(index: MatchIndex, vocabulary: Vocabulary): CandidateLister {
  const listSurnameIds = createSurnameFinder(index, vocabulary);
  const scanner = createSurnameScanner(index, vocabulary);
  const lister: Lister = { index, scanner, listSurnameIds };
  return {
    list(reading, mailGroups, isWide) {
      const into = new Set<number>();
      const surnameIds = takeBySurname(lister, reading, isWide, into);
      const { groups, scores, best } = reading.org;
      for (const group of groups) {
        const score = scores.get(group)!;
        if (score < orgScoreMin || score < best - orgScoreGap) break;
        takeGroup(lister, reading, group, surnameIds, isWide, into);
      }
      for (const group of mailGroups)
        if (countGroup(index, group) < bounds.mailPeople)
          takeGroup(lister, reading, group, surnameIds, isWide, into);
      return into;
    },
    listColleagues(reading, groups, isUsual) {
      const into = new Set<number>();
      for (const group of groups) takePlainly(lister, reading, group, isUsual, into);
      return into;
    },
    hasSurname: scanner.has,
    listNamesakes(reading) {
      const into = new Set<number>();
      takeNamesakes(lister, reading, into);
      return into;
    },
  };
}
