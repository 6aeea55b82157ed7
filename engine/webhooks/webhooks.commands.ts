/** Commands of webhooks to the writer thread. Each may refuse with an EngineError. */
import type { CreatedWebhook, EventKind, SecretKey } from '../contract/webhooks.ts';

/** A webhook of an account. */
export interface WebhookTarget {
  readonly accountId: number;
  /** UUID. */
  readonly id: string;
}

/** What webhooks ask of the writer thread; all but the first throw `not_found`. */
export interface WebhookCalls {
  /** Throws `validation_error` for an address that may not be, or where there are too many. */
  createWebhook(command: {
    accountId: number;
    url: string;
    events: readonly EventKind[];
  }): Promise<CreatedWebhook>;
  removeWebhook(command: WebhookTarget): Promise<void>;
  /** Pauses an active one, or lets it go on, also after it was switched off. */
  pauseWebhook(command: WebhookTarget & { paused: boolean }): Promise<void>;
  /** The former secret signs beside the new one for a day, where it can still be read. */
  rotateWebhookSecret(command: WebhookTarget): Promise<{ secret: string; previous_until: string }>;
  /** Sends an event that tells of nothing, once. */
  sendTestEvent(command: WebhookTarget): Promise<{ deliveryId: number }>;
  /** Begins another round of attempts, with the same id. */
  sendAgain(command: WebhookTarget & { deliveryId: number }): Promise<void>;
  setWebhookHosts(command: { accountId: number; hosts: readonly string[] }): Promise<void>;
  /** Where the key is that seals secrets, making one where there is none. */
  describeSecretKey(command: null): Promise<SecretKey>;
}
