/** Text as names are compared: lower case, without Latin accents, other scripts as they are. */

const foldedLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
};
const latinMarks = /[\u0300-\u036f]/g;
const apostrophe = /['’‘`´ʻʼ‛′]/;
const apostrophes = /['’‘`´ʻʼ‛′]/g;

/** Whether a text is ASCII alone: most are, and need no Unicode work. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/**
 * Lower-cases and folds Latin letters to ASCII; leaves other scripts alone. Folding twice changes
 * nothing.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const bare = text.toLowerCase().normalize('NFKD').replace(latinMarks, '').toLowerCase();
  return bare.replace(/[øđłßæœıþðħŧŋ]/g, (letter) => foldedLetters[letter]!).normalize('NFC');
}

/** Drops apostrophes of every shape: O'Brien and OBrien are one. */
export const dropApostrophes = (text: string): string =>
  apostrophe.test(text) ? text.replace(apostrophes, '') : text;

/** Letters, digits and their marks of a folded text, without anything between. */
export const joinLetters = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
