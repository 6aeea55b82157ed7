// Reads XML Spreadsheet 2003, which programs name .xls or .xml.
import {
  csvCellCharactersMax,
  csvColumnsMax,
  workbookRowsMax,
} from '../../contract/limits/spreadsheet.ts';
import { createXmlReader, type XmlAttributes, type XmlListener } from '../workbook/workbook-xml.ts';
import { type ListReader, readOneTable, refuseFile, type TableEvents } from './list-reader.ts';
import { readText } from './read-text.ts';

class SheetsListener implements XmlListener {
  private readonly events: TableEvents;
  private isSheet = false;
  private isHidden = false;
  private isVisibility = false;
  private rows = 0;
  private cells: string[] | null = null;
  private column = 0;
  private across = 0;
  private type = '';
  private hasFormula = false;
  private dataText: string | null = null;
  private value = '';
  hasWorkbook = false;

  constructor(events: TableEvents) {
    this.events = events;
  }

  private openRow(attributes: XmlAttributes): void {
    const index = Number(attributes.read('Index')) || this.rows + 1;
    if (index <= this.rows || index > workbookRowsMax)
      throw refuseFile(`Row ${index} of the workbook is out of order or beyond the last row.`);
    this.rows = index;
    this.cells = [];
    this.column = 0;
  }

  private openCell(attributes: XmlAttributes): void {
    const index = Number(attributes.read('Index')) || this.column + 1;
    if (index <= this.column || index > csvColumnsMax)
      throw refuseFile(`Row ${this.rows} of the workbook has a cell in column ${index}.`);
    this.column = index;
    this.across = Math.max(0, Number(attributes.read('MergeAcross')) || 0);
    this.hasFormula = attributes.read('Formula') !== undefined;
    this.value = '';
    this.type = '';
  }

  private closeCell(): void {
    const { cells, column, type, value } = this;
    if (cells === null) return;
    while (cells.length < column - 1) cells.push('');
    // A day at midnight is a day.
    cells[column - 1] = type === 'DateTime' ? value.replace(/T00:00:00(?:\.0+)?$/, '') : value;
    if (this.hasFormula && type === '' && value === '') this.events.formula(`row ${this.rows}`);
    this.column = Math.min(csvColumnsMax, column + this.across);
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'Workbook') this.hasWorkbook = true;
    else if (name === 'Worksheet') {
      this.isSheet = true;
      this.isHidden = false;
      this.rows = 0;
      this.events.open(attributes.read('Name') ?? '');
    } else if (!this.isSheet) return;
    else if (name === 'Row') this.openRow(attributes);
    else if (name === 'Cell' && this.cells !== null) this.openCell(attributes);
    else if (name === 'Data' && this.cells !== null) {
      this.dataText = '';
      this.type = attributes.read('Type') ?? 'String';
    } else if (name === 'Visible') this.isVisibility = true;
  }

  text(text: string): void {
    if (this.isVisibility && /hidden/i.test(text)) this.isHidden = true;
    if (this.dataText === null) return;
    this.dataText += text;
    if (this.dataText.length <= csvCellCharactersMax) return;
    const most = csvCellCharactersMax.toLocaleString('en-US');
    throw refuseFile(`A cell of row ${this.rows} is longer than ${most} characters.`);
  }

  close(name: string): void {
    if (name === 'Data' && this.dataText !== null) {
      this.value = this.dataText;
      this.dataText = null;
    } else if (name === 'Cell') this.closeCell();
    else if (name === 'Row' && this.cells !== null) {
      if (this.cells.some((cell) => cell !== '')) this.events.row(this.cells, this.rows);
      this.cells = null;
    } else if (name === 'Visible') this.isVisibility = false;
    else if (name === 'Worksheet') {
      this.isSheet = false;
      this.events.close({ isHidden: this.isHidden });
    }
  }
}

export const readXmlSpreadsheet: ListReader = async (source, sink) => {
  const empty = 'The file is an XML spreadsheet without cells.';
  return await readOneTable(source, sink, empty, async (events) => {
    const listener = new SheetsListener(events);
    const reader = createXmlReader('XML', listener);
    await readText(source, (text) => reader.push(text));
    reader.end();
    if (!listener.hasWorkbook)
      throw refuseFile(
        'The file is XML, not a table.',
        'Open it in your spreadsheet program, save it as .xlsx or "CSV UTF-8", and choose the ' +
          'new file.',
      );
  });
};
