// Answers the call about the last requests of programs.
import { loggedRequestsMax } from '../../contract/limits/http-server.ts';
import { requestLog } from '../../contract/requests/requests.ts';
import type { ApiServer, RouteDepsWith } from '../route-deps.ts';
import { serve } from '../serve.ts';

export function addRequestRoutes(server: ApiServer, context: RouteDepsWith<object>): void {
  serve(server, context, requestLog, {
    list: ({ limit }, { accountId }) => ({
      requests: context.requestLog.list(accountId, limit),
      kept_max: loggedRequestsMax,
    }),
  });
}
