// The backups that the engine makes by itself before a change, of which it keeps the newest.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { automaticBackupsMax } from '../contract/limits/maintenance.ts';
import {
  type AutomaticBackup,
  type AutomaticReason,
  automaticReasons,
  type BackupReport,
} from '../contract/maintenance.ts';
import { automaticBackupsFolder } from '../platform/data-files.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { type BackupSource, type OnBackupProgress, writeArchive } from './write-archive.ts';

const namePattern = new RegExp(
  `^(\\d{4}-\\d{2}-\\d{2})T(\\d{2})(\\d{2})(\\d{2})Z-before-(${automaticReasons.join('|')})\\.tar\\.gz$`,
);

/** The name of an automatic backup: its time in UTC, and why it was made. */
const nameBackup = (reason: AutomaticReason, at: Date): string =>
  `${at.toISOString().slice(0, 19).replaceAll(':', '')}Z-before-${reason}.tar.gz`;

/** The automatic backups of an environment, newest first. */
export function listAutomaticBackups(folder: string): AutomaticBackup[] {
  const dir = join(folder, automaticBackupsFolder);
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const [, day, hours, minutes, seconds, reason] = namePattern.exec(name) ?? [];
      if (day === undefined) return [];
      const path = join(dir, name);
      return {
        path,
        reason: reason as AutomaticReason,
        bytes: statSync(path).size,
        made_at: `${day}T${hours}:${minutes}:${seconds}.000Z`,
      };
    });
}

const changes: Readonly<Record<AutomaticReason, string>> = {
  migration: 'This version changes the databases',
  update: 'An update replaces the program',
  repair: 'A repair changes the data folder',
};

/**
 * The backups to delete, all but the newest. Those that are dated ahead of the clock go first: they
 * were made while it was wrong, and would otherwise displace every newer one.
 */
function listSurplus(folder: string, now: Date): AutomaticBackup[] {
  const distanceMs = ({ made_at: at }: AutomaticBackup) => Math.abs(now.getTime() - Date.parse(at));
  return listAutomaticBackups(folder)
    .sort((one, other) => distanceMs(one) - distanceMs(other))
    .slice(automaticBackupsMax);
}

/**
 * Writes an automatic backup and deletes the oldest ones. Throws `read_only` if the disk has no
 * space for it, with what to do; the older backups are then unchanged.
 */
export async function keepAutomaticBackup(
  source: BackupSource,
  reason: AutomaticReason,
  onProgress?: OnBackupProgress,
): Promise<BackupReport> {
  const dir = join(source.folder, automaticBackupsFolder);
  try {
    createPrivateFolder(dir);
    const now = new Date();
    const path = join(dir, nameBackup(reason, now));
    const report = await writeArchive(source, path, onProgress);
    for (const { path: old } of listSurplus(source.folder, now)) rmSync(old, { force: true });
    return report;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'read_only' && code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new EngineError(
      'read_only',
      `${changes[reason]}, and a backup is made first. The disk of ${source.folder} does not ` +
        'have enough space for it. Nothing was changed. Free some space, then try again.',
      { cause: error },
    );
  }
}
