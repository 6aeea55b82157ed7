// Combinations of kinds of dirt. A quarter of all pairs occur in the rows of the report alone, so
// that most of its rows with several kinds have a combination that no weight was learned from.
import type { Draws } from '../generate-draws.ts';
import type { Split } from './sample-people.ts';
import { hashText } from './text.ts';

interface Named {
  readonly name: string;
}

const heldShare = 4;
const triesMax = 12;

/** Whether only rows of the report have both kinds. */
const isHeldPair = (one: string, other: string): boolean =>
  hashText([one, other].sort().join(' + ')) % heldShare === 0;

/** Whether kinds have a combination that no row of another split has. */
export const isUnlearned = (kinds: readonly string[]): boolean =>
  kinds.some((one, at) => kinds.slice(at + 1).some((other) => isHeldPair(one, other)));

/**
 * Draws a kind to add to the chosen ones of a row of a split; null if none of several draws fits.
 * @param mayAdd whether a kind can be added
 */
export function drawCombined<Kind extends Named>(
  draw: (draws: Draws) => Kind,
  draws: Draws,
  chosen: readonly Kind[],
  split: Split,
  mayAdd: (kind: Kind) => boolean,
): Kind | null {
  const isReport = split === 'report';
  for (let tries = 0; tries < triesMax; tries++) {
    const kind = draw(draws);
    const isHeld = chosen.some(({ name }) => isHeldPair(name, kind.name));
    if (mayAdd(kind) && (chosen.length === 0 || isHeld === isReport)) return kind;
  }
  return null;
}
