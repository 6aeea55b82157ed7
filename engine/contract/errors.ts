// The table of expected refusals: code → HTTP status → sentence (docs/api.md, "Errors").

/** Every error code, its HTTP status, and the sentence used if there is no more specific detail. */
export const errorTable = {
  validation_error: { status: 400, sentence: 'The request is not valid.' },
  bad_meta: {
    status: 400,
    sentence: 'Send a `meta` part, or a `selected_layers` part along with the file.',
  },
  bad_layers: {
    status: 400,
    sentence: 'Select at least one layer in `selected_layers`, or send "full".',
  },
  bad_rows: { status: 400, sentence: 'Send at least one row in `rows`, or a file with data rows.' },
  unauthorized: { status: 401, sentence: 'Send a valid API key: Authorization: Token <API_KEY>.' },
  insufficient_credits: {
    status: 402,
    sentence: 'The wallet does not have enough credits. Add credits, then try again.',
  },
  spending_cap_reached: {
    status: 402,
    sentence: 'This key has reached its spending cap. Raise it in Connections, or wait.',
  },
  upstream_insufficient_credits: {
    status: 402,
    sentence: 'The data service is out of credits. Add credits there, then retry the job.',
  },
  forbidden: {
    status: 403,
    sentence: 'This address accepts requests only from this machine and the pages of this app.',
  },
  not_found: { status: 404, sentence: 'Not found. Check the path and the id.' },
  not_ready: {
    status: 409,
    sentence: 'The job has not finished. Poll its status until ready is true.',
  },
  already_finished: { status: 409, sentence: 'The job has already finished.' },
  job_cancelled: { status: 409, sentence: 'The job was cancelled and has no result.' },
  nothing_to_retry: { status: 409, sentence: 'This job has nothing to retry.' },
  idempotency_conflict: {
    status: 409,
    sentence: 'This Idempotency-Key was used for another request. Use a new key.',
  },
  approval_required: {
    status: 409,
    sentence:
      'The cost of this request needs approval. Approve it under Connections in the app, then ' +
      'send the same request again.',
  },
  input_damaged: {
    status: 409,
    sentence:
      'The submitted rows are damaged or missing on disk. Restore a backup, or submit ' +
      'them again.',
  },
  rate_limited: { status: 429, sentence: 'Too many requests with this key. Wait, then try again.' },
  internal_error: { status: 500, sentence: 'Internal error. Nothing was charged.' },
  upstream_error: {
    status: 502,
    sentence: 'The data service did not respond. Try again later.',
  },
  busy: {
    status: 503,
    sentence: 'Too many large requests are waiting. Wait a few seconds, then try again.',
  },
  read_only: {
    status: 503,
    sentence: 'The engine cannot write to its data folder. Free disk space, then try again.',
  },
  unavailable: {
    status: 503,
    sentence: 'Part of the engine is restarting. Wait a few seconds, then try again.',
  },
  folder_not_private: {
    status: 503,
    sentence: 'Other users can write to the data folder. Run chmod 700 on it, then try again.',
  },
  folder_unusable: {
    status: 503,
    sentence:
      'The data folder cannot be used. Choose a folder that you can write to with --data-dir.',
  },
  database_missing: {
    status: 503,
    sentence: 'A database is missing from the data folder. Restore a backup: desk restore FILE.',
  },
  database_damaged: {
    status: 503,
    sentence:
      'A database in the data folder is damaged. Run desk doctor to see which, then restore a ' +
      'backup: desk restore FILE.',
  },
  secrets_unavailable: {
    status: 503,
    sentence:
      'The encryption key is in the system keychain, which does not respond. ' +
      'Unlock the keychain, then try again.',
  },
  folder_locked: {
    status: 503,
    sentence:
      'Another engine is using the data folder. Use that engine, stop it, or choose another ' +
      'folder with --data-dir.',
  },
  port_unavailable: {
    status: 503,
    sentence: 'Cannot listen on the port. Choose another: --port N.',
  },
  database_too_new: {
    status: 503,
    sentence:
      'A database was written by a newer version of Enrichment Desk. Install that version, or ' +
      'open another data folder.',
  },
  database_other_version: {
    status: 503,
    sentence:
      'A database was written by a version of Enrichment Desk that this one cannot read. Open ' +
      'the folder with that version, or move it away.',
  },
  policy_invalid: {
    status: 503,
    sentence:
      'The rules of your organisation cannot be used. Ask an administrator of this machine.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Codes that end the start of an engine, so that no request can be answered with them. */
const startupCodes: readonly ErrorCode[] = [
  'folder_locked',
  'port_unavailable',
  'database_too_new',
  'database_other_version',
  'policy_invalid',
];

export const requestErrorCodes = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) => !startupCodes.includes(code),
) as [ErrorCode, ...ErrorCode[]];

export interface PendingApproval {
  readonly approval_id: string;
  /** The most the request would cost. */
  readonly credits: string;
  readonly expires_at: string;
}

/** An expected refusal: what happened and what to do next. Any other exception is a bug. */
export class EngineError extends Error {
  override name = 'EngineError';
  readonly code: ErrorCode;
  readonly detail: string;
  /** The approval that is needed; only with `approval_required`. */
  readonly approval: PendingApproval | undefined;
  /** @param detail a sentence for the user; defaults to the sentence of the table */
  constructor(
    code: ErrorCode,
    detail?: string,
    options: ErrorOptions & { readonly approval?: PendingApproval | undefined } = {},
  ) {
    super(detail ?? errorTable[code].sentence, options);
    this.code = code;
    this.detail = this.message;
    this.approval = options.approval;
  }
}

export const invalid = (detail?: string): EngineError =>
  new EngineError('validation_error', detail);

/** The refusal of what does not exist, at least for this account. */
export const notFound = (detail?: string): EngineError => new EngineError('not_found', detail);

/** The refusal that was thrown, or that is the cause of a wait's AbortError; else null. */
export function findEngineError(error: unknown): EngineError | null {
  if (error instanceof EngineError) return error;
  const isAbort = error instanceof Error && error.name === 'AbortError';
  return isAbort && error.cause instanceof EngineError ? error.cause : null;
}

/** An EngineError as plain data, for messages between threads. */
export type ErrorMessage = {
  code: ErrorCode;
  detail: string;
  approval?: PendingApproval | undefined;
};
