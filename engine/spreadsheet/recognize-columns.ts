// Recognises the columns of each field by the headers, corrected by the first values.
import { findChildren, readParentKey } from './child-columns.ts';
import {
  confirms,
  hasCompanyWord,
  isCompanyPage,
  isEastAsianName,
  isEmailCell,
  isFlag,
  isFullName,
  isMemberPage,
  isOthersPage,
  isPhoneCell,
  isProgress,
  isSalutation,
  isSitePage,
  isUrlCell,
  mostly,
  type SampleRows,
} from './column-values.ts';
import { findNamePair } from './name-pair.ts';
import { type ColumnKey, foldWords, isAboutOthers, readHeader } from './read-header.ts';
import { extraCellsName, originNames } from './reading/wide-lines.ts';
import { isMailbox, readMailbox } from './several-people.ts';

/** Field → the meanings of columns that it is read from, the best first. */
export type FieldKeys = Readonly<Record<string, readonly ColumnKey[]>>;

interface Column {
  readonly at: number;
  key: ColumnKey;
  readonly ordinal: number;
  readonly doubt: number;
}

const nounOf = (key: ColumnKey): string => key.replace(/^company\./, '').replace(/\..*$/, '');

/** Drops meanings that only some words of a header suggest, unless one column's values fit. */
function dropDoubtful(columns: readonly Column[], rows: SampleRows): Column[] {
  return columns.filter(({ at, key, doubt }) => {
    if (doubt < 2) return true;
    // Lists have an opt-out for each kind of email, and each of them counts.
    const isOneOfSeveral = key === 'opt_out' || key === 'consent';
    const rivals = columns.filter(
      (other) => !isOneOfSeveral && other.at !== at && other.key === key,
    );
    return rivals.length === 0 && confirms(rows, at, nounOf(key));
  });
}

/** Noun → what a cell must have to be its value. */
const required: Readonly<Record<string, RegExp>> = {
  email: /@/,
  website: /\./,
  domain: /\./,
  phone: /\d/,
  mobile: /\d/,
  direct: /\d/,
};

function readPages(column: Column, rows: SampleRows): ColumnKey {
  const most = (passes: (cell: string) => boolean) => mostly(rows, column.at, passes);
  if (most(isMemberPage)) return column.key === 'url' || isSite(column) ? 'profile' : column.key;
  if (most(isOthersPage))
    return most(isCompanyPage) || isSite(column) ? 'company.profile' : 'profile.other';
  if (!most(isUrlCell)) return column.key;
  if (column.key === 'url') return most(isSitePage) ? 'website' : column.key;
  return nounOf(column.key) === 'profile' ? 'profile.other' : column.key;
}

const isSite = ({ key }: Column): boolean => nounOf(key) === 'website' || key === 'company';

/** Dates, numbers and ids: "Last contact" and "First order" are no names. */
const noName = new RegExp(
  '^[^\\p{L}]*\\d[^\\p{L}]*$|^\\p{Lu}{1,5}[-_]\\d{3,}$|' +
    '^\\p{L}{3,12}\\.? \\d{1,2}, \\d{4}|^\\d{1,2}\\.? \\p{L}{3,12}\\.? \\d{4}',
  'u',
);

