/**
 * Finds the companies of the index that a name may mean, and how alike two names are by their
 * words.
 */
import { findText } from '../index/index-dictionary.ts';
import { keyKinds, type MatchIndex } from '../index/index-layout.ts';
import { listReadings, normalizeCompany } from '../normalize/normalize-company.ts';
import {
  canBeWithin,
  countEdits,
  letterMaskOf,
  sliceOf,
  type TextSlice,
  weighWord,
} from '../normalize/similarity.ts';

/** One word of a company's name. */
interface QueryToken {
  readonly text: string;
  readonly id: number;
  readonly mask: number;
  /** How much it tells: the rarer the more. */
  readonly weight: number;
}

/** A company's name against the index. */
export interface ResolvedCompany {
  /** The words of the name as they are compared. */
  readonly words: readonly string[];
  /** The words against the index; null until somebody compares them. */
  tokens: readonly QueryToken[] | null;
  /** Groups that it may mean, the likeliest first. */
  readonly groups: readonly number[];
  /** How alike each group's name is, 0 to 1. */
  readonly scores: readonly number[];
  /** Comparing this name with yet other groups would find nothing more. */
  readonly isSettled: boolean;
  /** The name is the very name of one group. */
  readonly isExact: boolean;
}

/** Answers for names, remembering the last ones asked for. */
export interface CompanyResolver {
  resolve(name: string): ResolvedCompany;
  /** How alike a name and a group's are by their words, 0 to 1. */
  compareWith(company: ResolvedCompany, group: number): number;
}

const kindScores = [1, 0.98, 0.88] as const;
const readingScore = 0.97;
const rememberedMax = 16_384;
const groupsMax = 32;
const fuzzyGroupsMax = 12;
/** How alike two names must be where nothing but the name is compared. */
const alikeMin = 0.72;
const postingsPerTokenMax = 1_000;
/** Share of a name's weight that a group must share to be compared in full. */
const sharedShareMin = 0.4;
const oneScore: readonly number[] = [1];
/** One name within the other: so much, and more the more of it they share. */
const containedScore = 0.72;
const loneWordFactor = 0.85;
const sameWordsScore = 0.97;
const longerAskedFactor = 0.95;
const abbreviationFit = 0.9;
const typoFit = 0.97;
const initialsFit = 0.93;
const initialsMax = 6;
const conflictFactor = 0.75;
const nothing: ResolvedCompany = {
  words: [],
  tokens: [],
  groups: [],
  scores: [],
  isSettled: false,
  isExact: false,
};

/** Edits that a word of this many letters may differ by and still be the same word. */
const wordEditsMax = 2;
const editsFor = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

function readToken(index: MatchIndex, text: string): QueryToken {
  const id = findText(index.tokens, text);
  const { tokenWeights, groupWeights } = index.sections;
  const weight = id < 0 ? weighWord(0, groupWeights.length) : tokenWeights[id]!;
  return { text, id, mask: letterMaskOf(text), weight };
}

const readTokens = (index: MatchIndex, words: readonly string[]): readonly QueryToken[] =>
  words.map((word) => readToken(index, word));

/**
 * Whether a short word abbreviates a longer one: same first letter, its letters in order within the
 * other.
 */
function isAbbreviation(short: TextSlice, long: TextSlice): boolean {
  if (short.length < 3 || long.length < short.length + 2) return false;
  if (short.codes[short.start] !== long.codes[long.start]) return false;
  let at = 0;
  for (let other = 0; other < long.length && at < short.length; other++)
    if (short.codes[short.start + at] === long.codes[long.start + other]) at++;
  return at === short.length;
}

/** How surely two words are one: 0 where they are not. */
function fitOfWords(index: MatchIndex, token: QueryToken, other: number): number {
  if (token.id === other) return 1;
  const { tokenStarts, tokenPool, tokenMasks } = index.sections;
  const mask = tokenMasks[other]!;
  const isWithin = canBeWithin(token.mask, mask, wordEditsMax);
  if (!isWithin && (token.mask & ~mask) !== 0) return 0;
  const start = tokenStarts[other]!;
  const slice = { codes: tokenPool, start, length: tokenStarts[other + 1]! - start };
  const own = sliceOf(token.text);
  if (token.id < 0 && isAbbreviation(own, slice)) return abbreviationFit;
  const shorter = Math.min(own.length, slice.length);
  // Two words that the directory knows are meant as written, but for an ending: west and east.
  const editsMax = token.id < 0 ? editsFor(shorter) : shorter < 7 ? 0 : 1;
  return editsMax > 0 && countEdits(own, slice, editsMax) <= editsMax ? typoFit : 0;
}

