// Compares the name of a row with those of a group; the model's features derive from it.
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { findText } from '../../index/index-dictionary.ts';
import { keyKinds, type MatchIndex } from '../../index/index-layout.ts';
import { groupByOwner } from '../../index/index-lists.ts';
import { joinedTokens } from '../../index/index-organisations.ts';
import { organisationAcronyms } from '../../normalize/messy/organisation-tokens.ts';
import { legalFormOf, listReadings, normalizeCompany } from '../../normalize/normalize-company.ts';
import { likenessOf, type OrgRowWord } from '../graded/organisations/align-organisation.ts';
import {
  createOrgResolver,
  type OrgReading,
  type OrgResolver,
} from '../graded/organisations/resolve-organisation.ts';
import type { NameWord } from '../graded/row-words.ts';
import { type CompanyResolver, createCompanyResolver } from '../match-resolve.ts';
import { compareSectors, type SectorLevel } from './name-kinds.ts';
import { compareNumbers, isOneOfSeries, type NumberLevel } from './name-numbers.ts';
import { compareRests, type NameRests } from './name-rests.ts';
import { compareNamedPlaces, type NamedPlaceLevel } from './named-places.ts';
import { findInitialsRun, profileWords, type WordProfile, weightScale } from './profile-words.ts';

const wordsOfParent = { min: 2, max: 4 } as const;
/** Least number of names that begin with the words of a parent. */
const sitesMin = 4;
const slotBits = 20;

const mix = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

/** Counts the words at the beginning of a name that name a parent; 0 if none do. */
function createParentFinder({ sections }: MatchIndex) {
  const { orgEntryStarts, orgEntryWords, orgEntryGroups } = sections;
  // Counts by hash. Two runs of words rarely share a slot, which then costs an unnecessary
  // comparison.
  const counts = new Uint8Array(2 ** slotBits);
  const slotOf = (hash: number): number => hash >>> (32 - slotBits);
  for (let entry = 0; entry < orgEntryGroups.length; entry++) {
    const from = orgEntryStarts[entry]!;
    const to = Math.min(orgEntryStarts[entry + 1]!, from + wordsOfParent.max);
    let hash = 1;
    for (let at = from; at < to; at++) {
      hash = mix(hash, orgEntryWords[at]!);
      const slot = slotOf(hash);
      if (at - from + 1 >= wordsOfParent.min && counts[slot]! < 255) counts[slot]!++;
    }
  }
  return (words: readonly { readonly id: number }[]): number => {
    let found = 0;
    let hash = 1;
    const most = Math.min(words.length - 1, wordsOfParent.max);
    for (let at = 0; at < most; at++) {
      if (words[at]!.id < 0) break;
      hash = mix(hash, words[at]!.id);
      if (at + 1 >= wordsOfParent.min && counts[slotOf(hash)]! >= sitesMin) found = at + 1;
    }
    return found;
  };
}

/** Names of a group that are compared. */
const entriesMax = 12;
/** Factor of a site whose parent is not named. */
const siteFactor = 0.93;

/** Best alignment of a row's readings with the names of one group. */
interface Aligned {
  readonly score: number;
  readonly ofRow: number;
  readonly ofHeld: number;
  readonly held: readonly NameWord[];
  readonly row: readonly OrgRowWord[];
  readonly viaParent: boolean;
}

/** A reading of a row's name, complete or without the words of a parent. */
interface Reading extends OrgReading {
  readonly viaParent: boolean;
}

function scoreOf(ofRow: number, ofHeld: number): number {
  return ofRow + ofHeld === 0 ? 0 : (2 * ofRow * ofHeld) / (ofRow + ofHeld);
}

