// Signs that a row is about no one, or about two people: matching answers neither.
import { endsInParticle, isCouple } from '../../../../spreadsheet/several-people.ts';
import { classifyTitle } from '../../../normalize/classify-title.ts';
import { foldToAscii } from '../../../normalize/fold-text.ts';
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
/** The name of a file. */
const file = /\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|csv|txt|zip)$/i;
const testCompany = /^(?:test|example)$/i;
const headerFirst = /^(?:first ?name|last ?name|name|company|email)$/i;
const headerLast = /^(?:first ?name|last ?name|surname|name)?$/i;

/** Words that an organisation's name has and a person's has not. */
export const organisationWord =
  /\b(?:universi[dt]\w*|college|school|academy|institut\w*|hospital|senate|house of|assembly|city of|county|department|office|ministry|council|inc|llc|corp|ltd|company|seminary|center|centre|beauty|cosmetology|legislature|government|univ|coll|hosp|dept|town of|village of|medical|clinic|agency|authority|district|foundation|system|technical|parliament|commons|lords|representatives|state)\b/i;
/** The same, cut or mistyped behind. */
export const organisationPart =
  /universit|colleg|school|academ|institut|hospital|senat|assembl|represent|delegat|department|office|beauty/i;

const street =
  /^\d+\w? .+ (?:street|road|rd|avenue|ave|boulevard|blvd)\.?$|.(?:straße|strasse|str\.) \d+\w?$/i;

/** Whether a row is a test, a header, a note or an address. */
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
    file.test(first || last) ||
    street.test(`${first} ${last}`.trim()) ||
    testPhrase.test(`${first} ${last} ${company}`) ||
    testCompany.test(company)
  );
}

const officeWord =
  /\b(?:office|desk|reception|department|dept|team|staff|admissions?|registrar|accounting|billing|payroll|purchasing|procurement|switchboard|mailroom|enquiries|inquiries|accounts? (?:payable|receivable)|human resources|customer (?:service|support|care)|information)\b/i;

const salutation = /\b(?:mr|mrs|ms|miss|dr|prof)\b/i;

/** Whether the name of a row is that of an office: "Admissions Office", "Front Desk". */
export function isOffice({ first, last }: RowText, known: KnownWords): boolean {
  const name = `${first} ${last}`;
  if (!officeWord.test(name) || salutation.test(name)) return false;
  return !nameWords(name).some((word) => known.isGiven(bareWord(word)));
}

const severalPeople =
  /\S\s*(?:\s(?:and|und|et|y|or|oder|ou|og|och|ve)\s|&|\s\/\s|\/|;|\s\+\s)\s*\S/i;