/**
 * How much the words of a group tell whose initials a word is, one after the other: "msu" is
 * Montana State University. 0 where it is no such word.
 */
function weighInitials(index: MatchIndex, text: string, from: number, to: number): number {
  if (text.length < 2 || text.length > initialsMax) return 0;
  const { groupTokens, tokenStarts, tokenPool, tokenWeights } = index.sections;
  for (let start = from; start + text.length <= to; start++) {
    let same = 0;
    let weight = 0;
    for (; same < text.length; same++) {
      const token = groupTokens[start + same]!;
      if (tokenPool[tokenStarts[token]!] !== text.charCodeAt(same)) break;
      weight += tokenWeights[token]!;
    }
    if (same === text.length) return weight;
  }
  return 0;
}

/**
 * How alike two lists of words are: shared weight over all weight; one within the other counts
 * more, words of its own on either side least. Initials count as what stands behind them, beside
 * another word that is shared.
 */
function compareTokens(index: MatchIndex, tokens: readonly QueryToken[], group: number): number {
  const { groupTokenStarts, groupTokens } = index.sections;
  const [from, to] = [groupTokenStarts[group]!, groupTokenStarts[group + 1]!];
  let shared = 0;
  let asked = 0;
  let sharedCount = 0;
  let worst = 1;
  const initials = { count: 0, letters: 0, weight: 0, ownWeight: 0 };
  for (const token of tokens) {
    asked += token.weight;
    let best = 0;
    for (let at = from; at < to && best < 1; at++)
      best = Math.max(best, fitOfWords(index, token, groupTokens[at]!));
    if (best > 0) {
      shared += token.weight * best;
      sharedCount++;
      worst = Math.min(worst, best);
      continue;
    }
    const weight = weighInitials(index, token.text, from, to);
    if (weight === 0) continue;
    initials.count++;
    initials.letters += token.text.length;
    initials.weight += weight;
    initials.ownWeight += token.weight;
  }
  if (sharedCount === 0) return 0;
  let heldCount = sharedCount;
  if (initials.count > 0) {
    asked += initials.weight - initials.ownWeight;
    shared += initials.weight * initialsFit;
    sharedCount += initials.count;
    heldCount += initials.letters;
    worst = Math.min(worst, initialsFit);
  }
  const held = index.sections.groupWeights[group]!;
  const alike = Math.min(1, (2 * shared) / (asked + held));
  const isAskedWithin = sharedCount === tokens.length;
  const isHeldWithin = heldCount >= to - from;
  if (isAskedWithin && isHeldWithin) return Math.max(alike, sameWordsScore * worst);
  if (!isAskedWithin && !isHeldWithin) return alike * conflictFactor;
  const share = Math.min(1, shared / Math.max(asked, held));
  const contained = (containedScore + (1 - containedScore) * share) * worst;
  const ofCount = sharedCount > 1 ? contained : contained * loneWordFactor;
  return Math.max(alike, ofCount) * (isAskedWithin ? 1 : longerAskedFactor);
}

function addByKey(
  index: MatchIndex,
  key: string,
  found: Map<number, number>,
  scoreMax: number,
): void {
  const id = key === '' ? -1 : findText(index.companyKeys, key);
  if (id < 0) return;
  const { keyGroupStarts, keyGroups } = index.sections;
  for (let at = keyGroupStarts[id]!; at < keyGroupStarts[id + 1]!; at++) {
    const [group, kind] = [keyGroups[at]! >>> 2, keyGroups[at]! & 3];
    const score = Math.min(scoreMax, kindScores[kind] ?? 0);
    if (score > (found.get(group) ?? 0)) found.set(group, score);
  }
}

