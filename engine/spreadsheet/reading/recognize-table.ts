/** Maps the columns of a list by their headers, corrected by their first values. */
import type { ColumnMapping, RowInputField } from '../../contract/jobs/row-input.ts';
import { recognizeColumns } from '../recognize-columns.ts';
import { resolveMapping } from '../recognize-input.ts';
import { isEmailCell, isPhoneCell, isUrlCell } from './first-row.ts';
import { extraCellsName, originNames } from './wide-lines.ts';

/** A mapping, and the column of full names in it; null without one. */
export interface RecognizedTable {
  readonly mapping: ColumnMapping;
  readonly fullName: number | null;
}

/** Headers of columns that may hold a full name, if their values are full names. */
const nameHeaders = {
  name: [
    ...['full name', 'name', 'contact name', 'person name', 'display name', 'lead name'],
    ...['contact', 'lead', 'person', 'ansprechpartner', 'kontakt', 'contacto'],
    ...['vollständiger name', 'vor- und nachname', 'nom complet', 'nom et prénom'],
    ...['prénom et nom', 'nombre completo', 'nombre y apellidos'],
  ],
};

const addedNames: readonly string[] = [extraCellsName, ...originNames];

/** Whether a list has no names of columns, so that only its values say what they are. */
const isNameless = (headers: readonly string[]): boolean =>
  headers.every((header, at) => header === `Column ${at + 1}` || addedNames.includes(header));

const companyWord =
  /\b(?:inc|llc|ltd|limited|corp|corporation|gmbh|ag|kg|bv|b\.v|nv|plc|s\.?a|sas|sarl|srl|oy|ab|co|company|group|holding|foundation|university|bank)\b\.?/i;

/** Whether a cell is written as a full name: two to five words of letters, no company. */
function isFullName(cell: string): boolean {
  const text = cell.trim();
  if (text.length > 80 || /[\d@/|;]/.test(text) || companyWord.test(text)) return false;
  const words = text.split(/[\s,]+/).filter((word) => /\p{L}/u.test(word));
  return words.length >= 2 && words.length <= 5;
}

/** Whether most of the filled cells of a column pass; false without any. */
function mostly(
  rows: readonly (readonly string[])[],
  column: number,
  passes: (cell: string, row: readonly string[]) => boolean,
): boolean {
  const filled = rows.filter((row) => (row[column] ?? '').trim() !== '');
  const passed = filled.filter((row) => passes(row[column] ?? '', row)).length;
  return filled.length > 0 && passed * 10 >= filled.length * 6;
}

/** Fields that are recognised by values alone, in a list without names of columns. */
const valueFields: readonly (readonly [RowInputField, (cell: string) => boolean])[] = [
  ['email', isEmailCell],
  ['profile_url', (cell) => isUrlCell(cell) && /linkedin\.com\/(?:in|pub)\//i.test(cell)],
  ['company_domain', isUrlCell],
  ['phone', isPhoneCell],
];

/** Every filled cell with the first name of its row: "Ada" in "Ada Lovelace". */
const hasFirstName = (firstName: number) => (cell: string, row: readonly string[]) => {
  const first = (row[firstName] ?? '').trim().toLowerCase();
  return first !== '' && isFullName(cell) && cell.toLowerCase().includes(first);
};

/** The column of full names besides the recognised ones; null if there is none. */
function findFullName(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  mapping: ColumnMapping,
): number | null {
  const { first_name: first, last_name: last } = mapping;
  // A recognised last name whose values repeat the first name is a full name.
  if (first !== undefined && last !== undefined)
    return mostly(rows, last, hasFirstName(first)) ? last : null;
  if (last !== undefined) return null;
  if (first !== undefined) return mostly(rows, first, isFullName) ? first : null;
  const used = new Set(Object.values(mapping));
  const named = recognizeColumns(headers, nameHeaders).name;
  const isFree = (column: number) => !used.has(column) && mostly(rows, column, isFullName);
  if (named !== undefined && isFree(named)) return named;
  // Under a usual header, values decide nothing: "Owner" may be a colleague.
  const found = isNameless(headers) ? headers.findIndex((_header, at) => isFree(at)) : -1;
  return found < 0 ? null : found;
}

/** Drops "Name" as the first name if its values are companies or emails. */
function dropMistaken(
  rows: readonly (readonly string[])[],
  { ...mapping }: ColumnMapping,
): ColumnMapping {
  const { first_name: first, company_name: company } = mapping;
  if (first === undefined || mapping.last_name !== undefined) return mapping;
  if (company === undefined && mostly(rows, first, (cell) => companyWord.test(cell))) {
    delete mapping.first_name;
    mapping.company_name = first;
  } else if (mostly(rows, first, isEmailCell)) {
    delete mapping.first_name;
    mapping.email ??= first;
  }
  return mapping;
}

/**
 * Recognises the columns of a list by their usual names, then the column of full names by its
 * values. Without names of columns, emails, addresses and phones are recognised by their values
 * too.
 * @param rows the first rows
 */
export function recognizeTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): RecognizedTable {
  const mapping = dropMistaken(rows, resolveMapping(headers));
  const used = new Set(Object.values(mapping));
  for (const [field, passes] of isNameless(headers) ? valueFields : []) {
    const column = headers.findIndex((_name, at) => !used.has(at) && mostly(rows, at, passes));
    if (column < 0) continue;
    mapping[field] = column;
    used.add(column);
  }
  const fullName = findFullName(headers, rows, mapping);
  if (fullName === null) return { mapping, fullName };
  delete mapping.last_name;
  return { mapping: { ...mapping, first_name: fullName }, fullName };
}
