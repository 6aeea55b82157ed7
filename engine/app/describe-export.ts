/** The entries of the audit log about exports. */
import type { AuditNote } from '../audit/record-audit.ts';
import type { AuditDetails, AuditFilter } from '../contract/audit/audit.ts';
import type { Overwrite } from '../contract/exports/overwrite.ts';
import type { WalletFilter } from '../contract/wallet/wallet-lines.ts';
import type { ExportCommand } from './export-command.ts';

const describeFilter = ({ action, actor, since }: AuditFilter) => ({
  ...(action !== undefined && { action }),
  ...(actor !== undefined && { actor }),
  ...(since !== undefined && { since }),
});

/** The filter of an export of the wallet. A name may be that of a person and is not recorded. */
const describeLines = ({ name, kind, client, since, until }: WalletFilter): AuditDetails => ({
  ...(kind !== undefined && { kind }),
  ...(client !== undefined && { client }),
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
  ...(name !== undefined && { by_name: true }),
});

/**
 * The rules of an export, each with the number of its columns. Columns are not named: in a list
 * without a header, the name of a column is a value of its first row.
 */
function describeOverwrite({ default: byDefault, columns }: Overwrite): AuditDetails {
  const counts: Record<string, number> = {};
  for (const { rule } of Object.values(columns)) {
    const name = `overwrite_${rule}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return { overwrite_default: byDefault, ...counts };
}

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
  if ('wallet' in command)
    return { action: 'wallet_exported', accountId, rows, details: describeLines(command.wallet) };
  const status = 'status' in command ? command.status : null;
  const overwrite = 'overwrite' in command ? command.overwrite : null;
  const preset = 'preset' in command ? command.preset : undefined;
  const details = {
    ...(status !== null && { status }),
    ...(preset && { preset: preset.crm }),
    ...(overwrite && describeOverwrite(overwrite)),
  };
  const counted = { accountId, rows, details };
  if ('monitorJobId' in command)
    return { action: 'findings_exported', subject: String(command.monitorJobId), ...counted };
  if ('pipelineId' in command)
    return { action: 'pipeline_exported', subject: command.pipelineId, ...counted };
  if ('leftOutOf' in command)
    return {
      action: 'result_exported',
      subject: command.leftOutOf,
      ...counted,
      details: { rows_left_out: true },
    };
  return { action: 'result_exported', subject: command.jobId, ...counted };
}
