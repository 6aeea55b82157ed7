/** Weighs the candidates of a row and keeps each one's best reading. */
import type { Comparison } from './comparison.ts';
import { isOtherPerson } from './other-given.ts';
import type { RowReading, WeighedRow } from './weigh-identifiers.ts';
import { pairFeatures, type Weighed, weighPair } from './weigh-pair.ts';

/** The candidates of a row. */
export interface BestCandidates {
  /** @param reading null for a row without a name */
  consider(reading: RowReading | null, person: number, row?: WeighedRow): void;
  /** The best ones, the best first. */
  ranked(): Weighed[];
}

const candidatesMax = 12;

/** No candidates yet. */
export function collectBest(
  { index, model, sink, readPerson, sources }: Comparison,
  ofRow: WeighedRow,
): BestCandidates {
  const { vocabulary } = sources;
  const best = new Map<number, Weighed>();
  const idOf = ({ person }: Weighed): number => index.sections.personIds[person]!;
  return {
    consider(reading, person, row = ofRow) {
      const { people } = row.identified;
      const isIdentified = people.size > 0 && people.has(person);
      if (!isIdentified && reading !== null && isOtherPerson(index, vocabulary, reading, person))
        return;
      const weighed = weighPair(index, model.weights, row, reading, readPerson(person));
      const known = best.get(person);
      if (weighed === null || (known && known.score >= weighed.score)) return;
      best.set(person, weighed);
      sink?.candidate(person, pairFeatures);
    },
    ranked: () =>
      [...best.values()]
        .sort((a, b) => b.score - a.score || idOf(a) - idOf(b))
        .slice(0, candidatesMax),
  };
}
