/** The audit log as CSV, in the order of the chain. Every cell is protected from formulas. */
import { nameAction } from '../contract/audit/actions.ts';
import type { AuditEntry, AuditFilter } from '../contract/audit/audit.ts';
import { describeDetails } from '../contract/audit/describe-details.ts';
import { auditBatchEntries } from '../contract/limits/audit.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { formatRecord, protectFormula } from '../spreadsheet/format-record.ts';
import { countAuditRows, getAuditHead, readMatchingRows } from './audit.table.ts';
import { presentAudit } from './present-audit.ts';

/** Contents of an export of the log. */
export interface AuditExport {
  /** The account of the request; the log is that of all accounts. */
  readonly accountId: number;
  readonly audit: AuditFilter;
  readonly forExcel: boolean;
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

function* writePieces(
  database: ReadableDatabase,
  { audit, forExcel }: AuditExport,
  last: number,
): Generator<string> {
  yield (forExcel ? '\uFEFF' : '') + formatRecord(Object.keys(columns));
  const cells = Object.values(columns);
  for (let after = 0; ; ) {
    const page = { ...audit, after, last, limit: auditBatchEntries };
    const rows = readMatchingRows(database, page);
    yield rows
      .map(presentAudit)
      .map((entry) => formatRecord(cells.map((read) => protectFormula(String(read(entry) ?? '')))))
      .join('');
    const end = rows.at(-1);
    if (!end || rows.length < auditBatchEntries) return;
    after = end.id;
  }
}

/** The name of the CSV. */
export const auditFileName = 'Audit log.csv';

/** Opens the export of the entries that exist now. */
export const exportAudit = (
  database: ReadableDatabase,
  command: AuditExport,
): { fileName: string; rows: number; pieces: Generator<string> } => ({
  fileName: auditFileName,
  rows: countAuditRows(database, command.audit),
  pieces: writePieces(database, command, getAuditHead(database)?.id ?? 0),
});
