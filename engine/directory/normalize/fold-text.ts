// Folds text for comparison: lower case, without Latin accents; other scripts stay as they are.
import { dropInvisible } from './comparable-text.ts';

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

/** Whether a text is pure ASCII, which needs no Unicode work. Most texts are. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Folds Latin letters to lower-case ASCII and leaves other scripts as they are. Idempotent. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const visible = dropInvisible(text).toLowerCase();
  const bare = visible.normalize('NFKD').replace(latinMarks, '').toLowerCase();
  return bare.replace(/[øđłßæœıþðħŧŋ]/g, (letter) => foldedLetters[letter]!).normalize('NFC');
}

const cyrillicLetters = 'абвгдеёжзийклмнопрстуфхцчшщыэюяьъієґјљњћђџѕәқғңөұүһ';
const cyrillicSounds = (
  'a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch y e yu ya . . ' +
  'i ie g j lj nj c dj dz dz a k g n o u u h'
).split(' ');
const greekLetters = 'αβγδεζηθικλμνξοπρσςτυφχψω';
const greekSounds = 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'.split(' ');
const armenianLetters = 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև';
const armenianSounds =
  'a b g d e z e e t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts v p k o f ev'.split(
    ' ',
  );
const georgianLetters = 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ';
const georgianSounds =
  'a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h'.split(' ');
const transliterations: ReadonlyMap<string, string> = new Map(
  (
    [
      [cyrillicLetters, cyrillicSounds],
      [greekLetters, greekSounds],
      [armenianLetters, armenianSounds],
      [georgianLetters, georgianSounds],
    ] as const
  ).flatMap(([letters, sounds]) =>
    [...letters].map((letter, at) => [letter, sounds[at]!] as const),
  ),
);

/** Letters that alphabets write together: the sound of Μπ is that of B. */
const joinedLetters: readonly (readonly [letters: RegExp, sound: string])[] = [
  [/ου/g, 'ou'],
  [/ու/g, 'u'],
  [/(?<!\p{L})μπ/gu, 'b'],
  [/(?<!\p{L})ντ/gu, 'd'],
  [/γ(?=[γξχ])/g, 'n'],
  [/(?<=[αε])υ(?=[αβγδεζηιλμνορω])/g, 'v'],
  [/(?<=[αε])υ/g, 'f'],
  [/ии(?!\p{L})/gu, 'y'],
];
const foreignLetter = /[\u0370-\u058f]/;

const writeJoined = (text: string): string =>
  foreignLetter.test(text)
    ? joinedLetters.reduce((rest, [letters, sound]) => rest.replace(letters, sound), text)
    : text;

/** Like foldText, but also alphabets near Latin and typographic marks become ASCII. */
export function foldToAscii(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return writeJoined(foldText(text))
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replace(/[\u2018\u2019\u201b\u00b4\u0060]/g, "'")
    .replace(/[\u201c-\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(
      /[\u0370-\u058f\u10d0-\u10ff]/g,
      (letter) => transliterations.get(letter)?.replace('.', '') ?? letter,
    );
}

/** Removes apostrophes of every shape: O'Brien equals OBrien. */
export const dropApostrophes = (text: string): string =>
  apostrophe.test(text) ? text.replace(apostrophes, '') : text;

const digraphs: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
};

/** A text in small letters, with two letters for each that is also written as two: "mueller". */
export const writeDigraphs = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[äöüøå]/g, (letter) => digraphs[letter] ?? letter);

/** Letters, digits and their marks of a folded text, without separators. */
export const joinLetters = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
