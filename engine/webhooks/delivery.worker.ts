// Entry of the thread that sends deliveries, so that connections and slow receivers block nothing
// else. The thread has no state; the writer thread stores what to send and the results.
import { parentPort } from 'node:worker_threads';
import { goDirectly } from '../platform/net/proxy-routes.ts';
import { findOwnRoutes } from '../platform/net/system-proxy.ts';
import { serveCalls } from '../platform/workers/worker-rpc.ts';
import { type Posting, type PostOutcome, postWebhook } from './post-webhook.ts';
import { isAllowedAddress, isLocalHost, type WebhookPolicy } from './webhook-url.ts';

export interface DeliveryThreadCalls {
  post(command: Posting & { policy: WebhookPolicy }): Promise<PostOutcome>;
  /** Aborts all attempts in progress and refuses new ones. */
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
        findRoutes: async (url) => (isLocalHost(url, policy) ? goDirectly : findOwnRoutes)(url),
        signal: stopping.signal,
      },
    ),
  async stop() {
    stopping.abort();
  },
};

if (parentPort) serveCalls<DeliveryThreadCalls>(parentPort, calls);
