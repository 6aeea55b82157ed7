/** The hashes of the emails that one typing error turns into an email. */
import { finishHash, hashSeed, hashStep, tagSeed } from './index-dictionary.ts';

const codesOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const letters = codesOf('abcdefghijklmnopqrstuvwxyz.-_');
const sign = '@'.charCodeAt(0);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const none = -1;

/**
 * Passes on the hash and the tag of each lower-case address that is a letter from one: added, lost,
 * replaced or exchanged with the next. A digit tells two mailboxes apart, so none changes. An
 * address has about 1,500 of them, so no text is made.
 */
export function scanSlips(address: string, take: (hash: number, tag: number) => void): void {
  const codes = codesOf(address);
  const { length } = codes;
  let [hash, tag] = [hashSeed, tagSeed];
  /** The address up to here, at most two letters, and the address from a place on. */
  const pass = (one: number, two: number, from: number): void => {
    let [first, second] = [hash, tag];
    if (one !== none) [first, second] = [hashStep(first, one), hashStep(second, one)];
    if (two !== none) [first, second] = [hashStep(first, two), hashStep(second, two)];
    for (let at = from; at < length; at++) {
      first = hashStep(first, codes[at]!);
      second = hashStep(second, codes[at]!);
    }
    take(finishHash(first), finishHash(second));
  };
  for (let at = 0; at <= length; at++) {
    for (const letter of letters) pass(letter, none, at);
    if (at === length) return;
    const own = codes[at]!;
    if (own !== sign && !isDigit(own)) {
      pass(none, none, at + 1);
      for (const letter of letters) if (letter !== own) pass(letter, none, at + 1);
      const next = codes[at + 1] ?? own;
      if (next !== own && next !== sign) pass(next, own, at + 2);
    }
    hash = hashStep(hash, own);
    tag = hashStep(tag, own);
  }
}
