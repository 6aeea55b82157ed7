/**
 * Learns the share of right answers at a posterior: isotonic regression by pooling adjacent
 * violators.
 */

/** The best candidate of a row. */
export interface Checked {
  readonly posterior: number;
  readonly isRight: boolean;
}

interface Block {
  sum: number;
  right: number;
  count: number;
  /** Rows without the prior, which `count` includes. */
  rows: number;
}

const binsMax = 60;
/** Added to each bin, so that no share is 0 or 1. */
const prior = { right: 0.2, count: 0.3 } as const;

/** Points of a rising line from posterior to share of right answers, rounded to four digits. */
export function calibrationOf(checked: readonly Checked[]): [posterior: number, right: number][] {
  const sorted = [...checked].sort((a, b) => a.posterior - b.posterior);
  const size = Math.max(1, Math.ceil(sorted.length / binsMax));
  const blocks: Block[] = [];
  for (let from = 0; from < sorted.length; from += size) {
    const bin = sorted.slice(from, from + size);
    blocks.push({
      sum: bin.reduce((sum, { posterior }) => sum + posterior, 0),
      right: bin.filter(({ isRight }) => isRight).length + prior.right,
      count: bin.length + prior.count,
      rows: bin.length,
    });
    while (blocks.length > 1) {
      const [before, last] = blocks.slice(-2) as [Block, Block];
      if (before.right / before.count <= last.right / last.count) break;
      blocks.splice(-2, 2, {
        sum: before.sum + last.sum,
        right: before.right + last.right,
        count: before.count + last.count,
        rows: before.rows + last.rows,
      });
    }
  }
  const round = (value: number): number => Number(value.toFixed(4));
  const points = blocks.map(({ sum, right, count, rows }): [number, number] => [
    round(sum / rows),
    round(right / count),
  ]);
  return [[0, 0], ...points, [1, 1]];
}
