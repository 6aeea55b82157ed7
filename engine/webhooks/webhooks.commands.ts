/** Commands about webhooks to the writer thread. Each may reject with an EngineError. */
import type { CreatedWebhook, EventKind, SecretKey } from '../contract/webhooks.ts';

/** A webhook of an account. */
export interface WebhookTarget {
  readonly accountId: number;
  /** UUID. */
  readonly id: string;
}

/** Calls about webhooks to the writer thread. All but the first throw `not_found`. */
export interface WebhookCalls {
  /** Throws `validation_error` for a URL that is not allowed, or if there are too many webhooks. */
  createWebhook(command: {
    accountId: number;
    url: string;
    events: readonly EventKind[];
  }): Promise<CreatedWebhook>;
  removeWebhook(command: WebhookTarget): Promise<void>;
  /** Pauses an active webhook, or resumes it, even after it was switched off. */
  pauseWebhook(command: WebhookTarget & { paused: boolean }): Promise<void>;
  /** The previous secret also signs for a day, if it can still be decrypted. */
  rotateWebhookSecret(command: WebhookTarget): Promise<{ secret: string; previous_until: string }>;
  /** Sends a test event once. */
  sendTestEvent(command: WebhookTarget): Promise<{ deliveryId: number }>;
  /** Starts another round of attempts, with the same id. */
  sendAgain(command: WebhookTarget & { deliveryId: number }): Promise<void>;
  setWebhookHosts(command: { accountId: number; hosts: readonly string[] }): Promise<void>;
  /** Where the encryption key is stored. Creates the key if there is none. */
  describeSecretKey(command: null): Promise<SecretKey>;
}
