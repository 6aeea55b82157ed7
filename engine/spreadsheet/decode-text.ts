/**
 * Decodes bytes to text in chunks. Bytes that are invalid in the encoding are reported, never
 * replaced.
 */
import { isAscii, isUtf8 } from 'node:buffer';

/** A supported encoding. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Text up to the first invalid byte, and what is wrong there; '' if nothing is. */
export interface DecodedText {
  readonly text: string;
  readonly fault: string;
}

/** Decodes the next bytes. With `last`, an incomplete character at the end is an error. */
export type DecodeText = (bytes: Uint8Array, last: boolean) => DecodedText;

const BYTE_ORDER_MARK = '\uFEFF';

/** A Buffer view of the same bytes. */
function viewBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Length of a UTF-8 sequence by its first byte; 0 if the byte cannot start one. */
function promisedLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/** Number of bytes at the end (0 to 3) that start an incomplete UTF-8 sequence. */
function incompleteTail(bytes: Uint8Array): number {
  const most = Math.min(3, bytes.length);
  for (let back = 1; back <= most; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return promisedLength(byte) > back ? back : 0;
  }
  return 0;
}

/**
 * Index of the first byte that is not UTF-8, or -1; and the number of valid multi-byte sequences.
 */
function surveyBytes(bytes: Buffer): { invalidAt: number; sequences: number } {
  if (isAscii(bytes)) return { invalidAt: -1, sequences: 0 };
  if (isUtf8(bytes)) return { invalidAt: -1, sequences: 1 };
  let invalidAt = -1;
  let sequences = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = promisedLength(bytes[at]!);
    const valid = length === 1 || (length > 1 && isUtf8(bytes.subarray(at, at + length)));
    if (!valid && invalidAt < 0) invalidAt = at;
    if (valid && length > 1) sequences++;
    at += valid ? length : 1;
  }
  return { invalidAt, sequences };
}

/** Joins the remainder with the next bytes, and holds back an incomplete character at the end. */
function createUtf8Pieces(): (bytes: Uint8Array, last: boolean) => Buffer {
  let rest = Buffer.alloc(0);
  return (bytes, last) => {
    const whole = rest.length > 0 ? Buffer.concat([rest, bytes]) : viewBuffer(bytes);
    const tail = last ? 0 : incompleteTail(whole);
    rest = Buffer.from(whole.subarray(whole.length - tail));
    return whole.subarray(0, whole.length - tail);
  };
}

/** A byte in hexadecimal: 0xE9. */
function nameByte(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function createUtf8Decoder(): DecodeText {
  const takePiece = createUtf8Pieces();
  return (bytes, last) => {
    const piece = takePiece(bytes, last);
    if (isAscii(piece)) return { text: piece.toString('latin1'), fault: '' };
    const { invalidAt } = surveyBytes(piece);
    if (invalidAt < 0) return { text: piece.toString('utf8'), fault: '' };
    return {
      text: piece.toString('utf8', 0, invalidAt),
      fault: `the byte ${nameByte(piece[invalidAt]!)} is not valid UTF-8`,
    };
  };
}

/** Index of an unpaired surrogate, or -1. */
function findLoneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1;
  return text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
}

function createUtf16Decoder(bigEndian: boolean): DecodeText {
  let rest = Buffer.alloc(0);
  return (bytes, last) => {
    const whole = Buffer.concat([rest, bytes]);
    let length = whole.length - (whole.length % 2);
    const highByteAt = bigEndian ? length - 2 : length - 1;
    const splitPair = length >= 2 && (whole[highByteAt]! & 0xfc) === 0xd8;
    if (splitPair && !last) length -= 2;
    rest = Buffer.from(whole.subarray(length));
    const piece = whole.subarray(0, length);
    const text = (bigEndian ? piece.swap16() : piece).toString('utf16le');
    const loneAt = findLoneSurrogate(text);
    if (loneAt >= 0) {
      return { text: text.slice(0, loneAt), fault: 'there is an unpaired UTF-16 surrogate here' };
    }
    const fault =
      last && rest.length > 0 ? 'the UTF-16 text ends in the middle of a character' : '';
    return { text, fault };
  };
}

// Bytes 0x80 to 0x9F in Windows-1252 (Unicode's bestfit table); a space means unassigned.
const windows1252Upper = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function createWindows1252Decoder(): DecodeText {
  return (bytes) => {
    const latin = viewBuffer(bytes).toString('latin1');
    let fault = '';
    const unassignedAt = latin.search(/[\x81\x8d\x8f\x90\x9d]/);
    const known = unassignedAt < 0 ? latin : latin.slice(0, unassignedAt);
    if (unassignedAt >= 0) {
      const name = nameByte(latin.charCodeAt(unassignedAt));
      fault = `the byte ${name} is neither UTF-8 nor a character of Windows-1252`;
    }
    const text = known.replace(
      /[\x80-\x9f]/g,
      (character) => windows1252Upper[character.charCodeAt(0) - 0x80]!,
    );
    return { text, fault };
  };
}

const decoderMakers: Record<Encoding, () => DecodeText> = {
  'utf-8': createUtf8Decoder,
  'utf-16le': () => createUtf16Decoder(false),
  'utf-16be': () => createUtf16Decoder(true),
  'windows-1252': createWindows1252Decoder,
};

/** Creates a decoder for one file. Drops a byte order mark at the start. */
export function createTextDecoder(encoding: Encoding): DecodeText {
  const decode = decoderMakers[encoding]();
  let atHead = true;
  return (bytes, last) => {
    const decoded = decode(bytes, last);
    if (!atHead || decoded.text === '') return decoded;
    atHead = false;
    if (!decoded.text.startsWith(BYTE_ORDER_MARK)) return decoded;
    return { text: decoded.text.slice(1), fault: decoded.fault };
  };
}

/** Surveys a whole file without a byte order mark to distinguish UTF-8 from Windows-1252. */
export interface EncodingSurvey {
  /** Adds the next bytes of the file. */
  push(bytes: Uint8Array): void;
  /**
   * Decides: Windows-1252 only if some byte is not UTF-8 and there is no valid multi-byte sequence.
   * A file with both is UTF-8, so that reading it reports the invalid line.
   * @param whole false if the bytes are only the start of the file
   */
  decide(whole: boolean): 'utf-8' | 'windows-1252';
}

/** Creates a survey for one file. */
export function createEncodingSurvey(): EncodingSurvey {
  const takePiece = createUtf8Pieces();
  let invalid = false;
  let sequences = 0;
  const scan = (bytes: Uint8Array, last: boolean) => {
    const found = surveyBytes(takePiece(bytes, last));
    invalid ||= found.invalidAt >= 0;
    sequences += found.sequences;
  };
  return {
    push: (bytes) => scan(bytes, false),
    decide(whole) {
      if (whole) scan(new Uint8Array(0), true);
      return invalid && sequences === 0 ? 'windows-1252' : 'utf-8';
    },
  };
}
