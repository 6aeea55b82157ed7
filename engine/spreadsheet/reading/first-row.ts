/** Decides whether the first row of a list is a contact and not a header. */
import { recognizeColumns } from '../recognize-columns.ts';
import { rowInputColumns } from '../row-input-columns.ts';

const emailPattern = /^[^\s@<>,;]+@[^\s@<>,;]+\.[a-z]{2,}$/i;
const urlPattern = /^(?:https?:\/\/|www\.)\S+\.\S+$|^(?:[a-z]+\.)?linkedin\.com\/\S+$/i;
const phonePattern = /^\+?[\d\s()./-]{7,24}$/;

/** Whether a cell is an email address. */
export const isEmailCell = (cell: string): boolean =>
  cell.length <= 320 && emailPattern.test(cell.trim());

/** Whether a cell is a web address. */
export const isUrlCell = (cell: string): boolean =>
  cell.length <= 2_048 && urlPattern.test(cell.trim());

/** Whether a cell is a phone number of at least seven digits, and not a date or a plain number. */
export const isPhoneCell = (cell: string): boolean => {
  const text = cell.trim();
  if (text.length > 25 || !phonePattern.test(text)) return false;
  if (/^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(text)) return false;
  const digits = text.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15 && (/^\+|^0|^\(/.test(text) || /\d[\s().-]\d/.test(text));
};

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
 * Whether the first row is a contact: it has an email address, a web address, a phone number or the
 * values of its columns, and not two usual names of columns.
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
  return first.some((cell, at) => isRepeated(cell, at, rows));
}
