// The source of a backup while no engine runs.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { createPrivateFile } from '../platform/private-files.ts';
import { openReadable } from '../platform/sqlite/open-database.ts';
import { checkCopies, type DatabasePaths } from './check-copies.ts';
import { describeRemedy } from './check-databases.ts';
import type { BackupSource } from './write-archive.ts';

export const hasLog = (path: string): boolean =>
  (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

async function copyWithLog(path: string, target: string): Promise<string> {
  if (!hasLog(path)) return path;
  createPrivateFile(target);
  const database = openReadable(path);
  try {
    await database.backup(target);
  } finally {
    database.close();
  }
  return target;
}

/**
 * The databases of a folder whose lock the caller holds: no one writes to them.
 * @param allowsDamage whether damaged databases are backed up too; otherwise they are refused
 */
export const closedSource = (
  name: EnvironmentName,
  folder: string,
  allowsDamage = false,
): BackupSource => ({
  name,
  folder,
  async copyDatabases(copies): Promise<DatabasePaths> {
    const copy = (file: DatabaseFile) => copyWithLog(join(folder, file), join(copies, file));
    return { 'engine.db': await copy('engine.db'), 'directory.db': await copy('directory.db') };
  },
  async checkCopies(paths) {
    // The rules of the ledger are those of the current schema.
    const report = checkCopies(paths, false);
    const [damage] = report.damage;
    if (damage === undefined || allowsDamage) return report;
    throw new EngineError(
      'database_damaged',
      `A database is damaged (${damage}), so it cannot be migrated. ${describeRemedy(name)}`,
    );
  },
});
