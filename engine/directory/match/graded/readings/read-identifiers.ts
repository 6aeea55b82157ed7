// Takes emails, web addresses and phone numbers out of every cell of a row before names are read.
import { dropCompanion } from '../../../../spreadsheet/several-people.ts';
import { phoneKey } from '../../../index/index-facts.ts';
import { givenPerMillion, numberOfName } from '../../../names/name-frequencies.ts';
import { foldToAscii } from '../../../normalize/fold-text.ts';
import { readUrlKey } from '../../../normalize/match-address.ts';
import { cleanCell } from '../../../normalize/messy/clean-cell.ts';
import { dropWordsAround } from '../../../normalize/normalize-url.ts';
import { hostOf } from '../organisations/web-domains.ts';
import {
  dropClosing,
  dropLabel,
  dropLeadIn,
  dropOtherScripts,
  isTitleAlone,
  unpackFile,
} from './around-person.ts';

/** The first line of a passport, or the name of it: "P<USAKING<<ANN<MARY<<<<". */
const passport = /^(?:[PVIAC]<[A-Z<]{3})?([A-Z]+(?:<[A-Z]+)*)<<([A-Z]+(?:<[A-Z]+)*)<*$/;
/** A name on a ticket: "KING/ANN MRS", "KING/ANNMRS". */
const ticket =
  /^([A-Z][A-Z'-]+(?: [A-Z'-]+)*)\/([A-Z]{2,}?(?: [A-Z]+)*?)(?: ?(?:MR|MRS|MS|MISS|DR|MSTR))?$/;
