/** `desk restore`: replaces the data folder with a backup, and keeps the old folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../contract/errors.ts';
import { type RestoreReport, restoreBackup } from '../../maintenance/restore.ts';
import { lockFolder } from '../../platform/data-dir-lock.ts';
import { stagingFolder } from '../../platform/data-files.ts';
import { openStoreReadable } from '../../platform/sqlite/open-store.ts';
import { listKeys } from '../../providers/installed/provider-key.table.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { formatCount, formatNumber } from '../kit/format-text.ts';
import { createProgress } from '../kit/progress.ts';
import { badUsage, CommandError, exitCodes } from '../kit/refusal.ts';

/** The folder of the environment. The lock is on the data folder as a whole. */
const folderOf = ({ dataDir, environment }: Call): string =>
  environment === 'staging' ? join(dataDir, stagingFolder) : dataDir;

async function confirm(call: Call, archivePath: string): Promise<void> {
  if (call.values.yes) return;
  if (!call.terminal.isInteractive)
    throw badUsage('There is no terminal to ask on. Add --yes to restore without asking.');
  call.terminal.note(
    `${archivePath} replaces ${folderOf(call)}. The old content is kept in a folder next to it.`,
  );
  if (await call.terminal.ask('Restore?')) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was changed.');
}

function listProvidersWithKey(folder: string): string[] {
  const database = openStoreReadable(folder);
  try {
    return [...listKeys(database).keys()];
  } finally {
    database.close();
  }
}

/** Says which entries of the audit log only the old folder has. */
function noteLostEntries({ terminal }: Call, report: RestoreReport): void {
  const { audit_entries_lost: lost, kept_as: keptAs } = report;
  if (lost === 0) return;
  terminal.note(
    lost === null
      ? 'The old audit log could not be read. The new log says so.'
      : `The audit log of the backup is not the beginning of the old one. Entries that only the ` +
          `log in ${keptAs} has: ${formatCount(lost)}. The new log says so.`,
  );
}

/** Says which deletions of people must be repeated. */
function noteDeletions({ terminal }: Call, report: RestoreReport): void {
  const { receipts_kept: kept, deletions_since: receipts, people_to_delete: people } = report;
  if (kept === null)
    terminal.note(
      'The old receipts of deleted people could not be read, or are of another data folder. ' +
        'Compare them with your own records, and delete these people again.',
    );
  if (receipts.length === 0) return;
  terminal.note(
    'People were deleted since this backup was made, and it may have them again. Delete them ' +
      `again: desk person delete VALUE. Receipts: ${receipts.join(', ')}.`,
  );
  if (people.length > 0) terminal.note(`The backup has the people ${people.join(', ')}.`);
}

/** Locks the folder. Throws `folder_locked` with how to end the engine that uses it. */
function lockIdleFolder(dataDir: string): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'folder_locked') throw error;
    throw new EngineError(
      'folder_locked',
      'Another engine is using the data folder, and a restore replaces its files. Quit the app, ' +
        'or stop "desk serve" with Ctrl+C, then run the same command again. Nothing was changed.',
      { cause: error },
    );
  }
}

async function runRestore(call: Call): Promise<Outcome> {
  const archivePath = call.resolvePath(call.positionals[0] ?? '');
  if (!existsSync(archivePath)) throw badUsage(`There is no file ${archivePath}. Name a backup.`);
  await confirm(call, archivePath);
  const lock = lockIdleFolder(call.dataDir);
  const progress = createProgress(call.terminal);
  try {
    const report = await restoreBackup({
      archivePath,
      dataDir: folderOf(call),
      environment: call.environment,
      // Windows cannot move a folder that contains an open file.
      beforeChange: () => process.platform === 'win32' && lock.release(),
      onProgress: (done, total) =>
        progress.show({ label: 'Restoring', done, total, unit: 'bytes' }),
    });
    progress.end();
    if (report.kept_as !== null)
      call.terminal.note(`The old content is kept in ${report.kept_as}.`);
    const providers = listProvidersWithKey(folderOf(call));
    if (providers.length > 0)
      call.terminal.note(
        'A backup has no keys of data services. Where this machine does not have them, enter ' +
          `them again with desk providers add: ${providers.join(', ')}.`,
      );
    if (report.suppressions_kept === null)
      call.terminal.note(
        'The old suppression list could not be read. Compare the list of the backup with your ' +
          'own records: desk suppress list.',
      );
    noteDeletions(call, report);
    noteLostEntries(call, report);
    return {
      json: report,
      lines: [
        `${formatNumber(report.files, 'file')} of ${report.created_at} ` +
          `restored to ${report.data_dir}`,
      ],
    };
  } finally {
    progress.end();
    lock.release();
  }
}

export const restore: Command = {
  name: 'restore',
  summary: 'Replace the data folder with a backup',
  args: '<FILE>',
  options: { yes: { summary: 'do not ask' } },
  notes: [
    'Every file and both databases are checked before anything changes. No engine may run on the',
    'folder meanwhile. The old content is kept as DIR.before-restore-TIME. Restoring the live',
    'environment leaves staging unchanged. No entry of the suppression list and no receipt of a',
    'deleted person is lost, and the audit log continues with what the backup does not have.',
    'People who were deleted since the backup must be deleted again: their receipts are named.',
  ],
  run: runRestore,
};
