// Backups of a running environment: to a path of the user, or an automatic one before a change.
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { AuditReads } from '../audit/create-audit-commands.ts';
import type { ReadOnly } from '../contract/engine.ts';
import { invalid } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { AutomaticReason, BackupReport } from '../contract/maintenance.ts';
import type { SecretKey } from '../contract/webhooks.ts';
import { checkFileTarget } from '../platform/check-file-target.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { createPrivateFile } from '../platform/private-files.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { SharedCalls } from '../shared/settings/team-directory.ts';
import { keepAutomaticBackup } from './automatic-backups.ts';
import { insertBackup } from './backup-copies.ts';
import type { CopiesReport, DatabasePaths } from './check-copies.ts';
import { type BackupSource, type OnBackupProgress, writeArchive } from './write-archive.ts';

export const createStoreCopyCalls = (database: WritableDatabase) => ({
  /** Writes a consistent copy of engine.db to `path`. */
  async copyStore({ path }: { path: string }) {
    await database.backup(path);
  },
  /** Records a backup that was written, so that retention can delete it. */
  async recordBackup(backup: Parameters<typeof insertBackup>[1]) {
    insertBackup(database, backup);
  },
});

export type StoreCopyCalls = ReturnType<typeof createStoreCopyCalls>;

export interface DamageCalls {
  /** Damage that SQLite finds in a file; empty if it is intact. */
  findDamage(command: { file: DatabaseFile }): Promise<string[]>;
  checkCopies(command: { paths: DatabasePaths }): Promise<CopiesReport>;
}

export interface MaintainedEnvironment {
  readonly name: EnvironmentName;
  readonly folder: string;
  readonly database: ReadableDatabase;
  readonly directoryDatabase: ReadableDatabase;
  readonly writer: StoreCopyCalls &
    Pick<SharedCalls, 'testSharedDirectory'> & { 'webhooks.secretKey'(): Promise<SecretKey> };
  readonly reader: DamageCalls &
    AuditReads & { copyDirectory(command: { path: string }): Promise<void> };
  describeFault(): string | null;
  describeReadOnly(): ReadOnly | null;
}

function checkTarget(environment: MaintainedEnvironment, path: string): void {
  if (!isAbsolute(path)) throw invalid(`path must be absolute, but is ${path}.`);
  checkFileTarget(path, 'backup');
  const within = relative(resolve(environment.folder), path);
  if (!within.startsWith('..') && !isAbsolute(within))
    throw invalid(
      `${path} is inside the data folder that is backed up. Choose a path outside of it.`,
    );
}

async function copyDatabases(
  { writer, reader, database, directoryDatabase, describeReadOnly }: MaintainedEnvironment,
  store: string,
  directory: string,
): Promise<void> {
  if (describeReadOnly() !== null) {
    // The threads that write cannot work.
    await database.backup(store);
    await directoryDatabase.backup(directory);
    return;
  }
  await writer.copyStore({ path: store });
  await reader.copyDirectory({ path: directory });
}

/** The databases of a running environment are copied by the threads that own them. */
const sourceOf = (environment: MaintainedEnvironment): BackupSource => ({
  name: environment.name,
  folder: environment.folder,
  async copyDatabases(copies) {
    const store = join(copies, 'engine.db');
    const directory = join(copies, 'directory.db');
    for (const path of [store, directory]) createPrivateFile(path);
    await copyDatabases(environment, store, directory);
    return { 'engine.db': store, 'directory.db': directory };
  },
  checkCopies: (paths) => environment.reader.checkCopies({ paths }),
});

/**
 * Writes a backup of an environment to an absolute path, while it runs. It never contains
 * engine.key or uploads. Throws `validation_error` for an invalid path, `read_only` for a full
 * disk.
 */
export async function writeBackup(
  environment: MaintainedEnvironment,
  path: string,
  onProgress?: OnBackupProgress,
): Promise<BackupReport> {
  checkTarget(environment, path);
  const report = await writeArchive(sourceOf(environment), path, onProgress);
  const { bytes, created_at: at } = report;
  await environment.writer.recordBackup({ path, bytes, at });
  return report;
}

/**
 * Makes an automatic backup of a running environment before a change of the program or the data.
 * Throws `read_only` if the disk has no space for it: do not make the change then.
 */
export const backUpBefore = (
  environment: MaintainedEnvironment,
  reason: AutomaticReason,
  onProgress?: OnBackupProgress,
): Promise<BackupReport> => keepAutomaticBackup(sourceOf(environment), reason, onProgress);
