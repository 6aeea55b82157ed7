// Reads the email addresses and phone numbers of a cell as people write them: several in a cell,
// with names, labels and notes around them. Lists, imports, validation and suppression read cells
// by these functions.
import type { CountryCode } from 'libphonenumber-js';
import { valueCharactersMax } from '../../contract/limits/spreadsheet.ts';
import { readEscapes } from './comparable-text.ts';
import { normalizeEmail, readAddressText } from './normalize-email.ts';
import { normalizePhone, writeAsciiDigits } from './normalize-phone.ts';

const formulaText = /^=\s*"((?:[^"]|"")*)"$/;

// Zero-width and soft breaks, marks of direction, and joiners.
const mayBeUnseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
const unseen = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
// Some scripts need joiners between their letters.
const strayJoiner = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])/gu;

/**
 * A cell's text without surrounding spaces, zero-width characters, and what spreadsheets put around
 * a text that must not become a number: `="0049"` and a leading apostrophe.
 */
export function unwrapCell(cell: string): string {
  const visible = mayBeUnseen.test(cell) ? cell.replace(unseen, '').replace(strayJoiner, '') : cell;
  const trimmed = visible.trim();
  const first = trimmed[0];
  if (first === '=') {
    const inside = formulaText.exec(trimmed)?.[1];
    return inside === undefined ? trimmed : inside.replaceAll('""', '"').trim();
  }
  return first === "'" && /^'[+=@\d(-]/.test(trimmed) ? trimmed.slice(1) : trimmed;
}

const joiningWords = '(?:or|oder|ou|o|und|and|et|y|e|en|of|lub|eller|og|och|tai|nebo|veya|или|и|&)';
const breaks = new RegExp(
  `[;,|<>()\\[\\]\\r\\n\\t\\v\\x1d"]+|\\s/\\s|\\s+${joiningWords}\\s+`,
  'iu',
);
const label = /^(?:e-?mail|mail|smtp|mailto|work|private|privat|home|office|adresse?)\s*[:=]\s*/i;

