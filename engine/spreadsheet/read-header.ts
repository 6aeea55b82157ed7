// Reads a column's header as a combination of what a column holds (a noun of
// resources/words/column-nouns.txt) and what narrows that (a qualifier).
import { readWords } from '../platform/read-words.ts';
import { decodeEntities } from './decode-entities.ts';

type ColumnNoun = string;
type ColumnQualifier = string;

/** What a column holds: `email`, `email.private`, `company.city`, `full_name.last_first`. */
export type ColumnKey = string;

export interface HeaderMeaning {
  readonly key: ColumnKey;
  /** 1 for "Email" and "Email 1", 2 for "Email 2". */
  readonly ordinal: number;
  /**
   * 0: every word is known. 1: unknown words are in brackets only. 2: other words are unknown, so
   * that only the column's values can confirm the meaning.
   */
  readonly doubt: 0 | 1 | 2;
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
};
const eastAsian = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}ー々';
const borders: readonly RegExp[] = [
  /(\p{Ll})(?=\p{Lu})/gu,
  /(\p{Lu})(?=\p{Lu}\p{Ll})/gu,
  /(\p{L})(?=\d)/gu,
  /(\d)(?=\p{L})/gu,
  new RegExp(`([a-z])(?=[${eastAsian}])`, 'giu'),
  new RegExp(`([${eastAsian}])(?=[a-z])`, 'giu'),
];
/** Words that people write apart and together. */
const joined: readonly (readonly [RegExp, string])[] = [
  [/\be mail/g, 'email'],
  [/\blinked in\b/g, 'linkedin'],
  [/\bzip postal\b/g, 'zip'],
];

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** A header in lower case, without accents and punctuation, camelCase split. */
export function foldWords(text: string): string {
  const visible = decodeEntities(text).replace(invisible, '');
  const apart = borders.reduce((whole, border) => whole.replace(border, '$1 '), visible);
  const plain = apart
    .toLowerCase()
    .replace(/[ßøæœłđıς]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

function splitWords(text: string): string[] {
  // As most of the vocabulary, which has thousands of names.
  const words = /^[a-z]+(?: [a-z]+)*$/.test(text) ? text : foldWords(text);
  return joined
    .reduce((whole, [pattern, word]) => whole.replace(pattern, word), words)
    .split(' ')
    .filter(Boolean);
}

/** What a phrase is: a noun, a qualifier, or both ("primary", "from"). */
interface PhraseRoles {
  noun?: ColumnNoun;
  qualifier?: ColumnQualifier;
}

interface Phrases {
  readonly roles: ReadonlyMap<string, PhraseRoles>;
  readonly wordsMax: number;
}

let phrases: Phrases | null = null;

function collectPhrases(): Phrases {
  const roles = new Map<string, PhraseRoles>();
  let wordsMax = 1;
  const add = (texts: readonly string[], role: PhraseRoles) => {
    for (const phrase of texts) {
      const words = splitWords(phrase);
      wordsMax = Math.max(wordsMax, words.length);
      // A phrase that is written in one word yields to one that really is one word.
      const forms = words.length === 1 ? words : [words.join(' '), words.join('')];
      for (const form of forms) {
        const known = roles.get(form);
        roles.set(form, known === undefined ? role : { ...role, ...known });
      }
    }
  };
  for (const [noun, texts] of readWords('column-nouns')) add(texts, { noun });
  for (const [qualifier, texts] of readWords('column-qualifiers')) add(texts, { qualifier });
  return { roles, wordsMax };
}

const compoundPartMin = 3;
const isEastAsian = new RegExp(`^[${eastAsian}]+$`, 'u');

/** The known words of a text without spaces, the longest first; null if a part is unknown. */
function splitUnspaced(text: string, { roles }: Phrases): PhraseRoles[] | null {
  const found: PhraseRoles[] = [];
  for (let at = 0; at < text.length; ) {
    let length = text.length - at;
    while (length > 0 && !roles.has(text.slice(at, at + length))) length--;
    const known = length > 0 && roles.get(text.slice(at, at + length));
    if (!known) return null;
    found.push(known);
    at += length;
  }
  return found;
}

/** The known words of a compound such as "Firmentelefon" or "会社電話"; null if it is none. */
function splitCompound(word: string, phrases: Phrases): PhraseRoles[] | null {
  if (isEastAsian.test(word)) return splitUnspaced(word, phrases);
  const { roles } = phrases;
  for (let at = word.length - compoundPartMin; at >= compoundPartMin; at--) {
    const first = roles.get(word.slice(0, at)) ?? roles.get(word.slice(0, at).replace(/s$/, ''));
    const second = roles.get(word.slice(at));
    if (first && second?.noun) return [first, second];
  }
  return null;
}

interface Parts {
  readonly roles: PhraseRoles[];
  ordinal: number;
  unknown: number;
}

/** The longest known phrases of a text, from its start. */
function readParts(text: string): Parts {
  phrases ??= collectPhrases();
  const words = splitWords(text);
  const parts: Parts = { roles: [], ordinal: 1, unknown: 0 };
  for (let at = 0; at < words.length; ) {
    let length = Math.min(phrases.wordsMax, words.length - at);
    while (length > 0 && !phrases.roles.has(words.slice(at, at + length).join(' '))) length--;
    const word = words[at] ?? '';
    const known = length > 0 && phrases.roles.get(words.slice(at, at + length).join(' '));
    if (known) parts.roles.push(known);
    else if (/^\d{1,2}$/.test(word)) parts.ordinal = Math.max(1, Number(word));
    else {
      const compound = splitCompound(word, phrases);
      if (compound) parts.roles.push(...compound);
      else parts.unknown++;
    }
    at += Math.max(1, length);
  }
  return parts;
}

/** Whether a header has a word of columns that say nothing of the contact, such as "owner". */
export const isAboutOthers = (header: string): boolean =>
  readParts(header).roles.some(({ qualifier }) => qualifier === 'stop');

const together = (nouns: readonly ColumnNoun[]): string => [...nouns].sort().join('+');

/** Two nouns of one header → what they mean together. */
const combinations: ReadonlyMap<string, ColumnNoun> = new Map(
  readWords('column-pairs').flatMap(([both, pairs]) =>
    pairs.map((pair) => [together(pair.split(' ')), both]),
  ),
);

const owners = new Map(readWords('column-owners'));
const ownerless: ReadonlySet<ColumnNoun> = new Set(owners.get('ownerless'));
const doubled: ReadonlySet<ColumnNoun> = new Set(owners.get('doubled'));
/** Words that a column of opt-outs or consents may be about. */
const dominant: readonly ColumnNoun[] = ['subscription', 'opt_out', 'consent'];

/** Whether a phrase is a noun and narrows it: "switchboard" is the phone of a company. */
const isBoth = ({ noun, qualifier }: PhraseRoles): boolean =>
  noun !== undefined && (qualifier === 'other' || qualifier === 'company');

/** The nouns that a header is about: all of its nouns, without repetition, in their order. */
function listNouns(roles: readonly PhraseRoles[]): ColumnNoun[] {
  const sure = roles.filter((role) => role.noun && (!role.qualifier || isBoth(role)));
  const usable = sure.length > 0 ? sure : roles.filter(({ noun }) => noun);
  return [...new Set(usable.flatMap(({ noun }) => noun ?? []))];
}

/** What several nouns mean together; null if they mean nothing. */
function combineNouns(
  nouns: readonly ColumnNoun[],
): { noun: ColumnNoun; isOfCompany: boolean } | null {
  const ruling = dominant.find((noun) => nouns.includes(noun));
  if (ruling) return { noun: ruling, isOfCompany: false };
  const [head, ...others] = nouns;
  if (head === undefined) return null;
  const rest = nouns.filter((noun) => noun !== 'company');
  const isOfCompany = rest.length < nouns.length && rest.length > 0;
  let [noun, ...left] = isOfCompany ? rest : [head, ...others];
  while (noun !== undefined && left.length > 0) {
    const both: ColumnNoun | undefined = combinations.get(together([noun, left[0]!]));
    if (both === undefined) return null;
    [noun, left] = [both, left.slice(1)];
  }
  if (noun === undefined) return null;
  const whole = isOfCompany ? combinations.get(together([noun, 'company'])) : undefined;
  return whole ? { noun: whole, isOfCompany: false } : { noun, isOfCompany };
}

const namePair: ReadonlySet<ColumnNoun> = new Set(['first_name', 'last_name', 'name']);

/**
 * The order of a whole name in one column, by the nouns of its header: "Nom et prénom" is
 * `last_first`; null if the header does not name both parts.
 */
function readNameOrder(nouns: readonly ColumnNoun[]): 'first_last' | 'last_first' | null {
  const [one, other] = nouns;
  if (nouns.length !== 2 || !one || !other || !namePair.has(one) || !namePair.has(other))
    return null;
  // A bare "name" next to a first name is the last name, and the other way round.
  return one === 'last_name' || other === 'first_name' ? 'last_first' : 'first_last';
}

function nameKey(noun: ColumnNoun, isOfCompany: boolean, kind: string): ColumnKey {
  if (noun === 'full_name') return kind === 'other' ? 'full_name.other' : noun;
  if (isOfCompany && noun === 'url') return 'website';
  if (isOfCompany && (noun === 'mobile' || noun === 'direct')) return 'company.phone';
  const owned = isOfCompany && !ownerless.has(noun) ? `company.${noun}` : noun;
  return doubled.has(noun) && kind !== '' ? `${owned}.${kind}` : owned;
}

const namesInOrder = new Set(['фио', 'ф и о', 'піб', 'п і б']);

export const isLastNameFirst = (header: string): boolean =>
  readHeader(header)?.key === 'full_name.last_first' ||
  namesInOrder.has(splitWords(header).join(' '));

/** Brackets, with what is in them; also those of Chinese and Japanese. */
const brackets = /[([{（［【〔]([^)\]}）］】〕]*)[)\]}）］】〕]?/g;