function believeValues(columns: readonly Column[], rows: SampleRows): void {
  const has = (key: ColumnKey) => columns.some((column) => column.key === key);
  const nameKeys = ['name', 'full_name', 'first_name', 'last_name', 'contact', 'client'];
  for (const column of columns) {
    const { at, key } = column;
    const noun = nounOf(key);
    const most = (passes: (cell: string) => boolean) => mostly(rows, at, passes);
    const needed = required[noun];
    if ((key === 'title' || key === 'job_title') && most(isSalutation)) column.key = 'salutation';
    else if (key === 'job_title' && most(isFlag)) column.key = 'is_current';
    else if (key === 'is_current' || key === 'is_primary') {
      if (most(isFullName)) column.key = '';
    } else if (key === 'work' || key === 'private') {
      const kind = most(isPhoneCell) ? 'phone' : most(isEmailCell) ? 'email' : '';
      column.key = kind === '' ? '' : `${kind}.${key}`;
    } else if (key === 'headquarters') {
      column.key = most(isPhoneCell) ? 'company.phone' : '';
    } else if (noun === 'state' && most(isProgress)) column.key = '';
    else if (nameKeys.includes(key) && most(isEmailCell)) column.key = 'email.other';
    else if (nameKeys.includes(key) && most((cell) => noName.test(cell))) column.key = '';
    else if (nameKeys.includes(key) && key !== 'last_name' && most(hasCompanyWord))
      column.key = has('company') ? 'company.other' : 'company';
    else if (noun === 'profile' || key === 'url' || isSite(column))
      column.key = readPages(column, rows);
    // Without another column, each of its cells gets a remark.
    const hasRival = columns.some((other) => other !== column && nounOf(other.key) === noun);
    if (hasRival && needed && most((cell) => !needed.test(cell))) column.key = '';
  }
}

/** By how much more of its cells a column of companies looks like one than that of people. */
const companyMargin = 0.25;

/** Of several columns "Name", the one least like names of people holds companies. */
function settleSecondNames(columns: readonly Column[], rows: SampleRows): void {
  const has = (...keys: ColumnKey[]) => columns.some(({ key }) => keys.includes(key));
  if (has('company', 'company.work', 'company.other', 'legal_name')) return;
  const named = columns.filter(({ key }) => key === 'name');
  const isWhole = has('first_name') && has('last_name');
  const isTwice = named.length > 1 && !has('first_name', 'last_name', 'full_name');
  if (!isWhole && !isTwice) return;
  const scored = named.map((column) => {
    const cells = rows.map((row) => (row[column.at] ?? '').trim()).filter(Boolean);
    const others = columns.filter(({ key }) => key === 'first_name' || key === 'last_name');
    const isOther = (cell: string) =>
      !isFullName(cell) ||
      (isWhole && !rows.some((row) => others.every(({ at }) => cell.includes(row[at] ?? ''))));
    return { column, score: cells.filter(isOther).length / Math.max(1, cells.length) };
  });
  const least = isWhole ? 0 : Math.min(...scored.map(({ score }) => score));
  const [best] = scored.sort((one, other) => other.score - one.score);
  if (best !== undefined && best.score >= least + companyMargin) best.column.key = 'company';
}

/** Decides which part of a name a bare "Name" holds, by the other columns. */
function settleNames(columns: readonly Column[], rows: SampleRows): void {
  settleSecondNames(columns, rows);
  const has = (...keys: ColumnKey[]) => columns.some(({ key }) => keys.includes(key));
  const hasFirst = has('first_name');
  const hasLast = has('last_name');
  const hasWhole = has('full_name', 'full_name.last_first');
  const hasOnePart = hasFirst !== hasLast;
  /** Whether a column of names has the part of the name that another column has. */
  const holdsPart = (column: Column) => {
    const part = columns.find(({ key }) => key === 'first_name' || key === 'last_name')?.at ?? -1;
    return mostly(rows, column.at, (cell, row) => {
      const words = foldWords(cell).split(' ');
      const given = foldWords(row[part] ?? '').split(' ');
      return words.length > 1 && given.some((word) => word !== '' && words.includes(word));
    });
  };
  for (const column of columns) {
    const isOtherPart = hasOnePart && !holdsPart(column);
    if (column.key === 'first_name' && !hasLast && !hasWhole) {
      // 이름 is a given name, and the name of a list that has no surnames.
      if (mostly(rows, column.at, isEastAsianName)) column.key = 'full_name';
    } else if (column.key === 'name') {
      if (isOtherPart) column.key = hasFirst ? 'last_name' : 'first_name';
      else if (hasWhole && !hasOnePart && !has('company')) column.key = 'company';
      else column.key = 'full_name';
    } else if (column.key === 'full_name' && isOtherPart && rows.length > 0) {
      // "Contact: Name | Surname"
      column.key = hasFirst ? 'last_name' : 'first_name';
    } else if (column.key === 'full_name.other' && hasWhole && !has('company', 'company.other')) {
      // The lead of a contact is the contact's company.
      if (rows.length > 0 && !mostly(rows, column.at, isFullName)) column.key = 'company';
    } else if (column.key === 'contact' || column.key === 'client') {
      const isWhole = mostly(rows, column.at, isFullName);
      const isFree = !hasFirst && !hasLast && !hasWhole && !has('name');
      if (isWhole && isFree) column.key = 'full_name';
      else if (column.key === 'client' && !isWhole && rows.length > 0 && !has('company'))
        column.key = 'company';
    }
  }
}

