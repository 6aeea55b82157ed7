// What is known of a name: whether people have it, so that it is hardly another one mistyped, and
// how many. A name of the table of frequencies is known in every directory; one that the table
// lacks is known if the directory has it often.
import type { MatchIndex } from '../../index/index-layout.ts';
import { areOfTwoSexes, givenPerMillion, surnamePerMillion } from '../../names/name-frequencies.ts';
import { areGivenSpellings, areOneWritten } from '../../normalize/messy/spelling-key.ts';

/** A word of a name, with its numbers in the index and in the table of frequencies, or -1. */
export interface CountedWord {
  readonly text: string;
  readonly id: number;
  readonly known: number;
}

/** Errors of registers are rarer names: "Micheal" is one in ten thousand, "Jonh" is none. */
const perMillionMin = { given: 3, surname: 1.5 };
/** People of a smaller directory do not show how common a name is. */
const peopleMin = 20_000;
const shareMin = { given: 1 / 20_000, surname: 1 / 50_000 };
const knownNicknames = 3;
const holdersMin = 2;

const populationOf = ({ peopleCount }: MatchIndex): number => Math.max(peopleCount, peopleMin);

function countNicknames({ sections }: MatchIndex, id: number): number {
  return sections.nicknameStarts[id + 1]! - sections.nicknameStarts[id]!;
}

/** Whether a given name is one that people have: then it is hardly another one mistyped. */
export function isKnownGiven(index: MatchIndex, { id, known }: CountedWord): boolean {
  if (givenPerMillion(known) >= perMillionMin.given) return true;
  if (id < 0) return false;
  const holders = index.sections.firstCounts[id]!;
  if (holders >= Math.max(holdersMin, populationOf(index) * shareMin.given)) return true;
  return countNicknames(index, id) >= knownNicknames;
}

/** Whether anyone has a given name at all, or the table of nicknames knows it. */
export function isSomeonesGiven(index: MatchIndex, { id, known }: CountedWord): boolean {
  if (givenPerMillion(known) > 0) return true;
  return id >= 0 && (index.sections.firstCounts[id]! > 0 || countNicknames(index, id) > 0);
}

/** Whether a surname is one that people have. */
export function isKnownSurname(index: MatchIndex, { id, known }: CountedWord): boolean {
  if (surnamePerMillion(known) >= perMillionMin.surname) return true;
  if (id < 0) return false;
  return (
    index.sections.lastCounts[id]! > Math.max(holdersMin, populationOf(index) * shareMin.surname)
  );
}

/** Whether two given names are spellings of one. */
export const isSameGiven = (one: CountedWord, other: CountedWord): boolean =>
  areGivenSpellings(one.text, other.text) && !areOfTwoSexes(one.known, other.known);

/**
 * A rare name next to one so many times as common is rather that one, mistyped in a register, as
 * Hernadez is Hernandez. More surnames than given names are a letter apart.
 */
const slipFactor = { given: 100, surname: 300 };
const rareMax = 5;

const isSlipOf = (written: number, meant: number, factor: number): boolean =>
  written < rareMax && written * factor < meant;

const haveSameLetters = (one: string, other: string): boolean =>
  one.length === other.length && [...one].sort().join('') === [...other].sort().join('');

/**
 * Whether a given name is so rare next to another one that it is rather that one, mistyped. Few
 * people mistype its first letter, and another ending makes another name, unless letters are
 * exchanged: Marolyn is not Carolyn and Antonello is not Antonella, but Brina is Brian.
 */
export const isSlipOfGiven = (written: CountedWord, meant: CountedWord): boolean =>
  written.text[0] === meant.text[0] &&
  (written.text.at(-1) === meant.text.at(-1) || haveSameLetters(written.text, meant.text)) &&
  isSlipOf(givenPerMillion(written.known), givenPerMillion(meant.known), slipFactor.given);

/** Of fewer letters, a rare surname is hardly a slip in a register: Cowper is not Cooper. */
const slipLettersMin = 7;

const isSlipOfSurname = (written: CountedWord, meant: CountedWord): boolean =>
  written.text.length >= slipLettersMin &&
  isSlipOf(surnamePerMillion(written.known), surnamePerMillion(meant.known), slipFactor.surname);

/**
 * Whether people have a row's surname, which is not a person's: two people's, also two spellings
 * of one name. A person's own may be one that no table has.
 */
export const areTwoSurnames = (index: MatchIndex, written: CountedWord, held: CountedWord) =>
  (surnamePerMillion(written.known) > 0 || isKnownSurname(index, written)) &&
  !areOneWritten(written.text, held.text) &&
  !isSlipOfSurname(written, held);

const commonPerMillion = 30;

/** Whether a given name is so seldom given that it may be anyone's nickname. */
export const isUncommonGiven = (index: MatchIndex, { id, known }: CountedWord): boolean =>
  givenPerMillion(known) < commonPerMillion &&
  (id < 0 || index.sections.firstCounts[id]! < holdersMin);

/** Of a million people, those with a name that neither table nor directory has more often. */
const rarest = { given: 1, surname: 0.5 };

/**
 * Of a million people, those with a name: by the table, otherwise by the directory's own people,
 * who are taken for at least so many that one holder proves nothing.
 */
function perMillion(index: MatchIndex, ofTable: number, holders: number, least: number): number {
  if (ofTable > 0) return ofTable;
  return Math.max(least, ((holders - 1) * 1e6) / populationOf(index));
}

/** People of a million with a given name. */
export const perMillionOfGiven = (index: MatchIndex, { id, known }: CountedWord): number =>
  perMillion(
    index,
    givenPerMillion(known),
    id < 0 ? 0 : index.sections.firstCounts[id]!,
    rarest.given,
  );

/** People of a million with a surname. */
export const perMillionOfSurname = (index: MatchIndex, { id, known }: CountedWord): number =>
  perMillion(
    index,
    surnamePerMillion(known),
    id < 0 ? 0 : index.sections.lastCounts[id]!,
    rarest.surname,
  );

/** A name without its ending, with the letters for which languages write x as one. */
const stemOf = (name: string): string =>
  name
    .replace(/x|ks|ss|j/g, 'x')
    .replace(/[aeiy]+$/, '')
    .replace(/([^aeiouy])\1$/, '$1');

/** Sammy is short for Samantha too, and Alex for Alejandra; but Wilma is not William. */
function isShortFor(short: string, long: string): boolean {
  const [start, whole] = [stemOf(short), stemOf(long)];
  return long.length > Math.max(short.length, start.length + 1) && whole.startsWith(start);
}

/** As the table of nicknames has it: 2 for a nickname, 1 if both are of a third, 0 otherwise. */
export function findRelation({ sections }: MatchIndex, one: number, other: number): 0 | 1 | 2 {
  if (one < 0 || other < 0) return 0;
  const { nicknameStarts, nicknames } = sections;
  for (let at = nicknameStarts[one]!; at < nicknameStarts[one + 1]!; at++)
    if (nicknames[at]! >>> 1 === other) return (nicknames[at]! & 1) === 1 ? 1 : 2;
  return 0;
}

/**
 * 2 if one name is a nickname of the other, 1 if both are of a third, 0 otherwise and for names of
 * two sexes of which none is short for the other.
 */
export function relationOf(index: MatchIndex, one: CountedWord, other: CountedWord): 0 | 1 | 2 {
  const relation = findRelation(index, one.id, other.id);
  if (relation === 0 || !areOfTwoSexes(one.known, other.known)) return relation;
  const isShort = isShortFor(one.text, other.text) || isShortFor(other.text, one.text);
  return relation === 2 && isShort ? 2 : 0;
}
