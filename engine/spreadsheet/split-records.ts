// Parses CSV (RFC 4180, lenient): splits text in chunks of any size into records.
import { type EngineError, invalid } from '../contract/errors.ts';
import { csvCellCharactersMax, csvColumnsMax } from '../contract/limits/spreadsheet.ts';

/**
 * Called for each record: its cells, and the line of the text (from 1) on which it starts.
 * @param written the text of the line, if formatRecord would write the cells as this text
 */
export type OnRecord = (cells: string[], line: number, written?: string) => void;

export interface RecordSplitter {
  push(text: string): void;
  /** Ends the text and passes on the last record. Refuses an unclosed quote. */
  end(): void;
  /** The current line of the text (from 1). */
  currentLine(): number;
}

export interface QuoteStyle {
  readonly quote: '"' | "'";
  /** Whether spaces before a quote are no part of the cell: `Ann, "Lee, Ltd"`. */
  readonly isSpaced: boolean;
  /** Whether a quote in a cell is written with a backslash, as databases do. */
  readonly isEscaped: boolean;
}

/** RFC 4180: double quotes, doubled within a cell. */
export const plainQuotes: QuoteStyle = { quote: '"', isSpaced: false, isEscaped: false };

// States within a record:
//
//   START ──"──> QUOTED ──"──> QUOTE_SEEN ──"──> QUOTED   a doubled quote is part of the cell
//     │                           └──other──> PLAIN       text after a closing quote is kept
//     ├──space──> SPACES ──"──> QUOTED                      only with isSpaced
//     └──other──> PLAIN ──delimiter or line end──> START
const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_SEEN = 3;
const SPACES = 4;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const BACKSLASH = 92;

/** The refusal of a line of a file. All such refusals have this form. */
export function refuseLine(line: number, what: string): EngineError {
  return invalid(`Line ${line.toLocaleString('en-US')}${what}`);
}

/** Describes a cell beyond the limit. In quotes, the closing quote is most likely missing. */
function describeLongCell(quoted: boolean): string {
  const most = csvCellCharactersMax.toLocaleString('en-US');
  return quoted
    ? `a quote opened here is never closed within the ${most} characters that a cell may have. ` +
        'Close it with another ", or shorten the cell.'
    : `the cell is longer than ${most} characters. Shorten it and try again.`;
}

/** Index of a character at or after `at`; the end of the text if there is none. */
function findNext(text: string, character: string, at: number): number {
  const place = text.indexOf(character, at);
  return place < 0 ? text.length : place;
}

/** Line ends (LF, CR or CRLF) in a range. `before` is the preceding character code. */
function countLineEnds(text: string, from: number, to: number, before: number): number {
  let count = 0;
  let previous = before;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === CARRIAGE_RETURN || (code === LINE_FEED && previous !== CARRIAGE_RETURN)) count++;
    previous = code;
  }
  return count;
}

/** The state of a splitter between chunks, with a method for each state above. */
class Splitter implements RecordSplitter {
  private readonly delimiter: string;
  private readonly delimiterCode: number;
  private readonly onRecord: OnRecord;
  private readonly quote: string;
  private readonly isSpaced: boolean;
  private readonly isEscaped: boolean;
  private readonly quoteCode: number;
  /** Whether a line without quotes is written in the form of formatRecord. */
  private readonly isWrittenAlike: boolean;
  private place: number = START;
  private cells: string[] = [];
  private cell = '';
  private headers: string[] | null = null;
  private line = 1;
  private cellLine = 1;
  private recordLine = 1;
  private lastCode = 0;
  // Next index of each character in the current text, so that no range is searched twice.
  private lineFeedAt = -1;
  private carriageReturnAt = -1;
  private quoteAt = -1;

