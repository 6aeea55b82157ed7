/** Opens every environment of a data folder that has data. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, LazyEnvironment } from './environment.ts';

/** The live environment, and staging if it was ever used, which is then opened. */
export async function openAllEnvironments(
  live: Environment,
  staging: LazyEnvironment | null,
): Promise<readonly Environment[]> {
  if (!staging || !existsSync(join(staging.folder, 'engine.db'))) return [live];
  await staging.whenOpen();
  return [live, staging];
}
