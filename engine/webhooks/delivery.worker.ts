/**
 * The entry of the thread that posts deliveries: connections and slow receivers trouble nobody
 * else. It keeps nothing; what is to be sent and what became of it is the writer thread's.
 */
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../platform/workers/worker-rpc.ts';
import { type Posting, type PostOutcome, postWebhook } from './post-webhook.ts';
import { isAllowedAddress, type WebhookPolicy } from './webhook-url.ts';

/** What the delivery thread answers. */
export interface DeliveryThreadCalls {
  post(command: Posting & { policy: WebhookPolicy }): Promise<PostOutcome>;
  /** Ends every attempt under way, unanswered, and answers nothing more. */
  stop(command: null): Promise<void>;
}

const userAgent = 'Enrichment-Desk-Webhooks';
const stopping = new AbortController();

const calls: DeliveryThreadCalls = {
  post: ({ policy, ...posting }) =>
    postWebhook(
      { ...posting, headers: { ...posting.headers, 'user-agent': userAgent } },
      {
        isAllowed: (url, address) => isAllowedAddress(url, address, policy),
        signal: stopping.signal,
      },
    ),
  async stop() {
    stopping.abort();
  },
};

if (parentPort) serveCalls<DeliveryThreadCalls>(parentPort, calls);
