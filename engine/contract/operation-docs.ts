// The documentation of a call in the OpenAPI document, in addition to its schemas.
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

export interface OperationDocs {
  /** operationId: verb and noun. */
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description?: string;
  readonly refusals?: readonly ErrorCode[];
  readonly form?: z.ZodType;
  readonly bodyOptional?: boolean;
  readonly answers?: Readonly<Record<number, string>>;
  /** A CSV file that the operation may return instead of JSON. */
  readonly file?: { readonly when: string; readonly example: string };
  /** Request headers: name → what they do. */
  readonly headers?: Readonly<Record<string, { description: string; maxLength: number }>>;
}

/** The areas of the API, in the order of the document. */
export const tags = {
  'Data enrichment': 'Asynchronous jobs over a list: estimate, submit, poll, read, retry.',
  'Direct lookup': 'One email or phone number for one profile URL; the token is in the query.',
  'Career Monitor': 'Checks where the contacts of a list work now.',
  Pipelines:
    'Lists of contacts that are looked up, unlocked and verified in the background. The end of a ' +
    'pipeline is an event for webhooks.',
  Webhooks: 'Addresses that receive signed events when a pipeline ends.',
  Wallet: 'Credits of the account that owns the key.',
  Engine: 'The engine itself.',
  'Data enrichment (older paths)': 'The same operations under /api/v1/enrichment.',
} as const;

/** The header of an operation whose repeated request is answered with the same job. */
export const idempotencyKey = {
  'Idempotency-Key': {
    description:
      'Kept for 24 hours per API key. A repeat of the request returns 200 with the same job.',
    maxLength: 255,
  },
};

/** The header of an operation whose key only identifies the request that a person approves. */
export const approvalKey = {
  'Idempotency-Key': {
    description:
      'Identifies this request if its cost needs a person’s approval (409 approval_required). ' +
      'Repeat the request with the same key after the answer.',
    maxLength: 255,
  },
};
/** Refusals of an operation that spends: the cap of its API key, or a missing approval. */
export const keyRefusals = ['spending_cap_reached', 'approval_required'] as const;

export const resultRefusals = [
  'not_ready',
  'job_cancelled',
  'input_damaged',
  'upstream_error',
  'upstream_insufficient_credits',
] as const;
