// Names of companies: legal forms, abbreviations, filler, acronyms. No other file parses them.
import { fillerWords, legalForms as shortForms } from '../../contract/company-words.ts';
import {
  bracketedName,
  listingPhrase,
  otherNameBreak,
  wordForms,
  wordRuns,
} from './company-words.ts';
import { dropApostrophes, foldText, isAscii } from './fold-text.ts';
import { createLegalForms, separateForm } from './legal-forms.ts';

export interface NormalizedCompany {
  /** The words without filler and legal form, joined. Equal keys are the same name. */
  readonly key: string;
  readonly tokens: readonly string[];
}

const initialsRun = /\b(?:[a-z]\.\s?){2,}/g;
/** "And" between letters, "AT&T", "AT and T". Single letters around it count as initials. */
const lettersAnd =
  /\b(?:[a-z]{2} ?& ?[a-z]{1,2}|[a-z] ?& ?[a-z]{2}|[a-z]{2} and [a-z]|[a-z] and [a-z]{1,2})\b/g;
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
const slashState = /(?<!\s)\s*[/\\]\s*[a-z]{2,3}(?:\s*[/\\])?\s*$/;

/** What the tables say of a word; most words are not in them. */
interface WordRule {
  /** The word that replaces it; '' for filler. */
  readonly form: string;
  /** Runs of words that begin with it. */
  readonly runs: readonly (readonly string[])[];
  /** A word that a stock exchange may append to a name. */
  readonly isListing: boolean;
}

const listingWords: ReadonlySet<string> = new Set([
  'stock',
  'share',
  'shares',
  'depositary',
  'depository',
  'adr',
  'adrs',
  'unit',
  'units',
  'warrant',
  'warrants',
  'right',
  'rights',
  'class',
  'beneficial',
  'representing',
]);
const runsByFirst = Map.groupBy(wordRuns, (run) => run[0]!);
// One table instead of four, so that each word of a name is looked up once.
const wordRules: ReadonlyMap<string, WordRule> = new Map(
  [...fillerWords, ...wordForms.keys(), ...runsByFirst.keys(), ...listingWords].map((word) => [
    word,
    {
      form: fillerWords.has(word) ? '' : (wordForms.get(word) ?? word),
      runs: runsByFirst.get(word) ?? [],
      isListing: listingWords.has(word),
    },
  ]),
);

const isLetterOrDigit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Whether a name has only letters, digits and marks that need no special treatment. */
function isUsual(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (isLetterOrDigit(code) || commonMarks.has(code)) continue;
    // A full stop after a single letter may belong to several initials.
    const isLoneLetter = at < 2 || !isLetterOrDigit(name.charCodeAt(at - 2));
    if (code !== 46 || isLoneLetter) return false;
  }
  return true;
}
const commonMarks: ReadonlySet<number> = new Set([...' ,&-()'].map((mark) => mark.charCodeAt(0)));

/** The words of a text of a to z, digits and ASCII marks. */
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

const joinAnd = (text: string): string =>
  text.includes('&') || text.includes(' and ')
    ? text.replace(lettersAnd, (run) => run.replace(/ and |[ &]/g, ''))
    : text;

/** The folded words of a name, initials joined ("I.B.M." is ibm). */
function splitCompany(name: string): string[] {
  if (isUsual(name)) {
    const words = splitPlain(joinAnd(name.toLowerCase()));
    if (!words.some((word) => wordRules.get(word)?.isListing)) return words;
  }
  let text = dropApostrophes(foldText(name)).replace(listingPhrase, '').replace(slashState, '');
  text = joinAnd(text);
  if (text.includes('.'))
    text = text.replace(initialsRun, (run) => `${run.replace(/[.\s]/g, '')} `);
  return isAscii(text) ? splitPlain(text) : (text.match(wordPattern) ?? []);
}

function findRun(
  runs: readonly (readonly string[])[],
  found: readonly string[],
  from: number,
  to: number,
): readonly string[] | null {
  for (const run of runs) {
    const length = run.length - 1;
    let same = 0;
    while (same < length && from + same < to && found[from + same] === run[same]) same++;
    if (same === length) return run;
  }
  return null;
}

/** Position of the first two single letters in a row; -1 if there are none, as in most names. */
function findInitials(found: readonly string[]): number {
  for (let at = 1; at < found.length; at++)
    if (found[at]!.length === 1 && found[at - 1]!.length === 1) return at - 1;
  return -1;
}

/** Joins single letters in a row: the N of "H N Block" is not North. */
function joinInitials(found: readonly string[], from: number) {
  const words = found.slice(0, from);
  /** Which words were several letters. */
  const initials = new Set<number>();
  for (let at = from; at < found.length; at++)
    if (at > from && found[at]!.length === 1 && found[at - 1]!.length === 1) {
      words.push(`${words.pop()}${found[at]}`);
      initials.add(words.length - 1);
    } else words.push(found[at]!);
  return { words, initials };
}
const none: ReadonlySet<number> = new Set();

/** The folded words of a name; single letters in a row are one word. */
function joinWords(split: readonly string[]) {
  const from = findInitials(split);
  return from < 0 ? { words: split, initials: none } : joinInitials(split, from);
}

let legalTable: ReturnType<typeof createLegalForms> | null = null;
/** Made when first needed, because not every thread reads names of companies. */
function legalForms() {
  legalTable ??= createLegalForms((alias) => joinWords(splitCompany(alias)).words, shortForms);
  return legalTable;
}

