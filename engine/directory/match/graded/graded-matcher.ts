// The graded comparison of one row: every reading against every candidate, then how likely each
// candidate is among the others and nobody.
import { localKey } from '../../index/index-facts.ts';
import { type MatchIndex, personFlags } from '../../index/index-layout.ts';
import { surnamePerMillion } from '../../names/name-frequencies.ts';
import { classifyTitle } from '../../normalize/classify-title.ts';
import { foldToAscii } from '../../normalize/fold-text.ts';
import { nameWords, surnameKey } from '../../normalize/messy/name-parts.ts';
import { isRoleMailbox } from '../../normalize/normalize-email.ts';
import { codeOfTitle } from '../../normalize/title-functions.ts';
import { type BestCandidates, collectBest } from './collect-best.ts';
import { areForms, compareFirst } from './compare-first.ts';
import { compareLast } from './compare-last.ts';
import { compareLocal } from './compare-local.ts';
import {
  type Compared,
  comparePlainly,
  likeliest,
  type NamedOrganisation,
} from './compare-plainly.ts';
import type { Comparison, FeatureSink } from './comparison.ts';
import { weigh } from './features.ts';
import { findIdentified, type Identified } from './find-identified.ts';
import { isKnownGiven, isKnownSurname } from './known-names.ts';
import {
  first,
  firstGroup,
  groupOfFirst,
  groupOfLast,
  identifierBit,
  last,
  lastGroup,
  localFit,
  org,
  readingKinds,
} from './levels.ts';
import { countGroup, createCandidateLister } from './list-candidates.ts';
import type { MatchModel } from './model.ts';
import { createOrgResolver } from './organisations/resolve-organisation.ts';
import {
  type DomainGroups,
  type RowOrganisation,
  readRowOrganisation,
} from './organisations/row-organisation.ts';
import { isFreeHost } from './organisations/web-domains.ts';
import { createPeopleReader, type PersonView } from './people-view.ts';
import { calibrate, posteriors } from './posterior.ts';
import { type AroundName, readAroundName } from './readings/around-person.ts';
import { readPlainRow } from './readings/plain-row.ts';
import { type RowCell, type RowText, readRowText, rowCells } from './readings/read-identifiers.ts';
import { listOtherReadings, listPlainReadings, type Reading } from './readings/read-row.ts';
import {
  isOffice,
  isTestRow,
  isTwoPeople,
  type KnownWords,
  organisationWord,
} from './readings/row-signs.ts';
import { createVocabulary, type RowWord, type Vocabulary } from './row-words.ts';
import type { RowReading, WeighedRow } from './weigh-identifiers.ts';
import { listNobodyFeatures, type Weighed, weighPair } from './weigh-pair.ts';

const plainWord = /^[A-Za-z]{2,}$/;
/** More people of one name elsewhere share what the name says: none of them is answered. */
const fewNamesakes = 3;

/** Calls with a given name and the names that it is a nickname of, or that are nicknames of it. */
function forEachGiven({ index }: Comparison, given: number, take: (name: number) => void): void {
  const { nicknameStarts, nicknames } = index.sections;
  take(given);
  for (let at = nicknameStarts[given]!; at < nicknameStarts[given + 1]!; at++)
    take(nicknames[at]! >>> 1);
}

/** Whether someone of the groups has a given name, or a nickname of it, and nearly a surname. */
function hasColleague(
  comparison: Comparison,
  groups: readonly number[],
  given: number,
  surname: RowWord,
): boolean {
  let isFound = false;
  const take = (person: number): void => {
    isFound ||= comparison.lister.hasSurname(person, surname);
  };
  for (const group of groups)
    forEachGiven(comparison, given, (name) => {
      if (!isFound) comparison.index.people.takeCompanyFirst(group, name, take);
    });
  return isFound;
}

