// Who a messy row can mean, by the directory alone: the labels of a list must not depend on the
// matcher that the list measures.
//
// A row's clues cost each person of the directory what the person differs from them: an edit of a
// name costs 1, a nickname 0.5, another employer 4. A row is ambiguous if someone else costs as
// little as the person that it was made from, and nothing that one person alone holds decides.
import { areGivenSpellings } from '../../engine/directory/normalize/messy/spelling-key.ts';
import type { Clues } from './draft.ts';
import { toAcronym } from './organisation-words.ts';
import type { Company, Directory, Person } from './sample-people.ts';
import { countEdits, foldJoined, foldWords, shareTriples } from './text.ts';

const editsMax = 3;
const costs = {
  recorded: 0.25,
  nickname: 0.5,
  half: 0.5,
  looseCompany: 0.5,
  cut: 0.75,
  initial: 1,
  otherMiddle: 1,
  otherCompany: editsMax + 1,
  otherPhone: 1,
} as const;

/** The cost of each way to read a written name, in ascending order. */
type Reading = readonly [cost: number, isRead: boolean];

const least = (readings: readonly Reading[], otherwise: number): number =>
  Math.min(otherwise, ...readings.filter(([, isRead]) => isRead).map(([cost]) => cost));

/** Words next to names that are not part of them. */
const decoration =
  /^(?:dr|hon|rep|sen|prof|mr|mrs|ms|the|honorable|rev|cllr|councilmember|sir|col|ret|she|her|he|him|his|they|them|phd|mba|esq|edd|md|cpa|jd|mp|rn|msn|frsa|jr|sr|ii|iii|iv|v|nee|formerly|vip|dup|ea|kim|lord|lady|baroness|baron|viscount|viscountess|new|left|do|not|call|\d+)$/;

const nameWords = (text: string): string[] =>
  foldWords(text)
    .split(' ')
    .filter((word) => word !== '' && !decoration.test(word));

/** The names of a person in comparable form. */
interface FoldedNames {
  readonly given: string;
  readonly joinedGiven: string;
  readonly middle: string;
  readonly otherGivens: readonly string[];
  readonly last: string;
  readonly lastParts: readonly string[];
  readonly otherLasts: readonly string[];
}

const foldedNames = new WeakMap<Person, FoldedNames>();

/** Folds the names of a person once. */
function foldNames(person: Person): FoldedNames {
  const known = foldedNames.get(person);
  if (known) return known;
  const others = person.otherNames.map((name) => foldWords(name).split(' '));
  const folded = {
    given: foldWords(person.given),
    joinedGiven: foldJoined(person.given),
    middle: foldWords(person.middle),
    otherGivens: [foldWords(person.nickname), ...others.map((words) => words[0]!)],
    last: foldJoined(person.last),
    lastParts: foldWords(person.last).split(' '),
    otherLasts: others.map((words) => words.at(-1)!),
  };
  foldedNames.set(person, folded);
  return folded;
}

/** The cost of reading a written given name as a person's. */
export const costOfGiven = (written: string, person: Person, directory: Directory): number =>
  costOfGivenWords(nameWords(written), person, directory);

function costOfGivenWords(words: readonly string[], person: Person, directory: Directory): number {
  const [word = '', second = ''] = words;
  if (word === '') return 0;
  const { given, joinedGiven, middle, otherGivens } = foldNames(person);
  const cost = least(
    [
      [0, word === given || words.join('') === joinedGiven],
      [costs.recorded, word === middle || otherGivens.includes(word)],
      [costs.nickname, directory.nicknames.get(given)?.has(word) ?? false],
      [costs.initial, word.length <= 2 && word[0] === given[0]],
      [costs.cut, word.length > 2 && given.startsWith(word)],
    ],
    countEdits(word, given, editsMax),
  );
  const isOtherMiddle = second !== '' && middle !== '' && second[0] !== middle[0];
  return cost + (isOtherMiddle ? costs.otherMiddle : 0);
}

/** The cost of reading a written surname as a person's. */
export const costOfLast = (written: string, person: Person): number =>
  costOfLastWords(nameWords(written), person, editsMax);

function costOfLastWords(words: readonly string[], person: Person, most: number): number {
  if (words.length === 0) return 0;
  const word = words.join('');
  const { last, lastParts, otherLasts } = foldNames(person);
  if (word === last) return 0;
  return least(
    [
      [costs.recorded, otherLasts.includes(word)],
      [
        costs.half,
        words.some((one) => one.length > 2 && (one === last || lastParts.includes(one))),
      ],
      [costs.initial, word.length === 1 && word === last[0]],
      [costs.cut, word.length > 3 && last.startsWith(word)],
    ],
    countEdits(word, last, Math.min(editsMax, Math.ceil(most))),
  );
}

/** Whether a written name can mean a company: its own name, an alias, a part or first letters. */
function isCompanyRead(written: string, names: readonly string[]): boolean {
  const folded = foldWords(written);
  return names.some((name) => {
    const other = foldWords(name);
    if (other.startsWith(folded) || folded.startsWith(`${other} `)) return true;
    return toAcronym(name).toLowerCase() === folded;
  });
}

