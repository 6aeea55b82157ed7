/** Converts the cells of a workbook to text: numbers in plain digits, dates as yyyy-mm-dd. */

import { showDigits } from './digit-format.ts';
import { refuseDamaged } from './workbook-refusals.ts';
import type { NumberStyles } from './workbook-styles.ts';
import { unescapeText } from './workbook-texts.ts';

export interface SheetCell {
  /** The attribute `t`; defaults to a number. */
  readonly type: string;
  /** The attribute `s`. */
  readonly style: string | undefined;
  /** The text of `v`; '' if it is empty or missing. */
  readonly value: string;
  /** The text of `is`. */
  readonly inlineText: string;
}

/** Settings of a workbook that apply to all of its cells. */
export interface ValueRules {
  readonly numberStyles: NumberStyles;
  /** Whether days are counted from 1904, as in early versions for the Macintosh. */
  readonly countsFrom1904: boolean;
}

const dayMs = 86_400_000;
/**
 * Days from day 0 of a sheet to 1970, without the non-existent 29 February 1900 that programs
 * count.
 */
const daysBefore1970 = 25_569;
const daysFrom1900To1904 = 1_462;
/** The day after 9999-12-31, the last date that programs display. */
const daysMax = 2_958_466;

/** The number in plain digits: 1.5E+20 as 150000000000000000000, 1.1000000000000001 as 1.1. */
function formatNumber(written: string): string {
  if (/^-?\d+$/.test(written)) return written;
  const shortest = String(Number(written));
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-])(\d+)$/.exec(shortest);
  if (!parts) return shortest === 'NaN' ? written : shortest;
  const [, sign, first, more = '', direction, power] = parts;
  if (direction === '-') return `${sign}0.${'0'.repeat(Number(power) - 1)}${first}${more}`;
  return `${sign}${first}${more.padEnd(Number(power), '0')}`;
}

/** A day as yyyy-mm-dd, with the time if there is one; a time without a day as HH:MM:SS. */
function formatDate(timeMs: number): string {
  // Days are binary fractions in the sheet, so whole seconds are slightly off.
  const [day, time] = new Date(Math.round(timeMs / 1000) * 1000).toISOString().split('T');
  const clock = time!.slice(0, 8);
  if (day!.startsWith('1899-12-3')) return clock;
  return clock === '00:00:00' ? day! : `${day} ${clock}`;
}

function readNumber(
  { style, value }: SheetCell,
  rules: ValueRules,
  nameCell: () => string,
): string {
  const { numberStyles, countsFrom1904 } = rules;
  const shown = style === undefined ? null : numberStyles[Number(style)];
  if (shown === undefined && numberStyles.length > 0)
    throw refuseDamaged(`${nameCell()} has a missing style`);
  if (!shown) return formatNumber(value);
  if (shown !== 'date') return showDigits(formatNumber(value), shown) ?? formatNumber(value);
  const days = Number(value) + (countsFrom1904 ? daysFrom1900To1904 : 0);
  // Programs do not display a date for a number outside this range either, such as a phone number.
  if (!(days >= 0 && days < daysMax)) return formatNumber(value);
  return formatDate(Math.floor((days - daysBefore1970) * dayMs));
}

/**
 * The text of a cell, or the index of its shared string; '' for an empty cell and a failed formula.
 * Throws EngineError('validation_error') for a cell that no program writes.
 * @param nameCell how an error refers to the cell
 */
export function readValue(
  cell: SheetCell,
  rules: ValueRules,
  nameCell: () => string,
): string | number {
  const { type, value } = cell;
  if (type === 'inlineStr') return unescapeText(cell.inlineText);
  if (value === '' || type === 'e') return '';
  switch (type) {
    case 'n':
      return readNumber(cell, rules, nameCell);
    case 's':
      return Number(value);
    case 'str':
      return unescapeText(value);
    case 'b':
      if (value !== '0' && value !== '1') throw refuseDamaged(`${nameCell()} is neither 0 nor 1`);
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'd': {
      const timeMs = Date.parse(value);
      return Number.isNaN(timeMs) ? value : formatDate(timeMs);
    }
    default:
      throw refuseDamaged(`${nameCell()} has an unsupported type`);
  }
}
