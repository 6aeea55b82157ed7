// The interface of data providers: the requests and answers of a provider, and the effect of each
// failure (docs/rules.md, "Providers").
//
// A provider is asked for fields of rows that the directory left open. It answers each field of
// each row: found, not found, or failed. A request may be paid for, so its outcome is recorded
// before and after it is sent, and a request with an unknown outcome is never repeated.
import type { EmailStatus } from './jobs/job.ts';
import type { RowInputField } from './jobs/row-input.ts';

/**
 * A row as a provider receives it: the recognised fields of the caller's row, completed with values
 * that earlier steps found. Fields without a value are absent.
 */
export type ProviderRow = Readonly<Partial<Record<RowInputField, string>>>;

/** The fields that can be requested → the values that answer each. */
export const providerFields = {
  work_email: ['email'],
  /** Asked only for rows that have an email. The answer is the status of the hit. */
  email_status: [],
  /**
   * The current employment, and what a profile says about the person. `employment_status` is
   * Current, Changed or Left, if the service says; otherwise it is derived.
   */
  employment: [
    'employment_status',
    'first_name',
    'last_name',
    'company_name',
    'company_domain',
    'title',
    'start_date',
    'profile_url',
    'job_function',
    'job_level',
    'city',
    'state',
    'country',
  ],
  headquarters: [
    'company_website',
    'company_address',
    'company_city',
    'company_state',
    'company_country',
    'company_postal_code',
    'company_phone',
  ],
  /** The employment of a person who left the company that the row names, and its head office. */
  new_job: [
    'new_company_name',
    'new_title',
    'new_start_date',
    'new_company_website',
    'new_email',
    'new_company_address',
    'new_company_city',
    'new_company_state',
    'new_company_country',
    'new_company_postal_code',
    'new_company_phone',
  ],
  phone: ['mobile_phone', 'direct_phone'],
} as const;
export type ProviderField = keyof typeof providerFields;
export const providerFieldNames = Object.keys(providerFields) as ProviderField[];
export type ProviderValueName = (typeof providerFields)[ProviderField][number];

export interface RequestedRow {
  readonly row: ProviderRow;
  /** Not empty; each is one of the provider's fields, and the row has what the field needs. */
  readonly fields: readonly ProviderField[];
}

/** Rows in one request to a provider, at most `ProviderTerms.rowsMax`. No two rows are equal. */
export interface ProviderRequest {
  /** Unique for each request. It is the same when a request that was not accepted is repeated. */
  readonly id: string;
  readonly rows: readonly RequestedRow[];
  /** Ids of the requests by which other engines passed the rows on, oldest first. */
  readonly via?: readonly string[];
}

/**
 * Why a request, or a field of a row, has no answer. Any failure except `uncertain` says that the
 * service charged nothing for what it concerns. `isRepeatable`: the request was not accepted and
 * may be sent again. `skipsProvider`: the rest of the job does not ask the provider. `remedy`: what
 * a person does about it.
 */
export const providerFailures = {
  /** Not accepted: no connection, or an open circuit breaker. */
  unavailable: {
    isRepeatable: true,
    skipsProvider: false,
    remedy: 'Run the rows again later.',
  },
  /** Not accepted: there is no way to the service. Without one to any, the machine is offline. */
  offline: {
    isRepeatable: true,
    skipsProvider: false,
    remedy: '',
  },
  /** Not accepted: too many requests. `retryAfterMs` says when to ask again. */
  slow_down: {
    isRepeatable: true,
    skipsProvider: false,
    remedy: 'Run the rows again later.',
  },
  /** The account at the service has no credits or no quota left. */
  quota: {
    isRepeatable: false,
    skipsProvider: true,
    remedy: 'The job did not ask it again. Add credits at the service, then run the rows again.',
  },
  /** The key is missing, refused, or not allowed to make this request. */
  bad_key: {
    isRepeatable: false,
    skipsProvider: true,
    remedy:
      'The job did not ask it again. Check its key and what it may do, then run the rows again.',
  },
  /** The service does not accept the values of the row. */
  bad_input: {
    isRepeatable: false,
    skipsProvider: false,
    remedy: '',
  },
  /**
   * The person must not be processed. The refusal is stored and no provider is asked again. Of a
   * whole request with several rows it does not say which person: each half is asked again.
   */
  legal_refusal: {
    isRepeatable: false,
    skipsProvider: false,
    remedy: '',
  },
  /** The request was sent and its outcome is unknown. It may have been charged. */
  uncertain: {
    isRepeatable: false,
    skipsProvider: false,
    remedy:
      'The outcome is unknown, and it may have been charged. See your account at the service.',
  },
  /** The service answered with an error, or with an answer that cannot be read. */
  source_error: {
    isRepeatable: false,
    skipsProvider: false,
    remedy: 'Run the rows again later.',
  },
} as const satisfies Record<
  string,
  { isRepeatable: boolean; skipsProvider: boolean; remedy: string }
>;
export type ProviderFailure = keyof typeof providerFailures;

const isFailure = (failure: string): failure is ProviderFailure => failure in providerFailures;

export const endSentence = (text: string): string =>
  /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;

/** What happened, and what to do about it. A failure outside the table says both. */
export function explainFailure(failure: string, detail: string): string {
  const { remedy } = isFailure(failure) ? providerFailures[failure] : { remedy: '' };
  return remedy === '' ? detail : `${endSentence(detail)} ${remedy}`;
}

