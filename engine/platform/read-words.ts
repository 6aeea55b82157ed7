// Reads the lists of words in resources/words, which people edit. An entry is `name: word | word`;
// indented lines continue it, and lines with "#" are comments.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from './paths.ts';

export type WordEntry = readonly [name: string, words: readonly string[]];

export function readWords(list: string): readonly WordEntry[] {
  const text = readFileSync(join(resourcesDir(), 'words', `${list}.txt`), 'utf8');
  return text
    .replace(/^#.*\n/gm, '')
    .trim()
    .split(/\n(?! )/)
    .map((entry) => {
      const [name = '', words = ''] = entry.split(':');
      return [name, words.split('|').map((word) => word.trim())];
    });
}

/** The words of a list by name; entries of one name are one set. */
export function readWordSets(list: string): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map<string, ReadonlySet<string>>();
  for (const [name, words] of readWords(list))
    sets.set(name, new Set([...(sets.get(name) ?? []), ...words]));
  return sets;
}

/** Each word of a list, also the name of its entry → that name. */
export const readForms = (list: string): ReadonlyMap<string, string> =>
  new Map(readWords(list).flatMap(([name, words]) => [name, ...words].map((word) => [word, name])));
