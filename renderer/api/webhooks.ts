/** Requests for webhooks, their deliveries and their encryption key. */
import { z } from 'zod';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import {
  CreatedWebhookSchema,
  DeliveryPageSchema,
  DeliverySchema,
  type NewWebhookSchema,
  RotatedSecretSchema,
  SecretKeySchema,
  WebhookDetailSchema,
  WebhookHostsSchema,
} from '../../engine/contract/webhooks.ts';
import { call } from './client.ts';
import { paths } from './transport/first-requests.ts';

/** A request in an environment. In staging it uses the first account. */
const ask = <Answer>(
  schema: z.ZodType<Answer>,
  environment: EnvironmentName,
  path: string,
  options: { method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'; body?: unknown } = {},
) =>
  call(schema, `${environmentPaths[environment]}${path}`, {
    ...options,
    isForFirst: environment === 'staging',
  });

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });

/** Webhooks of an environment, newest first, without secrets. */
export const readWebhooks = (environment: EnvironmentName) =>
  ask(z.array(WebhookDetailSchema), environment, '/app/v1/webhooks');

/** Registers a webhook. The response is the only one with its secret. */
export const createWebhook = (
  environment: EnvironmentName,
  body: z.input<typeof NewWebhookSchema>,
) => ask(CreatedWebhookSchema, environment, '/api/v1/webhooks/', post(body));

/** Deletes a webhook with its pending deliveries. */
export const deleteWebhook = (environment: EnvironmentName, id: string) =>
  ask(z.unknown(), environment, `/api/v1/webhooks/${id}/`, { method: 'DELETE' });

/** Pauses or resumes a webhook. */
export const pauseWebhook = (environment: EnvironmentName, id: string, paused: boolean) =>
  ask(WebhookDetailSchema, environment, `/app/v1/webhooks/${id}`, {
    method: 'PATCH',
    body: { paused },
  });

/** Rotates the secret. The response is the only one with the new secret. */
export const rotateSecret = (environment: EnvironmentName, id: string) =>
  ask(RotatedSecretSchema, environment, `/app/v1/webhooks/${id}/rotate`, post());

/** Sends a test event. */
export const sendTestEvent = (environment: EnvironmentName, id: string) =>
  ask(DeliverySchema, environment, `/app/v1/webhooks/${id}/test`, post());

/** Deliveries, newest first; with `before`, only older ones. */
export const readDeliveries = (
  environment: EnvironmentName,
  id: string,
  limit: number,
  before: number | null,
) =>
  ask(
    DeliveryPageSchema,
    environment,
    `/app/v1/webhooks/${id}/deliveries?limit=${limit}${before === null ? '' : `&before=${before}`}`,
  );

/** Starts another round of attempts. */
export const sendAgain = (environment: EnvironmentName, id: string, deliveryId: number) =>
  ask(
    DeliverySchema,
    environment,
    `/app/v1/webhooks/${id}/deliveries/${deliveryId}/send-again`,
    post(),
  );

/** Private hosts that webhooks may use. */
export const readWebhookHosts = (environment: EnvironmentName) =>
  ask(WebhookHostsSchema, environment, '/app/v1/webhook-hosts');

/** Replaces the list of private hosts. */
export const setWebhookHosts = (environment: EnvironmentName, hosts: string[]) =>
  ask(WebhookHostsSchema, environment, '/app/v1/webhook-hosts', { method: 'PUT', body: { hosts } });

/** Where the encryption key is. */
export const readSecretKey = () => call(SecretKeySchema, paths.secretKey);
