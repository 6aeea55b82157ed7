/** Commands about retention, served by the writer, and the preview, served by the reader. */
import type {
  DueItems,
  EffectiveRetention,
  RetentionChange,
} from '../contract/retention/retention.ts';

export interface RetentionCalls {
  /**
   * Sets days, and starts a run if they delete anything. Rejects with `validation_error` if the
   * organisation or the product rules otherwise.
   */
  changeRetention(command: RetentionChange & { readonly accountId: number }): Promise<void>;
  /**
   * Starts a run now, if none is in progress. Rejects with `not_ready` if the clock is not trusted
   * and not confirmed.
   */
  runRetention(command: { readonly isClockConfirmed: boolean }): Promise<void>;
}

export interface RetentionReads {
  /** What would be deleted for an account at some days. Changes nothing. */
  previewRetention(command: {
    readonly accountId: number;
    readonly kinds: readonly Pick<EffectiveRetention, 'kind' | 'days'>[];
    /** Milliseconds since 1970. */
    readonly nowMs: number;
  }): Promise<DueItems[]>;
}
