// The organisations that a cell may mean, with how surely each: graded, the best ones alone.
import { createBoundedCache, createNumberCache } from '../../../../platform/bounded-cache.ts';
import { findText, textAt } from '../../../index/index-dictionary.ts';
import type { MatchIndex } from '../../../index/index-layout.ts';
import {
  joinedLetters,
  joinedTokens,
  organisationKey,
} from '../../../index/index-organisations.ts';
import { scanTagged } from '../../../index/index-postings.ts';
import { organisationTokens, stateMark } from '../../../normalize/messy/organisation-tokens.ts';
import { createForms } from '../../../normalize/messy/weighted-distance.ts';
import { letterMask, letterMaskOf } from '../../../normalize/similarity.ts';
import { createNearWords } from '../near-words.ts';
import { createCodedWords, type NameWord } from '../row-words.ts';
import {
  createAligner,
  type NameAligner,
  type OrgRowWord,
  orgDistanceMax,
} from './align-organisation.ts';
import { repairWords } from './repair-words.ts';
import { createDomainFinder, hostOf } from './web-domains.ts';

/** Organisations that a text may mean. */
export interface OrgFit {
  /** How surely each group is meant, 0 to 1. */
  readonly scores: ReadonlyMap<number, number>;
  readonly best: number;
  /** The likeliest groups, the best first. */
  listGroups(): readonly number[];
}

/** The words of one reading of a cell. */
export interface OrgReading {
  readonly words: readonly OrgRowWord[];
  /** What the reading is worth, 0 to 1; 1 for the whole cell. */
  readonly factor: number;
}

/** Answers for the cells of a list; remembers the last ones. */
export interface OrgResolver {
  resolve(text: string): OrgFit;
  /** How surely a text names an organisation, 0 to 1, if none of its words is mistyped. */
  scoreAsWritten(text: string): number;
  readings(text: string): readonly OrgReading[];
  readonly align: NameAligner;
  /** The words of a name of the index, by the number of its entry. */
  wordsOf(entry: number): readonly NameWord[];
  /** Words of the places where a group is. */
  placesOf(group: number): readonly number[];
  /** Groups that use a domain, or one that is a letter from it. */
  groupsOfDomain(host: string): readonly number[];
}

/** What each way to find an organisation is worth. */
const worth = {
  domain: 0.97,
  joined: 0.96,
  acronym: 0.85,
  withoutBrackets: 0.99,
  segment: 0.95,
  loneSegment: 0.88,
  loneWord: 0.85,
} as const;
const rankedMax = 8;
/** Words of more names than this do not find an organisation; they only count in comparisons. */
const postingsMax = 4_500;
const comparedMax = 96;
/** Names that share much less with a row than the best ones are not compared. */
const sharedShareMin = 0.35;
const scoreMin = 0.4;
/** The words of a name that fits so well are not mistyped. */
const wholeName = 0.985;
const nearWordsMax = 12;
const prefixedMax = 30;
const prefixShare = 0.6;
const rareMax = 3;
const rememberedMax = 3_000;
const writtenMax = 1_000;
/** Powers of two. */
const heldWordsMax = 65_536;
const heldNamesMax = 16_384;

/** The likeliest groups of scores, the best first: no one looks at more of them. */
export function rankGroups(scores: ReadonlyMap<number, number>): readonly number[] {
  const ranked: number[] = [];
  const ofRank: number[] = [];
  for (const [group, score] of scores) {
    let at = ranked.length;
    while (
      at > 0 &&
      (score > ofRank[at - 1]! || (score === ofRank[at - 1] && group < ranked[at - 1]!))
    )
      at--;
    if (at === rankedMax) continue;
    ranked.splice(at, 0, group);
    ofRank.splice(at, 0, score);
    if (ranked.length > rankedMax) ranked.pop();
  }
  return ranked;
}

function createFit(scores: ReadonlyMap<number, number>, best: number): OrgFit {
  let groups: readonly number[] | null = null;
  return {
    scores,
    best,
    listGroups() {
      groups ??= rankGroups(scores);
      return groups;
    },
  };
}

const nothing = createFit(new Map(), 0);

const segmentBreak = /\s+[-–—|:>/]\s+|[,;|/()[\]>]+|\s@\s|\bd\/?b\/?a\b|\bformerly\b/i;

