/**
 * /api/v1/webhooks: the list of the specification (section D), and what callers share with the app.
 */
import { WebhookPageSchema } from '../../contract/webhook.ts';
import { PageQuerySchema } from '../../contract/whole-number.ts';
import { describeWebhook } from '../../domain/describe-webhook.ts';
import { listWebhooks } from '../../store/webhook.ts';
import { answersOf, success } from '../answers.ts';
import { callerOf } from '../credentials.ts';
import { linkPages } from '../page-links.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';
import { addOneWebhookRoutes } from './one-webhook.ts';

/** Adds the routes; keys and the rate limit are hooks of the server they are added to. */
export function addWebhookRoutes(server: ApiServer, context: ServerContext): void {
  const { world } = context;
  server.get(
    '/',
    { schema: { querystring: PageQuerySchema, response: answersOf(WebhookPageSchema) } },
    async (request) => {
      const { limit, offset } = request.query;
      // An account has at most a hundred.
      const all = listWebhooks(world.database, callerOf(request).account.id);
      const page = all.slice(offset, offset + limit);
      return success({
        count: all.length,
        ...linkPages(request, request.query, all.length),
        results: page.map((webhook) => describeWebhook(world.database, webhook)),
      });
    },
  );
  addOneWebhookRoutes(server, context, '');
}
