// Draws from a table in proportion to the weights of its rows.
import type { Draws } from '../generate-draws.ts';

/** Draws one of the values, each with a probability in proportion to its weight. */
export function weighted<Value extends { readonly weight: number }>(
  values: readonly Value[],
): (draws: Draws) => Value {
  let sum = 0;
  const sums = values.map(({ weight }) => {
    sum += weight;
    return sum;
  });
  return (draws) => {
    const wanted = draws.random() * sum;
    return values[sums.findIndex((upTo) => upTo > wanted)]!;
  };
}
