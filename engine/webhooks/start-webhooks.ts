/** Puts the webhooks of an environment together on its writer thread: key, commands, deliveries. */
import type { EnvironmentName } from '../contract/ids.ts';
import { setRealTimer } from '../platform/scheduler/due-clock.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { openEncryptionKey, type Secrets } from '../secrets/encryption-key.ts';
import { openKeychain } from '../secrets/keychain-client.ts';
import { openPostThread } from './post-on-worker.ts';
import { runDeliveries } from './run-deliveries.ts';
import type { WebhookCalls } from './webhooks.commands.ts';
import { createWebhookCommands } from './webhooks.ts';

/** Webhooks that run. */
interface StartedWebhooks {
  /** Seals whatever else is a secret of this environment. */
  readonly secrets: Secrets;
  readonly calls: WebhookCalls;
  stop(): Promise<void>;
}

/** Starts them; deliveries that an earlier run left are made at once. */
export function startWebhooks(deps: {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly environment: EnvironmentName;
  readonly storageRetryMs: number;
  now(): Date;
}): StartedWebhooks {
  const keychain = openKeychain();
  const secrets = openEncryptionKey({ ...deps, askKeychain: keychain.ask });
  const thread = openPostThread();
  const deliveries = runDeliveries({
    ...deps,
    secrets,
    post: thread.post,
    random: Math.random,
    setTimer: setRealTimer,
  });
  return {
    secrets,
    calls: createWebhookCommands({ ...deps, secrets, wake: deliveries.wake }),
    async stop() {
      keychain.stop();
      const written = deliveries.stop();
      await thread.stop();
      await written;
    },
  };
}
