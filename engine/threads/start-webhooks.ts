/** Puts the webhooks of a world together on its writer thread: key, commands, deliveries. */
import type { WorldName } from '../contract/ids.ts';
import { keepSecretKey, type Secrets } from '../domain/keep-secret-key.ts';
import { answerWebhookCalls } from '../domain/keep-webhook.ts';
import type { WebhookCalls } from '../domain/webhook-commands.ts';
import type { WritableDatabase } from '../sqlite/open.ts';
import { openKeychain } from './ask-keychain.ts';
import { setRealTimer } from './monitor-clock.ts';
import { openPostThread } from './post-on-thread.ts';
import { runDeliveries } from './run-deliveries.ts';

/** Webhooks that run. */
interface StartedWebhooks {
  /** Seals whatever else is a secret of this world. */
  readonly secrets: Secrets;
  readonly calls: WebhookCalls;
  stop(): Promise<void>;
}

/** Starts them; deliveries that an earlier run left are made at once. */
export function startWebhooks(around: {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly world: WorldName;
  readonly storageRetryMs: number;
  now(): Date;
}): StartedWebhooks {
  const keychain = openKeychain();
  const secrets = keepSecretKey({ ...around, askKeychain: keychain.ask });
  const thread = openPostThread();
  const deliveries = runDeliveries({
    ...around,
    secrets,
    post: thread.post,
    random: Math.random,
    setTimer: setRealTimer,
  });
  return {
    secrets,
    calls: answerWebhookCalls({ ...around, secrets, wake: deliveries.wake }),
    async stop() {
      keychain.stop();
      const written = deliveries.stop();
      await thread.stop();
      await written;
    },
  };
}
