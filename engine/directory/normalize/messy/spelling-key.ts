// Which names are one name in two spellings: Catherine and Katherine, Meyer and Maier. Stricter
// than phonetic-key.ts, which also has one key for names that only resemble each other.
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { type RewriteRule, rewrite, rewriteRule } from './rewrite.ts';

/** Letters that are spoken alike in the languages of Latin script, applied in order. */
const spellings: readonly RewriteRule[] = [
  rewriteRule(/^abd[aeiou]?(?:l|r(?=r))(?=..)/, 'abdl'),
  rewriteRule(/^[kg]n/, 'n'),
  rewriteRule(/^wr/, 'r'),
  rewriteRule(/^ye(?=[^aeiou])/, 'e'),
  rewriteRule(/^geo(?=f)/, 'je'),
  rewriteRule(/^g(?=[eiy])/, 'j'),
  rewriteRule(/tsch|tch/g, 'C'),
  rewriteRule(/sch|sh|sz/g, 'S'),
  rewriteRule(/ph/g, 'f'),
  rewriteRule(/ch(?=[rln])/g, 'k'),
  rewriteRule(/ch/g, 'C'),
  rewriteRule(/gh(?=t|$)/g, ''),
  rewriteRule(/dt/g, 't'),
  rewriteRule(/tz/g, 's'),
  rewriteRule(/qu/g, 'kv'),
  rewriteRule(/c(?=[eiy])/g, 's'),
  rewriteRule(/[cq]/g, 'k'),
  rewriteRule(/x/g, 'ks'),
  rewriteRule(/z/g, 's'),
  rewriteRule(/w/g, 'v'),
  rewriteRule(/ff$|v$/, 'f'),
  rewriteRule(/(?<=.{4})(?:ie|ey|ee|ye|ei|ej)$/, 'i'),
  rewriteRule(/(?<=[^aeou])j(?=[aeou])/g, 'i'),
  rewriteRule(/y|(?<=..)j$/g, 'i'),
  rewriteRule(/ie(?=[^aeiou]..)/g, 'i'),
  rewriteRule(/(?<=.)h/g, ''),
  rewriteRule(/eal$/, 'al'),
  rewriteRule(/ae/g, 'a'),
  rewriteRule(/oe/g, 'o'),
  rewriteRule(/ue/g, 'u'),
  rewriteRule(/ou|oo/g, 'u'),
  rewriteRule(/[ae]i/g, 'e'),
  rewriteRule(/(.)\1+/g, '$1'),
  rewriteRule(/(?<=.{3}[^aeiou])e$/, ''),
];
/** The vowel of a last syllable that has no stress: Kristen and Kristin. */
const lastVowel = /(?<=.[^aeiou])[aeiou](?=[nlrs]$)/;

/** What alphabets make of one written name: Müller and Mueller. */
const umlauts: readonly RewriteRule[] = [rewriteRule(/(?<=[aou])e(?=[^aeiouy])/g, '')];

const slavicEnding = /(?:[oe](?:v|w|ff)a?|[sc]k(?:[iy]+j?|ij|a[ijy]?a)|enko|ina?)$/;
/** Ivanov and Iwanow, Vasilieva and Vasileva, Solovyov and Soloviev, Tsvetkova and Cvetkova. */
const slavic: readonly RewriteRule[] = [
  rewriteRule(/w/g, 'v', 'w'),
  rewriteRule(/ff(?=a?$)/, 'v', 'f'),
  rewriteRule(/schtsch|shch|szcz/g, 'sh', 'h'),
  rewriteRule(/tsch|tch|cz/g, 'ch', 'c'),
  rewriteRule(/sch|sz/g, 'sh', 's'),
  rewriteRule(/zh/g, 'z', 'z'),
  rewriteRule(/kh|ch(?=[^aeiouy])/g, 'h', 'h'),
  rewriteRule(/ts|tz/g, 'c', 't'),
  rewriteRule(/[jy]o/g, 'e', 'o'),
  rewriteRule(/[ijy](?=[aeu])/g, ''),
  rewriteRule(/(?<=[sc]k)[ijy]+$/, 'i', 'k'),
  rewriteRule(/[ijy](?=[ijy])/g, ''),
  rewriteRule(/y(?=.*[^n]a?$)/g, 'i', 'y'),
  rewriteRule(/(.)\1+/g, '$1'),
];
const writtenKey = createBoundedCache((name: string) => {
  const plain = rewrite(name, umlauts);
  return slavicEnding.test(plain) ? rewrite(plain, slavic) : plain;
}, 4_000);

const givenKey = createBoundedCache(
  (name: string) => rewrite(name, spellings).replace(lastVowel, 'e'),
  4_000,
);

/** Short names differ by every letter: Lee and Li. */
const lettersMin = 4;

/** Whether two folded given names are spellings of one, unless they are of two sexes. */
export const areGivenSpellings = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= lettersMin && givenKey(one) === givenKey(other);

export const areOneWritten = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= lettersMin && writtenKey(one) === writtenKey(other);