function readName(name: string) {
  const split = splitCompany(separateForm(name));
  let apart = split;
  for (const word of split)
    if (word.charCodeAt(0) >= firstIdeogram) {
      apart = split.flatMap((one) => legalForms().unglue(one));
      break;
    }
  const { words, initials } = joinWords(apart);
  const bare = legalForms().strip(words);
  return {
    words,
    initials,
    from: bare === null ? 0 : bare.from,
    to: bare === null ? words.length : bare.to,
    forms: bare === null ? noForms : bare.forms,
  };
}
const noForms: readonly string[] = [];
/** Kana, ideograms and Hangul, which stand without spaces, come after it. */
const firstIdeogram = 0x3040;

/** The words between two positions in standard form, without filler; initials stay. */
function unifyWords(
  found: readonly string[],
  from: number,
  to: number,
  initials: ReadonlySet<number>,
): string[] {
  const tokens: string[] = [];
  for (let at = from; at < to; at++) {
    const word = found[at]!;
    const rule = initials.has(at) ? undefined : wordRules.get(word);
    if (rule === undefined) {
      tokens.push(word);
      continue;
    }
    const run = rule.runs.length > 0 ? findRun(rule.runs, found, at, to) : null;
    if (run !== null) {
      tokens.push(run[run.length - 1]!);
      at += run.length - 2;
    } else if (word === 'st' && at > 0 && at === to - 1) {
      // "St." before a word is Saint, after one it is Street or a state.
      tokens.push('state');
    } else if (rule.form !== '') tokens.push(rule.form);
  }
  return tokens;
}

/** Parses a company's name. Never throws; a name that has only filler keeps its words. */
export function normalizeCompany(name: string): NormalizedCompany {
  const { words, initials, from, to } = readName(name);
  const unified = unifyWords(words, from, to, initials);
  const tokens = unified.length > 0 ? unified : words.slice(from, to);
  return { key: tokens.join(''), tokens };
}

/** The key of a company's name, as stored in company.name_key. */
export function companyNameKey(name: string): string {
  return normalizeCompany(name).key || foldText(name);
}

const mayHaveReadings =
  /[()]|d[./]?b[./]?a|doing|trading|\bt\/a|formerly|now |[fa]\/?k\/?a|known as|ehemals|vormals|anciennement|voorheen|dawniej|tidig|tidlig|anterior|eski|бывш|ранее|ehem\.|vorm\.|anc\.|tidl\.|rebranded|[→⇒]|[-=]>/i;

const trimSide = (side: string): string => side.replace(/^[\s,;]+|[\s,;)]+$/g, '');

/** Other readings of a name: without parentheses, and each side of "doing business as". */
export function listReadings(name: string): string[] {
  const readings: string[] = [];
  if (!mayHaveReadings.test(name)) return readings;
  const bare = name.replace(/\([^)]*\)/g, ' ').trim();
  if (bare !== '' && bare !== name.trim()) readings.push(bare);
  const folded = foldText(name);
  if (otherNameBreak.test(folded))
    readings.push(...folded.split(otherNameBreak).map(trimSide).filter(Boolean));
  const inBrackets = bracketedName.exec(folded)?.[1];
  if (inBrackets !== undefined) readings.push(trimSide(inBrackets));
  return readings;
}

/** Initials with and without filler; only for names of three or more words. */
export function listAcronyms(name: string): string[] {
  const { words, from, to } = readName(name);
  const all = words.slice(from, to);
  const strong = all.filter((word) => !fillerWords.has(word));
  const initials = (list: readonly string[]): string => list.map((word) => word[0]).join('');
  const acronyms = new Set<string>();
  if (strong.length >= 3 && strong.length <= 8) acronyms.add(initials(strong));
  if (all.length >= 3 && all.length <= 8) acronyms.add(initials(all));
  return [...acronyms];
}

/** Forms that mean the same. "Co." alone is no legal form. */
const sameForms: ReadonlyMap<string, string> = new Map([
  ['incorporated', 'inc'],
  ['corporation', 'corp'],
  ['limited', 'ltd'],
  ['private', 'pvt'],
  ['pte', 'pvt'],
  ['pty', 'pvt'],
  ['株', 'jsc'],
  ['有', 'yk'],
  ['co', ''],
  ['cos', ''],
  ['company', ''],
  ['companies', ''],
]);
/** Forms that are no other word anywhere in a name. */
const clearForms: ReadonlySet<string> = new Set(
  'inc incorporated llc llp lllp pllc ltd plc gmbh kgaa ohg sarl sasu srl bv nv'.split(' '),
);

export const legalFormWords = (): ReadonlySet<string> => legalForms().words;

/** Whether the folded words of a text may state a legal form: a quick test, seldom true without. */
export const mayStateForm = (words: readonly string[]): boolean => legalForms().mayState(words);

/** The legal forms that a name states, sorted; '' if it states none. */
export function legalFormOf(name: string): string {
  const { words, from, to, forms } = readName(name);
  const inside = words.filter(
    (word, at) => at > 0 && at >= from && at < to && clearForms.has(word),
  );
  const unified = [...forms, ...inside].map((form) => sameForms.get(form) ?? form);
  return [...new Set(unified)].filter(Boolean).sort().join(' ');
}
