// Formats of whole numbers that show zeros or signs: ids, postal codes and phone numbers.
import { numberFormatCharactersMax } from '../../contract/limits/spreadsheet.ts';

/** One section of a format: places of digits and fixed text, and the numbers that it is for. */
interface Section {
  /** A digit place that shows a zero, one that does not, or a text. */
  readonly parts: readonly ('0' | '#' | { readonly text: string })[];
  readonly fits: (value: number) => boolean;
}

export type DigitFormat = readonly Section[];

const conditions: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<=': (value, limit) => value <= limit,
  '>=': (value, limit) => value >= limit,
  '<>': (value, limit) => value !== limit,
  '<': (value, limit) => value < limit,
  '>': (value, limit) => value > limit,
  '=': (value, limit) => value === limit,
};

const token = /\[[^\]]*\]|"[^"]*"|\\.|_.|\*.|./gsu;
const fixedSigns = ' ()/-+:';

/** A section; null if it shows anything but whole digits and text. */
function readSection(code: string): Section | null {
  const parts: Section['parts'][number][] = [];
  let fits: Section['fits'] = () => true;
  for (const [part] of code.matchAll(token)) {
    const condition = /^\[(<=|>=|<>|<|>|=)(\d+)\]$/.exec(part);
    if (condition) {
      const [, sign = '', limit] = condition;
      fits = (value) => conditions[sign]?.(value, Number(limit)) ?? false;
    } else if (part.startsWith('[')) continue;
    else if (part === '0') parts.push('0');
    else if (part === '#') parts.push('#');
    else if (part.startsWith('"')) parts.push({ text: part.slice(1, -1) });
    else if (part.startsWith('\\')) parts.push({ text: part.slice(1) });
    else if (part.startsWith('_') || part.startsWith('*')) continue;
    else if (fixedSigns.includes(part)) parts.push({ text: part });
    else return null;
  }
  return { parts, fits };
}

/**
 * Reads a format of whole numbers that shows more than their plain digits: at least two zeros, or
 * text between digits. Null for any other format, such as one of amounts.
 */
export function readDigitFormat(code: string): DigitFormat | null {
  if (code.length > numberFormatCharactersMax) return null;
  const [positive = '', ...others] = code.replace(/;@$/, '').split(';');
  const hasConditions = /\[[<>=]/.test(code);
  const sections = (hasConditions ? [positive, ...others] : [positive]).map(readSection);
  const found = sections.filter((section) => section !== null);
  if (found.length < sections.length) return null;
  const isCode = found.every(({ parts }) => {
    const digits = parts.filter((part) => typeof part === 'string');
    const first = parts.findIndex((part) => typeof part === 'string');
    const last = parts.findLastIndex((part) => typeof part === 'string');
    // Spaces alone separate thousands.
    const hasSigns = parts
      .slice(first, last)
      .some((part) => typeof part !== 'string' && part.text.trim() !== '');
    const zeros = digits.filter((digit) => digit === '0').length;
    return zeros > 1 || (digits.length > 1 && hasSigns);
  });
  return isCode ? found : null;
}

/** A whole number as the format shows it; null if it does not apply. */
export function showDigits(written: string, format: DigitFormat): string | null {
  if (!/^\d{1,15}$/.test(written)) return null;
  const section = format.find(({ fits }) => fits(Number(written)));
  if (!section) return null;
  const places = section.parts.filter((part) => typeof part === 'string').length;
  const plain = written.replace(/^0+(?=\d)/, '');
  const digits = plain.padStart(places, ' ');
  // Digits beyond the places come before the first one.
  let at = digits.length - places;
  let shown = '';
  let isFirst = true;
  let hasDigits = false;
  for (const part of section.parts) {
    if (typeof part !== 'string') {
      shown += part.text;
      continue;
    }
    if (isFirst) {
      shown += digits.slice(0, at);
      hasDigits = at > 0;
    }
    isFirst = false;
    const digit = digits.charAt(at);
    at++;
    if (digit !== ' ') shown += digit;
    else if (part === '0' || hasDigits) shown += '0';
    hasDigits ||= digit !== ' ' || part === '0';
  }
  return shown.trim();
}