/** Whether someone elsewhere has the very name, and may have moved or be the only one. */
function hasNamesake(
  { index }: Comparison,
  given: number,
  surname: number,
  { exactGroup, isRelated }: NamedOrganisation,
): boolean {
  const { mainNames, jobStarts, jobs, companyGroups } = index.sections;
  let count = 0;
  let isFound = false;
  index.people.takeFirstLast(given, surname, (person) => {
    if (isFound || mainNames[person * 2] !== given) return;
    if (mainNames[person * 2 + 1]! >>> 1 !== surname) return;
    count++;
    for (let at = jobStarts[person]!; at < jobStarts[person + 1]! && !isFound; at++) {
      const company = jobs[at]! >>> 2;
      isFound = company > 0 && isRelated(companyGroups[company - 1]!);
    }
  });
  // An organisation that is written otherwise may be anyone's.
  const most = exactGroup === null ? Number.POSITIVE_INFINITY : fewNamesakes;
  return isFound || (count > 0 && count <= most);
}

/** Whether anyone's email has the same local part. */
function hasMailbox({ index }: Comparison, email: string): boolean {
  let isFound = false;
  const local = email.slice(0, email.indexOf('@'));
  index.people.takeLocal(localKey(local), () => {
    isFound = true;
  });
  return isFound;
}

/**
 * Whether a plain row means no one surely; false says nothing. The exact passes found no one of the
 * row's surname at its organisation. A few lookups find those with its given name and nearly its
 * surname, people of the same name elsewhere, and the email's local part.
 */
function isStranger(
  comparison: Comparison,
  { first, last, emails }: RowText,
  organisation: NamedOrganisation,
): boolean {
  if (!plainWord.test(first) || !plainWord.test(last)) return false;
  const { index, sources } = comparison;
  const given = sources.vocabulary.word(first.toLowerCase());
  const surname = sources.vocabulary.word(last.toLowerCase());
  // An unknown word may be a name mistyped.
  if (surname.id < 0 || index.sections.lastCounts[surname.id]! < 2) return false;
  if (given.id < 0 || !isKnownGiven(index, given)) return false;
  if (emails.length > 0 && hasMailbox(comparison, emails[0]!)) return false;
  if (hasColleague(comparison, organisation.groups, given.id, surname)) return false;
  let isHeld = hasNamesake(comparison, surname.id, given.id, organisation);
  forEachGiven(comparison, given.id, (name) => {
    // Behind the very name of an organisation, a nickname elsewhere says too little.
    if (isHeld || (name !== given.id && organisation.exactGroup !== null)) return;
    isHeld = hasNamesake(comparison, name, surname.id, organisation);
  });
  index.people.settle();
  return !isHeld;
}

/** Why no one is answered. */
type Veto =
  /** A test row, a header, or two people in a cell. */
  | 'not_a_person'
  /** An identifier of the row belongs to another person than its name, or its parts contradict. */
  | 'conflicting_evidence'
  /** A part of the name is another one, or of a person elsewhere: a decision is needed. */
  | 'other_name'
  /** Another given name, or nothing that could decide. */
  | 'no_evidence';

const decidingMask =
  identifierBit.email |
  identifierBit.email_shared |
  identifierBit.email_near |
  identifierBit.url |
  identifierBit.url_shared;

/** Levels of a surname that is the person's, or a part of it, without slips. */
const sameLasts: ReadonlySet<number> = new Set([
  last.exact,
  last.other,
  last.core,
  last.part_held,
  last.part_given,
  last.part_both,
]);

/** Qualities of compare-first.ts and compare-last.ts from which a word is a name of the person. */
const namedMin = { given: 5.9, initial: 4.9, surname: 3.5 } as const;
/**
 * People of a million with a word that may be a second surname rather than a thing, in a whole name
 * and in a column of surnames.
 */
const otherSurnameMin = { inName: 100, inSurname: 10 } as const;
/** Two words have nothing around them. */
const onlyTwoWords = /^[\p{sc=Latin}.'’]+ [\p{sc=Latin}.'’]+$/u;

