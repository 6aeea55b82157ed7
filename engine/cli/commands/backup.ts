/** `desk backup`: one archive of the databases and every job's rows, made while it runs. */
import { BackupReportSchema } from '../../contract/engine.ts';
import type { Command } from '../kit/command.ts';
import { formatCount } from '../kit/format-text.ts';

/** Writes a backup. */
export const backup: Command = {
  name: 'backup',
  summary: 'Write databases and job inputs to one archive',
  args: '<FILE>',
  notes: [
    'FILE is a .tar.gz. An older FILE is replaced once the new one is whole.',
    'It holds the live world, or with --staging the staging world.',
    'Keys of the keychain and engine.key are never in it; uploads that wait are left out.',
  ],
  async run(call) {
    const path = call.resolvePath(call.positionals[0] ?? '');
    const engine = await call.openEngine();
    call.terminal.note('Writing the backup …');
    const report = await engine.request(BackupReportSchema, 'POST', 'backup', { path });
    const megabytes = (report.bytes / 1024 ** 2).toFixed(1);
    return {
      json: report,
      lines: [`${formatCount(report.files)} files, ${megabytes} MB: ${report.path}`],
    };
  },
};