/** Aligns names with the groups of an index. */
function createNameAligner(index: MatchIndex, graded: OrgResolver) {
  const { sections } = index;
  const groupsCount = sections.groupWeights.length;
  const entries = groupByOwner(sections.orgEntryGroups, groupsCount);
  const parentOf = createParentFinder(index);
  const readNames = (name: string): readonly Reading[] =>
    graded.readings(name).flatMap((reading) => {
      const parent = parentOf(reading.words);
      const whole = { ...reading, viaParent: false };
      if (parent === 0) return [whole];
      const site = reading.words.slice(parent);
      return [whole, { words: site, factor: reading.factor * siteFactor, viaParent: true }];
    });
  /** "MSU Billings" names the parent of a site by its initials. */
  const hasInitials = ({ words }: Reading, held: readonly NameWord[], parent: number): boolean => {
    const named = held.slice(0, parent).map(({ text }) => text);
    return words.some(({ text }) => findInitialsRun(text, named) !== null);
  };
  const alignGroup = (readings: readonly Reading[], group: number): Aligned | null => {
    let best: Aligned | null = null;
    const to = Math.min(entries.starts[group + 1]!, entries.starts[group]! + entriesMax);
    for (let at = entries.starts[group]!; at < to; at++) {
      const entry = entries.order[at]!;
      const whole = graded.wordsOf(entry);
      const parent = parentOf(whole);
      for (const reading of readings)
        for (const skipped of parent === 0 || hasInitials(reading, whole, parent)
          ? [0]
          : [0, parent]) {
          const { ofRow, ofHeld } = graded.align(reading.words, entry, skipped);
          const factor = reading.factor * (skipped === 0 ? 1 : siteFactor);
          const score = scoreOf(ofRow, ofHeld) * factor;
          if (best !== null && score <= best.score) continue;
          const viaParent = reading.viaParent || skipped > 0;
          const held = skipped === 0 ? whole : whole.slice(skipped);
          best = { score, ofRow, ofHeld, held, row: reading.words, viaParent };
        }
    }
    return best;
  };
  return { readNames, alignGroup };
}

/** The kinds of keys by which a name finds a group; the strongest of several counts. */
export const keyLevels = ['none', 'initials', 'acronym', 'reading', 'name'] as const;
export type KeyLevel = (typeof keyLevels)[number];

/** The agreement of a row's name with the best name of a group. */
export interface NameFit {
  readonly group: number;
  /** Shared weight of the aligned words, 0 to 1. */
  readonly aligned: number;
  /** Share of the row's words that the group has, and the reverse, 0 to 1. */
  readonly ofRow: number;
  readonly ofHeld: number;
  /** Similarity by the words of the keys, 0 to 1. */
  readonly alike: number;
  readonly key: KeyLevel;
  /** The key is initials that many organisations have. */
  readonly isShortKey: boolean;
  /** Dice coefficient of the trigrams, 0 to 1. */
  readonly triples: number;
  /** One name begins with the other. */
  readonly isPrefix: boolean;
  readonly words: WordProfile;
  readonly rests: NameRests;
  /** The words of a parent before the row's name, or before the group's, are left out. */
  readonly viaParent: boolean;
  readonly sector: SectorLevel;
  readonly numbers: NumberLevel;
  /** One name is the second of a series or a later one, and the other has no number. */
  readonly isOneOfSeries: boolean;
  readonly namedPlaces: NamedPlaceLevel;
  /** The first words are the same. */
  readonly isSameStart: boolean;
}

/** A row's name with its groups, the best first. */
export interface NameFits {
  readonly fits: readonly NameFit[];
  /** The legal form of the row's name; '' if it has none. */
  readonly form: string;
  /** Total weight of the row's words. */
  readonly weight: number;
  /** Weight of the words that no organisation has. */
  readonly unknown: number;
  readonly wordCount: number;
  /** Groups that fit nearly as well as the best were left out: a chain with many sites. */
  readonly isCut: boolean;
}

const groupsMax = { aligned: 8, alike: 4, key: 8, placed: 4 } as const;
const rememberedMax = 4_000;
const triplesMax = 500;
const sameWordMin = 0.5;
const prefixLettersMin = 8;
const alikeMin = 0.55;
/** Least score of a name that is found by its letters without the spaces. */
const joinedMin = 0.9;
const joinedFactor = 0.97;
/** Fewer initials are those of many organisations. */
const sureInitialsMin = 5;
/** The sites of a chain differ by less in the score of the chain's name. */
const chainMargin = 0.15;

