// The companies that a row may mean, each compared with it.
import { createBoundedCache, createNumberCache } from '../../../platform/bounded-cache.ts';
import type { ReadableDatabase } from '../../../platform/sqlite/open-database.ts';
import { findText } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import { joinedLetters } from '../../index/index-organisations.ts';
import { foldToAscii } from '../../normalize/fold-text.ts';
import { organisationTokens } from '../../normalize/messy/organisation-tokens.ts';
import { isKindWord, isSectorWord, stateNames } from '../../normalize/messy/organisation-words.ts';
import { legalFormOf, normalizeCompany } from '../../normalize/normalize-company.ts';
import { registrableDomain } from '../../normalize/reference-tables.ts';
import type { OrgResolver } from '../graded/organisations/resolve-organisation.ts';
import {
  type CompanyFacts,
  type CompanyFeatures,
  type Compared,
  type DomainLevel,
  listCompanyFeatures,
  strengthOf,
} from './company-features.ts';
import { createNameComparison, findExact, type NameFit, type NameFits } from './compare-name.ts';
import { areOtherForms } from './name-kinds.ts';
import { type CompanyPlace, type CompanyRow, isOwnForm, readPlace } from './read-company.ts';

const twoMin = 0.9;
/** A name with a total fit of at least this belongs to one organisation. */
const wholeMin = 0.97;
const betweenTwo = /\s+(?:\/|&|and|\+|\|)\s+|\s*;\s*/gi;
const joints = 'and|und|et|y|e|i|en|och|x|for|pour|by|via|powered by|on behalf of|im auftrag von';
const betweenWhole = new RegExp(String.raw`\s*[,;|/+&]\s*|\s+(?:${joints})\s+`, 'gi');

/** "Holdings / Acme" names one organisation. */
const isKindAlone = (text: string): boolean => organisationTokens(text).every(isKindWord);

/** Whether a name consists of the names of two organisations, one after the other. */
function holdsTwo(resolver: OrgResolver, name: string, names: NameFits): boolean {
  if (names.fits.some((fit) => fit.key === 'name' || fit.aligned >= wholeMin)) return false;
  const topOf = (text: string): readonly [group: number, score: number] => {
    let top: [number, number] = [-1, 0];
    for (const [group, score] of resolver.resolve(text).scores)
      if (score > top[1]) top = [group, score];
    return top;
  };
  for (const found of name.matchAll(betweenTwo)) {
    const [left, right] = [name.slice(0, found.index), name.slice(found.index + found[0].length)];
    if (isKindAlone(left) || isKindAlone(right)) continue;
    const [one, oneScore] = topOf(left.trim());
    const [two, twoScore] = topOf(right.trim());
    if (one !== two && oneScore >= twoMin && twoScore >= twoMin) return true;
  }
  return false;
}

/** Whether a text is the whole name of an organisation: a place is none. */
const isWholeName = (text: string): boolean =>
  /^[^\p{L}]*(?:\p{Lu}|\p{Lo})/u.test(text) &&
  !isKindAlone(text) &&
  (legalFormOf(text) !== '' || organisationTokens(text).some(isSectorWord));

/**
 * Whether a cell has the whole names of two organisations with a mark between them: both with a
 * legal form, or both in the index.
 */
function joinsTwo(index: MatchIndex, name: string): boolean {
  for (const found of name.matchAll(betweenWhole)) {
    const [left, right] = [name.slice(0, found.index), name.slice(found.index + found[0].length)];
    if (!isWholeName(left) || !isWholeName(right)) continue;
    const [one, two] = [findExact(index, left), findExact(index, right)];
    const isOne = one >= 0 || isOwnForm(legalFormOf(left));
    const isOther = two >= 0 || isOwnForm(legalFormOf(right));
    if (isOne && isOther && (one < 0 || one !== two)) return true;
  }
  return false;
}

/** Whether what stands behind a name in its cell is the name of another company. */
export const namesOther = (index: MatchIndex, { others }: CompanyRow): boolean =>
  others.some((other) => findExact(index, other) >= 0);

/** The groups that a row's domains belong to, exactly or with one typing error. */
interface DomainGroups {
  readonly stated: readonly string[];
  readonly exact: ReadonlySet<number>;
  readonly near: ReadonlySet<number>;
}

const lettersMin = 3;

/** Whether a name is what a domain begins with: "Acme Inc." at acme.com. */
function spellsDomain(name: string, domain: string): boolean {
  if (name === '' || domain === '') return false;
  const [label = ''] = registrableDomain(domain).split('.');
  const letters = label.replaceAll('-', '');
  if (letters.length < lettersMin) return false;
  return joinedLetters(name) === letters || normalizeCompany(name).key === letters;
}

