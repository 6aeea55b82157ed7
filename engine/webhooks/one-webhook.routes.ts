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
          description: 'Only this response contains the secret.',
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
            'Get a webhook: whether it is paused or switched off, and what prevents deliveries',
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
          summary: 'Pause or resume a webhook',
          description:
            'While a webhook is paused, its events wait. A webhook that its receiver switched ' +
            'off with 410 is resumed in the same way.',
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
          summary: 'Replace the secret of a webhook',
          description:
            'Only this response contains the new secret. For 24 hours, `webhook-signature` has a ' +
            'signature by each secret. `X-Service-Signature` has one, by the new secret.',
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
          summary: 'Delete a webhook and its waiting deliveries',
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
          summary: 'Send a test event, also if the webhook is not registered for it',
          description: 'There is one attempt. A paused or switched-off webhook refuses it.',
          answers: { 202: 'The event is queued; the delivery shows the result.' },
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
          summary: 'List the deliveries of a webhook with their attempts, newest first',
          description:
            'Request older pages with `before`, because new deliveries are added at the front. A ' +
            'delivery is kept for 30 days after its end.',
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
          summary: 'Get a delivery with its attempts',
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
          summary: 'Send a delivery again, with the same webhook-id',
          description: 'A paused or switched-off webhook refuses it.',
          answers: { 202: 'The delivery is queued again and shows the result.' },
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
