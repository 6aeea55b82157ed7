// Compares a plain row whose company is the very name of one organisation: with the people there,
// and with people of the same name elsewhere. Most of these rows mean one of them surely, or no
// one; the others take the whole comparison.
import type { MatchIndex } from '../../index/index-layout.ts';
import { codeOfTitle } from '../../normalize/title-functions.ts';
import { collectBest } from './collect-best.ts';
import type { Comparison } from './comparison.ts';
import { weigh } from './features.ts';
import { findIdentified } from './find-identified.ts';
import { exactOrganisation } from './organisations/row-organisation.ts';
import { posteriors } from './posterior.ts';
import type { RowText } from './readings/read-identifiers.ts';
import { listPlainReadings } from './readings/read-row.ts';
import type { WeighedRow } from './weigh-identifiers.ts';
import { listNobodyFeatures, type Weighed } from './weigh-pair.ts';

/** What the exact passes know of the organisation that a row names. */
export interface NamedOrganisation {
  /** The group whose very name the row has; null if it has none's. */
  readonly exactGroup: number | null;
  /** Every group that the company's name may mean, and those of the row's domains. */
  readonly groups: readonly number[];
  /** No one of the groups has the row's surname and a given name that agrees. */
  readonly isEmpty: boolean;
  /** Whether a group's name has much in common with the row's company. */
  isRelated(group: number): boolean;
}

/** A row that is compared in full, with its candidates. */
export interface Compared {
  readonly row: WeighedRow;
  /** The best first. */
  readonly candidates: readonly Weighed[];
  /** The score of no one. */
  readonly nobody: number;
  readonly hasName: boolean;
}

/** How likely the first candidate is; 0 if there is none. */
export const likeliest = ({ candidates, nobody }: Compared): number =>
  posteriors(
    candidates.map(({ score }) => score),
    nobody,
  )[0] ?? 0;

/** A candidate as likely as the first is answered; one less likely than the second is not. */
const sure = { someone: 0.95, nobody: 0.25 } as const;
/** More people of one name elsewhere share what the name says: none of them is answered. */
const namesakesMax = 3;

/** Whether a person works or worked at a group with a related name. */
function isRelated(
  { sections }: MatchIndex,
  { exactGroup, isRelated: isNear }: NamedOrganisation,
  person: number,
): boolean {
  const { jobStarts, jobs, companyGroups } = sections;
  for (let at = jobStarts[person]!; at < jobStarts[person + 1]!; at++) {
    const company = jobs[at]! >>> 2;
    if (company === 0) continue;
    const other = companyGroups[company - 1]!;
    if (other !== exactGroup && isNear(other)) return true;
  }
  return false;
}

/** Null if the row needs the whole comparison. */
export function comparePlainly(
  comparison: Comparison,
  text: RowText,
  organisation: NamedOrganisation,
): Compared | null {
  const { index, model, resolver, sources, lister } = comparison;
  const { exactGroup } = organisation;
  if (exactGroup === null) return null;
  const identified = findIdentified(index, resolver, text);
  const org = exactOrganisation(index, exactGroup);
  const readings = listPlainReadings(text, sources).map((reading) => ({ ...reading, org }));
  if (readings.length === 0) return null;
  const row: WeighedRow = { text, identified, org, title: codeOfTitle(text.title) };
  const groups = new Set([exactGroup, ...identified.domains.mail]);
  const best = collectBest(comparison, row);
  for (const reading of readings) {
    const colleagues = lister.listColleagues(reading, groups, reading === readings[0]);
    for (const person of colleagues) best.consider(reading, person);
    for (const person of identified.people.keys())
      if (!colleagues.has(person)) best.consider(reading, person);
    const others: number[] = [];
    for (const person of lister.listNamesakes(reading))
      if (!colleagues.has(person) && !identified.people.has(person)) {
        if (isRelated(index, organisation, person)) return null;
        others.push(person);
      }
    if (others.length <= namesakesMax) for (const person of others) best.consider(reading, person);
  }
  index.people.settle();
  const nobody = weigh(listNobodyFeatures(row, true, true), model.weights);
  const found: Compared = { row, candidates: best.ranked(), nobody, hasName: true };
  const likely = likeliest(found);
  return likely >= sure.someone || likely <= sure.nobody ? found : null;
}
