// The repairs of a row: how matching reads cells that are not written as their fields expect. A
// function of the row alone, but for names in each other's columns: those are known only of a row
// whose person was found. Nothing is stored: results, previews and exports call it with the row.
import type { InputRepair } from '../../contract/jobs/input-repairs.ts';
import {
  type ColumnMapping,
  type RowInputField,
  readMapped,
} from '../../contract/jobs/row-input.ts';
import type { RowCell } from '../match/graded/readings/read-identifiers.ts';
import { readEmailKey } from '../normalize/match-address.ts';
import { cleanCell } from '../normalize/messy/clean-cell.ts';
import { nameWords } from '../normalize/messy/name-parts.ts';
import { nameKey } from '../normalize/normalize-name.ts';
import {
  dropCompanyPart,
  dropTestRow,
  dropTwoPeople,
  placeNames,
  splitFullName,
  splitNameAndCompany,
} from './repair-names.ts';
import {
  cellOf,
  type FoundNames,
  moveInto,
  putCell,
  type RowCells,
  type RowDraft,
  readAlone,
} from './row-draft.ts';

const repairedFields = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'phone',
  'company_domain',
] as const satisfies readonly RowInputField[];

type RepairedField = (typeof repairedFields)[number];

const name = "\\p{L}+(?:[-'’]\\p{L}+)*\\.?";
/** Legal forms that no rule takes for a place or a department. */
const plainForms = [
  '(?:Inc|INC|Ltd|LTD|Corp|CORP|Co|LLC|LLP|PLC|GmbH|GMBH|AG|SRL|SARL|SAS)\\.?',
  'P(?:ty|TY|vt|VT) L(?:td|TD)',
  '(?:GmbH & Co|GMBH & CO)\\. KG',
  // Behind a comma these may be a state.
  '(?<!, )(?:CO\\.|(?:\\p{Lu}\\.){2,3})',
];
/** What most cells look like. Such a cell holds one value of its field and no mark. */
const plainCells: Readonly<Record<RepairedField, RegExp>> = {
  first_name: new RegExp(`^${name}$`, 'u'),
  last_name: new RegExp(`^${name}$`, 'u'),
  company_name: new RegExp(
    `^[\\p{L}\\d]+(?:(?: & |[ '’&-] ?)[\\p{L}\\d]+)*(?:,? (?:${plainForms.join('|')}))?$`,
    'u',
  ),
  email:
    /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*@(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|[a-z]{2}|example)$/i,
  profile_url: /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}\/[a-z0-9_/-]*$/i,
  phone: /^\+?[\d ().-]{7,}$/,
  company_domain: /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i,
};
/** Letters of mis-decoded text, placeholders, headers, and words that test rows have. */
const doubtful = new RegExp(
  [
    '[\\u00c2-\\u00c5\\u00e2\\u0192]',
    '^(?:na|null|none|nil|nan|undefined|unknown|tb[da]|x+|not? .*|blank|empty|missing)$',
    '^(?:yes|no|true|false|active|lead|customer|new|vip|(?:first ?|last ?|sur)?name|company|email)$',
    '\\b(?:tests?|testing|tester|demo|sample|example|asdf?g?h?|qwerty|foo|bar|foobar|dummy|lorem)\\b',
    '\\b(?:ipsum|xxx|abc|fake|delete|deleteme|donotuse|do not|placeholder|sdf|test\\w+|aaa|zzz)\\b',
  ].join('|'),
  'i',
);

/** The part of a plain cell whose words may be doubtful: a host may have any name. */
const wordsOf: Readonly<Partial<Record<RepairedField, (cell: string) => string>>> = {
  email: (cell) => cell.slice(0, cell.indexOf('@') + 1),
  profile_url: (cell) => cell.slice(cell.indexOf('/', cell.indexOf('//') + 2)),
  company_domain: () => '',
};

function isPlain(field: RepairedField, cell: string): boolean {
  if (!plainCells[field].test(cell)) return false;
  return !doubtful.test(wordsOf[field]?.(cell) ?? cell);
}

/** Whether a cell needs no repair, whatever else its row has; false if that is not certain. */
const isPlainCell = (field: RepairedField, cell: string): boolean =>
  cell === '' || isPlain(field, cell);

/** Words of a name next to an address. */
const displayWordsMin = 2;
const displayWordsMax = 5;

