/**
 * The repairs of a row: how matching reads cells that are not written as their fields expect. A
 * function of the row alone, but for names in each other's columns: those are known only of a row
 * whose person was found. Nothing is stored: results, previews and exports call it with the row.
 */
import type { InputRepair } from '../../contract/jobs/input-repairs.ts';
import { type ColumnMapping, readMapped } from '../../contract/jobs/row-input.ts';
import { cleanCell } from '../normalize/messy/clean-cell.ts';
import { nameKey } from '../normalize/normalize-name.ts';
import { isPlainCell, type RepairedField, repairedFields } from './plain-cells.ts';
import { moveIdentifiers, repairEmail, repairUrlCell } from './repair-identifiers.ts';
import {
  dropCompanyPart,
  dropTestRow,
  dropTwoPeople,
  placeNames,
  splitFullName,
  splitNameAndCompany,
} from './repair-names.ts';
import { type FoundNames, putCell, type RowCells, type RowDraft, readAlone } from './row-draft.ts';

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

/** Cleans every cell: encoding, marks, placeholders. */
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
  splitFullName(draft);
  dropCompanyPart(draft, found);
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
    // In a plain row, only what is compared with the person can need a repair.
    placeNames(draft, found);
    dropCompanyPart(draft, found);
    if (draft.repairs.length === 0) return none;
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
    const cell = readMapped(row, mapping, field);
    if (cell !== '') cells[field] = cell;
  }
  return cells;
}

/** The fields of a result that `namesOf` reads, in order. */
export const foundFields = ['First name', 'Last name', 'Current company name'] as const;

/**
 * The names of a matched person; null if none is known.
 * @param values those of `foundFields`
 */
export const namesOf = ([
  first = '',
  last = '',
  company = '',
]: readonly string[]): FoundNames | null =>
  first === '' && last === '' ? null : { first, last, company };
