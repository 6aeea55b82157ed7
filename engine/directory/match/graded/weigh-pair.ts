// Weighs one reading of a row against one person: the features, and what they come to.
import { textAt } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import { givenPerMillion, numberOfName } from '../../names/name-frequencies.ts';
import { fitOfTitle } from '../../normalize/title-functions.ts';
import { areForms, compareFirst, type FirstFit } from './compare-first.ts';
import { compareLast, type LastFit, sureSurname } from './compare-last.ts';
import {
  addFeature,
  createFeatureList,
  type FeatureList,
  families,
  titleEvidence,
  weigh,
} from './features.ts';
import type { Identified } from './find-identified.ts';
import {
  isKnownGiven,
  isKnownSurname,
  isSameGiven,
  perMillionOfGiven,
  perMillionOfSurname,
} from './known-names.ts';
import {
  first,
  firstGroup,
  groupOfFirst,
  groupOfLast,
  groupOfOrg,
  identifierBit,
  last,
  lastGroup,
  middle,
  org,
  orgGroup,
  readingBases,
  readingKind,
} from './levels.ts';
import type { RowOrganisation } from './organisations/row-organisation.ts';
import { isFreeHost } from './organisations/web-domains.ts';
import type { PersonView } from './people-view.ts';
import type { Reading } from './readings/read-row.ts';
import { distanceOf, type PersonWord, type RowWord } from './row-words.ts';
import {
  addIdentifiers,
  addOtherIdentifiers,
  type Employer,
  type Pair,
  type RowReading,
  type WeighedRow,
} from './weigh-identifiers.ts';

/** What one reading of a row has in common with a person. */
export interface Weighed {
  readonly person: number;
  readonly score: number;
  readonly last: number;
  readonly first: number;
  readonly org: number;
  /** How surely the employer is meant, 0 to 1, which group it is, and whether they are there. */
  readonly orgScore: number;
  readonly group: number;
  readonly isCurrent: boolean;
  /** The person works or worked for the organisation of a web address or an email of the row. */
  readonly isDomain: boolean;
  readonly identifiers: number;
  readonly isSuffixConflict: boolean;
  /** A word or an initial between given name and surname is another one than the person's. */
  readonly isOtherMiddle: boolean;
  /** The first name's cell holds the whole name, and the surname's cell another one. */
  readonly isOtherInLast: boolean;
  readonly reading: Reading | null;
}

const orgSteps = [0.985, 0.93, 0.85, 0.75, 0.63, 0.5] as const;
const unknownOrgMax = 0.6;
const raritiesMax = { org: 9, last: 13, first: 12 } as const;
/** How common whole names are is measured by the people of a large country. */
const countryPeople = 1e8;
const namesakesMax = 1e4;
const namesakesMin = 1e-3;

function findEmployer(view: PersonView, row: RowOrganisation, { domains }: Identified): Employer {
  const best: Employer = { score: 0, group: -1, isCurrent: false, isMail: false, isWeb: false };
  for (let at = 0; at < view.groups.length; at++) {
    const group = view.groups[at]!;
    const score = row.scores.get(group) ?? 0;
    if (score > best.score || (score === best.score && view.isCurrent[at] && !best.isCurrent)) {
      best.score = score;
      best.group = score > 0 ? group : -1;
      best.isCurrent = view.isCurrent[at]!;
    }
    if (domains.mail.has(group)) best.isMail = true;
    if (domains.web.has(group)) best.isWeb = true;
  }
  return best;
}

function orgLevelOf(row: RowOrganisation, score: number): number {
  if (!row.isGiven) return org.absent;
  for (let step = 0; step < orgSteps.length; step++)
    if (score >= orgSteps[step]!) return org.a + step;
  if (!row.isNamed) return org.absent;
  return row.best < unknownOrgMax ? org.unknown : org.other;
}

const isOrgFar = (group: number): boolean =>
  group === orgGroup.absent || group === orgGroup.other || group === orgGroup.unknown;

/** A smaller directory says no more of how few people an organisation has than one of so many. */
const populationMin = 20_000;
const rarityOfOrg = ({ peopleCount }: MatchIndex, count: number): number =>
  Math.log(Math.max(peopleCount, populationMin) / Math.max(1, count));
const rarityOf = (perMillion: number): number => Math.log(1e6 / perMillion);

