/**
 * Routes /app/v1/suppression, /suppression-imports, /suppression-opt-outs, /suppression-removals
 * and /suppression-checks. A change is answered once every read honours it.
 */
import type { FastifyRequest } from 'fastify';
import {
  SuppressionAdditionSchema,
  SuppressionCheckSchema,
  SuppressionImportSchema,
  SuppressionPageSchema,
  SuppressionQuerySchema,
  SuppressionRemovalSchema,
  SuppressionRemovedSchema,
  SuppressionReportSchema,
  SuppressionVerdictsSchema,
} from '../contract/suppression/suppression.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { checkValue } from './check-value.ts';
import { listOptedOut, readHiddenPeople } from './hidden-people.ts';
import type { SuppressionRouteDeps } from './route-deps.ts';
import type { ListReport } from './suppression.commands.ts';
import { countEntries, listEntries } from './suppression.table.ts';

/** Adds the routes. The server must have the session hook. */
export function addSuppressionRoutes(server: ApiServer, context: SuppressionRouteDeps): void {
  const { environment, isLocal } = context;
  const applied = async () => {
    await context.applySuppressions();
    return { people: readHiddenPeople(environment.directoryDatabase).size };
  };
  const reported = async (report: ListReport) => success({ ...report, ...(await applied()) });
  const authorOf = (request: FastifyRequest) => callerOf(request).account.name;
  const response = answersOf(SuppressionReportSchema);
  server.get(
    '/suppression',
    { schema: { querystring: SuppressionQuerySchema, response: answersOf(SuppressionPageSchema) } },
    async ({ query }) => {
      const entries = listEntries(environment.database, { ...query, limit: query.limit + 1 });
      const shown = entries.slice(0, query.limit);
      const next = entries.length > query.limit ? (shown.at(-1)?.id ?? null) : null;
      return success({ entries: shown, total: countEntries(environment.database), next });
    },
  );
  server.post(
    '/suppression',
    { schema: { body: SuppressionAdditionSchema, response } },
    async (request) => {
      const source = isLocal(request.raw) ? 'command_line' : 'app';
      const given = { ...request.body, source, author: authorOf(request) } as const;
      return reported(await environment.writer.suppress(given));
    },
  );
  server.post('/suppression-opt-outs', { schema: { response } }, async (request) => {
    const source = isLocal(request.raw) ? 'command_line' : 'app';
    const values = listOptedOut(environment.directoryDatabase);
    const reason = 'opted out in an imported list';
    const given = { values, reason, source, author: authorOf(request) } as const;
    return reported(await environment.writer.suppress(given));
  });
  server.post(
    '/suppression-imports',
    { schema: { body: SuppressionImportSchema, response } },
    async (request) => {
      const given = { ...request.body, source: 'csv', author: authorOf(request) } as const;
      return reported(await environment.writer.importSuppressions(given));
    },
  );
  server.post(
    '/suppression-removals',
    { schema: { body: SuppressionRemovalSchema, response: answersOf(SuppressionRemovedSchema) } },
    async ({ body }) => {
      const { ids = [], job_id: job } = body;
      const removed = await environment.writer.removeSuppressions(job ? { job } : { ids });
      return success({ removed, ...(await applied()) });
    },
  );
  server.post(
    '/suppression-checks',
    { schema: { body: SuppressionCheckSchema, response: answersOf(SuppressionVerdictsSchema) } },
    async ({ body }) =>
      success(body.values.map((given) => checkValue(environment.database, given))),
  );
}
