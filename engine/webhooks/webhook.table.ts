// The table `webhook`: the URL, events and encrypted secret of each webhook. The table
// `webhook_host` has the private hosts that an account allows.
//
//   insert ──> active <──setWebhookState──> paused     (events are queued)
//                 └──its receiver answers 410──> off ──setWebhookState──> active
import { z } from 'zod';
import { type EventKind, eventKinds } from '../contract/webhooks.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** A webhook. Secrets are encrypted: see secrets/secret-box.ts. */
export interface WebhookRow {
  /** UUID. */
  readonly id: string;
  readonly accountId: number;
  readonly url: string;
  /** None if the stored list is damaged. */
  readonly events: readonly EventKind[];
  readonly state: 'active' | 'paused' | 'off';
  readonly secret: Buffer;
  /** The secret before the last rotation, and when it stops signing; null if there is none. */
  readonly previousSecret: Buffer | null;
  readonly previousUntil: string | null;
  readonly createdAt: string;
}

const EventsSchema = z.array(z.enum(eventKinds));

type WebhookRecord = Omit<WebhookRow, 'events'> & { readonly events: string };
const readRecord = (record: WebhookRecord): WebhookRow => ({
  ...record,
  events: readJson(EventsSchema, record.events, []),
});

const selectWebhook = `
  SELECT id, account_id AS accountId, url, events, state, secret,
    previous_secret AS previousSecret, previous_until AS previousUntil, created_at AS createdAt
  FROM webhook`;

export function insertWebhook(
  database: WritableDatabase,
  webhook: Pick<WebhookRow, 'id' | 'accountId' | 'url' | 'events' | 'secret' | 'createdAt'>,
): void {
  insertRow(database, 'webhook', { ...webhook, events: JSON.stringify(webhook.events) });
}

export function getWebhookById(database: ReadableDatabase, id: string): WebhookRow | null {
  const record = statement<WebhookRecord>(database, `${selectWebhook} WHERE id = ?`).get(id);
  return record ? readRecord(record) : null;
}

/** All webhooks of an account, newest first: the last one of a millisecond too. */
export const listWebhooks = (database: ReadableDatabase, accountId: number): WebhookRow[] =>
  statement<WebhookRecord>(
    database,
    `${selectWebhook} WHERE account_id = ? ORDER BY created_at DESC, rowid DESC`,
  )
    .all(accountId)
    .map(readRecord);

export const countWebhooks = (database: ReadableDatabase, accountId: number): number =>
  statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM webhook WHERE account_id = ?',
  ).get(accountId)?.count ?? 0;

/** Deletes a webhook with its deliveries. False if there is none with this id. */
export const deleteWebhook = (database: WritableDatabase, id: string): boolean =>
  statement(database, 'DELETE FROM webhook WHERE id = ?').run(id).changes === 1;

export function setWebhookState(
  database: WritableDatabase,
  id: string,
  state: WebhookRow['state'],
): void {
  statement(database, 'UPDATE webhook SET state = ? WHERE id = ?').run(state, id);
}

/** Replaces the encrypted secret. The previous one also signs until the given time, if any. */
export function replaceSecret(
  database: WritableDatabase,
  id: string,
  secret: Buffer,
  previous: { readonly secret: Buffer; readonly until: string } | null,
): void {
  statement(
    database,
    'UPDATE webhook SET secret = ?, previous_secret = ?, previous_until = ? WHERE id = ?',
  ).run(secret, previous?.secret ?? null, previous?.until ?? null, id);
}

export function forgetPreviousSecrets(database: WritableDatabase, at: string): void {
  statement(
    database,
    `UPDATE webhook SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= ?`,
  ).run(at);
}

export const listWebhookHosts = (database: ReadableDatabase, accountId: number): string[] =>
  statement<{ host: string }>(
    database,
    'SELECT host FROM webhook_host WHERE account_id = ? ORDER BY host',
  )
    .all(accountId)
    .map(({ host }) => host);

/** Replaces the list of private hosts. Call inside a transaction. */
export function replaceWebhookHosts(
  database: WritableDatabase,
  accountId: number,
  hosts: readonly string[],
): void {
  statement(database, 'DELETE FROM webhook_host WHERE account_id = ?').run(accountId);
  const insert = statement(
    database,
    'INSERT OR IGNORE INTO webhook_host (account_id, host) VALUES (?, ?)',
  );
  for (const host of hosts) insert.run(accountId, host);
}
