// UTF-7, in which old mail programs write lists: "M+APw-ller" is "Müller" (RFC 2152). A group of
// Base64 begins with a plus, and "+-" is a plus.

const groups = /\+([A-Za-z0-9+/]*)-?/g;
/** A group at the end of a piece, which the next piece may continue. */
const openGroup = /\+[A-Za-z0-9+/]*$/;

/** The characters of a group; null if its bits are no characters. */
function decodeGroup(base64: string): string | null {
  if (base64 === '') return '+';
  const bytes = Buffer.from(base64, 'base64');
  const length = bytes.length - (bytes.length % 2);
  const spareBits = base64.length * 6 - length * 8;
  const spare = bytes.length > length ? bytes[length] : 0;
  if (length === 0 || spareBits >= 8 || spare !== 0) return null;
  const text = bytes.subarray(0, length).swap16().toString('utf16le');
  return text.isWellFormed() ? text : null;
}

/** Decodes pieces of a text of ASCII. Groups that are none stay as they are. */
export function createUtf7Text(): (ascii: string, last: boolean) => string {
  let rest = '';
  return (ascii, last) => {
    const whole = rest + ascii;
    rest = last ? '' : (openGroup.exec(whole.slice(-groupCharactersMax))?.[0] ?? '');
    return whole
      .slice(0, whole.length - rest.length)
      .replace(groups, (group, base64: string) => decodeGroup(base64) ?? group);
  };
}

/** A longer group is no text of a cell. */
const groupCharactersMax = 65_536;

/** Letters of Latin, Greek, Cyrillic, Armenian and Hebrew, and signs that are written as groups. */
const isUsual = (text: string): boolean =>
  /^[\u00a0-\u05ff\u2010-\u20ac!-&*;-@[-`{-~]+$/.test(text);
const isEastAsian = (text: string): boolean =>
  /^[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]+$/.test(text);
/** Fewer characters may be the tag of an address by accident: ann+abc@ola.example. */
const eastAsianMin = 6;

/** Whether every plus of a text of ASCII is UTF-7, and some of them stand for letters. */
export function isUtf7(ascii: string): boolean {
  let letters = 0;
  let eastAsian = 0;
  for (const [, base64 = ''] of ascii.matchAll(groups)) {
    if (base64 === '') continue;
    const text = /[A-Za-z]/.test(base64) ? decodeGroup(base64) : null;
    if (text === null || !(isUsual(text) || isEastAsian(text))) return false;
    if (isEastAsian(text)) eastAsian += text.length;
    if (/[\u00a0-\uffff]/.test(text)) letters++;
  }
  return letters > 0 && (eastAsian === 0 || eastAsian >= eastAsianMin);
}
