// Turns the scores of the candidates and of nobody into a confidence.
import type { MatchModel } from './model.ts';

/** How likely each candidate is, in the order of the scores. */
export function posteriors(scores: readonly number[], nobody: number): number[] {
  const highest = Math.max(nobody, ...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const all = weights.reduce((sum, weight) => sum + weight, Math.exp(nobody - highest));
  return weights.map((weight) => weight / all);
}

/**
 * The share of matches that are right at a posterior, by linear interpolation between the points of
 * the calibration. Rises with the posterior.
 */
export function calibrate({ calibration }: MatchModel, posterior: number): number {
  if (calibration.length === 0) return posterior;
  const at = calibration.findIndex(([from]) => from >= posterior);
  if (at < 0) return calibration.at(-1)![1];
  if (at === 0) return calibration[0]![1];
  const [[from, low], [to, high]] = [calibration[at - 1]!, calibration[at]!];
  return low + ((high - low) * (posterior - from)) / (to - from);
}
