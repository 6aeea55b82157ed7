// The deliveries of an environment as work for the scheduler: a step is one attempt. Each webhook
// has at most one attempt in flight, all of them together a few. Webhooks take turns.
//
//   due ──> attempt ──answer──> recorded (delivery.table.ts has the states of a delivery)
//              │ ──its secret cannot be decrypted──> the webhook rests
//              └──stop──> not recorded: the attempt is repeated at the next start
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import {
  webhookAttemptsInFlightMax,
  webhookDeliveryKeptMs,
  webhookSweepDeliveries,
} from '../contract/limits/webhooks.ts';
import type { NextWork, Poll, WorkSource } from '../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { trustedTime } from '../platform/trusted-clock.ts';
import type { Secrets } from '../secrets/encryption-key.ts';
import { SecretUnreadable } from '../secrets/secret-box.ts';
import {
  type PreparedAttempt,
  prepareAttempt,
  realignRetries,
  recordAttempt,
} from './deliver-webhooks.ts';
import {
  type DeliveryRow,
  findNextDelivery,
  listWebhooksWithWork,
  sweepDeliveries,
} from './delivery.table.ts';
import type { PostOutcome } from './post-webhook.ts';
import { forgetPreviousSecrets } from './webhook.table.ts';

export interface DeliverySourceDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  readonly secrets: Secrets;
  /** Makes an attempt. Rejects only if it is stopped. */
  post(posting: PreparedAttempt['posting']): Promise<PostOutcome>;
  now(): Date;
  /** From 0 to 1; spreads the retries. */
  random(): number;
}

interface DeliveryItem {
  readonly id: string;
  readonly delivery: DeliveryRow;
}

const tidyIntervalMs = 60 * 60_000;

function findDue(
  database: WritableDatabase,
  { at, afterId, isBusy }: Poll<string>,
): NextWork<DeliveryItem> {
  const ids = listWebhooksWithWork(database).filter((id) => !isBusy(id));
  const first = ids.findIndex((id) => id > (afterId ?? ''));
  const inTurn = first < 0 ? ids : [...ids.slice(first), ...ids.slice(0, first)];
  let dueAt: string | null = null;
  for (const id of inTurn) {
    const found = findNextDelivery(database, id, at.toISOString());
    if (!found) continue;
    if ('delivery' in found) return { item: { id, delivery: found.delivery } };
    if (dueAt === null || found.dueAt < dueAt) dueAt = found.dueAt;
  }
  return dueAt === null ? null : { dueAt: new Date(dueAt) };
}

/** Signs a delivery. Throws `secrets_unavailable` if its webhook's secret cannot be decrypted. */
async function signAttempt(
  { database, environment, secrets, now }: DeliverySourceDeps,
  delivery: DeliveryRow,
): Promise<{ attempt: PreparedAttempt | null; at: Date }> {
  const box = await secrets.open();
  const at = now();
  try {
    return { attempt: prepareAttempt(database, environment, box, delivery, at), at };
  } catch (cause) {
    if (!(cause instanceof SecretUnreadable)) throw cause;
    throw new EngineError('secrets_unavailable', undefined, { cause });
  }
}

/** Creates the source. Wake its scheduler when there may be something to send. */
export function createDeliverySource(deps: DeliverySourceDeps): WorkSource<DeliveryItem> {
  const { database, now, post, random } = deps;
  let tidiedAtMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'webhook',
    inFlightMax: webhookAttemptsInFlightMax,
    next: (poll) => findDue(database, poll),
    async run({ delivery }, { write }) {
      const { attempt, at } = await signAttempt(deps, delivery);
      if (!attempt) return;
      const outcome = await post(attempt.posting);
      const times = { at, endedAt: now() };
      // An answer is recorded even if the disk is full for long: the post must not be repeated.
      await write(() => recordAttempt(database, attempt, outcome, times, random()));
    },
    // The app shows why a secret cannot be decrypted, and a bug has already been logged.
    fail({ id }, { code, detail }) {
      if (code !== 'secrets_unavailable' && code !== 'internal_error')
        console.error(`a delivery of webhook ${id} failed: ${detail}`);
    },
    realign: (at) => realignRetries(database, at),
    tidy(at) {
      if (Math.abs(at.getTime() - tidiedAtMs) < tidyIntervalMs) return;
      tidiedAtMs = at.getTime();
      forgetPreviousSecrets(database, at.toISOString());
      const trustedMs = trustedTime(database, at).getTime();
      const before = new Date(trustedMs - webhookDeliveryKeptMs).toISOString();
      sweepDeliveries(database, before, webhookSweepDeliveries);
    },
  };
}
