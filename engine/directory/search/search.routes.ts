/**
 * Answers the searches for people and companies of the directory, and the age and sources of
 * people. Free of charge.
 */
import { directorySearch } from '../../contract/records/record-search.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import type { SearchRouteDeps } from '../route-deps.ts';

export function addSearchRoutes(server: ApiServer, context: SearchRouteDeps): void {
  const { environment } = context;
  serve(server, context, directorySearch, {
    people: (query) => environment.search.contacts(query),
    companies: (query) => environment.search.companies(query),
    values: ({ directory }) =>
      directory === 'team'
        ? environment.writer.readTeamValues(null)
        : environment.search.values(null),
    origins: () => environment.search.origins(null),
  });
}
