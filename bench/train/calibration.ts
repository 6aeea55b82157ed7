// Learns the share of right answers at a posterior.
import { type Alternative, learnWeights } from './logit.ts';

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

const round = (value: number): number => Number(value.toFixed(4));

/**
 * Points of a rising line from posterior to share of right answers, rounded to four digits:
 * isotonic regression by pooling adjacent violators.
 */
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
  const points = blocks.map(({ sum, right, count, rows }): [number, number] => [
    round(sum / rows),
    round(right / count),
  ]);
  return [[0, 0], ...points, [1, 1]];
}

const nothing: Alternative = { ids: new Int32Array(), values: new Float64Array() };
/** Posteriors from 0.0005 to 0.9998, evenly spaced by their log-odds. */
const smoothPoints = Array.from({ length: 49 }, (_one, at) => 1 / (1 + Math.exp(7.6 - at / 3)));

/**
 * The same by beta calibration (Kull, Silva Filho and Flach 2017): three numbers, so that few rows
 * near the threshold do not move it.
 */
export function smoothCalibrationOf(
  checked: readonly Checked[],
): [posterior: number, right: number][] {
  const featuresOf = (posterior: number): Alternative => {
    const share = Math.min(1 - 1e-9, Math.max(1e-9, posterior));
    return {
      ids: Int32Array.of(0, 1, 2),
      values: Float64Array.of(1, Math.log(share), -Math.log(1 - share)),
    };
  };
  const choices = checked.map(({ posterior, isRight }) => ({
    alternatives: [nothing, featuresOf(posterior)],
    right: isRight ? 1 : 0,
  }));
  const weights = learnWeights(choices, 3, { penalty: 0, epochs: 60, rate: 0.02 });
  const points = smoothPoints.map((posterior): [number, number] => {
    const { values } = featuresOf(posterior);
    const sum = values.reduce((total, value, at) => total + value * weights[at]!, 0);
    return [round(posterior), round(1 / (1 + Math.exp(-sum)))];
  });
  return [[0, 0], ...points, [1, 1]];
}
