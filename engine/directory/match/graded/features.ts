// The features that the graded comparison weighs: families of named values, each a number in one
// dense array of weights.
import { titleFits } from '../../normalize/title-functions.ts';
import {
  firstGroups,
  firstLevels,
  identifierKinds,
  lastGroups,
  lastLevels,
  localFits,
  mailDomains,
  middleFits,
  orgGroups,
  orgLevels,
  readingKinds,
} from './levels.ts';

type Dimension = readonly string[];

const flags = ['no', 'yes'] as const;
const halves = ['differs', 'missing', 'agrees'] as const;
const orgNamed = ['absent', 'a', 'b', 'c', 'd'] as const;
const presence = ['email', 'url', 'no_name'] as const;
const suffixes = ['agrees', 'conflicts', 'row_only', 'held_only'] as const;
const lone = ['value'] as const;
/** What else says that the person is meant: an identifier, the employer, or the name alone. */
export const titleEvidence = ['identifier', 'employer', 'name'] as const;

/**
 * What is known of a row and a person. A family with several dimensions has a weight for each
 * combination.
 */
const dimensions = {
  nobody: [lone],
  nobody_org: [orgNamed],
  nobody_has: [presence],
  last: [lastLevels],
  first: [firstLevels],
  org: [orgLevels],
  last_first: [lastGroups, firstGroups],
  first_org: [firstGroups, orgGroups],
  last_org: [lastGroups, orgGroups],
  last_first_org: [lastGroups, firstGroups, orgGroups],
  reading: [readingKinds],
  reading_org: [readingKinds, orgGroups],
  /** How few people work at organisations that fit as well; times the agreement of the name. */
  org_rarity: [lone],
  org_rarity_name: [lastGroups, flags],
  org_gap: [lone],
  /** How rare the surname and the given name are, with and without an organisation that fits. */
  last_rarity: [lastGroups, flags],
  first_rarity: [firstGroups, flags],
  /** How few people of a large country the row's name fits: of the very name, and others. */
  name_rarity: [orgGroups, flags],
  /** A private mailbox next to a name alone: such a row is rarely about a work contact. */
  private_alone: [lone],
  last_length: [lastGroups],
  middle: [middleFits],
  /** How rare a row's surname is that another person may have. */
  last_known: [lone],
  suffix: [suffixes],
  unused_given: [lone],
  unused_last: [lone],
  identifier: [identifierKinds],
  identifier_name: [identifierKinds, halves, halves],
  identified: [lastGroups, firstGroups],
  identified_other_org: [lone],
  other_email_owner: [lone],
  other_url_owner: [lone],
  mail_role: [mailDomains],
  mail: [localFits, mailDomains],
  mail_name: [localFits, flags, lastGroups, firstGroups],
  mail_of_holder: [localFits, mailDomains],
  page_name: [flags, flags, flags],
  page_unknown: [lone],
  domain_own: [lone],
  phone_differs: [lone],
  title: [titleFits, titleEvidence],
} as const satisfies Record<string, readonly Dimension[]>;

type Family = keyof typeof dimensions;

/** Where a family is in the array of weights. */
interface Placed {
  readonly base: number;
  /** Entries of the second, third and fourth dimension; 1 if there is none. */
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
}

let featuresCount = 0;

/** Where each family begins in the array of weights. */
export const families = Object.fromEntries(
  Object.entries(dimensions).map(([name, dims]: [string, readonly Dimension[]]) => {
    const base = featuresCount;
    featuresCount += dims.reduce((product, { length }) => product * length, 1);
    const [, second = lone, third = lone, fourth = lone] = dims;
    return [name, { base, second: second.length, third: third.length, fourth: fourth.length }];
  }),
) as Readonly<Record<Family, Placed>>;

/** The features of one reading and one person, or of nobody. */
export interface FeatureList {
  readonly ids: Int32Array;
  readonly values: Float64Array;
  length: number;
}

const listMax = 96;

export const createFeatureList = (): FeatureList => ({
  ids: new Int32Array(listMax),
  values: new Float64Array(listMax),
  length: 0,
});

/** Adds a feature. @param value how strong it is; 1 for one that is there or not */
export function addFeature(
  list: FeatureList,
  { base, second, third, fourth }: Placed,
  value: number,
  a = 0,
  b = 0,
  c = 0,
  d = 0,
): void {
  list.ids[list.length] = base + ((a * second + b) * third + c) * fourth + d;
  list.values[list.length++] = value;
}

/** The keys of all features in the order of their numbers: "last_first:exact,nickname". */
export function listFeatureKeys(): readonly string[] {
  const keys: string[] = [];
  for (const [name, dims] of Object.entries(dimensions) as [Family, readonly Dimension[]][]) {
    let suffixes = [''];
    for (const dimension of dims)
      suffixes = suffixes.flatMap((suffix) =>
        dimension.map((value) => (suffix === '' ? value : `${suffix},${value}`)),
      );
    for (const suffix of suffixes) keys.push(`${name}:${suffix}`);
  }
  return keys;
}

export function weigh(list: FeatureList, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < list.length; at++) sum += weights[list.ids[at]!]! * list.values[at]!;
  return sum;
}