/** What the words of a row's name say besides the name of a person. */
function aroundName(
  { index, sources: { vocabulary }, readPerson }: Comparison,
  { text }: WeighedRow,
  { person, reading, first: ofFirst }: Weighed,
): AroundName | null {
  const cells = [text.first, text.last].filter((cell) => cell !== '');
  if (onlyTwoWords.test(cells.join(' '))) return null;
  const view = readPerson(person);
  const surnames = new Set(text.first === '' ? [] : nameWords(text.last));
  const employers = new Set(nameWords(text.company));
  const read = reading?.organisation ?? '';
  const organisation = read === text.company ? '' : read;
  const organisations = new Set(nameWords(organisation));
  return readAroundName(cells, {
    given: (word) =>
      compareFirst(index, { given: [vocabulary.word(word)], nicknames: [] }, view).quality -
      (word.length > 1 ? namedMin.given : namedMin.initial),
    surname: (word) =>
      compareLast(index, vocabulary.surname(surnameKey([word])), view).quality - namedMin.surname,
    hasGiven: ofFirst !== first.missing,
    isGiven: (word) => isKnownGiven(index, vocabulary.word(word)),
    isSurname(word) {
      const { id, known } = vocabulary.word(word);
      const count = surnamePerMillion(known);
      if (count >= otherSurnameMin.inName) return true;
      const isHeld = id >= 0 && index.sections.lastCounts[id]! > 0;
      return surnames.has(word) && (isHeld || count >= otherSurnameMin.inSurname);
    },
    isEmployers: (word) => employers.has(word),
    isOrganisations: (word) => organisations.has(word),
  });
}

const wholeFits: ReadonlySet<number> = new Set([
  localFit.whole,
  localFit.initial_last,
  localFit.first_initial,
]);
const givenFits = new Set([...wholeFits, localFit.first]);

const fitsOf = ({ readPerson }: Comparison, { emails }: RowText, { person }: Weighed) =>
  emails.map((email) => compareLocal(email.slice(0, email.indexOf('@')), readPerson(person)));

/** Whether a mailbox of the employer spells the name of a person. */
const hasSpelledMailbox = (comparison: Comparison, text: RowText, best: Weighed): boolean =>
  best.isDomain && fitsOf(comparison, text, best).some((fit) => wholeFits.has(fit));

/**
 * Whether an address of a row spells the given name of a person: next to another given name, it is
 * that of a relative or a predecessor. Otherwise the person may be called by either name.
 */
function hasOwnAddress(comparison: Comparison, text: RowText, best: Weighed): boolean {
  const { emails, urls } = text;
  const [given] = comparison.readPerson(best.person).firsts;
  const hasGiven = (address: string): boolean =>
    given !== undefined && given.text.length > 2 && address.includes(given.text);
  const locals = emails.map((email) => email.slice(0, email.indexOf('@')));
  return (
    [...locals, ...urls].some(hasGiven) ||
    fitsOf(comparison, text, best).some((fit) => givenFits.has(fit))
  );
}

const typedFirsts: ReadonlySet<number> = new Set([firstGroup.typo, firstGroup.typos]);
const ofMailbox: ReadonlySet<number> = new Set(
  readingKinds.flatMap((kind, at) => (kind.startsWith('mailbox_') ? [at] : [])),
);
const otherOrgs: ReadonlySet<number> = new Set([org.unknown, org.other]);

/**
 * Whether a row without an identifier of the person rather means one that the directory lacks. The
 * weights cannot say so of strangers of a kind that they were not taught.
 */
function isOfStranger(comparison: Comparison, row: WeighedRow, best: Weighed): boolean {
  const { text, identified } = row;
  if (best.isOtherMiddle) return true;
  // Namesakes work elsewhere, also by the mailbox alone.
  const isElsewhere =
    otherOrgs.has(best.org) || (text.company === '' && identified.domains.mail.size > 0);
  if (isElsewhere && !best.isDomain) return true;
  // Who mistypes the given name mistypes a surname to another that people have.
  const isNear = best.last === last.two_names && !typedFirsts.has(groupOfFirst[best.first]!);
  const isMailbox = best.reading !== null && ofMailbox.has(best.reading.kind);
  return (isNear || isMailbox) && !hasSpelledMailbox(comparison, text, best);
}

/** A title that is that of no person: it may be an employer. */
const employerTitle = ({ title }: RowText): string =>
  [null, 'Staff'].includes(classifyTitle(title).jobLevel) ? title : '';

