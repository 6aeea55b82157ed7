// A conditional logit: the choice of one of several alternatives, each with a sparse list of
// features. Trained by Adam with an L2 penalty.

/** One alternative: the numbers of its features and their values. */
export interface Alternative {
  readonly ids: Int32Array;
  readonly values: Float64Array;
}

/** One choice: the alternatives, and the right one. */
export interface Choice {
  readonly alternatives: readonly Alternative[];
  readonly right: number;
}

const batchSize = 32;
const decay = { first: 0.9, second: 0.99 } as const;
const warmUpSteps = 50;

/** Options of training. */
export interface TrainingOptions {
  readonly penalty?: number;
  readonly epochs?: number;
  readonly rate?: number;
}

const sumOf = ({ ids, values }: Alternative, weights: Float64Array): number => {
  let sum = 0;
  for (let at = 0; at < ids.length; at++) sum += weights[ids[at]!]! * values[at]!;
  return sum;
};

/** The probability of each alternative. */
export function shareOut(alternatives: readonly Alternative[], weights: Float64Array): number[] {
  const sums = alternatives.map((alternative) => sumOf(alternative, weights));
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const all = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / all);
}

/** Pseudo-random numbers from 0 to 1 from a fixed seed. */
function createDraws(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** The weights that make the right alternatives likely. Deterministic. */
export function learnWeights(
  choices: readonly Choice[],
  featuresCount: number,
  { penalty = 2e-4, epochs = 14, rate = 0.05 }: TrainingOptions = {},
): Float64Array {
  const weights = new Float64Array(featuresCount);
  const [means, squares, gradient] = [1, 2, 3].map(() => new Float64Array(featuresCount)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const order = [...choices];
  const draw = createDraws();
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(draw() * (at + 1));
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    const epochRate = rate * (1 - (epoch / epochs) * 0.85);
    for (let from = 0; from < order.length; from += batchSize) {
      const batch = order.slice(from, from + batchSize);
      const touched = new Set<number>();
      for (const { alternatives, right } of batch) {
        const shares = shareOut(alternatives, weights);
        for (const [which, { ids, values }] of alternatives.entries()) {
          const error = shares[which]! - (which === right ? 1 : 0);
          if (Math.abs(error) < 1e-6) continue;
          for (let at = 0; at < ids.length; at++) {
            gradient[ids[at]!]! += error * values[at]!;
            touched.add(ids[at]!);
          }
        }
      }
      step++;
      for (const id of touched) {
        const slope = gradient[id]! / batch.length + penalty * weights[id]!;
        gradient[id] = 0;
        means[id] = decay.first * means[id]! + (1 - decay.first) * slope;
        squares[id] = decay.second * squares[id]! + (1 - decay.second) * slope * slope;
        const change = (epochRate * means[id]!) / (Math.sqrt(squares[id]!) + 1e-6);
        weights[id]! -= change * Math.min(1, step / warmUpSteps);
      }
    }
  }
  return weights;
}
