// The copies of a data folder that the product made: backups (table `backup_file`), automatic
// backups, and the folders that a restore or an empty start kept aside. Copies that were moved or
// changed since are the user's, and are never deleted.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { KeptReason } from '../contract/retention/retention.ts';
import { asidePrefix, restoredSuffix } from '../platform/data-files.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { listAutomaticBackups } from './automatic-backups.ts';

export interface BackupCopy {
  readonly path: string;
  readonly madeAt: string;
  readonly bytes: number | null;
  readonly isFolder: boolean;
  /** Why it is not deleted; null if it may be. */
  readonly kept: KeptReason | null;
}

export const insertBackup = (
  database: WritableDatabase,
  backup: { readonly path: string; readonly bytes: number; readonly at: string },
): void =>
  void statement(
    database,
    'INSERT OR REPLACE INTO backup_file (path, size_bytes, made_at) VALUES (@path, @bytes, @at)',
  ).run(backup);

/** The copies of an environment whose folder begins as named. */
const stampOf = /(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/;
const writtenLaterMs = 60_000;

const findEntries = (folder: string, prefix: string): string[] => {
  try {
    return readdirSync(folder).flatMap((name) =>
      name.startsWith(prefix) && stampOf.test(name) ? join(folder, name) : [],
    );
  } catch {
    return [];
  }
};

/** A folder that was kept aside. One that an engine has written to since is in use. */
function readAside(path: string): BackupCopy {
  const madeAt = basename(path).replace(/^.*-/, '').replace(stampOf, '$1-$2-$3T$4:$5:$6.000Z');
  const files = ['engine.db', 'engine.db-wal', 'directory.db', 'directory.db-wal'].flatMap(
    (name) => statSync(join(path, name), { throwIfNoEntry: false }) ?? [],
  );
  const isChanged = files.some(({ mtimeMs }) => mtimeMs > Date.parse(madeAt) + writtenLaterMs);
  return {
    path,
    madeAt,
    isFolder: true,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    kept: isChanged ? 'changed_file' : null,
  };
}

/** The copies that were made before a time, oldest first. */
export function listCopies(
  database: ReadableDatabase,
  folder: string,
  before: string,
): BackupCopy[] {
  const files = statement<{ path: string; bytes: number; madeAt: string }>(
    database,
    'SELECT path, size_bytes AS bytes, made_at AS madeAt FROM backup_file WHERE made_at < ?',
  ).all(before);
  const backups = files.map(({ path, bytes, madeAt }): BackupCopy => {
    const found = statSync(path, { throwIfNoEntry: false });
    const isChanged = found && (!found.isFile() || found.size !== bytes);
    return { path, madeAt, bytes, isFolder: false, kept: isChanged ? 'changed_file' : null };
  });
  const automatic = listAutomaticBackups(folder).map(
    ({ path, made_at: madeAt, bytes }): BackupCopy => {
      return { path, madeAt, bytes, isFolder: false, kept: null };
    },
  );
  const aside = [
    ...findEntries(folder, asidePrefix),
    ...findEntries(dirname(folder), `${basename(folder)}${restoredSuffix}`),
  ].map(readAside);
  const found = [...automatic, ...aside].filter(({ madeAt }) => madeAt < before);
  return [...backups, ...found].sort((a, b) => (a.madeAt < b.madeAt ? -1 : 1));
}

/** Deletes a copy. A backup that is gone already is forgotten. */
export function deleteCopy(database: WritableDatabase, { path, isFolder }: BackupCopy): void {
  rmSync(path, { recursive: isFolder, force: true });
  statement(database, 'DELETE FROM backup_file WHERE path = ?').run(path);
}
