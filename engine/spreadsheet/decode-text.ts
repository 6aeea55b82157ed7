// Decodes bytes to text in chunks. Invalid bytes are reported, never replaced.
import { isAscii, isUtf8 } from 'node:buffer';
import { encodingLabels } from '../contract/reading/encoding-labels.ts';
import type { Encoding } from '../contract/reading/encodings.ts';
import { isMainframePage, listCharacters, translateBytes } from './encoding/byte-tables.ts';
import { createUtf7Text } from './encoding/utf-7.ts';

/** Text up to the first invalid byte, and what is wrong there; '' if nothing is. */
export interface DecodedText {
  readonly text: string;
  readonly fault: string;
}

/** Decodes the next bytes. With `last`, an incomplete character at the end is an error. */
export type DecodeText = (bytes: Uint8Array, last: boolean) => DecodedText;

const BYTE_ORDER_MARK = '\uFEFF';

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

/** Index of the first byte that is no UTF-8, or -1; and the count of valid sequences. */
export function surveyBytes(bytes: Buffer): { invalidAt: number; sequences: number } {
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
export function createUtf8Pieces(): (bytes: Uint8Array, last: boolean) => Buffer {
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

function createUtf32Decoder(bigEndian: boolean): DecodeText {
  let rest = Buffer.alloc(0);
  return (bytes, last) => {
    const whole = Buffer.concat([rest, bytes]);
    const length = whole.length - (whole.length % 4);
    rest = Buffer.from(whole.subarray(length));
    let text = '';
    for (let at = 0; at < length; at += 4) {
      const point = bigEndian ? whole.readUInt32BE(at) : whole.readUInt32LE(at);
      const isSurrogate = point >= 0xd800 && point <= 0xdfff;
      if (point > 0x10ffff || isSurrogate)
        return { text, fault: 'there is no character of UTF-32 here' };
      text += String.fromCodePoint(point);
    }
    const fault =
      last && rest.length > 0 ? 'the UTF-32 text ends in the middle of a character' : '';
    return { text, fault };
  };
}

function createUtf7Decoder(): DecodeText {
  const read = createUtf7Text();
  return (bytes, last) => {
    const latin = viewBuffer(bytes).toString('latin1');
    const foreignAt = latin.search(/[\x80-\xff]/);
    if (foreignAt < 0) return { text: read(latin, last), fault: '' };
    const byte = nameByte(latin.charCodeAt(foreignAt));
    return { text: read(latin.slice(0, foreignAt), true), fault: `the byte ${byte} is not UTF-7` };
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

function createTableDecoder(characters: readonly string[]): DecodeText {
  return (bytes) => ({ text: translateBytes(viewBuffer(bytes), characters), fault: '' });
}

/** Length of a piece of bytes that ends with its last whole line; 0 without a line end. */
function wholeLines(bytes: Uint8Array): number {
  const view = viewBuffer(bytes);
  return Math.max(view.lastIndexOf(0x0a), view.lastIndexOf(0x0d)) + 1;
}

function createStandardDecoder(encoding: Encoding): DecodeText {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let rest = Buffer.alloc(0);
  const decodeLines = (bytes: Uint8Array): DecodedText => {
    let text = '';
    for (let at = 0; at < bytes.length; ) {
      const lineEnd = viewBuffer(bytes).indexOf(0x0a, at);
      const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
      try {
        text += decoder.decode(bytes.subarray(at, end));
      } catch {
        const fault = `these bytes are no text in the encoding ${encodingLabels[encoding]}`;
        return { text, fault };
      }
      at = end;
    }
    return { text, fault: '' };
  };
  return (bytes, last) => {
    const whole = rest.length > 0 ? Buffer.concat([rest, bytes]) : viewBuffer(bytes);
    // No encoding has a character across the end of a line.
    const length = last ? whole.length : wholeLines(whole);
    rest = Buffer.from(whole.subarray(length));
    const piece = whole.subarray(0, length);
    try {
      return { text: decoder.decode(piece), fault: '' };
    } catch {
      return decodeLines(piece);
    }
  };
}

const decoderMakers: Partial<Record<Encoding, () => DecodeText>> = {
  'utf-8': createUtf8Decoder,
  'utf-16le': () => createUtf16Decoder(false),
  'utf-16be': () => createUtf16Decoder(true),
  'utf-32le': () => createUtf32Decoder(false),
  'utf-32be': () => createUtf32Decoder(true),
  'utf-7': createUtf7Decoder,
  'windows-1252': createWindows1252Decoder,
};

/** Whether the bytes of ASCII are ASCII in an encoding, as in almost all. */
export const isAsciiBased = (encoding: Encoding): boolean =>
  !/^utf-(?:16|32|7)/.test(encoding) && !isMainframePage(encoding);

/** Creates a decoder that does not drop a byte order mark. */
export function createPlainDecoder(encoding: Encoding): DecodeText {
  const made = decoderMakers[encoding]?.();
  if (made) return made;
  const characters = listCharacters(encoding);
  return characters ? createTableDecoder(characters) : createStandardDecoder(encoding);
}

/** Creates a decoder for one file. Drops a byte order mark at the start. */
export const createTextDecoder = (encoding: Encoding): DecodeText =>
  dropMark(createPlainDecoder(encoding));

export function dropMark(decode: DecodeText): DecodeText {
  let atHead = true;
  return (bytes, last) => {
    const decoded = decode(bytes, last);
    if (!atHead || decoded.text === '') return decoded;
    atHead = false;
    if (!decoded.text.startsWith(BYTE_ORDER_MARK)) return decoded;
    // Joined programs write it twice.
    return { text: decoded.text.replace(/^\uFEFF+/, ''), fault: decoded.fault };
  };
}
