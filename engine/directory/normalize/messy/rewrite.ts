// Rewrites words by rules.
import { letterMaskOf } from '../similarity.ts';

/** A pattern, what replaces it, and letters that every text has which the pattern matches. */
export interface RewriteRule {
  readonly pattern: RegExp;
  readonly replacement: string;
  /** letterMaskOf the letters. */
  readonly needed: number;
}

/** @param needed letters without which the pattern matches nothing; none by default */
export const rewriteRule = (pattern: RegExp, replacement: string, needed = ''): RewriteRule => ({
  pattern,
  replacement,
  needed: letterMaskOf(needed),
});

/** Applies rules in order. Most rules need letters that a word lacks, and cost nothing. */
export function rewrite(text: string, rules: readonly RewriteRule[]): string {
  let written = text;
  let letters = letterMaskOf(text);
  for (const { pattern, replacement, needed } of rules) {
    if ((needed & ~letters) !== 0) continue;
    const next = written.replace(pattern, replacement);
    if (next === written) continue;
    written = next;
    letters = letterMaskOf(next);
  }
  return written;
}
