// What the graded comparison needs of people: words of names, phones, local parts of emails.
import { bareWord, nameWords, readNameParts, surnameKey } from '../normalize/messy/name-parts.ts';
import type { DictionaryBuilder } from './index-dictionary.ts';
import { hashText } from './index-dictionary.ts';
import { factKinds } from './index-layout.ts';
import { createNumberList, type NumberList } from './index-postings.ts';

/** The facts of all people during construction: name number * 16 + kind, by person. */
export interface GatheredFacts {
  readonly people: NumberList;
  readonly values: NumberList;
  /** Hash of each email's local part, with its holder. */
  readonly locals: Record<'keys' | 'tags' | 'people', NumberList>;
}

export const startFacts = (): GatheredFacts => ({
  people: createNumberList(),
  values: createNumberList(),
  locals: { keys: createNumberList(), tags: createNumberList(), people: createNumberList() },
});

export interface FactWriter {
  readonly facts: GatheredFacts;
  readonly names: DictionaryBuilder;
}

const plainWord = /^[a-z]+$/;

function addFact({ facts, names }: FactWriter, person: number, kind: number, word: string): void {
  if (word === '') return;
  facts.people.push(person);
  facts.values.push(names.add(word) * 16 + kind);
}

function addSurname(
  into: FactWriter,
  person: number,
  words: readonly string[],
  kind: number,
): void {
  const key = surnameKey(words);
  if (key.whole.length < 2) return;
  addFact(into, person, kind, key.whole);
  if (key.core !== key.whole) addFact(into, person, factKinds.lastCore, key.core);
  for (const part of key.parts)
    if (part.length > 2) addFact(into, person, factKinds.lastPart, part);
}

export interface RecordNames {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly nickname: string;
}

export function addPersonFacts(into: FactWriter, person: number, record: RecordNames): void {
  const first = record.first.toLowerCase();
  if (plainWord.test(first)) addFact(into, person, factKinds.first, first);
  else {
    const { parts, nicknames } = readNameParts(record.first);
    const read = parts.flat();
    const words = read.length > 0 ? read : nameWords(record.first);
    for (const word of words.flatMap((whole) => whole.split('-')))
      addFact(into, person, factKinds.first, bareWord(word));
    for (const nickname of nicknames) addFact(into, person, factKinds.given, nickname);
  }
  for (const word of record.middle === '' ? [] : nameWords(record.middle))
    addFact(into, person, factKinds.middle, bareWord(word));
  for (const word of record.nickname === '' ? [] : nameWords(record.nickname))
    addFact(into, person, factKinds.given, bareWord(word));
  const last = record.last.toLowerCase();
  if (plainWord.test(last)) {
    if (last.length > 1) addFact(into, person, factKinds.last, last);
    return;
  }
  const { parts, nicknames } = readNameParts(record.last);
  addSurname(into, person, parts[0] ?? nameWords(record.last), factKinds.last);
  for (const nickname of nicknames) addSurname(into, person, [nickname], factKinds.formerLast);
  for (const word of parts[1] ?? []) addFact(into, person, factKinds.middle, bareWord(word));
}

/** Adds the name of a peer, "Lord Young of Cookham": the surname, and the title with its place. */
function addPeerage(into: FactWriter, person: number, text: string): void {
  const title = text.replace(/^\S+\s+/, '');
  const [surname = '', ...places] = title.split(/\s+of\s+/i);
  addSurname(into, person, nameWords(surname), factKinds.formerLast);
  const parts = [surname, places.join(' of ')].map((part) =>
    nameWords(part).map(bareWord).join(''),
  );
  addFact(into, person, factKinds.peerage, parts.filter(Boolean).join(' of '));
}

/** @param main the surname of the person's record, joined, which ends most other names */
export function addOtherFacts(into: FactWriter, person: number, text: string, main: string): void {
  if (/^(?:lord|lady|baroness|baron|viscount|earl|countess)\s/i.test(text)) {
    addPeerage(into, person, text);
    return;
  }
  const words = readNameParts(text).parts.flat();
  if (words.length === 0) return;
  if (words.length === 1) {
    addSurname(into, person, words, factKinds.aliasLast);
    addFact(into, person, factKinds.otherGiven, bareWord(words[0]!));
    return;
  }
  let surnameAt = words.length - 1;
  for (let at = 1; at < words.length; at++)
    if (words.slice(at).map(bareWord).join('') === main) {
      surnameAt = at;
      break;
    }
  const given = words
    .slice(0, surnameAt)
    .flatMap((word) => word.split('-'))
    .map(bareWord);
  addFact(into, person, factKinds.otherGiven, given[0] ?? '');
  if (given.length > 1) addFact(into, person, factKinds.otherGiven, given.join(''));
  for (const word of given.slice(1)) addFact(into, person, factKinds.middle, word);
  const family = words.slice(surnameAt);
  if (family.map(bareWord).join('') !== main)
    addSurname(into, person, family, factKinds.formerLast);
}

const lettersMin = 3;
const lettersMax = 20;

/**
 * Adds the names that an address spells in addition to the person's own: "marcjulianbradley" has
 * julian.
 * @param words parts of a profile page's name or of an email's local part
 */
export function addSpelledFacts(
  into: FactWriter,
  person: number,
  words: readonly string[],
  first: string,
  last: string,
): void {
  for (const word of words) {
    if (word.length < lettersMin || !plainWord.test(word)) continue;
    const withoutFirst = first !== '' && word.startsWith(first) ? word.slice(first.length) : word;
    const rest =
      last !== '' && withoutFirst.endsWith(last)
        ? withoutFirst.slice(0, withoutFirst.length - last.length)
        : withoutFirst;
    const isNews = rest.length >= lettersMin && rest.length <= lettersMax;
    // A single word that shares nothing with the name is not a name: "mayor@", "votesmith@".
    if (isNews && (words.length > 1 || rest !== word))
      addFact(into, person, factKinds.spelled, rest);
  }
}

export const localKey = (local: string): number => hashText(local.replace(/[^a-z0-9]/g, ''));

export function addLocal({ locals }: GatheredFacts, person: number, local: string): void {
  const key = localKey(local);
  locals.keys.push(key);
  locals.tags.push(key);
  locals.people.push(person);
}

const phoneDigits = { min: 7, max: 10 } as const;

/** The last ten digits of a phone number, without extension and country; '' if it has too few. */
export function phoneKey(text: string): string {
  const digits = text.replace(/(?:ext|x)\.?\s*\d+$/i, '').replace(/\D/g, '');
  return digits.length >= phoneDigits.min ? digits.slice(-phoneDigits.max) : '';
}