function createDomainComparison(index: MatchIndex, resolver: OrgResolver) {
  const { domainGroupStarts, domainGroups } = index.sections;
  const groupsOf = (domain: string): readonly number[] => {
    const id = findText(index.domains, domain);
    return id < 0
      ? []
      : [...domainGroups.subarray(domainGroupStarts[id]!, domainGroupStarts[id + 1]!)];
  };
  const readDomains = ({ domains }: CompanyRow): DomainGroups => {
    const stated = [...new Set([...domains, ...domains.map(registrableDomain)])];
    const exact = new Set(stated.flatMap(groupsOf));
    const near = exact.size > 0 ? [] : domains.flatMap(resolver.groupsOfDomain);
    return { stated, exact, near: new Set(near) };
  };
  const domainLevel = (
    found: DomainGroups,
    group: number,
    { domain }: CompanyFacts,
  ): DomainLevel => {
    if (found.stated.length === 0) return 'none';
    if (found.exact.has(group) && (domain === '' || found.stated.includes(domain))) return 'same';
    if (found.stated.includes(domain)) return 'same';
    if (found.near.has(group)) return 'near';
    if (found.exact.size > 0) return 'taken';
    return domain === '' ? 'unheld' : 'other';
  };
  return { groupsOf, readDomains, domainLevel };
}

export interface CompanyCandidate {
  /** company.id */
  readonly companyId: number;
  readonly fit: NameFit | null;
  readonly domain: DomainLevel;
  /** The row's legal form is that of another company. */
  readonly isOtherForm: boolean;
  /** The row names another country. */
  readonly isAbroad: boolean;
  /** The row's name is the beginning of the company's, cut inside a word, and of no other's. */
  readonly isCut: () => boolean;
  /** The row is the company's city and its state. */
  readonly isCityAlone: boolean;
  /** Whether the row names two companies: asked for if the company would be the answer. */
  readonly isOfTwo: () => boolean;
  readonly features: CompanyFeatures;
}

