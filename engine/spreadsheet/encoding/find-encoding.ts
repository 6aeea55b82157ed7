// Finds the encoding of a file by its letters, from the whole file.
import { isAscii, isUtf8 } from 'node:buffer';
import type { Encoding } from '../../contract/reading/encodings.ts';
import { createPlainDecoder, createUtf8Pieces, surveyBytes } from '../decode-text.ts';
import { hasKnownLetters, judgeText } from './judge-text.ts';
import { findTwice } from './twice-encoded.ts';

export interface FoundEncoding {
  readonly encoding: Encoding;
  /** Whether other encodings are far less likely. */
  readonly isSure: boolean;
  /** Whether some lines are UTF-8 and others are in `encoding`. */
  readonly isMixed: boolean;
  /** Words that show the letters; none in a file without letters outside ASCII. */
  readonly sample: string;
  /** A word that was encoded as UTF-8 twice, if most were, and the word itself. */
  readonly twice: { readonly wrong: string; readonly right: string } | null;
  /** The next likely encodings, with the same words. */
  readonly others: readonly { readonly encoding: Encoding; readonly sample: string }[];
}

/** Surveys a file without a byte order mark. */
export interface EncodingSurvey {
  push(bytes: Uint8Array): void;
  /** @param whole false if the bytes are only the start of the file */
  decide(whole: boolean): FoundEncoding;
}

/** The encodings that are told apart by their letters. */
const candidates: readonly Encoding[] = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'windows-1254',
  'windows-1257',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'iso-8859-2',
  'iso-8859-5',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'x-mac-cyrillic',
  'ibm850',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'iso-8859-15',
  'iso-8859-7',
  'iso-8859-13',
  'iso-8859-16',
  'iso-8859-8',
  'iso-8859-6',
  'iso-8859-4',
  'iso-8859-10',
  'iso-8859-3',
  'ibm437',
  'ibm852',
  'ibm857',
  'ibm737',
  'ibm775',
  'ibm862',
  'ibm865',
  'x-mac-ce',
  'x-mac-greek',
  'x-mac-turkish',
];
/** The first of them that a list of today is hardly ever in, and needs more evidence. */
const rareFrom = candidates.indexOf('iso-8859-15');

/** Bytes of lines with letters outside ASCII that are looked at. */
const sampleBytesMax = 16_384;
const sampleCharactersMax = 60;
const othersMax = 3;
/** How much likelier, per byte outside ASCII and in all, a sure encoding is than the next one. */
const sureShare = 0.25;
const sureSum = 4;
/** Windows-1252 is the most common, and needs the least evidence. */
const commonBonus = 0.15;
const rarePenalty = 0.1;

const countHigh = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte > 0x7f) count++;
  return count;
};

export function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, at);
    const carriage = feed < 0 ? bytes.indexOf(0x0d, at) : -1;
    const end = feed >= 0 ? feed + 1 : carriage >= 0 ? carriage + 1 : bytes.length;
    yield bytes.subarray(at, end);
    at = end;
  }
}

export function decodeWhole(bytes: Uint8Array, encoding: Encoding): string | null {
  const { text, fault } = createPlainDecoder(encoding)(bytes, true);
  return fault === '' ? text : null;
}

