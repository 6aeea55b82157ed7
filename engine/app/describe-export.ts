/** The entries of the audit log about exports. */
import type { AuditNote } from '../audit/record-audit.ts';
import type { AuditFilter } from '../contract/audit/audit.ts';
import type { ExportCommand } from './export-command.ts';

const describeFilter = ({ action, actor, since }: AuditFilter) => ({
  ...(action !== undefined && { action }),
  ...(actor !== undefined && { actor }),
  ...(since !== undefined && { since }),
});

/** The entry about an export of a number of rows. */
export function describeExport(command: ExportCommand, rows: number): Omit<AuditNote, 'at'> {
  const { accountId } = command;
  if ('audit' in command)
    return {
      action: 'audit_exported',
      accountId: null,
      rows,
      details: describeFilter(command.audit),
    };
  const status = 'status' in command ? command.status : null;
  const details = status === null ? {} : { status };
  const counted = { accountId, rows, details };
  if ('monitorJobId' in command)
    return { action: 'findings_exported', subject: String(command.monitorJobId), ...counted };
  if ('pipelineId' in command)
    return { action: 'pipeline_exported', subject: command.pipelineId, ...counted };
  return { action: 'result_exported', subject: command.jobId, ...counted };
}
