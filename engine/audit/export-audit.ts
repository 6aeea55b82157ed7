// The audit log as a file, in the order of the chain.
import { nameAction } from '../contract/audit/actions.ts';
import type { AuditEntry, AuditFilter } from '../contract/audit/audit.ts';
import { describeDetails } from '../contract/audit/describe-details.ts';
import type { ExportFormat } from '../contract/exports/export-formats.ts';
import { auditBatchEntries } from '../contract/limits/privacy/audit.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type ExportRow,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../spreadsheet/export/export-table.ts';
import { writeTable } from '../spreadsheet/export/write-table.ts';
import { checkSheetRows } from '../spreadsheet/export/write-workbook.ts';
import type { ExportSources, OpenedExport } from '../spreadsheet/export-calls.ts';
import type { ExportOptions } from '../spreadsheet/export-options.ts';
import { countAuditRows, getAuditHead, readMatchingRows } from './audit.table.ts';
import { presentAudit } from './present-audit.ts';

export interface AuditExport extends ExportOptions {
  readonly kind: 'audit';
  /** The log is that of all accounts. */
  readonly audit: AuditFilter;
}

const columns: Readonly<Record<string, (entry: AuditEntry) => string | number | null>> = {
  Entry: ({ id }) => id,
  Time: ({ at }) => at,
  Environment: ({ environment }) => environment,
  'Actor kind': ({ actor_kind }) => actor_kind,
  Actor: ({ actor }) => actor,
  'Key prefix': ({ key_prefix }) => key_prefix,
  Account: ({ account }) => account,
  'Account id': ({ account_id }) => account_id,
  Action: ({ action }) => action,
  'Action in words': ({ action }) => nameAction(action),
  Subject: ({ subject }) => subject,
  Rows: ({ rows }) => rows,
  Credits: ({ credits }) => credits,
  Details: ({ details }) => describeDetails(details),
  Hash: ({ hash }) => hash,
};

function* readRows(
  database: ReadableDatabase,
  { audit }: AuditExport,
  last: number,
): Generator<readonly ExportRow[]> {
  const cells = Object.values(columns);
  for (let after = 0; ; ) {
    const rows = readMatchingRows(database, { ...audit, after, last, limit: auditBatchEntries });
    yield rows.map(presentAudit).map((entry) => ({
      cells: cells.map((read) => String(read(entry) ?? '')),
      changed: nothingChanged,
    }));
    const end = rows.at(-1);
    if (!end || rows.length < auditBatchEntries) return;
    after = end.id;
  }
}

const numbers: ReadonlySet<string> = new Set(['Entry', 'Rows', 'Credits']);

export const nameAuditExport = (format: ExportFormat): string => `Audit log.${format}`;

export function exportAudit({ database }: ExportSources, command: AuditExport): OpenedExport {
  const { action, actor, since } = command.audit;
  const rows = countAuditRows(database, command.audit);
  if (command.format === 'xlsx') checkSheetRows(rows);
  const last = getAuditHead(database)?.id ?? 0;
  const names = Object.keys(columns);
  const added = names.map(
    (name) => ({ name, type: numbers.has(name) ? 'number' : 'text' }) as const,
  );
  const opening = function* (): TableOpening {
    const read = () => readRows(database, command, last);
    return { columns: listColumns([], added), rows: read, changes: null };
  };
  return {
    fileName: nameAuditExport(command.format),
    rows,
    pieces: writeTable(opening(), command),
    note: {
      action: 'audit_exported',
      accountId: null,
      details: {
        ...(action !== undefined && { action }),
        ...(actor !== undefined && { actor }),
        ...(since !== undefined && { since }),
      },
    },
  };
}
