/**
 * The cells of a workbook as XML. Text is always stored as text, never as a formula: an id keeps
 * its zeros, and `=1+1` is shown as it is.
 */
import { EngineError } from '../../contract/errors.ts';
import { protectFormula } from '../../contract/exports/protect-formula.ts';
import { exportCellCharactersMax } from '../../contract/limits/exports.ts';
import type { ExportColumn } from './export-table.ts';

/** Indices of cellXfs in workbook-markup.ts. */
export const cellStyles = {
  text: 1,
  /** Text that would run as a formula if a person edits the cell. */
  quoted: 2,
  number: 3,
  date: 4,
  header: 5,
  changed: 6,
  changedQuoted: 7,
  note: 8,
} as const;

/** The letters of a column: A for 0, AA for 26. */
export function nameColumn(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : nameColumn(Math.floor(at / 26) - 1) + letter;
}

// What XML cannot represent, and what would be read as the escape of such a character.
const unrepresentable = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/giu;
const markup = /[&<>]/;
const needsEscape = /[&<>\p{Cc}\ufffe\uffff]|_x[0-9a-f]{4}_/iu;

const escapeCharacter = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Text as XML, with the escapes that spreadsheet programs use for control characters. */
function escapeText(text: string): string {
  if (!needsEscape.test(text)) return text.isWellFormed() ? text : text.toWellFormed();
  const escaped = text.toWellFormed().replace(unrepresentable, escapeCharacter);
  if (!markup.test(escaped)) return escaped;
  return escaped.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A cell of text with a style. */
export const writeText = (reference: string, text: string, style: number): string =>
  `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">` +
  `${escapeText(text)}</t></is></c>`;

const writeNumber = (reference: string, value: number | string, style: number): string =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;

const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const plainDay = /^(\d{4})-(\d{2})-(\d{2})$/;
const dayMs = 86_400_000;
/** 1970-01-01 in the days of a sheet, which are right from 1900-03-01. */
const sheetDayOf1970 = 25_569;
const firstSheetDay = 61;

/** The day of a sheet that a text means; null if it is not a whole day from 1900-03-01 on. */
function readSheetDay(text: string): number | null {
  const [, year, month, day] = plainDay.exec(text) ?? [];
  if (year === undefined) return null;
  const timeMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(timeMs).toISOString().slice(0, 10) !== text) return null;
  const days = timeMs / dayMs + sheetDayOf1970;
  return days >= firstSheetDay ? days : null;
}

function refuseLong(cell: string, reference: string, { name }: ExportColumn): never {
  const most = exportCellCharactersMax.toLocaleString('en-US');
  throw new EngineError(
    'validation_error',
    `Cell ${reference} (column ${JSON.stringify(name.slice(0, 60))}) has ` +
      `${cell.length.toLocaleString('en-US')} characters; Excel opens at most ${most} in one ` +
      'cell. Save as CSV, which has no such limit.',
  );
}

/** A cell; '' if it is empty. Throws `validation_error` for a text that Excel would not open. */
export function writeCell(
  text: string,
  reference: string,
  column: ExportColumn,
  isChanged: boolean,
): string {
  if (text === '') return '';
  if (column.type === 'number' && plainNumber.test(text))
    return writeNumber(reference, text, cellStyles.number);
  const day = column.type === 'date' ? readSheetDay(text) : null;
  if (day !== null) return writeNumber(reference, day, cellStyles.date);
  if (text.length > exportCellCharactersMax) refuseLong(text, reference, column);
  const runs = protectFormula(text) !== text;
  const { text: plain, quoted, changed, changedQuoted } = cellStyles;
  if (isChanged) return writeText(reference, text, runs ? changedQuoted : changed);
  return writeText(reference, text, runs ? quoted : plain);
}