const headOffice =
  /\b(?:hq|headquarters?|head office|hauptsitz|siège social|sede)\b|^\W*(?:office|büro)\W*$/i;

export function readHeader(written: string): HeaderMeaning | null {
  const header = written
    .replace(/https?:\/\/[^\s()]+/gi, '')
    // The number of a form's question.
    .replace(/^\W*q\d{1,2}\W+/i, '');
  const inside = readParts(
    [...header.matchAll(brackets)].map(([, text]) => text ?? '').join(' , '),
  );
  const outside = readParts(header.replace(brackets, ' '));
  const roles = [...outside.roles, ...inside.roles];
  const nouns = listNouns(roles);
  // "Name > First name" and "Name: First" are parts of a name, not its order.
  const isPart = /[/>:|.]|\s[-–]\s/.test(header);
  const order = isPart ? null : readNameOrder(listNouns(outside.roles));
  if (order !== null && outside.unknown === 0)
    return {
      key: order === 'last_first' ? 'full_name.last_first' : 'full_name',
      ordinal: 1,
      doubt: 0,
    };
  const isAny = (qualifier: ColumnQualifier) =>
    roles.some(
      (role) =>
        role.qualifier === qualifier && (!role.noun || isBoth(role) || !nouns.includes(role.noun)),
    );
  const said = combineNouns(nouns);
  if (said === null) {
    if (nouns.length === 0 && outside.unknown === 0 && headOffice.test(header))
      return { key: 'headquarters', ordinal: 1, doubt: 1 };
    const isAlone = outside.unknown === 0 && nouns.length === 0 && !isAny('stop');
    if (!isAlone) return null;
    // "Contact" and "Customer" alone may be names, and "Work" and "Home" phones or emails.
    const alone = (['client', 'work', 'private', 'person'] as const).find(isAny);
    if (alone === undefined) return null;
    if (alone === 'client') return { key: alone, ordinal: 1, doubt: 0 };
    if (alone === 'person') return { key: 'contact', ordinal: 1, doubt: 0 };
    return { key: alone, ordinal: Math.max(outside.ordinal, inside.ordinal), doubt: 1 };
  }
  // The day on which somebody opted out says that they did.
  const isDay = /\b(?:date|time|timestamp|at|on|datum)\b/.test(splitWords(header).join(' '));
  if (said.noun === 'opt_out' && isDay) return { key: 'opt_out.date', ordinal: 1, doubt: 0 };
  if (isAny('stop')) return null;
  let { noun } = said;
  // "Company HQ" is a place, and "Company HQ Phone" a phone.
  if (noun === 'company' && headOffice.test(header)) return null;
  const isOfCompany = said.isOfCompany || (isAny('company') && noun !== 'company');
  const ordinal = Math.max(outside.ordinal, inside.ordinal);
  const isOther = isAny('other') || ordinal > 1;
  const kind = isAny('private') ? 'private' : isOther ? 'other' : isAny('work') ? 'work' : '';
  if (noun === 'name' && isAny('person') && !isOfCompany) noun = 'full_name';
  if (noun === 'name' && isAny('client')) return { key: 'client', ordinal, doubt: 0 };
  if (noun === 'name' && isOfCompany) noun = 'company';
  const doubt = outside.unknown > 0 ? 2 : inside.unknown > 0 ? 1 : 0;
  return { key: nameKey(noun, isOfCompany && noun !== 'company', kind), ordinal, doubt };
}
