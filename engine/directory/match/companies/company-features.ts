// The features of a row and one company that the model weighs: a sparse list of numbers.
import { typingDistance } from '../../normalize/messy/weighted-distance.ts';
import { type KeyLevel, keyLevels, type NameFit, type NameFits } from './compare-name.ts';
import { compareForms, formLevels, sectorLevels } from './name-kinds.ts';
import { insideLevels, restLevels, sharedLevels } from './name-rests.ts';
import { namedPlaceLevels } from './named-places.ts';
import type { CompanyPlace } from './read-company.ts';

/** How well the name agrees, in steps. */
const qualities = ['unnamed', 'far', 'weak', 'alike', 'close', 'same', 'exact'] as const;
type Quality = (typeof qualities)[number];
/** How a city or a state agrees. */
const cityLevels = ['same', 'near', 'other', 'unknown'] as const;
const stateLevels = ['same', 'other', 'unknown'] as const;
/** What the domain of a row says of a company. */
const domainLevels = ['none', 'same', 'near', 'taken', 'other', 'unheld'] as const;
export type DomainLevel = (typeof domainLevels)[number];
type CityLevel = (typeof cityLevels)[number];
type StateLevel = (typeof stateLevels)[number];
const numberLevels = ['none', 'same', 'other', 'added'] as const;
const countLevels = ['one', 'two', 'several'] as const;

/** Values from which a feature has a further slope. */
const knots: Readonly<Record<string, readonly number[]>> = {
  aligned: [0, 0.5, 0.7, 0.8, 0.9, 0.97],
  ofRow: [0, 0.7, 0.9],
  ofHeld: [0, 0.5, 0.8],
  alike: [0, 0.7, 0.85, 0.95],
  triples: [0, 0.5, 0.7, 0.85, 0.95],
  missingInHeld: [0, 0.3, 0.6, 0.85],
  missingInRow: [0, 0.3, 0.6, 0.85],
  shared: [0, 0.4, 0.8, 1.2, 2],
  rarest: [0, 0.4, 0.6, 0.8],
  sharedOwn: [0, 0.4, 0.8, 1.2],
  respelled: [0, 0.1, 0.25],
  coverRow: [0, 0.5, 0.7, 0.9],
  coverHeld: [0, 0.5, 0.7, 0.9],
  unknown: [0, 0.5, 1],
  weight: [0, 0.4, 0.8, 1.5],
  ahead: [0, 0.03, 0.08, 0.15, 0.3],
  behind: [0, 0.03, 0.08, 0.15],
};
const flags = [
  'bias',
  'isPrefix',
  'isPrefix_ahead',
  'isRespelled',
  'isOtherWord',
  'viaParent',
  'viaParent_placed',
  'hasInitials',
  'namesPlace',
  'otherStart',
  'holdsTwo',
  'holdsTwo_strong',
  'tied',
  'tied_placed',
  'missingBoth',
  'country_other',
] as const;

const wordSlopes = [
  'missingInHeld',
  'missingInRow',
  'shared',
  'sharedOwn',
  'respelled',
  'rarest',
  'coverRow',
  'coverHeld',
] as const;
const wordFlags = ['isRespelled', 'isOtherWord', 'hasInitials', 'namesPlace'] as const;

const cross = (...lists: readonly (readonly string[])[]): string[] =>
  lists.reduce<string[]>(
    (all, list) =>
      all.flatMap((one) => list.map((other) => (one === '' ? other : `${one}_${other}`))),
    [''],
  );

