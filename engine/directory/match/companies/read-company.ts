// Reads a row of a list of companies for comparison: repairs cells, reads web address and place.
import { fillerWords } from '../../../contract/company-words.ts';
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { readWordSets } from '../../../platform/read-words.ts';
import { classifyTitle } from '../../normalize/classify-title.ts';
import { listingPhrase } from '../../normalize/company-words.ts';
import { countryCode } from '../../normalize/country-code.ts';
import { foldText } from '../../normalize/fold-text.ts';
import { cleanCell } from '../../normalize/messy/clean-cell.ts';
import { organisationTokens } from '../../normalize/messy/organisation-tokens.ts';
import {
  isKindWord,
  isSectorWord,
  stateAbbreviations,
  stateNames,
} from '../../normalize/messy/organisation-words.ts';
import {
  legalFormOf,
  legalFormWords,
  normalizeCompany,
} from '../../normalize/normalize-company.ts';
import { readAddressText } from '../../normalize/normalize-email.ts';
import { websiteDomain } from '../../normalize/normalize-url.ts';
import { createFormFinder } from '../graded/organisations/repair-words.ts';
import { hostOf, isFreeHost } from '../graded/organisations/web-domains.ts';
import { endingUnits, isCountryOfForm, isNameOfMany, unitWords } from './name-kinds.ts';
import { aroundWords } from './name-rests.ts';

/** A company as given by the caller; '' if a part is unknown. */
export interface CompanyQuery {
  readonly name: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly domain?: string;
}