const texts = (words: readonly NameWord[]): string[] => words.map(({ text }) => text);

/** The trigrams of a text, including its ends. */
const triplesOf = createBoundedCache((text: string): ReadonlySet<string> => {
  const padded = `  ${text} `;
  const triples = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) triples.add(padded.slice(at, at + 3));
  return triples;
}, triplesMax);

/** Dice coefficient of two sets: symmetric, 1 for the same text. */
export function shareTriples(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let same = 0;
  for (const triple of a) if (b.has(triple)) same++;
  return (2 * same) / (a.size + b.size);
}

/** The only group with exactly this name; -1 if there is none or more than one. */
export function findExact(index: MatchIndex, name: string): number {
  const { key } = normalizeCompany(name);
  const id = key === '' ? -1 : findText(index.companyKeys, key);
  if (id < 0) return -1;
  const { keyGroupStarts, keyGroups } = index.sections;
  let found = -1;
  for (let at = keyGroupStarts[id]!; at < keyGroupStarts[id + 1]!; at++) {
    if ((keyGroups[at]! & 3) !== keyKinds.name) continue;
    if (found >= 0) return -1;
    found = keyGroups[at]! >>> 2;
  }
  return found;
}

/** The groups that a key finds, with the kind of the key. */
function listByKeys(index: MatchIndex, name: string): Map<number, KeyLevel> {
  const found = new Map<number, KeyLevel>();
  const add = (key: string, levelOf: (kind: number) => KeyLevel | null): void => {
    const id = key === '' ? -1 : findText(index.companyKeys, key);
    if (id < 0) return;
    const { keyGroupStarts, keyGroups } = index.sections;
    for (let at = keyGroupStarts[id]!; at < keyGroupStarts[id + 1]!; at++) {
      const level = levelOf(keyGroups[at]! & 3);
      const group = keyGroups[at]! >>> 2;
      if (level !== null && !found.has(group)) found.set(group, level);
    }
  };
  add(normalizeCompany(name).key, (kind) =>
    kind === keyKinds.name ? 'name' : kind === keyKinds.acronym ? 'acronym' : 'reading',
  );
  for (const reading of listReadings(name))
    add(normalizeCompany(reading).key, (kind) => (kind === keyKinds.acronym ? null : 'reading'));
  // The directory may have only the short form.
  for (const initials of organisationAcronyms(name))
    add(initials, (kind) => (kind === keyKinds.name ? 'initials' : null));
  return found;
}

