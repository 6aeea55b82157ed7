/** Posts deliveries on a thread of their own, which is started by the first of them. */
import type { PreparedAttempt } from '../domain/deliver-webhooks.ts';
import type { PostOutcome } from '../providers/post-webhook.ts';
import { callThread, type ThreadCaller } from './call-thread.ts';
import type { DeliveryThreadCalls } from './delivery-thread.ts';
import { startThread } from './entry.ts';

/** The way to the thread. */
export interface PostThread {
  /** Makes an attempt; rejects where the thread is stopped. */
  post(posting: PreparedAttempt['posting']): Promise<PostOutcome>;
  stop(): Promise<void>;
}

/** Describes a thread that is started when it is needed, and again where it died. */
export function openPostThread(): PostThread {
  let thread: ThreadCaller<DeliveryThreadCalls> | null = null;
  const start = () => {
    const worker = startThread('delivery-thread');
    const started = callThread<DeliveryThreadCalls>(worker);
    worker.once('exit', () => {
      if (thread === started) thread = null;
    });
    return started;
  };
  return {
    post(posting) {
      thread ??= start();
      return thread.calls.post(posting);
    },
    async stop() {
      const started = thread;
      thread = null;
      await started?.calls.stop(null);
      await started?.terminate();
    },
  };
}
