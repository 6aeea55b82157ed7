/**
 * The routes of webhooks that callers and the app share, each under a path of its own: registering
 * one, and whatever is done to one and to its deliveries.
 */

import {
  CreatedWebhookSchema,
  DeletedWebhookSchema,
  DeliveriesQuerySchema,
  DeliveryPageSchema,
  DeliveryParamsSchema,
  DeliverySchema,
  NewWebhookSchema,
  RotatedSecretSchema,
  WebhookChangeSchema,
  WebhookDetailSchema,
  WebhookParamsSchema,
} from '../contract/webhooks.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { presentDeliveries, presentDelivery, presentWebhookDetail } from './present-webhook.ts';
import type { WebhookRouteDeps } from './route-deps.ts';
import type { WebhookTarget } from './webhooks.commands.ts';
import { requireDelivery, requireWebhook } from './webhooks.ts';

type Called = Parameters<typeof callerOf>[0] & { params: { id: string } };

const targetOf = (request: Called): WebhookTarget => ({
  accountId: callerOf(request).account.id,
  id: request.params.id,
});

function addKeepingRoutes(
  server: ApiServer,
  { environment }: WebhookRouteDeps,
  base: string,
): void {
  const params = WebhookParamsSchema;
  const describe = (target: WebhookTarget) =>
    success(
      presentWebhookDetail(environment.database, requireWebhook(environment.database, target)),
    );
  server.post(
    `${base}/`,
    { schema: { body: NewWebhookSchema, response: answersOf(CreatedWebhookSchema, 201) } },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const { url, events } = request.body;
      const created = await environment.writer.createWebhook({ accountId, url, events });
      return reply.code(201).send(success(created));
    },
  );
  server.get(
    `${base}/:id`,
    { schema: { params, response: answersOf(WebhookDetailSchema) } },
    async (request) => describe(targetOf(request)),
  );
  server.patch(
    `${base}/:id`,
    { schema: { params, body: WebhookChangeSchema, response: answersOf(WebhookDetailSchema) } },
    async (request) => {
      const target = targetOf(request);
      await environment.writer.pauseWebhook({ ...target, paused: request.body.paused });
      return describe(target);
    },
  );
  server.post(
    `${base}/:id/rotate`,
    { schema: { params, response: answersOf(RotatedSecretSchema) } },
    async (request) => success(await environment.writer.rotateWebhookSecret(targetOf(request))),
  );
  server.delete(
    `${base}/:id`,
    { schema: { params, response: answersOf(DeletedWebhookSchema) } },
    async (request) => {
      const target = targetOf(request);
      await environment.writer.removeWebhook(target);
      return success({ id: target.id, deleted: true as const });
    },
  );
}

function addDeliveryRoutes(
  server: ApiServer,
  { environment }: WebhookRouteDeps,
  base: string,
): void {
  /** A delivery as it stands now. */
  const describe = (target: WebhookTarget, deliveryId: number) =>
    success(
      presentDelivery(
        environment.database,
        requireDelivery(environment.database, { ...target, deliveryId }),
      ),
    );
  server.post(
    `${base}/:id/test`,
    { schema: { params: WebhookParamsSchema, response: answersOf(DeliverySchema, 202) } },
    async (request, reply) => {
      const target = targetOf(request);
      const { deliveryId } = await environment.writer.sendTestEvent(target);
      return reply.code(202).send(describe(target, deliveryId));
    },
  );
  server.get(
    `${base}/:id/deliveries`,
    {
      schema: {
        params: WebhookParamsSchema,
        querystring: DeliveriesQuerySchema,
        response: longAnswersOf(DeliveryPageSchema),
      },
    },
    async (request) => {
      const { id } = requireWebhook(environment.database, targetOf(request));
      return success(presentDeliveries(environment.database, id, request.query));
    },
  );
  server.get(
    `${base}/:id/deliveries/:delivery`,
    { schema: { params: DeliveryParamsSchema, response: answersOf(DeliverySchema) } },
    async (request) => describe(targetOf(request), request.params.delivery),
  );
  server.post(
    `${base}/:id/deliveries/:delivery/send-again`,
    { schema: { params: DeliveryParamsSchema, response: answersOf(DeliverySchema, 202) } },
    async (request, reply) => {
      const target = targetOf(request);
      const deliveryId = request.params.delivery;
      await environment.writer.sendAgain({ ...target, deliveryId });
      return reply.code(202).send(describe(target, deliveryId));
    },
  );
}

/**
 * Adds them.
 * @param base what stands before them behind the server's own prefix
 */
export function addOneWebhookRoutes(
  server: ApiServer,
  context: WebhookRouteDeps,
  base: string,
): void {
  addKeepingRoutes(server, context, base);
  addDeliveryRoutes(server, context, base);
}