/** Keys of the weights; a feature's number is the position of its key. */
export const companyFeatureKeys: readonly string[] = [
  ...flags,
  ...Object.entries(knots).flatMap(([name, froms]) => froms.map((from) => `${name}_${from}`)),
  ...cross(['quality'], qualities),
  ...cross(['place'], cityLevels, stateLevels),
  ...cross(['place'], cityLevels, stateLevels, qualities),
  ...cross(['domain'], domainLevels, qualities),
  ...cross(['key'], keyLevels),
  ...cross(['numbers'], numberLevels),
  ...cross(['numbers'], numberLevels, qualities),
  ...cross(['named'], namedPlaceLevels),
  ...cross(['named'], namedPlaceLevels, qualities),
  ...cross(['words'], countLevels, qualities),
  ...cross(['namesakes'], countLevels),
  ...cross(['sector'], sectorLevels),
  ...cross(['sector'], sectorLevels, qualities),
  ...cross(['form'], formLevels),
  ...cross(['form_respelled'], formLevels),
  ...cross(['respelled'], countLevels),
  ...cross(['ahead'], qualities),
  ...cross(['rests'], restLevels, restLevels, sharedLevels),
  ...cross(['rests_held'], restLevels, sharedLevels, countLevels, countLevels),
  ...cross(['inside'], insideLevels),
  ...cross(['inside'], insideLevels, countLevels, sharedLevels),
  ...cross(['spells'], qualities),
];
const numberOf: ReadonlyMap<string, number> = new Map(
  companyFeatureKeys.map((key, at) => [key, at]),
);
const slopes = Object.entries(knots).map(
  ([name, froms]) => [name, froms, numberOf.get(`${name}_${froms[0]!}`)!] as const,
);
const slopesOf = new Map(slopes.map(([name, froms, at]) => [name, { froms, at }]));

export interface CompanyFeatures {
  readonly ids: number[];
  readonly values: number[];
  /** The row's city or, without one, its state is the company's. */
  readonly isPlaced: boolean;
  /** The row's city is the company's. */
  readonly isInCity: boolean;
  /** The row's city or state is not the company's. */
  readonly isElsewhere: boolean;
}

/** What is known of a company beyond its name. */
export interface CompanyFacts {
  readonly place: CompanyPlace;
  readonly domain: string;
  /** The legal form of its name; '' if it has none. */
  readonly form: string;
  /** The words of its name, folded, between spaces. */
  readonly words: string;
}

/** A row and a candidate, compared. */
export interface Compared {
  /** null if the row has no name. */
  readonly fit: NameFit | null;
  readonly facts: CompanyFacts;
  readonly domain: DomainLevel;
  /** The row's name is what the company's domain begins with. */
  readonly spellsDomain: boolean;
  /** Lead of this group's name over the next best one, -1 to 1. */
  readonly lead: number;
  /** Candidates of other groups whose names agree equally well. */
  readonly ties: number;
  readonly namesakes: number;
}

const nearCityMax = 2;
const nearLettersMin = 4;

function compareCities(stated: string, held: string): CityLevel {
  if (stated === '' || held === '') return 'unknown';
  if (stated === held) return 'same';
  if (stated.length < nearLettersMin) return 'other';
  const isCut = held.startsWith(stated) || stated.startsWith(held);
  return isCut || typingDistance(stated, held, nearCityMax) <= nearCityMax ? 'near' : 'other';
}

const compareCodes = (stated: string, held: string): StateLevel =>
  stated === '' || held === '' ? 'unknown' : stated === held ? 'same' : 'other';

/** Agreement of two names as one number; exact agreement comes first. */
export function strengthOf(fit: NameFit): number {
  if (fit.key === 'name') return 1;
  const { coverRow, coverHeld } = fit.words;
  const spelled = 0.5 * fit.aligned + 0.25 * fit.alike + 0.25 * fit.triples;
  const graded = fit.words.hasInitials
    ? Math.max(spelled, (2 * coverRow * coverHeld) / (coverRow + coverHeld))
    : spelled;
  const byKey: Readonly<Record<KeyLevel, number>> = {
    none: 0,
    initials: 0.8,
    acronym: 0.82,
    reading: 0.95,
    name: 1,
  };
  return Math.max(graded, byKey[fit.key]);
}

function qualityOf(fit: NameFit | null): Quality {
  if (fit === null) return 'unnamed';
  if (fit.key === 'name') return 'exact';
  const best = Math.max(fit.aligned, fit.alike, strengthOf(fit));
  if (best >= 0.97) return 'same';
  if (best >= 0.9) return 'close';
  if (best >= 0.8) return 'alike';
  return best >= 0.65 ? 'weak' : 'far';
}

const countLevel = (count: number): (typeof countLevels)[number] =>
  count <= 1 ? 'one' : count === 2 ? 'two' : 'several';

