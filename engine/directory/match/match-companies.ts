// Matches a company to one of the directory by name, place and domain, or abstains.
import { candidatesMax } from '../../contract/limits/directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { buildCompanyIndex } from '../index/index-build.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { legalFormOf } from '../normalize/normalize-company.ts';
import { registrableDomain } from '../normalize/reference-tables.ts';
import { type CompanyModel, loadCompanyModel } from './companies/company-model.ts';
import { findExact } from './companies/compare-name.ts';
import {
  type CompanyCandidate,
  createCompanyLister,
  namesCity,
  namesOther,
} from './companies/list-company-candidates.ts';
import { areOtherForms } from './companies/name-kinds.ts';
import {
  type CompanyPlace,
  type CompanyQuery,
  type CompanyRow,
  readCompany,
} from './companies/read-company.ts';
import { calibrate, posteriors } from './graded/posterior.ts';

export interface CompanyMatch {
  /** company.id */
  readonly companyId: number;
  /** Probability that it is the right company, 0 to 1. */
  readonly confidence: number;
}

const agrees = (stated: string, held: string): boolean =>
  stated === '' || held === '' || stated === held;

/** The score of a candidate: the sum of its features' weights. */
export function scoreCompany({ features }: CompanyCandidate, { weights }: CompanyModel): number {
  let score = 0;
  for (let at = 0; at < features.ids.length; at++)
    score += weights[features.ids[at]!]! * features.values[at]!;
  return score;
}

/**
 * Whether the row means another company, whatever else agrees: its domain belongs to one, or the
 * number or the place in its name is another. "Fund VIII" is not "Fund IX", and "Bank (Asia)" is
 * not "Bank (London)".
 */
const isRefused = ({ domain, fit }: CompanyCandidate): boolean =>
  domain === 'taken' ||
  (domain !== 'same' && (fit?.numbers === 'other' || fit?.namedPlaces === 'other'));

/**
 * Whether a company may be the answer. A city is not the university there, a foundation not the
 * college, a fund not the second of its name, and few initials alone are those of many: a person
 * decides whether the company is meant.
 */
export function mayAnswer(candidate: CompanyCandidate): boolean {
  const { domain, fit, isOtherForm, isAbroad, isOfTwo, features } = candidate;
  if (isRefused(candidate) || candidate.isCityAlone) return false;
  if (fit === null || domain === 'same') return true;
  if (isOtherForm || isAbroad || isOfTwo()) return false;
  if (fit.key === 'name' || candidate.isCut()) return true;
  const { ofRow, ofHeld, shared } = fit.rests;
  // "Acme Logistics" and "Acme College": each says what the other does not.
  if (ofRow === 'sector' && ofHeld === 'sector' && fit.sector !== 'same') return false;
  if (fit.isOneOfSeries && fit.key === 'none') return false;
  // "Tarn House Angels" and "Booth House Angels": the words that tell them apart differ.
  const isOwnApart = ofRow === 'own' && ofHeld === 'own' && shared === 'own';
  if (isOwnApart && !fit.isSameStart) return false;
  const isAlone = fit.isShortKey && domain !== 'near' && !features.isPlaced;
  const isElsewhere = fit.rests.endsElsewhere && !features.isPlaced && domain !== 'near';
  const { isVague, isAround, isBeside, isDouble, isNeighbour, isOtherThing } = fit.rests;
  const isNear =
    (isNeighbour || isOtherThing) && fit.key === 'none' && !features.isPlaced && domain !== 'near';
  // "Graz Nursing Home" and "Graz Community Hospital": only the place is the same.
  const isOfPlace = isOtherThing && shared === 'kind' && fit.key === 'none';
  if (isAlone || isElsewhere || isVague || isAround || isNear || isOfPlace) return false;
  return fit.key !== 'none' || !(isBeside || (isDouble && !features.isInCity));
}

/**
 * A brand of one company alone, initials at its place, and a name of the same words in other
 * languages are answered if that company is likelier than none. So is one of two names of which one
 * has all words of the other, if few companies share its rarest word, or the city is the company's.
 */
