// Names of generated people and companies: pools to draw from, and their spellings.
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

/** All names in lower case, with draws by their frequency among people. */
export interface Names {
  readonly firsts: readonly string[];
  readonly lasts: readonly string[];
  readonly words: readonly string[];
  /** The position of a first name in `firsts`. */
  drawFirst(): number;
  /** The position of a last name in `lasts`. */
  drawLast(): number;
  /** A word of company names, in its spelling. */
  drawWord(): string;
}

/** Real words first, then generated ones, up to the number of a large population. */
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

/** Generates the pools of names, before all other draws. */
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

/** Without accents that are separate from their letters. */
export function dropAccents(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

/** In the spelling of an address: only letters a to z and digits. */
export function spellPlain(text: string): string {
  const bare = dropAccents(text).replace(/ø/g, 'o').replace(/ı/g, 'i');
  return bare.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The part of an address before the @; each company has one of four forms. */
export function spellMailbox(first: string, last: string, custom: number): string {
  if (custom % 5 <= 1) return `${first}.${last}`;
  if (custom % 5 === 2) return first.charAt(0) + last;
  return custom % 5 === 3 ? first + last.charAt(0) : first;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** One typing error: a letter omitted, swapped, wrong or doubled. */
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
