/** Bytes become text, piece by piece; what is no text in the encoding is told, never replaced. */
import { isAscii, isUtf8 } from 'node:buffer';

/** An encoding that is read. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Text up to the first place that is no text, and what is wrong there; '' where all is well. */
export interface DecodedText {
  readonly text: string;
  readonly fault: string;
}

/** Decodes the next bytes; `last` says that none follow, so that half a character is a fault. */
export type DecodeText = (bytes: Uint8Array, last: boolean) => DecodedText;

const BYTE_ORDER_MARK = '\uFEFF';

/** A plain view of the same bytes with Buffer's decoders. */
function viewBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Length in bytes that the first byte of a UTF-8 sequence promises; 0 for one that begins none. */
function promisedLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/** Bytes at the end that begin a UTF-8 sequence and may go on in the next piece: 0 to 3. */
function incompleteTail(bytes: Uint8Array): number {
  const most = Math.min(3, bytes.length);
  for (let back = 1; back <= most; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return promisedLength(byte) > back ? back : 0;
  }
  return 0;
}

/** The place of the first byte that is no UTF-8, or -1; and valid sequences of several bytes. */
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

/** Joins what was left over with the next bytes, and cuts off the beginning of a character. */
function createUtf8Pieces(): (bytes: Uint8Array, last: boolean) => Buffer {
  let rest = Buffer.alloc(0);
  return (bytes, last) => {
    const whole = rest.length > 0 ? Buffer.concat([rest, bytes]) : viewBuffer(bytes);
    const tail = last ? 0 : incompleteTail(whole);
    rest = Buffer.from(whole.subarray(whole.length - tail));
    return whole.subarray(0, whole.length - tail);
  };
}

/** The byte as people write it: 0xE9. */
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

/** Index of the first half of a surrogate pair that stands alone, or -1. */
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
      return { text: text.slice(0, loneAt), fault: 'half a UTF-16 character stands alone here' };
    }
    const fault =
      last && rest.length > 0 ? 'the UTF-16 text ends in the middle of a character' : '';
    return { text, fault };
  };
}

// Bytes 0x80 to 0x9F as Windows-1252 has them (Unicode's bestfit table); a space: not assigned.
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

/** Makes a decoder for one file; a byte order mark at its head is dropped. */
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

/** Looks through a whole file that has no byte order mark, to tell UTF-8 from Windows-1252. */
export interface EncodingSurvey {
  /** Takes the next bytes of the file. */
  push(bytes: Uint8Array): void;
  /**
   * Decides: Windows-1252 only where some byte is no UTF-8 and no valid sequence of several bytes
   * speaks for UTF-8. A file with both stays UTF-8, so that reading it tells the broken line.
   * @param whole false where the bytes are only the head of the file
   */
  decide(whole: boolean): 'utf-8' | 'windows-1252';
}

/** Makes a survey for one file. */
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
