/** Route GET /app/v1/requests: the last requests of programs. */
import { loggedRequestsMax } from '../../contract/limits/http-server.ts';
import { RequestsQuerySchema, RequestsSchema } from '../../contract/requests/requests.ts';
import { callerOf } from '../credentials.ts';
import { answersOf, success } from '../responses.ts';
import type { ApiServer, RouteDeps } from '../route-deps.ts';

/** Adds the route. The server must have the session hook. */
export function addRequestRoutes(server: ApiServer, { requestLog }: RouteDeps): void {
  server.get(
    '/requests',
    { schema: { querystring: RequestsQuerySchema, response: answersOf(RequestsSchema) } },
    async (request) =>
      success({
        requests: requestLog.list(callerOf(request).account.id, request.query.limit),
        kept_max: loggedRequestsMax,
      }),
  );
}