const between = /\s(?:and|und|et|y|or|oder|ou|og|och|ve)\s|&|\/|;|\+/i;
/** Separators that columns have too: two people only if every side is a whole name. */
const listSeparator = /[;,|]/;
const capitals = /^\s*\p{Lu}\S*(?: \p{Lu}\S*)+\s*$/u;
/** What follows a name that has its organisation or title behind it. */
const behindName = /[,(|]|\s[-–—]\s|\sat\s/;
/** Words of a whole name in the first column, next to another one in the second. */
const nameWordsMax = 3;

const wordsOf = (text: string): readonly string[] => readNameParts(text).parts.flat().map(bareWord);
const isWord = (word: string): boolean => /\p{L}{2}/u.test(word);

/** The words of a whole name; "Don" before one other word is a given name, and no title. */
function wholeNameOf(text: string): readonly string[] {
  const found = wordsOf(text);
  const written = nameWords(text).map(bareWord);
  return found.length === 1 && written.length === 2 && written[1] === found[0] ? written : found;
}

/** A cell without a title behind the name: "Ann Lee - Director/Owner". */
function dropTitle(cell: string): string {
  const at = cell.search(behindName);
  const isTitle = at > 0 && classifyTitle(cell.slice(at)).jobLevel !== null;
  return isTitle && !severalPeople.test(cell.slice(0, at)) ? cell.slice(0, at) : cell;
}

/** A letter that is a word between names, and an initial elsewhere: "Ana i Pau Puig". */
const letterBetween = /(\p{L}{2,})\s(?:[ie]|u\.)\s(\p{Lu}\p{L}+)/u;

/** Whether a cell of a name holds two people: "Ann & Bob", "Ann Lee / Bob Moe". */
function holdsTwo(text: string, isSurname: boolean, known: KnownWords): boolean {
  if (organisationWord.test(text)) return false;
  const [, before, behind] = letterBetween.exec(text) ?? [];
  const isGiven = (word: string): boolean => known.isGiven(foldToAscii(word));
  if (before && isGiven(before) && isGiven(behind!)) return true;
  if (!severalPeople.test(text)) return false;
  const cell = dropTitle(text);
  if (!severalPeople.test(cell)) return false;
  // "Ortega y Gasset" is one surname.
  if (isSurname && /\sy\s/i.test(cell)) return false;
  if (cell.includes(';')) return false;
  const texts = cell.split(between);
  // "Maria von und zu Berg" is one person.
  if (texts.slice(0, -1).some((text) => endsInParticle.test(text))) return false;
  const sides = texts.map(wordsOf);
  const [one, other] = sides;
  // "Steve/Stephen" is one person.
  const isOne =
    cell.includes('/') && sides.length === 2 && sides.every((side) => side.length === 1);
  if (!isSurname && isOne && known.areForms(one![0]!, other![0]!)) return false;
  if (sides.length < 2 || !sides.every((side) => side.some(isWord))) return false;
  // "Ann King / left voicemail"
  const isNamed = (side: readonly string[], at: number): boolean =>
    known.isGiven(side[0]!) || known.isSurname(side.at(-1)!) || capitals.test(texts[at]!);
  return !/\s\/\s/.test(cell) || sides.every(isNamed);
}

/** What the index knows of words. */
export interface KnownWords {
  /** Words of a name that someone of the index has: a given name, and a surname. */
  isAnyName(given: string, surname: string): boolean;
  /** A given name that people have. */
  isGiven(word: string): boolean;
  /** Two forms of one given name: Steve, Stephen. */
  areForms(one: string, other: string): boolean;
  /** A surname that someone has, and more often that than a given name. */
  isSurname(word: string): boolean;
}

/** Whether a cell lists people with their organisations: "Ann Lee, Acme Inc; Bob Moe, Acme Inc". */
function listsTwoWithNotes(cell: string, known: KnownWords): boolean {
  const sides = cell.split(';').map((side) => wordsOf(side.split(behindName)[0]!));
  return (
    sides.length > 1 &&
    sides.every(
      (side) => side.length > 1 && known.isGiven(side[0]!) && known.isSurname(side.at(-1)!),
    )
  );
}

/** A surname and initials, as lists of authors have them: "King A", or "A. King". */
const isCited = (side: readonly string[], isBehind: boolean): boolean =>
  side.length > 1 &&
  (side[0]!.length === 1) === !isBehind &&
  (side.at(-1)!.length === 1) === isBehind;

/**
 * Whether a cell lists whole names: "Ann Lee, Bob Moe". No name has a semicolon, so that a known
 * surname behind a rare given name is enough on either side of one. Behind a bar or a line break
 * stand titles as well, so that someone must have either word.
 */
function listsTwo(cell: string, known: KnownWords): boolean {
  if (!listSeparator.test(cell)) return false;
  if (listsTwoWithNotes(cell, known)) return true;
  if (organisationWord.test(cell)) return false;
  const sides = cell
    .split(listSeparator)
    .map(wholeNameOf)
    .filter((side) => side.length > 0);
  const areCited = (isBehind: boolean): boolean => sides.every((side) => isCited(side, isBehind));
  if (sides.length > 1 && (areCited(true) || areCited(false))) return true;
  const [hasSemicolon, hasBar] = [cell.includes(';'), cell.includes('|')];
  const isName = (side: readonly string[]): boolean => {
    if (side.length < 2) return false;
    const [isGiven, isSurname] = [known.isGiven(side[0]!), known.isSurname(side.at(-1)!)];
    if (hasBar) return known.isAnyName(side[0]!, side.at(-1)!);
    return isGiven || (hasSemicolon && isSurname);
  };
  return sides.length > 1 && sides.every(isName);
}

/** "The Kings" */
const family = /^the \p{L}+s$/iu;

/** Whether a row names two people, in one cell or in the two cells of a name. */
export function isTwoPeople({ first, last }: RowText, known: KnownWords): boolean {
  if (holdsTwo(first, false, known) || holdsTwo(last, true, known)) return true;
  const name = `${first} ${last}`.trim();
  if (isCouple(name) || family.test(name)) return true;
  if (listsTwo(first, known) || listsTwo(last, known)) return true;
  if (!first.includes(' ') || !last.includes(' ') || organisationWord.test(last)) return false;
  const [one, other] = [wholeNameOf(first), wholeNameOf(last)];
  if (one.length < 2 || one.length > nameWordsMax || other.length < 2) return false;
  if (other.some((word) => one.includes(word))) return false;
  const startsAsName = ([given]: readonly string[]): boolean =>
    known.isGiven(given!) && !known.isSurname(given!);
  return startsAsName(one) && known.isSurname(one.at(-1)!) && startsAsName(other);
}
