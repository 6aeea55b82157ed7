// How names sound, roughly: names with equal keys may be spellings of one name.
import { type RewriteRule, rewrite, rewriteRule } from './rewrite.ts';

/** Applied in order to the folded letters of a name. */
const sounds: readonly RewriteRule[] = [
  rewriteRule(/^ma?c/, 'mak', 'mc'),
  rewriteRule(/^[kgp]n/, 'n', 'n'),
  rewriteRule(/^wr/, 'r', 'wr'),
  rewriteRule(/^(?:ps|x)/, 's'),
  rewriteRule(/^wh/, 'w', 'wh'),
  rewriteRule(/tsch|tch|tsh|sch|sh|cz|ch/g, 'X'),
  rewriteRule(/ph/g, 'f', 'ph'),
  rewriteRule(/gh(?=t|$)/g, '', 'gh'),
  rewriteRule(/gh/g, 'g', 'gh'),
  rewriteRule(/ck/g, 'k', 'ck'),
  rewriteRule(/th/g, 't', 'th'),
  rewriteRule(/dg(?=[eiy])/g, 'j', 'dg'),
  rewriteRule(/c(?=[eiy])/g, 's', 'c'),
  rewriteRule(/[cq]/g, 'k'),
  rewriteRule(/x/g, 'ks', 'x'),
  rewriteRule(/z/g, 's', 'z'),
  rewriteRule(/v/g, 'f', 'v'),
  rewriteRule(/w(?![aeiouy])/g, '', 'w'),
  rewriteRule(/g(?=[eiy])/g, 'j', 'g'),
  rewriteRule(/mb$/, 'm', 'mb'),
  rewriteRule(/h(?![aeiouy])/g, '', 'h'),
  rewriteRule(/(?<=[aeiouyX])h/g, '', 'h'),
  rewriteRule(/d/g, 't', 'd'),
  rewriteRule(/b(?=t)/g, 'p', 'bt'),
  rewriteRule(/kh/g, 'k', 'kh'),
];

/** The key of a folded name; '' where it has no letters from a to z. */
export function phoneticKey(name: string): string {
  const key = rewrite(name.replace(/[^a-z]/g, ''), sounds);
  const first = key.slice(0, 1);
  const start = /[aeiouy]/.test(first) ? 'A' : first;
  return (start + key.slice(1).replace(/[aeiouyw]/g, ''))
    .replace(/(.)\1+/g, '$1')
    .replace(/j/g, 'g');
}
