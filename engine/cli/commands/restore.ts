// `desk restore`: replaces the data folder with a backup, and keeps the old folder.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../contract/errors.ts';
import {
  maintenanceCalls,
  type RestoreReport,
  type RestoreState,
} from '../../contract/maintenance.ts';
import { checkBackup, restoreBackup } from '../../maintenance/restore.ts';
import { answersAt, socketPathOf } from '../../platform/data-dir.ts';
import type { FolderLock } from '../../platform/data-dir-lock.ts';
import { stagingFolder } from '../../platform/data-files.ts';
import { lockWhenFree } from '../../platform/folder-handover.ts';
import { openStoreReadable } from '../../platform/sqlite/open-store.ts';
import { listKeys } from '../../providers/installed/provider-key.table.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { type EngineClient, openEngine, probeIntervalMs } from '../kit/engine-client.ts';
import { formatCount, formatNumber } from '../kit/format-text.ts';
import { createProgress, type Progress } from '../kit/progress.ts';
import { readInPath } from '../kit/read-paths.ts';
import { badUsage, CommandError, exitCodes } from '../kit/refusal.ts';

/** The folder of the environment. The lock is on the data folder as a whole. */
const folderOf = ({ dataDir, environment }: Call): string =>
  environment === 'staging' ? join(dataDir, stagingFolder) : dataDir;

async function confirm(call: Call, archivePath: string): Promise<void> {
  if (call.values.yes) return;
  if (!call.terminal.isInteractive)
    throw badUsage('Cannot ask without a terminal. Add --yes to restore without asking.');
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
async function lockIdleFolder({ dataDir, terminal }: Call): Promise<FolderLock> {
  try {
    return await lockWhenFree(dataDir, { asks: false, onWait: terminal.note });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'folder_locked') throw error;
    throw new EngineError(
      'folder_locked',
      'Another engine is using the data folder, and a restore replaces its files. Quit the app, ' +
        'stop "desk serve" or the command that runs it with Ctrl+C, then run the same command ' +
        'again. Or add --while-running: that engine stops, restores the backup, and starts ' +
        'again. Nothing was changed.',
      { cause: error },
    );
  }
}

const orderOf = (call: Call, archivePath: string, progress: Progress) => ({
  archivePath,
  dataDir: folderOf(call),
  environment: call.environment,
  onProgress: (done: number, total: number) =>
    progress.show({ label: 'Checking the backup', done, total, unit: 'bytes' }),
});

/** Asks about a backup that a running engine restores, which checks it again. */
async function confirmRunning(call: Call, archivePath: string): Promise<void> {
  if (call.values.yes) return;
  const progress = createProgress(call.terminal);
  await checkBackup(orderOf(call, archivePath, progress)).finally(() => progress.end());
  await confirm(call, archivePath);
}

async function restoreIdle(call: Call, archivePath: string): Promise<RestoreReport> {
  const lock = await lockIdleFolder(call);
  const progress = createProgress(call.terminal);
  try {
    return await restoreBackup({
      ...orderOf(call, archivePath, progress),
      async beforeChange() {
        progress.end();
        await confirm(call, archivePath);
        // Windows cannot move a folder that contains an open file.
        if (process.platform === 'win32') lock.release();
      },
    });
  } finally {
    progress.end();
    lock.release();
  }
}

const engineEnded = () =>
  new CommandError(
    'engine_stopped',
    exitCodes.failed,
    'The engine ended during the restore. Run desk doctor to see the state of the folder.',
  );

/** Throws `engine_stopped` if a process has ended. */
function requireProcess(pid: number): void {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') throw engineEnded();
  }
}

/** Minutes for which an engine may exchange its folder without an answer. */
const exchangeMinutesMax = 60;

/** Each request waits for a minute. Throws `engine_stopped` when the process has ended. */
async function readState(engine: EngineClient, pid: number): Promise<RestoreState> {
  for (let left = exchangeMinutesMax; ; left -= 1)
    try {
      return await engine.ask(maintenanceCalls.restoreState);
    } catch (error) {
      if (!(error instanceof CommandError) || left <= 0) throw error;
      requireProcess(pid);
    }
}

/** Lets the running engine restore, and waits until it is open again. Null if none runs. */
async function restoreRunning(call: Call, archivePath: string): Promise<RestoreReport | null> {
  if (!(await answersAt(socketPathOf(call.dataDir)))) return null;
  await confirmRunning(call, archivePath);
  let pid = process.pid;
  // It starts no engine.
  const engine = await openEngine({ ...call, accountId: undefined }, async () => {
    requireProcess(pid);
    return null;
  });
  const begun = await engine.ask(maintenanceCalls.restore, { path: archivePath });
  if (begun.state === 'running') pid = begun.pid;
  call.terminal.note('The engine stops after its batch, restores the backup, and starts again.');
  for (;;) {
    const found = await readState(engine, pid);
    if (found.state === 'done') return found.report;
    if (found.state === 'failed')
      throw new CommandError(found.error, exitCodes.failed, found.detail);
    if (found.state === 'none') throw engineEnded();
    await wait(probeIntervalMs);
  }
}

async function runRestore(call: Call): Promise<Outcome> {
  const archivePath = readInPath(call, call.positionals[0] ?? '', true);
  const running = call.values['while-running'] ? await restoreRunning(call, archivePath) : null;
  return describe(call, running ?? (await restoreIdle(call, archivePath)));
}

function describe(call: Call, report: RestoreReport): Outcome {
  if (report.kept_as !== null) call.terminal.note(`The old content is kept in ${report.kept_as}.`);
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
}

export const restore: Command = {
  name: 'restore',
  summary: 'Replace the data folder with a backup',
  args: '<FILE>',
  options: {
    yes: { summary: 'do not ask' },
    'while-running': { summary: 'let the running engine restore, and start again' },
  },
  notes: [
    'Every file and both databases are checked before it asks. No engine may use the',
    'folder. With --while-running, the running engine closes it and opens it again on its port.',
    'The old content is kept as DIR.before-restore-TIME. Restoring the live environment leaves',
    'staging unchanged. No entry of the suppression list and no receipt of a deleted person is',
    'lost, and the audit log continues with what the backup lacks. People who were deleted since',
    'the backup must be deleted again: their receipts are named.',
  ],
  run: runRestore,
};
