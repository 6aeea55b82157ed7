/**
 * The interface of data providers: the requests and answers of a provider, and the effect of each
 * failure on the row, the batch and the job (docs/rules.md, "Data enrichment").
 *
 * There are two forms of answer. The directory answers a whole batch at once, as columns of
 * internal record numbers that SQL turns into results (engine/directory/index/match-batch.ts).
 * Every other provider answers rows with values, in the form below. It is asked only for rows
 * without a match in the directory.
 */
import type { ErrorCode } from './errors.ts';
import type { EmploymentStatus } from './jobs/job.ts';
import type { RowInputField } from './jobs/row-input.ts';

/** A row as a provider sees it: only the recognised fields of the caller's row. */
export type ProviderRow = Partial<Record<RowInputField, string>>;

/** Rows in one request to a provider. */
export interface ProviderRequest {
  /**
   * Identical for every request for the same rows of the same job, so that a provider that charges
   * can recognise a repeat.
   */
  readonly id: string;
  readonly rows: readonly ProviderRow[];
}

/** A provider's answer for one row. */
export type ProviderAnswer =
  | {
      readonly kind: 'found';
      /** The contact's id at the provider. */
      readonly contactUuid: string;
      readonly employmentStatus: Exclude<EmploymentStatus, ''>;
      /**
       * Display name of contract/jobs/layers.ts → value. Fields of layers that the job did not
       * select are omitted.
       */
      readonly values: Readonly<Record<string, string>>;
      /** Confidence that the contact is the person of the row, 0 to 1. */
      readonly confidence: number;
      /** The day on which the values were observed, YYYY-MM-DD. */
      readonly observedOn: string;
    }
  /** The provider has no matching contact. */
  | { readonly kind: 'nothing' }
  /** The provider could not answer this row now. The row is retried after the provider's delays. */
  | { readonly kind: 'failed'; readonly detail: string };

/**
 * Failures of a whole request: whether it is retried, and the error of a job that ends by it. After
 * all retries, `unavailable` ends a job only if no request of it was ever accepted; otherwise it
 * fails only the rows. `refused_credits` ends a job at once.
 */
export const providerFailures = {
  unavailable: { isRetried: true, jobError: 'upstream_error' },
  refused_credits: { isRetried: false, jobError: 'upstream_insufficient_credits' },
} as const satisfies Record<string, { isRetried: boolean; jobError: ErrorCode }>;
export type ProviderFailure = keyof typeof providerFailures;

/** Thrown by `Provider.answer` for a failure of the table. Any other exception is a bug. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly code: ProviderFailure;
  /** @param detail a sentence for the user: what the provider said, and what to do */
  constructor(code: ProviderFailure, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** A source that answers rows with values. */
export interface Provider {
  /** The source name in provenance. */
  readonly name: string;
  /** Maximum number of rows in one request. */
  readonly rowsMax: number;
  /** Delays before each retry, in order: one fewer than the attempts. */
  readonly retryDelaysMs: readonly number[];
  /**
   * Answers every row, in order. Throws ProviderError if the request fails as a whole, and the
   * signal's reason if it is aborted.
   */
  answer(request: ProviderRequest, signal: AbortSignal): Promise<readonly ProviderAnswer[]>;
}