const headShare = 0.5;
/**
 * The least posterior of other names of which one has all words of the other, and of a name with a
 * respelled word and without its place.
 */
const withinShare = 0.65;
const fewHolders = 2;
/** That of a name in the company's city that has each word, some respelled, and of a cut name. */
const wholeShare = 0.4;
/** A site behind the words of its parent is answered if no more companies have its rarest word. */
const siteHolders = 20;

/** The least posterior at which a candidate is answered. */
export function leastShare(
  { fit, isCut, features }: CompanyCandidate,
  { threshold }: CompanyModel,
): number {
  if (fit === null) return threshold;
  const { ofRow, ofHeld, shared, holders, rowCount, isHead, isSame } = fit.rests;
  const isInitials = fit.key === 'acronym' && features.isPlaced;
  const rests = [ofRow, ofHeld];
  const isOwn = shared !== 'kind';
  const isWithin = rests.includes('none') && isOwn && !fit.viaParent && !rests.includes('sector');
  const isPlain = isWithin && rowCount > 1 && !fit.words.isRespelled;
  const isRare = isPlain && ofRow !== 'own' && holders <= fewHolders;
  const isWhole = isOwn && ofRow === 'none' && ofHeld === 'none' && rowCount > 1 && holders === 1;
  const isSite = fit.viaParent && isOwn && ofRow === 'own' && ofHeld === 'none';
  if (isCut() || (isWhole && features.isInCity)) return Math.min(wholeShare, threshold);
  const isLikely =
    isHead ||
    fit.rests.isFormLeft ||
    (isSame && !fit.viaParent) ||
    isInitials ||
    isRare ||
    (isWhole && features.isPlaced && !features.isElsewhere) ||
    (isSite && holders <= siteHolders);
  if (isLikely || (isWithin && features.isInCity)) return Math.min(headShare, threshold);
  const mayBeWithin = isPlain || (isWhole && !features.isElsewhere);
  return mayBeWithin ? Math.min(withinShare, threshold) : threshold;
}

/** What a row may mean: one company, or some that a person must choose from. */
export interface CompanyAnswer {
  readonly match: CompanyMatch | null;
  /** Without a match: the likeliest companies, the best first. */
  readonly candidates: readonly CompanyMatch[];
}

/** A company that is less likely is no candidate. */
const candidateShareMin = 0.05;

/** The likeliest candidate, if it is likely enough; otherwise those that may be meant. */
function choose(candidates: readonly CompanyCandidate[], model: CompanyModel): CompanyAnswer {
  const shares = posteriors(
    candidates.map((candidate) => scoreCompany(candidate, model)),
    0,
  );
  const ranked = candidates
    .map((candidate, at) => ({ candidate, share: shares[at] ?? 0 }))
    .sort((one, other) => other.share - one.share);
  const [best] = ranked;
  const matchOf = ({ candidate, share }: (typeof ranked)[number]): CompanyMatch => ({
    companyId: candidate.companyId,
    confidence: calibrate(model, share),
  });
  if (best && best.share >= leastShare(best.candidate, model) && mayAnswer(best.candidate))
    return { match: matchOf(best), candidates: [] };
  const likely = ranked.filter(
    ({ candidate, share }) => share >= candidateShareMin && !isRefused(candidate),
  );
  return { match: null, candidates: likely.slice(0, candidatesMax).map(matchOf) };
}

/** Whether a company is in the city of a row, or in its state if the row names no city. */
function isPlacedAt(stated: CompanyPlace, held: CompanyPlace): boolean {
  if (!agrees(stated.state, held.state) || !agrees(stated.country, held.country)) return false;
  return stated.city === ''
    ? stated.state !== '' && stated.state === held.state
    : stated.city === held.city;
}

/** Hosts of an organisation that are no organisations of their own: shop.acme.com. */
const siteHost =
  /^(?:www\d|shop|store|mail|careers|jobs|karriere|blog|news|support|my|portal|info|web|m)\./;

type Lister = ReturnType<typeof createCompanyLister>;