const spacedWords = (name: string): string =>
  foldToAscii(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const cutLettersMin = 10;
/** Whether a name has enough letters besides its legal form. */
const isLong = (text: string): boolean => normalizeCompany(text).key.length >= cutLettersMin;
/** Whether a text ends inside a word of the only name that goes on: "ACME MECHANICAL ENG". */
function isCutName(text: string, name: string, names: ReadonlySet<string>): boolean {
  if (names.size !== 1 || !names.has(name) || name.length === text.length) return false;
  return name[text.length] !== ' ' || text.at(-2) === ' ';
}

const factsMax = 20_000;
/** A power of two. */
const groupsMax = 16_384;
const companiesPerGroupMax = 256;
const tieMargin = 0.02;
/** The name of a chain's site has the chain's words and more. */
const siteShareMin = 0.95;

type FactsRow = [
  city: string | null,
  state: string | null,
  country: string | null,
  domain: string | null,
  name: string,
];

const noFacts: FactsRow = [null, null, null, null, ''];

const isOtherCountry = (stated: CompanyPlace, held: CompanyPlace): boolean =>
  stated.country !== '' && held.country !== '' && stated.country !== held.country;

/** Whether a cell is a company's city: "Jacksonville, FL" is not the City of Jacksonville. */
export const namesCity = ({ cityOfCell }: CompanyRow, { city }: CompanyPlace): boolean =>
  cityOfCell !== '' && cityOfCell === city;

/** The strongest other group, and how many are as strong as this one. */
function compareRivals(
  strengths: readonly (readonly [group: number, strength: number])[],
  group: number,
  own: number,
) {
  let [next, ties] = [0, 0];
  for (const [other, strength] of strengths) {
    if (other === group) continue;
    if (strength > next) next = strength;
    if (Math.abs(strength - own) < tieMargin) ties++;
  }
  return { next, ties };
}

export function createCompanyLister(db: ReadableDatabase, index: MatchIndex) {
  const { companyIds, groupCompanyStarts, groupCompanies } = index.sections;
  const select = db
    .prepare('SELECT city, state, country, domain, name FROM company WHERE id = ?')
    .raw();
  const factsOf = createBoundedCache((companyId: number): CompanyFacts => {
    // A company that is gone since the index was built.
    const row = (select.get(companyId) as FactsRow | undefined) ?? noFacts;
    const [city, state, country, domain, name] = row;
    return {
      place: readPlace(city ?? '', state ?? '', country ?? ''),
      domain: (domain ?? '').toLowerCase().replace(/^www\./, ''),
      form: legalFormOf(name),
      words: spacedWords(name),
    };
  }, factsMax);
  const companiesOf = (group: number): readonly number[] => {
    const from = groupCompanyStarts[group]!;
    const to = Math.min(groupCompanyStarts[group + 1]!, from + companiesPerGroupMax);
    return Array.from(groupCompanies.subarray(from, to), (dense) => companyIds[dense]!);
  };
  const countriesOf = createNumberCache((group: number): ReadonlySet<string> => {
    const countries = companiesOf(group).map((one) => factsOf(one).place.country);
    return new Set(countries.includes('') ? [] : countries);
  }, groupsMax);
  const comparison = createNameComparison(index, countriesOf);
  const { resolver } = comparison;
  const { groupsOf, readDomains, domainLevel } = createDomainComparison(index, resolver);
  /** Compares a name with groups; of a chain with many sites, also with those of the place. */
  const compareNames = ({ name, place }: CompanyRow, ofDomains: readonly number[]) => {
    const names = comparison.compare(name, ofDomains);
    const { city, state } = place;
    const there = city || (stateNames.get(state) ?? '');
    if (!names.isCut || there === '') return names;
    const known = new Set(names.fits.map(({ group }) => group));
    const isThere = (group: number): boolean =>
      companiesOf(group).some((company) => {
        const held = factsOf(company).place;
        return city === '' ? held.state === state : held.city === city;
      });
    const placed = comparison
      .listPlaced(name, there)
      .filter((group) => !known.has(group) && isThere(group));
    if (placed.length === 0) return names;
    const more = comparison.compare(name, [...ofDomains, ...placed]);
    const isSite = ({ group, ofRow }: NameFit) => known.has(group) || ofRow >= siteShareMin;
    return { ...more, fits: more.fits.filter(isSite) };
  };
  const strongest = ({ fits }: NameFits): number => Math.max(0, ...fits.map(strengthOf));
  /** Compares the whole cell, or the part of it that is a name if that fits better. */
  const readName = (row: CompanyRow, others: readonly number[]) => {
    const whole = { text: row.name, names: compareNames(row, others) };
    if (row.bareName === row.name || row.bareName === '') return whole;
    if (whole.names.fits.some(({ key }) => key === 'name')) return whole;
    const part = {
      text: row.bareName,
      names: compareNames({ ...row, name: row.bareName }, others),
    };
    return strongest(part.names) >= strongest(whole.names) ? part : whole;
  };
  const list = (row: CompanyRow): CompanyCandidate[] => {
    const domains = readDomains(row);
    const others = [...domains.exact, ...domains.near];
    const { text, names } = row.name === '' ? { text: '', names: null } : readName(row, others);
    const fits = new Map(names?.fits.map((fit) => [fit.group, fit]));
    const strengths = [...fits].map(([group, fit]) => [group, strengthOf(fit)] as const);
    const stated = spacedWords(text);
    /** The names that begin with the row's. */
    const longer = new Set<string>();
    let two: boolean | null = null;
    const isOfTwo = (): boolean =>
      (two ??= row.name !== '' && (namesOther(index, row) || joinsTwo(index, row.name)));
    const isTwo = names !== null && holdsTwo(resolver, text, names);
    const candidates: CompanyCandidate[] = [];
    for (const group of names === null ? new Set(others) : fits.keys()) {
      const ofGroup = fits.get(group) ?? null;
      const own = ofGroup === null ? 0 : strengthOf(ofGroup);
      const { next, ties } = compareRivals(strengths, group, own);
      const companies = companiesOf(group);
      for (const companyId of companies) {
        const facts = factsOf(companyId);
        if (stated.length >= cutLettersMin && facts.words.startsWith(stated))
          longer.add(facts.words);
        const domain = domainLevel(domains, group, facts);
        const isAbroad = isOtherCountry(row.place, facts.place);
        // The place that stood behind the part of a cell is in its name.
        const fit: NameFit | null =
          isAbroad && text !== row.name && ofGroup !== null
            ? { ...ofGroup, namedPlaces: 'other' }
            : ofGroup;
        const compared: Compared = {
          fit,
          facts,
          domain,
          spellsDomain: spellsDomain(text, facts.domain),
          lead: own - next,
          ties,
          namesakes: companies.length,
        };
        const features = listCompanyFeatures(row.place, names, isTwo, compared);
        const isCityAlone = namesCity(row, facts.place);
        const isOtherForm = areOtherForms(names?.form ?? '', facts.form, facts.place.country);
        candidates.push({
          companyId,
          fit,
          domain,
          isOtherForm,
          isAbroad,
          isCut: () => isCutName(stated, facts.words, longer) && isLong(text),
          isCityAlone,
          isOfTwo,
          features,
        });
      }
    }
    return candidates;
  };
  return { list, groupsOf, factsOf, companiesOf };
}
