// A cell of a caller's list as matching reads it: entities, mis-decoded letters, markup,
// placeholders and stray marks repaired. The caller's own cell never changes.
import { decodeEntities } from '../../../spreadsheet/decode-entities.ts';
import { decodeLetters } from '../comparable-text.ts';
import { pronouns } from '../name-words.ts';
import { spreadLink, tags } from '../read-markup.ts';

/** What Windows-1252 has from 0x80 to 0x9f; control characters where it has nothing. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const byteOfLetter = new Map([...windowsLetters].map((letter, at) => [letter, 0x80 + at]));
const utf8 = new TextDecoder('utf-8', { fatal: true });
const misdecodedPair = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${windowsLetters}]`);
const decodingsMax = 3;

/** The bytes that a text was decoded from as Windows-1252 or Latin-1; null if it was neither. */
function bytesOf(text: string): Uint8Array | null {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    const byte = code < 256 ? code : byteOfLetter.get(letter);
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  return new Uint8Array(bytes);
}

/** UTF-8 that was read as Windows-1252, up to three times: "GarcÃ­a" is García. */
function repairDecoding(text: string): string {
  let repaired = text;
  for (let times = 0; times < decodingsMax && misdecodedPair.test(repaired); times++) {
    const bytes = bytesOf(repaired);
    if (bytes === null) return repaired;
    try {
      repaired = utf8.decode(bytes);
    } catch {
      // A no-break space that became a space: the second byte of "à".
      const restored = repaired.replace(/\u00c3 /g, '\u00c3\u00a0');
      if (restored === repaired) return repaired;
      repaired = restored;
    }
  }
  return repaired;
}

/** A header of a mail: "=?UTF-8?Q?Ann_King?=". */
const mailWord = /=\?[\w-]+\?([QB])\?([^?\s]+)\?=/gi;
const decodeMailWord = (_all: string, kind: string, text: string): string =>
  kind.toUpperCase() === 'B'
    ? Buffer.from(text, 'base64').toString('utf8')
    : decodeEscapes(text.replaceAll('_', ' ').replace(/=(?=[0-9A-F]{2})/gi, '%'));

/** Letters of a mail's text: "M=C3=BCller". */
const mailLetters = /(?:=[C-F][0-9A-F](?:=[89AB][0-9A-F])+)+/g;

/** Letters of a list of DOS that were read as Windows-1252: "M\u0081ller". */
const lettersOfDos = new Map(
  [...'\u0081ü‚éƒâ„ä…à†å‡çˆê‰ëŠèŽÄ\u008fÅ\u0090É“ô”ö¡í¢ó£ú¤ñáß'.match(/../gu)!].map(
    ([sign, letter]) => [sign!, letter!],
  ),
);
const signOfDos = /(?<=\p{L})[\u0081‚ƒ„…†‡ˆ‰Š\u008f\u0090“”¡¢£¤](?=\p{Ll})/gu;

/** Escapes of letters that lost their mark: "Mu00fcller". */
const bareEscapes = /u(0[01][0-9a-f]{2})(?![0-9a-f]*\d)/g;
const decodeEscape = (_all: string, code: string): string =>
  String.fromCharCode(Number.parseInt(code, 16));

/** A word that was escaped for a web address: "Ann%20King". */
const escaped = /^[^\s/@:]*%[0-9A-F]{2}[^\s/@:]*$/i;

function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What lists put before a note: "Ann King ** hot lead **". */
const noteMark = /\s(?:\*{2,}|(?![©®™])\p{Extended_Pictographic}\ufe0f?|[★☆●■◆►•✓])+(?:\s+|$)/gu;
/** A text that a spreadsheet's function returns: `=T("Ann")`. */
const textFormula = /^=[a-z]*\("([^"]*)"\)$/i;
const mayBeLink = /<a\s|\]\(|^=\s*HYPERLINK\(/i;
/** Of full width, and what stretches an Arabic word. */
const wideLetters = /[\u0640\uff01-\uff5e]/;
/** The hyphen of a word that goes on in the next line. */
const lineHyphen = /(?<=\p{L})-\s*[\r\n]\s*(?=\p{Ll})/gu;
/** A cell that is quoted or bracketed as a whole. */
const wrapped = /^[“”„«']([^“”„»']+)[“”»']$|^\[([^[\]]+)\]$|^\(([^()]+)\)$/;

const placeholder =
  /^(?:n\/?a|null|none|nil|nan|undefined|unknown|tbd|tba|-+|\.+|\?+|x+|#n\/a|not (?:given|available|provided|known)|no company|no email|\(blank\)|blank|empty|missing|see (?:above|below|notes?|e-?mail|profile|comments?))$/i;
const plainCell = /^[\p{L}\p{N}](?:[\p{L}\p{N}.'@,:-]| (?! ))*$/u;
const doubtfulStart = /^[nutbmexs#]/i;

/** Repairs one cell. Returns '' for an empty cell or a placeholder such as "n/a". */
export function cleanCell(cell: string): string {
  if (cell === '') return '';
  // Most cells need nothing: neither marks nor a placeholder's first letter nor mis-decoded pairs.
  const isPlain =
    !cell.includes('u0') && plainCell.test(cell) && !/[\s,]$/.test(cell) && !wideLetters.test(cell);
  if (isPlain && !misdecodedPair.test(cell))
    return doubtfulStart.test(cell) && placeholder.test(cell) ? '' : cell;
  let text = decodeEntities(escaped.test(cell) ? decodeEscapes(cell) : cell);
  // Escaped twice: "&amp;amp;", "&amp;nbsp;".
  if (text.includes('&')) text = decodeEntities(text);
  if (text.includes('=?')) text = text.replace(mailWord, decodeMailWord);
  if (text.includes('='))
    text = text.replace(mailLetters, (run) => decodeEscapes(run.replaceAll('=', '%')));
  if (text.includes('u0')) text = text.replace(bareEscapes, decodeEscape);
  if (text.includes('\\')) text = decodeLetters(text);
  if (wideLetters.test(text)) text = text.normalize('NFKC');
  if (mayBeLink.test(text)) text = spreadLink(text);
  text = repairDecoding(text)
    .replace(signOfDos, (sign) => lettersOfDos.get(sign) ?? sign)
    .replace(lineHyphen, '')
    .replace(/\s*(?:[\r\n\t]|<br\s*\/?>)+\s*/gi, ' | ')
    .replace(tags, ' ')
    .replace(/<\/?[a-z]{1,6}\s*\/?>/gi, ' ')
    .replace(noteMark, ' | ')
    .replace(pronouns, ' ')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad\u0640]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(textFormula, '$1')
    .replace(/^[\s'"*_~=;,|]+(?=.)|[\s*_~=;,|]+$/g, '')
    .trim()
    .replace(wrapped, '$1$2$3');
  if (text.split('"').length === 2) text = text.replace(/^"|"$/g, '');
  return placeholder.test(text) ? '' : text;
}