/** Weight that groups share with a name by its known words; words of very many groups left out. */
function shareWords(index: MatchIndex, tokens: readonly QueryToken[]): Map<number, number> {
  const { tokenGroupStarts, tokenGroups } = index.sections;
  const shared = new Map<number, number>();
  const known = tokens.filter((token) => token.id >= 0).sort((a, b) => b.weight - a.weight);
  for (const token of known) {
    const [from, to] = [tokenGroupStarts[token.id]!, tokenGroupStarts[token.id + 1]!];
    if (to - from > postingsPerTokenMax) break;
    for (let at = from; at < to; at++) {
      const group = tokenGroups[at]!;
      shared.set(group, (shared.get(group) ?? 0) + token.weight);
    }
  }
  return shared;
}

/** Groups that share the words which tell most and are alike enough; whether those are all. */
function addByWords(
  index: MatchIndex,
  tokens: readonly QueryToken[],
  found: Map<number, number>,
  scoreMin: number,
): boolean {
  let asked = 0;
  let unsure = 0;
  const { tokenGroupStarts } = index.sections;
  for (const { id, weight } of tokens) {
    asked += weight;
    const holders = id < 0 ? 0 : tokenGroupStarts[id + 1]! - tokenGroupStarts[id]!;
    if (id < 0 || holders > postingsPerTokenMax) unsure += weight;
  }
  const alike: [group: number, score: number][] = [];
  for (const [group, weight] of shareWords(index, tokens)) {
    // What it cannot reach even if it had every other word, mistyped.
    if (weight + unsure < asked * sharedShareMin) continue;
    const score = compareTokens(index, tokens, group);
    if (score >= scoreMin) alike.push([group, score]);
  }
  alike.sort((a, b) => b[1] - a[1]);
  for (const [group, score] of alike.slice(0, fuzzyGroupsMax))
    if (!found.has(group)) found.set(group, score);
  return alike.length <= fuzzyGroupsMax && unsure < asked * sharedShareMin;
}

/** The usual case: the name is the very name of one group. */
function resolveExactly(
  index: MatchIndex,
  words: readonly string[],
  key: string,
): ResolvedCompany | null {
  const id = findText(index.companyKeys, key);
  if (id < 0) return null;
  const { keyGroupStarts, keyGroups } = index.sections;
  const at = keyGroupStarts[id]!;
  if (keyGroupStarts[id + 1]! - at !== 1 || (keyGroups[at]! & 3) !== keyKinds.name) return null;
  return {
    ...{ words, tokens: null, groups: [keyGroups[at]! >>> 2], scores: oneScore },
    ...{ isSettled: true, isExact: true },
  };
}

function resolveName(index: MatchIndex, name: string, scoreMin: number): ResolvedCompany {
  const normalized = normalizeCompany(name);
  if (normalized.tokens.length === 0) return nothing;
  const exact = resolveExactly(index, normalized.tokens, normalized.key);
  if (exact !== null) return exact;
  const found = new Map<number, number>();
  addByKey(index, normalized.key, found, 1);
  if (found.size === 0)
    for (const reading of listReadings(name))
      addByKey(index, normalizeCompany(reading).key, found, readingScore);
  let isSure = false;
  for (const score of found.values()) if (score >= readingScore) isSure = true;
  const tokens = isSure ? null : readTokens(index, normalized.tokens);
  const isSettled = tokens === null || addByWords(index, tokens, found, scoreMin);
  const sorted = [...found].sort((a, b) => b[1] - a[1]).slice(0, groupsMax);
  return {
    words: normalized.tokens,
    tokens,
    groups: sorted.map(([group]) => group),
    scores: sorted.map(([, score]) => score),
    isSettled,
    isExact: false,
  };
}

/**
 * A resolver over an index; lists name the same companies again and again, so the last answers are
 * kept.
 */
export function createCompanyResolver(index: MatchIndex, scoreMin = alikeMin): CompanyResolver {
  const remembered = new Map<string, ResolvedCompany>();
  return {
    resolve(name) {
      if (name === '') return nothing;
      const known = remembered.get(name);
      if (known) return known;
      if (remembered.size >= rememberedMax) remembered.clear();
      const resolved = resolveName(index, name, scoreMin);
      // An exact name is found as quickly as it is remembered.
      if (resolved.tokens !== null) remembered.set(name, resolved);
      return resolved;
    },
    compareWith(company, group) {
      company.tokens ??= readTokens(index, company.words);
      return compareTokens(index, company.tokens, group);
    },
  };
}
