// Letter pairs of many words: finds words with a similar spelling.
import type { Dictionary } from './index-dictionary.ts';

/** Words by letter pair: those of pair `p` are between starts[p] and starts[p + 1]. */
export interface Grams {
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
}

const lettersCount = 27;
/** Pairs of the letters a to z and one symbol for all others, such as the ends of a word. */
const gramsCount = lettersCount * lettersCount;

const letterOf = (code: number): number => (code >= 97 && code <= 122 ? code - 96 : 0);

const seen = new Uint8Array(gramsCount);
const gramsMax = 72;
const scratch = new Uint16Array(gramsMax);

/** Calls `take` with each pair of a word, without duplicates. */
function eachGram(length: number, codeAt: (at: number) => number, take: (gram: number) => void) {
  let count = 0;
  let before = 0;
  for (let at = 0; at <= length && count < gramsMax; at++) {
    const letter = at < length ? letterOf(codeAt(at)) : 0;
    const gram = before * lettersCount + letter;
    before = letter;
    if (seen[gram] === 1) continue;
    seen[gram] = 1;
    scratch[count++] = gram;
    take(gram);
  }
  for (let at = 0; at < count; at++) seen[scratch[at]!] = 0;
}

/** The pairs of a text, without duplicates. */
export function gramsOf(text: string): number[] {
  const grams: number[] = [];
  eachGram(
    text.length,
    (at) => text.charCodeAt(at),
    (gram) => grams.push(gram),
  );
  return grams;
}

/** Lists words by their pairs. @param ids the words of the dictionary that can be found */
export function listGrams(dictionary: Dictionary, ids: Uint32Array): Grams {
  const { starts: textStarts, pool } = dictionary;
  const starts = new Uint32Array(gramsCount + 1);
  const eachOf = (id: number, take: (gram: number) => void): void => {
    const start = textStarts[id]!;
    eachGram(textStarts[id + 1]! - start, (at) => pool[start + at]!, take);
  };
  for (const id of ids) eachOf(id, (gram) => starts[gram + 1]!++);
  for (let gram = 0; gram < gramsCount; gram++) starts[gram + 1]! += starts[gram]!;
  const next = starts.slice(0, gramsCount);
  const words = new Uint32Array(starts[gramsCount]!);
  for (const id of ids)
    eachOf(id, (gram) => {
      words[next[gram]!++] = id;
    });
  return { starts, words };
}
