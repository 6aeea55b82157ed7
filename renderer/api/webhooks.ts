/** What the screens ask of webhooks, their deliveries and the key that seals their secrets. */
import { z } from 'zod';
import { type WorldName, worldPaths } from '../../engine/contract/ids.ts';
import {
  CreatedWebhookSchema,
  DeliveryPageSchema,
  DeliverySchema,
  type NewWebhookSchema,
  RotatedSecretSchema,
  SecretKeySchema,
  WebhookDetailSchema,
  WebhookHostsSchema,
} from '../../engine/contract/webhook.ts';
import { call } from './client.ts';

/** A request of a world; the staging world's webhooks are those of its first account. */
const ask = <Answer>(
  schema: z.ZodType<Answer>,
  world: WorldName,
  path: string,
  options: { method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'; body?: unknown } = {},
) => call(schema, `${worldPaths[world]}${path}`, { ...options, isForFirst: world === 'test' });

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });

/** A world's webhooks, newest first, without their secrets. */
export const readWebhooks = (world: WorldName) =>
  ask(z.array(WebhookDetailSchema), world, '/app/v1/webhooks');

/** Registers one; the answer is the only time that its secret is shown. */
export const createWebhook = (world: WorldName, body: z.input<typeof NewWebhookSchema>) =>
  ask(CreatedWebhookSchema, world, '/api/v1/webhooks/', post(body));

/** Deletes one with what it has still to send. */
export const deleteWebhook = (world: WorldName, id: string) =>
  ask(z.unknown(), world, `/api/v1/webhooks/${id}/`, { method: 'DELETE' });

/** Pauses one, or lets it go on. */
export const pauseWebhook = (world: WorldName, id: string, paused: boolean) =>
  ask(WebhookDetailSchema, world, `/app/v1/webhooks/${id}`, { method: 'PATCH', body: { paused } });

/** Gives one a new secret, which is shown this once. */
export const rotateSecret = (world: WorldName, id: string) =>
  ask(RotatedSecretSchema, world, `/app/v1/webhooks/${id}/rotate`, post());

/** Sends an event that tells of nothing. */
export const sendTestEvent = (world: WorldName, id: string) =>
  ask(DeliverySchema, world, `/app/v1/webhooks/${id}/test`, post());

/** Deliveries, newest first; those older than `before` where it is named. */
export const readDeliveries = (
  world: WorldName,
  id: string,
  limit: number,
  before: number | null,
) =>
  ask(
    DeliveryPageSchema,
    world,
    `/app/v1/webhooks/${id}/deliveries?limit=${limit}${before === null ? '' : `&before=${before}`}`,
  );

/** Begins another round of attempts. */
export const sendAgain = (world: WorldName, id: string, deliveryId: number) =>
  ask(DeliverySchema, world, `/app/v1/webhooks/${id}/deliveries/${deliveryId}/send-again`, post());

/** Private hosts that webhooks may go to. */
export const readWebhookHosts = (world: WorldName) =>
  ask(WebhookHostsSchema, world, '/app/v1/webhook-hosts');

/** Replaces that list. */
export const setWebhookHosts = (world: WorldName, hosts: string[]) =>
  ask(WebhookHostsSchema, world, '/app/v1/webhook-hosts', { method: 'PUT', body: { hosts } });

/** Where the key is that seals secrets. */
export const readSecretKey = () => call(SecretKeySchema, '/app/v1/secret-key');