/** @param countriesOf codes of the countries of a group's companies */
export function createNameComparison(
  index: MatchIndex,
  countriesOf: (group: number) => ReadonlySet<string>,
) {
  const words: CompanyResolver = createCompanyResolver(index, alikeMin);
  const graded = createOrgResolver(index);
  const { readNames, alignGroup } = createNameAligner(index, graded);
  const { orgWordEntryStarts, orgWordWeights } = index.sections;
  /** The words of a held name as if the row had them, since it has their letters. */
  const asRow = (held: readonly NameWord[]): OrgRowWord[] =>
    held.map((word) => ({ ...word, weight: orgWordWeights[word.id]!, likeness: new Map() }));
  const holdersOf = (id: number): number => orgWordEntryStarts[id + 1]! - orgWordEntryStarts[id]!;
  const fitOf = (aligned: Aligned, whole: readonly OrgRowWord[], group: number, name: string) => {
    const { row, held, viaParent, score, ofRow, ofHeld } = aligned;
    const places = graded.placesOf(group);
    const countries = countriesOf(group);
    const stated = joinedTokens(texts(row));
    const own = joinedTokens(texts(held));
    const shorter = Math.min(stated.length, own.length);
    return {
      aligned: score,
      ofRow,
      ofHeld,
      triples: shareTriples(triplesOf(stated), triplesOf(own)),
      isPrefix: shorter >= prefixLettersMin && (stated.startsWith(own) || own.startsWith(stated)),
      words: profileWords(index, row, held, places),
      rests: compareRests(whole, held, places, countries, holdersOf, name),
      viaParent,
      sector: compareSectors(row, held),
      numbers: compareNumbers(row, held),
      isOneOfSeries: isOneOfSeries(whole, held),
      // Brackets, which some readings leave out, often hold the place.
      namedPlaces: compareNamedPlaces(whole, held, (word) => places.includes(word), countries),
      isSameStart: row.length > 0 && likenessOf(row[0]!, held[0]!) >= sameWordMin,
    };
  };
  /** Reads a name of a row; what it has in common with a group is compared once. */
  const read = (name: string) => {
    const readings = readNames(name);
    const first = readings[0]?.words ?? [];
    const scale = weightScale(index);
    const byKey = listByKeys(index, name);
    const stated = words.resolve(name);
    const { scores } = graded.resolve(name);
    const graders = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const fitOfGroup = (group: number): NameFit | null => {
      const aligned = alignGroup(readings, group);
      if (aligned === null) return null;
      const isJoined = aligned.score < joinedMin && (scores.get(group) ?? 0) >= joinedMin;
      const key: KeyLevel = byKey.get(group) ?? (isJoined ? 'reading' : 'none');
      const clues = {
        group,
        alike: words.compareWith(stated, group),
        key,
        isShortKey:
          (key === 'acronym' && normalizeCompany(name).key.length < sureInitialsMin) ||
          (key === 'initials' && joinedTokens(texts(aligned.held)).length < sureInitialsMin),
      };
      if (!isJoined) return { ...clues, ...fitOf(aligned, first, group, name) };
      const spaced = asRow(aligned.held);
      const reading = { words: spaced, factor: joinedFactor, viaParent: false };
      return { ...clues, ...fitOf(alignGroup([reading], group) ?? aligned, spaced, group, '') };
    };
    const known = new Map<number, NameFit | null>();
    const fitsOf = (groups: ReadonlySet<number>): NameFit[] => {
      const fits: NameFit[] = [];
      for (const group of groups) {
        if (!known.has(group)) known.set(group, fitOfGroup(group));
        const fit = known.get(group)!;
        if (fit !== null) fits.push(fit);
      }
      return fits;
    };
    const weight = first.reduce((sum, word) => sum + word.weight, 0) * scale;
    const unknown = first.reduce((sum, word) => sum + (word.id < 0 ? word.weight : 0), 0) * scale;
    const [best, next] = [graders[0], graders[groupsMax.aligned]];
    const isCut = best !== undefined && next !== undefined && best[1] - next[1] < chainMargin;
    return {
      ofKeys: [...byKey.keys()].slice(0, groupsMax.key),
      ofWords: [
        ...graders.slice(0, groupsMax.aligned).map(([group]) => group),
        ...stated.groups.slice(0, groupsMax.alike),
      ],
      fitsOf,
      whole: { form: legalFormOf(name), weight, unknown, wordCount: first.length, isCut },
    };
  };
  const remembered = createBoundedCache(read, rememberedMax);
  return {
    resolver: graded,
    /** Groups that share most with a name and its place: first the site of a chain there. */
    listPlaced(name: string, place: string): readonly number[] {
      const { scores } = graded.resolve(`${name} ${place}`);
      const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      return best.slice(0, groupsMax.placed).map(([group]) => group);
    },
    /** Compares a name with the groups that share most with it, and with the given others. */
    compare(name: string, others: readonly number[]): NameFits {
      const { ofKeys, ofWords, fitsOf, whole } = remembered(name);
      return { fits: fitsOf(new Set([...ofKeys, ...others, ...ofWords])), ...whole };
    },
  };
}

export type NameComparison = ReturnType<typeof createNameComparison>;