/** The name of a contact card: "N:King;Ann;Mary;;". */
const card = /(?:^|\s)N[^:;\s]*:([^;]+);([^;]+)/;
const cardOrg = /[;\s]ORG[^:;\s]*:([^;]+)/;
/** What a form sends: "first=Ann&last=King". */
const form = /^[\w.[\]-]+=[^&=]*(?:&[\w.[\]-]+=[^&=]*)+$/;
/** A name of letters with a space between them: "M a r k". */
const spaced = /^\p{Lu}(?:(?: \p{Ll}){2,}|(?: \p{Lu}){3,})$/u;
const careOf = /\s*\bc\s?\/\s?o\b.*$/i;
/** Under which other name a person trades. */
const tradingAs = /\s(?:trading as|doing business as|t\/a|d\/?b\/?a)\s.+$/i;
const date = /\b(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?|\d{1,2}(?::\d{2})? ?[ap]m)\b/g;
const letterPair = /\s\p{Lu}\/\p{Lu}(?=\s|$)/gu;
/** A quote as Python writes it around a text. */
const singleQuote = /(?<=[{[,:]\s*)'|'(?=\s*[}\],:])/g;
/** Letters behind a name in small ones, as of a degree that no list has: ", CPA, CFE". */
const credentials = /(?:,\s*(?!III$)\p{Lu}{3,6})+$/u;
/** Letters that spell out a name before them: "Ann King K-I-N-G", "Ann King that's k i n g". */
const spelledOut = /(?<=\s)\p{L}(?:[ '’-]+\p{L}){2,}$/u;
/** What a page or a program says behind a name: "#OpenToWork", "via Acme". */
const hashtags = /\s#\p{L}\w*/gu;
const sentVia = /\svia\s(.+)$/iu;
const firstKey = /^(?:first|given|fore|vorname|prenom|nombre|gn$)/i;
const lastKey = /^(?:last|sur|family|nachname|apellido|sn$)/i;
const wholeKey = /^(?:(?:full|display|person)?_?name|cn|fn)$/i;
const employerKey = /^(?:org|company|employer|firma|empresa|entreprise|o$)/i;

/** Texts of a record, with their keys. */
type Entries = readonly (readonly [key: string, text: string])[];

/** The texts of a value of JSON, whatever holds them. */
function listTexts(key: string, value: unknown): Entries {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => listTexts(name, inside));
}

function readOrg(text: string): Entries {
  const [, employer] = cardOrg.exec(text) ?? [];
  return employer === undefined ? [] : [['org', employer]];
}

function readJson(text: string): Entries {
  try {
    return listTexts('', JSON.parse(text.replace(singleQuote, '"')));
  } catch {
    return [];
  }
}

/** The entries of a text with a key before each: "CN=Ann King,O=Acme", "name: Ann King". */
function readKeys(text: string): Entries {
  const entries = text.split(/[,;|]+\s*(?=\w+\s*[:=])/).map((part) => keyed.exec(part));
  const found = entries.filter((entry) => entry !== null);
  // "ATTENDEE;CN=Ann King"
  return found.length === entries.length || (found.length > 0 && /\bcn=/i.test(text))
    ? found.map(([, key, value]) => [key!, value!.replaceAll('"', '')])
    : [];
}

/** The name in a record, and the employer behind it; null if it has none. */
function nameOf(entries: Entries): string | null {
  const textOf = (pattern: RegExp): string => entries.find(([key]) => pattern.test(key))?.[1] ?? '';
  const [first, last, employer] = [textOf(firstKey), textOf(lastKey), textOf(employerKey)];
  const name = `${first} ${last}`.trim() || textOf(wholeKey);
  return name === '' ? null : employer === '' ? name : `${name} | ${employer}`;
}

const keyed = /^\s*([a-z]\w*)\s*[:=]\s*([^:=]+)$/i;
/** What a letter, a speaker or a list of tasks has before a name. */
const leadIn = new RegExp(
  [
    String.raw`^(?:attn|att|attention|for the attention of|fao|z\.? ?h(?:d|dn|ä?nden)`,
    String.raw`à l['’]attention de)[.:]?\s+(?:(?:herrn|frau)\s+)?`,
    String.raw`^(?:(?:hello|hi|hallo|bonjour|hola)[,!]? )?(?:this is|my name is|i am|ich bin`,
    String.raw`mein name ist|je suis|je m['’]appelle|soy)\s+`,
    String.raw`^(?:follow up with|thank|invite|email|call)\s+|^@`,
  ].join('|'),
  'i',
);
/** A whole cell in brackets. */
const inBrackets = /^[[{(<\s]+([^[\]{}()<>:=]+)[\]})>\s]+$/;
/** Units of an organisation behind a name that has small letters: "(ADM/OD)", "/US/EXT". */
const units =
  /(?<=\p{Ll}.*)\s+(?:[([]\p{Lu}{2,}(?:\/\p{Lu}{2,})+[)\]]|(?:\/\p{Lu}{2,})+)(?=\s|$)/gu;
/** A list of texts in quotes: "Ann","King". */
const quotedList = /^"?[^",]+"(?:\s*,\s*"[^",]+)+"?$/;

/** A cell that needs nothing of this. */
const plain = /^[\p{L}\s.'’,-]*$/u;

const holdsGiven = (text: string): boolean =>
  text.split(/[\s,]+/).some((word) => givenPerMillion(numberOfName(word.toLowerCase())) > 0);

function dropCredentials(text: string): string {
  const at = text.search(credentials);
  return at < 0 || !/\p{Ll}/u.test(text.slice(0, at)) || holdsGiven(text.slice(at))
    ? text
    : text.slice(0, at);
}

const lettersOf = (text: string): string => text.replace(/\P{L}/gu, '').toLowerCase();

/** A name without what was said or added behind it. */
function dropSaid(text: string): string {
  const [letters] = spelledOut.exec(text) ?? [];
  const words = letters === undefined ? [] : text.split(/[\s,]+/);
  const at = words.findIndex((word) => lettersOf(word) === lettersOf(letters!));
  const bare = at > 0 ? words.slice(0, at + 1).join(' ') : text;
  const via = sentVia.exec(bare)?.[1];
  return (via && !holdsGiven(via) ? bare.replace(sentVia, '') : bare).replace(hashtags, '');
}

/** A text once that records which were merged have several times: "Ann / Ann", "King; King". */
function dropRepeats(text: string): string {
  const [one = '', ...others] = text.split(/\s*[;|/]\s*/);
  return others.length > 0 && others.every((side) => side.toLowerCase() === one.toLowerCase())
    ? one
    : text;
}

/**
 * The text of a cell of a name without what other programs put around it.
 * @param isAlone the other cell of the name is empty
 * @param least words that a name without titles has; 0 if none can be in front
 */
function unpackName(written: string, isAlone: boolean, least: number): string {
  const told = dropOtherScripts(unpackFile(dropRepeats(written)))
    .replace(inBrackets, '$1')
    .replace(leadIn, '')
    .replace(tradingAs, '');
  const bare = told.includes('/') ? told.replace(units, '') : told;
  const text = dropLabel(dropCredentials(dropSaid(dropClosing(dropCompanion(bare)))));
  const dropLead = (name: string): string =>
    least > 0 && name.includes(' ') ? dropLeadIn(name, least) : name;
  if (plain.test(text)) return spaced.test(text) ? text.replaceAll(' ', '') : dropLead(text);
  if (text.startsWith('{')) return nameOf(readJson(text)) ?? text;
  if (form.test(text)) return nameOf([...new URLSearchParams(text)]) ?? text;
  const contact = card.exec(text);
  if (contact) return nameOf([['name', `${contact[1]}, ${contact[2]}`], ...readOrg(text)]) ?? text;
  const named = nameOf(readKeys(text));
  if (named !== null) return named;
  if (quotedList.test(text)) return text.replace(/"\s*,\s*"/g, ' ').replaceAll('"', '');
  const found = passport.exec(text) ?? (isAlone ? ticket.exec(text) : null);
  if (found) return `${found[1]!.replaceAll('<', ' ')}, ${found[2]!.replaceAll('<', ' ')}`;
  const rest = text
    .replace(/"\s*,\s*"/g, ' ')
    .replace(careOf, '')
    .replace(date, ' ')
    .replace(/_\d+$/, '')
    .replace(letterPair, ' ');
  return dropLead(rest === text ? text : rest.replace(/\s+/g, ' ').trim());
}

/** The cells of a row that the graded comparison reads. */
export const rowCells = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'phone',
  'company_domain',
  'title',
] as const;
export type RowCell = (typeof rowCells)[number];

/** What was found in the cells, and what is left of them. */
export interface RowText {
  /** Cleaned texts without identifiers; '' where nothing is left. */
  readonly first: string;
  readonly last: string;
  readonly company: string;
  /** Text that stands where an email, a profile or a phone belongs. */
  readonly inEmail: string;
  readonly inUrl: string;
  /** The title, which may be the organisation of a row whose columns are exchanged. */
  readonly title: string;
  /** The name next to an email address: "Ada King <ada@…>". */
  readonly display: string;
  readonly emails: readonly string[];
  /** Keys of pages, and each one's last part if it is a member's page. */
  readonly urls: readonly string[];
  readonly phones: readonly string[];
  readonly domains: readonly string[];
}

const address = /[\p{L}0-9._%+'-]+\s?@\s?(?:[\p{L}0-9-]+[.,]\s?)*[\p{L}0-9-]+(?:[.,][a-z]{2,})?/giu;
const mistypedEndings: readonly (readonly [RegExp, string])[] = [
  [/\.(?:con|cmo|ocm|vom|comm|coom)$/, '.com'],
  [/\.(?:gvo|ogv|gob|goc|govv)$/, '.gov'],
  [/\.(?:ogr|orgg|rog)$/, '.org'],
  [/\.(?:eud|edy|eduu|ed)$/, '.edu'],
];

function repairAddress(written: string): string {
  const plain = foldToAscii(written)
    .replace(/\s/g, '')
    .replace(/,/g, '.')
    .replace(/^['.\-_]+|['.\-_;:]+$/g, '')
    .replace(/\+[^@]*@/, '@')
    .replace(/\.{2,}/g, '.')
    .replace(/\.@/, '@')
    .replace(/\.invalid$/, '');
  return mistypedEndings.reduce((text, [ending, right]) => text.replace(ending, right), plain);
}

/** Signs that stand for the @, against programs that collect addresses or by a wrong encoding. */
const writtenAt = /\s*(?:[([{<]\s*(?:at|a|@|arroba|bei|chez)\s*[)\]}>]|©|=40|%40|&#64;|＠)\s*/i;
/** A guest of another organisation: "ann_example.com#EXT#@tenant.onmicrosoft.com". */
const guest = /^(.+)_([^_@\s]+\.[a-z]{2,})#ext#@\S+$/i;
/** An address inside another, as of a list or a copy: "bounce+ann=example.com@list.example". */
const inside = /^(?:[^\s=@+]*\+)?([^\s=@+]+)=([a-z0-9.-]+\.[a-z]{2,})@\S+$/i;

const loneAddress = /^[\w.+'-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;

/** The addresses of a text and what is left of it; null if it has none. */
function takeEmails(cell: string): { emails: string[]; rest: string } | null {
  let text = cell
    .replace(guest, '$1@$2')
    .replace(inside, '$1@$2')
    .replace(writtenAt, '@')
    .replace(/\s*[([{]\s*dot\s*[)\]}]\s*/gi, '.')
    .replace(/^.*mailto:\s*/i, '')
    .replace(/\s*@\s*/, '@')
    .replace(/\?subject=.*$/i, '');
  if (!text.includes('@') && /\sat\s/i.test(text) && /\sdot\s|\.\w{2,}$/i.test(text))
    text = text
      .replace(/\s+at\s+/i, '@')
      .replace(/\s+dot\s+/gi, '.')
      .replace(/\s+/g, '');
  const joined = text.replace(/\s*([.@_-])\s*/g, '$1');
  if (loneAddress.test(joined)) text = joined;
  // A comma is a mistyped dot inside a domain, but it separates two addresses.
  text = text.replace(/(@[^\s@,;]+\.[a-z]{2,})\s*,\s*(?=[^\s@,;]+@)/gi, '$1 ');
  const found = text.match(address);
  if (!found) return null;
  const rest = text
    .replace(address, ' ')
    .replace(/[<>()[\]{}"]|mailto:|e-?mail:?/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { emails: [...new Set(found.map(repairAddress))], rest };
}

const memberPage = /linke?d-?in[.,][a-z]+.*?\/(?:in|pub)\/([^/?#&]+)|^\/?in\/([a-z0-9-]{4,})\/?/;

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The key of a page as the index has it, whatever is broken around it; '' if it is none. */
export function repairUrl(cell: string): string {
  const text = decodePercent(cell)
    .replace(/^[<("'\s]+|[>)"'\s.,;:!]+$/g, '')
    .replace(/\s+/g, '')
    .replace(/^(?:h[xt]{2}ps?[:;]?\/*)+/i, '');
  const member = memberPage.exec(text.normalize('NFC').toLowerCase());
  if (member) {
    const name = (member[1] ?? member[2]!).replace(/[^\p{L}\p{N}-]/gu, '').replace(/-+$/, '');
    return `linkedin.com/in/${encodeURI(name).toLowerCase()}`;
  }
  // Case tells pages apart elsewhere; only the host has none.
  const pathAt = text.search(/[/?#]/);
  const name = (pathAt < 0 ? text : text.slice(0, pathAt))
    .toLowerCase()
    .replace(/^(?:www\d?|m|mobile|[a-z]{2})\.(?=[^.]+\.)/, '');
  const path = pathAt < 0 ? '' : text.slice(pathAt);
  const bare = path.replace(/\/(?:index|default)\.(?:html?|aspx?|php)$/i, '');
  return name.includes('.') ? readUrlKey(`https://${name}${bare}`) : '';
}

const startsAsUrl = /^(?:<?\s*)?(?:h[tx]{2}ps?[:;]?\/|www\.|[a-z]{0,3}\.?linkedin\.|\/?in\/)/i;
const hasPath = /^[a-z0-9.-]+\.[a-z]{2,}\/\S+$/i;
const isBareDomain = /^@?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|edu|gov|net|us|uk)[./]?$/i;
const isPhone = /^[+()\d][\d\s().+-]{6,}(?:x\d+|ext.*)?$/i;
const urlInside = /\s*[([<,|-]?\s*((?:https?:\/\/|www\.)\S+)[)\]>]?/i;
const socialHost = /linkedin|facebook|twitter/;
const emailInside =
  /\S@\S|\S\s?(?:@|\(at\)|\[at\])\s?[a-z0-9-]+\.[a-z]|%40|\S(?:©|=40|\[a\]|\(a\))[a-z0-9-]+\.[a-z]/i;
const emailCell = /@|[([{<]\s*(?:at|a|arroba|bei|chez)\s*[)\]}>]|©|=40|%40|\sat\s/i;
/** What a site shows in the place of a name. */
const hiddenName =
  /^(?:linkedin|facebook|xing|private|deleted|hidden) (?:member|user|profile|contact)$/i;
const nothingSaid =
  /^\P{L}*$|^(?:dob|d\.o\.b\.|born|age)\P{L}+$|^(?:yes|no|true|false|active|lead|customer|new|row \d+|vip)$/iu;

interface Found {
  readonly emails: string[];
  readonly urls: string[];
  readonly phones: string[];
  readonly domains: string[];
  display: string;
}

/** @param isProfile the cell is for profiles, where a whole site may be a person's page */
function takeUrl(text: string, into: Found, isProfile = false): boolean {
  const key = repairUrl(text);
  if (key === '') return false;
  const name = hostOf(text);
  if (isProfile || key.includes('/') || key.includes('?')) {
    into.urls.push(key);
    if (name !== '' && !socialHost.test(name)) into.domains.push(name);
  } else into.domains.push(name || key);
  return true;
}

/** A number of ten digits or more at the end of a text, and its label: "T: (601) 359-4073". */
const phoneInside = /[\s|,;]+(?:\p{L}{1,9}[.:]\s*)?(\+?\(?\d(?:[\s().-]*\d){9,})$/u;

/** What is left of a text without the phone number at its end. */
function takePhone(text: string, into: Found): string {
  const [all, number] = (/\d$/.test(text) && phoneInside.exec(text)) || [];
  const key = number === undefined ? '' : phoneKey(number);
  if (key === '') return text;
  into.phones.push(key);
  return text.slice(0, -all!.length);
}

/** What is left of a cell without its identifiers. */
function readCell(cell: RowCell, given: string, into: Found): string {
  let text = given;
  const canHoldEmail = cell === 'email' ? emailCell : emailInside;
  if (canHoldEmail.test(text)) {
    const taken = takeEmails(text);
    if (taken) {
      into.emails.push(...taken.emails);
      if (cell === 'email') {
        into.display = taken.rest;
        return '';
      }
      text = taken.rest;
    }
  }
  if (text === '') return '';
  if (cell === 'profile_url') text = dropWordsAround(text);
  const isPage = cell === 'profile_url' && /\.[a-z]{2,}(?:\/|$)/i.test(text);
  if (startsAsUrl.test(text) || isPage || hasPath.test(text))
    return takeUrl(text, into, isPage) || /linkedin/i.test(text) ? '' : text;
  const domain = text.replace(/^@/, '');
  if ((cell === 'company_domain' || isBareDomain.test(text)) && hostOf(domain) !== '') {
    into.domains.push(hostOf(domain));
    return '';
  }
  if ((cell === 'phone' || isPhone.test(text)) && phoneKey(text) !== '') {
    into.phones.push(phoneKey(text));
    return '';
  }
  const page = cell === 'profile_url' ? null : urlInside.exec(text);
  if (page === null) return takePhone(text, into);
  takeUrl(page[1]!, into);
  return text.replace(page[0], ' ').trim();
}

/** Reads the cells of a row. @param read the text of a cell, '' if the row lacks it */
export function readRowText(read: (cell: RowCell) => string): RowText {
  const into: Found = { emails: [], urls: [], phones: [], domains: [], display: '' };
  const rest: Partial<Record<RowCell, string>> = {};
  for (const cell of rowCells) {
    const text = cleanCell(read(cell));
    if (text !== '') rest[cell] = readCell(cell, text, into);
  }
  const named = (cell: RowCell): string => {
    const text = rest[cell] ?? '';
    return nothingSaid.test(text) ? '' : text;
  };
  const isHidden = hiddenName.test(`${rest.first_name ?? ''} ${rest.last_name ?? ''}`.trim());
  const last = isHidden ? '' : named('last_name');
  const written = isHidden ? '' : named('first_name');
  const first = last !== '' && isTitleAlone(written) ? '' : written;
  return {
    first: unpackName(first, last === '', last === '' ? 2 : 1),
    last: unpackName(last, first === '', first === '' ? 2 : 0),
    company: (rest.company_name ?? '') || named('company_domain'),
    inEmail: rest.email ?? '',
    inUrl: rest.profile_url || (rest.phone ?? ''),
    title: named('title') || (first === '' ? written : ''),
    display: into.display,
    emails: [...new Set(into.emails)],
    urls: [...new Set(into.urls)],
    phones: into.phones,
    domains: into.domains,
  };
}
