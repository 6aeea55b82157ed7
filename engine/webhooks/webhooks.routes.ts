/**
 * Routes /api/v1/webhooks: the list, and the routes shared with the app.
 */

import { WebhookPageSchema } from '../contract/webhooks.ts';
import { PageQuerySchema } from '../contract/whole-number.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { addOneWebhookRoutes } from './one-webhook.routes.ts';
import { presentWebhook } from './present-webhook.ts';
import type { WebhookRouteDeps } from './route-deps.ts';
import { listWebhooks } from './webhook.table.ts';

/** Adds the routes. The server must have the hooks for keys and the rate limit. */
export function addWebhookRoutes(server: ApiServer, context: WebhookRouteDeps): void {
  const { environment } = context;
  server.get(
    '/',
    {
      schema: {
        docs: { id: 'listWebhooks', tag: 'Webhooks', summary: 'List webhooks, newest first' },
        querystring: PageQuerySchema,
        response: answersOf(WebhookPageSchema),
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      // An account has at most a hundred webhooks.
      const all = listWebhooks(environment.database, callerOf(request).account.id);
      const page = all.slice(offset, offset + limit);
      return success({
        count: all.length,
        ...linkPages(request, request.query, all.length),
        results: page.map((webhook) => presentWebhook(environment.database, webhook)),
      });
    },
  );
  addOneWebhookRoutes(server, context, '');
}