/** @param best the likeliest candidate; null if there is none */
function findVeto(
  comparison: Comparison,
  row: WeighedRow,
  best: Weighed | null,
  hasName: boolean,
): Veto | null {
  const { text, identified } = row;
  const { known } = comparison;
  if (isTestRow(text) || isTwoPeople(text, known)) return 'not_a_person';
  const around = best === null ? null : aroundName(comparison, row, best);
  if (around === 'something') return 'not_a_person';
  if (identified.hasTwoOwners) return 'conflicting_evidence';
  const { emailOwner, urlOwner } = identified;
  if (emailOwner >= 0 && urlOwner >= 0 && emailOwner !== urlOwner) return 'conflicting_evidence';
  if (best === null) return null;
  if (best.isOtherInLast) return 'not_a_person';
  const owner = emailOwner >= 0 ? emailOwner : urlOwner;
  if (owner >= 0 && owner !== best.person) return 'conflicting_evidence';
  // The holder of the email or the page has neither name of the row. A phone decides nothing.
  const isOtherFirst = best.first === first.different || best.first === first.uncommon;
  const isDecided = (best.identifiers & decidingMask) !== 0;
  if (isOtherFirst && best.last === last.none)
    return isDecided ? 'conflicting_evidence' : 'no_evidence';
  // A surname with slips is hardly the person's where the given name is another.
  if (isOtherFirst && !isDecided && !sameLasts.has(best.last)) return 'no_evidence';
  if (best.isSuffixConflict) return 'conflicting_evidence';
  if (around === 'unknown' && !isDecided && best.first !== first.peer) return 'other_name';
  if (best.identifiers === 0 && isOfStranger(comparison, row, best)) return 'other_name';
  if (best.first === first.uncommon && !isDecided) return 'other_name';
  if (best.first === first.different && hasOwnAddress(comparison, text, best)) return 'other_name';
  // An organisation next to the name is not the person's employer.
  const isElsewhere = text.company === '' && best.org === org.absent && !isDecided;
  if (isElsewhere && organisationWord.test(`${text.first} ${text.last} ${employerTitle(text)}`))
    return 'other_name';
  // Of all people, too many have a surname and an initial.
  const isHalf = groupOfFirst[best.first] === firstGroup.initial && best.org === org.absent;
  if (isHalf && best.identifiers === 0) return 'other_name';
  if (best.first === first.similar && best.identifiers === 0) return 'no_evidence';
  // A phone is evidence with a name, never alone. So is a mailbox that several people may read.
  if (!hasName && !isDecided) return 'no_evidence';
  return null;
}

export interface GradedCandidate extends Weighed {
  /** How likely it is that the row means this person, 0 to 1. */
  readonly probability: number;
}

/** What the graded comparison says of a row. */
export interface GradedResult {
  readonly text: RowText;
  readonly identified: Identified;
  /** The likeliest first. */
  readonly candidates: readonly GradedCandidate[];
  /** Why none of them is answered, however likely; null if nothing speaks against the first. */
  readonly veto: Veto | null;
  readonly hasName: boolean;
  /** Whether the name of the row is that of an office. */
  isOffice(): boolean;
}

/** What the index knows of the words of a row. */
function knownWords(index: MatchIndex, { word }: Vocabulary): KnownWords {
  const { firstCounts, lastCounts } = index.sections;
  const has = (counts: Uint32Array, { id }: { readonly id: number }): boolean =>
    id >= 0 && counts[id]! > 0;
  return {
    isAnyName: (given, surname) => has(firstCounts, word(given)) && has(lastCounts, word(surname)),
    isGiven: (text) => isKnownGiven(index, word(text)),
    areForms: (one, other) => areForms(index, word(one), word(other)),
    isSurname(text) {
      const { id } = word(text);
      return id >= 0 && lastCounts[id]! > firstCounts[id]!;
    },
  };
}

/** A candidate as likely as this has no rival of nearly the same surname elsewhere. */
const sureEnough = 0.95;
/** No mistyped surname elsewhere counts against an organisation that is meant as surely as this. */
const clearOrg = 0.85;
const wideMailPeople = 400;

