// Finds the companies that a name may mean, and how similar two names are by their words.
import { findText, hashTwice } from '../index/index-dictionary.ts';
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
  /** Weight of the word; a rarer word has a higher one. */
  readonly weight: number;
}

export interface ResolvedCompany {
  /** The words of the name in the form in which they are compared. */
  readonly words: readonly string[];
  /** The words resolved against the index; null until first compared. */
  tokens: readonly QueryToken[] | null;
  /** Groups that the name may mean, the likeliest first. */
  readonly groups: readonly number[];
  /** Similarity of each group's name, 0 to 1. */
  readonly scores: readonly number[];
  /** No other group needs to be compared with this name. */
  readonly isSettled: boolean;
  /** The name is the very name of one group. */
  readonly isExact: boolean;
}

/** Resolves names, with a cache of recent answers. */
export interface CompanyResolver {
  resolve(name: string): ResolvedCompany;
  /** A name that was resolved before, by the hashes of its text (hashTwice), if remembered. */
  recall(first: number, second: number): ResolvedCompany | undefined;
  /** Similarity of a name and a group by their words, 0 to 1. */
  compareWith(company: ResolvedCompany, group: number): number;
}

const kindScores = [1, 0.98, 0.88] as const;
const readingScore = 0.97;
/** A power of two. */
const rememberedMax = 32_768;
const groupsMax = 32;
const fuzzyGroupsMax = 12;
/** Least similarity if only the names are compared. */
const alikeMin = 0.72;
const postingsPerTokenMax = 1_000;
/** Share of a name's weight that a group must share to be compared in full. */
const sharedShareMin = 0.4;
const oneScore: readonly number[] = [1];
/** Score of a name that contains the other; it grows with the share of words in common. */
const containedScore = 0.72;
const loneWordFactor = 0.85;
const sameWordsScore = 0.97;
const longerStatedFactor = 0.95;
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

/** Greatest number of edits between two spellings of a word, by its length in letters. */
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

/** Whether a short word has the first letter of a longer one, and others of it in order. */
function isAbbreviation(short: TextSlice, long: TextSlice): boolean {
  if (short.length < 3 || long.length < short.length + 2) return false;
  if (short.codes[short.start] !== long.codes[long.start]) return false;
  let at = 0;
  for (let other = 0; other < long.length && at < short.length; other++)
    if (short.codes[short.start + at] === long.codes[long.start + other]) at++;
  return at === short.length;
}

/** Probability that two different words are the same; 0 if they are not. */
function fitOfOther({ sections }: MatchIndex, token: QueryToken, other: number): number {
  const { tokenStarts, tokenPool, tokenMasks } = sections;
  const mask = tokenMasks[other]!;
  const isWithin = canBeWithin(token.mask, mask, wordEditsMax);
  if (!isWithin && (token.mask & ~mask) !== 0) return 0;
  const start = tokenStarts[other]!;
  const slice = { codes: tokenPool, start, length: tokenStarts[other + 1]! - start };
  const own = sliceOf(token.text);
  if (token.id < 0 && isAbbreviation(own, slice)) return abbreviationFit;
  const shorter = Math.min(own.length, slice.length);
  // Two words that the directory has are meant as written, unless they differ only by an ending:
  // west and east are two words.
  const editsMax = token.id < 0 ? editsFor(shorter) : shorter < 7 ? 0 : 1;
  return editsMax > 0 && countEdits(own, slice, editsMax) <= editsMax ? typoFit : 0;
}

/** Probability that a word is one of a group's, from one place to another in `groupTokens`. */
function fitOfAny(index: MatchIndex, token: QueryToken, from: number, to: number): number {
  const { groupTokens } = index.sections;
  // The very word costs a look at a number, and no other one is more alike.
  for (let at = from; at < to; at++) if (groupTokens[at] === token.id) return 1;
  let best = 0;
  for (let at = from; at < to; at++) {
    const found = fitOfOther(index, token, groupTokens[at]!);
    if (found > best) best = found;
  }
  return best;
}

/** Weight of the words whose initials a word is: "msu" is Montana State University; else 0. */
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
 * Similarity of two lists of words: shared weight divided by total weight. A list that contains the
 * other scores higher; words of its own on both sides score lowest. Initials count as the words
 * that they stand for if another word is shared.
 */
