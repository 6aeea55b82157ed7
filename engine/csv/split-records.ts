/** The grammar of CSV (RFC 4180, forgiving): text in pieces of any size becomes records, in time linear in the text. */
import { EngineError } from '../contract/errors.ts';
import { csvCellCharactersMax, csvColumnsMax } from '../contract/limits.ts';

/** Takes one record: its cells, and the line of the text (from 1) on which it begins. */
export type OnRecord = (cells: string[], line: number) => void;

/** A splitter at work. */
export interface RecordSplitter {
  /** Takes the next piece of text and hands on every record that ends in it. */
  push(text: string): void;
  /** The text is over: hands on the last record. Refuses a quote that was never closed. */
  end(): void;
  /** The line (from 1) that the text has come to. */
  currentLine(): number;
}

// Where in a record the text stands:
//   START ──"──> QUOTED ──"──> QUOTE_SEEN ──"──> QUOTED    (a doubled quote is one quote of the cell)
//     │                            └──any other──> PLAIN   (text after a closing quote is kept as it is)
//     └──any other──> PLAIN ──delimiter or line end──> START
const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_SEEN = 3;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;

/** A refusal of what stands on a line of a file: the one form that all of them have. */
export function refuseLine(line: number, what: string): EngineError {
  return new EngineError('validation_error', `Line ${line.toLocaleString('en-US')}${what}`);
}

/** What to tell of a cell beyond the limit: between quotes, most likely one was never closed. */
function describeLongCell(quoted: boolean): string {
  const most = csvCellCharactersMax.toLocaleString('en-US');
  return quoted
    ? `a quote opened here is never closed within the ${most} characters that a cell may have. ` +
        'Close it with another ", or shorten the cell.'
    : `the cell is longer than ${most} characters. Shorten it and try again.`;
}

/** The place of a character at or after `at`; the end of the text where there is none. */
function findNext(text: string, character: string, at: number): number {
  const place = text.indexOf(character, at);
  return place < 0 ? text.length : place;
}

/** Line ends (LF, CR or CRLF) in a stretch of text; `before` is the character code ahead of it. */
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

/**
 * Makes a splitter. Lines may end in LF, CRLF or CR, mixed; a line of no characters is skipped.
 * Throws EngineError('validation_error') with the line for a quote that is never closed and for a
 * cell or a record beyond the limits. The delimiter is one character.
 */
