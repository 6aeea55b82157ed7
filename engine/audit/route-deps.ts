/** Dependencies of the routes of the audit log. */
import type { ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import type { ExportCalls } from '../spreadsheet/export.commands.ts';
import type { AuditReads } from './audit.commands.ts';
import type { AuditExport } from './export-audit.ts';

export interface AuditRouteDeps
  extends RouteDepsWith<unknown, AuditReads & ExportCalls<AuditExport>> {
  readonly tickets: ExportTickets<AuditExport>;
}