function compareTokens(index: MatchIndex, tokens: readonly QueryToken[], group: number): number {
  const { groupTokenStarts } = index.sections;
  const [from, to] = [groupTokenStarts[group]!, groupTokenStarts[group + 1]!];
  let shared = 0;
  let stated = 0;
  let sharedCount = 0;
  let worst = 1;
  const initials = { count: 0, letters: 0, weight: 0, ownWeight: 0 };
  for (const token of tokens) {
    stated += token.weight;
    const best = fitOfAny(index, token, from, to);
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
    stated += initials.weight - initials.ownWeight;
    shared += initials.weight * initialsFit;
    sharedCount += initials.count;
    heldCount += initials.letters;
    worst = Math.min(worst, initialsFit);
  }
  const held = index.sections.groupWeights[group]!;
  const alike = Math.min(1, (2 * shared) / (stated + held));
  const isStatedWithin = sharedCount === tokens.length;
  const isHeldWithin = heldCount >= to - from;
  if (isStatedWithin && isHeldWithin) return Math.max(alike, sameWordsScore * worst);
  if (!isStatedWithin && !isHeldWithin) return alike * conflictFactor;
  const share = Math.min(1, shared / Math.max(stated, held));
  const contained = (containedScore + (1 - containedScore) * share) * worst;
  const ofCount = sharedCount > 1 ? contained : contained * loneWordFactor;
  return Math.max(alike, ofCount) * (isStatedWithin ? 1 : longerStatedFactor);
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

/** Weight that groups share with a name, while it is resolved. */
interface Shared {
  /** By group; 0 for all between two names. */
  readonly weights: Float64Array;
  /** The groups that share any, in the order in which they were found. */
  readonly groups: number[];
}

/** Sums up what groups share by known words, without words of very many groups. */
function shareWords(index: MatchIndex, tokens: readonly QueryToken[], into: Shared): void {
  const { tokenGroupStarts, tokenGroups } = index.sections;
  const { weights, groups } = into;
  const known = tokens.filter((token) => token.id >= 0).sort((a, b) => b.weight - a.weight);
  for (const token of known) {
    const [from, to] = [tokenGroupStarts[token.id]!, tokenGroupStarts[token.id + 1]!];
    if (to - from > postingsPerTokenMax) break;
    for (let at = from; at < to; at++) {
      const group = tokenGroups[at]!;
      if (weights[group] === 0) groups.push(group);
      weights[group]! += token.weight;
    }
  }
}

/** Groups that share the heaviest words and are similar enough, and whether these are all. */
function addByWords(
  index: MatchIndex,
  tokens: readonly QueryToken[],
  found: Map<number, number>,
  scoreMin: number,
  shared: Shared,
): boolean {
  let stated = 0;
  let unsure = 0;
  const { tokenGroupStarts } = index.sections;
  for (const { id, weight } of tokens) {
    stated += weight;
    const holders = id < 0 ? 0 : tokenGroupStarts[id + 1]! - tokenGroupStarts[id]!;
    if (id < 0 || holders > postingsPerTokenMax) unsure += weight;
  }
  const alike: [group: number, score: number][] = [];
  shareWords(index, tokens, shared);
  for (const group of shared.groups) {
    const weight = shared.weights[group]!;
    shared.weights[group] = 0;
    // An upper bound: the weight that it would share if it had every other word, mistyped.
    if (weight + unsure < stated * sharedShareMin) continue;
    const score = compareTokens(index, tokens, group);
    if (score >= scoreMin) alike.push([group, score]);
  }
  shared.groups.length = 0;
  alike.sort((a, b) => b[1] - a[1]);
  for (const [group, score] of alike.slice(0, fuzzyGroupsMax))
    if (!found.has(group)) found.set(group, score);
  return alike.length <= fuzzyGroupsMax && unsure < stated * sharedShareMin;
}

/** The usual case: exactly one group has this name. */
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
    words,
    tokens: null,
    groups: [keyGroups[at]! >>> 2],
    scores: oneScore,
    isSettled: true,
    isExact: true,
  };
}

function resolveName(
  index: MatchIndex,
  name: string,
  scoreMin: number,
  shared: Shared,
): ResolvedCompany {
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
  const isSettled = tokens === null || addByWords(index, tokens, found, scoreMin, shared);
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

/** Creates a resolver over an index. Lists repeat company names, so recent answers are cached. */
export function createCompanyResolver(index: MatchIndex, scoreMin = alikeMin): CompanyResolver {
  const { groupWeights } = index.sections;
  const shared: Shared = { weights: new Float64Array(groupWeights.length), groups: [] };
  // Both hashes of a name identify it, as in the index. One replaces another with its slot.
  const firsts = new Uint32Array(rememberedMax);
  const seconds = new Uint32Array(rememberedMax);
  const answers = new Array<ResolvedCompany | undefined>(rememberedMax).fill(undefined);
  const recall = (first: number, second: number): ResolvedCompany | undefined => {
    const slot = first & (rememberedMax - 1);
    return firsts[slot] === first && seconds[slot] === second ? answers[slot] : undefined;
  };
  return {
    resolve(name) {
      if (name === '') return nothing;
      const { first, second } = hashTwice(name);
      const known = recall(first, second);
      if (known !== undefined) return known;
      const slot = first & (rememberedMax - 1);
      const answer = resolveName(index, name, scoreMin, shared);
      firsts[slot] = first;
      seconds[slot] = second;
      answers[slot] = answer;
      return answer;
    },
    recall,
    compareWith(company, group) {
      company.tokens ??= readTokens(index, company.words);
      return compareTokens(index, company.tokens, group);
    },
  };
}
