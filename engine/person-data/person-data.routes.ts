/** Routes /app/v1/person-data/…: search, export, deletion, receipts. */
import {
  PersonDeletionSchema,
  PersonExportSchema,
  PersonQuerySchema,
  PersonReceiptQuerySchema,
  PersonReceiptSchema,
  PersonReceiptsSchema,
  PersonSearchSchema,
} from '../contract/person-data/person-data.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { createHasher, listReceipts } from './person-deletion.table.ts';
import { hashedValue } from './read-value.ts';
import type { PersonDataRouteDeps } from './route-deps.ts';

/** Adds the routes. The server must have the session hook. */
export function addPersonDataRoutes(server: ApiServer, context: PersonDataRouteDeps): void {
  const { personData, liveDatabase, isLocal } = context;
  server.post(
    '/person-data/searches',
    { schema: { body: PersonQuerySchema, response: answersOf(PersonSearchSchema) } },
    async ({ body }) => success(await personData.search(body)),
  );
  server.post(
    '/person-data/exports',
    { schema: { body: PersonQuerySchema, response: answersOf(PersonExportSchema) } },
    async ({ body }) => success(await personData.exportAll(body)),
  );
  server.post(
    '/person-data/deletions',
    { schema: { body: PersonDeletionSchema, response: answersOf(PersonReceiptSchema) } },
    async (request) => {
      const { confirmed: _confirmed, suppress, ...query } = request.body;
      const source = isLocal(request.raw) ? 'command_line' : 'app';
      const author = callerOf(request).account.name;
      return success(await personData.deletePerson(query, { author, source, suppress }));
    },
  );
  server.post(
    '/person-data/receipts',
    { schema: { body: PersonReceiptQuerySchema, response: answersOf(PersonReceiptsSchema) } },
    async ({ body }) => {
      const read = body.value === '' ? null : hashedValue(body.value);
      const hash = read && createHasher(liveDatabase)(read.kind, read.key);
      return success(listReceipts(liveDatabase, hash));
    },
  );
}
