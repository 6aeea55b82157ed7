/**
 * Reads a row of a list of companies for comparison: repairs cells, reads web address and place.
 */
import { fillerWords, listingPhrase } from '../../normalize/company-words.ts';
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

const countryForms = new Map(
  (
    'usa us|united states us|united states of america us|america us|great britain uk|gb uk|' +
    'england uk|united kingdom uk|deutschland de|germany de|espana es|spain es|france fr|canada ca'
  )
    .split('|')
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
);

function readCountry(cell: string): string {
  const text = foldText(cell)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  return countryForms.get(text) ?? countryForms.get(text.replace(/ /g, '')) ?? text;
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
    country: readCountry(country),
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

/** Whether a text names no company: a small word, or what the company is alone ("University"). */
function namesNone(text: string): boolean {
  const { key } = normalizeCompany(text);
  return fillerWords.has(text.toLowerCase()) || kindsAlone.has(key);
}

/**
 * Reads a row. The name is '' for a web address, a placeholder and anything that names no company.
 */
export function readCompany(query: CompanyQuery): CompanyRow {
  const cell = cleanCell(query.name);
  const ofColumn = query.domain ? readDomain(cleanCell(query.domain)) : '';
  const isAddress = cell !== '' && !/\s/.test(cell) && hostOf(cell) !== '';
  const ofName = isAddress ? readDomain(cell) : '';
  const domains = [...new Set([ofColumn, ofName].filter((domain) => domain !== ''))];
  const place = readPlace(query.city ?? '', query.state ?? '', query.country ?? '');
  const holdsName = cell !== '' && !isAddress && !noCompany.test(cell);
  const name = holdsName ? dropMarks(cell) : '';
  return { name: namesNone(name) ? '' : name, domains, place };
}