function showWords(text: string): string {
  const words = text.match(/(?<![^\s,;|"])[^\s,;|"]*[^\s -~][^\s,;|"]*/g) ?? [];
  let shown = '';
  for (const word of new Set(words)) {
    if (shown.length + word.length > sampleCharactersMax) break;
    shown += shown === '' ? word : `, ${word}`;
  }
  return shown || (words[0] ?? '').slice(0, sampleCharactersMax);
}

interface Reading {
  readonly encoding: Encoding;
  readonly text: string;
  readonly score: number;
}

/** The readings of some bytes in every encoding in which they are text, the likeliest first. */
function readAll(bytes: Uint8Array): Reading[] {
  const byteCount = countHigh(bytes);
  const readings: Reading[] = [];
  for (const encoding of candidates) {
    const text = decodeWhole(bytes, encoding);
    // Several encodings may read a text as the same letters.
    if (text === null || readings.some((other) => other.text === text)) continue;
    const isRare = candidates.indexOf(encoding) >= rareFrom;
    const bonus = encoding === 'windows-1252' ? commonBonus : isRare ? -rarePenalty : 0;
    readings.push({ encoding, text, score: judgeText(text, byteCount) + bonus });
  }
  return readings.sort((one, other) => other.score - one.score);
}

function chooseReading(bytes: Uint8Array): Omit<FoundEncoding, 'isMixed'> {
  const [best, ...others] = readAll(bytes);
  if (best === undefined)
    return { encoding: 'windows-1252', isSure: false, sample: '', twice: null, others: [] };
  const lead = best.score - (others[0]?.score ?? Number.NEGATIVE_INFINITY);
  return {
    encoding: best.encoding,
    isSure: lead >= sureShare && lead * countHigh(bytes) >= sureSum,
    sample: showWords(best.text),
    twice: null,
    others: others
      .slice(0, othersMax)
      .map(({ encoding, text }) => ({ encoding, sample: showWords(text) })),
  };
}

function createSample(takes: (line: Buffer) => boolean) {
  const lines: Buffer[] = [];
  let size = 0;
  /** The start of a line whose end has not arrived yet; null within a line that is too long. */
  let start: Buffer | null = Buffer.alloc(0);

  function add(line: Buffer): void {
    if (size >= sampleBytesMax || isAscii(line) || !takes(line)) return;
    lines.push(Buffer.from(line));
    size += line.length;
  }

  return {
    push(bytes: Buffer): void {
      if (size >= sampleBytesMax) return;
      const whole = start === null || start.length === 0 ? bytes : Buffer.concat([start, bytes]);
      let isCut = start === null;
      start = Buffer.alloc(0);
      for (const line of splitLines(whole)) {
        const last = line[line.length - 1];
        const hasEnd = last === 0x0a || last === 0x0d;
        if (hasEnd && !isCut) add(line);
        else if (!hasEnd) start = isCut || line.length > sampleBytesMax ? null : Buffer.from(line);
        isCut = false;
      }
    },
    /** Leaves a piece out, and with it the line that it ends and the one that it begins. */
    skip(): void {
      start = null;
    },
    /** The collected lines; with the last one, which may be cut, if there is no other. */
    bytes: (withLast: boolean): Buffer => {
      if (start !== null && (withLast || lines.length === 0)) add(start);
      return Buffer.concat(lines);
    },
  };
}

const utf8: FoundEncoding = {
  encoding: 'utf-8',
  isSure: true,
  isMixed: false,
  sample: '',
  twice: null,
  others: [],
};

/** Encodings with letters of two bytes. */
const wideEncodings: ReadonlySet<Encoding> = new Set([
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
]);

/** Lines and characters that may be UTF-8 by accident: more of them are no accident. */
const accidentsMax = 3;

/** The characters outside ASCII of some UTF-8. */
const countForeign = (bytes: Buffer): number =>
  bytes.toString('utf8').match(/[^\0-\x7f]/gu)?.length ?? 0;

/** The encoding of a file that is UTF-8 throughout, in one or two places perhaps by accident. */
function checkUtf8(bytes: Buffer): FoundEncoding {
  const lines = [...splitLines(bytes)];
  const isAccident =
    lines.length > 0 &&
    lines.length <= accidentsMax &&
    countForeign(bytes) <= accidentsMax &&
    // Three bytes are hardly ever a character by accident.
    !/[\u0800-\uffff]/.test(bytes.toString('utf8')) &&
    // Letters may be written with combining marks.
    lines.every((line) => !hasKnownLetters(line.toString('utf8').normalize('NFC')));
  if (!isAccident) return { ...utf8, twice: findTwice(bytes.toString('utf8')) };
  const found = chooseReading(bytes);
  const isLikelier =
    // Two bytes of one letter each look like UTF-8, and none of two bytes does.
    !wideEncodings.has(found.encoding) &&
    judgeText(decodeWhole(bytes, found.encoding) ?? '', 1) > judgeText(bytes.toString('utf8'), 1);
  return isLikelier ? { ...found, isMixed: false } : utf8;
}

export function createEncodingSurvey(): EncodingSurvey {
  const takePiece = createUtf8Pieces();
  const sample = createSample((line) => !isUtf8(line));
  const utf8Sample = createSample(isUtf8);
  let hasInvalid = false;
  let hasSequences = false;
  let hasShifts = false;

  function scan(bytes: Uint8Array, last: boolean): void {
    const piece = takePiece(bytes, last);
    const isPlain = isAscii(piece);
    // Escapes that change the set of characters.
    if (isPlain) hasShifts ||= piece.includes('\x1b$B') || piece.includes('\x1b$@');
    const { invalidAt, sequences } = isPlain ? { invalidAt: -1, sequences: 0 } : surveyBytes(piece);
    hasSequences ||= sequences > 0;
    hasInvalid ||= invalidAt >= 0;
    // Most files are UTF-8 throughout: their lines are not split.
    if (invalidAt >= 0) sample.push(piece);
    else sample.skip();
    if (!hasInvalid && !isPlain) utf8Sample.push(piece);
    else utf8Sample.skip();
  }

  return {
    push: (bytes) => scan(bytes, false),
    decide(whole) {
      if (whole) scan(new Uint8Array(0), true);
      if (!hasInvalid && hasShifts) return { ...utf8, encoding: 'iso-2022-jp' };
      if (!hasInvalid) return checkUtf8(utf8Sample.bytes(whole));
      return { ...chooseReading(sample.bytes(whole)), isMixed: hasSequences };
    },
  };
}
