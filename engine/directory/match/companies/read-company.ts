/**
 * Reads a row of a list of companies for comparison: repairs cells, reads web address and place.
 */
import { fillerWords, listingPhrase } from '../../normalize/company-words.ts';
import { countryCode } from '../../normalize/country-code.ts';
import { foldText } from '../../normalize/fold-text.ts';
import { cleanCell } from '../../normalize/messy/clean-cell.ts';
import { stateAbbreviations, stateNames } from '../../normalize/messy/organisation-words.ts';
import { normalizeCompany } from '../../normalize/normalize-company.ts';
import { websiteDomain } from '../../normalize/normalize-url.ts';
import { hostOf, isFreeHost } from '../graded/organisations/web-domains.ts';

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
  /** The name without the parts of the organisation before it and the address after it. */
  readonly bareName: string;
  /** Domains of the row in lower case without www: those of its column and of its name. */
  readonly domains: readonly string[];
  readonly place: CompanyPlace;
}

const noCompany =
  /^(?:self[ -]?employed|self|freelance(?:r)?|retired|unemployed|student|home ?maker|individual|private|personal|test|various|other|not applicable|sole trader)$/i;
const recordNumber = /\s*\(\d{4,}\)|\s+#\s?\d{3,}|^\d{4,}\s+[-–:]\s+|\s+[-–]\s+\d{4,}$/g;
const statusWords =
  'closed|inactive|old|former|acquired|do not use|defunct|duplicate|hq|headquarters';
const statusMark = new RegExp(
  `\\s*(?:[([*]+\\s*(?:${statusWords})\\s*[)\\]*]*|\\s[-–]\\s*(?:${statusWords}))\\s*$`,
  'i',
);
const limitedPartnership = /\s+limited partnership\.?$/i;
const shareName = new RegExp(listingPhrase.source, 'i');

/** The name without what lists append to it: numbers, marks, the name of a share. */
function dropMarks(cell: string): string {
  const bare = cell
    .replace(recordNumber, '')
    .replace(statusMark, '')
    .replace(shareName, '')
    .replace(limitedPartnership, '')
    .trim();
  return bare === '' ? cell : bare;
}

const codeOfState = new Map([...stateNames].map(([code, name]) => [name, code]));

/**
 * The code of a state that is written in full, abbreviated or as its code; otherwise its letters.
 */
function readState(cell: string): string {
  const text = foldText(cell)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
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

const partBreak = /\s*[,;|]\s*|\s+[-–—]\s+/;
const postalCode = /\s*\b[A-Z]{0,2}\d{4,6}(?:-\d{4})?\b\s*/g;
const street = /^\d+\s+\p{L}|^p\.? ?o\.? box/iu;
const unit =
  /^(?:dep(?:artment|t)|division|faculty|school|center|centre|laboratory|lab|office|section|unit|chair|institute)\b/i;
const countryLettersMin = 3;

/**
 * The parts of an affiliation or an address: "School of Law, Acme University, Graz, Austria". The
 * place is read only if the cell ends with a state or a country.
 */
function readParts(cell: string): { name: string; place: CompanyPlace } {
  const parts = cell.split(partBreak).map((part) => part.trim());
  const nothing = { name: cell, place: { city: '', state: '', country: '' } };
  if (parts.length < 2) return nothing;
  let [state, country, city] = ['', '', ''];
  const last = (): string => (parts.at(-1) ?? '').replace(postalCode, '').trim();
  const isNamed = (text: string): boolean => text.length >= countryLettersMin;
  if (parts.length > 1 && isNamed(last()) && countryCode(last()) !== null)
    country = parts.pop()!.replace(postalCode, '').trim();
  if (parts.length > 1 && stateNames.has(readState(last()))) {
    state = last();
    parts.pop();
  }
  if (state === '' && country === '') return nothing;
  if (parts.length > 1 && !unit.test(last())) {
    city = last();
    parts.pop();
  }
  const names = parts.filter((part) => part !== '' && !street.test(part) && !unit.test(part));
  return { name: names.length === 1 ? names[0]! : cell, place: readPlace(city, state, country) };
}

const cityAndState = /^(.+?)[,;]\s*(\p{L}[\p{L}. ]+)$/u;

/** Places in comparable form; a state after the city counts as the state. */
export function readPlace(city: string, state: string, country = ''): CompanyPlace {
  const parts = state === '' ? cityAndState.exec(city) : null;
  const second = parts ? readState(parts[2]!) : '';
  const isState = stateNames.has(second);
  return {
    city: normalizeCompany(isState ? parts![1]! : city).key,
    state: isState ? second : readState(state),
    country: countryOf(readCountry(country), isState ? second : readState(state)),
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

/** Whether a text names no company: a letter, a small word, or a kind alone ("University"). */
function namesNone(text: string): boolean {
  const { key } = normalizeCompany(text);
  return key.length === 1 || fillerWords.has(text.toLowerCase()) || kindsAlone.has(key);
}

/**
 * A cell whose parts are separated by several spaces, where words have one: "Institute of Physics
 *    Graz". Some lists lose their commas and line breaks.
 */
const separateParts = (cell: string): string =>
  /\S \S/.test(cell) ? cell.replace(/(?<=\S) {2,}(?=\S)/g, ' | ') : cell;

/**
 * Reads a row. The name is '' for a web address, a placeholder and anything that names no company.
 */
export function readCompany(query: CompanyQuery): CompanyRow {
  const cell = cleanCell(separateParts(query.name));
  const ofColumn = query.domain ? readDomain(cleanCell(query.domain)) : '';
  const isAddress = cell !== '' && !/\s/.test(cell) && hostOf(cell) !== '';
  const ofName = isAddress ? readDomain(cell) : '';
  const domains = [...new Set([ofColumn, ofName].filter((domain) => domain !== ''))];
  const place = readPlace(query.city ?? '', query.state ?? '', query.country ?? '');
  const holdsName = cell !== '' && !isAddress && !noCompany.test(cell);
  const name = holdsName ? dropMarks(cell) : '';
  const parts = readParts(name);
  return {
    name: namesNone(name) ? '' : name,
    bareName: namesNone(parts.name) ? '' : parts.name,
    domains,
    place: place.city === '' && place.state === '' && place.country === '' ? parts.place : place,
  };
}
