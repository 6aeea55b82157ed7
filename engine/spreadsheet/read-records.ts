/** Bytes of a CSV file in, records out: decoding and grammar together, in pieces of any size. */
import { createTextDecoder, type DecodedText, type Encoding } from './decode-text.ts';
import { createRecordSplitter, type OnRecord, refuseLine } from './split-records.ts';

/** How a file is to be read. */
export interface RecordReaderOptions {
  /** One character. */
  readonly delimiter: string;
  readonly encoding: Encoding;
  /** Takes each record: its cells, and the line of the file (from 1) on which it begins. */
  readonly onRecord: OnRecord;
}

/** A reader at work. */
export interface RecordReader {
  /** Takes the next bytes; the reader keeps none of them. */
  push(bytes: Uint8Array): void;
  /** The file is over: hands on the last record. */
  end(): void;
}

/**
 * Makes a reader of RFC 4180 with what files in the wild add: LF, CRLF and CR mixed, text after a
 * closing quote, a byte order mark, empty lines (skipped).
 * Both doors throw EngineError('validation_error') with the line for a quote never closed, a NUL,
 * bytes that are no text in the encoding, and cells or records beyond the limits.
 */
export function createRecordReader(options: RecordReaderOptions): RecordReader {
  const decode = createTextDecoder(options.encoding);
  const splitter = createRecordSplitter(options.delimiter, options.onRecord);

  function take({ text, fault }: DecodedText): void {
    const nulAt = text.indexOf('\0');
    splitter.push(nulAt < 0 ? text : text.slice(0, nulAt));
    if (nulAt >= 0) {
      throw refuseLine(
        splitter.currentLine(),
        ' holds a NUL character, which is no text. Save the file again as CSV and try again.',
      );
    }
    if (fault) {
      throw refuseLine(
        splitter.currentLine(),
        `: ${fault}. Nothing was guessed: save the file as "CSV UTF-8" and try again.`,
      );
    }
  }

  return {
    push: (bytes) => take(decode(bytes, false)),
    end() {
      take(decode(new Uint8Array(0), true));
      splitter.end();
    },
  };
}