/** Readings of a cell: the whole, without brackets, each side of a separator. */
function listVariants(text: string): [variant: string, factor: number][] {
  const variants: [string, number][] = [[text, 1]];
  const bare = text.replace(/[([{][^)\]}]*[)\]}]/g, ' ').trim();
  if (bare !== '' && bare !== text) variants.push([bare, worth.withoutBrackets]);
  const segments = text.split(segmentBreak).map((segment) => segment.trim());
  const kept = segments.filter(({ length }) => length > 2);
  if (kept.length > 1)
    for (const segment of kept)
      if (segment.length > 3)
        variants.push([
          segment,
          organisationTokens(segment).length > 1 ? worth.segment : worth.loneSegment,
        ]);
  return variants;
}

/** A reading of a cell, with what it means by keys alone. */
interface Variant extends OrgReading {
  readonly scores: ReadonlyMap<number, number>;
  /** The names of the index that share its words as they are written, and how well each fits. */
  readonly entries: readonly number[];
  readonly fits: Float64Array;
}

/** What a cell means if none of its words is mistyped. */
interface Written {
  readonly best: number;
  /** Null if some words may be mistyped: another name may fit better. */
  readonly fit: OrgFit | null;
  readonly variants: readonly Variant[];
}

function raise(scores: Map<number, number>, group: number, score: number): void {
  if (score > (scores.get(group) ?? 0)) scores.set(group, score);
}

/** The words of an index's organisations. */
function createOrgWords(index: MatchIndex) {
  const { orgWords, sections } = index;
  const { orgWordWeights, orgWordEntryStarts, orgGramStarts, orgGrams, orgSortedWords } = sections;
  const unseenWeight = Math.log(1 + sections.groupWeights.length);
  const word = createBoundedCache((written: string): OrgRowWord => {
    const id = findText(orgWords, written);
    const weight = id < 0 ? unseenWeight : orgWordWeights[id]!;
    const mask = letterMaskOf(written);
    return { text: written, forms: createForms(), id, weight, mask, likeness: new Map() };
  }, 8_000);
  const masks = Int32Array.from(orgWordWeights, (_, id) =>
    letterMask(
      orgWords.pool,
      orgWords.starts[id]!,
      orgWords.starts[id + 1]! - orgWords.starts[id]!,
    ),
  );
  const held = createNumberCache(
    (id: number): NameWord => ({
      id,
      text: textAt(orgWords, id),
      forms: createForms(),
      mask: masks[id]!,
    }),
    heldWordsMax,
  );
  const near = createNearWords(
    {
      starts: orgGramStarts,
      words: orgGrams,
      wordsCount: orgWordWeights.length,
      masks,
      coded: createCodedWords(orgWords, masks, held),
    },
    orgDistanceMax,
  );
  const listPrefixed = (prefix: string): number[] => {
    let [low, high] = [0, orgSortedWords.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (held(orgSortedWords[middle]!).text < prefix) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low; at < orgSortedWords.length && found.length < prefixedMax; at++) {
      if (!held(orgSortedWords[at]!).text.startsWith(prefix)) break;
      found.push(orgSortedWords[at]!);
    }
    return found;
  };
  const entriesOf = (id: number): number => orgWordEntryStarts[id + 1]! - orgWordEntryStarts[id]!;
  return { masks, held, word, near, listPrefixed, entriesOf };
}

type OrgWords = ReturnType<typeof createOrgWords>;

