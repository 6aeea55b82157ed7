/**
 * Routes /app/v1/directory/search: people and companies of the directory by filters and by a text,
 * and the age and sources of people. Free of charge.
 */

import { PeopleOriginsSchema } from '../../contract/records/people-origins.ts';
import { SearchFirmsSchema, SearchPeopleSchema } from '../../contract/records/record-search.ts';
import {
  FoundCompaniesSchema,
  FoundContactsSchema,
  SearchValuesSchema,
  ValuesQuerySchema,
} from '../../contract/search.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import type { SearchRouteDeps } from '../route-deps.ts';

/** Adds the routes. The server must have the session hook. */
export function addSearchRoutes(server: ApiServer, context: SearchRouteDeps): void {
  const { environment } = context;
  server.post(
    '/directory/search/contacts',
    { schema: { body: SearchPeopleSchema, response: answersOf(FoundContactsSchema) } },
    async (request) => success(await environment.search.contacts(request.body)),
  );
  server.post(
    '/directory/search/companies',
    { schema: { body: SearchFirmsSchema, response: answersOf(FoundCompaniesSchema) } },
    async (request) => success(await environment.search.companies(request.body)),
  );
  server.get(
    '/directory/search/values',
    { schema: { querystring: ValuesQuerySchema, response: answersOf(SearchValuesSchema) } },
    async ({ query }) =>
      success(
        query.directory === 'team'
          ? await environment.writer.readTeamValues(null)
          : await environment.search.values(null),
      ),
  );
  server.get(
    '/directory/origins',
    { schema: { response: answersOf(PeopleOriginsSchema) } },
    async () => success(await environment.search.origins(null)),
  );
}