export function createRecordSplitter(delimiter: string, onRecord: OnRecord): RecordSplitter {
  const delimiterCode = delimiter.charCodeAt(0);
  let place = START;
  let cells: string[] = [];
  let cell = '';
  let headers: string[] | null = null;
  let line = 1;
  let cellLine = 1;
  let recordLine = 1;
  let lastCode = 0;
  // The next of each in the text at hand, so that no stretch of it is searched twice.
  let lineFeedAt = -1;
  let carriageReturnAt = -1;
  let quoteAt = -1;

  function checkCell(value: string, column: number, atLine: number): void {
    if (value.length <= csvCellCharactersMax) return;
    const name = headers?.[column] ? `"${headers[column]}"` : `${column + 1}`;
    throw refuseLine(atLine, `, column ${name}: ${describeLongCell(place === QUOTED)}`);
  }

  function checkColumns(count: number): void {
    if (count <= csvColumnsMax) return;
    const most = csvColumnsMax.toLocaleString('en-US');
    throw refuseLine(recordLine, ` has more than ${most} columns. Remove some and try again.`);
  }

  function finishCell(): void {
    checkCell(cell, cells.length, cellLine);
    cells.push(cell);
    checkColumns(cells.length);
    cell = '';
    place = START;
  }

  function finishRecord(record: string[]): void {
    headers ??= record;
    onRecord(record, recordLine);
  }

  function seekMarks(text: string, at: number): void {
    if (lineFeedAt < at) lineFeedAt = findNext(text, '\n', at);
    if (carriageReturnAt < at) carriageReturnAt = findNext(text, '\r', at);
    if (quoteAt < at) quoteAt = findNext(text, '"', at);
  }

  /** Takes whole lines without a quote from `at` on; answers where the first other line begins. */
  function takePlainLines(text: string, from: number): number {
    let at = from;
    for (;;) {
      seekMarks(text, at);
      if (lineFeedAt === text.length || quoteAt < lineFeedAt || carriageReturnAt < lineFeedAt - 1) {
        return at;
      }
      const end = Math.min(lineFeedAt, carriageReturnAt);
      recordLine = line;
      if (end > at) {
        const record = text.slice(at, end).split(delimiter);
        checkColumns(record.length);
        if (end - at > csvCellCharactersMax) {
          for (const [column, value] of record.entries()) checkCell(value, column, line);
        }
        finishRecord(record);
      }
      line++;
      at = lineFeedAt + 1;
    }
  }

  /** Takes text of a cell that no quote protects; answers where it stopped. */
  function takePlain(text: string, from: number): number {
    let at = from;
    let code = 0;
    while (at < text.length) {
      code = text.charCodeAt(at);
      if (code === delimiterCode || code === LINE_FEED || code === CARRIAGE_RETURN) break;
      at++;
    }
    if (at > from) cell = cell === '' ? text.slice(from, at) : cell + text.slice(from, at);
    if (at === text.length) {
      checkCell(cell, cells.length, cellLine);
      return at;
    }
    finishCell();
    if (code === delimiterCode) return at + 1;
    const record = cells;
    cells = [];
    finishRecord(record);
    line++;
    return code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
  }

  /** Takes text between quotes; answers where it stopped. */
  function takeQuoted(text: string, from: number): number {
    const end = findNext(text, '"', from);
    if (lineFeedAt < from) lineFeedAt = findNext(text, '\n', from);
    if (carriageReturnAt < from) carriageReturnAt = findNext(text, '\r', from);
    if (lineFeedAt < end || carriageReturnAt < end) {
      line += countLineEnds(text, from, end, from === 0 ? lastCode : text.charCodeAt(from - 1));
    }
    if (end > from) cell = cell === '' ? text.slice(from, end) : cell + text.slice(from, end);
    checkCell(cell, cells.length, cellLine);
    if (end === text.length) return end;
    if (text.charCodeAt(end + 1) === delimiterCode) {
      finishCell();
      return end + 2;
    }
    place = QUOTE_SEEN;
    return end + 1;
  }

  /** Begins a cell; at the head of a record, tries whole lines first. Answers where it stopped. */
  function takeStart(text: string, from: number): number {
    let at = from;
    if (cells.length === 0) {
      at = takePlainLines(text, from);
      if (at === text.length) return at;
      recordLine = line;
      const code = text.charCodeAt(at);
      if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        line++;
        return code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
      }
    }
    cellLine = line;
    if (text.charCodeAt(at) !== QUOTE) {
      place = PLAIN;
      return at;
    }
    place = QUOTED;
    return at + 1;
  }

  function push(text: string): void {
    let at = 0;
    lineFeedAt = carriageReturnAt = quoteAt = -1;
    const betweenRecords = place === START && cells.length === 0;
    if (betweenRecords && lastCode === CARRIAGE_RETURN && text.charCodeAt(0) === LINE_FEED) at = 1;
    while (at < text.length) {
      if (place === START) at = takeStart(text, at);
      else if (place === PLAIN) at = takePlain(text, at);
      else if (place === QUOTED) at = takeQuoted(text, at);
      else if (text.charCodeAt(at) === QUOTE) {
        cell += '"';
        place = QUOTED;
        at++;
      } else place = PLAIN;
    }
    if (text.length > 0) lastCode = text.charCodeAt(text.length - 1);
  }

  function end(): void {
    if (place === QUOTED) {
      throw refuseLine(
        cellLine,
        ': a quote opened here is never closed. Close it with another ", or write a quote that ' +
          'belongs to the text as "".',
      );
    }
    if (place === START && cells.length === 0) return;
    finishCell();
    finishRecord(cells);
    cells = [];
  }

  return { push, end, currentLine: () => line };
}