/** Sums up what each name of the index shares with a row's words. */
function createSharedCounter(index: MatchIndex, words: OrgWords) {
  const { orgWordEntryStarts, orgWordEntries, orgEntryGroups, orgWordWeights } = index.sections;
  const shared = new Float32Array(orgEntryGroups.length);
  const touched = new Uint32Array(orgEntryGroups.length);
  const sums = new Float32Array(orgEntryGroups.length);
  let touchedCount = 0;
  const add = (id: number, weight: number): void => {
    if (words.entriesOf(id) > postingsMax) return;
    for (let at = orgWordEntryStarts[id]!; at < orgWordEntryStarts[id + 1]!; at++) {
      const entry = orgWordEntries[at]!;
      if (shared[entry] === 0) touched[touchedCount++] = entry;
      shared[entry]! += weight;
    }
  };
  const addSimilar = (word: OrgRowWord): void => {
    if (word.text.startsWith(stateMark) || word.text.length < 3) return;
    if (word.text.length >= 4 && (word.id < 0 || words.entriesOf(word.id) < rareMax))
      for (const { id, distance } of words.near(word).slice(0, nearWordsMax))
        if (id !== word.id) add(id, orgWordWeights[id]! * (1 - distance / 4));
    if (word.id < 0 && word.text.length < 12)
      for (const id of words.listPrefixed(word.text)) add(id, orgWordWeights[id]! * prefixShare);
  };
  const listMost = (): readonly number[] => {
    let most = 0;
    for (let at = 0; at < touchedCount; at++) most = Math.max(most, shared[touched[at]!]!);
    const kept: number[] = [];
    for (let at = 0; at < touchedCount; at++)
      if (shared[touched[at]!]! >= most * sharedShareMin) kept.push(touched[at]!);
    if (kept.length <= comparedMax) return kept;
    for (let at = 0; at < kept.length; at++) sums[at] = shared[kept[at]!]!;
    // What the last name that is compared shares. Of those that share as much, the first are.
    const least = sums.subarray(0, kept.length).sort()[kept.length - comparedMax]!;
    const more = kept.filter((entry) => shared[entry]! > least);
    const equal = Uint32Array.from(kept.filter((entry) => shared[entry] === least)).sort();
    return [...more, ...equal.subarray(0, comparedMax - more.length)];
  };
  /** The names that share most. */
  return (row: readonly OrgRowWord[], isSimilarToo: boolean): readonly number[] => {
    row.forEach((word, at) => {
      if (row.indexOf(word) !== at) return;
      if (word.id >= 0) add(word.id, word.weight);
      if (isSimilarToo) addSimilar(word);
    });
    const kept = listMost();
    for (let at = 0; at < touchedCount; at++) shared[touched[at]!] = 0;
    touchedCount = 0;
    return kept;
  };
}

/** A score of two coverages: their harmonic mean, or most of the larger one if it is whole. */
function scoreOf(ofRow: number, ofHeld: number): number {
  const mean = (2 * ofRow * ofHeld) / (ofRow + ofHeld);
  const [less, more] = ofRow < ofHeld ? [ofRow, ofHeld] : [ofHeld, ofRow];
  return Math.max(mean, more > 0.96 ? 0.45 * more + 0.55 * less : 0);
}

/** Reads the words of names and of places. */
function createEntryReader({ sections }: MatchIndex, words: OrgWords) {
  const wordsOf = createNumberCache((entry: number): readonly NameWord[] => {
    const { orgEntryStarts, orgEntryWords } = sections;
    const ids = orgEntryWords.subarray(orgEntryStarts[entry]!, orgEntryStarts[entry + 1]!);
    return Array.from(ids, words.held);
  }, heldNamesMax);
  const placesOf = (group: number): readonly number[] => [
    ...sections.orgPlaces.subarray(
      sections.orgPlaceStarts[group]!,
      sections.orgPlaceStarts[group + 1]!,
    ),
  ];
  return { wordsOf, placesOf };
}

/** "www.example-works.com" as a name: "example-works". */
const nameOfHost = (host: string): string =>
  host
    .replace(/^www\./, '')
    .split('.')
    .slice(0, -1)
    .join(' ');