  constructor(delimiter: string, onRecord: OnRecord, style: QuoteStyle) {
    this.delimiter = delimiter;
    this.delimiterCode = delimiter.charCodeAt(0);
    this.onRecord = onRecord;
    this.quote = style.quote;
    this.quoteCode = style.quote.charCodeAt(0);
    this.isSpaced = style.isSpaced;
    this.isEscaped = style.isEscaped;
    this.isWrittenAlike = delimiter === ',' && style.quote === '"';
  }

  currentLine(): number {
    return this.line;
  }

  private checkCell(value: string, column: number, atLine: number): void {
    if (value.length <= csvCellCharactersMax) return;
    const name = this.headers?.[column] ? `"${this.headers[column]}"` : `${column + 1}`;
    throw refuseLine(atLine, `, column ${name}: ${describeLongCell(this.place === QUOTED)}`);
  }

  private checkColumns(count: number): void {
    if (count <= csvColumnsMax) return;
    const most = csvColumnsMax.toLocaleString('en-US');
    throw refuseLine(this.recordLine, ` has more than ${most} columns. Remove some and try again.`);
  }

  private finishCell(): void {
    this.checkCell(this.cell, this.cells.length, this.cellLine);
    this.cells.push(this.cell);
    this.checkColumns(this.cells.length);
    this.cell = '';
    this.place = START;
  }

  private finishRecord(record: string[], written?: string): void {
    this.headers ??= record;
    this.onRecord(record, this.recordLine, written);
  }

  private seekMarks(text: string, at: number): void {
    if (this.lineFeedAt < at) this.lineFeedAt = findNext(text, '\n', at);
    if (this.carriageReturnAt < at) this.carriageReturnAt = findNext(text, '\r', at);
    if (this.quoteAt < at) this.quoteAt = findNext(text, this.quote, at);
  }

  /** Reads whole lines without quotes from `at` on. Returns where the first other line starts. */
  private takePlainLines(text: string, from: number): number {
    let at = from;
    for (;;) {
      this.seekMarks(text, at);
      if (
        this.lineFeedAt === text.length ||
        this.quoteAt < this.lineFeedAt ||
        this.carriageReturnAt < this.lineFeedAt - 1
      ) {
        return at;
      }
      const end = Math.min(this.lineFeedAt, this.carriageReturnAt);
      this.recordLine = this.line;
      if (end > at) {
        const written = text.slice(at, end);
        const record = written.split(this.delimiter);
        this.checkColumns(record.length);
        if (end - at > csvCellCharactersMax) {
          for (const [column, value] of record.entries()) this.checkCell(value, column, this.line);
        }
        this.finishRecord(record, this.isWrittenAlike ? written : undefined);
      }
      this.line++;
      at = this.lineFeedAt + 1;
    }
  }

  /** Reads the text of an unquoted cell. Returns where it stopped. */
  private takePlain(text: string, from: number): number {
    let at = from;
    let code = 0;
    while (at < text.length) {
      code = text.charCodeAt(at);
      if (code === this.delimiterCode || code === LINE_FEED || code === CARRIAGE_RETURN) break;
      at++;
    }
    if (at > from)
      this.cell = this.cell === '' ? text.slice(from, at) : this.cell + text.slice(from, at);
    if (at === text.length) {
      this.checkCell(this.cell, this.cells.length, this.cellLine);
      return at;
    }
    this.finishCell();
    if (code === this.delimiterCode) return at + 1;
    const record = this.cells;
    this.cells = [];
    this.finishRecord(record);
    this.line++;
    return code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
  }

