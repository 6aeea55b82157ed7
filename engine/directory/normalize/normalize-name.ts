// Names of people: titles, initials, particles, suffixes. No other file parses them.
import { dropApostrophes, foldText, joinLetters } from './fold-text.ts';
import {
  courtesyTitles,
  degrees,
  generations,
  particles,
  peerTitles,
  territoryWords,
} from './name-words.ts';

/** A name to be compared. Every key is folded and has only letters and digits. */
export interface NormalizedName {
  /** The full one first: "Laura Jane" gives laurajane and laura. Empty if unknown. */
  readonly firstKeys: readonly string[];
  /** Key of the second given name or initial; '' if unknown. */
  readonly middle: string;
  /** Key of the full surname; '' if unknown. */
  readonly last: string;
  /** Keys of the parts of a compound surname; empty for a simple one. */
  readonly lastParts: readonly string[];
  /** Key of a peer's full title, "McFall of Alcluith"; '' if there is none. */
  readonly peerage: string;
  /** Code of Jr., Sr., II …; 0 if none is given. */
  readonly generation: number;
  /** A title of peerage takes the place of the first name. */
  readonly isPeer: boolean;
}

const noKeys: readonly string[] = [];
const wordBreaks = /[\s\u2010-\u2015/_+|;:()[\]{}"“”«»*?!]+/;
const quotedName = /["“(«]\s*([^"”)»]{2,30}?)\s*["”)»]/u;

/** The fast path: only letters a to z after folding. */
function isPlainWord(folded: string): boolean {
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return folded.length > 1;
}

/** "Ph.D." and "J.D." are one word each, "Dr.Smith" and "C.Turner" are two. */
function splitDots(word: string): string[] {
  if (!word.includes('.')) return [word];
  const pieces = word.split('.').filter(Boolean);
  const isAbbreviation = pieces.length > 0 && pieces.every((piece) => piece.length <= 2);
  return isAbbreviation ? [pieces.join('')] : pieces;
}

function splitWords(folded: string): string[] {
  return dropApostrophes(folded)
    .split(wordBreaks)
    .flatMap(splitDots)
    .map((word) => word.replace(/^-+|-+$/g, ''))
    .filter((word) => joinLetters(word) !== '');
}

/** Removes titles from the beginning as long as enough words remain. */
function dropTitles(given: string[], keepMin: number): { rest: string[]; isPeer: boolean } {
  let from = 0;
  let isPeer = false;
  while (given.length - from > keepMin && courtesyTitles.has(given[from]!)) {
    if (peerTitles.has(given[from]!)) isPeer = true;
    from++;
  }
  return { rest: given.slice(from), isPeer };
}

function dropSuffixes(given: string[], keepMin: number): { rest: string[]; generation: number } {
  let to = given.length;
  let generation = 0;
  while (to > keepMin) {
    const word = joinLetters(given[to - 1]!);
    const code = generations.get(word);
    if (code === undefined && !degrees.has(word)) break;
    if (code !== undefined) generation = code;
    to--;
  }
  return { rest: given.slice(0, to), generation };
}

/** The words of one field; lastWords if it has the surname first. */
interface NameField {
  readonly words: string[];
  readonly generation: number;
  readonly lastWords: string[] | null;
}

/** The words of a field, with "Last, First" put in order and a suffix after a comma removed. */
function readField(folded: string, canHoldBoth: boolean): NameField {
  const [before, ...behind] = folded.split(',');
  const words = splitWords(before!);
  let generation = 0;
  const others: string[] = [];
  for (const part of behind) {
    const cut = dropSuffixes(splitWords(part), 0);
    if (cut.generation) generation = cut.generation;
    others.push(...cut.rest);
  }
  if (others.length === 0) return { words, generation, lastWords: null };
  if (canHoldBoth && words.length > 0) return { words: others, generation, lastWords: words };
  return { words: [...words, ...others], generation, lastWords: null };
}

/** Where the surname begins in a full name: its last word, with the particles before it. */
function findSurname(words: readonly string[]): number {
  let at = words.length - 1;
  while (at > 1 && particles.has(words[at - 1]!)) at--;
  return at;
}

/** First-name keys and the middle name, from given names in order. */
function readFirst(words: readonly string[], nickname: string): { keys: string[]; middle: string } {
  const keys = words.map(joinLetters);
  const whole = keys.filter((key) => key.length > 1);
  const used = whole.length > 0 ? whole : keys.length > 0 ? [keys.join('')] : [];
  const found = used.length > 0 ? [used.join('')] : [];
  if (used.length > 1) found.push(used[0]!);
  const hyphenAt = words[0]?.indexOf('-') ?? -1;
  if (hyphenAt > 1) found.push(joinLetters(words[0]!.slice(0, hyphenAt)));
  if (nickname !== '' && !found.includes(nickname)) found.push(nickname);
  const middle = keys.length > 1 ? (keys[0]!.length > 1 ? keys[1]! : '') : '';
  return { keys: found, middle };
}

/** The full surname and its parts; "of Alcluith" is a territory and not part of the name. */
function readLast(
  words: readonly string[],
): Pick<NormalizedName, 'last' | 'lastParts' | 'peerage'> {
  const territoryAt = words.findIndex((word, at) => at > 0 && territoryWords.has(word));
  const used = territoryAt > 0 ? words.slice(0, territoryAt) : words;
  // An initial before a surname ("C. Turner") is a misplaced middle name.
  const kept = used.length > 1 ? used.filter((word) => word.length > 1) : used;
  const last = kept.map(joinLetters).join('');
  const parts = kept
    .flatMap((word) => word.split('-'))
    .map(joinLetters)
    .filter((part) => part.length >= 3 && !particles.has(part));
  return {
    last,
    lastParts: parts.length > 1 || (parts[0] ?? last) !== last ? parts : noKeys,
    peerage: territoryAt > 0 ? words.map(joinLetters).join('') : '',
  };
}

/** A field with the full name: given names, family name and generation. */
function splitWhole(field: NameField): { given: string[]; family: string[]; generation: number } {
  const { words, lastWords } = field;
  const isPeer = peerTitles.has(words[0] ?? '') && lastWords === null;
  if (isPeer && (words.length === 2 || words.some((word) => territoryWords.has(word))))
    return { given: words.slice(0, 1), family: words.slice(1), generation: field.generation };
  const keepMin = lastWords === null ? 2 : 1;
  const cut = dropSuffixes(dropTitles(words, keepMin).rest, keepMin);
  const generation = cut.generation || field.generation;
  if (lastWords !== null) return { given: cut.rest, family: lastWords, generation };
  if (cut.rest.length < 2) return { given: cut.rest, family: [], generation };
  const surnameAt = findSurname(cut.rest);
  return { given: cut.rest.slice(0, surnameAt), family: cut.rest.slice(surnameAt), generation };
}

/** Given and family names of two fields, each of which may have both. */
function splitFields(
  first: string,
  last: string,
): { given: string[]; family: string[]; generation: number } {
  const [hasFirst, hasLast] = [joinLetters(first) !== '', joinLetters(last) !== ''];
  if (hasFirst && hasLast) {
    const [given, family] = [readField(first, false), readField(last, false)];
    const generation = given.generation || family.generation;
    return { given: given.words, family: family.words, generation };
  }
  const whole = splitWhole(readField(hasFirst ? first : last, true));
  const isLoneSurname = !hasFirst && whole.family.length === 0;
  return isLoneSurname ? { ...whole, given: [], family: whole.given } : whole;
}

/** The slow path, for any content of a field. */
function normalizeAny(first: string, last: string): NormalizedName {
  const nickname = joinLetters(dropApostrophes(quotedName.exec(first)?.[1] ?? ''));
  const firstText = nickname === '' ? first : first.replace(quotedName, ' ');
  const { given, family, generation } = splitFields(firstText, last.replace(quotedName, ' '));
  const cutLast = dropSuffixes(dropTitles(family, 1).rest, 1);
  const cutFirst = dropSuffixes(given, 1);
  const titled = dropTitles(cutFirst.rest, 1);
  const isLonePeer =
    titled.rest.length === 1 && peerTitles.has(titled.rest[0]!) && family.length > 0;
  const firsts = readFirst(isLonePeer ? [] : titled.rest, nickname);
  return {
    firstKeys: firsts.keys,
    middle: firsts.middle,
    ...readLast(cutLast.rest),
    generation: cutLast.generation || cutFirst.generation || generation,
    isPeer: titled.isPeer || isLonePeer,
  };
}

/**
 * Parses a name for comparison. Either field may have the full name, titles, suffixes, or nothing.
 * Never throws; text without letters gives empty keys.
 */
export function normalizeName(first: string, last: string): NormalizedName {
  const foldedFirst = foldText(first).trim();
  const foldedLast = foldText(last).trim();
  if (isPlainWord(foldedFirst) && isPlainWord(foldedLast) && !peerTitles.has(foldedFirst))
    return {
      firstKeys: [foldedFirst],
      middle: '',
      last: foldedLast,
      lastParts: noKeys,
      peerage: '',
      generation: 0,
      isPeer: false,
    };
  return normalizeAny(foldedFirst, foldedLast);
}

/** The key of one given name: folded, only letters and digits. */
export const nameKey = (name: string): string => joinLetters(dropApostrophes(foldText(name)));

/** The code of a generation suffix such as "Jr."; 0 for any other text. */
export const generationCode = (suffix: string): number => generations.get(nameKey(suffix)) ?? 0;
