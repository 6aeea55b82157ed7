// Registers, pauses, rotates and removes webhooks; sends test events and repeats deliveries.
import { randomUUID } from 'node:crypto';
import type { Command, CommandsOf } from '../contract/endpoints.ts';
import { invalid, notFound } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import {
  webhookHostsMax,
  webhookSecretOverlapMs,
  webhooksMax,
} from '../contract/limits/webhooks.ts';
import type { webhooks } from '../contract/webhooks.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { Secrets } from '../secrets/encryption-key.ts';
import { type SecretBox, SecretUnreadable } from '../secrets/secret-box.ts';
import {
  type DeliveryRow,
  forgetEvents,
  getDelivery,
  listEventIds,
  restartDelivery,
} from './delivery.table.ts';
import { insertDelivery, insertEvent } from './outbox.table.ts';
import { presentDelivery, presentWebhookDetail } from './present-webhook.ts';
import { makeSecret } from './sign-webhook.ts';
import {
  countWebhooks,
  deleteWebhook,
  getWebhookById,
  insertWebhook,
  listWebhookHosts,
  replaceSecret,
  replaceWebhookHosts,
  setWebhookState,
  type WebhookRow,
} from './webhook.table.ts';
import { normalizeWebhookUrl } from './webhook-url.ts';

export interface WebhookDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  readonly secrets: Secrets;
  now(): Date;
  /** A webhook has changed: there may be deliveries to send. */
  wake(): void;
}

interface WebhookTarget {
  readonly accountId: number;
  /** UUID. */
  readonly id: string;
}

/** The identity that a webhook's secret is encrypted for. */
export const secretIdentity = (webhookId: string): string => `webhook:${webhookId}`;

/** The webhook of an account. Throws `not_found`. */
export function requireWebhook(
  database: ReadableDatabase,
  { accountId, id }: WebhookTarget,
): WebhookRow {
  const webhook = getWebhookById(database, id);
  if (!webhook || webhook.accountId !== accountId) throw notFound('This webhook does not exist.');
  return webhook;
}

/** A delivery of a webhook of an account. Throws `not_found`. */
export function requireDelivery(
  database: ReadableDatabase,
  target: WebhookTarget & { readonly delivery: number },
): DeliveryRow {
  requireWebhook(database, target);
  const delivery = getDelivery(database, target.id, target.delivery);
  if (!delivery) throw notFound('This delivery does not exist.');
  return delivery;
}

/** Events cannot be sent by hand while the webhook is not active. */
function requireActive(webhook: WebhookRow): void {
  if (webhook.state !== 'active') throw invalid('This webhook is not active. Resume it first.');
}

async function registerWebhook(
  { database, environment, secrets, now }: WebhookDeps,
  { accountId, url: requestedUrl, events }: Parameters<Command<typeof webhooks.register>>[0],
) {
  const url = normalizeWebhookUrl(requestedUrl, {
    environment,
    hosts: listWebhookHosts(database, accountId),
  });
  const box = await secrets.open();
  const [id, secret, createdAt] = [randomUUID(), makeSecret(), now().toISOString()];
  const kinds = [...new Set(events)];
  inTransaction(database, () => {
    if (countWebhooks(database, accountId) >= webhooksMax)
      throw invalid(`An account has at most ${webhooksMax} webhooks. Delete one first.`);
    const sealed = box.seal(secret, secretIdentity(id));
    insertWebhook(database, { id, accountId, url, events: kinds, secret: sealed, createdAt });
  });
  return { id, url, events: kinds, secret, created_at: createdAt };
}

/** The secret in plain text; null if it cannot be decrypted. */
function readSecret(box: SecretBox, webhook: WebhookRow): string | null {
  try {
    return box.open(webhook.secret, secretIdentity(webhook.id));
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

async function rotateSecret(deps: WebhookDeps, target: WebhookTarget) {
  const { database, secrets, now } = deps;
  requireWebhook(database, target);
  const box = await secrets.open();
  const webhook = requireWebhook(database, target);
  const secret = makeSecret();
  const at = now();
  const isReadable = readSecret(box, webhook) !== null;
  const until = new Date(at.getTime() + (isReadable ? webhookSecretOverlapMs : 0)).toISOString();
  const sealed = box.seal(secret, secretIdentity(webhook.id));
  replaceSecret(
    database,
    webhook.id,
    sealed,
    isReadable ? { secret: webhook.secret, until } : null,
  );
  return { secret, previous_until: until };
}

function sendTestEvent({ database, now }: WebhookDeps, target: WebhookTarget) {
  const webhook = requireWebhook(database, target);
  requireActive(webhook);
  const at = now().toISOString();
  const data = { message: 'A test of this webhook. Nothing has happened.' };
  const delivery = inTransaction(database, () => {
    const eventId = insertEvent(database, { kind: 'webhook.test', data, at });
    return insertDelivery(database, { webhookId: webhook.id, eventId, at });
  });
  return presentDelivery(database, requireDelivery(database, { ...target, delivery }));
}

function setHosts(database: WritableDatabase, accountId: number, hosts: readonly string[]): void {
  if (hosts.length > webhookHostsMax) throw invalid(`hosts: send at most ${webhookHostsMax}.`);
  inTransaction(database, () => replaceWebhookHosts(database, accountId, hosts));
}

function removeWebhook(database: WritableDatabase, target: WebhookTarget): void {
  inTransaction(database, () => {
    const { id } = requireWebhook(database, target);
    const eventIds = listEventIds(database, id);
    deleteWebhook(database, id);
    forgetEvents(database, eventIds);
  });
}

export type WebhookCommands = ReturnType<typeof createWebhookCommands>;

export function createWebhookCommands(deps: WebhookDeps) {
  const { database } = deps;
  const woken = <Value>(value: Value): Value => {
    deps.wake();
    return value;
  };
  return {
    'webhooks.register': (command) => registerWebhook(deps, command),
    async 'webhooks.remove'(target) {
      removeWebhook(database, target);
      return { id: target.id, deleted: true };
    },
    async 'webhooks.pause'({ paused, ...target }) {
      const { id, state } = requireWebhook(database, target);
      // A webhook that its receiver switched off cannot be paused: events are dropped until it is
      // resumed.
      if (!paused || state !== 'off') {
        setWebhookState(database, id, paused ? 'paused' : 'active');
        deps.wake();
      }
      return presentWebhookDetail(database, requireWebhook(database, target));
    },
    // The previous secret also signs for a day, if it can still be decrypted.
    'webhooks.rotate': async (target) => woken(await rotateSecret(deps, target)),
    'webhooks.sendTest': async (target) => woken(sendTestEvent(deps, target)),
    // Another round of attempts, with the same id.
    async 'webhooks.sendAgain'(target) {
      requireActive(requireWebhook(database, target));
      const { id } = requireDelivery(database, target);
      restartDelivery(database, id, deps.now().toISOString());
      return woken(presentDelivery(database, requireDelivery(database, target)));
    },
    async 'webhooks.setHosts'({ accountId, hosts }) {
      setHosts(database, accountId, hosts);
      return { hosts: listWebhookHosts(database, accountId) };
    },
    'webhooks.secretKey': () => deps.secrets.describe(),
  } satisfies CommandsOf<typeof webhooks>;
}
