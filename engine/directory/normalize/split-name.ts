/** Splits a name in one cell into first and last name. */
import { generationCode } from './normalize-name.ts';

/** A name in two cells. */
export interface SplitName {
  readonly first: string;
  readonly last: string;
}

const particles = new Set(
  'von van der den de del della di da dos das du la le el al bin ibn ter ten st st.'.split(' '),
);
// "Lord MacKay of Ardbrecknish": the territory is not part of the surname.
const territory = / of /i;

/**
 * "Ada King", "King, Ada", "Ludwig van Beethoven", "John Smith Jr." A single word is a last name.
 */
export function splitName(text: string): SplitName {
  const whole = text.trim().replace(/\s+/g, ' ');
  const [before = '', ...behind] = whole.split(',').map((part) => part.trim());
  const given = behind.filter((part) => part !== '' && generationCode(part) === 0);
  if (given.length) return { first: given.join(' '), last: before };
  const end = territory.exec(before)?.index ?? before.length;
  const words = before.slice(0, end).split(' ');
  let at = words.length - 1;
  while (at > 1 && generationCode(words[at] ?? '') > 0) at--;
  while (at > 1 && particles.has((words[at - 1] ?? '').toLowerCase())) at--;
  return {
    first: words.slice(0, at).join(' '),
    last: words.slice(at).join(' ') + before.slice(end),
  };
}
