// The learned weights for companies and their calibration, loaded once for each thread.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../../platform/paths.ts';
import type { MatchModel } from '../graded/model.ts';
import { companyFeatureKeys } from './company-features.ts';

/** A model as stored in its file: weights by key, without those of 0. */
export interface StoredCompanyModel {
  readonly weights: Readonly<Record<string, number>>;
  readonly calibration: MatchModel['calibration'];
  /** The least posterior at which a company is answered. */
  readonly threshold: number;
  /** Share of right answers among those by an exact name, or by a domain alone. */
  readonly exact: number;
  readonly domain: number;
}

/** What the comparison of companies learned. */
export interface CompanyModel extends MatchModel {
  readonly threshold: number;
  readonly exact: number;
  readonly domain: number;
}

/** The model of a file's content. Keys without a feature are ignored. */
export const readCompanyModel = (stored: StoredCompanyModel): CompanyModel => ({
  ...stored,
  weights: Float64Array.from(companyFeatureKeys, (key) => stored.weights[key] ?? 0),
});

let shipped: CompanyModel | null = null;

/** The model that ships with the engine. Throws if it is missing or damaged. */
export function loadCompanyModel(): CompanyModel {
  if (shipped === null) {
    const path = join(resourcesDir(), 'matching', 'company-weights.json');
    shipped = readCompanyModel(JSON.parse(readFileSync(path, 'utf8')) as StoredCompanyModel);
  }
  return shipped;
}
