// Draws from a seeded source: uniform, by chance, and by Zipf's law.
import { createRandom } from '../test/random.ts';

/** A seeded source of draws. Every draw advances it, so the order of calls matters. */
export interface Draws {
  /** From 0 up to 1. */
  random(): number;
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** True in this share (0 to 1) of the draws. */
  isHit(share: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /**
   * Draws positions from 0 up to `count`, the k-th in proportion to 1 / k^steepness. Real lists
   * have such frequent heads, which make matching hard.
   */
  spread(count: number, steepness: number): () => number;
}

function sumShares(count: number, steepness: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let at = 0; at < count; at++) {
    sum += 1 / (at + 1) ** steepness;
    sums[at] = sum;
  }
  return sums;
}

/** Draws that repeat for the same seed. */
export function createDraws(seed: number): Draws {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return {
    random,
    below,
    isHit: (share) => random() < share,
    pick: <Value>(values: readonly Value[]) => values[below(values.length)] as Value,
    spread(count, steepness) {
      const sums = sumShares(count, steepness);
      const sum = sums[count - 1] ?? 0;
      return () => {
        const wanted = random() * sum;
        let low = 0;
        let high = count - 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if ((sums[middle] ?? 0) < wanted) low = middle + 1;
          else high = middle;
        }
        return low;
      };
    },
  };
}
