// A person's name as the graded comparison reads it: words in order, without titles, degrees and
// suffixes, which are kept apart. More tolerant than normalize-name.ts, which settles exact names.
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { givenPerMillion, numberOfName, surnamePerMillion } from '../../names/name-frequencies.ts';
import { foldToAscii } from '../fold-text.ts';
import { courtesyTitles, degrees, generations, particles, peerTitles } from '../name-words.ts';

export interface NameParts {
  /** Words of each part between commas; hyphens stay inside words. */
  readonly parts: readonly (readonly string[])[];
  /** Names in quotes, in parentheses or behind "aka"; folded letters and digits. */
  readonly nicknames: readonly string[];
  /** Code of Jr., Sr., II …; 0 if none is given. */
  readonly generation: number;
  /** A title of peerage comes first. */
  readonly isPeer: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Titles that are given names or surnames as well: never taken off if nothing else is left. */
const nameLikeTitles = words(`
  don dean earl major judge bishop pastor baron sir mayor rep dona ray general chancellor sister
  brother chair pres father speaker provost captain ms ma mp fr gen del ag sen gov col right
  secretary
`);
const moreTitles = words(`
  father earl countess alderman chancellor dean provost judge justice secretary treasurer ag speaker
  chairman chair ceo cfo coo director superintendent principal bishop brother sister msgr monsignor
  dipl mp sgt major general captain
`);
const moreDegrees = words('aia faia psy faan np dnp dc scd ii kcb facs facp shrm dmin');
const sureDegrees = words('phd md jd mba edd esq');
const notNicknames = words('nee aka goes by formerly he she him her they them his hers');
const nicknameInText =
  /["“”„«]\s*([^"“”„»]{2,25}?)\s*["“”»]|[([{]\s*([^)\]}]{1,40}?)\s*[)\]}]|(?<=\s)'([^']{2,20})'(?=\s|$)/gu;
/** What a profile says behind the name: "Ann King is hiring". */
const sentence = /(?<=\S\s\S+)\s(?:is|was|has|are)\s.+$/;
const otherName = new RegExp(
  String.raw`\s(?:a\.?k\.?a\.?|n[eé]e|geb(?:orene?)?\.?|born|(?:also )?known as|alias|goes by` +
    String.raw`|f\.?k\.?a\.?)\s+(.+)$`,
  'i',
);

export const bareWord = (word: string): string =>
  /^[a-z0-9]*$/.test(word) ? word : word.replace(/[^\p{L}\p{N}]/gu, '');

/** Signs that text recognition, or a decoding that failed, puts in the place of a letter. */
const signLetters: Readonly<Record<string, string>> = { '!': 'i', '|': 'l', $: 's' };
const signInWord = /(?<=[a-z])[!|$](?=[a-z])/g;
/** The initials of a double name: "J.-C.". */
const joinedInitials = /\b([a-z])\.?-(?=[a-z]\b)/g;
const lostLetter = /(?<=[a-z])[?\ufffd]+(?=[a-z])/g;

/** A bar that separates two words, and is no misread letter: "Ann|King". */
const barBetween = /(?<=\p{L}{2})\|(?=\p{Lu}\p{Ll})/gu;

/** Whether an O before a word belongs to it: "O Brien", but not "Hans O Friedrich". */
export const isAfterO = (word: string): boolean =>
  surnamePerMillion(numberOfName(`o${word}`)) > 0 || surnamePerMillion(numberOfName(word)) === 0;

/** The texts of a row are taken apart for each of its readings. */
const splitWords = createBoundedCache(
  (folded: string): readonly string[] =>
    folded
      .replace(/['’`]/g, '')
      .replace(signInWord, (sign) => signLetters[sign]!)
      .replace(lostLetter, '')
      .replace(joinedInitials, '$1. ')
      .replace(/\bo\s([a-z]{3,})/, (all, word: string) => (isAfterO(word) ? `o${word}` : all))
      .replace(/[^\p{L}\p{N}.\- ]+/gu, ' ')
      .replace(/(?<=[a-z]{2,})\.(?=[a-z]{2,})/g, ' ')
      .replace(/(?<=\b[a-z])\.(?=\s?[a-z])/g, '. ')
      .split(/\s+/)
      .map((word) => word.replace(/^[.-]+|-+$|\.+$/g, ''))
      .filter((word) => /[\p{L}\p{N}]/u.test(word)),
  1_000,
);

/** The folded words of a name's text; full stops between initials separate them. */
export function nameWords(text: string): readonly string[] {
  const folded = foldToAscii(text.includes('|') ? text.replace(barBetween, ' ') : text);
  return /^[a-z]+$/.test(folded) ? [folded] : splitWords(folded);
}

const isTitle = (bare: string): boolean => courtesyTitles.has(bare) || moreTitles.has(bare);
const isDegree = (bare: string): boolean => degrees.has(bare) || moreDegrees.has(bare);

export const isNameAddition = (bare: string): boolean =>
  isTitle(bare) || isDegree(bare) || generations.has(bare);

interface Reading {
  readonly parts: string[][];
  generation: number;
  isPeer: boolean;
}

/** Whether a degree at this place is one: behind a name, and not a short given name inside it. */
function isDegreeAt(segment: readonly string[], at: number, kept: number, hasParts: boolean) {
  const word = segment[at]!;
  const bare = bareWord(word);
  if (!isDegree(bare) || (kept === 0 && !hasParts)) return false;
  const isMarked = hasParts || kept > 1 || (word !== bare && bare.length > 1);
  if (!isMarked && !sureDegrees.has(bare)) return false;
  return !(bare.length === 2 && !hasParts && at < segment.length - 1);
}

/** The words of one part without titles, suffixes and degrees. */
function readSegment(segment: readonly string[], segmentsCount: number, into: Reading): string[] {
  const kept: string[] = [];
  const isAlone = segment.length === 1 && segmentsCount === 1;
  const hasParts = into.parts.length > 0;
  for (const [at, word] of segment.entries()) {
    const bare = bareWord(word);
    const generation = generations.get(bare) ?? (bare === 'v' && at > 1 ? 6 : 0);
    if (generation > 0 && (kept.length > 0 || hasParts)) {
      into.generation = generation;
      continue;
    }
    if (isDegreeAt(segment, at, kept.length, hasParts)) continue;
    const canBeTitle = at < segment.length - 1 || segmentsCount > 1 || segment.length === 1;
    // "King, Don"
    const isGiven = segment.length === 1 && hasParts && givenPerMillion(numberOfName(bare)) > 0;
    const isName = (isAlone || isGiven) && nameLikeTitles.has(bare);
    if (kept.length === 0 && bare.length > 1 && canBeTitle && !isName && isTitle(bare)) {
      if (peerTitles.has(bare) || bare === 'earl' || bare === 'countess') into.isPeer = true;
      continue;
    }
    kept.push(word);
  }
  return kept;
}

function takeNicknames(text: string, nicknames: string[]): string {
  if (!/["“”„«([{'\s]/.test(text)) return text;
  let rest = text
    .replace(sentence, '')
    .replace(nicknameInText, (_all, quoted, bracketed, single) => {
      const inside = String(quoted ?? bracketed ?? single);
      const found = nameWords(inside)
        .map(bareWord)
        .filter((word) => !isTitle(word) && !isDegree(word) && !notNicknames.has(word));
      if (found.length > 0 && found.length < 3 && !inside.includes('/')) nicknames.push(...found);
      return ' ';
    });
  const other = otherName.exec(rest);
  if (other) {
    nicknames.push(...nameWords(other[1]!).map(bareWord));
    rest = rest.slice(0, other.index);
  }
  return rest;
}

const honour = /^[A-Z][A-Z.-]{1,7}$/;

/**
 * The parts between commas without letters in capitals behind a whole name that has small ones:
 * degrees and honours, of which no table has all. Behind a surname alone they are initials.
 */
function withoutHonours(parts: readonly string[]): readonly string[] {
  const [name = '', ...others] = parts;
  if (others.length === 0 || !/\p{Ll}/u.test(name)) return parts;
  const words = nameWords(name).map(bareWord);
  if (words.length < 2 || particles.has(words[0]!)) return parts;
  return [name, ...others.filter((part) => !honour.test(part.trim()))];
}

const oneWord = /^[A-Za-z]+$/;

/** Takes a text with a name apart. Never throws; text without letters gives no parts. */
export function readNameParts(text: string): NameParts {
  // Most texts are one word, which is a suffix or a degree only behind another.
  if (oneWord.test(text)) {
    const word = text.toLowerCase();
    if (!isTitle(word)) return { parts: [[word]], nicknames: [], generation: 0, isPeer: false };
  }
  const nicknames: string[] = [];
  const into: Reading = { parts: [], generation: 0, isPeer: false };
  const segments = withoutHonours(takeNicknames(text, nicknames).split(/[,;]/)).map(nameWords);
  for (const segment of segments) {
    const kept = readSegment(segment, segments.length, into);
    // "Van Houten, Van Houten": two records with one value.
    const isRepeated = into.parts.some((part) => part.join(' ') === kept.join(' '));
    if (kept.length > 0 && !isRepeated) into.parts.push(kept);
  }
  return { parts: into.parts, nicknames, generation: into.generation, isPeer: into.isPeer };
}

export interface SurnameKey {
  /** All of it, joined. */
  readonly whole: string;
  /** Without particles and initials; the whole one if nothing else is left. */
  readonly core: string;
  readonly parts: readonly string[];
}

export const surnameWords = (words: readonly string[]): readonly string[] =>
  words.length === 1 && /^[a-z0-9]+$/.test(words[0]!)
    ? words
    : words
        .flatMap((word) => word.split('-'))
        .map(bareWord)
        .filter(Boolean);

export function surnameKey(lastWords: readonly string[]): SurnameKey {
  const tokens = surnameWords(lastWords);
  if (tokens.length === 1) return { whole: tokens[0]!, core: tokens[0]!, parts: [] };
  const strong = tokens.filter((token) => !particles.has(token) && token.length > 1);
  const core = strong.length > 0 ? strong : tokens;
  return { whole: tokens.join(''), core: core.join(''), parts: core.length > 1 ? core : [] };
}