/** A row and its readings, each with its organisation. */
interface ReadRow {
  readonly row: WeighedRow;
  readonly plain: readonly RowReading[];
  /** The other ones are read when the plain ones leave the row open. */
  listOthers(isNamePlain: boolean): readonly RowReading[];
}

function readRow(
  { index, resolver, sources }: Comparison,
  read: (cell: RowCell) => string,
): ReadRow {
  const text = readRowText(read);
  const identified = findIdentified(index, resolver, text);
  const organisations = new Map<string, RowOrganisation>();
  const organisationOf = (name: string): RowOrganisation => {
    const known = organisations.get(name);
    if (known) return known;
    const found = readRowOrganisation(index, resolver, name, identified.domains);
    organisations.set(name, found);
    return found;
  };
  const email = text.emails[0] ?? '';
  const isUnknownMail = email !== '' && identified.emailOwner < 0 && !isRoleMailbox(email);
  const canRead = isUnknownMail && identified.domains.mail.size > 0;
  const mailbox = canRead ? email.slice(0, email.indexOf('@')) : '';
  const withOrg = (reading: Reading): RowReading => ({
    ...reading,
    org: organisationOf(reading.organisation),
  });
  const plain = listPlainReadings(text, sources).map(withOrg);
  return {
    row: {
      text,
      identified,
      org: organisationOf(text.company),
      title: codeOfTitle(text.title),
    },
    plain,
    listOthers: (isNamePlain) =>
      listOtherReadings(text, sources, isNamePlain, plain.length, mailbox).map(withOrg),
  };
}

/** People of the email's organisation whose name its local part spells, for a row of no name. */
function listMailboxPeople({ index, readPerson }: Comparison, row: WeighedRow): number[] {
  const { identified, text } = row;
  const local = text.emails[0]?.split('@')[0];
  const spelled: number[] = [];
  if (local === undefined || identified.people.size > 0) return spelled;
  for (const group of identified.domains.mail) {
    if (countGroup(index, group) >= wideMailPeople) continue;
    for (const person of index.people.ofGroup(group))
      if (compareLocal(local, readPerson(person)) !== localFit.none) spelled.push(person);
  }
  return spelled;
}

/** Weighs the people that a row without a name may mean. */
function weighNameless(comparison: Comparison, row: WeighedRow, best: BestCandidates): void {
  for (const person of row.identified.people.keys()) best.consider(null, person);
  const spelled = listMailboxPeople(comparison, row);
  const people = new Map(spelled.map((person) => [person, identifierBit.mailbox_alone]));
  const ofMailbox = { ...row, identified: { ...row.identified, people } };
  for (const person of spelled) best.consider(null, person, ofMailbox);
}

const unnamedFirsts: ReadonlySet<number> = new Set([
  firstGroup.none,
  firstGroup.missing,
  firstGroup.uncommon,
]);
const unnamedLasts: ReadonlySet<number> = new Set([lastGroup.none, lastGroup.missing]);

/**
 * Weighs the person whose email is a letter from that of a row without an employer, if the names
 * agree, as if the email were the person's.
 */
function weighMistypedEmail(
  { index: { people, sections } }: Comparison,
  row: WeighedRow,
  readings: readonly RowReading[],
  best: BestCandidates,
): void {
  const { text, identified } = row;
  const [email] = text.emails;
  if (email === undefined || text.company !== '' || text.domains.length > 0) return;
  // Without a name, another mailbox is as likely as a typing error.
  if (text.first === '' && text.last === '') return;
  if (isRoleMailbox(email) || people.holdersOf('email', email).length > 0) return;
  const named = best
    .ranked()
    .filter(
      ({ person, first, last }) =>
        (sections.personFlags[person]! & personFlags.hasEmail) !== 0 &&
        !unnamedFirsts.has(groupOfFirst[first]!) &&
        !unnamedLasts.has(groupOfLast[last]!),
    );
  const holder = named.length === 0 ? -1 : people.nearHolderOf(email);
  if (!named.some(({ person }) => person === holder)) return;
  // The same local part at a mistyped domain is a part of the same evidence.
  const others = (identified.people.get(holder) ?? 0) & ~identifierBit.email_local;
  const bits = others | identifierBit.email;
  const held = new Map(identified.people).set(holder, bits);
  const ofHolder = { ...row, identified: { ...identified, people: held } };
  for (const reading of readings) best.consider(reading, holder, ofHolder);
}

