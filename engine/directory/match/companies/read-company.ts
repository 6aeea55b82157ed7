// Reads a row of a list of companies for comparison: repairs cells, reads web address and place.
import { fillerWords } from '../../../contract/company-words.ts';
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
import { endingUnits, unitWords } from './name-kinds.ts';

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
  /** The name is one word, a legal form: "SA", "Holding". */
  readonly isForm: boolean;
  readonly isPlaceOfCell: boolean;
  /** The city of a cell that is a city and its state ("Graz, OR 97301"); otherwise ''. */
  readonly cityOfCell: string;
  /** Domains of the row in lower case without www: those of its column and of its name. */
  readonly domains: readonly string[];
  readonly place: CompanyPlace;
}

const noCompany =
  /^(?:self[ -]?employed|self|freelance(?:r)?|retired|unemployed|student|home ?maker|individual|private|personal|test|various|other|not applicable|n\/d|sole trader)$/i;
const recordNumber =
  /\s*\(\d{4,}\)|^(?:id|no|nr|ref)[.:#]? ?\d{2,}\s+(?=\p{L})|^\d{2,4}[.)]\s+(?=\p{L})|\s+#\s?\d{3,}|^\d{4,}\s+[-–:]\s+|\s+(?:[-–]\s+\d{4,}|::\s*\d+)$|^\p{L}{1,4}-\d{4,}:?\s+(?=\p{L})|[\s,]+(?:vat|ust-?id|tva|btw|p\.? ?iva)?[.:]?\s*\b[a-z]{2}\d{8,12}$/giu;
const cutMark = /~\d$/;
const headcount =
  /\s*\(?\d[\d.,]*(?:\s*[-–+]\s*(?:\d[\d.,]*)?)?\s*(?:employees|mitarbeiter|salariés|empleados|dipendenti)\)?$/iu;
const phoneBehind =
  /[\s,;(]*(?:\b(?:tel|telephone|phone|ph|fon|fax|f)\b[.:]?\s*|(?=\+))\+?[\d(][\d\s()./-]{6,}$/i;
const labels =
  'client|customer|account|company|company name|employer|organi[sz]ation|vendor|supplier|firm|' +
  'firma|kunde|unternehmen|arbeitgeber|société|entreprise|empresa|cliente|azienda|ditta|bedrijf';
const addressees = 'c/o|attn|fao|m/s|messrs|(?:bill|ship|sold|deliver|invoice) to';
const desks = 'accounts? (?:payable|receivable)|purchasing|payroll';
const letterHead = new RegExp(
  [
    String.raw`^(?:(?:${addressees})[.:]?\s+(?:(?:${desks})[,:]?\s+)?`,
    String.raw`(?:${labels})\s*[:=]\s*)(?=\p{L})`,
  ].join('|'),
  'iu',
);
/** The person or the desk behind the name on an envelope: "Acme ATTN: Accounts Payable". */
const attention =
  /(?<=\S)[\s,;(–-]+(?:attn|attention|fao|z\. ?hd|zhd|zu händen|à l['’]attention de)\b[.:]?\s.+$/iu;
const statusWords =
  'closed|inactive|old|former|acquired|merged|do not use|do not call|defunct|duplicate|hq|' +
  'headquarters|customer|client|prospect|lead|hot lead|key account|vendor|supplier|usd|eur|gbp|chf';
const statusMark = new RegExp(
  `\\s*(?:[([*]+\\s*(?:${statusWords})\\s*[)\\]*]*|\\s[-–]\\s*(?:${statusWords})|\\s(?:head|corporate) office)\\s*$`,
  'i',
);
const limitedPartnership = /\s+limited partnership\.?$/i;
/** "info(at)acme.com" */
const hiddenSign = /\S\s*[([{]\s*at\s*[)\]}]/i;
/** What an invoice adds: "€59,000". */
const amount = /[\s,;(–-]+(?:[€$£]|eur|usd|gbp|chf)\s?\d[\d.,]*\s?[km]?\)?$/iu;
/** Where an exhibitor stands: "Stand B12", "Hall 3". */
const boothNumber =
  /[\s,;|(–-]+(?:\b(?:booth|stand|stall|halle|hall|pavil(?:l)?ion|standnr\.?)\s*#?\s*\p{L}?[\d.-]*\d\p{L}?\)?[\s,/]*)+$/iu;
const shareName = new RegExp(listingPhrase.source, 'i');

/** The name without what lists append to it: numbers, marks, the name of a share. */
function dropMarks(cell: string): string {
  const bare = cell
    .replace(letterHead, '')
    .replace(attention, '')
    .replace(recordNumber, '')
    .replace(headcount, '')
    .replace(cutMark, '')
    .replace(phoneBehind, '')
    .replace(statusMark, '')
    .replace(shareName, '')
    .replace(limitedPartnership, '')
    .trim();
  const name = /\d/.test(bare) ? bare.replace(boothNumber, '').replace(amount, '') : bare;
  return name === '' ? cell : name;
}

const codeOfState = new Map([...stateNames].map(([code, name]) => [name, code]));

/** The code of a state, whether it is written in full, as a code or short; else its letters. */
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

const partBreak = /\s*[,;|]\s*|\s+[-–—/]\s+/;
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
    const bare = last.replace(postalCode, ' ').trim();
    const isState = stateNames.has(readState(bare));
    const isCountry = bare.length >= countryLettersMin && countryCode(bare) !== null;
    const [, before, code] = cityWithState.exec(bare) ?? [];
    if (bare !== last) isPlaced = true;
    if (isState && isCountry && country === '') isPlaced = true;
    else if (isCountry && country === '') country = bare;
    else if (isState && state === '') state = bare;
    else if (bare !== '' && !street.test(last) && !(country !== '' && region.test(bare))) {
      const isBehindStreet = parts.length > 2 && street.test(parts.at(-2)!);
      const isStated =
        isPlaced || isBehindStreet || state !== '' || country !== '' || code !== undefined;
      const isNamed = parts.slice(0, -1).some((part) => isOrganisation(part) && !isUnit(part));
      if (!isStated || isOrganisation(bare) || isUnit(bare) || (city !== '' && !isNamed)) break;
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
  return {
    name: name === undefined || others.length > 0 ? numbered : name,
    isUnitAlone: named.length === 0,
    place,
  };
}

/** "Head of Sales at Acme", "Leiter Einkauf bei Acme", "PhD student @ Acme" */
const jobAt =
  /^([^,;|()]{2,60}?)(?:\s+(?:at|bei|chez|presso|hos|@)|,|\s*\|)\s+(?=\p{Lu})([^,;|]+)$/u;
const studying = /^(?:(?:the )?team|postdoc|undergraduate|.*\b(?:student|candidate|fellow))$/i;

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
  spacedLetters.test(cell)
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

/** The page of a company in a network, whose address spells the name. */
const networkPage =
  /^(?:https?:\/\/)?(?:[\w-]+\.)?(?:linkedin\.com\/(?:company|school|showcase)|xing\.com\/(?:compan(?:y|ies)|pages)|crunchbase\.com\/organization)\/([^/?#\s]+)\S*$/i;

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
  const holdsName = cell !== '' && !isAddress && !noCompany.test(cell);
  const besides = cell.replace(address, ' ').replace(outerMarks, '');
  const name = holdsName ? dropMarks(besides) : '';
  const parts = readParts(name);
  // Next to a web address, a unit, a legal form or a kind says nothing.
  const isPartAlone = parts.isUnitAlone || organisationTokens(name).every(isKindWord);
  const isNamed = !namesNone(name) && !(ofName !== '' && (isPartAlone || isFormAlone(name)));
  const isPlaceOfCell = place.city === '' && place.state === '' && place.country === '';
  return {
    name: isNamed ? name : '',
    isForm: isNamed && !/\s/.test(name) && isForm(name),
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