/** The only company with the name or domain, if nothing contradicts it: for most rows. */
function settle(
  index: MatchIndex,
  { groupsOf, factsOf, companiesOf }: Lister,
  row: CompanyRow,
  model: CompanyModel,
): CompanyMatch | null {
  const { written, name, bareName, isForm, isPlaceOfCell, domains, place } = row;
  const [domain = '', ...further] = domains;
  if (further.length > 0) return null;
  if (name === '') {
    const stated = groupsOf(domain);
    const groups = stated.length > 0 ? stated : groupsOf(domain.replace(siteHost, ''));
    const companies = groups.flatMap(companiesOf);
    const there = companies.filter((company) => isPlacedAt(place, factsOf(company).place));
    // Of the sites of a chain, the only one there.
    const [companyId, ...others] = companies.length > 1 ? there : companies;
    const isOne = companyId !== undefined && others.length === 0;
    return isOne ? { companyId, confidence: model.domain } : null;
  }
  const whole = written === name ? -1 : findExact(index, written);
  const exact = whole >= 0 ? whole : findExact(index, name);
  const isBare = exact === -1 && bareName !== '' && bareName !== name;
  const group = isBare ? findExact(index, bareName) : exact;
  if (group === -1 || namesOther(index, row)) return null;
  const companies = companiesOf(group);
  // Of companies of one name, the only one with the row's legal form.
  const form = legalFormOf(isBare ? bareName : name);
  const sameForm = companies.filter((company) => factsOf(company).form === form);
  const [companyId, ...others] = companies.length > 1 && form !== '' ? sameForm : companies;
  if (companyId === undefined || others.length > 0) return null;
  const facts = factsOf(companyId);
  if ((isForm && whole < 0 && facts.form !== '') || namesCity(row, facts.place)) return null;
  if (areOtherForms(form, facts.form, facts.place.country)) return null;
  const isSamePlace =
    agrees(place.city, facts.place.city) &&
    agrees(place.state, facts.place.state) &&
    agrees(place.country, facts.place.country);
  // What is left of a cell with a city or a state is answered only if the company is there.
  const { city, state } = facts.place;
  const isThere = city === '' ? state !== '' && state === place.state : city === place.city;
  const isStated = isPlaceOfCell && (place.city !== '' || place.state !== '');
  if (isBare && isStated && !isThere) return null;
  const isSameDomain =
    domain === '' || domain === facts.domain || registrableDomain(domain) === facts.domain;
  return isSamePlace && isSameDomain ? { companyId, confidence: model.exact } : null;
}

/** The two passes that find a row's company. */
export interface CompanyComparison {
  /** The answer that a name or a domain alone gives; null if candidates must be compared. */
  settle(row: CompanyRow): CompanyMatch | null;
  list(row: CompanyRow): readonly CompanyCandidate[];
}

/** Creates the two passes over the current companies of a directory. */
export function createCompanyComparison(
  db: ReadableDatabase,
  model: CompanyModel,
  index = buildCompanyIndex(db),
): CompanyComparison {
  const lister = createCompanyLister(db, index);
  return { settle: (row) => settle(index, lister, row, model), list: lister.list };
}

export type CompanyFinder = (query: CompanyQuery) => CompanyAnswer;

/** @param index of the directory's companies; built by default, which takes time */
export function createCompanyFinder(db: ReadableDatabase, index?: MatchIndex): CompanyFinder {
  const model = loadCompanyModel();
  const { settle: findSettled, list } = createCompanyComparison(db, model, index);
  return (query) => {
    const row = readCompany(query);
    if (row.name === '' && row.domains.length === 0) return { match: null, candidates: [] };
    const match = row.isOfMany ? null : findSettled(row);
    if (match) return { match, candidates: [] };
    const answer = choose(list(row), model);
    return (row.isForm || row.isOfMany) && answer.match
      ? { match: null, candidates: [answer.match] }
      : answer;
  };
}

/** Matches current companies. Null if none is likely enough or two are equally likely. */
export function createCompanyMatcher(
  db: ReadableDatabase,
): (query: CompanyQuery) => CompanyMatch | null {
  const find = createCompanyFinder(db);
  return (query) => find(query).match;
}
