/**
 * The graded comparison of one row: every reading against every candidate, then how likely each
 * candidate is among the others and nobody.
 */
import type { MatchIndex } from '../../index/index-layout.ts';
import { isRoleMailbox } from '../../normalize/normalize-email.ts';
import { isKnownGiven } from './compare-first.ts';
import { compareLocal } from './compare-local.ts';
import { type FeatureList, weigh } from './features.ts';
import { findIdentified, type Identified } from './find-identified.ts';
import { identifierBit, localFit } from './levels.ts';
import { createCandidateLister } from './list-candidates.ts';
import type { MatchModel } from './model.ts';
import { createPeopleReader, type PersonView } from './people-view.ts';
import { calibrate, posteriors } from './posterior.ts';
import { type RowCell, type RowText, readRowText } from './read-identifiers.ts';
import { listReadings, type ReadingSources } from './read-row.ts';
import { createOrgResolver, type OrgResolver } from './resolve-organisation.ts';
import { type RowOrganisation, readRowOrganisation } from './row-organisation.ts';
import type { KnownWords } from './row-signs.ts';
import { createVocabulary, type Vocabulary } from './row-words.ts';
import { findVeto, type Veto } from './vetoes.ts';
import type { RowReading, WeighedRow } from './weigh-identifiers.ts';
import { listNobodyFeatures, pairFeatures, type Weighed, weighPair } from './weigh-pair.ts';

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
}

/** Called with the features of what is weighed, for training. */
export interface FeatureSink {
  nobody(features: FeatureList): void;
  /** The features of a candidate replace those of a worse reading of the same person. */
  candidate(person: number, features: FeatureList): void;
}

/** What the index knows of the words of a row. */
function knownWords(index: MatchIndex, { word }: Vocabulary): KnownWords {
  const { firstCounts, lastCounts } = index.sections;
  return {
    isGiven: (text) => isKnownGiven(index, word(text).id),
    isSurname(text) {
      const { id } = word(text);
      return id >= 0 && lastCounts[id]! > firstCounts[id]!;
    },
  };
}

const candidatesMax = 12;
/** A candidate as likely as this has no rival of nearly the same surname elsewhere. */
const sureEnough = 0.95;
/** No mistyped surname elsewhere counts against an organisation that is meant as surely as this. */
const clearOrg = 0.85;
const wideMailPeople = 400;

/** What compares rows over one index. */
interface Comparison {
  readonly index: MatchIndex;
  readonly model: MatchModel;
  readonly sink: FeatureSink | undefined;
  readonly resolver: OrgResolver;
  readonly sources: ReadingSources;
  readonly known: KnownWords;
  readonly readPerson: (person: number) => PersonView;
  readonly listCandidates: ReturnType<typeof createCandidateLister>;
}

/** A row and its readings, each with its organisation. */
interface ReadRow {
  readonly row: WeighedRow;
  readonly readings: readonly RowReading[];
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
  const readings = listReadings(text, sources, mailbox).map((reading) => ({
    ...reading,
    org: organisationOf(reading.organisation),
  }));
  return { row: { text, identified, org: organisationOf(text.company) }, readings };
}

/** People of the email's organisation whose name its local part spells, for a row of no name. */
function listMailboxPeople({ index, readPerson }: Comparison, row: WeighedRow): number[] {
  const { identified, text } = row;
  const { groupPeopleStarts, groupPeople } = index.sections;
  const local = text.emails[0]?.split('@')[0];
  const spelled: number[] = [];
  if (local === undefined || identified.people.size > 0) return spelled;
  for (const group of identified.domains.mail) {
    const [from, to] = [groupPeopleStarts[group]!, groupPeopleStarts[group + 1]!];
    if (to - from >= wideMailPeople) continue;
    for (let at = from; at < to; at++)
      if (compareLocal(local, readPerson(groupPeople[at]!)) !== localFit.none)
        spelled.push(groupPeople[at]!);
  }
  return spelled;
}

/** The candidates of a row, the best first. @param nobody the score of no one */
function weighAll(comparison: Comparison, { row, readings }: ReadRow, nobody: number): Weighed[] {
  const { index, model, sink, readPerson, listCandidates } = comparison;
  const best = new Map<number, Weighed>();
  const consider = (ofRow: WeighedRow, reading: RowReading | null, person: number): void => {
    const weighed = weighPair(index, model.weights, ofRow, reading, readPerson(person));
    const known = best.get(person);
    if (weighed === null || (known && known.score >= weighed.score)) return;
    best.set(person, weighed);
    sink?.candidate(person, pairFeatures);
  };
  const ranked = (): Weighed[] =>
    [...best.values()]
      .sort((a, b) => b.score - a.score || a.person - b.person)
      .slice(0, candidatesMax);
  const { mail } = row.identified.domains;
  const identifiedPeople = [...row.identified.people.keys()];
  const narrow = readings.map((reading) => {
    const people = listCandidates(reading, mail, false);
    for (const person of people) consider(row, reading, person);
    for (const person of identifiedPeople) if (!people.has(person)) consider(row, reading, person);
    return people;
  });
  if (readings.length === 0) {
    for (const person of identifiedPeople) consider(row, null, person);
    const spelled = listMailboxPeople(comparison, row);
    const people = new Map(spelled.map((person) => [person, identifierBit.mailbox_alone]));
    const ofMailbox = { ...row, identified: { ...row.identified, people } };
    for (const person of spelled) consider(ofMailbox, null, person);
  }
  const found = ranked();
  const likely = posteriors(
    found.map(({ score }) => score),
    nobody,
  );
  if ((likely[0] ?? 0) >= sureEnough) return found;
  for (const [at, reading] of readings.entries()) {
    if (reading.org.best >= clearOrg) continue;
    for (const person of listCandidates(reading, mail, true))
      if (!narrow[at]!.has(person)) consider(row, reading, person);
  }
  return ranked();
}

/** A graded matcher over an index; not to be shared between threads. */
export function createGradedMatcher(index: MatchIndex, model: MatchModel, sink?: FeatureSink) {
  const vocabulary = createVocabulary(index);
  const resolver = createOrgResolver(index);
  const comparison: Comparison = {
    ...{ index, model, sink, resolver },
    sources: { vocabulary, orgScore: (text) => resolver.resolve(text).best },
    known: knownWords(index, vocabulary),
    readPerson: createPeopleReader(index, vocabulary),
    listCandidates: createCandidateLister(index, vocabulary),
  };
  /** @param read the text of a cell of the row, '' if the row lacks it */
  return (read: (cell: RowCell) => string): GradedResult => {
    const readings = readRow(comparison, read);
    const { row } = readings;
    const hasName = readings.readings.length > 0;
    const nobody = listNobodyFeatures(row, hasName, row.text.company !== '');
    sink?.nobody(nobody);
    const ofNobody = weigh(nobody, model.weights);
    const weighed = weighAll(comparison, readings, ofNobody);
    const likely = posteriors(
      weighed.map(({ score }) => score),
      ofNobody,
    );
    const candidates = weighed.map((one, at) => ({
      ...one,
      probability: calibrate(model, likely[at]!),
    }));
    return {
      text: row.text,
      identified: row.identified,
      candidates,
      veto: findVeto(row, candidates[0] ?? null, hasName, comparison.known),
      hasName,
    };
  };
}
