/**
 * The port behind which a source of data stands: what a provider is asked, what it may answer, and
 * what each of its failures means for the row, the batch and the job (docs/rules.md, "Data
 * enrichment").
 *
 * There are two forms of answer. The directory answers a whole batch at once, in columns of its own
 * record numbers, which SQL turns into results (engine/directory/index/match-batch.ts). Every other
 * provider answers rows with values, in the form below; it is asked only for the rows that the
 * directory has no match for.
 */
import type { ErrorCode } from './errors.ts';
import type { EmploymentStatus } from './jobs/job.ts';
import type { RowInputField } from './jobs/row-input.ts';

/** A row as a provider sees it: what the caller gave, and nothing else of the caller's. */
export type ProviderRow = Partial<Record<RowInputField, string>>;

/** Rows that a provider is asked for at once. */
export interface ProviderRequest {
  /**
   * The same for the same rows of the same job, however often they are asked for: a provider that
   * charges can tell a repeat from a new request.
   */
  readonly id: string;
  readonly rows: readonly ProviderRow[];
}

/** What a provider says of one row. */
export type ProviderAnswer =
  | {
      readonly kind: 'found';
      /** The contact's id at the provider. */
      readonly contactUuid: string;
      readonly employmentStatus: Exclude<EmploymentStatus, ''>;
      /**
       * Display name of contract/jobs/layers.ts → value; what the job did not select is left out.
       */
      readonly values: Readonly<Record<string, string>>;
      /** How sure it is that the contact is the one that the row means, 0 to 1. */
      readonly confidence: number;
      /** The day on which the values were observed, YYYY-MM-DD. */
      readonly observedOn: string;
    }
  /** The provider knows nobody of this kind. */
  | { readonly kind: 'nothing' }
  /** The provider could not answer this row now: it is asked again, by the table of retries. */
  | { readonly kind: 'failed'; readonly detail: string };

/**
 * What a provider may say instead of an answer to the whole request, whether it is asked again, and
 * the error of a job that ends by it. After all retries `unavailable` ends a job only where nothing
 * was ever accepted for it; later it fails the rows alone. `refused_credits` ends a job at once.
 */
export const providerFailures = {
  unavailable: { isRetried: true, jobError: 'upstream_error' },
  refused_credits: { isRetried: false, jobError: 'upstream_insufficient_credits' },
} as const satisfies Record<string, { isRetried: boolean; jobError: ErrorCode }>;
/** A failure of a whole request. */
export type ProviderFailure = keyof typeof providerFailures;

/** What `Provider.answer` throws for a failure of the table; anything else is a bug. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly code: ProviderFailure;
  /** @param detail a whole sentence for a person: what the provider said, and what to do */
  constructor(code: ProviderFailure, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** A source that answers rows with values. */
export interface Provider {
  /** What provenance names it by. */
  readonly name: string;
  /** Rows that it takes in one request. */
  readonly rowsMax: number;
  /** The waits before each further try, in order: one less than the tries. */
  readonly retryDelaysMs: readonly number[];
  /**
   * Answers every row, in order. Throws ProviderError for the request as a whole, and the signal's
   * reason where it is aborted.
   */
  answer(request: ProviderRequest, signal: AbortSignal): Promise<readonly ProviderAnswer[]>;
}
