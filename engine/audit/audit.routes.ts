// Answers the calls about the audit log. An API key has no route to the log.
import { audit } from '../contract/audit/audit.ts';
import { auditActorsMax } from '../contract/limits/privacy/audit.ts';
import type { ApiServer, ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { serve } from '../http/serve.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import { countAuditRows, getAuditHead, listActors, listAuditRows } from './audit.table.ts';
import type { AuditReads } from './create-audit-commands.ts';
import { type AuditExport, nameAuditExport } from './export-audit.ts';
import { presentAudit, readAuditFilter } from './present-audit.ts';

interface AuditRouteDeps extends RouteDepsWith<unknown, AuditReads & ExportCalls<AuditExport>> {
  readonly tickets: ExportTickets<AuditExport>;
}

export function addAuditRoutes(server: ApiServer, context: AuditRouteDeps): void {
  const { environment } = context;
  serve(server, context, audit, {
    list({ before, limit, ...filter }) {
      const page = { ...readAuditFilter(filter), before, limit: limit + 1 };
      const rows = listAuditRows(environment.database, page);
      const shown = rows.slice(0, limit);
      return {
        entries: shown.map(presentAudit),
        total: getAuditHead(environment.database)?.id ?? 0,
        next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
        actors: listActors(environment.database, auditActorsMax),
      };
    },
    verify: ({ anchor }) => environment.reader.verifyAudit({ anchor }),
    exportLog(given, { accountId, request }) {
      const { path, format, for_excel: forExcel, protect_all: protectAll } = given;
      const filter = readAuditFilter(given);
      const command: AuditExport = {
        kind: 'audit',
        accountId,
        audit: filter,
        format,
        forExcel,
        protectAll,
      };
      const fileName = nameAuditExport(format);
      const countRows = () => countAuditRows(environment.database, filter);
      return answerExport(context, command, { path, fileName, countRows }, request);
    },
  });
}
