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

/** Each word of a list, also the name of its entry → that name. */
export const readForms = (list: string): ReadonlyMap<string, string> =>
  new Map(readWords(list).flatMap(([name, words]) => [name, ...words].map((word) => [word, name])));
