// One attempt of a delivery: what is sent and what is recorded. run-deliveries.ts decides when an
// attempt is made, and retry-policy.ts what follows it.
import type { EnvironmentName } from '../contract/ids.ts';
import { webhookExcerptCharactersMax } from '../contract/limits/webhooks.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { hideSecrets } from '../secrets/hide-secrets.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  advanceDelivery,
  type DeliveryRow,
  failWaiting,
  getDelivery,
  insertAttempt,
  listRetriesAhead,
  setDueAt,
} from './delivery.table.ts';
import type { Posting, PostOutcome } from './post-webhook.ts';
import { attemptsMax, decideNextAttempt } from './retry-policy.ts';
import { signDelivery } from './sign-webhook.ts';
import { getWebhookById, listWebhookHosts, setWebhookState } from './webhook.table.ts';
import type { WebhookPolicy } from './webhook-url.ts';
import { secretIdentity } from './webhooks.ts';

const hiddenWord = '[hidden]';

/** API keys and webhook secrets of any installation. */
const shapes = /\b(?:whsec|sk_live|sk_test)_[\w+/=-]+/g;
const name =
  '(?:secret|passw(?:or)?d|token|api[-_]?key|authorization|cookie|credential)[\\w-]{0,40}' +
  '\\\\?["\']? ?(?:[:=]|=>) ?';
const quoted = new RegExp(`(${name}\\\\?(["']))(?:(?!\\\\?\\2).)*`, 'gi');
// A bare value must look like a secret, so that "token: expired" is kept.
const bare = new RegExp(
  `(${name})(?:(?:bearer|basic|token) )?(?=[^ ,;&<}"']*\\d)[^ ,;&<}"']{6,}`,
  'gi',
);

/** Secrets and signatures without what is before their base64, and the same bytes as hex. */
function listForms(secret: string): string[] {
  const core = secret.replace(/^(whsec_|v1,)/, '');
  if (core === secret) return [core];
  const whole = secret.startsWith('whsec_') ? secret : core;
  return [whole, Buffer.from(core, 'base64').toString('hex')];
}

/**
 * The beginning of a response, on one line, without the product's secrets and signatures in any
 * encoding, and without anything that could be another secret.
 * @param secrets what must never be stored: secrets of the webhook, and signatures
 */
export function shortenAnswer(answer: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(listForms);
  const line = answer.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return hideSecrets(line, forms, hiddenWord)
    .replace(shapes, hiddenWord)
    .replace(quoted, `$1${hiddenWord}`)
    .replace(bare, `$1${hiddenWord}`)
    .slice(0, webhookExcerptCharactersMax);
}

export interface PreparedAttempt {
  readonly delivery: DeliveryRow;
  readonly posting: Posting & { readonly policy: WebhookPolicy };
  /** Secrets that must never be stored, even if the response contains them. */
  readonly hidden: readonly string[];
}

/** A test event is sent only once: the user sees the result immediately. */
const attemptsOf = (kind: DeliveryRow['kind']) => (kind === 'webhook.test' ? 1 : attemptsMax);

/** Null if the webhook is deleted or not active. Throws SecretUnreadable. */
export function prepareAttempt(
  database: WritableDatabase,
  environment: EnvironmentName,
  box: SecretBox,
  delivery: DeliveryRow,
  at: Date,
): PreparedAttempt | null {
  const webhook = getWebhookById(database, delivery.webhookId);
  if (webhook?.state !== 'active') return null;
  const identity = secretIdentity(webhook.id);
  const current = box.open(webhook.secret, identity);
  const { previousSecret, previousUntil } = webhook;
  const hasFormer = previousSecret && previousUntil && previousUntil > at.toISOString();
  const former = hasFormer ? [box.open(previousSecret, identity)] : [];
  const { eventId, body } = delivery;
  const atSeconds = Math.floor(at.getTime() / 1_000);
  const headers = signDelivery({ eventId, body, atSeconds, secrets: [current, ...former] });
  const policy = { environment, hosts: listWebhookHosts(database, webhook.accountId) };
  const signatures = [headers['x-service-signature'], ...headers['webhook-signature'].split(' ')];
  return {
    delivery,
    posting: { url: webhook.url, headers, body, policy },
    hidden: [current, ...former, ...signatures],
  };
}

/**
 * Records an attempt and its consequence in one transaction. A delivery that was deleted or has
 * ended meanwhile is unchanged.
 * @param at when the attempt started
 * @param endedAt when the response arrived; the next delay counts from then
 */
export function recordAttempt(
  database: WritableDatabase,
  { delivery: { id, webhookId }, hidden }: PreparedAttempt,
  outcome: PostOutcome,
  { at, endedAt }: { readonly at: Date; readonly endedAt: Date },
  random: number,
): void {
  inTransaction(database, () => {
    const delivery = getDelivery(database, webhookId, id);
    if (!delivery) return;
    const { status, error, tookMs, answer, retryAfter } = outcome;
    const excerpt = shortenAnswer(answer, hidden);
    insertAttempt(database, id, { at: at.toISOString(), status, error, took_ms: tookMs, excerpt });
    const number = delivery.attempts + 1;
    const limits = { number, attemptsMax: attemptsOf(delivery.kind) };
    const step = decideNextAttempt({ ...limits, status, retryAfter, at: endedAt }, random);
    advanceDelivery(database, id, number, step, endedAt.toISOString());
    if (status !== 410) return;
    setWebhookState(database, webhookId, 'off');
    failWaiting(database, webhookId, endedAt.toISOString());
  });
}

/** After the clock was ahead: each retry waits its original delay from now. */
export function realignRetries(database: WritableDatabase, at: Date): void {
  inTransaction(database, () => {
    for (const { id, attemptAt, dueAt } of listRetriesAhead(database, at.toISOString())) {
      const waitMs = Math.max(0, Date.parse(dueAt) - Date.parse(attemptAt));
      setDueAt(database, id, new Date(at.getTime() + waitMs).toISOString());
    }
  });
}