/** Whether a row has one word for a name, which no table has: "zorbo", "joe35". */
function hasHandleAlone({ index, sources }: Comparison, { first, last }: RowText): boolean {
  const [handle = '', ...others] = [first, last].filter((cell) => cell !== '');
  if (others.length > 0 || !/^\S+$/.test(handle)) return false;
  const word = sources.vocabulary.word(foldToAscii(handle));
  return /\d/.test(handle) || !(isKnownGiven(index, word) || isKnownSurname(index, word));
}

/** Whether the cells of a plain row hold a given name and a surname that are known as such. */
function hasKnownName({ index, sources }: Comparison, { first, last }: RowText): boolean {
  const word = (text: string) => sources.vocabulary.word(foldToAscii(text));
  return isKnownGiven(index, word(first)) && isKnownSurname(index, word(last));
}

/** A row that is compared; with its veto if that is known already. */
type Judged = Compared & { readonly veto?: Veto | null };

/**
 * Compares a row in full.
 * @param isNamePlain the cells of the name hold a name surely: no other cell does
 */
function compareFully(
  comparison: Comparison,
  read: (cell: RowCell) => string,
  isNamePlain: boolean,
): Judged {
  const { index, lister, model, sink } = comparison;
  const { row, plain, listOthers } = readRow(comparison, read);
  const { identified, text } = row;
  const { mail } = identified.domains;
  const best = collectBest(comparison, row);
  const identifiedPeople = [...identified.people.keys()];
  const weighNarrowly = (readings: readonly RowReading[]) =>
    readings.map((reading) => {
      const people = lister.list(reading, mail, false);
      for (const person of people) best.consider(reading, person);
      for (const person of identifiedPeople)
        if (!people.has(person)) best.consider(reading, person);
      return { reading, people };
    });
  const weighNobody = (hasName: boolean): number => {
    const features = listNobodyFeatures(row, hasName, text.company !== '');
    sink?.nobody(features);
    return weigh(features, model.weights);
  };
  const answer = (hasName: boolean, nobody: number): Compared => ({
    row,
    candidates: best.ranked(),
    nobody,
    hasName,
  });
  const narrow = weighNarrowly(plain);
  index.people.settle();
  // Training learns from every reading.
  if (plain.length > 0 && sink === undefined) {
    const early = answer(true, weighNobody(true));
    const [likely = null] = early.candidates;
    // Behind a whole name may stand the organisation, in the next column too.
    if (likeliest(early) >= sureEnough && likely?.isOtherInLast !== true) {
      const veto = findVeto(comparison, row, likely, true);
      if (veto !== 'other_name') return { ...early, veto };
    }
  }
  narrow.push(...weighNarrowly(listOthers(isNamePlain)));
  // An unknown nickname does not outweigh an email.
  const hasName =
    narrow.length > 0 && !(identifiedPeople.length > 0 && hasHandleAlone(comparison, text));
  if (!hasName) weighNameless(comparison, row, best);
  index.people.settle();
  const nobody = weighNobody(hasName);
  const found = answer(hasName, nobody);
  if (likeliest(found) >= sureEnough) return found;
  for (const { reading, people } of narrow) {
    if (reading.org.best >= clearOrg || reading.org.isNamed) continue;
    for (const person of lister.list(reading, mail, true))
      if (!people.has(person)) best.consider(reading, person);
  }
  const readings = narrow.map(({ reading }) => reading);
  weighMistypedEmail(comparison, row, readings, best);
  index.people.settle();
  return answer(hasName, nobody);
}

const noDomains: DomainGroups = { web: new Set(), mail: new Set() };
const noOne: Identified = {
  people: new Map(),
  emailOwner: -1,
  urlOwner: -1,
  hasTwoOwners: false,
  domains: noDomains,
};

const strangerOf = (text: RowText): GradedResult => ({
  text,
  identified: noOne,
  candidates: [],
  veto: null,
  hasName: true,
  isOffice: () => false,
});

