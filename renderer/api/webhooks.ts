/** What the screens ask of webhooks, their deliveries and the key that seals their secrets. */
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

/**
 * A request of an environment; the staging environment's webhooks are those of its first account.
 */
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

/** An environment's webhooks, newest first, without their secrets. */
export const readWebhooks = (environment: EnvironmentName) =>
  ask(z.array(WebhookDetailSchema), environment, '/app/v1/webhooks');

/** Registers one; the answer is the only time that its secret is shown. */
export const createWebhook = (
  environment: EnvironmentName,
  body: z.input<typeof NewWebhookSchema>,
) => ask(CreatedWebhookSchema, environment, '/api/v1/webhooks/', post(body));

/** Deletes one with what it has still to send. */
export const deleteWebhook = (environment: EnvironmentName, id: string) =>
  ask(z.unknown(), environment, `/api/v1/webhooks/${id}/`, { method: 'DELETE' });

/** Pauses one, or lets it go on. */
export const pauseWebhook = (environment: EnvironmentName, id: string, paused: boolean) =>
  ask(WebhookDetailSchema, environment, `/app/v1/webhooks/${id}`, {
    method: 'PATCH',
    body: { paused },
  });

/** Gives one a new secret, which is shown this once. */
export const rotateSecret = (environment: EnvironmentName, id: string) =>
  ask(RotatedSecretSchema, environment, `/app/v1/webhooks/${id}/rotate`, post());

/** Sends an event that tells of nothing. */
export const sendTestEvent = (environment: EnvironmentName, id: string) =>
  ask(DeliverySchema, environment, `/app/v1/webhooks/${id}/test`, post());

/** Deliveries, newest first; those older than `before` where it is named. */
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

/** Begins another round of attempts. */
export const sendAgain = (environment: EnvironmentName, id: string, deliveryId: number) =>
  ask(
    DeliverySchema,
    environment,
    `/app/v1/webhooks/${id}/deliveries/${deliveryId}/send-again`,
    post(),
  );

/** Private hosts that webhooks may go to. */
export const readWebhookHosts = (environment: EnvironmentName) =>
  ask(WebhookHostsSchema, environment, '/app/v1/webhook-hosts');

/** Replaces that list. */
export const setWebhookHosts = (environment: EnvironmentName, hosts: string[]) =>
  ask(WebhookHostsSchema, environment, '/app/v1/webhook-hosts', { method: 'PUT', body: { hosts } });

/** Where the key is that seals secrets. */
export const readSecretKey = () => call(SecretKeySchema, '/app/v1/secret-key');
