// What a worker of the shared directory and the program that supervises it send to each other.
import type { ErrorCode } from '../../contract/errors.ts';

/** What a worker needs. It is sent to it, so that no secret is an argument or a variable. */
export interface WorkerLogin {
  /** Without a password. */
  readonly address: string;
  readonly password: string;
  /** The secret of the keys, in hex. */
  readonly secret: string;
  /** What its answers are signed with. */
  readonly name: string;
  /** Batches that it refuses, because they ended the workers before it. */
  readonly refused?: readonly string[];
}

/** A request to a worker: to begin, and to end after the batch that it holds. */
export type WorkerRequest = { readonly start: WorkerLogin } | { readonly stop: true };

/** What a worker reports. `failed` is its last report: the login, the tables or the secret. */
export type WorkerReport =
  | { readonly kind: 'taken'; readonly batch: string }
  | { readonly kind: 'beat' }
  | { readonly kind: 'answered'; readonly rows: number }
  | { readonly kind: 'not_matched'; readonly detail: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly detail: string };