  /** Reads text in quotes. Returns where it stopped. */
  private takeQuoted(text: string, from: number): number {
    const end = findNext(text, this.quote, from);
    if (this.lineFeedAt < from) this.lineFeedAt = findNext(text, '\n', from);
    if (this.carriageReturnAt < from) this.carriageReturnAt = findNext(text, '\r', from);
    if (this.lineFeedAt < end || this.carriageReturnAt < end) {
      this.line += countLineEnds(
        text,
        from,
        end,
        from === 0 ? this.lastCode : text.charCodeAt(from - 1),
      );
    }
    if (end > from)
      this.cell = this.cell === '' ? text.slice(from, end) : this.cell + text.slice(from, end);
    this.checkCell(this.cell, this.cells.length, this.cellLine);
    if (end === text.length) return end;
    if (this.isEscaped && this.endsInEscape()) {
      this.cell = this.cell.slice(0, -1) + this.quote;
      return end + 1;
    }
    if (text.charCodeAt(end + 1) === this.delimiterCode) {
      this.finishCell();
      return end + 2;
    }
    this.place = QUOTE_SEEN;
    return end + 1;
  }

  /** Whether the cell ends in a backslash that is not escaped itself. */
  private endsInEscape(): boolean {
    let at = this.cell.length;
    while (at > 0 && this.cell.charCodeAt(at - 1) === BACKSLASH) at--;
    return (this.cell.length - at) % 2 === 1;
  }

  /** Starts a cell; at the start of a record, tries whole lines first. Returns where it stopped. */
  private takeStart(text: string, from: number): number {
    let at = from;
    if (this.cells.length === 0) {
      at = this.takePlainLines(text, from);
      if (at === text.length) return at;
      this.recordLine = this.line;
      const code = text.charCodeAt(at);
      if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        this.line++;
        return code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
      }
    }
    this.cellLine = this.line;
    const first = text.charCodeAt(at);
    if (first !== this.quoteCode) {
      this.place = this.isSpaced && first === SPACE ? SPACES : PLAIN;
      return at;
    }
    this.place = QUOTED;
    return at + 1;
  }

  /** Reads spaces at the start of a cell. Returns where they end. */
  private takeSpaces(text: string, from: number): number {
    let at = from;
    while (text.charCodeAt(at) === SPACE) at++;
    if (at < text.length && text.charCodeAt(at) === this.quoteCode) {
      this.cell = '';
      this.place = QUOTED;
      return at + 1;
    }
    this.cell += text.slice(from, at);
    if (at < text.length) this.place = PLAIN;
    return at;
  }

  push(text: string): void {
    let at = 0;
    this.lineFeedAt = this.carriageReturnAt = this.quoteAt = -1;
    const betweenRecords = this.place === START && this.cells.length === 0;
    if (betweenRecords && this.lastCode === CARRIAGE_RETURN && text.charCodeAt(0) === LINE_FEED)
      at = 1;
    while (at < text.length) {
      if (this.place === START) at = this.takeStart(text, at);
      else if (this.place === PLAIN) at = this.takePlain(text, at);
      else if (this.place === QUOTED) at = this.takeQuoted(text, at);
      else if (this.place === SPACES) at = this.takeSpaces(text, at);
      else if (text.charCodeAt(at) === this.quoteCode) {
        this.cell += this.quote;
        this.place = QUOTED;
        at++;
      } else this.place = PLAIN;
    }
    if (text.length > 0) this.lastCode = text.charCodeAt(text.length - 1);
  }

  end(): void {
    if (this.place === QUOTED) {
      throw refuseLine(
        this.cellLine,
        ': a quote opened here is never closed. Close it with another ", or write a quote that ' +
          'belongs to the text as "".',
      );
    }
    if (this.place === START && this.cells.length === 0) return;
    this.finishCell();
    this.finishRecord(this.cells);
    this.cells = [];
  }
}

/**
 * Creates a splitter. Lines may end in LF, CRLF or CR, mixed; empty lines are skipped. Throws
 * EngineError('validation_error') with the line for an unclosed quote and for a cell or record
 * beyond the limits. The delimiter is one character.
 */
export function createRecordSplitter(
  delimiter: string,
  onRecord: OnRecord,
  style: QuoteStyle = plainQuotes,
): RecordSplitter {
  return new Splitter(delimiter, onRecord, style);
}