const namesOf = (company: Company | undefined, name: string): string[] => [
  name,
  ...(company?.aliases ?? []),
];

/** The cost of reading the row's company as an employer of a person. */
function costOfCompany(clues: Clues, person: Person, meant: Meant, directory: Directory): number {
  if (clues.company === '' && clues.domain === '') return 0;
  let cost: number = costs.otherCompany;
  for (const { companyId, company } of person.jobs) {
    if (companyId === meant.companyId) return meant.companyCost;
    const found = directory.companies.get(companyId);
    if (clues.company === '') {
      if (found?.domain === clues.domain) cost = 0;
      continue;
    }
    const names = namesOf(found, company);
    if (names.some((name) => foldWords(name) === foldWords(clues.company))) cost = 0;
    else if (isCompanyRead(clues.company, names)) cost = Math.min(cost, costs.looseCompany);
    else if (names.some((name) => shareTriples(name, clues.company) > meant.likeness))
      cost = Math.min(cost, costs.looseCompany);
  }
  return cost;
}

/** The employer that a row was made from. */
interface Meant {
  readonly companyId: string;
  /** The cost of its own written form. */
  readonly companyCost: number;
  /** Similarity of its written form, 0 to 1. */
  readonly likeness: number;
}

/** The true meaning of a row: the person and the employer that it was made from. */
export interface RowOrigin {
  readonly clues: Clues;
  readonly person: Person;
  readonly companyId: string;
  readonly company: string;
}

function readMeant({ clues, companyId, company }: RowOrigin, directory: Directory): Meant {
  const names = namesOf(directory.companies.get(companyId), company);
  const isExact = names.some((name) => foldWords(name) === foldWords(clues.company));
  return {
    companyId,
    companyCost: isExact || clues.company === '' ? 0 : costs.looseCompany,
    likeness: Math.max(...names.map((name) => shareTriples(name, clues.company))),
  };
}

/** Everyone who can compete: colleagues, and people who share a name with the row. */
function listRivals({ clues, person, companyId }: RowOrigin, directory: Directory): Set<Person> {
  const rivals = new Set<Person>();
  const add = (people: readonly Person[] | undefined) => {
    for (const other of people ?? [])
      if (other.id !== person.id && !directory.isHidden(other.id)) rivals.add(other);
  };
  add(directory.byCompany.get(companyId));
  add(directory.byLast.get(foldJoined(person.last)));
  add(directory.byLast.get(foldJoined(clues.last)));
  if (clues.company === '' && clues.domain === '')
    add(directory.byGiven.get(foldWords(clues.given)));
  return rivals;
}

/** The least cost of anyone else, compared with the person that the row was made from. */
export interface Comparison {
  readonly own: number;
  /** Infinity if everyone else costs more than the limit. */
  readonly best: number;
  /** The person with the least cost; null if no one competes. */
  readonly rival: Person | null;
}

/**
 * Compares the person that a row was made from with everyone else who is not hidden. Others
 * compete if they cost no more than that person, or than `limit`.
 */
export function compareRivals(origin: RowOrigin, directory: Directory, limit = 0): Comparison {
  const { clues, person } = origin;
  const meant = readMeant(origin, directory);
  const [given, last] = [nameWords(clues.given), nameWords(clues.last)];
  const own =
    costOfGivenWords(given, person, directory) +
    costOfLastWords(last, person, editsMax) +
    meant.companyCost;
  const most = Math.max(own, limit);
  const start = clues.hasPhone ? costs.otherPhone : 0;
  let best = Number.POSITIVE_INFINITY;
  let rival: Person | null = null;
  for (const other of listRivals(origin, directory)) {
    let cost = start + costOfLastWords(last, other, most);
    if (cost >= best || cost > most) continue;
    cost += costOfGivenWords(given, other, directory);
    if (cost >= best || cost > most) continue;
    cost += costOfCompany(clues, other, meant, directory);
    if (cost < best && cost <= most) [best, rival] = [cost, other];
  }
  return { own, best, rival };
}

/** One key for spellings that sound the same: Marc and Mark, Jon and John, Ann and Anne. */
function soundOf(name: string): string {
  return name
    .replace(/ph/g, 'f')
    .replace(/[cq]k?/g, 'k')
    .replace(/(?<=.)h/g, '')
    .replace(/[yj]/g, 'i')
    .replace(/z/g, 's')
    .replace(/e+$/, '')
    .replace(/[ei]+/g, 'i')
    .replace(/(.)\1+/g, '$1');
}

const holdersMin = 3;

/**
 * Whether a written given name is the real name of others and only resembles the person's: Paula
 * for Paul. It is another person's name rather than a slip.
 */
export function isOtherGiven(written: string, person: Person, directory: Directory): boolean {
  const word = foldWords(written);
  if (word.length < 3 || word.includes(' ')) return false;
  if ((directory.byGiven.get(word)?.length ?? 0) < holdersMin) return false;
  const given = foldWords(person.given);
  if (soundOf(word) === soundOf(given) || areGivenSpellings(word, given)) return false;
  return costOfGiven(written, person, directory) > costs.nickname;
}
