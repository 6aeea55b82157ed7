/** Names of made-up people and companies: pools that are drawn from, and how names are spelled. */
import { usualNameWords } from './generate-company-words.ts';
import type { Draws } from './generate-draws.ts';
import {
  codas,
  firstNameEnds,
  lastNameEnds,
  onsets,
  usualFirstNames,
  usualLastNames,
  vowels,
} from './generate-name-words.ts';

/** All names there are, in lower case, and draws of them as they are spread among people. */
export interface Names {
  readonly firsts: readonly string[];
  readonly lasts: readonly string[];
  readonly words: readonly string[];
  /** The place of a first name among `firsts`. */
  drawFirst(): number;
  /** The place of a last name among `lasts`. */
  drawLast(): number;
  /** A word of company names, as it is written. */
  drawWord(): string;
}

/** Real words first, then made ones, until there are as many as a large population has. */
function fillPool(usual: readonly string[], size: number, make: () => string): string[] {
  const pool = [...usual];
  const taken = new Set(usual);
  while (pool.length < size) {
    const made = make();
    if (made.length <= 3 || taken.has(made)) continue;
    taken.add(made);
    pool.push(made);
  }
  return pool;
}

/** Makes the pools of names; the first draws of all. */
export function createNames(draws: Draws): Names {
  const { pick, isHit, spread } = draws;
  const syllable = () => pick(onsets) + pick(vowels) + (isHit(0.5) ? pick(codas) : '');
  const firsts = fillPool(usualFirstNames, 4_000, () => syllable() + pick(firstNameEnds));
  const makeLast = () => syllable() + syllable() + pick(lastNameEnds);
  const lasts = fillPool(usualLastNames, 60_000, makeLast);
  const words = fillPool(usualNameWords, 9_000, () => syllable() + syllable());
  const drawWordAt = spread(words.length, 0.6);
  return {
    firsts,
    lasts,
    words,
    drawFirst: spread(firsts.length, 0.95),
    drawLast: spread(lasts.length, 0.85),
    drawWord: () => capitalize(words[drawWordAt()] ?? ''),
  };
}

/** Every word with a capital: "o'connor" becomes "O'Connor". */
export function capitalize(text: string): string {
  return text.replace(/(^|[-'\s])(\S)/g, (_found, before, letter) => before + letter.toUpperCase());
}

/** Without accents that stand apart from their letters. */
export function dropAccents(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

/** As an address spells it: letters a to z and digits alone. */
export function spellPlain(text: string): string {
  const bare = dropAccents(text).replace(/ø/g, 'o').replace(/ı/g, 'i');
  return bare.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The part of an address before the @; each house has its own of four customs. */
export function spellMailbox(first: string, last: string, custom: number): string {
  if (custom % 5 <= 1) return `${first}.${last}`;
  if (custom % 5 === 2) return first.charAt(0) + last;
  return custom % 5 === 3 ? first + last.charAt(0) : first;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** One slip of the keyboard: a letter left out, swapped, wrong or too many. */
export function misspell({ below }: Draws, text: string): string {
  if (text.length < 4) return text;
  const at = 1 + below(text.length - 2);
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const slip = below(4);
  if (slip === 0) return before + after;
  if (slip === 1) return before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
  const letter = letters.charAt(below(letters.length));
  return before + letter + (slip === 2 ? after : text.slice(at));
}
