/**
 * /app/v1/webhooks, /webhook-hosts and /secret-key: the list with the state of each webhook, what
 * the app shares with callers, and what it alone may set.
 */
import { z } from 'zod';
import {
  SecretKeySchema,
  WebhookDetailSchema,
  WebhookHostsSchema,
} from '../../contract/webhook.ts';
import { describeWebhookDetail } from '../../domain/describe-webhook.ts';
import { listWebhookHosts, listWebhooks } from '../../store/webhook.ts';
import { answersOf, success } from '../answers.ts';
import { callerOf } from '../credentials.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';
import { addOneWebhookRoutes } from './one-webhook.ts';

/** Adds the routes; the session is a hook of the server they are added to. */
export function addAppWebhookRoutes(server: ApiServer, context: ServerContext): void {
  const { world } = context;
  const hosts = answersOf(WebhookHostsSchema);
  server.get(
    '/webhooks',
    { schema: { response: answersOf(z.array(WebhookDetailSchema)) } },
    async (request) => {
      const webhooks = listWebhooks(world.database, callerOf(request).account.id);
      return success(webhooks.map((webhook) => describeWebhookDetail(world.database, webhook)));
    },
  );
  addOneWebhookRoutes(server, context, '/webhooks');
  server.get('/webhook-hosts', { schema: { response: hosts } }, async (request) =>
    success({ hosts: listWebhookHosts(world.database, callerOf(request).account.id) }),
  );
  server.put(
    '/webhook-hosts',
    { schema: { body: WebhookHostsSchema, response: hosts } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      await world.writer.setWebhookHosts({ accountId, hosts: request.body.hosts });
      return success({ hosts: listWebhookHosts(world.database, accountId) });
    },
  );
  server.get('/secret-key', { schema: { response: answersOf(SecretKeySchema) } }, async () =>
    success(await world.writer.describeSecretKey(null)),
  );
}
