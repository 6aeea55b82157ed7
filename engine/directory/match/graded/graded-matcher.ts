/**
 * The graded comparison of one row: every reading against every candidate, then how likely each
 * candidate is among the others and nobody.
 */
import { type MatchIndex, personFlags } from '../../index/index-layout.ts';
import { foldToAscii } from '../../normalize/fold-text.ts';
import { isRoleMailbox } from '../../normalize/normalize-email.ts';
import { codeOfTitle } from '../../normalize/title-functions.ts';
import { type BestCandidates, collectBest } from './collect-best.ts';
import { areForms } from './compare-first.ts';
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
  firstGroup,
  groupOfFirst,
  groupOfLast,
  identifierBit,
  lastGroup,
  localFit,
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
import { readPlainRow } from './readings/plain-row.ts';
import { type RowCell, type RowText, readRowText, rowCells } from './readings/read-identifiers.ts';
import { listOtherReadings, listPlainReadings, type Reading } from './readings/read-row.ts';
import { isOffice, type KnownWords } from './readings/row-signs.ts';
import { createVocabulary, type Vocabulary } from './row-words.ts';
import { isStranger } from './rule-out.ts';
import { findVeto, type Veto } from './vetoes.ts';
import type { RowReading, WeighedRow } from './weigh-identifiers.ts';
import { listNobodyFeatures, type Weighed, weighPair } from './weigh-pair.ts';

/** A candidate of a row. */
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
  const bits = (identified.people.get(holder) ?? 0) | identifierBit.email;
  const held = new Map(identified.people).set(holder, bits);
  const ofHolder = { ...row, identified: { ...identified, people: held } };
  for (const reading of readings) best.consider(reading, holder, ofHolder);
}

/** Whether the cells of a plain row hold a given name and a surname that are known as such. */
function hasKnownName({ index, sources }: Comparison, { first, last }: RowText): boolean {
  const word = (text: string) => sources.vocabulary.word(foldToAscii(text));
  return isKnownGiven(index, word(first)) && isKnownSurname(index, word(last));
}

/**
 * Compares a row in full.
 * @param isNamePlain the cells of the name hold a name surely: no other cell does
 */
function compareFully(
  comparison: Comparison,
  read: (cell: RowCell) => string,
  isNamePlain: boolean,
): Compared {
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
    // Behind a whole name in the first column may stand the organisation, not another name.
    const isShifted = early.candidates[0]?.isOtherInLast === true;
    if (likeliest(early) >= sureEnough && !isShifted) return early;
  }
  narrow.push(...weighNarrowly(listOthers(isNamePlain)));
  const hasName = narrow.length > 0;
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
    const { row, nobody, hasName, ...found } =
      (plain && named && comparePlainly(comparison, plain, named)) ??
      compareFully(comparison, read, plain !== null && hasKnownName(comparison, plain));
    const likely = posteriors(
      found.candidates.map(({ score }) => score),
      nobody,
    );
    const candidates = found.candidates.map((one, at) => ({
      ...one,
      probability: calibrate(model, likely[at]!),
    }));
    return {
      text: row.text,
      identified: row.identified,
      candidates,
      veto: findVeto(comparison, row, candidates[0] ?? null, hasName),
      hasName,
      isOffice: () => isOffice(row.text, comparison.known),
    };
  };
}
