/** Repairs a data folder: lists what can be repaired, makes a backup, repairs, and checks again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentName } from '../../contract/ids.ts';
import type { RepairFinding, RepairReport } from '../../contract/maintenance.ts';
import { keepAutomaticBackup } from '../automatic-backups.ts';
import { requireDatabases } from '../check-databases.ts';
import { closedSource } from '../closed-source.ts';
import { readKnownVersions } from '../prepare-migration.ts';
import { repairs } from './repairs.ts';

/**
 * What is wrong in a folder that a repair knows. Changes nothing. The caller owns the lock. Throws
 * `database_too_new`: what this version does not know may belong to a newer one.
 */
export function planRepairs(name: EnvironmentName, folder: string): RepairFinding[] {
  requireDatabases(name, folder);
  if (!existsSync(join(folder, 'engine.db'))) return [];
  readKnownVersions(folder);
  return Object.entries(repairs).flatMap(([repair, { find }]) =>
    find(folder).map((found) => ({ repair, ...found })),
  );
}

/**
 * Makes the repairs of a plan, after a backup that also takes a damaged database. The caller owns
 * the lock. Throws `read_only` if there is no space for the backup: nothing is changed then.
 */
export async function repairFolder(
  name: EnvironmentName,
  folder: string,
  plan: readonly RepairFinding[],
): Promise<RepairReport> {
  const possible = plan.filter(({ can }) => can);
  if (possible.length === 0) return { backup: null, repaired: [], left: [...plan] };
  const { path } = await keepAutomaticBackup(closedSource(name, folder, true), 'repair');
  const failed = new Map<string, string>();
  for (const { repair } of possible)
    try {
      repairs[repair]?.apply(folder);
    } catch (error) {
      failed.set(repair, (error as Error).message);
    }
  const left = planRepairs(name, folder).map((found) => {
    const why = failed.get(found.repair);
    return why === undefined ? found : { ...found, action: `The repair failed (${why}).` };
  });
  const repaired = possible.filter(({ repair }) => left.every((found) => found.repair !== repair));
  return { backup: path, repaired, left };
}