/** Compares readings of a cell with the names of an index. */
function createFitter(
  index: MatchIndex,
  words: OrgWords,
  align: NameAligner,
  readTokens: (text: string) => readonly string[],
) {
  const { orgEntryGroups, orgEntryStarts } = index.sections;
  const listShared = createSharedCounter(index, words);
  const scanKey = (key: string, kind: 'acronym' | 'joined', put: (group: number) => void) => {
    const { key: hash, tag } = organisationKey(key, kind);
    scanTagged(index.orgKeys, hash, tag >>> 0, put);
  };
  /** How well a name of the index fits, 0 to 1. */
  const compareEntry = ({ words: row, factor }: OrgReading, entry: number): number => {
    const { ofRow, ofHeld } = align(row, entry, 0);
    if (ofRow === 0 || ofHeld === 0) return 0;
    const isLone = orgEntryStarts[entry + 1]! - orgEntryStarts[entry]! === 1 && row.length > 1;
    return scoreOf(ofRow, ofHeld) * (isLone ? worth.loneWord : 1) * factor;
  };
  const readVariant = ([variant, factor]: [string, number]): Variant | null => {
    const tokens = readTokens(variant);
    if (tokens.length === 0) return null;
    const scores = new Map<number, number>();
    const joined = (group: number): void => raise(scores, group, worth.joined * factor);
    scanKey(joinedTokens(tokens), 'joined', joined);
    const letters = joinedLetters(variant);
    scanKey(letters, 'joined', joined);
    const isOneWord = !/\s/.test(variant.trim().replace(/\./g, ''));
    if (tokens.length <= 2 && letters.length >= 2 && letters.length <= 9 && isOneWord)
      scanKey(letters, 'acronym', (group) => raise(scores, group, worth.acronym * factor));
    const reading: OrgReading = { words: tokens.map(words.word), factor };
    const entries = listShared(reading.words, false);
    const fits = new Float64Array(entries.length);
    for (let at = 0; at < entries.length; at++) fits[at] = compareEntry(reading, entries[at]!);
    return { ...reading, scores, entries, fits };
  };
  const bestOf = (variants: readonly Variant[]): number => {
    let best = 0;
    for (const { scores, fits } of variants) {
      for (const score of scores.values()) best = Math.max(best, score);
      for (const fit of fits) if (fit >= scoreMin) best = Math.max(best, fit);
    }
    return best;
  };
  /** Scores of the names that were compared for the words as they are written; -1 for others. */
  const known = new Float64Array(orgEntryGroups.length).fill(-1);
  const fitOf = (variants: readonly Variant[], isSimilarToo: boolean): OrgFit => {
    const groups = new Map<number, number>();
    let best = 0;
    const take = (group: number, score: number): void => {
      raise(groups, group, score);
      best = Math.max(best, score);
    };
    const takeEntry = (entry: number, score: number): void => {
      if (score >= scoreMin) take(orgEntryGroups[entry]!, score);
    };
    for (const variant of variants) {
      const { scores, entries, fits } = variant;
      scores.forEach((score, group) => {
        take(group, score);
      });
      if (!isSimilarToo) {
        for (let at = 0; at < entries.length; at++) takeEntry(entries[at]!, fits[at]!);
        continue;
      }
      for (let at = 0; at < entries.length; at++) known[entries[at]!] = fits[at]!;
      for (const entry of listShared(variant.words, true))
        takeEntry(entry, known[entry]! >= 0 ? known[entry]! : compareEntry(variant, entry));
      for (const entry of entries) known[entry] = -1;
    }
    return createFit(groups, best);
  };
  return { readVariant, bestOf, fitOf };
}

/** A resolver over an index, with bounded memories of its own. */
export function createOrgResolver(index: MatchIndex): OrgResolver {
  const words = createOrgWords(index);
  const groupsOfDomain = createDomainFinder(index);
  const { wordsOf, placesOf } = createEntryReader(index, words);
  const isKnown = (text: string): boolean => words.word(text).id >= 0;
  const readTokens = (text: string) => repairWords(organisationTokens(text), isKnown);
  const align = createAligner(index, words);
  const { readVariant, bestOf, fitOf } = createFitter(index, words, align, readTokens);
  const readWritten = (text: string): Written => {
    let name = text;
    const host = hostOf(text);
    if (host !== '' && !/\s/.test(text.trim())) {
      const groups = groupsOfDomain(host);
      if (groups.length > 0) {
        const scores = new Map(groups.map((group) => [group, worth.domain]));
        return { best: worth.domain, fit: createFit(scores, worth.domain), variants: [] };
      }
      name = nameOfHost(host);
    }
    const variants = listVariants(name)
      .map(readVariant)
      .filter((variant) => variant !== null);
    const best = bestOf(variants);
    return { best, fit: best >= wholeName ? fitOf(variants, false) : null, variants };
  };
  const written = createBoundedCache(readWritten, writtenMax);
  const resolve = (text: string): OrgFit => {
    const { fit, variants } = written(text);
    return fit ?? fitOf(variants, true);
  };
  const remembered = createBoundedCache(resolve, rememberedMax);
  return {
    resolve: (text) => (text === '' ? nothing : remembered(text)),
    scoreAsWritten: (text) => (text === '' ? 0 : written(text).best),
    readings: (text) =>
      listVariants(text)
        .map(([variant, factor]) => ({ words: readTokens(variant).map(words.word), factor }))
        .filter((reading) => reading.words.length > 0),
    align,
    wordsOf,
    placesOf,
    groupsOfDomain,
  };
}
