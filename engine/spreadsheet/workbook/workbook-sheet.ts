// Reads the cells of one sheet that have content, in order, within the limits of a list.
import {
  csvCellCharactersMax,
  csvColumnsMax,
  workbookNotesMax,
  workbookRowsMax,
} from '../../contract/limits/spreadsheet.ts';
import { showDigits } from './digit-format.ts';
import type { WorkbookParts } from './workbook-parts.ts';
import { refuseDamaged, refuseTooLarge } from './workbook-refusals.ts';
import type { NumberStyles } from './workbook-styles.ts';
import { type SharedTexts, unescapeText } from './workbook-texts.ts';
import { readXml, type XmlAttributes, type XmlListener } from './workbook-xml.ts';

interface SheetCell {
  /** The attribute `t`; defaults to a number. */
  readonly type: string;
  /** The attribute `s`. */
  readonly style: string | undefined;
  /** The text of `v`; '' if it is empty or missing. */
  readonly value: string;
  /** The text of `is`. */
  readonly inlineText: string;
}

interface ValueRules {
  readonly numberStyles: NumberStyles;
  /** Whether days are counted from 1904, as in early versions for the Macintosh. */
  readonly countsFrom1904: boolean;
}

const dayMs = 86_400_000;
/** Days from day 0 of a sheet to 1970, without 29 February 1900, which never was. */
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
function readValue(cell: SheetCell, rules: ValueRules, nameCell: () => string): string | number {
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

export interface Workbook extends ValueRules {
  readonly parts: WorkbookParts;
  readonly texts: SharedTexts;
}

export interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

export interface MergedRows {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** What a sheet says about its cells besides their values. */
export interface SheetNotes {
  readonly merged: MergedRows[];
  /** Links of cells, by the id of a relation or as an address. */
  readonly links: { readonly row: number; readonly id?: string; readonly address?: string }[];
  /** Formulas without a value, and the first of their cells. */
  formulas: number;
  firstFormula: string;
}

export const createSheetNotes = (): SheetNotes => ({
  merged: [],
  links: [],
  formulas: 0,
  firstFormula: '',
});

const linkFormula = /^\s*HYPERLINK\(\s*"((?:[^"]|"")+)"/i;
/** Characters of a formula that are looked at for a link. */
const formulaCharactersMax = 2_048;

/** Cells with content: row and column from 1, the text or the index of a shared string. */
export type OnCell = (row: number, column: number, value: string | number) => void;

const letters = 26;
/** Maximum digits and letters of a reference; sheets need seven and three. */
const digitsMax = 9;
const lettersMax = 9;

/** The letters of a column: 1 is A, 27 is AA. */
function nameColumn(column: number): string {
  let name = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / letters)) {
    name = String.fromCharCode(65 + ((left - 1) % letters)) + name;
  }
  return name;
}

/**
 * The refusal of a sheet that is too large because of one distant cell.
 * @param cause the row and column of that cell
 * @param used number of rows and columns of the sheet with that cell
 */
export function refuseRange(
  sheet: Sheet,
  cause: readonly [row: number, column: number],
  used: readonly [rows: number, columns: number],
): Error {
  const count = (number: number, one: string): string =>
    `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`;
  return refuseTooLarge(
    `${sheet.name} uses ${count(used[0], 'row')} × ${count(used[1], 'column')} because of cell ` +
      `${nameColumn(cause[1])}${cause[0]}.`,
    'Delete the empty rows and columns, or save the sheet as "CSV UTF-8" and choose the new file.',
  );
}

/** Refuses text that cannot be stored in a cell of a list. */
function checkText(text: string, nameCell: () => string): void {
  if (text.includes('\0'))
    throw refuseTooLarge(
      `The text of ${nameCell()} contains a NUL character.`,
      'Remove it and try again.',
    );
  if (!text.isWellFormed()) throw refuseDamaged(`${nameCell()} contains an unpaired surrogate`);
}

class CellListener implements XmlListener {
  private readonly workbook: Workbook;
  private readonly sheet: Sheet;
  private readonly onCell: OnCell;
  private readonly notes: SheetNotes | null;
  private hasFormula = false;
  private formula = '';
  private isFormula = false;
  private isData = false;
  private row = 0;
  private column = 0;
  private lastRow = 0;
  private lastColumn = 0;
  private cell: { -readonly [Key in keyof SheetCell]: SheetCell[Key] } | null = null;
  private reading: 'value' | 'inlineText' | null = null;
  private isInline = false;
  // Japanese sheets repeat a text in phonetic letters.
  private isPhonetic = false;

  constructor(workbook: Workbook, sheet: Sheet, onCell: OnCell, notes: SheetNotes | null) {
    this.notes = notes;
    this.workbook = workbook;
    this.sheet = sheet;
    this.onCell = onCell;
  }

  private readonly nameCell = (): string =>
    `cell ${nameColumn(this.column)}${this.row} of ${this.sheet.name}`;

