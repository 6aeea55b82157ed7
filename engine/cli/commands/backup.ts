/** `desk backup`: writes one archive of the databases and the rows of all jobs. */
import { BackupReportSchema } from '../../contract/engine.ts';
import type { Command } from '../kit/command.ts';
import { formatCount } from '../kit/format-text.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write databases and job inputs to one archive',
  args: '<FILE>',
  notes: [
    'FILE is a .tar.gz. An existing FILE is replaced when the new one is complete.',
    'It holds the live environment, or with --staging the staging environment.',
    'It never contains keys of the keychain, engine.key, or pending uploads.',
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
