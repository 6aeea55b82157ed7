/** Signs that a row is about no one, or about two people: matching answers neither. */
import { bareWord, nameWords, readNameParts } from '../../../normalize/messy/name-parts.ts';
import type { RowText } from './read-identifiers.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const testWords = words(
  'test tests testing tester demo sample example asdf qwerty foo bar foobar dummy lorem ipsum ' +
    'xxx ' +
    'abc fake deleteme donotuse delete placeholder asdfgh sdf testuser testperson aaa zzz',
);
const sureTestWords = words('test dummy asdf');
const besideTest = /^(?:user|person|name|contact|account|record|lead|data|row|first|last)$|\d|^.$/;
const testPhrase =
  /\b(?:test (?:row|record|contact|entry)|do not (?:use|contact|import)|delete me)\b/i;
const testCompany = /^(?:test|example)$/i;
const headerFirst = /^(?:first ?name|last ?name|name|company|email)$/i;
const headerLast = /^(?:first ?name|last ?name|surname|name)?$/i;

/** Words that an organisation's name has and a person's has not. */
export const organisationWord =
  /\b(?:universit|college|school|academy|institut|hospital|senate|house of|assembly|city of|county|department|office|ministry|council|inc|llc|corp|ltd|company|seminary|center|centre|beauty|cosmetology|legislature|government|univ|coll|hosp|dept|town of|village of|medical|clinic|agency|authority|district|foundation|system|technical|parliament|commons|lords|representatives|state)\b/i;
/** The same, cut or mistyped behind. */
export const organisationPart =
  /universit|colleg|school|academ|institut|hospital|senat|assembl|represent|delegat|department|office|beauty/i;

/** Whether a row is a test, a header or a note. */
export function isTestRow({ first, last, company }: RowText): boolean {
  const found = nameWords(`${first} ${last}`).map(bareWord);
  const tested = found.filter((word) => testWords.has(word));
  const isTest =
    tested.length > 0 &&
    (found.some((word) => sureTestWords.has(word)) ||
      found.every((word) => testWords.has(word) || besideTest.test(word)));
  const isHeader = headerFirst.test(first) && headerLast.test(last);
  return (
    isTest ||
    isHeader ||
    testPhrase.test(`${first} ${last} ${company}`) ||
    testCompany.test(company)
  );
}

const severalPeople = /\S\s*(?:\s(?:and|und|et|y|or)\s|&|\s\/\s|\/|;|\s\+\s)\s*\S/i;
const between = /\s(?:and|und|et|y|or)\s|&|\/|;|\+/i;
/** Separators that columns have too: two people only if both sides are whole names. */
const listSeparator = /[;,]/;

const wordsOf = (text: string): readonly string[] => readNameParts(text).parts.flat().map(bareWord);
const isWord = (word: string): boolean => word.length > 1;

/** Whether a cell of a name holds two people: "Ann & Bob", "Ann Lee / Bob Moe". */
function holdsTwo(cell: string, isSurname: boolean): boolean {
  if (!severalPeople.test(cell) || organisationWord.test(cell)) return false;
  // "Ortega y Gasset" is one surname.
  if (isSurname && /\sy\s/i.test(cell)) return false;
  if (cell.includes(';')) return false;
  const sides = cell.split(between).map(wordsOf);
  return sides.length > 1 && sides.every((side) => side.some(isWord));
}

/** Whether a cell lists two whole names: "Ann Lee, Bob Moe". */
function listsTwo(cell: string, isGiven: (word: string) => boolean): boolean {
  if (!listSeparator.test(cell) || organisationWord.test(cell)) return false;
  const sides = cell
    .split(listSeparator)
    .map(wordsOf)
    .filter((side) => side.length > 0);
  return sides.length === 2 && sides.every((side) => side.length > 1 && isGiven(side[0]!));
}

/** What the index knows of words. */
export interface KnownWords {
  /** A given name that people have. */
  isGiven(word: string): boolean;
  /** A surname that someone has, and more often that than a given name. */
  isSurname(word: string): boolean;
}

/** Whether a row names two people, in one cell or in the two cells of a name. */
export function isTwoPeople({ first, last }: RowText, known: KnownWords): boolean {
  const isGiven = (word: string): boolean => known.isGiven(word);
  if (holdsTwo(first, false) || holdsTwo(last, true)) return true;
  if (listsTwo(first, isGiven) || listsTwo(last, isGiven)) return true;
  if (!first.includes(' ') || !last.includes(' ')) return false;
  const [one, other] = [wordsOf(first), wordsOf(last)];
  if (one.length !== 2 || other.length < 2 || other.some((word) => one.includes(word)))
    return false;
  const isName = ([given, surname]: readonly string[]): boolean =>
    known.isGiven(given!) && !known.isSurname(given!) && known.isSurname(surname!);
  return isName(one) && known.isGiven(other[0]!) && !known.isSurname(other[0]!);
}
