// Webhooks and deliveries in the format of the API, without secrets.
import type { Delivery, DeliveryPage, Webhook, WebhookDetail } from '../contract/webhooks.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readKeyId } from '../secrets/secret-box.ts';
import { readSecretKey } from '../secrets/secret-key.table.ts';
import {
  countWaiting,
  type DeliveryFilter,
  type DeliveryRow,
  listAttempts,
  listDeliveries,
} from './delivery.table.ts';
import type { WebhookRow } from './webhook.table.ts';

/** The state of a webhook's newest delivery; null if there is none. */
function describeLastDelivery(database: ReadableDatabase, id: string): Webhook['last_delivery'] {
  const [delivery] = listDeliveries(database, id, { limit: 1 });
  if (!delivery) return null;
  const attempts = listAttempts(database, delivery.id);
  const at = attempts.at(-1)?.at ?? delivery.createdAt;
  return { at, status: delivery.state, attempts: attempts.length };
}

export const presentWebhook = (database: ReadableDatabase, webhook: WebhookRow): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  events: [...webhook.events],
  created_at: webhook.createdAt,
  last_delivery: describeLastDelivery(database, webhook.id),
});

/** Why a webhook delivers nothing now; null if it does. */
function findProblem(database: ReadableDatabase, webhook: WebhookRow): string | null {
  if (webhook.events.length === 0)
    return 'Its list of events is damaged. Delete this webhook and register it again.';
  if (webhook.state === 'off')
    return 'Switched off: the receiver answered 410 Gone. Resume it if that was a mistake.';
  if (readSecretKey(database)?.keyId === readKeyId(webhook.secret)) return null;
  return 'Its secret was encrypted with another key. Rotate the secret to continue.';
}

export const presentWebhookDetail = (
  database: ReadableDatabase,
  webhook: WebhookRow,
): WebhookDetail => ({
  ...presentWebhook(database, webhook),
  state: webhook.state,
  waiting: countWaiting(database, webhook.id),
  rotated_until: webhook.previousUntil,
  problem: findProblem(database, webhook),
});

export const presentDelivery = (database: ReadableDatabase, delivery: DeliveryRow): Delivery => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event: delivery.kind,
  state: delivery.state,
  due_at: delivery.dueAt,
  created_at: delivery.createdAt,
  attempts: listAttempts(database, delivery.id),
});

export function presentDeliveries(
  database: ReadableDatabase,
  webhookId: string,
  { limit, ...filter }: DeliveryFilter & { readonly limit: number },
): DeliveryPage {
  // One more than shown, to detect whether there is another page.
  const found = listDeliveries(database, webhookId, { ...filter, limit: limit + 1 });
  const shown = found.slice(0, limit);
  return {
    results: shown.map((delivery) => presentDelivery(database, delivery)),
    next_before: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