const exactish: ReadonlySet<number> = new Set([
  firstGroup.exact,
  firstGroup.nickname,
  firstGroup.second,
]);
const weighedFirsts: ReadonlySet<number> = new Set([
  firstGroup.exact,
  firstGroup.typo,
  firstGroup.typos,
  firstGroup.nickname,
]);

/** Agreement of names and organisation, alone and together. */
function addAgreement(into: FeatureList, pair: Pair, levels: Levels): void {
  const { ofLast, ofFirst, ofOrg, reading } = pair;
  addFeature(into, families.last, 1, levels.last);
  addFeature(into, families.first, 1, levels.first);
  addFeature(into, families.org, 1, levels.org);
  addFeature(into, families.last_first, 1, ofLast, ofFirst);
  addFeature(into, families.first_org, 1, ofFirst, ofOrg);
  addFeature(into, families.last_org, 1, ofLast, ofOrg);
  addFeature(into, families.last_first_org, 1, ofLast, ofFirst, ofOrg);
  if (reading === null) return;
  addFeature(into, families.reading, 1, reading.kind);
  addFeature(into, families.reading_org, 1, reading.kind, ofOrg);
}

interface Levels {
  readonly last: number;
  readonly first: number;
  readonly org: number;
}

/** An initial, or no given name, fits so many people of a million. */
const initialPerMillion = 50_000;
/** Groups in which a row's surname is written as people have it. */
const wholeNames: ReadonlySet<number> = new Set([lastGroup.exact, lastGroup.part]);

/** Of the people with a name, so many may be called by a short form of it. */
const calledShare = 0.2;

/** Of the words of a row, which are compared with many people. */
const calledOf = new WeakMap<RowWord, number>();

/** People of a million who may be called by a name: few registers have a Bob. */
function countCalled(index: MatchIndex, name: RowWord): number {
  const known = calledOf.get(name);
  if (known !== undefined) return known;
  const called = readCalled(index, name);
  calledOf.set(name, called);
  return called;
}

function readCalled(index: MatchIndex, name: RowWord): number {
  const own = perMillionOfGiven(index, name);
  if (name.id < 0) return own;
  const { nicknameStarts, nicknames } = index.sections;
  let called = own;
  for (let at = nicknameStarts[name.id]!; at < nicknameStarts[name.id + 1]!; at++) {
    // A sibling is another short form of the same name.
    if ((nicknames[at]! & 1) === 1) continue;
    const known = numberOfName(textAt(index.names, nicknames[at]! >>> 1));
    called = Math.max(called, givenPerMillion(known) * calledShare);
  }
  return called;
}

/** How many people of a large country may be meant by the name of a reading. */
function countNamesakes(index: MatchIndex, { given, nicknames, surname }: RowReading): number {
  const name = given[0] ?? nicknames[0];
  const ofGiven =
    name === undefined
      ? 1e6
      : name.text.length === 1
        ? initialPerMillion
        : countCalled(index, name);
  const ofSurname = surname === null ? 1e6 : perMillionOfSurname(index, surname.whole);
  const namesakes = (ofGiven * ofSurname * countryPeople) / 1e12;
  return Math.min(namesakesMax, Math.max(namesakesMin, namesakes));
}

/** How rare the names and the organisation are. */
function addRarity(into: FeatureList, pair: Pair): void {
  const { index, row, reading, view, lastFit, ofLast, ofFirst, ofOrg, employer } = pair;
  const organisation = reading?.org ?? row.org;
  if (employer.score >= 0.5) {
    const people = organisation.countPeople(employer.score);
    const rarity = Math.min(raritiesMax.org, rarityOfOrg(index, people));
    addFeature(into, families.org_rarity, rarity / 3);
    addFeature(into, families.org_gap, (organisation.best - employer.score) * 5);
    addFeature(into, families.org_rarity_name, rarity / 3, ofLast, exactish.has(ofFirst) ? 1 : 0);
  }
  const surname = lastFit.surname?.whole;
  const main = view.firsts[0];
  const surnameShare = surname ? perMillionOfSurname(index, surname) : 1;
  const givenShare = main ? perMillionOfGiven(index, main) : 1;
  const ofSurname = Math.min(raritiesMax.last, rarityOf(surnameShare));
  const ofGiven = Math.min(raritiesMax.first, rarityOf(givenShare));
  const isFar = isOrgFar(ofOrg);
  const isLast = ofLast !== lastGroup.none && ofLast !== lastGroup.missing;
  if (isLast) addFeature(into, families.last_rarity, ofSurname / 4, ofLast, isFar ? 0 : 1);
  if (weighedFirsts.has(ofFirst))
    addFeature(into, families.first_rarity, ofGiven / 4, ofFirst, isFar ? 0 : 1);
  const isNamed = reading !== null && !reading.isPeer && wholeNames.has(ofLast);
  // A mailbox of the same name elsewhere is had by namesakes too.
  const isIdentified = (pair.identifiers & ~identifierBit.email_local) !== 0;
  if (isFar && isNamed && !isIdentified) {
    const isExact = ofLast === lastGroup.exact && ofFirst === firstGroup.exact;
    const counted = countNamesakes(index, reading);
    addFeature(into, families.name_rarity, -Math.log(counted) / 2, ofOrg, isExact ? 1 : 0);
    const email = row.text.emails[0];
    if (ofOrg === orgGroup.absent && email && isFreeHost(email.slice(email.indexOf('@') + 1)))
      addFeature(into, families.private_alone, 1);
  }
  if (isLast && ofLast !== lastGroup.initial && surname)
    addFeature(into, families.last_length, Math.min(10, surname.text.length) / 5 - 1, ofLast);
}

