/**
 * Routes /app/v1/directory/search: people and companies of the directory by filters, free of
 * charge.
 */

import {
  FoundCompaniesSchema,
  FoundContactsSchema,
  SearchCompaniesSchema,
  SearchContactsSchema,
  SearchValuesSchema,
} from '../../contract/search.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import type { SearchRouteDeps } from '../route-deps.ts';

/** Adds the routes. The server must have the session hook. */
export function addSearchRoutes(server: ApiServer, context: SearchRouteDeps): void {
  const { environment } = context;
  server.post(
    '/directory/search/contacts',
    { schema: { body: SearchContactsSchema, response: answersOf(FoundContactsSchema) } },
    async (request) => success(await environment.search.contacts(request.body)),
  );
  server.post(
    '/directory/search/companies',
    { schema: { body: SearchCompaniesSchema, response: answersOf(FoundCompaniesSchema) } },
    async (request) => success(await environment.search.companies(request.body)),
  );
  server.get(
    '/directory/search/values',
    { schema: { response: answersOf(SearchValuesSchema) } },
    async () => success(await environment.search.values(null)),
  );
}
