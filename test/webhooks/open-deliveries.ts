// Deliveries with a real store and real HTTPS, with a clock and timers set by the test.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import type { EventKind } from '../../engine/contract/webhooks.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import type { SetTimer } from '../../engine/platform/timers.ts';
import { openEncryptionKey } from '../../engine/secrets/encryption-key.ts';
import { listAttempts, listDeliveries } from '../../engine/webhooks/delivery.table.ts';
import { noteEvent, onOutbox } from '../../engine/webhooks/outbox.table.ts';
import { type PostOutcome, postWebhook } from '../../engine/webhooks/post-webhook.ts';
import {
  createDeliverySource,
  type DeliverySourceDeps,
} from '../../engine/webhooks/run-deliveries.ts';
import { replaceWebhookHosts } from '../../engine/webhooks/webhook.table.ts';
import { isAllowedAddress } from '../../engine/webhooks/webhook-url.ts';
import { createWebhookCommands } from '../../engine/webhooks/webhooks.ts';
import { addAccount, makeTemporaryFolder, openNewStore } from '../migrations/temporary-store.ts';
import { authorityPath } from '../webhook-receiver.ts';

/**
 * The receiver's authority is trusted until the test ends, because other files share the process.
 */
function trustReceiver(): void {
  const usual = tls.getCACertificates();
  tls.setDefaultCACertificates([...usual, readFileSync(authorityPath, 'utf8')]);
  onTestFinished(() => tls.setDefaultCACertificates(usual));
}

interface DeliveriesOptions {
  readonly post?: DeliverySourceDeps['post'];
  readonly random?: number;
  readonly timeoutMs?: number;
}

/** Timers that fire when a test says so. */
function openTimers() {
  const timers: { work: () => void; ms: number }[] = [];
  const setTimer: SetTimer = (work, ms) => {
    const timer = { work, ms };
    timers.push(timer);
    return () => void timers.splice(0, timers.length, ...timers.filter((one) => one !== timer));
  };
  return { timers, setTimer };
}

/** Posts over HTTPS, or as the test says, and counts running attempts. */
function openPost(options: DeliveriesOptions) {
  const pending = new Set<Promise<PostOutcome>>();
  let begun = 0;
  const send: DeliverySourceDeps['post'] =
    options.post ??
    (({ policy, ...posting }) =>
      postWebhook(posting, {
        isAllowed: (url, address) => isAllowedAddress(url, address, policy),
        timeoutMs: options.timeoutMs,
      }));
  const post: DeliverySourceDeps['post'] = (posting) => {
    const sent = send(posting).finally(() => pending.delete(sent));
    pending.add(sent);
    begun += 1;
    return sent;
  };
  /** Resolves when no attempt is running and none is due. */
  const settle = async () => {
    for (let quiet = 0; quiet < 5; quiet += 1) {
      const before = begun;
      await setImmediate();
      if (pending.size > 0 || begun > before) quiet = 0;
      await Promise.all(pending);
    }
  };
  return { post, settle };
}

/** Opens a store with an account that allows localhost, and runs its deliveries. */
export function openDeliveries(options: DeliveriesOptions = {}) {
  trustReceiver();
  const folder = makeTemporaryFolder();
  const database = openNewStore(folder);
  const account = addAccount(database);
  replaceWebhookHosts(database, account.id, ['localhost']);
  const state = { now: new Date('2026-11-20T10:00:00.000Z') };
  const { timers, setTimer } = openTimers();
  const { post, settle } = openPost(options);
  const now = () => state.now;
  const readOrWrite = async () => {
    throw new Error('there is none');
  };
  const keychain = { readOrWrite };
  const secrets = openEncryptionKey({ database, folder, environment: 'live', keychain, now });
  const start = () => {
    const scheduler = startScheduler(
      createDeliverySource({
        database,
        environment: 'live',
        secrets,
        now,
        post,
        random: () => options.random ?? 0.5,
      }),
      { now, setTimer },
    );
    onOutbox(database, scheduler.wake);
    return scheduler;
  };
  let running = start();
  onTestFinished(async () => {
    await running.stop();
    database.close();
  });
  const calls = createWebhookCommands({
    database,
    environment: 'live',
    secrets,
    now,
    wake: () => running.wake(),
  });
  return {
    database,
    account,
    state,
    timers,
    calls,
    secrets,
    settle,
    register: (url: string, events: EventKind[] = ['pipeline.completed']) =>
      calls['webhooks.register']({ accountId: account.id, url, events }),
    note: (data: object = { pipeline_id: 'p' }, kind: EventKind = 'pipeline.completed') =>
      inTransaction(database, () =>
        noteEvent(database, { accountId: account.id, kind, data, at: state.now.toISOString() }),
      ),
    /** Advances time and fires the timer, repeatedly. */
    async pass(ms: number) {
      state.now = new Date(state.now.getTime() + ms);
      timers.shift()?.work();
      await settle();
    },
    /** The deliveries of a webhook, oldest first, with their attempts. */
    list: (webhookId: string) =>
      listDeliveries(database, webhookId, { limit: 1_000 })
        .toReversed()
        .map((delivery) => ({ ...delivery, log: listAttempts(database, delivery.id) })),
    async restart() {
      await running.stop();
      timers.length = 0;
      running = start();
      await settle();
    },
    stop: () => running.stop(),
  };
}