type Words = readonly { readonly text: string }[];

const wordLettersMin = 3;

/** Whether two lists of middle names have words, and not initials alone. */
const areWords = (...lists: readonly Words[]): boolean =>
  lists.every((list) => list.some(({ text }) => text.length >= wordLettersMin));

/** Readings that may take a middle word for the first half of a surname. */
const halfSurnames: ReadonlySet<number> = new Set(
  readingBases.flatMap((base) => [
    readingKind(base, 'two_surnames'),
    readingKind(base, 'surname_in_first'),
  ]),
);

const partLasts: ReadonlySet<number> = new Set([last.part_given, last.part_both]);

/**
 * The words of a reading between given name and surname: also a given name before the person's, and
 * a half of the surname that is not the person's.
 */
function listMiddles({ view, lastFit, ofFirst }: Pair, reading: RowReading): readonly RowWord[] {
  const { given, kind, surname } = reading;
  const main = view.firsts[0]?.text;
  const more =
    ofFirst === firstGroup.second ? given.filter(({ text }) => text !== main) : given.slice(1);
  if (!partLasts.has(lastFit.level) || !halfSurnames.has(kind)) return more;
  const half = surname!.parts[0]!;
  const isHeld = view.surnames.some(
    ({ whole, core, parts }) =>
      half.id === whole.id || half.id === core.id || parts.some(({ id }) => id === half.id),
  );
  return isHeld ? more : [...more, half];
}

const slipShareMax = 0.3;

/** Whether two middle words may be one: an initial, a slip, a spelling. */
function isSameMiddle(one: RowWord, other: PersonWord): boolean {
  if (one.text === other.text) return true;
  const letters = Math.min(one.text.length, other.text.length);
  if (letters === 1) return one.text[0] === other.text[0];
  if (letters > 2 && distanceOf(one, other) <= letters * slipShareMax) return true;
  return isSameGiven(one, other);
}

/** How a row's middle words fit a person's; null if they say nothing. */
function compareMiddles(
  { index, view }: Pair,
  written: readonly RowWord[],
  given: RowWord | undefined,
): keyof typeof middle | null {
  if (written.length === 0) return null;
  const unwritten = [...view.middles];
  const others = written.filter((one) => {
    const at = unwritten.findIndex((held) => isSameMiddle(one, held));
    if (at >= 0) unwritten.splice(at, 1);
    return at < 0;
  });
  const isAgreed = others.length < written.length;
  if (isAgreed && !areWords(others, unwritten)) return 'agrees';
  // A given name that is written twice is the person's once.
  const isGiven = others.every(
    ({ text }) =>
      text !== given?.text &&
      [view.given, view.otherGiven, view.firsts].some((list) =>
        list.some((one) => one.text === text),
      ),
  );
  if (isGiven) return isAgreed ? 'agrees' : null;
  if (isAgreed) return 'word_differs';
  if (!areWords(others, view.middles)) return 'initial_differs';
  const areSurnames = others.every(
    (word) => isKnownSurname(index, word) && !isKnownGiven(index, word),
  );
  return areSurnames ? 'surname_differs' : 'word_differs';
}

/** What of the rest of a name speaks against a person, whatever else agrees. */
type Conflicts = Pick<Weighed, 'isSuffixConflict' | 'isOtherMiddle'>;
const noConflicts: Conflicts = { isSuffixConflict: false, isOtherMiddle: false };

