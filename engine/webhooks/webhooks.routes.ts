// Answers the calls about webhooks that only read. The writer thread answers the others.
import { webhooks } from '../contract/webhooks.ts';
import { linkPages } from '../http/page-links.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import {
  presentDeliveries,
  presentDelivery,
  presentWebhook,
  presentWebhookDetail,
} from './present-webhook.ts';
import { listWebhookHosts, listWebhooks } from './webhook.table.ts';
import { requireDelivery, requireWebhook, type WebhookCommands } from './webhooks.ts';

export function addWebhookRoutes(server: ApiServer, context: RouteDepsWith<WebhookCommands>): void {
  const { environment } = context;
  serve(server, context, webhooks, {
    listPage({ limit, offset }, { accountId, request }) {
      // An account has at most a hundred webhooks.
      const all = listWebhooks(environment.database, accountId);
      const page = all.slice(offset, offset + limit);
      return {
        count: all.length,
        ...linkPages(request, { limit, offset }, all.length),
        results: page.map((webhook) => presentWebhook(environment.database, webhook)),
      };
    },
    list: (_input, { accountId }) =>
      listWebhooks(environment.database, accountId).map((webhook) =>
        presentWebhookDetail(environment.database, webhook),
      ),
    get({ id }, { accountId }) {
      const webhook = requireWebhook(environment.database, { accountId, id });
      return presentWebhookDetail(environment.database, webhook);
    },
    deliveries({ id, ...page }, { accountId }) {
      requireWebhook(environment.database, { accountId, id });
      return presentDeliveries(environment.database, id, page);
    },
    delivery({ id, delivery }, { accountId }) {
      const target = { accountId, id, delivery };
      return presentDelivery(environment.database, requireDelivery(environment.database, target));
    },
    hosts: (_input, { accountId }) => ({
      hosts: listWebhookHosts(environment.database, accountId),
    }),
  });
}
