// `desk backup`: writes one archive of the databases and the rows of all jobs.
import { maintenanceCalls } from '../../contract/maintenance.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { formatBytes, formatCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { badUsage, exitCodes } from '../kit/refusal.ts';
import { showTasks } from '../kit/task-progress.ts';

async function listBackups(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const found = await engine.ask(maintenanceCalls.backups);
  const rows = found.map(({ made_at, reason, bytes, path }) => [
    made_at.slice(0, 10),
    `before ${reason}`,
    formatBytes(bytes),
    path,
  ]);
  const total = `${formatNumber(found.length, 'automatic backup')}.`;
  const use = found.length > 0 ? ' Restore one with desk restore FILE.' : '';
  return { json: found, lines: [...formatTable(rows), total + use] };
}

async function runBackup(call: Call): Promise<Outcome> {
  const [file] = call.positionals;
  if (call.values.list) {
    if (file !== undefined) throw badUsage('--list takes no FILE.');
    return listBackups(call);
  }
  if (file === undefined) throw badUsage('Name the FILE to write, or give --list.');
  if (!file.toLowerCase().endsWith('.tar.gz'))
    throw badUsage(`${file}: a backup is a compressed tar. Name a FILE that ends in .tar.gz.`);
  const path = call.resolvePath(file);
  const engine = await call.openEngine();
  const report = await showTasks(call.terminal, engine, { backup: 'Writing the backup' }, () =>
    engine.ask(maintenanceCalls.backUp, { path }),
  );
  const { files, bytes, damage, counts } = report;
  const { job = 0, ledger_entry: entries = 0, person: people = 0 } = counts;
  for (const what of damage) call.terminal.note(`Damaged: ${what}`);
  const verdict =
    damage.length === 0
      ? `checked: ${formatNumber(job, 'job')}, ${formatCount(entries)} ledger entries, ` +
        `${formatCount(people)} people`
      : 'the databases are damaged, so it cannot be restored as it is';
  return {
    exitCode: damage.length === 0 ? exitCodes.done : exitCodes.failed,
    json: report,
    lines: [`${formatCount(files)} files, ${formatBytes(bytes)}, ${verdict}: ${report.path}`],
  };
}

export const backup: Command = {
  name: 'backup',
  summary: 'Write databases and job inputs to one archive',
  args: '[FILE]',
  options: { list: { summary: 'list the automatic backups' } },
  notes: [
    'FILE ends in .tar.gz. An existing FILE is replaced when the new one is complete.',
    'The archive holds the live environment, or with --staging the staging environment.',
    'The databases are checked before the backup, and the archive after it. The engine makes a',
    'backup automatically before it migrates databases and before an update, and keeps three.',
    'An archive never contains keys from the keychain, engine.key, or pending uploads.',
  ],
  run: runBackup,
};