/** Repairs the cell of the email; the name next to an address fills empty cells of the name. */
function repairEmail(draft: RowDraft): void {
  const text = cellOf(draft, 'email');
  if (isPlainCell('email', text)) return;
  const { emails, display } = readAlone('email', text);
  const [email] = emails;
  if (email === undefined) return;
  const to = emails.join('; ');
  const isUsual = emails.length === 1 && readEmailKey(text) === email && !/[\s<>:]/.test(text);
  if (isUsual || text.toLowerCase() === to) return;
  const isLink = /mailto:/i.test(text);
  putCell(
    draft,
    'email',
    isLink ? 'email_link' : display === '' ? 'email_text' : 'email_display_name',
    to,
  );
  const count = display === '' ? 0 : nameWords(display).length;
  const hasName = cellOf(draft, 'first_name') !== '' || cellOf(draft, 'last_name') !== '';
  if (!hasName && count >= displayWordsMin && count <= displayWordsMax)
    putCell(draft, 'first_name', 'email_display_name', display);
}

const usualUrl = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#][^\s<>"'()]*)?$/i;

function repairUrlCell(draft: RowDraft): void {
  const text = cellOf(draft, 'profile_url');
  if (isPlainCell('profile_url', text)) return;
  const [key] = readAlone('profile_url', text).urls;
  if (key === undefined || usualUrl.test(text)) return;
  putCell(draft, 'profile_url', 'url_text', `https://${key}`);
}

/** A cell with '@', '/', a dot between letters or several digits may hold an identifier. */
const identifierSign = /[@/%]|\(at\)|\[at\]|\S\.\S|\d{3}/i;

/** What is left of a cell without its identifiers. */
function restOf(cell: RowCell, read: ReturnType<typeof readAlone>): string {
  if (cell === 'first_name') return read.first;
  if (cell === 'last_name') return read.last;
  if (cell === 'email') return read.emails.length > 0 ? '' : read.inEmail;
  return cell === 'profile_url' || cell === 'phone' ? read.inUrl : read.company;
}

const ownCells: Readonly<Partial<Record<RowCell, 'emails' | 'urls' | 'phones'>>> = {
  email: 'emails',
  profile_url: 'urls',
  phone: 'phones',
};

/** Moves the identifiers of one cell to their own cells. */
function moveFrom(draft: RowDraft, cell: RepairedField): void {
  const text = cellOf(draft, cell);
  if (!identifierSign.test(text) || isPlainCell(cell, text)) return;
  const read = readAlone(cell, text);
  const own = ownCells[cell];
  const isDomainCell = cell === 'company_domain';
  const [email] = own === 'emails' ? [] : read.emails;
  const [url] = own === 'urls' || isDomainCell ? [] : read.urls;
  const [phone] = own === 'phones' ? [] : read.phones;
  const [domain] = isDomainCell || own === 'urls' ? [] : read.domains;
  if (email === undefined && url === undefined && phone === undefined && domain === undefined)
    return;
  const isWeb = url !== undefined || domain !== undefined;
  const rule = cell === 'company_name' && isWeb ? 'company_web_address' : 'identifier_moved';
  const hasOwn = own !== undefined && read[own].length > 0;
  if (!hasOwn) putCell(draft, cell, rule, restOf(cell, read));
  moveInto(draft, 'email', rule, email);
  if (url !== undefined && domain === undefined)
    moveInto(draft, 'profile_url', rule, `https://${url}`);
  // A phone number is a whole cell.
  if (phone !== undefined) moveInto(draft, 'phone', rule, text);
  moveInto(draft, 'company_domain', rule, domain?.replace(/^www\./, ''));
}

/** Moves emails, web addresses and phone numbers out of the cells of other fields. */
function moveIdentifiers(draft: RowDraft): void {
  for (const cell of repairedFields) moveFrom(draft, cell);
}

export type { FoundNames, RowCells } from './row-draft.ts';

const none: readonly InputRepair[] = [];

/** Whether nothing in the cells calls for a repair; false if that is not certain. */
export function isPlainRow(cells: RowCells): boolean {
  if ((cells.first_name ?? '') === '' && (cells.last_name ?? '') === '') {
    // The company's cell may hold the name.
    if ((cells.company_name ?? '').includes(' ')) return false;
  }
  return repairedFields.every((field) => isPlainCell(field, cells[field] ?? ''));
}

