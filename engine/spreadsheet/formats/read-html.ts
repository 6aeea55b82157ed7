// Reads the tables of a web page, which some programs name .xls.
import { csvCellCharactersMax, csvColumnsMax } from '../../contract/limits/spreadsheet.ts';
import { decodeEntities } from '../decode-entities.ts';
import { type ListReader, readOneTable, refuseFile, type TableEvents } from './list-reader.ts';
import { readText } from './read-text.ts';

const tagCharactersMax = 65_536;

interface Span {
  readonly text: string;
  rows: number;
}

class PageReader {
  private readonly events: TableEvents;
  private rest = '';
  private depth = 0;
  private tables = 0;
  private rows = 0;
  private skips: string | null = null;
  private row: string[] | null = null;
  private cell: string | null = null;
  private columns = 1;
  private rowsOfCell = 1;
  private spans: (Span | undefined)[] = [];

  constructor(events: TableEvents) {
    this.events = events;
  }

  private endCell(): void {
    if (this.cell === null || this.row === null) return;
    const text = decodeEntities(this.cell)
      .replace(/[ \t\r\n\u00a0]+/g, ' ')
      .trim();
    this.cell = null;
    this.fillSpans();
    for (let at = 0; at < this.columns; at++) {
      if (this.row.length >= csvColumnsMax) break;
      // A merged cell has its text once; rows below it repeat it.
      this.row.push(at === 0 ? text : '');
      if (this.rowsOfCell > 1)
        this.spans[this.row.length - 1] = { text: at === 0 ? text : '', rows: this.rowsOfCell - 1 };
    }
  }

  /** Adds the cells that reach down to the place where the next cell begins. */
  private fillSpans(): void {
    for (;;) {
      const span = this.spans[this.row?.length ?? 0];
      if (this.row === null || span === undefined || span.rows <= 0) return;
      this.row.push(span.text);
      span.rows--;
    }
  }

  private endRow(): void {
    this.endCell();
    if (this.row === null) return;
    this.fillSpans();
    const { row } = this;
    this.row = null;
    this.rows++;
    if (row.some((cell) => cell !== '')) this.events.row(row, this.rows);
  }

  private openTag(name: string, tag: string): void {
    if (name === 'script' || name === 'style') this.skips = name;
    else if (name === 'table') {
      this.depth++;
      if (this.depth > 1) return;
      this.tables++;
      this.rows = 0;
      this.spans = [];
      this.events.open(`Table ${this.tables}`);
    } else if (this.depth !== 1) {
      if (this.cell !== null && /^(?:br|p|div|tr|td|li)$/.test(name)) this.cell += ' ';
    } else if (name === 'tr') {
      this.endRow();
      this.row = [];
    } else if (name === 'td' || name === 'th') {
      this.endCell();
      this.row ??= [];
      this.cell = '';
      const numberOf = (attribute: string): number =>
        Number(new RegExp(`\\b${attribute}\\s*=\\s*["']?(\\d{1,5})`, 'i').exec(tag)?.[1] ?? 1);
      this.columns = Math.min(csvColumnsMax, Math.max(1, numberOf('colspan')));
      this.rowsOfCell = Math.max(1, numberOf('rowspan'));
    } else if (this.cell !== null && /^(?:br|p|div|li)$/.test(name)) this.cell += ' ';
  }

  private closeTag(name: string): void {
    if (name !== 'table' && this.depth !== 1) return;
    if (name === 'td' || name === 'th') this.endCell();
    else if (name === 'tr') this.endRow();
    else if (name === 'table' && this.depth > 0) {
      if (this.depth === 1) {
        this.endRow();
        this.events.close({ isHidden: false });
      }
      this.depth--;
    }
  }

  private takeText(text: string): void {
    if (this.cell === null || text === '') return;
    this.cell += text;
    if (this.cell.length <= csvCellCharactersMax) return;
    const most = csvCellCharactersMax.toLocaleString('en-US');
    throw refuseFile(`A cell of row ${this.rows + 1} is longer than ${most} characters.`);
  }

  /** Where the script or style that is open ends; the end of the text if it does not. */
  private skipTo(text: string, at: number): number {
    if (this.skips === null) return at;
    const end = text.toLowerCase().indexOf(`</${this.skips}`, at);
    if (end >= 0) this.skips = null;
    return end < 0 ? text.length : end;
  }

  /** Reads the tag or comment at an index. Returns where it ends; -1 before its end arrives. */
  private takeTag(text: string, at: number): number {
    // "a < b" has no tag.
    if (at + 1 < text.length && !/[a-z/!?]/i.test(text[at + 1] ?? '')) {
      this.takeText('<');
      return at + 1;
    }
    const isComment = text.startsWith('<!--', at);
    const end = text.indexOf(isComment ? '-->' : '>', at);
    if (end < 0) return -1;
    if (isComment) return end + 3;
    const tag = text.slice(at + 1, end);
    const name = /^\/?[a-z][\w:]*/i.exec(tag)?.[0].toLowerCase();
    if (name?.startsWith('/')) this.closeTag(name.slice(1));
    else if (name !== undefined) this.openTag(name, tag);
    return end + 1;
  }

  push(piece: string): void {
    const text = this.rest + piece;
    let at = this.skipTo(text, 0);
    while (at < text.length) {
      const open = text.indexOf('<', at);
      this.takeText(text.slice(at, open < 0 ? text.length : open));
      if (open < 0) at = text.length;
      else {
        const end = this.takeTag(text, open);
        if (end < 0) {
          at = open;
          break;
        }
        at = this.skipTo(text, end);
      }
    }
    // The end of a script may have arrived in part.
    this.rest = this.skips === null ? text.slice(at) : text.slice(-16);
    if (this.rest.length <= tagCharactersMax) return;
    if (!this.rest.startsWith('<!--'))
      throw refuseFile('The web page has a tag that is never closed.');
    // Nothing of a long comment is needed but its end.
    this.rest = `<!--${this.rest.slice(-2)}`;
  }

  end(): void {
    if (this.depth === 0) return;
    this.endRow();
    this.events.close({ isHidden: false });
  }
}

/** Reads the table of a page that has the most known column names, else its first one. */
export const readHtml: ListReader = async (source, sink) => {
  const empty = 'The file is a web page without a table, whatever its name says.';
  return await readOneTable(source, sink, empty, async (events) => {
    const reader = new PageReader(events);
    await readText(source, (text) => reader.push(text));
    reader.end();
  });
};
