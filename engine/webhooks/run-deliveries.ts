/**
 * Runs the deliveries of an environment: at most one attempt of each webhook at a time, a few of
 * all of them, and a timer for the next retry.
 *
 *   idle ──wake, timer──> look ──something due──> attempt ──answer──> recorded ──> look
 *                          │ ^                       └──stop──> forgotten (made again at the start)
 *                          v │
 *                        waiting, at most half a minute
 *
 * It looks at the wall clock at least every half minute: a sleeping machine stops timers, and a
 * clock that was set moves none. After a jump each overdue retry is tried once, and its next
 * wait counts from then.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { keychainRetryMs } from '../contract/limits/secrets.ts';
import {
  webhookAttemptsInFlightMax,
  webhookClockMaxMs,
  webhookDeliveryKeptMs,
  webhookSweepDeliveries,
} from '../contract/limits/webhooks.ts';
import type { SetTimer } from '../platform/scheduler/due-clock.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { findShortage } from '../platform/sqlite/system-refusal.ts';
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
import { onOutbox } from './outbox.table.ts';
import type { PostOutcome } from './post-webhook.ts';
import { forgetPreviousSecrets } from './webhook.table.ts';

/** What running deliveries needs of the thread around it. */
export interface DeliveryDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  readonly secrets: Secrets;
  /** Makes an attempt; never rejects but when it is stopped. */
  post(posting: PreparedAttempt['posting']): Promise<PostOutcome>;
  now(): Date;
  /** From 0 to 1. */
  random(): number;
  readonly setTimer: SetTimer;
  /** How long to wait before a full disk is tried again. */
  readonly storageRetryMs: number;
}

/** Deliveries that are being made. */
export interface RunningDeliveries {
  /** There may be something to send. */
  wake(): void;
  /** Resolves when nothing is being written any longer; attempts under way are forgotten. */
  stop(): Promise<void>;
}

const tidyIntervalMs = 60 * 60_000;

/** What changes while deliveries run. */
interface Run {
  readonly deps: DeliveryDeps;
  /** Webhooks with an attempt under way. */
  readonly inFlight: Map<string, Promise<void>>;
  /** Webhooks whose secret could not be opened, and when that was, in milliseconds. */
  readonly unreadable: Map<string, number>;
  cancelTimer: () => void;
  lookedAt: Date | null;
  tidiedAtMs: number;
  /** The webhook that had the last turn, so that all have theirs. */
  lastTurn: string;
  isStopping: boolean;
}

/** Writes an answer down, however long the disk is full: it must not be asked for again. */
async function record(
  run: Run,
  attempt: PreparedAttempt,
  outcome: PostOutcome,
  at: Date,
): Promise<void> {
  const { deps } = run;
  while (!run.isStopping) {
    try {
      const times = { at, endedAt: deps.now() };
      return recordAttempt(deps.database, attempt, outcome, times, deps.random());
    } catch (error) {
      if (!findShortage(error)) throw error;
      await wait(deps.storageRetryMs);
    }
  }
}

/** Makes one attempt. */
async function attempt(run: Run, delivery: DeliveryRow): Promise<void> {
  const { database, environment, secrets, now, post } = run.deps;
  try {
    const box = await secrets.open();
    run.unreadable.delete(delivery.webhookId);
    const at = now();
    const prepared = prepareAttempt(database, environment, box, delivery, at);
    if (!prepared) return;
    const outcome = await post(prepared.posting);
    if (!run.isStopping) await record(run, prepared, outcome, at);
  } catch (error) {
    if (run.isStopping) return;
    run.unreadable.set(delivery.webhookId, now().getTime());
    // Its key does not answer, or is another one: the webhook waits, and the app says why.
    if (error instanceof SecretUnreadable || error instanceof EngineError) return;
    console.error(`a delivery of webhook ${delivery.webhookId} failed`, error);
  }
}

function begin(run: Run, delivery: DeliveryRow): void {
  const { webhookId } = delivery;
  run.lastTurn = webhookId;
  const done = attempt(run, delivery).finally(() => {
    run.inFlight.delete(webhookId);
    if (!run.isStopping) look(run);
  });
  run.inFlight.set(webhookId, done);
}

/** Begins what is due and has room. @returns when to look again at the latest, ISO 8601 */
function beginDue(run: Run, at: Date): string | null {
  const waiting = listWebhooksWithWork(run.deps.database);
  const behind = waiting.findIndex((id) => id > run.lastTurn);
  const inTurn = behind < 0 ? waiting : [...waiting.slice(behind), ...waiting.slice(0, behind)];
  let next: string | null = null;
  for (const id of inTurn) {
    if (run.inFlight.size >= webhookAttemptsInFlightMax) break;
    const failedAtMs = run.unreadable.get(id);
    const rests = failedAtMs !== undefined && Math.abs(+at - failedAtMs) < keychainRetryMs;
    if (run.inFlight.has(id) || rests) continue;
    const found = findNextDelivery(run.deps.database, id, at.toISOString());
    if (!found) continue;
    if ('delivery' in found) begin(run, found.delivery);
    else if (next === null || found.dueAt < next) next = found.dueAt;
  }
  return next;
}

/** Clears away what is old. */
function tidy(run: Run, at: Date): void {
  const { database } = run.deps;
  if (Math.abs(at.getTime() - run.tidiedAtMs) < tidyIntervalMs) return;
  run.tidiedAtMs = at.getTime();
  forgetPreviousSecrets(database, at.toISOString());
  const before = new Date(at.getTime() - webhookDeliveryKeptMs).toISOString();
  sweepDeliveries(database, before, webhookSweepDeliveries);
}

function look(run: Run): void {
  const { deps, unreadable } = run;
  run.cancelTimer();
  if (run.isStopping) return;
  const at = deps.now();
  let waitMs = webhookClockMaxMs;
  try {
    tidy(run, at);
    if (run.lookedAt === null || at < run.lookedAt) realignRetries(deps.database, at);
    run.lookedAt = at;
    const next = beginDue(run, at);
    if (next === null && unreadable.size === 0) return;
    if (next !== null) waitMs = Math.min(waitMs, Math.max(0, Date.parse(next) - at.getTime()));
  } catch (error) {
    // A full disk passes: it looks again, and loses nothing.
    if (!findShortage(error)) console.error('deliveries could not be looked for', error);
  }
  run.cancelTimer = deps.setTimer(() => look(run), waitMs);
}

/** Begins with what an earlier run of the engine left undelivered. */
export function runDeliveries(deps: DeliveryDeps): RunningDeliveries {
  const run: Run = {
    deps,
    inFlight: new Map(),
    unreadable: new Map(),
    cancelTimer: () => undefined,
    lookedAt: null,
    tidiedAtMs: Number.NEGATIVE_INFINITY,
    lastTurn: '',
    isStopping: false,
  };
  const wake = () => {
    if (run.isStopping) return;
    run.unreadable.clear();
    look(run);
  };
  onOutbox(deps.database, wake);
  look(run);
  return {
    wake,
    async stop() {
      run.isStopping = true;
      run.cancelTimer();
      await Promise.all(run.inFlight.values());
    },
  };
}
