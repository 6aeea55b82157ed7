// The outbox of webhooks (tables `webhook_event` and `webhook_delivery`): an event and its
// deliveries are written in the transaction of the change that they report.
//
//   noteEvent ──> waiting ──attempt, 2xx──> delivered ──sendAgain──┐
//                    │  ^──any other attempt, with one left──┘      ├──> waiting
//                    └──the last attempt, or a 410──> failed ──────┘
import { randomUUID } from 'node:crypto';
import type { EventKind } from '../contract/webhooks.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface NotedEvent {
  readonly accountId: number;
  readonly kind: EventKind;
  readonly data: object;
  /** When it happened, ISO 8601 in UTC. */
  readonly at: string;
}

const listeners = new WeakMap<WritableDatabase, () => void>();

/** Sets the `listener` to call after a delivery is added to the outbox of a connection. */
export const onOutbox = (database: WritableDatabase, listener: () => void): void =>
  void listeners.set(database, listener);

/** Writes an event as it will be sent. Returns its id, the `webhook-id` of every attempt. */
export function insertEvent(
  database: WritableDatabase,
  { kind, data, at }: { kind: EventKind | 'webhook.test'; data: object; at: string },
): string {
  const id = `evt_${randomUUID()}`;
  const body = JSON.stringify({ id, event: kind, created_at: at, data });
  statement(database, 'INSERT INTO webhook_event (id, kind, body, at) VALUES (?, ?, ?, ?)').run(
    id,
    kind,
    body,
    at,
  );
  return id;
}

/** Adds an event to the outbox for one webhook. Returns the delivery's id. */
export function insertDelivery(
  database: WritableDatabase,
  { webhookId, eventId, at }: { webhookId: string; eventId: string; at: string },
): number {
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO webhook_delivery (webhook_id, event_id, due_at, created_at) VALUES (?, ?, ?, ?)`,
  ).run(webhookId, eventId, at, at);
  const listener = listeners.get(database);
  // Transactions never stay open across turns of the event loop: by then this one is committed or
  // rolled back.
  if (listener) setImmediate(listener);
  return Number(lastInsertRowid);
}

/**
 * Adds an event for every webhook of its account that subscribes to it and is not switched off. A
 * webhook whose list of events is damaged gets none.
 * Call inside the transaction that ends the record.
 * @returns the number of webhooks
 */
export function noteEvent(database: WritableDatabase, event: NotedEvent): number {
  const webhooks = statement<{ id: string }>(
    database,
    `SELECT id FROM webhook
     WHERE account_id = ? AND state <> 'off'
       AND EXISTS (SELECT 1 FROM json_each(iif(json_valid(events), events, '[]')) WHERE value = ?)
     ORDER BY created_at, rowid`,
  ).all(event.accountId, event.kind);
  if (webhooks.length === 0) return 0;
  const eventId = insertEvent(database, event);
  for (const { id: webhookId } of webhooks)
    insertDelivery(database, { webhookId, eventId, at: event.at });
  return webhooks.length;
}