const nameNouns = /^(?:(?:first|last)_name|full_name|name)/;

/**
 * The meaning of a column of names with their addresses, "Ann Lee <ann@ola.example>": the names of
 * a list without any, else the emails of a list without any, if both are of the same people. Other
 * such columns may be about colleagues.
 */
function readMailboxes(at: number, columns: readonly Column[], rows: SampleRows): ColumnKey {
  const names = columns.filter((column) => column.at !== at && nameNouns.test(column.key));
  if (names.length === 0) return 'full_name';
  if (columns.some((column) => column.at !== at && nounOf(column.key) === 'email')) return '';
  const areSame = mostly(rows, at, (cell, row) => {
    const nameWords = foldWords(names.map((name) => row[name.at] ?? '').join(' ')).split(' ');
    const own = foldWords(readMailbox(cell)?.name ?? '').split(' ');
    return own.some((word) => word.length > 1 && nameWords.includes(word));
  });
  return areSame ? 'email.other' : '';
}

/** Gives columns of names with their addresses their meaning, unless their headers have another. */
function believeMailboxes(
  headers: readonly string[],
  columns: readonly Column[],
  rows: SampleRows,
): Column[] {
  const found = [...columns];
  for (const [at, header] of headers.entries()) {
    const column = found.find((one) => one.at === at);
    const isOpen =
      column === undefined || /^(?:contact|client|full_name\.other)?$/.test(column.key);
    if (!isOpen || header.trim() === '' || isAboutOthers(header)) continue;
    if (!mostly(rows, at, isMailbox)) continue;
    const key = readMailboxes(at, found, rows);
    if (column !== undefined) column.key = key;
    else if (key !== '') found.push({ at, key, ordinal: 1, doubt: 2 });
  }
  return found;
}

const addedNames: readonly string[] = [extraCellsName, ...originNames];

/** Whether a list has no names of columns, so that only its values say what they are. */
const isNameless = (headers: readonly string[]): boolean =>
  headers.every((header, at) => header === `Column ${at + 1}` || addedNames.includes(header));

/** What columns without names hold, by their values alone; of each the first column. */
const valueKeys: readonly (readonly [ColumnKey, (cell: string) => boolean])[] = [
  ['email', isEmailCell],
  ['profile', (cell) => isUrlCell(cell) && isMemberPage(cell)],
  ['website', isUrlCell],
  ['phone', isPhoneCell],
  ['full_name', (cell) => isFullName(cell) || isMailbox(cell)],
  ['company', hasCompanyWord],
];

/** Adds the two columns of names among those without a meaning, and the companies next to them. */
function addNamePair(columns: Column[], open: readonly number[], rows: SampleRows): Column[] {
  const pair = findNamePair(open, rows);
  if (pair === null) return columns;
  const { first, last } = pair;
  const add = (at: number, key: ColumnKey) => columns.push({ at, key, ordinal: 1, doubt: 0 });
  add(first, 'first_name');
  add(last, 'last_name');
  // Next to a name, a few legal forms show what the others are.
  const company = open.find(
    (at) => at !== first && at !== last && mostly(rows, at, hasCompanyWord, 0.3),
  );
  if (company !== undefined && columns.every(({ key }) => key !== 'company'))
    add(company, 'company');
  return columns;
}

