// The words of an organisation's name as the graded comparison aligns them: one form for
// abbreviations and translations, states as words of their own, legal forms and filler left out.
import { fillerWords } from '../../../contract/company-words.ts';
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { foldToAscii, isAscii } from '../fold-text.ts';
import { createLegalForms, separateForm } from '../legal-forms.ts';
import {
  formOfWord,
  legalWords,
  phrases,
  stateAbbreviations,
  stateNames,
} from './organisation-words.ts';
import { roman, valueOfRoman } from './roman-numbers.ts';

/** What comes before the two letters of a state: a word that nothing else equals. */
export const stateMark = '$';

const longStates = [...stateNames].filter(([, name]) => name.includes(' '));
const shiftedStates = [
  'nc n carolina',
  'nd n dakota',
  'sc s carolina',
  'sd s dakota',
  'wv w virginia',
];
export const statesOfTwoWords: readonly (readonly [code: string, name: string])[] = [
  ...longStates,
  ...shiftedStates.map((line) => [line.slice(0, 2), line.slice(3)] as const),
];
/** Names of states of one word → their codes. */
export const statesOfOneWord: ReadonlyMap<string, string> = new Map(
  [...stateNames].filter(([, name]) => !name.includes(' ')).map(([code, name]) => [name, code]),
);

const stateCode = /(?<![\p{L}.])([A-Z]{2}|[A-Z]\.[A-Z]\.)(?![\p{L}])/gu;
/** "Acme N.V." has a legal form, "Elko, NV" a state. */
const formLikeState = /[^,\s]\s+N\.?V\.?\s*$/;

/** Codes of states in a name; a name in capitals has none, since its words are capitals as well. */
function findStateCodes(name: string): ReadonlySet<string> {
  const codes = new Set<string>();
  if (name === name.toUpperCase()) return codes;
  for (const [code] of name.replace(formLikeState, '').matchAll(stateCode)) {
    const plain = code.replace(/\./g, '').toLowerCase();
    if (stateNames.has(plain)) codes.add(plain);
  }
  return codes;
}

const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ones = 'one two three four five six seven eight nine'.split(' ');
const tensPattern = new RegExp(
  `\\b(${tens.join('|')})(?: (${ones.join('|')}|[1-9])(?= |$))?\\b`,
  'g',
);

/** Numbers from 20 to 99 in words as figures: "forty four" is 44. */
const writeTens = (text: string): string =>
  text.replace(tensPattern, (_, ten: string, one: string | undefined) => {
    const unit = one === undefined ? 0 : ones.indexOf(one) + 1 || Number(one);
    return String(10 * (tens.indexOf(ten) + 2) + unit);
  });

const betweenSpaces = (word: string): string => ` ${word} `;
/** Runs of words, and what they are replaced by, each between spaces. */
const replacedRuns: readonly (readonly [run: string, form: string])[] = [
  ...phrases,
  ...statesOfTwoWords.map(([code, state]) => [state, stateMark + code] as const),
].map(([run, form]) => [betweenSpaces(run), betweenSpaces(form)]);

/** Text recognition reads an i as this sign. */
const signForI = /(?<=[a-z])!(?=[a-z])|(?<![^ ])!(?=[a-z]{2})/g;

/** The folded words, runs of words that mean one thing replaced, single letters in a row joined. */
function splitOrganisation(name: string): string[] {
  const letters = (
    name.includes('!') ? foldToAscii(name).replace(signForI, 'i') : foldToAscii(name)
  )
    .replace(/['’]/g, '')
    .replace(/\b([a-z])\.\s?(?=[a-z]\b)/g, '$1')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  let text = ` ${letters.includes('ty') ? writeTens(letters) : letters} `;
  for (const [run, form] of replacedRuns) if (text.includes(run)) text = text.replaceAll(run, form);
  return text.split(' ').filter(Boolean);
}

function joinSingles(split: readonly string[]): string[] {
  const joined: string[] = [];
  let wasSingle = false;
  for (const word of split) {
    const isSingle = word.length === 1;
    if (isSingle && wasSingle) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
    wasSingle = isSingle;
  }
  return joined;
}

/** Particles in further languages. In keys of names, which are stored, they are words. */
const particles: ReadonlySet<string> = new Set(
  (
    'di della delle dei degli dello dell da das do dos van von der den het een fur per para pour ' +
    'zu zum zur til och og'
  ).split(' '),
);

let legalTable: ReturnType<typeof createLegalForms> | null = null;
/** Made when first needed, because not every thread reads names of organisations. */
function legalForms() {
  legalTable ??= createLegalForms((alias) => joinSingles(splitOrganisation(alias)), legalWords);
  return legalTable;
}

/** Legal forms of two letters, of other scripts: in ASCII they are initials, "AO Smith". */
const foreignForm = /^\s*АО(?=[\s«"„“])|\s(?:АО|Α\.?Ε\.?)\s*$/u;

function tokenize(written: string): readonly string[] {
  const name = isAscii(written) ? written : written.replace(foreignForm, ' ');
  const codes = findStateCodes(name);
  const found = joinSingles(
    splitOrganisation(separateForm(name)).map((word) => {
      const code = statesOfOneWord.get(word) ?? stateAbbreviations.get(word);
      return code ? stateMark + code : codes.has(word) ? stateMark + word : word;
    }),
  );
  const { from, to } = legalForms().strip(found) ?? { from: 0, to: found.length };
  const tokens: string[] = [];
  for (let at = from; at < to; at++) {
    const word = found[at]!;
    // "St." begins a saint's name, ends a state's, and is short for state in "Cleveland St. Univ.".
    const isLast = at === to - 1 || formOfWord(found[at + 1]!) === 'universities';
    const isState = word === 'st' && at > 0 && isLast;
    const isNumber = at > from && word.length > 1 && roman.test(word);
    const form = isState ? 'state' : formOfWord(isNumber ? String(valueOfRoman(word)) : word);
    if (!fillerWords.has(form) && !fillerWords.has(word) && !particles.has(word)) tokens.push(form);
  }
  return tokens.length > 0 ? tokens : found;
}

/** The words of an organisation's name; a name of filler alone keeps its words. */
export const organisationTokens = createBoundedCache(tokenize, 20_000);

const acronymLetters = { min: 3, max: 9 } as const;

/** First letters of a name's words, with and without its filler. */
export function organisationAcronyms(name: string): readonly string[] {
  const split = foldToAscii(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ');
  const strong = split.filter((word) => !fillerWords.has(word));
  const found = [split, strong].map((list) => list.map((word) => word.slice(0, 1)).join(''));
  return [...new Set(found)].filter(
    ({ length }) => length >= acronymLetters.min && length <= acronymLetters.max,
  );
}
