// The learned weights and the calibration, loaded once for each thread.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../../platform/paths.ts';
import { listFeatureKeys } from './features.ts';

/** What the graded comparison was taught. */
export interface MatchModel {
  /** Weight of each feature, by its number. */
  readonly weights: Float64Array;
  /** Posterior and the share of matches that were right there, ascending; empty for none. */
  readonly calibration: readonly (readonly [posterior: number, probability: number])[];
}

/** A model as it is kept in its file: weights by key, those of 0 left out. */
export interface StoredModel {
  readonly weights: Readonly<Record<string, number>>;
  readonly calibration: MatchModel['calibration'];
}

/** The model of a file's content. Keys that no feature has are left out. */
export function readModel({ weights, calibration }: StoredModel): MatchModel {
  const keys = listFeatureKeys();
  return {
    weights: Float64Array.from(keys, (key) => weights[key] ?? 0),
    calibration,
  };
}

let shipped: MatchModel | null = null;

/** The model that ships with the engine. Throws if it is missing or damaged. */
export function loadModel(): MatchModel {
  if (shipped === null) {
    const path = join(resourcesDir(), 'matching', 'weights.json');
    shipped = readModel(JSON.parse(readFileSync(path, 'utf8')) as StoredModel);
  }
  return shipped;
}
