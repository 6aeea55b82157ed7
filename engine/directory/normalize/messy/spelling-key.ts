// Which names are one name in two spellings: Catherine and Katherine, Meyer and Maier. Stricter
// than phonetic-key.ts, which also has one key for names that only resemble each other.
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { type RewriteRule, rewrite, rewriteRule } from './rewrite.ts';

/** Letters that are spoken alike in the languages of Latin script, applied in order. */
const spellings: readonly RewriteRule[] = [
  rewriteRule(/^abd[aeiou]?(?:l|r(?=r))(?=..)/, 'abdl'),
  rewriteRule(/^[kg]n/, 'n'),
  rewriteRule(/^wr/, 'r'),
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
  rewriteRule(/(?<=.{4})(?:ie|ey|ee|ye)$/, 'i'),
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

/** What alphabets make of one written name: Müller and Mueller, Ivanov and Iwanow. */
const transliterations: readonly RewriteRule[] = [
  rewriteRule(/(?<=[aou])e(?=[^aeiouy])/g, ''),
  rewriteRule(/w(?=.*[oe](?:v|w|ff)a?$)/g, 'v'),
  rewriteRule(/(?<=[oe])(?:w|ff)(?=a?$)/, 'v'),
  rewriteRule(/(?<=[sc]k)(?:y|ij|iy|yi|ii)$/, 'i'),
];
const writtenKey = createBoundedCache((name: string) => rewrite(name, transliterations), 4_000);

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
