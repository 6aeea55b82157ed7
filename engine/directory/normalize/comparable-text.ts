// The text of a cell as a reader sees it: what two cells must share to be the same value. Nothing
// that is invisible or a second form of a letter is left.
import { decodeEntities } from '../../spreadsheet/decode-entities.ts';

/** Anything but printable ASCII, which needs no work. Most cells have nothing else. */
const unusual = /[^\x20-\x7e]/;
// Direction marks, joiners, fillers, variation selectors, controls and lone surrogates.
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}]|(?![\s\u0085])\p{Cc}/gu;
const blanks = /[\s\u0085\u2800]/g;
const apostrophes = /[\u00b4\u02b9\u02bb\u02bc\u02c8\u2018\u2019\u201b\u2032]/g;
const hyphens = /[\u2010-\u2015\u2043\u2212]/g;

export const dropInvisible = (text: string): string => text.replace(invisible, '');

/**
 * A text without invisible characters, in compatibility composition (NFKC), so that full-width
 * letters and ligatures are plain ones, with one form of spaces, apostrophes and hyphens.
 * Idempotent. Case and accents stay.
 */
export function comparableText(text: string): string {
  if (!unusual.test(text)) return text;
  // NFKC would change some apostrophes to a space and an accent.
  const composed = dropInvisible(text).replace(apostrophes, "'").normalize('NFKC');
  return dropInvisible(composed).replace(hyphens, '-').replace(blanks, ' ');
}

/** Percent escapes as letters; the text itself if they are not UTF-8. */
export function decodePercent(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

export const hasEscape = (text: string): boolean =>
  /%[0-9a-f]{2}|&(?:#x?[0-9a-f]+|[a-z]+);|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2})/i.test(text);

/** A text whose letters were escaped as in JSON: "\\u00e9". */
export const decodeLetters = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_escape, long: string, short: string) =>
    String.fromCharCode(Number.parseInt(long ?? short, 16)),
  );

const decodeOnce = (text: string): string =>
  decodeLetters(decodeEntities(text).replace(/(?:%[0-9a-f]{2})+/gi, decodePercent));

const decodingsMax = 4;

/** The text of an address: escapes of URLs, HTML and JSON are decoded, also repeated ones. */
export function readEscapes(text: string): string {
  let decoded = comparableText(text);
  for (let times = 0; times < decodingsMax && hasEscape(decoded); times++) {
    const next = comparableText(decodeOnce(decoded));
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}
