// Reads records from the bytes of a CSV file: decodes and parses them, in chunks of any size.
import type { Encoding } from '../contract/reading/encodings.ts';
import { createTextDecoder, type DecodedText, type DecodeText } from './decode-text.ts';
import { type AlignedColumns, cutAligned } from './reading/aligned-columns.ts';
import {
  createRecordSplitter,
  type OnRecord,
  type QuoteStyle,
  refuseLine,
} from './split-records.ts';

export interface RecordReaderOptions {
  /** One character. */
  readonly delimiter: string;
  /** The columns of a text that is aligned with spaces instead. */
  readonly aligned?: AlignedColumns | null | undefined;
  readonly encoding: Encoding;
  readonly quotes?: QuoteStyle | undefined;
  /** Replaces the decoder of the encoding. */
  readonly decode?: DecodeText | undefined;
  /** Called for each record: its cells, and the line of the file (from 1) on which it starts. */
  readonly onRecord: OnRecord;
}

/** A control character that no aligned text has, so that each line is one cell. */
const noDelimiter = '\x1f';

export interface RecordReader {
  /** Adds the next bytes, which the reader does not keep. */
  push(bytes: Uint8Array): void;
  /** Ends the file and passes on the last record. */
  end(): void;
  /** The characters NUL that were left out, besides those at the end of the file. */
  nulCount(): number;
}

/** The sign of DOS for the end of a file. */
const endSign = '\u001a';
const hasFillers = (text: string): boolean => text.includes(endSign) || text.includes('\0');

/** Where a text ends, without what fills the last block of its file: end signs and NULs. */
function findEnd(text: string): number {
  let end = text.length;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? '';
    if (character === endSign || character === '\0') end = at;
    else if (character.trim() !== '') break;
  }
  return end;
}

/**
 * Creates a reader of RFC 4180 with common extensions: mixed LF, CRLF and CR, text after a closing
 * quote, a byte order mark, empty lines (skipped). Both methods throw
 * EngineError('validation_error') with the line for an unclosed quote, bytes that are invalid in
 * the encoding, and cells or records beyond the limits. NUL characters, with which programs fill
 * fields and blocks, are left out.
 */
export function createRecordReader(options: RecordReaderOptions): RecordReader {
  const decode = options.decode ?? createTextDecoder(options.encoding);
  const { aligned, onRecord } = options;
  const splitter = aligned
    ? createRecordSplitter(noDelimiter, (cells, line) =>
        onRecord(cutAligned(cells[0] ?? '', aligned), line),
      )
    : createRecordSplitter(options.delimiter, onRecord, options.quotes);

  /** Characters that end the file if no other follows. */
  let held = '';
  let nuls = 0;

  function pushText(text: string): void {
    const plain = text.replaceAll('\0', '');
    nuls += text.length - plain.length;
    splitter.push(plain);
  }

  function take({ text, fault }: DecodedText): void {
    if (held !== '' || hasFillers(text)) {
      const whole = held + text;
      held = whole.slice(findEnd(whole));
      pushText(whole.slice(0, whole.length - held.length));
    } else splitter.push(text);
    if (fault) {
      throw refuseLine(
        splitter.currentLine(),
        `: ${fault}. Save the file as "CSV UTF-8", or choose its encoding, and try again.`,
      );
    }
  }

  return {
    push: (bytes) => take(decode(bytes, false)),
    end() {
      take(decode(new Uint8Array(0), true));
      splitter.end();
    },
    nulCount: () => nuls,
  };
}
