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
import { createPeopleReader } from './people-view.ts';
import { calibrate, posteriors } from './posterior.ts';
import { type RowCell, type RowText, readRowText } from './read-identifiers.ts';
import { listReadings } from './read-row.ts';
import { createOrgResolver } from './resolve-organisation.ts';
import { type RowOrganisation, readRowOrganisation } from './row-organisation.ts';
import type { KnownWords } from './row-signs.ts';
import { createVocabulary, type Vocabulary } from './row-words.ts';
import { findVeto, type Veto } from './vetoes.ts';
import {
  listNobodyFeatures,
  pairFeatures,
  type RowReading,
  type Weighed,
  type WeighedRow,
  weighPair,
} from './weigh-pair.ts';

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

/** A graded matcher over an index; not to be shared between threads. */
export function createGradedMatcher(index: MatchIndex, model: MatchModel, sink?: FeatureSink) {
  const vocabulary = createVocabulary(index);
  const readPerson = createPeopleReader(index, vocabulary);
  const resolver = createOrgResolver(index);
  const listCandidates = createCandidateLister(index, vocabulary);
  const { groupPeopleStarts, groupPeople } = index.sections;
  const known = knownWords(index, vocabulary);
  const sources = { vocabulary, orgScore: (text: string) => resolver.resolve(text).best };

  const readRow = (read: (cell: RowCell) => string) => {
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
    const readings: RowReading[] = listReadings(text, sources, mailbox).map((reading) => ({
      ...reading,
      org: organisationOf(reading.organisation),
    }));
    const row: WeighedRow = { text, identified, org: organisationOf(text.company) };
    return { row, readings };
  };

  /** People of the email's organisation whose name its local part spells, for a row of no name. */
  const weighMailbox = (row: WeighedRow, take: (person: number) => void): void => {
    const { identified, text } = row;
    const local = text.emails[0]?.split('@')[0];
    if (local === undefined || identified.people.size > 0) return;
    for (const group of identified.domains.mail) {
      const [from, to] = [groupPeopleStarts[group]!, groupPeopleStarts[group + 1]!];
      if (to - from >= wideMailPeople) continue;
      for (let at = from; at < to; at++) {
        const view = readPerson(groupPeople[at]!);
        if (compareLocal(local, view) !== localFit.none) take(view.person);
      }
    }
  };

  const weighAll = (row: WeighedRow, readings: readonly RowReading[], nobody: number) => {
    const best = new Map<number, Weighed>();
    const consider = (ofRow: WeighedRow, reading: RowReading | null, person: number): void => {
      const weighed = weighPair(index, model.weights, ofRow, reading, readPerson(person));
      if (weighed === null) return;
      const known = best.get(person);
      if (known && known.score >= weighed.score) return;
      best.set(person, weighed);
      sink?.candidate(person, pairFeatures);
    };
    const ranked = (): Weighed[] =>
      [...best.values()]
        .sort((a, b) => b.score - a.score || a.person - b.person)
        .slice(0, candidatesMax);
    const identifiedPeople = [...row.identified.people.keys()];
    const narrow = readings.map((reading) => {
      const people = listCandidates(reading, row.identified.domains.mail, false);
      for (const person of people) consider(row, reading, person);
      for (const person of identifiedPeople)
        if (!people.has(person)) consider(row, reading, person);
      return people;
    });
    if (readings.length === 0) {
      for (const person of identifiedPeople) consider(row, null, person);
      const spelled: number[] = [];
      weighMailbox(row, (person) => spelled.push(person));
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
      for (const person of listCandidates(reading, row.identified.domains.mail, true))
        if (!narrow[at]!.has(person)) consider(row, reading, person);
    }
    return ranked();
  };

  /** @param read the text of a cell of the row, '' if the row lacks it */
  return (read: (cell: RowCell) => string): GradedResult => {
    const { row, readings } = readRow(read);
    const nobody = listNobodyFeatures(row, readings.length > 0, row.text.company !== '');
    sink?.nobody(nobody);
    const ofNobody = weigh(nobody, model.weights);
    const weighed = weighAll(row, readings, ofNobody);
    const likely = posteriors(
      weighed.map(({ score }) => score),
      ofNobody,
    );
    const candidates = weighed.map((one, at) => ({
      ...one,
      probability: calibrate(model, likely[at]!),
    }));
    const hasName = readings.length > 0;
    return {
      text: row.text,
      identified: row.identified,
      candidates,
      veto: findVeto(row, candidates[0] ?? null, hasName, known),
      hasName,
    };
  };
}
