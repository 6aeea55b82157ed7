// The people of an index by what a row may name them with. Everything that matching asks for.
import { finishHash, hashSeed, hashStep, hashText, tagOf, tagSeed } from './index-dictionary.ts';
import {
  bucketOf,
  companyFirstKey,
  companyLastKey,
  firstLastKey,
  numberUnder,
  type Postings,
  scanTagged,
} from './index-postings.ts';

const codesOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const letters = codesOf('abcdefghijklmnopqrstuvwxyz.-_');
const sign = '@'.charCodeAt(0);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const none = -1;

/**
 * Passes on the hash and the tag of each lower-case address that is a letter from one: added, lost,
 * replaced or exchanged with the next. A digit tells two mailboxes apart, so none changes. An
 * address has about 1,500 of them, so no text is made.
 */
function scanSlips(address: string, take: (hash: number, tag: number) => void): void {
  const codes = codesOf(address);
  const { length } = codes;
  let [hash, tag] = [hashSeed, tagSeed];
  /** The address up to here, at most two letters, and the address from a place on. */
  const pass = (one: number, two: number, from: number): void => {
    let [first, second] = [hash, tag];
    if (one !== none) [first, second] = [hashStep(first, one), hashStep(second, one)];
    if (two !== none) [first, second] = [hashStep(first, two), hashStep(second, two)];
    for (let at = from; at < length; at++) {
      first = hashStep(first, codes[at]!);
      second = hashStep(second, codes[at]!);
    }
    take(finishHash(first), finishHash(second));
  };
  for (let at = 0; at <= length; at++) {
    for (const letter of letters) pass(letter, none, at);
    if (at === length) return;
    const own = codes[at]!;
    if (own !== sign && !isDigit(own)) {
      pass(none, none, at + 1);
      for (const letter of letters) if (letter !== own) pass(letter, none, at + 1);
      const next = codes[at + 1] ?? own;
      if (next !== own && next !== sign) pass(next, own, at + 2);
    }
    hash = hashStep(hash, own);
    tag = hashStep(tag, own);
  }
}

/** Takes one person; the same person may come more than once. */
export type TakePerson = (person: number) => void;

export const listBounds = {
  block: 1_000,
  /** People of one first and last name, at any employer. */
  namesakes: 64,
  holders: 50,
  /** A surname of more people is looked up together with another part of the row. */
  surname: 100,
  /** Everyone of a larger organisation is not read. */
  organisation: 2_500,
} as const;

export type HolderKind = 'url' | 'email' | 'phone';

export interface GroupMembers {
  /** In the order of person.id. */
  readonly members: Uint32Array;
  /** Where the facts of a member begin, and where they end for the next number. */
  readonly factStarts: Uint32Array;
  /** Words of names, as in the section of that name. All of the surnames are there. */
  readonly facts: Uint32Array;
  /** Number of a member in the index; -1 if only the surnames are known yet. */
  personOf(member: number): number;
}

/**
 * The lists of people that matching reads, each in the order of person.id. An index in memory
 * has them all; one of a few people knows some, and remembers which others were asked for.
 */
export interface PeopleLists {
  /** Everyone who works or worked for a group and has a last name, at most `listBounds.block`. */
  takeCompanyLast(group: number, last: number, take: TakePerson): void;
  /** The same by a first name. */
  takeCompanyFirst(group: number, first: number, take: TakePerson): void;
  /** Everyone of a first and a last name, at most `listBounds.namesakes`. */
  takeFirstLast(first: number, last: number, take: TakePerson): void;
  /** Everyone with an email of a local part (localKey), at most `listBounds.holders`. */
  takeLocal(key: number, take: TakePerson): void;
  /** Everyone who holds an identifier, once each, at most `listBounds.holders`. */
  holdersOf(kind: HolderKind, text: string): readonly number[];
  /** Who alone holds an email that is a letter from one; -1 if nobody or several people do. */
  nearHolderOf(email: string): number;
  /** Everyone of a group of companies; it must have at most `listBounds.organisation`. */
  ofGroup(group: number): Uint32Array;
  /** The same people. Only their surnames may be known. */
  membersOf(group: number): GroupMembers;
  /** Everyone with a surname, in any order; at most `listBounds.surname` must have it. */
  ofSurname(name: number): Uint32Array;
  /** Ends the row if a list that it asked for is not known yet. */
  settle(): void;
}

type Sections = Readonly<
  Record<
    | 'mainNames'
    | 'formStarts'
    | 'formNames'
    | 'jobStarts'
    | 'jobs'
    | 'factStarts'
    | 'facts'
    | 'companyGroups'
    | 'groupPeopleStarts'
    | 'groupPeople'
    | 'lastPeopleStarts'
    | 'lastPeople',
    Uint32Array
  >
>;

const noPeople: readonly number[] = [];
const isPerson = (member: number): number => member;