function readNameless(headers: readonly string[], rows: SampleRows): Column[] {
  const found: Column[] = [];
  for (const [key, passes] of valueKeys) {
    const at = headers.findIndex(
      (_name, place) => found.every((column) => column.at !== place) && mostly(rows, place, passes),
    );
    if (at >= 0) found.push({ at, key, ordinal: 1, doubt: 0 });
  }
  if (found.some(({ key }) => key === 'full_name')) return found;
  const open = headers.flatMap((_name, at) => (found.some((one) => one.at === at) ? [] : [at]));
  return addNamePair(found, open, rows);
}

function readColumns(headers: readonly string[], rows: SampleRows, hasPeople: boolean): Column[] {
  if (hasPeople && isNameless(headers)) return readNameless(headers, rows);
  const children = hasPeople ? findChildren(headers) : null;
  const read = headers.flatMap((header, at): Column[] => {
    const name = children?.nameOf(at) ?? null;
    const meaning = readHeader(name ?? header);
    if (meaning === null) return [];
    const isParent = children !== null && name === null;
    return [{ at, ...meaning, key: isParent ? readParentKey(meaning.key) : meaning.key }];
  });
  const columns = dropDoubtful(read, rows);
  if (!hasPeople) return columns;
  if (rows.length === 0) {
    settleNames(columns, rows);
    return columns;
  }
  believeValues(columns, rows);
  const withMailboxes = believeMailboxes(headers, columns, rows);
  settleNames(withMailboxes, rows);
  if (withMailboxes.some(({ key }) => nameNouns.test(key))) return withMailboxes;
  // Headers are abbreviated in many ways, but names are known.
  const open = headers.flatMap((header, at) =>
    read.some((one) => one.at === at) || isAboutOthers(header) ? [] : [at],
  );
  return addNamePair(withMailboxes, open, rows);
}

/**
 * Finds the columns of each field: by the words of their headers, ignoring case, accents,
 * punctuation and the words of read-header.ts that change nothing. A column is used for only one
 * field. The first rows confirm or correct what a header says.
 * @param fields with a field of full names, a bare "Name" is part of a person's name
 * @param rows the first rows, if they are known
 * @returns field → column indices, from 0, the best first; without fields that were not found
 */
export function listColumns(
  headers: readonly string[],
  fields: FieldKeys,
  rows: SampleRows = [],
): Record<string, number[]> {
  const columns = readColumns(headers, rows, 'full_name' in fields);
  const found: Record<string, Column[]> = {};
  for (const column of columns) {
    const wanted = Object.entries(fields).filter(([, keys]) => keys.includes(column.key));
    wanted.sort(([, one], [, other]) => one.indexOf(column.key) - other.indexOf(column.key));
    const field = wanted[0]?.[0];
    if (field !== undefined) found[field] = [...(found[field] ?? []), column];
  }
  return Object.fromEntries(
    Object.entries(found).map(([field, list]) => {
      const keys = fields[field] ?? [];
      list.sort(
        (one, other) =>
          keys.indexOf(one.key) - keys.indexOf(other.key) ||
          one.doubt - other.doubt ||
          one.ordinal - other.ordinal ||
          one.at - other.at,
      );
      return [field, list.map(({ at }) => at)];
    }),
  );
}

/** Field → the best column of each field, as listColumns finds them. */
export function recognizeColumns(
  headers: readonly string[],
  fields: FieldKeys,
  rows: SampleRows = [],
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(listColumns(headers, fields, rows)).map(([field, [best = 0]]) => [field, best]),
  );
}
