// Reads OpenDocument spreadsheets (.ods): the part content.xml of their archive.
import {
  csvCellCharactersMax,
  csvColumnsMax,
  workbookRowsMax,
} from '../../contract/limits/spreadsheet.ts';
import { openParts } from '../workbook/workbook-parts.ts';
import { readXml, type XmlAttributes, type XmlListener } from '../workbook/workbook-xml.ts';
import { type ListReader, readOneTable, refuseFile, type TableEvents } from './list-reader.ts';

const contentPart = 'content.xml';
const manifestPart = 'META-INF/manifest.xml';

/** The text of a cell, by its type. */
function readValue(type: string, value: string, shown: string): string {
  // Days and booleans are written in one way, whatever the sheet shows.
  if (type === 'date') return value.replace(/T00:00:00(?:\.0+)?$/, '');
  if (type === 'boolean') return value.toUpperCase();
  if (type === 'float') {
    const digits = shown.replace(/\D/g, '');
    const isSame = /^[+\d\s().-]+$/.test(shown) && Number(digits) === Math.abs(Number(value));
    // "007" and "(030) 123" are shown by the format of the cell.
    return isSame && /^\+?0|[()\s-]/.test(shown) && !/^-/.test(shown) ? shown : value;
  }
  return type === 'percentage' || type === 'currency' ? value : shown;
}

class ContentListener implements XmlListener {
  private readonly events: TableEvents;
  private readonly hiddenStyles = new Set<string>();
  private style = '';
  private isTable = false;
  private isHidden = false;
  private rows = 0;
  private rowRepeats = 1;
  private cells: string[] | null = null;
  private pending = 0;
  private cell: { type: string; value: string; repeats: number; hasFormula: boolean } | null = null;
  private shown = '';
  private paragraphs = 0;
  private isParagraph = false;
  private asides = 0;

  constructor(events: TableEvents) {
    this.events = events;
  }

  private openCell(attributes: XmlAttributes): void {
    const repeats = Number(attributes.read('number-columns-repeated')) || 1;
    const type = attributes.read('value-type') ?? '';
    const value =
      attributes.read('value') ??
      attributes.read('date-value') ??
      attributes.read('boolean-value') ??
      attributes.read('string-value') ??
      '';
    this.cell = { type, value, repeats, hasFormula: attributes.read('formula') !== undefined };
    this.shown = '';
    this.paragraphs = 0;
  }

  private closeCell(): void {
    const { cell, cells } = this;
    this.cell = null;
    if (cell === null || cells === null) return;
    const text = readValue(cell.type, cell.value, this.shown);
    if (text === '') {
      if (cell.hasFormula && cell.type === '') this.events.formula(`row ${this.rows + 1}`);
      // Empty cells at the end of a row are repeated thousands of times.
      this.pending += cell.repeats;
      return;
    }
    if (cells.length + this.pending + cell.repeats > csvColumnsMax)
      throw refuseFile(
        `Row ${this.rows + 1} of the spreadsheet has more than ` +
          `${csvColumnsMax.toLocaleString('en-US')} columns.`,
        'Delete the empty columns, or save the sheet as CSV, and choose the new file.',
      );
    for (; this.pending > 0; this.pending--) cells.push('');
    for (let count = 0; count < cell.repeats; count++) cells.push(text);
  }

  private closeRow(): void {
    const { cells, rowRepeats } = this;
    this.cells = null;
    if (cells === null) return;
    const isEmpty = cells.length === 0;
    if (!isEmpty && this.rows + rowRepeats > workbookRowsMax)
      throw refuseFile(
        `The spreadsheet has more than ${workbookRowsMax.toLocaleString('en-US')} rows.`,
      );
    if (isEmpty) this.rows += rowRepeats;
    for (let count = 0; !isEmpty && count < rowRepeats; count++) {
      this.rows++;
      this.events.row([...cells], this.rows);
    }
  }

  private add(text: string): void {
    this.shown += text;
    if (this.shown.length <= csvCellCharactersMax) return;
    const most = csvCellCharactersMax.toLocaleString('en-US');
    throw refuseFile(`A cell of row ${this.rows + 1} is longer than ${most} characters.`);
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'style') this.style = attributes.read('name') ?? '';
    else if (name === 'table-properties' && attributes.read('display') === 'false')
      this.hiddenStyles.add(this.style);
    else if (name === 'table') {
      this.isTable = true;
      this.isHidden = this.hiddenStyles.has(attributes.read('style-name') ?? '');
      this.rows = 0;
      this.events.open(attributes.read('name') ?? '');
    } else if (!this.isTable) return;
    // Comments and drawings have texts of their own.
    else if (name === 'annotation' || name === 'frame' || name === 'shapes') this.asides++;
    else if (this.asides > 0) return;
    else if (name === 'table-row') {
      this.cells = [];
      this.pending = 0;
      this.rowRepeats = Number(attributes.read('number-rows-repeated')) || 1;
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.openCell(attributes);
    else if (this.cell === null) return;
    else if (name === 'p') {
      if (this.paragraphs > 0) this.add('\n');
      this.paragraphs++;
      this.isParagraph = true;
    } else if (name === 's')
      this.add(' '.repeat(Math.min(1_000, Number(attributes.read('c')) || 1)));
    else if (name === 'tab') this.add('\t');
    else if (name === 'line-break') this.add('\n');
  }

  text(text: string): void {
    if (this.isParagraph && this.cell !== null && this.asides === 0) this.add(text);
  }

  close(name: string): void {
    if (name === 'annotation' || name === 'frame' || name === 'shapes') this.asides--;
    else if (this.asides > 0) return;
    else if (name === 'p') this.isParagraph = false;
    else if (name === 'table-cell' || name === 'covered-table-cell') this.closeCell();
    else if (name === 'table-row') this.closeRow();
    else if (name === 'table') {
      this.isTable = false;
      this.events.close({ isHidden: this.isHidden });
    }
  }
}

export const readOds: ListReader = async (source, sink) => {
  const parts = await openParts(source.path, source.signal);
  try {
    let isEncrypted = false;
    const open = (name: string): void => {
      isEncrypted ||= name === 'encryption-data';
    };
    if (parts.sizeOf(manifestPart) !== undefined) await readXml(parts, manifestPart, { open });
    if (isEncrypted)
      throw refuseFile(
        'The spreadsheet is protected with a password.',
        'Open it in LibreOffice, save it without a password, and choose it again.',
      );
    const size = Math.max(1, parts.sizeOf(contentPart) ?? 1);
    let done = 0;
    const empty = 'The file is an OpenDocument spreadsheet (.ods) without cells.';
    return await readOneTable(source, sink, empty, (events) =>
      readXml(
        {
          ...parts,
          read: (name, onText) =>
            parts.read(name, (text) => {
              done += text.length;
              source.onProgress(Math.min(1, done / (2 * size)));
              onText(text);
            }),
        },
        contentPart,
        new ContentListener(events),
      ),
    );
  } finally {
    parts.close();
  }
};
