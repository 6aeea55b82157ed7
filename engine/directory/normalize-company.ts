/**
 * The one place where a company's name is taken apart: legal forms, abbreviations, filler,
 * acronyms, parentheses.
 */
import {
  fillerWords,
  legalForms,
  listingPhrase,
  otherNameBreak,
  wordForms,
  wordRuns,
} from './company-words.ts';
import { dropApostrophes, foldText, isAscii } from './fold-text.ts';

/** A company's name as it is compared. */
export interface NormalizedCompany {
  /**
   * Its words without filler and legal form, joined: equal keys are the same name. '' where nothing
   * is left.
   */
  readonly key: string;
  /** The words of the key, in order. */
  readonly tokens: readonly string[];
}

const initialsRun = /\b(?:[a-z]\.\s?){2,}/g;
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
const slashState = /\s*[/\\]\s*[a-z]{2,3}\s*[/\\]?\s*$/;

const mayBeListed = /stock|share|deposit|adr|unit|warrant|right|beneficial|class/;

/** The words of text that is a to z, digits and ASCII marks alone. */
function splitPlain(text: string): string[] {
  const found: string[] = [];
  let from = -1;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    const isLetter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (isLetter && from < 0) from = at;
    else if (!isLetter && from >= 0) {
      found.push(text.slice(from, at));
      from = -1;
    }
  }
  return found;
}

/** The folded words of a name, initials joined ("I.B.M." is ibm). */
function splitCompany(name: string): string[] {
  let text = dropApostrophes(foldText(name));
  if (mayBeListed.test(text)) text = text.replace(listingPhrase, '');
  if (text.includes('/') || text.includes('\\')) text = text.replace(slashState, '');
  if (text.includes('.'))
    text = text.replace(initialsRun, (run) => `${run.replace(/[.\s]/g, '')} `);
  return isAscii(text) ? splitPlain(text) : (text.match(wordPattern) ?? []);
}

const runsByFirst = Map.groupBy(wordRuns, (run) => run[0]!);

/** Length of the run of words that begins here, and its one word. */
function findRun(found: readonly string[], at: number): { length: number; word: string } | null {
  for (const run of runsByFirst.get(found[at]!) ?? []) {
    const length = run.length - 1;
    let same = 0;
    while (same < length && found[at + same] === run[same]) same++;
    if (same === length) return { length, word: run[length]! };
  }
  return null;
}

/** Words in their one form, filler left out. */
function unifyWords(found: readonly string[]): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < found.length; at++) {
    const run = findRun(found, at);
    if (run) {
      tokens.push(run.word);
      at += run.length - 1;
      continue;
    }
    const word = found[at]!;
    // "St." begins a saint's name and ends a state's.
    if (word === 'st' && at > 0 && at === found.length - 1) tokens.push('state');
    else if (!fillerWords.has(word)) tokens.push(wordForms.get(word) ?? word);
  }
  return tokens;
}

/** A company's name taken apart. Never throws; a name of filler alone keeps its words. */
export function normalizeCompany(name: string): NormalizedCompany {
  const found = splitCompany(name);
  let to = found.length;
  while (to > 1 && legalForms.has(found[to - 1]!)) to--;
  const unified = unifyWords(found.slice(0, to));
  const tokens = unified.length > 0 ? unified : found.slice(0, to);
  return { key: tokens.join(''), tokens };
}

const mayHaveReadings = /[()]|d\/?b\/?a|doing|formerly|[fa]\/?k\/?a/i;

/**
 * Other readings of a name: without what is in parentheses, and each side of "doing business as".
 */
export function listReadings(name: string): string[] {
  const readings: string[] = [];
  if (!mayHaveReadings.test(name)) return readings;
  const bare = name.replace(/\([^)]*\)/g, ' ').trim();
  if (bare !== '' && bare !== name.trim()) readings.push(bare);
  const folded = foldText(name);
  if (otherNameBreak.test(folded))
    readings.push(...folded.split(otherNameBreak).filter((side) => side.trim() !== ''));
  return readings;
}

/**
 * First letters of a name's words, with and without its filler; only names of three words and more
 * have them.
 */
export function listAcronyms(name: string): string[] {
  const found = splitCompany(name);
  let to = found.length;
  while (to > 1 && legalForms.has(found[to - 1]!)) to--;
  const all = found.slice(0, to);
  const strong = all.filter((word) => !fillerWords.has(word));
  const initials = (list: readonly string[]): string => list.map((word) => word[0]).join('');
  const acronyms = new Set<string>();
  if (strong.length >= 3 && strong.length <= 8) acronyms.add(initials(strong));
  if (all.length >= 3 && all.length <= 8) acronyms.add(initials(all));
  return [...acronyms];
}