/** The rest of the name: middle names, suffixes, words that the person has not. */
function addNameRest(into: FeatureList, pair: Pair, reading: RowReading): Conflicts {
  const { index, view, ofLast, ofFirst, lastFit } = pair;
  const has = (list: Words, text: string): boolean => list.some((name) => name.text === text);
  let fit: keyof typeof middle | null = null;
  if (view.middles.length > 0 && ofFirst !== firstGroup.none) {
    fit = compareMiddles(pair, listMiddles(pair, reading), reading.given[0]);
    if (fit !== null) addFeature(into, families.middle, 1, middle[fit]);
  }
  if (ofLast === lastGroup.two_names && reading.surname)
    addFeature(
      into,
      families.last_known,
      rarityOf(perMillionOfSurname(index, reading.surname.whole)) / 4,
    );
  const isConflict =
    reading.generation > 0 && view.generation > 0 && reading.generation !== view.generation;
  if (reading.generation > 0 || view.generation > 0) {
    const isBoth = reading.generation > 0 && view.generation > 0;
    const kind = isConflict ? 1 : isBoth ? 0 : reading.generation > 0 ? 2 : 3;
    addFeature(into, families.suffix, 1, kind);
  }
  if (reading.given.length > 1) {
    const isUnused = (word: RowWord): boolean =>
      word.text.length > 2 &&
      ![view.given, view.otherGiven, view.middles, view.firsts].some((names) =>
        has(names, word.text),
      ) &&
      !view.firsts.some((name) => areForms(index, word, name)) &&
      !view.surnames.some(({ whole }) => whole.text === word.text);
    const unused = reading.given.filter(isUnused).length;
    const isOneUsed = pair.ofFirst !== firstGroup.none && !exactish.has(ofFirst);
    if (unused > (isOneUsed ? 1 : 0)) addFeature(into, families.unused_given, unused);
  }
  if (lastFit.level === last.part_given && (reading.surname?.parts.length ?? 0) > 2)
    addFeature(into, families.unused_last, 1);
  return {
    isSuffixConflict: isConflict,
    isOtherMiddle: fit === 'word_differs' || fit === 'initial_differs',
  };
}

/** What a surname and a given name must reach for a pair to be weighed without an identifier. */
const gates = { surname: 5, given: 2, exactGiven: 7 } as const;
/** An organisation that fits less well outweighs no other given name. */
export const hopelessOrgMax = 0.75;

const slips: ReadonlySet<number> = new Set([lastGroup.typo, lastGroup.typos, lastGroup.far]);
const halfLasts: ReadonlySet<number> = new Set([last.initial, last.missing, last.sound]);
const halfFirsts: ReadonlySet<number> = new Set([firstGroup.initial, firstGroup.missing]);

function isHopeless(ofLast: LastFit, ofFirst: FirstFit, orgScore: number): boolean {
  if (ofLast.level === last.none) return true;
  if (ofLast.quality < gates.surname && ofFirst.quality < gates.given) return true;
  if (ofFirst.level === first.different || ofFirst.level === first.uncommon)
    return ofLast.quality < sureSurname || orgScore < hopelessOrgMax;
  // A colleague's surname may be similar.
  if (ofLast.level === last.two_names && halfFirsts.has(groupOfFirst[ofFirst.level]!)) return true;
  // Half of a surname, or one that only sounds alike, says too little next to half a given name.
  return halfLasts.has(ofLast.level) && ofFirst.quality < gates.exactGiven;
}

const wholeInFirst = readingKind('given', 'surname_in_first');
const twoNamesParts = 3;

/** Whether only the first of a surname's words agrees, and that word is from the other cell. */
function isOtherInLast({ kind, surname }: RowReading, { level, surname: held }: LastFit): boolean {
  if (kind !== wholeInFirst || level !== last.part_given || surname === null) return false;
  const { parts } = surname;
  return parts.length >= twoNamesParts && parts[0]!.text === held?.core.text;
}

/** Whether a peer's title may be that of a row: Lord Young of Cookham is not of Graffham. */
const isOfTerritory = (title: string, territory: string): boolean =>
  territory === '' || !title.includes(' of ') || title.endsWith(` of ${territory}`);

const similarFirsts: ReadonlySet<number> = new Set([
  first.missing,
  first.different,
  first.uncommon,
  first.similar,
  first.similar_rare,
]);
const missingLast: LastFit = { level: last.missing, quality: 0, surname: null };
const missingFirst: FirstFit = { level: first.missing, quality: 0 };