/** No row is known that needs more than four. */
const passesMax = 8;

const misdecoded = /[\u00c2-\u00f4][^\p{ASCII}]|\u00c3 |&(?:#x?[0-9a-f]+|[a-z]+);/iu;
const spaceless = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether a cell of the name has just the name of the matched person: "Nan" is no placeholder. */
function isFoundName(field: RepairedField, cell: string, found: FoundNames | null): boolean {
  if (found === null || (field !== 'first_name' && field !== 'last_name')) return false;
  return nameKey(cell) === nameKey(field === 'first_name' ? found.first : found.last);
}

function cleanCells(draft: RowDraft, found: FoundNames | null): void {
  for (const field of repairedFields) {
    if (isPlainCell(field, draft.cells[field] ?? '')) continue;
    const given = spaceless(draft.cells[field] ?? '');
    const cleaned = cleanCell(draft.cells[field] ?? '');
    const isName = field === 'first_name' || field === 'last_name';
    const isNothing = cleaned === '' || (isName && saysNothing(field, cleaned));
    if (isNothing && isFoundName(field, given, found)) continue;
    draft.cells[field] = given;
    if (isNothing) putCell(draft, field, 'placeholder', '');
    else putCell(draft, field, misdecoded.test(given) ? 'text_encoding' : 'text_marks', cleaned);
  }
}

/** Whether a cell of the name holds neither a name nor an identifier: "yes", "row 12". */
function saysNothing(field: 'first_name' | 'last_name', text: string): boolean {
  const { first, last, emails, urls, phones, domains } = readAlone(field, text);
  const found = emails.length + urls.length + phones.length + domains.length;
  return first === '' && last === '' && found === 0;
}

function repairOnce(draft: RowDraft, found: FoundNames | null, isNoPerson: boolean): void {
  cleanCells(draft, found);
  repairEmail(draft);
  repairUrlCell(draft);
  moveIdentifiers(draft);
  dropTestRow(draft, isNoPerson);
  dropTwoPeople(draft, isNoPerson);
  splitNameAndCompany(draft);
  if (found !== null) placeNames(draft, found);
  splitFullName(draft, found);
  // "Co." and "AG" are legal forms, and the codes of countries.
  if (!isPlainCell('company_name', cellOf(draft, 'company_name'))) dropCompanyPart(draft, found);
}

/**
 * The repairs of a row in the order in which they apply. Clean cells cost a few expressions.
 * @param cells the caller's cells by field
 * @param found the matched person's names; null if no person was matched
 * @param isNoPerson matching read the row as no person, or as two, also by the names that it knows
 */
export function listRepairs(
  cells: RowCells,
  found: FoundNames | null,
  isNoPerson = false,
): readonly InputRepair[] {
  const isAsFound =
    found === null || (found.first === cells.first_name && found.last === cells.last_name);
  if (isPlainRow(cells) && !isNoPerson) {
    if (isAsFound) return none;
    const draft: RowDraft = { cells: { ...cells }, repairs: [] };
    // In a plain row, only names that are compared with the person's can need a repair.
    placeNames(draft, found);
    // Exchanged names are as plain as before, so that no other rule applies.
    if (draft.repairs.every(({ rule }) => rule === 'names_exchanged')) return draft.repairs;
  }
  const draft: RowDraft = { cells: { ...cells }, repairs: [] };
  // A value that was moved or split off may need repairs of its own.
  for (let pass = 0, known = -1; pass < passesMax && known < draft.repairs.length; pass++) {
    known = draft.repairs.length;
    repairOnce(draft, found, isNoPerson);
  }
  return draft.repairs;
}

/** The recognised cells of a row. @param mapping column of each field */
export function readCells(row: readonly string[], mapping: ColumnMapping): RowCells {
  const cells: RowCells = {};
  for (const field of repairedFields) {
    const cell = readMapped(row, mapping, field).trim();
    if (cell !== '') cells[field] = cell;
  }
  return cells;
}

/** The fields of a result that `namesOf` reads, in order. */
export const foundFields = ['First name', 'Last name', 'Current company name'] as const;

/** The names of a matched person; null if none is known. @param values those of `foundFields` */
export const namesOf = ([
  first = '',
  last = '',
  company = '',
]: readonly string[]): FoundNames | null =>
  first === '' && last === '' ? null : { first, last, company };
