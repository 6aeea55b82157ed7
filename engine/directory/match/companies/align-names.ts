/** Aligns the readings of a row's name with the names of a group, with and without a parent. */
import type { MatchIndex } from '../../index/index-layout.ts';
import { groupByOwner } from '../../index/index-lists.ts';
import type { OrgRowWord } from '../graded/organisations/align-organisation.ts';
import type { OrgReading, OrgResolver } from '../graded/organisations/resolve-organisation.ts';
import type { NameWord } from '../graded/row-words.ts';
import { createParentFinder } from './find-parents.ts';

/** Names of a group that are compared. */
const entriesMax = 12;
/** Factor of a site whose parent is not named. */
const siteFactor = 0.93;

/** Best alignment of a row's readings with the names of one group. */
export interface Aligned {
  readonly score: number;
  readonly ofRow: number;
  readonly ofHeld: number;
  readonly held: readonly NameWord[];
  readonly row: readonly OrgRowWord[];
  readonly viaParent: boolean;
}

/** A reading of a row's name, complete or without the words of a parent. */
export interface Reading extends OrgReading {
  readonly viaParent: boolean;
}

function scoreOf(ofRow: number, ofHeld: number): number {
  return ofRow + ofHeld === 0 ? 0 : (2 * ofRow * ofHeld) / (ofRow + ofHeld);
}

/** Aligns names with the groups of an index. */
export function createNameAligner(index: MatchIndex, graded: OrgResolver) {
  const { sections } = index;
  const groupsCount = sections.groupWeights.length;
  const entries = groupByOwner(sections.orgEntryGroups, groupsCount);
  const parentOf = createParentFinder(index);
  const readNames = (name: string): readonly Reading[] =>
    graded.readings(name).flatMap((reading) => {
      const parent = parentOf(reading.words);
      const whole = { ...reading, viaParent: false };
      if (parent === 0) return [whole];
      const site = reading.words.slice(parent);
      return [whole, { words: site, factor: reading.factor * siteFactor, viaParent: true }];
    });
  const alignGroup = (readings: readonly Reading[], group: number): Aligned | null => {
    let best: Aligned | null = null;
    const to = Math.min(entries.starts[group + 1]!, entries.starts[group]! + entriesMax);
    for (let at = entries.starts[group]!; at < to; at++) {
      const entry = entries.order[at]!;
      const whole = graded.wordsOf(entry);
      const parent = parentOf(whole);
      for (const reading of readings)
        for (const skipped of parent === 0 ? [0] : [0, parent]) {
          const { ofRow, ofHeld } = graded.align(reading.words, entry, skipped);
          const factor = reading.factor * (skipped === 0 ? 1 : siteFactor);
          const score = scoreOf(ofRow, ofHeld) * factor;
          if (best !== null && score <= best.score) continue;
          const viaParent = reading.viaParent || skipped > 0;
          const held = skipped === 0 ? whole : whole.slice(skipped);
          best = { score, ofRow, ofHeld, held, row: reading.words, viaParent };
        }
    }
    return best;
  };
  return { readNames, alignGroup };
}
