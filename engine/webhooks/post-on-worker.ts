// Sends deliveries on a separate thread, which starts with the first delivery.
import { type SupervisedWorker, superviseWorker } from '../platform/workers/supervise-worker.ts';
import { WorkerEnded } from '../platform/workers/worker-rpc.ts';
import type { PreparedAttempt } from './deliver-webhooks.ts';
import type { DeliveryThreadCalls } from './delivery.worker.ts';
import type { PostOutcome } from './post-webhook.ts';

export interface PostWorker {
  /**
   * Makes an attempt. If the thread ends, repeats it with the same webhook-id; an attempt that ends
   * several threads has failed. Rejects if the thread is stopped.
   */
  post(posting: PreparedAttempt['posting']): Promise<PostOutcome>;
  stop(): Promise<void>;
}

export function openPostWorker(): PostWorker {
  let thread: SupervisedWorker<DeliveryThreadCalls> | null = null;
  let isStopped = false;
  return {
    async post(posting) {
      thread ??= superviseWorker<DeliveryThreadCalls>({ name: 'delivery-thread' });
      const startedAtMs = performance.now();
      try {
        return await thread.run((calls) => calls.post(posting));
      } catch (error) {
        if (isStopped || !(error instanceof WorkerEnded)) throw error;
        return {
          status: null,
          answer: '',
          retryAfter: null,
          error: "The engine's thread ended while it posted this.",
          tookMs: Math.round(performance.now() - startedAtMs),
        };
      }
    },
    async stop() {
      isStopped = true;
      await thread?.stop();
    },
  };
}
