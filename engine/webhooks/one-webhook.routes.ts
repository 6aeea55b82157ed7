/**
 * Webhook routes that the REST API and the app share, each under its own path: registering a
 * webhook, and the routes of one webhook and its deliveries.
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

type Environment = WebhookRouteDeps['environment'];

const describeWebhook = ({ database }: Environment, target: WebhookTarget) =>
  success(presentWebhookDetail(database, requireWebhook(database, target)));

const describeDelivery = ({ database }: Environment, target: WebhookTarget, deliveryId: number) =>
  success(presentDelivery(database, requireDelivery(database, { ...target, deliveryId })));

function addKeepingRoutes(
  server: ApiServer,
  { environment }: WebhookRouteDeps,
  base: string,
): void {
  server.post(
    `${base}/`,
    {
      schema: {
        docs: {
          id: 'registerWebhook',
          tag: 'Webhooks',
          summary: 'Register a webhook',
          description: 'The answer is the only place where its secret is shown.',
          refusals: ['secrets_unavailable'],
        },
        body: NewWebhookSchema,
        response: answersOf(CreatedWebhookSchema, 201),
      },
    },
    async (request, reply) => {
      const accountId = callerOf(request).account.id;
      const { url, events } = request.body;
      const created = await environment.writer.createWebhook({ accountId, url, events });
      return reply.code(201).send(success(created));
    },
  );
  server.get(
    `${base}/:id`,
    {
      schema: {
        docs: {
          id: 'getWebhook',
          tag: 'Webhooks',
          summary:
            'One webhook: whether it is paused or switched off, and what keeps it from delivering',
        },
        params: WebhookParamsSchema,
        response: answersOf(WebhookDetailSchema),
      },
    },
    async (request) => describeWebhook(environment, targetOf(request)),
  );
  server.patch(
    `${base}/:id`,
    {
      schema: {
        docs: {
          id: 'changeWebhook',
          tag: 'Webhooks',
          summary: 'Pause a webhook, or resume it',
          description:
            'While it is paused events are gathered. One that its receiver switched off with 410 ' +
            'is resumed in the same way.',
        },
        params: WebhookParamsSchema,
        body: WebhookChangeSchema,
        response: answersOf(WebhookDetailSchema),
      },
    },
    async (request) => {
      const target = targetOf(request);
      await environment.writer.pauseWebhook({ ...target, paused: request.body.paused });
      return describeWebhook(environment, target);
    },
  );
}

function addSecretAndRemovalRoutes(
  server: ApiServer,
  { environment }: WebhookRouteDeps,
  base: string,
): void {
  server.post(
    `${base}/:id/rotate`,
    {
      schema: {
        docs: {
          id: 'rotateWebhookSecret',
          tag: 'Webhooks',
          summary: 'Give a webhook a new secret, which is shown this once',
          description:
            'For 24 hours `webhook-signature` carries a signature by each secret. ' +
            '`X-Service-Signature` has room for one, which is by the new secret at once.',
          refusals: ['secrets_unavailable'],
        },
        params: WebhookParamsSchema,
        response: answersOf(RotatedSecretSchema),
      },
    },
    async (request) => success(await environment.writer.rotateWebhookSecret(targetOf(request))),
  );
  server.delete(
    `${base}/:id`,
    {
      schema: {
        docs: {
          id: 'deleteWebhook',
          tag: 'Webhooks',
          summary: 'Delete a webhook with what it has still to send',
        },
        params: WebhookParamsSchema,
        response: answersOf(DeletedWebhookSchema),
      },
    },
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
  server.post(
    `${base}/:id/test`,
    {
      schema: {
        docs: {
          id: 'sendTestEvent',
          tag: 'Webhooks',
          summary: 'Send a test event, whatever the webhook is registered for',
          description: 'It is attempted once. A webhook that is paused or switched off refuses it.',
          answers: { 202: 'It will be sent; read the delivery for how it went.' },
        },
        params: WebhookParamsSchema,
        response: answersOf(DeliverySchema, 202),
      },
    },
    async (request, reply) => {
      const target = targetOf(request);
      const { deliveryId } = await environment.writer.sendTestEvent(target);
      return reply.code(202).send(describeDelivery(environment, target, deliveryId));
    },
  );
  server.get(
    `${base}/:id/deliveries`,
    {
      schema: {
        docs: {
          id: 'listWebhookDeliveries',
          tag: 'Webhooks',
          summary: 'The log of a webhook: each delivery with its attempts, newest first',
          description:
            'Pages are asked for by `before`, since new deliveries come in at the front all the ' +
            'time. A delivery is kept for 30 days after its end.',
        },
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
}

function addOneDeliveryRoutes(
  server: ApiServer,
  { environment }: WebhookRouteDeps,
  base: string,
): void {
  server.get(
    `${base}/:id/deliveries/:delivery`,
    {
      schema: {
        docs: {
          id: 'getWebhookDelivery',
          tag: 'Webhooks',
          summary: 'One delivery with its attempts',
        },
        params: DeliveryParamsSchema,
        response: answersOf(DeliverySchema),
      },
    },
    async (request) => describeDelivery(environment, targetOf(request), request.params.delivery),
  );
  server.post(
    `${base}/:id/deliveries/:delivery/send-again`,
    {
      schema: {
        docs: {
          id: 'sendDeliveryAgain',
          tag: 'Webhooks',
          summary: 'Begin another round of attempts of a delivery, with the same webhook-id',
          description: 'A webhook that is paused or switched off refuses it.',
          answers: { 202: 'It will be sent; read the delivery for how it goes.' },
        },
        params: DeliveryParamsSchema,
        response: answersOf(DeliverySchema, 202),
      },
    },
    async (request, reply) => {
      const target = targetOf(request);
      const deliveryId = request.params.delivery;
      await environment.writer.sendAgain({ ...target, deliveryId });
      return reply.code(202).send(describeDelivery(environment, target, deliveryId));
    },
  );
}

/**
 * Adds the routes.
 * @param base path below the server's own prefix
 */
export function addOneWebhookRoutes(
  server: ApiServer,
  context: WebhookRouteDeps,
  base: string,
): void {
  addKeepingRoutes(server, context, base);
  addSecretAndRemovalRoutes(server, context, base);
  addDeliveryRoutes(server, context, base);
  addOneDeliveryRoutes(server, context, base);
}
