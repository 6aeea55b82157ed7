// How a REST request spends credits: the account, the approval of a person, and idempotency.
import type { FastifyRequest } from 'fastify';
import { invalid } from '../contract/errors.ts';
import { idempotencyKeyCharactersMax } from '../contract/limits/ledger.ts';
import type { Spending } from '../ledger/approve-spending.ts';
import type { IdempotencyUse } from '../ledger/idempotency.ts';
import type { Spender } from '../ledger/ledger.ts';
import { shortenArguments } from '../ledger/shorten-arguments.ts';
import { callerOf } from './credentials.ts';

/** The Idempotency-Key header; null if absent. Throws `validation_error`. */
function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = header.toString();
  if (key.length === 0 || key.length > idempotencyKeyCharactersMax)
    throw invalid(`Idempotency-Key: send 1 to ${idempotencyKeyCharactersMax} characters.`);
  return key;
}

/**
 * The account that a request charges, and how it requests approval. Throws `validation_error` for
 * an Idempotency-Key that is too long.
 * @param operation method and path, as in docs/api.md
 * @param shown the part of the request that is shown to the person
 */
export function spendingOf(request: FastifyRequest, operation: string, shown: object): Spending {
  const { account, key } = callerOf(request);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  return {
    accountId: account.id,
    keyId: key?.id ?? null,
    asking: key && {
      operation,
      idempotencyKey,
      taken: null,
      askedIn: 'app',
      arguments: shortenArguments(shown),
    },
  };
}

export function spenderOf(request: FastifyRequest): Spender {
  const { account, key } = callerOf(request);
  return { accountId: account.id, keyId: key?.id ?? null };
}

export function idempotencyOf(request: FastifyRequest): IdempotencyUse | null {
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  return key === null ? null : { keyScope: callerOf(request).keyScope, key };
}