function hasLast(sections: Sections, person: number, last: number): boolean {
  const { mainNames, formStarts, formNames } = sections;
  const main = mainNames[person * 2 + 1]!;
  if (main >>> 1 === last) return true;
  if ((main & 1) === 0) return false;
  const to = formStarts[person + 1]! * 2;
  for (let at = formStarts[person]! * 2; at < to; at += 2)
    if (formNames[at + 1]! >>> 2 === last) return true;
  return false;
}

function hasFirst(sections: Sections, person: number, first: number): boolean {
  const { mainNames, formStarts, formNames } = sections;
  if (mainNames[person * 2] === first) return true;
  const to = formStarts[person + 1]! * 2;
  for (let at = formStarts[person]! * 2; at < to; at += 2) if (formNames[at] === first) return true;
  return false;
}

function worksAt(sections: Sections, person: number, group: number): boolean {
  const { jobStarts, jobs, companyGroups } = sections;
  for (let at = jobStarts[person]!; at < jobStarts[person + 1]!; at++) {
    const company = jobs[at]! >>> 2;
    if (company > 0 && companyGroups[company - 1] === group) return true;
  }
  return false;
}

function isNamed(sections: Sections, person: number, first: number, last: number): boolean {
  const { mainNames, formStarts, formNames } = sections;
  if (mainNames[person * 2] === first && mainNames[person * 2 + 1]! >>> 1 === last) return true;
  const to = formStarts[person + 1]! * 2;
  for (let at = formStarts[person]! * 2; at < to; at += 2)
    if (formNames[at] === first && formNames[at + 1]! >>> 2 === last) return true;
  return false;
}

/**
 * The lists of an index in memory. An entry of a block has 8 bits of its key, so each person is
 * compared with what was asked for: the lists are exact.
 */
export function createPeopleLists(
  sections: Sections,
  postings: {
    readonly urls: Postings;
    readonly emails: Postings;
    readonly phones: Postings;
    readonly companyLasts: Postings;
    readonly companyFirsts: Postings;
    readonly firstLasts: Postings;
    readonly locals: Postings;
  },
): PeopleLists {
  const { companyLasts, companyFirsts, firstLasts, locals } = postings;
  const holders = { url: postings.urls, email: postings.emails, phone: postings.phones };
  const { groupPeopleStarts, groupPeople, lastPeopleStarts, lastPeople } = sections;
  const { factStarts, facts } = sections;
  const ofGroup = (group: number): Uint32Array =>
    groupPeople.subarray(groupPeopleStarts[group]!, groupPeopleStarts[group + 1]!);
  return {
    takeCompanyLast(group, last, take) {
      let taken = 0;
      const key = companyLastKey(group, last);
      const { from, to } = bucketOf(companyLasts, key);
      for (let at = from; at < to && taken < listBounds.block; at++) {
        const person = numberUnder(companyLasts.entries[at]!, key);
        if (person < 0 || !hasLast(sections, person, last) || !worksAt(sections, person, group))
          continue;
        taken++;
        take(person);
      }
    },
    takeCompanyFirst(group, first, take) {
      let taken = 0;
      const key = companyFirstKey(group, first);
      const { from, to } = bucketOf(companyFirsts, key);
      for (let at = from; at < to && taken < listBounds.block; at++) {
        const person = numberUnder(companyFirsts.entries[at]!, key);
        if (person < 0 || !hasFirst(sections, person, first) || !worksAt(sections, person, group))
          continue;
        taken++;
        take(person);
      }
    },
    takeFirstLast(first, last, take) {
      let taken = 0;
      const key = firstLastKey(first, last);
      const { from, to } = bucketOf(firstLasts, key);
      for (let at = from; at < to && taken < listBounds.namesakes; at++) {
        const person = numberUnder(firstLasts.entries[at]!, key);
        if (person < 0 || !isNamed(sections, person, first, last)) continue;
        taken++;
        take(person);
      }
    },
    takeLocal(key, take) {
      let taken = 0;
      scanTagged(locals, key, key, (person) => {
        if (taken++ < listBounds.holders) take(person);
      });
    },
    nearHolderOf(email) {
      let [found, isOne] = [-1, true];
      const take = (person: number): void => {
        isOne &&= found < 0 || found === person;
        found = person;
      };
      scanSlips(email, (hash, tag) => scanTagged(holders.email, hash, tag, take));
      return isOne ? found : -1;
    },
    holdersOf(kind, text) {
      if (text === '') return noPeople;
      let found: number[] | null = null;
      scanTagged(holders[kind], hashText(text), tagOf(text), (person) => {
        found ??= [];
        if (found.length < listBounds.holders) found.push(person);
      });
      return found ?? noPeople;
    },
    ofGroup,
    membersOf: (group) => ({ members: ofGroup(group), factStarts, facts, personOf: isPerson }),
    ofSurname: (name) => lastPeople.subarray(lastPeopleStarts[name]!, lastPeopleStarts[name + 1]!),
    settle() {},
  };
}
