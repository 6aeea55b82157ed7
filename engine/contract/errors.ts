/**
 * The one table of expected refusals: code → HTTP status → sentence; the specification's "Errors"
 * and docs/rules.md.
 */

/**
 * Every code a caller can meet, its HTTP status and the sentence used where no closer detail is
 * known.
 */
export const errorTable = {
  validation_error: { status: 400, sentence: 'The request is not valid.' },
  bad_meta: {
    status: 400,
    sentence: 'Send a `meta` part, or a `selected_layers` part along with the file.',
  },
  bad_layers: { status: 400, sentence: 'Name at least one layer in `selected_layers`, or "full".' },
  bad_rows: { status: 400, sentence: 'Send at least one row in `rows`, or a file with data rows.' },
  unauthorized: { status: 401, sentence: 'Send a valid API key: Authorization: Token <API_KEY>.' },
  insufficient_credits: { status: 402, sentence: 'The wallet cannot cover the hold.' },
  spending_cap_reached: {
    status: 402,
    sentence: 'This key has reached its spending cap. Raise it in Connections, or wait.',
  },
  upstream_insufficient_credits: {
    status: 402,
    sentence: 'The upstream provider refused the job for lack of credits.',
  },
  forbidden: { status: 403, sentence: 'This address answers only this machine and its own pages.' },
  not_found: { status: 404, sentence: 'There is nothing at this address.' },
  not_ready: {
    status: 409,
    sentence: 'The job has not finished. Poll its status until ready is true.',
  },
  already_finished: { status: 409, sentence: 'The job has already finished.' },
  job_cancelled: { status: 409, sentence: 'The job was cancelled and has no result.' },
  nothing_to_retry: { status: 409, sentence: 'There is nothing to retry in this job.' },
  idempotency_conflict: {
    status: 409,
    sentence: 'This Idempotency-Key was used for another request. Use a new key.',
  },
  approval_required: {
    status: 409,
    sentence:
      'A person has to allow what this would cost. Allow it in Connections of the app, then send ' +
      'the same request again.',
  },
  input_damaged: {
    status: 409,
    sentence:
      'The rows that were submitted are damaged or missing on disk. Restore a backup, or submit ' +
      'them again.',
  },
  rate_limited: { status: 429, sentence: 'Too many requests with this key. Wait, then go on.' },
  internal_error: { status: 500, sentence: 'Something went wrong here. Nothing was charged.' },
  upstream_error: {
    status: 502,
    sentence: 'The upstream provider did not answer. Try again later.',
  },
  busy: {
    status: 503,
    sentence: 'Too many large requests wait here. Wait a few seconds, then send it again.',
  },
  read_only: {
    status: 503,
    sentence: 'The engine cannot write to its folder now. Free space, then try again.',
  },
  unavailable: {
    status: 503,
    sentence: 'A part of the engine is being started again. Wait a few seconds, then try again.',
  },
  folder_not_private: {
    status: 503,
    sentence: 'Other users may write to the data folder. Run chmod 700 on it, then try again.',
  },
  folder_unusable: {
    status: 503,
    sentence: 'The data folder cannot be used. Name one that you may write to with --data-dir.',
  },
  database_missing: {
    status: 503,
    sentence: 'A database of the data folder is missing. Restore a backup: desk restore FILE.',
  },
  database_damaged: {
    status: 503,
    sentence:
      'A database of the data folder is damaged. Run desk doctor to see which, then restore a ' +
      'backup: desk restore FILE.',
  },
  secrets_unavailable: {
    status: 503,
    sentence:
      "The key that seals secrets is in the system's keychain, which does not answer. " +
      'Unlock the keychain, then try again.',
  },
  folder_locked: {
    status: 503,
    sentence:
      'Another engine is running on the data folder. Use that one, stop it, or name another ' +
      'folder with --data-dir.',
  },
  port_unavailable: {
    status: 503,
    sentence: 'The port cannot be listened on. Choose another: --port N.',
  },
  database_too_new: {
    status: 503,
    sentence:
      'A database was written by a newer version of Enrichment Desk. Install that version, or ' +
      'open another data folder.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>;

/** A code of the table. */
export type ErrorCode = keyof typeof errorTable;

/** Codes that end the start of an engine, so that there is nobody to answer a request with them. */
const startupCodes: readonly ErrorCode[] = [
  'folder_locked',
  'port_unavailable',
  'database_too_new',
];

/** The codes that a request can be answered with, in the order of the table. */
export const requestErrorCodes = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) => !startupCodes.includes(code),
) as [ErrorCode, ...ErrorCode[]];

/** The question that a request has led to, on the wire. */
export interface AskedApproval {
  readonly approval_id: string;
  /** What the request would cost at most. */
  readonly credits: string;
  /** Until when it can be answered. */
  readonly expires_at: string;
}

/**
 * An expected refusal: what happened and what to do next. Anything else that is thrown is a bug.
 */
export class EngineError extends Error {
  override name = 'EngineError';
  readonly code: ErrorCode;
  readonly detail: string;
  /** The question to answer; of `approval_required` alone. */
  readonly approval: AskedApproval | undefined;
  /** @param detail a whole sentence for a person; the table's sentence where left out */
  constructor(
    code: ErrorCode,
    detail?: string,
    options: ErrorOptions & { readonly approval?: AskedApproval | undefined } = {},
  ) {
    super(detail ?? errorTable[code].sentence, options);
    this.code = code;
    this.detail = this.message;
    this.approval = options.approval;
  }
}

/** An EngineError as it crosses a thread: plain data. */
export type ErrorMessage = {
  code: ErrorCode;
  detail: string;
  approval?: AskedApproval | undefined;
};