/** The place of a company in comparable form; '' if a part is unknown. */
export interface CompanyPlace {
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

/** A row in the form in which it is compared. */
export interface CompanyRow {
  /** '' if the cell holds no name. */
  readonly name: string;
  /**
   * The name without the parts of the organisation before it and the address after it, its words in
   * order, slips in its legal form corrected.
   */
  readonly bareName: string;
  /** The name with all that stands around it: a company may be called "1606 Corp.". */
  readonly written: string;
  /** Parts of the name that bareName leaves out, which may be other companies. */
  readonly others: readonly string[];
  /** The name is one word, a legal form: "SA", "Holding". */
  readonly isForm: boolean;
  /** The row says nothing but a name that many have: "Regional Medical Center". */
  readonly isOfMany: boolean;
  readonly isPlaceOfCell: boolean;
  /** The city of a cell that is a city and its state ("Graz, OR 97301"); otherwise ''. */
  readonly cityOfCell: string;
  /** Domains of the row in lower case without www: those of its column and of its name. */
  readonly domains: readonly string[];
  readonly place: CompanyPlace;
}

const noCompany =
  /^(?:self[ -]?employed|self|freelance(?:r)?|retired|unemployed|student|home ?maker|individual|private|personal|test|various|other|not applicable|n\/d|sole trader)$/i;
const cutMark = /~\d$/;
/** The rest of a legal form of several words, cut: "Sp.", "S. de R.L. d", "GmbH & Co". */
const cutForm =
  /[\s,]+(?:sp\.?(?: z\.?(?: o\.?)?)?|s\.? de(?: r\.?(?: ?l\.?)?)?|s\.?a\.? de(?: c\.?)?)$/i;
const limitedPartnership = /\s+limited partnership\.?$/i;
/** "info(at)acme.com" */
const hiddenSign = /\S\s*[([{]\s*at\s*[)\]}]/i;
const shareName = new RegExp(listingPhrase.source, 'i');
/** The person or the desk behind the name on an envelope: "Acme ATTN: Accounts Payable". */
const attention =
  /[\s,;(–-](?:attn|attention|fao|c\/o|z\. ?hd|zhd|zu händen|à l['’]attention de)\b[.:]?\s/i;

/** The words that lists put around names, by what may stand next to them. */
let listWords: ReadonlyMap<string, ReadonlySet<string>> | null = null;
function wordsAround(kind: string): ReadonlySet<string> {
  listWords ??= readWordSets('around-names');
  return listWords.get(kind)!;
}
const bare = (word: string): string =>
  /^[A-Za-z]+$/.test(word) ? word.toLowerCase() : foldText(word).replace(/[^\p{L}\p{N}]+/gu, '');
const phrase = (texts: readonly string[]): string => texts.filter(Boolean).join(' ');
/** The first and last words of what may stand around a name: most words end the search. */
let edges: ReadonlySet<string> | null = null;
function isEdge(text: string): boolean {
  edges ??= new Set([
    ...departments,
    ...edgeKinds.flatMap((kind) =>
      [...wordsAround(kind)].flatMap((one) => [one.split(' ', 1)[0]!, one.split(' ').at(-1)!]),
    ),
  ]);
  return text === '' || edges.has(text);
}
const edgeKinds =
  'records documents numbered numbers bodies tails nothing fields labels topics origins'.split(' ');
const departments: ReadonlySet<string> = new Set('department dept abteilung team'.split(' '));
const isListWord = (text: string): boolean =>
  wordsAround('records').has(text) || wordsAround('documents').has(text);
const isNumbered = (text: string): boolean =>
  wordsAround('numbered').has(text) || wordsAround('numbers').has(text);
const isMark = (text: string): boolean =>
  isListWord(text) || isNumbered(text) || wordsAround('nothing').has(text);
const saysNothing = (text: string): boolean =>
  isMark(text) || ['fields', 'labels', 'topics'].some((kind) => wordsAround(kind).has(text));

const date = String.raw`\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?|\d{1,2}\/\d{4}`;
const ticker = String.raw`\$\p{Lu}{1,6}|\p{Lu}{2,8}:\p{Lu}{1,6}`;
/** The same with its exchange: "AAPL.O", "KR.N". */
const exchanged = String.raw`\p{Lu}{2,5}\.(?:AS|AX|DE|HK|K|L|MI|N|OQ?|PA|SW|TO|T)`;
/** Of a record or its rank, before a name: "9.", "#83", "V-20318", "NYSE:T", "+49", "ror:35920". */
const codeOf = (digits: number): string =>
  String.raw`(?!\S*(?:\p{L}{6}|\|))(?:[^\s\d]*\d){${digits}}\S*`;
const frontMarks = [
  date,
  String.raw`(?<=[([])\p{Lu}{2,3}(?=[)\]])`,
  ticker,
  String.raw`[Mm]/[Ss]|[Cc]/[Oo]|[#№]\d+|\+\d+`,
  String.raw`\d{1,4}[.)\]:]+|\p{Lu}{1,5}[-_]?\d{2,}|${codeOf(4)}`,
];
const frontNumber = new RegExp(String.raw`^[([]*(?:${frontMarks.join('|')})[)\].:|,]*$`, 'u');
/** Behind a name: "51%", "03/2024", "FY23", "€59,000", "i.L.", "DE204113077". */
const backMarks = [
  date,
  exchanged,
  String.raw`[#№]\d{3,}|\d[\d.,]*%|[€$£]\d[\d.,]*[KMkm]?|\d{1,3}(?:[.,]\d{3})+[KM]?`,
  String.raw`(?:FY|Q|H)\d{1,4}|\(\d{4,}\)|(?!\d{4,6}$|(?:19|20)\d\d-)${codeOf(5)}|i\. ?[LG]\.?`,
];
const backNumber = new RegExp(String.raw`^[([]*(?:${backMarks.join('|')})[)\].,;%]*$`, 'u');
const digitsAlone = /^\(?\+?\d[\d()./-]+$/;
const phraseWordsMax = 4;
/** What a number is called has few letters: "HRB 12345", "EORI DE123456789". */
const shortLabel = /^\p{Lu}[\p{L}.-]{1,6}:?$/u;
const hasDigits = (word: string, least: number): boolean => word.replace(/\D/g, '').length >= least;

/** How many words at the beginning of a cell say nothing of the company. */
function countFront(words: readonly string[], texts: readonly string[]): number {
  let [at, isDocument, isNumber] = [0, false, false];
  const last = words.length - 1;
  while (at < last) {
    const [word, text, next] = [words[at]!, texts[at]!, words[at + 1]!];
    if (!isEdge(text) && !/[\d$:/([-]/.test(word) && !/\d/.test(next)) break;
    const isListed = word.split(/[-/]/).every((part) => wordsAround('records').has(bare(part)));
    let size = 0;
    for (let count = Math.min(phraseWordsMax, last - at); count > 0 && size === 0; count--) {
      const run = texts.slice(at, at + count);
      const isLabel = words[at + count - 1]!.endsWith(':') || texts[at + count] === '';
      if (count > 1 ? isListWord(phrase(run)) : text === '' || isListed) size = count;
      else if (isLabel && run.every(saysNothing)) size = count;
    }
    const isOfNumber =
      at + 1 < last &&
      (isNumbered(text) ? /\d/.test(next) : shortLabel.test(word) && hasDigits(next, 4));
    if (size === 0 && isOfNumber) [size, isNumber] = [2, true];
    else if (size === 0 && (frontNumber.test(word) || (isNumber && /\d/.test(word))))
      [size, isNumber] = [1, digitsAlone.test(word)];
    else if (size === 0 && wordsAround('documents').has(text) && origins().has(texts[at + 1]!))
      [size, isDocument] = [1, true];
    else if (size === 0 && isDocument && origins().has(text)) size = 1;
    if (size === 0) break;
    if (size === 1 && wordsAround('documents').has(text)) isDocument = true;
    at += size;
  }
  return skipGoverning(texts, at);
}
const origins = (): ReadonlySet<string> => wordsAround('origins');

/** Position behind the words before a name that govern it: "Board of Trustees of". */
function skipGoverning(texts: readonly string[], from: number): number {
  const bodies = wordsAround('bodies');
  let at = from;
  while (at < texts.length - 1 && bodies.has(texts[at]!)) at++;
  const isOf = at > from + 1 && ['of', 'the'].includes(texts[at - 1]!);
  return isOf && texts.slice(from, at).includes('of') ? at : from;
}

/** How many small words end a name of words with capitals: "Acme Foods and others". */
function countSmall(words: readonly string[], from: number, end: number): number {
  let at = end;
  while (at > from && /^\p{Ll}+$/u.test(words[at - 1]!)) at--;
  const named = words.slice(from, at).filter((word) => /^\p{Lu}/u.test(word));
  const small = words.slice(at, end);
  const isOther = small.some(
    (word) => isAroundWord(bare(word)) || aroundWords.has(word) || wordsAround('sites').has(word),
  );
  const isJoined = [words[at - 1], small.at(-1)].some((word) => {
    const text = bare(word ?? '');
    return origins().has(text) || fillerWords.has(text);
  });
  if (
    isJoined ||
    named.length < 2 ||
    small.length > phraseWordsMax ||
    small.length === 0 ||
    isOther
  )
    return 0;
  return organisationTokens(small.join(' ')).some(isKindWord) ? 0 : small.length;
}

/** Position behind the last word that may be part of a name. */
function countBack(words: readonly string[], texts: readonly string[], from: number): number {
  let [end, wasNumber] = [words.length, false];
  while (end > from + 1) {
    const [word, text] = [words[end - 1]!, texts[end - 1]!];
    const [previous, before] = [words[end - 2]!, texts[end - 2]!];
    const hasDigit = /\d/.test(word);
    const isSmall = word === text;
    const isFree = isSmall || hasDigit || wasNumber || /^i\.|\p{Lu}\.\p{Lu}{1,2}$/u.test(word);
    if (!isFree && !isEdge(text) && !/\d/.test(previous)) break;
    const isCapital = words.every((one) => one === one.toUpperCase());
    let size = 0;
    for (let count = Math.min(phraseWordsMax, end - from - 1); count > 0 && size === 0; count--) {
      const run = texts.slice(end - count, end);
      const ahead = words[end - count - 1]!;
      const isMarked =
        /^[([*]/.test(words[end - count]!) ||
        /[,;:|]$/.test(ahead) ||
        texts[end - count - 1] === '';
      const text = phrase(run);
      // "Corning, NY", "Tulsa, OK"
      const isState = count === 1 && ahead.endsWith(',') && /^[A-Z]{2}$/.test(word);
      if (isState && stateNames.has(text)) break;
      if (isListWord(text) || text === '' || (isMarked && saysNothing(text))) size = count;
      else if (isMarked && run.every((one) => saysNothing(one) || /\d/.test(one)))
        size = run.some(saysNothing) ? count : 0;
    }
    const isCounted = hasDigits(previous, 2) && /^\p{Ll}+$|\)$/u.test(word) && !hasDigit;
    if (size === 0 && wordsAround('tails').has(text)) size = 1;
    if (size > 0) wasNumber = hasDigit;
    else if (backNumber.test(word) || (before === '' && /^\d{4,}\W*$/.test(word))) size = 1;
    else if (digitsAlone.test(word) && (wasNumber || hasDigits(previous, 2))) size = 1;
    else if (wasNumber && hasDigit && /^[+(\d]|^\p{Lu}{2}\d\d$/u.test(word)) size = 1;
    else if (
      wasNumber &&
      (isNumbered(text) ||
        (!isCapital &&
          shortLabel.test(word) &&
          text === text.toLowerCase() &&
          word === word.toUpperCase()))
    )
      size = 1;
    else if (hasDigit && wordsAround('numbered').has(before)) size = 2;
    else if (hasDigits(word, 3) && wordsAround('numbers').has(before)) size = 2;
    else if (departments.has(text) && isFunction(previous)) size = 2;
    else if (/\d/.test(previous) && (isNumbered(text) || (isCounted && !isCapital))) size = 2;
    else if (isSmall) size = countSmall(words, from, end);
    if (size === 0) break;
    wasNumber = words.slice(end - size, end).some((one) => /\d/.test(one));
    end = Math.max(from + 1, end - size);
  }
  return end;
}

const isFormPhrase = createBoundedCache(
  (text: string): boolean => isForm(text) && isOwnForm(legalFormOf(`x ${text}`)),
  20_000,
);
/** Other forms are words of names as well: "Acme, a Company of Tarn Group". */
const wordForms = new Set(
  'co company group groups holding holdings org trust pc ad pt dd'.split(' '),
);
/** Whether a legal form, if any, is no other word. */
export const isOwnForm = (form: string): boolean => form !== '' && !wordForms.has(form);
const formWordsOfNameMax = 4;

/**
 * Position behind the legal form that ends the name at the beginning of some words; -1 if none.
 * @param last the last word with which the form may begin
 */
function findFormEnd(words: readonly string[], last = words.length - 1): number {
  const formWords = legalFormWords();
  for (let at = 1; at <= last; at++) {
    const text = bare(words[at]!);
    if (!formWords.has(text) || fillerWords.has(text)) continue;
    for (let count = Math.min(formWordsOfNameMax, words.length - at); count > 0; count--) {
      if (!isFormPhrase(words.slice(at, at + count).join(' '))) continue;
      let end = at + count;
      // "GmbH & Co. KG"
      while (end < words.length && /^(?:&|und|e|de|y|and)$/i.test(words[end]!)) {
        const next = words.findIndex((word, other) => other > end && isFormPhrase(word));
        if (next < 0 || next > end + 2) break;
        end = next + 1;
      }
      return end;
    }
  }
  return -1;
}

/** "Acme University Department of History" */
const unitBehind = /^([^,;|]+?) (?:department|dept\.?|faculty|division|laboratory|lab) of /i;
/** "Acme University College of Law", "Acme University School of Law" */
const schoolBehind = /^([^,;|]+? (?:university|college|institute)) (?:college|school) of /i;

/** An address in one run: "ACME CLINIC 1155 MILL STREET RENO NV 89502 US". */
const runAddress = new RegExp(
  String.raw`^(\D+?) (\d{1,6}\p{L}?(?: \S+)+?) (${[...stateNames.keys()].join('|')}) ` +
    String.raw`(\d{5}(?:-\d{4})?)(?: u\.?s\.?(?:a\.?)?| united states(?: of america)?)?$`,
  'iu',
);
/** The last word of a street in an address. */
const streetEnd =
  /^(.* (?:street|st|road|rd|avenue|ave|boulevard|blvd|drive|dr|lane|ln|way|highway|hwy|parkway|pkwy|place|court|square)\.?) (.+)$/i;

/** The parts of an address without marks, separated; '' for any other text. */
function separateAddress(name: string): string {
  const [, company = '', line = '', state = '', code = ''] = runAddress.exec(name) ?? [];
  if (company === '' || !isOrganisation(company)) return '';
  const [, street = line, city = ''] = streetEnd.exec(line) ?? [];
  const place = `${state.toUpperCase()} ${code}`;
  return [company, street, city === '' ? place : `${city} ${place}`].join(' | ');
}

const isAroundWord = (word: string): boolean =>
  ['behind', 'before', 'others', 'negations'].some((kind) => wordsAround(kind).has(word));

/**
 * The name with a mark behind the legal form that ends it, and between the parts of an address
 * behind that: "Acme GmbH Lindenstr. 4 | 34117 Kassel | Germany". What is an organisation or of
 * one stays.
 */
function separateTail(name: string): string {
  const words = name.split(' ');
  const unit = name.includes(' of ')
    ? (unitBehind.exec(name) ?? schoolBehind.exec(name))?.[1]
    : undefined;
  const isPlainUnit = unit !== undefined && !words.some((word) => aroundWords.has(bare(word)));
  if (isPlainUnit && isOrganisation(unit) && /^\D+$/.test(name))
    return `${unit} | ${name.slice(unit.length)}`;
  // A form at the end has nothing behind it.
  const end = findFormEnd(words, words.length - 2);
  if (/\d{5}/.test(name)) {
    const separated = separateAddress(name);
    if (separated !== '') return separated;
  }
  if (end < 0 || end >= words.length || /[,;|·•]$/.test(words[end - 1]!)) return name;
  const tail = words.slice(end);
  if (/^[([–/&+|-]/.test(tail[0]!) || /[,;|·•]/.test(tail.join(' '))) return name;
  const isAddress = !/\d/.test(tail.at(-1)!) && tail.some((word, at) => at > 0 && /^\d/.test(word));
  const isAround = !isAddress && tail.some((word) => isAroundWord(bare(word)));
  const isKnown = tail.some(
    (word) => /\d/.test(word) || isMark(bare(word)) || wordsAround('sites').has(bare(word)),
  );
  const isPart = isUnit(tail.join(' ')) || tail.every(isFunction);
  if (!(isKnown || isPart) || isAround || tail.some(isFormPhrase)) return name;
  if (organisationTokens(tail.join(' ')).some(isSectorWord)) return name;
  const parts = tail.map((word) => (/^\d{4,6}$/.test(word) ? `| ${word}` : word));
  for (let count = 3; count > 0; count--)
    if (count < parts.length && countryCode(tail.slice(-count).join(' ')) !== null) {
      parts.splice(-count, 0, '|');
      break;
    }
  return `${words.slice(0, end).join(' ')} | ${parts.join(' ')}`;
}

/** Who takes a payment by card: "SQ *ACME FOODS". */
const cardTerminal = /^\p{Lu}\w{1,11} ?\*(?=\p{Lu}[^*]*$)/u;
const rareMark = /[~%/*]|公司/u;
/** A unit behind a company's name in Chinese. */
const chineseUnit = /(?<=\p{Script=Han}公司)\p{Script=Han}{2,8}$/u;

/** The name without what lists put around it: numbers, marks, labels, the name of a share. */
function dropMarks(cell: string): string {
  const named = cell
    .replace(shareName, '')
    .replace(limitedPartnership, '')
    .replace(cutForm, '')
    .trim();
  const text = rareMark.test(named)
    ? named
        .replace(cutMark, '')
        .replace(/(?<=\d) %/, '%')
        .replaceAll('//', ' / ')
        .replace(cardTerminal, '')
        .replace(chineseUnit, '')
    : named;
  const addressed = attention.exec(text);
  const words = (addressed && addressed.index > 0 ? text.slice(0, addressed.index) : text).split(
    /\s+/,
  );
  const texts = words.map(bare);
  const from = countFront(words, texts);
  const to = countBack(words, texts, from);
  const isWhole = from === 0 && to === words.length;
  const name = isWhole ? words.join(' ') : words.slice(from, to).join(' ').replace(outerMarks, '');
  return isWhole || /\p{L}/u.test(name) ? separateTail(name) : cell;
}

const codeOfState = new Map([...stateNames].map(([code, name]) => [name, code]));

/** The code of a state, whether it is written in full, as a code or short; else its letters. */
function readState(cell: string): string {
  const text = foldText(cell)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^state of /, '');
  const joined = text.replace(/ /g, '');
  if (stateNames.has(joined)) return joined;
  return codeOfState.get(text) ?? stateAbbreviations.get(joined) ?? text;
}

/** The ISO code of a country; its letters if it is unknown. */
const readCountry = (cell: string): string =>
  cell === '' ? '' : (countryCode(cell) ?? foldText(cell));

/** The country of a place without one is that of its state. */
const countryOf = (country: string, state: string): string =>
  country === '' && stateNames.has(state) ? 'US' : country;

const partBreak = /\s*[,;|·•]\s*|\s+[-–—/]\s+/;
/** Of the United States and most countries, of Canada, and of Britain. */
const postalCodes = [
  String.raw`[A-Z]{0,2}-?\d{4,6}(?:-\d{4})?`,
  String.raw`[A-Z]\d[A-Z] ?\d[A-Z]\d`,
  String.raw`[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}`,
];
const postalCode = new RegExp(String.raw`\s*\b(?:${postalCodes.join('|')})\b\s*`, 'g');
const cityWithState = new RegExp(`^(.+?),? (${[...stateNames.keys()].join('|').toUpperCase()})$`);
/** The short form of a state or province: "BC", "NSW". */
const region = /^[A-Z]{2,3}$/;
/** A street with its number, which has fewer digits than a postal code, a mailbox, or a room. */
const street = new RegExp(
  [
    String.raw`^\d+\p{L}? |^\d+$|\p{L} \d{1,3}\p{L}?$`,
    String.raw`^p\.? ?o\.? box|^(?:building|bldg|room|rm|suite|floor)\b`,
  ].join('|'),
  'iu',
);
/** "NY USA" */
const ofStates = /^([A-Z]{2})\s+(?:USA?|U\.S\.A\.?)$/;
const countryLettersMin = 3;

/** Whether a part of a cell is a legal form alone. "CO" is Colorado, "Co." is a company. */
const isFormAlone = (part: string): boolean => !/^[A-Z]{2}$/.test(part) && isForm(part);
const isForm = (text: string): boolean => normalizeCompany(`x ${text}`).key === 'x';

/** Whether a part belongs to the form before it: "Ltda - ME". */
const endsForm = (before: string, part: string): boolean =>
  /^[A-Z]{2,3}$/.test(part) && !isForm(part) && isForm(`${before.split(' ').at(-1)!} ${part}`);

/** The parts of a cell; a legal form behind a comma belongs to the part before it. */
function splitParts(cell: string): string[] {
  const parts: string[] = [];
  for (const part of cell.split(partBreak).map((one) => one.trim()))
    if (part !== '' && parts.length > 0 && (isFormAlone(part) || endsForm(parts.at(-1)!, part)))
      parts.push(`${parts.pop()}, ${part}`);
    else if (part !== '') parts.push(part);
  return parts;
}

/** Whether a part is a unit of an organisation: "Institut für Physik", "Sales Dept.". */
function isUnit(part: string): boolean {
  const tokens = organisationTokens(part);
  return unitWords.has(tokens[0]!) || (tokens.length > 1 && endingUnits.has(tokens.at(-1)!));
}

const mainSite = /^(?:main|head|central) (?:campus|office|site)$/i;

/** Whether a part behind a name is a function of companies: "Finance". */
function isFunction(part: string): boolean {
  if (mainSite.test(part)) return true;
  const { jobFunction } = classifyTitle(part);
  return jobFunction !== null && !kindFunctions.has(jobFunction) && !part.includes(' ');
}
/** Functions that a word such as "Hospital" has. */
const kindFunctions: ReadonlySet<string> = new Set(['Education', 'Health Care']);

/** Whether a part says what an organisation is, or its legal form: a place says neither. */
const isOrganisation = (part: string): boolean =>
  legalFormOf(part) !== '' || organisationTokens(part).some(isSectorWord);

/** What a cell says besides the name of a company. */
interface CellParts {
  /** The cell, if no single part of it is the name. */
  readonly name: string;
  /** What stands behind the legal form of the name. */
  readonly others: readonly string[];
  /** The cell names units of an organisation and no organisation. */
  readonly isUnitAlone: boolean;
  readonly place: CompanyPlace;
}

/** Takes off the place. A city or region needs a state, a country or a postal code next to it. */
function takePlace(parts: string[]): CompanyPlace {
  let [state, country, city] = ['', '', ''];
  let isPlaced = false;
  while (parts.length > 1) {
    const last = parts.at(-1)!;
    const bare = last.replace(postalCode, ' ').replace(ofStates, '$1').trim();
    // "Acme AG, Ulm, DE" is not in Delaware.
    const isOfForm = last === bare && isCountryOfForm(legalFormOf(parts[0]!), bare);
    const isState = !isOfForm && stateNames.has(readState(bare));
    const isCountry = isOfForm || (bare.length >= countryLettersMin && countryCode(bare) !== null);
    const [, before, code] = cityWithState.exec(bare) ?? [];
    if (bare !== last) isPlaced = true;
    if (isState && isCountry && country === '') isPlaced = true;
    else if (isCountry && country === '') country = bare;
    else if (isState && state === '') state = bare;
    else if (bare !== '' && !street.test(last) && !(country !== '' && region.test(bare))) {
      const isBehindStreet = parts.length > 2 && street.test(parts.at(-2)!);
      const isStated =
        isPlaced || isBehindStreet || state !== '' || country !== '' || code !== undefined;
      const isCoded = bare !== last && before !== undefined;
      const isNamed = parts.slice(0, -1).some((part) => isOrganisation(part) && !isUnit(part));
      // "Reno NV 89501" is no company of the form NV.
      const said = isCoded ? before! : bare;
      if (!isStated || isOrganisation(said) || isUnit(bare) || (city !== '' && !isNamed)) break;
      city = before ?? bare;
      state ||= code ?? '';
    }
    parts.pop();
  }
  return readPlace(city, state, country);
}

/** The number or mark of a footnote before an affiliation: "2 Acme University, Graz". */
const footnote = /^(?:\d{1,2}\s+|[¹²³⁴-⁹]+\s*)(?=\p{Lu}\p{L})/u;

/** "a subsidiary of Acme Group", "now part of Acme" */
const owner = /^(?:now |an? |the )*(?:part|subsidiary|division|brand|unit|member) of /i;

const endsWithForm = (name: string): boolean => {
  const words = name.split(' ');
  return findFormEnd(words) === words.length;
};

/** The parts of an affiliation or an address: "School of Law, Acme University, Graz, Austria". */
function readParts(cell: string): CellParts {
  const parts = splitParts(cell);
  const first = parts[0]?.replace(footnote, '') ?? '';
  const isNumbered = first !== parts[0] && isOrganisation(first);
  const numbered = isNumbered ? cell.replace(footnote, '') : cell;
  if (isNumbered) parts[0] = first;
  const place = takePlace(parts);
  while (parts.length > 1 && isFunction(parts.at(-1)!)) parts.pop();
  const stated = parts.filter((part) => !street.test(part) && !owner.test(part));
  const named = stated.filter((part) => !isUnit(part));
  const [name, ...others] = named.length > 0 ? named : stated;
  // What stands behind a legal form is part of no name.
  const isAlone = others.length === 0 || (endsWithForm(name!) && !others.some(isOrganisation));
  return {
    name: name === undefined || !isAlone ? numbered : name,
    others: isAlone ? others : [],
    isUnitAlone: named.length === 0,
    place,
  };
}

/** "Head of Sales at Acme", "Leiter Einkauf bei Acme", "PhD student @ Acme" */
const jobAt =
  /^([^,;|()]{2,60}?)(?:\s+(?:at|by|bei|chez|presso|hos|en|em)\s+|\s+@\s*|,\s+|\s*\|\s+)(?=\p{Lu})([^,;|]+)$/u;
const studying =
  /^(?:(?:the )?team|postdoc|undergraduate|.*\b(?:student|candidate|fellow)|(?:(?:i|i['’]?m|am|currently|now) )*(?:works?|working|employed))$/i;

/** "CEO of Acme": a member of the staff "of" it may be a friend of it. */
function readHead(text: string): string {
  const [, job = '', employer = ''] = /^(\p{L}+)\s+of\s+(?=\p{Lu})(.+)$/u.exec(text) ?? [];
  if (job === '' || isOrganisation(job)) return text;
  return [null, 'Staff'].includes(classifyTitle(job).jobLevel) ? text : employer;
}

/** The employer behind a job; the text if it names none. */
function readEmployer(text: string): string {
  const [, job = '', employer = ''] = jobAt.exec(text) ?? [];
  if (job === '') return readHead(text);
  if (isOrganisation(job) || isFormAlone(employer)) return text;
  return studying.test(job) || classifyTitle(job).jobLevel !== null ? employer : text;
}

const cityAndState = /^(.+?)[,;]\s*(\p{L}[\p{L}. ]+)$/u;

/** Places in comparable form; a state after the city counts as the state. */
export function readPlace(city: string, state: string, country = ''): CompanyPlace {
  const stated = readState(state.replace(postalCode, ' '));
  const lone = city === '' ? state : state === '' ? city : '';
  const parts = cityAndState.exec(lone.replace(postalCode, ' ').trim());
  const second = parts ? readState(parts[2]!) : '';
  const isState = stateNames.has(second);
  return {
    city: normalizeCompany(isState ? parts![1]! : city.replace(postalCode, ' ')).key,
    state: isState ? second : stated,
    country: countryOf(readCountry(country), isState ? second : stated),
  };
}

/** The domain in a cell that has a web address, a domain or an email address. */
export function readDomain(cell: string): string {
  const text = cell
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '');
  const host = text.includes('@') ? text.slice(text.lastIndexOf('@') + 1) : text;
  const domain = websiteDomain(host) ?? hostOf(host).replace(/^www\./, '');
  return domain === '' || isFreeHost(domain) || websiteDomain(domain) === null ? '' : domain;
}

/** Words that say what an organisation is, never which, as normalizeCompany writes them. */
const kindsAlone: ReadonlySet<string> = new Set(
  (
    'universities colleges schools academies institution hospitals clinic bank centers ' +
    'government'
  ).split(' '),
);

/** "Acme 4.25% 2030": a bond has its rate and its year. */
const bond = /\d[.,]\d+ ?%.*\b20\d\d\b/;

/** Whether a text names no company: a letter, a small word, or a kind alone ("University"). */
function namesNone(text: string): boolean {
  const { key } = normalizeCompany(text);
  return key.length === 1 || fillerWords.has(text.toLowerCase()) || kindsAlone.has(key);
}

/** "A c m e   G m b H". */
const spacedLetters = /^\s*\S(?: {1,3}\S){5,}\s*$/;
/** Words with full stops for spaces. A domain begins with small letters, or has two parts. */
const dottedWords = /^(?!www\.)\p{Lu}[\p{L}'-]*(?:\.\p{Lu}[\p{L}'-]*){2,}$/u;

/**
 * A cell whose parts are separated by several spaces, where words have one: "Institute of Physics
 *    Graz". Some lists lose their commas and line breaks.
 */
const separateParts = (cell: string): string =>
  /\s/.test(cell) && cell.includes('_')
    ? cell.replace(/(?<=\p{L}|\p{P})_+(?=[\p{L}\d])/gu, ' | ')
    : spacedLetters.test(cell)
      ? cell.replace(/(?<=\S) (?=\S)/g, '')
      : /\S \S/.test(cell)
        ? cell.replace(/(?<=\S) {2,}(?=\S)/g, ' | ')
        : cell;

/** "UMass" is the University of Massachusetts. */
const joinedUniversity = /\bU(?=[A-Z][a-z]{2,}\b)/;
/** What a wrong encoding left of a letter: "M?ller". */
const lostLetter = /(?<=\p{L})[?\ufffd]|(?<!\S)[?\ufffd](?=\p{Ll})/gu;
/** "Iowa, University of" */
const inverted = /^([^,]+), ([^,]*\b(?:of|the|de|di|für|van))$/iu;

const findFormWord = createFormFinder(() => [...legalFormWords()].map((word) => [word, word]));
const formWordsMax = 5;
const formLettersMin = 5;

/** The name with the slips in its legal form corrected: "Acme Coporation". */
function repairForm(name: string): string {
  const words = name.split(' ');
  const from = Math.max(1, words.length - formWordsMax);
  const repaired = words.map((word, at) => {
    const text = foldText(word);
    if (at < from || text.length < formLettersMin || legalFormWords().has(text)) return word;
    return findFormWord(text) || word;
  });
  const text = repaired.join(' ');
  const countOf = (one: string): number => normalizeCompany(one).tokens.length;
  return text !== name && countOf(text) < countOf(name) ? text : name;
}

const outerMarks = /^[\s,;:|/<>–-]+|[\s,;:|/<>–-]+$/g;
/** A web address among other words. A name may end as a domain does: "Wix.Com Ltd". */
const webAddress = /(?:https?:\/\/|www\.)[^\s,;|)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/i;

/** A mailbox with the name of its person or desk: "Anna <sales@acme.com>". */
const displayName = /^\S+(?: \S+)? <[^<>\s]+@[^<>\s]+>$/;

/** The page of a company in a network, whose address spells the name. */
const networkPage =
  /^(?:https?:\/\/)?(?:[\w-]+\.)?(?:linkedin\.com\/(?:company|school|showcase)|xing\.com\/(?:compan(?:y|ies)|pages)|crunchbase\.com\/organization|facebook\.com(?!\/(?:pages|groups|people|profile)\b))\/([^/?#\s]+)\S*$/i;

/** The name that the address of a company's page spells; '' for any other text. */
function nameOfPage(cell: string): string {
  const name = networkPage.exec(cell.trim())?.[1]?.replace(/[-_]+/g, ' ') ?? '';
  return /\p{L}/u.test(name) ? name : '';
}

const recordName = /"(?:name|company|org\w*|employer)"\s*:\s*("(?:[^"\\]|\\.)*")/i;
/** "Company=Acme; City=Graz" */
const fieldName =
  /^(?:.*[;|,]\s*)?(?:company(?: name)?|name|organi[sz]ation|employer)\s*=\s*([^;|=]+?)\s*(?:[;|,]\s*[\w ]+=.*)?$/i;

/** The name in a record in JSON or a list of fields; otherwise the cell. */
function nameInRecord(cell: string): string {
  const ofField = cell.includes('=') ? fieldName.exec(cell) : null;
  if (ofField) return ofField[1]!;
  const [, name] = cell.startsWith('{') ? (recordName.exec(cell) ?? []) : [];
  return name === undefined ? cell : name.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** The name is '' for a web address, a placeholder and whatever names no company. */
export function readCompany(query: CompanyQuery): CompanyRow {
  const ofPage = nameOfPage(query.name || (query.domain ?? ''));
  const written = cleanCell(separateParts(ofPage || nameInRecord(query.name)));
  const spaced = dottedWords.test(written) ? written.replaceAll('.', ' ') : written;
  const whole = spaced.replace(lostLetter, '');
  const cell = hiddenSign.test(whole) ? readAddressText(whole) : whole;
  const ofColumn = query.domain ? readDomain(cleanCell(query.domain)) : '';
  const isAddress = cell !== '' && !/\s/.test(cell) && hostOf(cell) !== '';
  const [address = ''] = isAddress ? [cell] : (webAddress.exec(cell) ?? []);
  const ofName = address === '' ? '' : readDomain(address);
  const domains = [...new Set([ofColumn, ofName].filter((domain) => domain !== ''))];
  const place = readPlace(query.city ?? '', query.state ?? '', query.country ?? '');
  const holdsName = cell !== '' && !isAddress && !noCompany.test(cell) && !bond.test(cell);
  const besides = cell.replace(address, ' ').replace(outerMarks, '');
  const isSender = displayName.test(cell) && ofName !== '' && !isOrganisation(besides);
  const name = holdsName && !isSender ? dropMarks(besides) : '';
  const parts = readParts(name);
  // Next to a web address, a unit, a legal form or a kind says nothing.
  const isPartAlone = parts.isUnitAlone || organisationTokens(name).every(isKindWord);
  const isNamed = !namesNone(name) && !(ofName !== '' && (isPartAlone || isFormAlone(name)));
  const isPlaceOfCell = place.city === '' && place.state === '' && place.country === '';
  return {
    name: isNamed ? name : '',
    written: isNamed ? besides : '',
    others: parts.others,
    isForm: isNamed && !/\s/.test(name) && isForm(name),
    isOfMany:
      isNamed && isPlaceOfCell && domains.length === 0 && isNameOfMany(organisationTokens(name)),
    bareName:
      !isNamed || namesNone(parts.name)
        ? ''
        : repairForm(
            readEmployer(parts.name)
              .replace(inverted, '$2 $1')
              .replace(joinedUniversity, 'University '),
          ),
    cityOfCell: normalizeCompany(cityWithState.exec(name.replace(postalCode, ''))?.[1] ?? '').key,
    isPlaceOfCell,
    domains,
    place: isPlaceOfCell ? parts.place : place,
  };
}