  /** Moves to the cell of a reference such as AA12. */
  private goTo(reference: string): void {
    let column = 0;
    let at = 0;
    for (; at < reference.length; at++) {
      const letter = (reference.charCodeAt(at) | 0x20) - 0x60;
      if (letter < 1 || letter > letters) break;
      column = column * letters + letter;
    }
    const row = Number(reference.slice(at, at + digitsMax));
    const isCell = at > 0 && at <= lettersMax && reference.length - at <= digitsMax && row > 0;
    if (!isCell || !Number.isInteger(row))
      throw refuseDamaged(`"${reference.slice(0, 20)}" is not a cell reference`);
    this.row = row;
    this.column = column;
  }

  private openRow(attributes: XmlAttributes): void {
    this.row = Number(attributes.read('r')) || this.row + 1;
    this.column = 0;
  }

  private openCell(attributes: XmlAttributes): void {
    const reference = attributes.read('r');
    // A cell without a reference follows the previous one.
    if (reference) this.goTo(reference);
    else this.column++;
    const { row, column, lastRow, lastColumn } = this;
    if (row < lastRow || (row === lastRow && column <= lastColumn))
      throw refuseDamaged(`${this.nameCell()} is out of order`);
    this.lastRow = row;
    this.lastColumn = column;
    const [type = 'n', style] = [attributes.read('t'), attributes.read('s')];
    this.cell = { type, style, value: '', inlineText: '' };
    this.isInline = false;
    this.hasFormula = false;
    this.formula = '';
  }

  private noteFormula({ type, value }: SheetCell): void {
    const { notes } = this;
    if (notes === null) return;
    const [, link] = linkFormula.exec(this.formula) ?? [];
    if (link !== undefined && notes.links.length < workbookNotesMax)
      notes.links.push({ row: this.row, address: link.replaceAll('""', '"') });
    // A text or an error may be empty on purpose.
    if (value !== '' || type === 'str' || type === 'e') return;
    if (notes.formulas === 0) notes.firstFormula = `${nameColumn(this.column)}${this.row}`;
    notes.formulas++;
  }

  private noteRange(name: string, attributes: XmlAttributes): void {
    const { notes } = this;
    if (notes === null || (name !== 'mergeCell' && name !== 'hyperlink')) return;
    const range = /^([A-Z]{1,3})(\d{1,7})(?::[A-Z]{1,3}(\d{1,7}))?$/.exec(
      attributes.read('ref') ?? '',
    );
    if (range === null) return;
    const [, letters = '', firstRow, lastRow] = range;
    const [first, last] = [Number(firstRow), Number(lastRow ?? firstRow)];
    const id = attributes.read('id');
    if (name === 'hyperlink' && id !== undefined && notes.links.length < workbookNotesMax)
      notes.links.push({ row: first, id });
    if (name !== 'mergeCell' || last <= first || notes.merged.length >= workbookNotesMax) return;
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    notes.merged.push({ column, first, last });
  }

  private closeCell(cell: SheetCell): void {
    const value = readValue(cell, this.workbook, this.nameCell);
    const { texts } = this.workbook;
    if (typeof value === 'number' && !texts.has(value))
      throw refuseDamaged(`${this.nameCell()} refers to a missing shared string`);
    if (value === '' || (typeof value === 'number' && texts.bytesOf(value) === 0)) return;
    const { row, column } = this;
    if (row > workbookRowsMax || column > csvColumnsMax)
      throw refuseRange(this.sheet, [row, column], [row, column]);
    if (typeof value === 'string') checkText(value, this.nameCell);
    this.onCell(row, column, value);
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'sheetData') this.isData = true;
    else if (!this.isData) this.noteRange(name, attributes);
    else if (name === 'f') {
      this.hasFormula = true;
      this.isFormula = true;
    } else if (name === 'row') this.openRow(attributes);
    else if (name === 'c') this.openCell(attributes);
    else if (name === 'v') this.reading = 'value';
    else if (name === 'is') this.isInline = true;
    else if (name === 'rPh') this.isPhonetic = true;
    else if (name === 't' && this.isInline && !this.isPhonetic) this.reading = 'inlineText';
  }

  text(text: string): void {
    const { cell, reading } = this;
    if (this.isFormula && this.formula.length < formulaCharactersMax) this.formula += text;
    if (!cell || !reading) return;
    cell[reading] += text;
    if (cell[reading].length <= csvCellCharactersMax) return;
    const most = csvCellCharactersMax.toLocaleString('en-US');
    throw refuseTooLarge(
      `The text of ${this.nameCell()} is longer than ${most} characters.`,
      'Shorten it and try again.',
    );
  }

  close(name: string): void {
    if (name === 'sheetData') this.isData = false;
    else if (name === 'f') this.isFormula = false;
    else if (name === 'v' || name === 't') this.reading = null;
    else if (name === 'rPh') this.isPhonetic = false;
    else if (name === 'c' && this.cell) {
      this.closeCell(this.cell);
      if (this.hasFormula) this.noteFormula(this.cell);
      this.cell = null;
    }
  }
}

/**
 * Reads a sheet's cells with content from its XML. Throws EngineError('validation_error') for cells
 * beyond the rows and columns of a list, longer than a cell may be, or out of order, and what
 * readXml throws.
 * @param notes filled with what the sheet says besides values
 */
export const readCells = (
  workbook: Workbook,
  sheet: Sheet,
  onCell: OnCell,
  notes: SheetNotes | null = null,
): Promise<void> =>
  readXml(workbook.parts, sheet.part, new CellListener(workbook, sheet, onCell, notes));
