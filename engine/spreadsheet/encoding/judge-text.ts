// Judges how likely the letters of a text are, to find the encoding that it was written in.
import { readWords } from '../../platform/read-words.ts';

/** Natural logarithm of the probability of each letter outside ASCII. */
type LetterModel = ReadonlyMap<string, number>;

const capitalShare = 1 / 3;

function createModel(languages: readonly string[]): LetterModel {
  const shares = new Map<string, number>();
  const add = (letter: string, share: number) =>
    shares.set(letter, (shares.get(letter) ?? 0) + share);
  for (const language of languages) {
    for (const [, letter = '', share] of language.matchAll(/(\P{N})(\d)/gu)) {
      add(letter, Number(share));
      const capital = letter.toUpperCase();
      if (capital !== letter && capital.length === 1) add(capital, Number(share) * capitalShare);
    }
  }
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map([...shares].map(([letter, share]) => [letter, Math.log(share / total)]));
}

/** Models of single languages, and of the lists that mix those of an area. */
const western = ['german', 'french', 'spanish', 'portuguese', 'italian', 'dutch', 'nordic'];
const central = ['polish', 'czech', 'hungarian', 'romanian', 'croatian', 'german'];
const mixed = [
  western,
  central,
  [...western, 'turkish'],
  ['lithuanian', 'latvian', 'estonian', 'polish'],
  ['russian', 'ukrainian'],
];

function createLetterModels(): LetterModel[] {
  const letters = new Map(readWords('letters').map(([name, [shares = '']]) => [name, shares]));
  return [...[...letters.keys()].map((name) => [name]), ...mixed].map((names) =>
    createModel(names.map((name) => letters.get(name) ?? '')),
  );
}

interface Statistics {
  readonly letterModels: readonly LetterModel[];
  readonly knownLetters: ReadonlySet<string>;
  readonly eastAsianSets: readonly ReadonlySet<string>[];
}

function createStatistics(): Statistics {
  const letterModels = createLetterModels();
  return {
    letterModels,
    knownLetters: new Set(letterModels.flatMap((model) => [...model.keys()])),
    eastAsianSets: readWords('east-asian-characters').map(([, parts]) => new Set(parts.join(''))),
  };
}

let created: Statistics | null = null;

/** The statistics. Creating them takes 4 ms, and a thread that starts may read no text. */
function statistics(): Statistics {
  created ??= createStatistics();
  return created;
}

// Logarithms of probabilities, of one character.
const unknownLetter = -9;
const foreignLetter = -6.5;
const commonEastAsian = -4.6;
const otherEastAsian = -8.5;
const halfWidthKana = -7;
const punctuation = -3.5;
const symbol = -8;
const control = -14;
const missing = -16;
// Added where a letter stands in an unlikely place.
const capitalInside = -5;
const mixedScripts = -6;
const besideAnother = -1.5;
const smallAtStart = -1.2;
const besideSign = -4;
const ntilde = -3;

const isLetter = (character: string): boolean => /\p{L}|\p{M}/u.test(character);
const isAsciiLetter = (character: string): boolean => /[a-z]/i.test(character);
const isLatin = (character: string): boolean => /\p{Script=Latin}/u.test(character);
const isEastAsian = (character: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・　、。「」（）]/u.test(
    character,
  );
const isPunctuation = (character: string): boolean => /[–—‘’“”„«»‹›…€\u00a0·•№°´]/u.test(character);

function judgePlace(letter: string, before: string, after: string): number {
  let sum = 0;
  const isUpper = letter !== letter.toLowerCase();
  const afterLetter = isLetter(before);
  if (isUpper && afterLetter && before !== before.toUpperCase()) sum += capitalInside;
  if (!isLatin(letter)) {
    if (isAsciiLetter(before) || isAsciiLetter(after)) sum += mixedScripts;
    if (!isUpper && !afterLetter && letter !== letter.toUpperCase()) sum += smallAtStart;
  } else if (before > '\x7f' && afterLetter) sum += besideAnother;
  // The second byte of an East Asian character may be a sign.
  if (/[\^`~{}\\]/.test(before) || /[\^`~{}\\]/.test(after)) sum += besideSign;
  // Spanish ñ is between vowels; Polish ń, which has the same byte, is not.
  if (/ñ/i.test(letter) && isLetter(after) && !/[aeiouáéíóúü]/i.test(after)) sum += ntilde;
  if (/ñ/i.test(letter) && !isLetter(after)) sum += ntilde;
  return sum;
}

/** The logarithm of the probability of a character that is no letter of Latin or other scripts. */
function judgeOther(character: string, before: string, after: string): number {
  if (character === '\ufffd') return missing;
  if (/[\x80-\x9f\p{Co}\p{Cn}]/u.test(character)) return control;
  const isInside = isLetter(before) && isLetter(after);
  if (isPunctuation(character))
    return character === '’' || !isInside ? punctuation : punctuation + symbol;
  return isLetter(before) || isLetter(after) ? 2 * symbol : symbol;
}

/**
 * The mean logarithm of the probability of each byte outside ASCII, by the language that fits best;
 * 0 for a text without any.
 * @param byteCount bytes outside ASCII of the text in its encoding
 */
export function judgeText(text: string, byteCount: number): number {
  if (byteCount === 0) return 0;
  const { letterModels, knownLetters, eastAsianSets } = statistics();
  const characters = [...text];
  const counts = new Map<string, number>();
  let fixed = 0;
  let eastAsian = 0;
  const eastAsianHits = eastAsianSets.map(() => 0);
  for (const [at, character] of characters.entries()) {
    if (character <= '\x7f') continue;
    const [before, after] = [characters[at - 1] ?? ' ', characters[at + 1] ?? ' '];
    if (/[\uff61-\uff9f]/.test(character)) fixed += halfWidthKana;
    else if (isEastAsian(character)) {
      eastAsian++;
      for (const [set, known] of eastAsianSets.entries())
        if (known.has(character)) eastAsianHits[set] = (eastAsianHits[set] ?? 0) + 1;
    } else if (isLetter(character)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
      fixed += judgePlace(character, before, after);
    } else fixed += judgeOther(character, before, after);
  }
  const hits = Math.max(...eastAsianHits);
  fixed += hits * commonEastAsian + (eastAsian - hits) * otherEastAsian;
  const letters = Math.max(
    ...letterModels.map((model) => {
      let sum = 0;
      for (const [letter, count] of counts)
        sum +=
          count * (model.get(letter) ?? (knownLetters.has(letter) ? foreignLetter : unknownLetter));
      return sum;
    }),
  );
  return (fixed + letters) / byteCount;
}

/** Whether all letters of a text outside ASCII occur in names, as those of UTF-8 do. */
export function hasKnownLetters(text: string): boolean {
  for (const character of text) {
    const isKnown =
      character <= '\x7f' ||
      statistics().knownLetters.has(character) ||
      isEastAsian(character) ||
      isPunctuation(character) ||
      /[\u200b-\u200f\u2028-\u202e\u2060\ufeff\p{Emoji}]/u.test(character);
    if (!isKnown) return false;
  }
  return true;
}
