// Decodes a file of which some lines are UTF-8 and others are in an older encoding.
import { isAscii, isUtf8 } from 'node:buffer';
import { encodingLabels } from '../../contract/reading/encoding-labels.ts';
import type { Encoding } from '../../contract/reading/encodings.ts';
import type { TableWarning } from '../collect-table.ts';
import { createPlainDecoder, type DecodedText, type DecodeText, dropMark } from '../decode-text.ts';
import { decodeWhole, splitLines } from './find-encoding.ts';
import { hasKnownLetters } from './judge-text.ts';

/** A decoder, and what it found once the file is read. */
export interface MixedDecoder {
  readonly decode: DecodeText;
  encoding(): Encoding;
  /** The lines that are in the other encoding. */
  warnings(): TableWarning[];
}

const linesNamedMax = 10;

/** Encodings in which a letter may have a byte of ASCII. */
const isMultiByte = (encoding: Encoding): boolean =>
  ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(encoding);

/** The text of bytes as UTF-8, unless they are UTF-8 by accident; null then. */
function readUtf8(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return hasKnownLetters(text) ? text : null;
}

function createCount() {
  const lines: number[] = [];
  let count = 0;
  return {
    lines,
    add(line: number): void {
      count++;
      if (lines.length < linesNamedMax) lines.push(line);
    },
    total: () => count,
  };
}

export function createMixedDecoder(legacy: Encoding): MixedDecoder {
  const utf8Lines = createCount();
  const legacyLines = createCount();
  let rest = Buffer.alloc(0);
  let line = 1;

  /** Decodes a line by its stretches outside ASCII. Each is in one of the encodings. */
  function decodeParts(bytes: Buffer): DecodedText {
    let text = '';
    let at = 0;
    let hasUtf8 = false;
    let hasLegacy = false;
    while (at < bytes.length) {
      let end = at;
      while (end < bytes.length && (bytes[end] ?? 0) <= 0x7f) end++;
      text += bytes.toString('latin1', at, end);
      at = end;
      while (end < bytes.length && (bytes[end] ?? 0) > 0x7f) end++;
      if (end === at) break;
      const part = bytes.subarray(at, end);
      const known = readUtf8(part);
      if (known === null) {
        const decoded = createPlainDecoder(legacy)(part, true);
        text += decoded.text;
        if (decoded.fault !== '') return { text, fault: decoded.fault };
        hasLegacy = true;
      } else {
        text += known;
        hasUtf8 = true;
      }
      at = end;
    }
    if (hasUtf8) utf8Lines.add(line);
    if (hasLegacy) legacyLines.add(line);
    return { text, fault: '' };
  }

  function decodeLine(bytes: Buffer): DecodedText {
    if (isAscii(bytes)) return { text: bytes.toString('latin1'), fault: '' };
    if (!isMultiByte(legacy)) return decodeParts(bytes);
    const known = readUtf8(bytes);
    const text = known ?? decodeWhole(bytes, legacy);
    if (text === null)
      return {
        text: '',
        fault: `these bytes are text neither in UTF-8 nor in ${encodingLabels[legacy]}`,
      };
    (known === null ? legacyLines : utf8Lines).add(line);
    return { text, fault: '' };
  }

  return {
    decode: dropMark((bytes, last) => {
      const whole = Buffer.concat([rest, bytes]);
      let text = '';
      rest = Buffer.alloc(0);
      for (const piece of splitLines(whole)) {
        const end = piece[piece.length - 1];
        if (!last && end !== 0x0a && end !== 0x0d) {
          rest = Buffer.from(piece);
          break;
        }
        const decoded = decodeLine(piece);
        text += decoded.text;
        if (decoded.fault !== '') return { text, fault: decoded.fault };
        line++;
      }
      return { text, fault: '' };
    }),
    encoding: () => (legacyLines.total() > utf8Lines.total() ? legacy : 'utf-8'),
    warnings() {
      const isLegacy = legacyLines.total() > utf8Lines.total();
      const [fewer, name, rule] = isLegacy
        ? ([utf8Lines, 'utf-8', legacy] as const)
        : ([legacyLines, legacy, 'utf-8'] as const);
      const [first] = fewer.lines;
      if (first === undefined) return [];
      const more = fewer.total() - fewer.lines.length;
      const numbers = fewer.lines.map((one) => one.toLocaleString('en-US')).join(', ');
      const lines = `line${fewer.total() > 1 ? 's' : ''} ${numbers}`;
      const rest = more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '';
      return [
        {
          line: first,
          message:
            `Text in ${encodingLabels[name]} was found in ${lines}${rest}, and read so. ` +
            `The other lines are ${encodingLabels[rule]}.`,
        },
      ];
    },
  };
}