function createComparison(index: MatchIndex, model: MatchModel, sink?: FeatureSink): Comparison {
  const vocabulary = createVocabulary(index);
  const resolver = createOrgResolver(index);
  return {
    index,
    model,
    sink,
    resolver,
    sources: { vocabulary, orgScore: (text) => resolver.scoreAsWritten(text) },
    known: knownWords(index, vocabulary),
    readPerson: createPeopleReader(index, vocabulary),
    lister: createCandidateLister(index, vocabulary),
  };
}

/**
 * Whether the cells of a row, read as one text, have a given name and a surname of a person, or the
 * title of a peer, who is written without a given name.
 */
function spellsName(cells: string, { given, otherGiven, surnames, peerages }: PersonView): boolean {
  const split = (text: string) => foldToAscii(text).split(/[^a-z0-9]+/);
  const words = new Set(split(cells));
  const has = ({ text }: { readonly text: string }) => words.has(text);
  const hasSurname = surnames.some(
    ({ whole, core, parts }) => has(whole) || has(core) || parts.some(has),
  );
  return (
    (hasSurname && [...given, ...otherGiven].some(has)) ||
    peerages.some((title) => split(title).every((word) => words.has(word)))
  );
}

/** A reading as if everyone worked for the organisation of the row's domain. */
const ofUnknownDomain = (reading: RowReading, { groups }: PersonView): RowReading => ({
  ...reading,
  org: { ...reading.org, scores: new Map(groups.map((group) => [group, 1])) },
});

/**
 * Tells whether a person may be weighed for a row. Which words are names, and whose a domain is,
 * depends on everyone in an index. So over an index of a few people, a name or a mailbox that is
 * spelled out counts too, and a domain may be that of any employer. Not to be shared between
 * threads.
 */
export function createGradedPairCheck(index: MatchIndex, model: MatchModel) {
  const comparison = createComparison(index, model);
  return (read: (cell: RowCell) => string, person: number): boolean => {
    const { row, plain, listOthers } = readRow(comparison, read);
    const { emails, domains } = row.text;
    const view = comparison.readPerson(person);
    const hosts = emails.map((email) => email.slice(email.indexOf('@') + 1));
    const hasDomain = [...domains, ...hosts].some((host) => !isFreeHost(host));
    const isWeighed = (reading: RowReading) => {
      const ofDomain = hasDomain ? ofUnknownDomain(reading, view) : reading;
      return weighPair(index, model.weights, row, ofDomain, view) !== null;
    };
    if (plain.some(isWeighed) || listOthers(false).some(isWeighed)) return true;
    if (row.identified.people.has(person)) return true;
    const isSpelled = (email: string) =>
      compareLocal(email.slice(0, email.indexOf('@')), view) !== localFit.none;
    return emails.some(isSpelled) || spellsName(rowCells.map(read).join(' '), view);
  };
}

/** A graded matcher over an index; not to be shared between threads. */
export function createGradedMatcher(index: MatchIndex, model: MatchModel, sink?: FeatureSink) {
  const comparison = createComparison(index, model, sink);
  /**
   * @param read the text of a cell of the row, '' if the row lacks it
   * @param named the organisations of the company cell; null if there may be others
   */
  return (read: (cell: RowCell) => string, named: NamedOrganisation | null): GradedResult => {
    const plain = sink ? null : readPlainRow(read);
    if (plain && named?.isEmpty && isStranger(comparison, plain, named)) return strangerOf(plain);
    const found: Judged =
      (plain && named && comparePlainly(comparison, plain, named)) ??
      compareFully(comparison, read, plain !== null && hasKnownName(comparison, plain));
    const { row, candidates, nobody, hasName } = found;
    const likely = posteriors(
      candidates.map(({ score }) => score),
      nobody,
    );
    return {
      text: row.text,
      identified: row.identified,
      candidates: candidates.map((one, at) => ({
        ...one,
        probability: calibrate(model, likely[at]!),
      })),
      veto:
        found.veto === undefined
          ? findVeto(comparison, row, candidates[0] ?? null, hasName)
          : found.veto,
      hasName,
      isOffice: () => isOffice(row.text, comparison.known),
    };
  };
}
