// Decides whether the first row of a list is a contact and not a header.
import { isEmailCell, isPhoneCell, isUrlCell } from '../column-values.ts';
import { findNamePair } from '../name-pair.ts';
import { recognizeColumns } from '../recognize-columns.ts';
import { rowInputColumns } from '../row-input-columns.ts';

const foldCell = (cell: string): string => cell.trim().toLowerCase();

/** Whether a cell has the text of a later cell of its column. */
function isRepeated(cell: string, column: number, rows: readonly (readonly string[])[]): boolean {
  const text = foldCell(cell);
  return text.length > 1 && rows.some((row) => foldCell(row[column] ?? '') === text);
}

/** A header that is repeated between the rows, as joined files have it. */
const isRepeatedRow = (first: readonly string[], rows: readonly (readonly string[])[]): boolean =>
  rows.some((row) => first.every((cell, at) => foldCell(cell) === foldCell(row[at] ?? '')));

/**
 * Whether the first row is a contact: it has an email address, a web address, a phone number, the
 * values of its columns or a person's name in two cells, and not two usual names of columns.
 * @param rows the rows below it
 */
export function readsLikeContact(
  first: readonly string[],
  rows: readonly (readonly string[])[],
): boolean {
  const names = Object.keys(recognizeColumns(first.slice(0, 100), rowInputColumns)).length;
  if (names > 1) return false;
  const strong = first.some((cell) => isEmailCell(cell) || isUrlCell(cell) || isPhoneCell(cell));
  if (strong) return true;
  if (names > 0 || isRepeatedRow(first, rows)) return false;
  if (first.some((cell, at) => isRepeated(cell, at, rows))) return true;
  // "Ann | Lee | Ola Ltd" above other names: the columns below and its own cells are the same pair.
  const columns = first.slice(0, 100).map((_cell, at) => at);
  const [own, below] = [findNamePair(columns, [first]), findNamePair(columns, rows)];
  return own !== null && own.first === below?.first && own.last === below.last;
}