/** The words of a text that are addresses; none if words before them may belong to them. */
function listAddresses(segment: string): string[] {
  const words = segment
    .trim()
    .replace(label, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const found = words.filter((word) => word.includes('@'));
  // In "ann lee@ola.example" the first word is a part of the address, or it is a name.
  const isSure = found.length > 1 || words[0]?.includes('@');
  return isSure ? found : [];
}

/** The words of a text without quoted local parts that are addresses. */
const listUnquoted = (text: string): string[] =>
  text
    .split(breaks)
    .filter((segment) => segment?.includes('@'))
    .flatMap((segment) =>
      segment.split('/').every((side) => side.includes('@')) ? segment.split('/') : [segment],
    )
    .flatMap(listAddresses);

const quotedAddress = /(?<![^\s;,|<>()[\]:'])("(?:[^"\\@]|\\[^@])+"@[^\s;,|<>()[\]"]+)/;

/** The addresses in a cell, in the form of normalizeEmail and in their order, each once. */
export function readEmails(cell: string): string[] {
  const only = normalizeEmail(cell);
  if (only !== null && cell.indexOf('@') === cell.lastIndexOf('@')) return [only];
  const text = readAddressText(unwrapCell(cell).slice(0, valueCharactersMax));
  if (!text.includes('@')) return [];
  const words = text
    .split(quotedAddress)
    .flatMap((piece, at) => (at % 2 === 1 ? [piece] : listUnquoted(piece)));
  const found = words.flatMap((word) => normalizeEmail(word) ?? []);
  if (found.length === 0 && only !== null) return [only];
  return [...new Set(found)];
}

const digitsMin = 7;
const countDigits = (text: string): number => text.replace(/\D/g, '').length;
const numberBreaks = new RegExp(
  `([;|\\r\\n]+|\\s:{3}\\s|,|/|\\s+${joiningWords}\\s+|\\s+bzw\\.?\\s+|(?<=\\d)\\s+(?=\\+\\d))`,
  'iu',
);
const extensionShape =
  /[\s,;(.-]*(?:extension|extn|ext|durchwahl|dw|nebenstelle|nst|apparat|app|poste|interno|int|anexo|ramal|toestel|wewn|wew|klapka|linka|доб(?:авочный)?|вн|внутр|dahili|内線|内线|分机|分機|转|轉|내선|내|مقطورة|تحويلة|שלוחה|ต่อ|x|#)[\s.:#]*(\d{1,7})\s*\)?\s*$/iu;
const vanityShape = /^\+?[\d\s().-]*[a-z](?:[\da-z]|[\s.-](?=[\da-z]))+$/i;
const keypad = 'abc2def3ghi4jkl5mno6pqrs7tuv8wxyz9';
const tollFree = /^\+?1?8(?:00|33|44|55|66|77|88)/;
/** Excel has dropped the last digits of such a number. */
const scientific = /^[+\d.,]*\d[.,]\d+E\+?\d+$/i;

/** "1-800-FLOWERS" in digits; the text itself if it has no such letters. */
function dialLetters(text: string): string {
  if (!/[a-z]{3}/i.test(text) || countDigits(text) < 3 || !vanityShape.test(text)) return text;
  const digits = text
    .toLowerCase()
    .replace(/[a-z]/g, (letter) => /\d/.exec(keypad.slice(keypad.indexOf(letter)))?.[0] ?? '')
    .replace(/[^\d+]/g, '');
  // Letters beyond the length of a number are not dialled.
  if (tollFree.test(digits)) return `+1${digits.replace(/^\+?1?(?=8)/, '').slice(0, 10)}`;
  return digits;
}

/** A number's text without labels and notes, with its extension as " x12". */
function bareNumber(text: string): string {
  const plain = text.replace(/^(?:tel|phone):/i, '').trim();
  const found = extensionShape.exec(plain);
  const main = dialLetters(found ? plain.slice(0, found.index) : plain)
    // "+44 (0)20": the zero is dialled only inside the country.
    .replace(/^(\s*\(?(?:\+|00)[\s\d)]*?)\(0+\)/, '$1 ')
    .replace(/^[^\d+(]*(?:\((?![+\d])[^)]*\)[^\d+(]*)?/u, '')
    .replace(/[\s(–-]*\p{L}[^\d]*$/u, '')
    .replace(/^\(?00\)?[\s.-]*(?=[1-9])/, '+')
    .replace(/^\+[\s+]+/, '+');
  return found ? `${main} x${found[1]}` : main;
}

/** The parts of a cell that may be numbers. A short part belongs to the one before it. */
function splitNumbers(text: string): string[] {
  const pieces = text.split(numberBreaks);
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const piece = pieces[at] ?? '';
    const last = parts.at(-1);
    const between = pieces[at - 1] ?? '';
    const isDialled = countDigits(piece) > 0 && (piece.match(/[\da-z]/gi)?.length ?? 0) > 9;
    const isWhole = countDigits(piece) >= digitsMin || isDialled;
    if (last === undefined || (isWhole && countDigits(last) >= digitsMin)) parts.push(piece);
    else if (countDigits(last) < digitsMin) parts[parts.length - 1] = `${last} ${piece}`;
    // "+1 555 123 4567, 89": a comma is a pause before the extension.
    else if (between.trim() === ',' && /^\s*(?:\p{L}+\.?\s*)?\d{1,6}\s*$/u.test(piece))
      parts[parts.length - 1] = `${last} x${piece.replace(/\D/g, '')}`;
    else if (between.trim() === ';' && /^\s*ext=/i.test(piece))
      parts[parts.length - 1] = `${last} x${piece.replace(/\D/g, '')}`;
  }
  return parts;
}

export interface CellPhones {
  /** In the form of normalizePhone, in their order, without repetition. */
  readonly numbers: readonly string[];
  /** Null with a number. */
  readonly problem: 'no_number' | 'no_country' | 'digits_lost' | null;
}

/** @param country of numbers that are written without one */
export function readPhones(cell: string, country: CountryCode | null): CellPhones {
  const given = writeAsciiDigits(readEscapes(unwrapCell(cell).slice(0, valueCharactersMax))).trim();
  // Programs write whole numbers next to empty cells with a fraction: 491701234567.0.
  const text = given.replace(/^(\+?[\d\s()-]{6,24}\d)\.0+$/, '$1');
  const whole = /^[+\d\s().-]*$/.test(text) ? normalizePhone(text, country) : null;
  if (whole !== null) return { numbers: [whole], problem: null };
  if (scientific.test(text)) return { numbers: [], problem: 'digits_lost' };
  const parts = splitNumbers(text);
  // A slash without spaces may be a part of the number.
  const joined =
    parts.length === 1 && !/\s\/\s|[a-z]/i.test(text) ? normalizePhone(text, country) : null;
  if (joined !== null) return { numbers: [joined], problem: null };
  const bare = parts.map(bareNumber);
  const numbers = [...new Set(bare.flatMap((part) => normalizePhone(part, country) ?? []))];
  if (numbers.length > 0) return { numbers, problem: null };
  const isNational =
    country === null && bare.some((part) => /^[^+]/.test(part) && countDigits(part) >= 6);
  return { numbers, problem: isNational ? 'no_country' : 'no_number' };
}
