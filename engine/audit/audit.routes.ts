/** Routes /app/v1/audit, /audit-state and /audit-exports. An API key has no route to the log. */
import {
  AuditExportRequestSchema,
  AuditPageSchema,
  AuditQuerySchema,
  AuditStateQuerySchema,
  AuditStateSchema,
} from '../contract/audit/audit.ts';
import { ExportAnswerSchema } from '../contract/jobs/app-jobs.ts';
import { auditActorsMax } from '../contract/limits/privacy/audit.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { countAuditRows, getAuditHead, listActors, listAuditRows } from './audit.table.ts';
import { nameAuditExport } from './export-audit.ts';
import { presentAudit, readAuditFilter } from './present-audit.ts';
import type { AuditRouteDeps } from './route-deps.ts';

/** Adds the routes. The server must have the session hook. */
export function addAuditRoutes(server: ApiServer, deps: AuditRouteDeps): void {
  const { environment } = deps;
  server.get(
    '/audit',
    { schema: { querystring: AuditQuerySchema, response: answersOf(AuditPageSchema) } },
    async ({ query: { before, limit, ...filter } }) => {
      const page = { ...readAuditFilter(filter), before, limit: limit + 1 };
      const rows = listAuditRows(environment.database, page);
      const shown = rows.slice(0, limit);
      return success({
        entries: shown.map(presentAudit),
        total: getAuditHead(environment.database)?.id ?? 0,
        next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
        actors: listActors(environment.database, auditActorsMax),
      });
    },
  );
  server.get(
    '/audit-state',
    { schema: { querystring: AuditStateQuerySchema, response: answersOf(AuditStateSchema) } },
    async ({ query }) => success(await environment.reader.verifyAudit(query)),
  );
  server.post(
    '/audit-exports',
    { schema: { body: AuditExportRequestSchema, response: answersOf(ExportAnswerSchema) } },
    async (request) => {
      const {
        path,
        format,
        for_excel: forExcel,
        protect_all: protectAll,
        ...filter
      } = request.body;
      const audit = readAuditFilter(filter);
      const options = { format, forExcel, protectAll };
      const command = { accountId: callerOf(request).account.id, audit, ...options };
      const fileName = nameAuditExport(format);
      const countRows = () => countAuditRows(environment.database, audit);
      const target = { path, fileName, countRows };
      return success(await answerExport(deps, command, target, request));
    },
  );
}
