/**
 * Routes /app/v1/webhooks, /webhook-hosts and /secret-key: the list with the state of each webhook,
 * the routes shared with the REST API, and settings of the app.
 */
import { z } from 'zod';
import { SecretKeySchema, WebhookDetailSchema, WebhookHostsSchema } from '../contract/webhooks.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { addOneWebhookRoutes } from './one-webhook.routes.ts';
import { presentWebhookDetail } from './present-webhook.ts';
import type { WebhookRouteDeps } from './route-deps.ts';
import { listWebhookHosts, listWebhooks } from './webhook.table.ts';

/** Adds the routes. The server must have the session hook. */
export function addAppWebhookRoutes(server: ApiServer, context: WebhookRouteDeps): void {
  const { environment } = context;
  const hosts = answersOf(WebhookHostsSchema);
  server.get(
    '/webhooks',
    { schema: { response: answersOf(z.array(WebhookDetailSchema)) } },
    async (request) => {
      const webhooks = listWebhooks(environment.database, callerOf(request).account.id);
      return success(
        webhooks.map((webhook) => presentWebhookDetail(environment.database, webhook)),
      );
    },
  );
  addOneWebhookRoutes(server, context, '/webhooks');
  server.get('/webhook-hosts', { schema: { response: hosts } }, async (request) =>
    success({ hosts: listWebhookHosts(environment.database, callerOf(request).account.id) }),
  );
  server.put(
    '/webhook-hosts',
    { schema: { body: WebhookHostsSchema, response: hosts } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      await environment.writer.setWebhookHosts({ accountId, hosts: request.body.hosts });
      return success({ hosts: listWebhookHosts(environment.database, accountId) });
    },
  );
  server.get('/secret-key', { schema: { response: answersOf(SecretKeySchema) } }, async () =>
    success(await environment.writer.describeSecretKey(null)),
  );
}
