/** How names sound, roughly: names with equal keys may be spellings of one name. */

/** Applied in order to the folded letters of a name. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/^ma?c/, 'mak'],
  [/^[kgp]n/, 'n'],
  [/^wr/, 'r'],
  [/^(?:ps|x)/, 's'],
  [/^wh/, 'w'],
  [/tsch|tch|tsh|sch|sh|cz|ch/g, 'X'],
  [/ph/g, 'f'],
  [/gh(?=t|$)/g, ''],
  [/gh/g, 'g'],
  [/ck/g, 'k'],
  [/th/g, 't'],
  [/dg(?=[eiy])/g, 'j'],
  [/c(?=[eiy])/g, 's'],
  [/[cq]/g, 'k'],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/v/g, 'f'],
  [/w(?![aeiouy])/g, ''],
  [/g(?=[eiy])/g, 'j'],
  [/mb$/, 'm'],
  [/h(?![aeiouy])/g, ''],
  [/(?<=[aeiouyX])h/g, ''],
  [/d/g, 't'],
  [/b(?=t)/g, 'p'],
  [/kh/g, 'k'],
];

/** The key of a folded name; '' where it has no letters from a to z. */
export function phoneticKey(name: string): string {
  let key = name.replace(/[^a-z]/g, '');
  for (const [pattern, replacement] of sounds) key = key.replace(pattern, replacement);
  const first = key.slice(0, 1);
  const start = /[aeiouy]/.test(first) ? 'A' : first;
  return (start + key.slice(1).replace(/[aeiouyw]/g, ''))
    .replace(/(.)\1+/g, '$1')
    .replace(/j/g, 'g');
}
