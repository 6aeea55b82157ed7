// The tables `webhook_delivery` and `webhook_attempt`: pending deliveries, their order, and the
// result of every attempt. outbox.table.ts shows the states and inserts deliveries.
import type { Delivery, WebhookAttempt } from '../contract/webhooks.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface DeliveryRow {
  readonly id: number;
  readonly webhookId: string;
  /** The `webhook-id` header of every attempt. */
  readonly eventId: string;
  readonly kind: Delivery['event'];
  readonly state: Delivery['state'];
  /** Attempts in the current round. */
  readonly attempts: number;
  readonly dueAt: string | null;
  readonly createdAt: string;
  /** The exact text that is signed and sent. */
  readonly body: string;
}

export type AttemptRow = Omit<WebhookAttempt, 'number'>;

const selectDelivery = `
  SELECT d.id, d.webhook_id AS webhookId, d.event_id AS eventId, e.kind, d.state, d.attempts,
    d.due_at AS dueAt, d.created_at AS createdAt, e.body
  FROM webhook_delivery d JOIN webhook_event e ON e.id = d.event_id`;

/** Active webhooks with pending deliveries, due now or later. */
export const listWebhooksWithWork = (database: ReadableDatabase): string[] =>
  statement<{ id: string }>(
    database,
    `SELECT id FROM webhook w
     WHERE state = 'active' AND (
       EXISTS (SELECT 1 FROM webhook_delivery
         WHERE webhook_id = w.id AND state = 'waiting' AND attempts = 0)
       OR EXISTS (SELECT 1 FROM webhook_delivery
         WHERE webhook_id = w.id AND state = 'waiting' AND attempts > 0))
     ORDER BY id`,
  )
    .all()
    .map(({ id }) => id);

/**
 * The next delivery of a webhook: first attempts in order, even before their due time, and a retry
 * if it became due before the first of them was created. Null if none is pending.
 * @returns a delivery that is due, or when the next one will be
 */
export function findNextDelivery(
  database: ReadableDatabase,
  webhookId: string,
  at: string,
): { delivery: DeliveryRow } | { dueAt: string } | null {
  const waiting = `${selectDelivery} WHERE d.webhook_id = ? AND d.state = 'waiting'`;
  const first = statement<DeliveryRow>(
    database,
    `${waiting} AND d.attempts = 0 ORDER BY d.id LIMIT 1`,
  ).get(webhookId);
  const retry = statement<DeliveryRow & { dueAt: string }>(
    database,
    `${waiting} AND d.attempts > 0 ORDER BY d.due_at LIMIT 1`,
  ).get(webhookId);
  const isRetryDue = retry !== undefined && retry.dueAt <= at;
  if (isRetryDue && (!first || retry.dueAt <= (first.dueAt ?? ''))) return { delivery: retry };
  if (first) return { delivery: first };
  return retry ? { dueAt: retry.dueAt } : null;
}

export const getDelivery = (
  database: ReadableDatabase,
  webhookId: string,
  id: number,
): DeliveryRow | null =>
  statement<DeliveryRow>(database, `${selectDelivery} WHERE d.id = ? AND d.webhook_id = ?`).get(
    id,
    webhookId,
  ) ?? null;

export function insertAttempt(
  database: WritableDatabase,
  deliveryId: number,
  attempt: AttemptRow,
): void {
  statement(
    database,
    `INSERT INTO webhook_attempt (delivery_id, number, at, status, error, took_ms, excerpt)
     SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?
     FROM webhook_attempt WHERE delivery_id = ?`,
  ).run(
    deliveryId,
    attempt.at,
    attempt.status,
    attempt.error,
    attempt.took_ms,
    attempt.excerpt,
    deliveryId,
  );
}

export type NextStep =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'waiting'; readonly dueAt: string };

export function advanceDelivery(
  database: WritableDatabase,
  id: number,
  attempts: number,
  step: NextStep,
  at: string,
): void {
  const isWaiting = step.state === 'waiting';
  statement(
    database,
    `UPDATE webhook_delivery SET state = ?, attempts = ?, due_at = ?, ended_at = ?
     WHERE id = ? AND state = 'waiting'`,
  ).run(step.state, attempts, isWaiting ? step.dueAt : null, isWaiting ? null : at, id);
}

export function restartDelivery(database: WritableDatabase, id: number, at: string): void {
  statement(
    database,
    `UPDATE webhook_delivery SET state = 'waiting', attempts = 0, due_at = ?, ended_at = NULL
     WHERE id = ?`,
  ).run(at, id);
}

