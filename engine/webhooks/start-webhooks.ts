/** Creates the secrets, the commands and the deliveries of webhooks for the writer. */
import type { EnvironmentName } from '../contract/ids.ts';
import type { SetTimer } from '../platform/scheduler/due-clock.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { openEncryptionKey, type Secrets } from '../secrets/encryption-key.ts';
import type { KeychainClient } from '../secrets/keychain-client.ts';
import type { PostWorker } from './post-on-worker.ts';
import { runDeliveries } from './run-deliveries.ts';
import type { WebhookCalls } from './webhooks.commands.ts';
import { createWebhookCommands } from './webhooks.ts';

/** Webhooks that run. */
interface StartedWebhooks {
  /** Seals every secret of this environment. */
  readonly secrets: Secrets;
  readonly calls: WebhookCalls;
  /** Stops the keychain client and the posting of deliveries too. */
  stop(): Promise<void>;
}

/** Starts them; deliveries that an earlier run left are made at once. */
export function startWebhooks(deps: {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly environment: EnvironmentName;
  readonly storageRetryMs: number;
  readonly keychain: KeychainClient;
  readonly postWorker: PostWorker;
  readonly setTimer: SetTimer;
  now(): Date;
  random(): number;
}): StartedWebhooks {
  const { keychain, postWorker, environment } = deps;
  const secrets = openEncryptionKey({ ...deps, environment, askKeychain: keychain.ask });
  const deliveries = runDeliveries({ ...deps, environment, secrets, post: postWorker.post });
  return {
    secrets,
    calls: createWebhookCommands({ ...deps, environment, secrets, wake: deliveries.wake }),
    async stop() {
      keychain.stop();
      const written = deliveries.stop();
      await postWorker.stop();
      await written;
    },
  };
}