/** Collects features; values of 0 are left out. */
function startList() {
  const ids: number[] = [];
  const values: number[] = [];
  const add = (key: string, value = 1): void => {
    if (value === 0) return;
    ids.push(numberOf.get(key)!);
    values.push(value);
  };
  const addSlopes = (name: string, value: number): void => {
    const { froms, at } = slopesOf.get(name)!;
    for (let knot = 0; knot < froms.length && value > froms[knot]!; knot++) {
      ids.push(at + knot);
      values.push(value - froms[knot]!);
    }
  };
  return { ids, values, add, addSlopes };
}

export function listCompanyFeatures(
  place: CompanyPlace,
  names: NameFits | null,
  holdsTwo: boolean,
  { fit, facts, domain, spellsDomain, lead, ties, namesakes }: Compared,
): CompanyFeatures {
  const { ids, values, add, addSlopes } = startList();
  const quality = qualityOf(fit);
  const city = compareCities(place.city, facts.place.city);
  const state = compareCodes(place.state, facts.place.state);
  add('bias');
  add(`quality_${quality}`);
  add(`place_${city}_${state}`);
  add(`place_${city}_${state}_${quality}`);
  add(`domain_${domain}_${quality}`);
  add(`namesakes_${countLevel(namesakes)}`);
  if (compareCodes(place.country, facts.place.country) === 'other') add('country_other');
  const isPlaced = city === 'same' || city === 'near' || (city === 'unknown' && state === 'same');
  const isInCity = city === 'same';
  const isElsewhere = city === 'other' || state === 'other';
  if (fit === null || names === null) return { ids, values, isPlaced, isInCity, isElsewhere };
  add(`key_${fit.key}`);
  const { ofRow, ofHeld, shared, inside, holders, heldCount } = fit.rests;
  const [held, rowWords] = [countLevel(holders), countLevel(names.wordCount)];
  add(`rests_${ofRow}_${ofHeld}_${shared}`);
  if (ofRow === 'none') add(`rests_held_${ofHeld}_${shared}_${held}_${rowWords}`);
  add(`inside_${inside}`);
  add(`inside_${inside}_${countLevel(heldCount)}_${shared}`);
  if (spellsDomain) add(`spells_${quality}`);
  add(`numbers_${fit.numbers}`);
  add(`numbers_${fit.numbers}_${quality}`);
  add(`named_${fit.namedPlaces}`);
  add(`named_${fit.namedPlaces}_${quality}`);
  const form = compareForms(names.form, facts.form);
  add(`form_${form}`);
  if (fit.words.isRespelled) add(`form_respelled_${form}`);
  add(`sector_${fit.sector}`);
  add(`sector_${fit.sector}_${quality}`);
  add(`words_${countLevel(names.wordCount)}_${quality}`);
  for (const name of ['aligned', 'ofRow', 'ofHeld', 'alike', 'triples'] as const)
    addSlopes(name, fit[name]);
  for (const name of wordSlopes) addSlopes(name, fit.words[name]);
  add('missingBoth', Math.min(fit.words.missingInHeld, fit.words.missingInRow));
  addSlopes('unknown', names.unknown);
  addSlopes('weight', names.weight);
  addSlopes('ahead', lead);
  addSlopes('behind', -lead);
  add(`ahead_${quality}`, Math.min(Math.max(lead, -0.2), 0.2));
  if (fit.isPrefix) add('isPrefix');
  if (fit.isPrefix) add('isPrefix_ahead', Math.min(Math.max(lead, 0), 0.2));
  for (const name of wordFlags) if (fit.words[name]) add(name);
  if (fit.words.isRespelled) add(`respelled_${countLevel(names.wordCount)}`);
  if (!fit.isSameStart) add('otherStart');
  if (fit.viaParent) add('viaParent');
  if (fit.viaParent && (city === 'same' || state === 'same')) add('viaParent_placed');
  if (holdsTwo) add('holdsTwo');
  if (holdsTwo && fit.key !== 'name') add('holdsTwo_strong', strengthOf(fit));
  if (ties > 0) add('tied');
  if (ties > 0 && (city === 'same' || state === 'same')) add('tied_placed');
  return { ids, values, isPlaced, isInCity, isElsewhere };
}