export function failWaiting(database: WritableDatabase, webhookId: string, at: string): void {
  statement(
    database,
    `UPDATE webhook_delivery SET state = 'failed', due_at = NULL, ended_at = ?
     WHERE webhook_id = ? AND state = 'waiting'`,
  ).run(at, webhookId);
}

/** Retries that were postponed by a clock that was ahead: their last attempt is in the future. */
export const listRetriesAhead = (
  database: ReadableDatabase,
  at: string,
): { id: number; attemptAt: string; dueAt: string }[] =>
  statement<{ id: number; attemptAt: string; dueAt: string }>(
    database,
    `SELECT d.id, max(a.at) AS attemptAt, d.due_at AS dueAt
     FROM webhook_delivery d JOIN webhook_attempt a ON a.delivery_id = d.id
     WHERE d.state = 'waiting' AND d.attempts > 0 GROUP BY d.id HAVING max(a.at) > ?`,
  ).all(at);

/**
 * Retries of a damaged or edited row: due after every wait of the retry policy, or at no time.
 * @param latest the latest time that a correct row can have
 */
export const listRetriesBeyond = (database: ReadableDatabase, latest: string): { id: number }[] =>
  statement<{ id: number }>(
    database,
    `SELECT id FROM webhook_delivery
     WHERE state = 'waiting' AND attempts > 0 AND (due_at > ? OR julianday(due_at) IS NULL)`,
  ).all(latest);

export function setDueAt(database: WritableDatabase, id: number, dueAt: string): void {
  statement(
    database,
    `UPDATE webhook_delivery SET due_at = ? WHERE id = ? AND state = 'waiting'`,
  ).run(dueAt, id);
}

export const countWaiting = (database: ReadableDatabase, webhookId: string): number =>
  ['attempts = 0', 'attempts > 0']
    .map((which) =>
      statement<{ count: number }>(
        database,
        `SELECT count(*) AS count FROM webhook_delivery
         WHERE webhook_id = ? AND state = 'waiting' AND ${which}`,
      ).get(webhookId),
    )
    .reduce((sum, found) => sum + (found?.count ?? 0), 0);

/** Filter of a webhook's deliveries; all if empty. */
export interface DeliveryFilter {
  /** Only deliveries with a smaller id. */
  readonly before?: number | undefined;
  readonly state?: DeliveryRow['state'] | undefined;
}

export function listDeliveries(
  database: ReadableDatabase,
  webhookId: string,
  { limit, before = Number.MAX_SAFE_INTEGER, state }: DeliveryFilter & { readonly limit: number },
): DeliveryRow[] {
  const own = `${selectDelivery} WHERE d.webhook_id = ? AND d.id < ?`;
  const newestFirst = 'ORDER BY d.id DESC LIMIT ?';
  if (state === undefined)
    return statement<DeliveryRow>(database, `${own} ${newestFirst}`).all(webhookId, before, limit);
  const where = `${own} AND d.state = ? ${newestFirst}`;
  return statement<DeliveryRow>(database, where).all(webhookId, before, state, limit);
}

export const listAttempts = (database: ReadableDatabase, deliveryId: number): WebhookAttempt[] =>
  statement<WebhookAttempt>(
    database,
    `SELECT number, at, status, error, took_ms, excerpt FROM webhook_attempt
     WHERE delivery_id = ? ORDER BY number`,
  ).all(deliveryId);

/**
 * Deletes deliveries that ended before a time, a limited number at once, and events without
 * deliveries.
 * @returns the number of deleted deliveries
 */
export function sweepDeliveries(
  database: WritableDatabase,
  endedBefore: string,
  deliveriesMax: number,
): number {
  const gone = statement<{ eventId: string }>(
    database,
    `DELETE FROM webhook_delivery WHERE id IN (
       SELECT id FROM webhook_delivery WHERE ended_at < ? LIMIT ?)
     RETURNING event_id AS eventId`,
  ).all(endedBefore, deliveriesMax);
  forgetEvents(database, new Set(gone.map(({ eventId }) => eventId)));
  return gone.length;
}

export function forgetEvents(database: WritableDatabase, eventIds: Iterable<string>): void {
  const forget = statement(
    database,
    `DELETE FROM webhook_event
     WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE event_id = webhook_event.id)`,
  );
  for (const id of eventIds) forget.run(id);
}

export const listEventIds = (database: ReadableDatabase, webhookId: string): string[] =>
  statement<{ id: string }>(
    database,
    'SELECT DISTINCT event_id AS id FROM webhook_delivery WHERE webhook_id = ?',
  )
    .all(webhookId)
    .map(({ id }) => id);