/** How far the row's title is from the person's. */
function addTitle(into: FeatureList, { index, row, view, identifiers, ofOrg }: Pair): void {
  const fit = fitOfTitle(row.title, index.sections.personTitles[view.person]!);
  if (fit === null) return;
  const evidence = identifiers !== 0 ? 'identifier' : isOrgFar(ofOrg) ? 'name' : 'employer';
  addFeature(into, families.title, 1, fit, titleEvidence.indexOf(evidence));
}

/** The features of the last pair; good until the next one. */
export const pairFeatures = createFeatureList();

/**
 * Weighs a pair; null if the names are too far apart.
 * @param reading null for a row that has no name
 */
export function weighPair(
  index: MatchIndex,
  weights: Float64Array,
  row: WeighedRow,
  reading: RowReading | null,
  view: PersonView,
): Weighed | null {
  const { identified } = row;
  const identifiers = identified.people.get(view.person) ?? 0;
  const lastFit = reading
    ? compareLast(index, reading.surname, view)
    : { ...missingLast, surname: view.surnames[0] ?? null };
  if (lastFit.level === last.none && identifiers === 0) return null;
  const firstFit = reading ? compareFirst(index, reading, view) : missingFirst;
  const organisation = reading?.org ?? row.org;
  const employer = findEmployer(view, organisation, identified);
  const isPeer =
    reading?.isPeer === true &&
    view.peerages.some((title) => isOfTerritory(title, reading.territory)) &&
    lastFit.quality > gates.surname &&
    similarFirsts.has(firstFit.level);
  if (identifiers === 0 && !isPeer && isHopeless(lastFit, firstFit, employer.score)) return null;
  // "Dr. Reed" is not the colleague Ann Reid, nor is "Roberta" Bob Roberts.
  const isLone = identifiers === 0 && !isPeer && firstFit.level === first.missing;
  if (isLone && reading?.surname && slips.has(groupOfLast[lastFit.level]!)) {
    const { whole } = reading.surname;
    const isOwn = view.firsts.some(({ text }) => text === whole.text);
    if (isKnownSurname(index, whole) || (isKnownGiven(index, whole) && !isOwn)) return null;
  }
  const levels: Levels = {
    last: lastFit.level,
    first: isPeer ? first.peer : firstFit.level,
    org: orgLevelOf(organisation, employer.score),
  };
  const pair: Pair = {
    index,
    row,
    reading,
    view,
    lastFit,
    employer,
    identifiers,
    ofLast: groupOfLast[levels.last]!,
    ofFirst: groupOfFirst[levels.first]!,
    ofOrg: groupOfOrg[levels.org]!,
  };
  pairFeatures.length = 0;
  addAgreement(pairFeatures, pair, levels);
  addRarity(pairFeatures, pair);
  const conflicts = reading === null ? noConflicts : addNameRest(pairFeatures, pair, reading);
  addIdentifiers(pairFeatures, pair);
  addOtherIdentifiers(pairFeatures, pair);
  addTitle(pairFeatures, pair);
  return {
    person: view.person,
    score: weigh(pairFeatures, weights),
    last: levels.last,
    first: levels.first,
    org: levels.org,
    orgScore: employer.score,
    group: employer.group,
    isCurrent: employer.isCurrent,
    isDomain: employer.isWeb || employer.isMail,
    identifiers,
    ...conflicts,
    isOtherInLast: reading !== null && isOtherInLast(reading, lastFit),
    reading,
  };
}

const nobodyFeatures = createFeatureList();

/** What speaks for nobody in a row; good until the next call. */
export function listNobodyFeatures(
  row: WeighedRow,
  hasName: boolean,
  isOrgNamed: boolean,
): FeatureList {
  const into = nobodyFeatures;
  into.length = 0;
  addFeature(into, families.nobody, 1);
  const { best } = row.org;
  const step = !isOrgNamed ? 0 : best >= 0.93 ? 1 : best >= 0.75 ? 2 : best >= 0.5 ? 3 : 4;
  addFeature(into, families.nobody_org, 1, step);
  if (row.text.emails.length > 0) addFeature(into, families.nobody_has, 1, 0);
  if (row.text.urls.length > 0) addFeature(into, families.nobody_has, 1, 1);
  if (!hasName) addFeature(into, families.nobody_has, 1, 2);
  return into;
}
