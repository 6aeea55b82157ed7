// Records a backup in the audit log.
import type { AuditCalls } from '../audit/create-audit-commands.ts';
import type { AutomaticReason, BackupReport } from '../contract/maintenance.ts';

/** Records a backup. @param reason of an automatic backup; null for one that a person asked for */
export const noteBackup = (
  writer: AuditCalls,
  { files, bytes }: BackupReport,
  reason: AutomaticReason | null,
): Promise<void> =>
  writer.noteAudit({
    action: 'backup_made',
    accountId: null,
    details: { files, bytes, ...(reason !== null && { before: reason }) },
  });