export interface FieldHit {
  readonly kind: 'hit';
  /** Not empty, except for `email_status`. Only strings that are not empty. */
  readonly values: Readonly<Partial<Record<ProviderValueName, string>>>;
  /** The status of the email, for `work_email` and `email_status`. */
  readonly status?: EmailStatus;
  /** The day on which the values were observed, YYYY-MM-DD; null if the service does not say. */
  readonly observedOn: string | null;
  /** 0 to 1; null if the service does not say. */
  readonly confidence: number | null;
  readonly source?: string;
  /** Provider credits charged for this field, if the service says. */
  readonly costCredits?: number;
}

export type FieldAnswer =
  | FieldHit
  | { readonly kind: 'miss'; readonly costCredits?: number }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly detail: string };

/** The answers for one row. A requested field without an entry is a miss. */
export type RowAnswer = Readonly<Partial<Record<ProviderField, FieldAnswer>>>;

export type ProviderAnswer =
  | {
      readonly kind: 'answered';
      /** One for each requested row, in the same order. */
      readonly rows: readonly RowAnswer[];
      /** Provider credits charged for the whole request; null if the service does not say. */
      readonly costCredits: number | null;
    }
  /** The service works on the request. Poll with the ticket, which survives a restart. */
  | {
      readonly kind: 'pending';
      readonly ticket: string;
      /** The earliest time to poll, from now. */
      readonly pollAfterMs: number;
    };

/**
 * Thrown by `Provider.answer` and `Provider.poll` if the whole request failed. `uncertain` of a
 * poll ends the request; after any other failure of a poll that is repeatable, the ticket is polled
 * again. Any other exception is a bug.
 */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly failure: ProviderFailure;
  /** When to ask again, from now; null if the service does not say. */
  readonly retryAfterMs: number | null;
  /** @param detail a sentence for the user: what the provider said, and what to do. No secrets. */
  constructor(failure: ProviderFailure, detail: string, retryAfterMs: number | null = null) {
    super(detail);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface ProviderTerms {
  /** Stable id: lower case letters, digits and hyphens. */
  readonly id: string;
  /** The source name in provenance. */
  readonly title: string;
  /** Maximum number of rows in one request, at least 1. */
  readonly rowsMax: number;
  /** Requests that may be sent at the same time, at least 1. */
  readonly requestsMax: number;
  /** Whether all rows of a request want the same fields. */
  readonly sharesFields?: boolean;
  readonly fields: Readonly<Partial<Record<ProviderField, FieldTerms>>>;
  /** The most that a request costs per row besides its fields, in provider credits; mostly 0. */
  readonly rowCostMaxCredits: number;
  /**
   * Lists of at least two fields that are answered together. A row that wants any field of a list
   * costs this once, in addition to the fields. No field is in two lists. Absent: none.
   */
  readonly sharedCosts?: readonly SharedCost[];
  /** Answers do not report what they cost, but the balance can be read. */
  readonly isMeasuredByBalance?: true;
  /** Days, at least 1, for which the terms allow values to be kept; null for no limit. */
  readonly keepDays: number | null;
  /**
   * Delays before each repeat of a request that the service did not accept, if it gave no time. The
   * default is in contract/limits/waterfall.ts.
   */
  readonly repeatDelaysMs?: readonly number[];
  /** How long a request may stay pending; then its outcome is uncertain. No limit by default. */
  readonly pendingMaxMs?: number;
  /**
   * For this long after a request was sent, the service answers a repeat with the same id like the
   * first one, and charges once. A request without a ticket whose outcome is unknown is then polled
   * with an empty ticket, which repeats it. Absent: a request is never repeated.
   */
  readonly repeatableMs?: number;
}

export interface SharedCost {
  readonly fields: readonly ProviderField[];
  /** The most that they cost per row together. */
  readonly costMaxCredits: number;
}

export interface FieldTerms {
  /** A row is sent if it has every value of one of these lists. */
  readonly needs: readonly (readonly RowInputField[])[];
  /** The most that the field costs per row by itself, in provider credits. */
  readonly costMaxCredits: number;
}

export interface SendOptions {
  /** Aborts the request. The signal's reason is thrown only if the request was not sent yet. */
  readonly signal: AbortSignal;
  /**
   * Call it immediately before the bytes of a paid request are sent, after any wait for a rate
   * limit. It records that the request is sent, and throws if it must not be sent any more.
   */
  onSend(): void;
}

export interface Provider {
  /** Constant for the life of the provider. */
  describe(): ProviderTerms;
  /**
   * Sends a request once. Throws ProviderError if it fails as a whole, and the signal's reason if
   * it was aborted before it was sent. Aborted later, it waits for the answer for a few seconds
   * (what was paid for is kept), then throws `uncertain`.
   */
  answer(request: ProviderRequest, options: SendOptions): Promise<ProviderAnswer>;
  /**
   * Asks for the outcome of a pending request, also after a restart. Polling is free. Only
   * providers that answer `pending` have it. A ticket that differs replaces the stored one.
   */
  poll?(ticket: string, request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer>;
  /**
   * Opens a connection to the service and closes it; nothing is sent. Returns whether there is a
   * network to it, also if the service refuses. Absent: the provider says nothing about the
   * network.
   */
  reach?(signal: AbortSignal): Promise<boolean>;
  /** Credits left at the service; null if it does not say. Free. Throws ProviderError. */
  readBalance?(signal: AbortSignal): Promise<number | null>;
}
