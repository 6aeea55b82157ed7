// Idempotency keys: finds an earlier request with the same key (docs/api.md, "Answer").
import { EngineError } from '../contract/errors.ts';
import { idempotencyKeptMs } from '../contract/limits/ledger.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { trustedTime } from '../platform/trusted-clock.ts';
import { findIdempotent, forgetIdempotentBefore } from './idempotency.table.ts';
import type { IdempotencyUse } from './idempotency-use.ts';

/**
 * The UUID of the job that an earlier request with the same key created; null without a key, or if
 * the key is new. Throws `idempotency_conflict` if that was a different request.
 * @param fingerprint of everything that must be identical in a repeat
 */
export function findReplay(
  database: WritableDatabase,
  idempotency: IdempotencyUse | null,
  fingerprint: string,
  now: Date,
): string | null {
  if (!idempotency) return null;
  const trustedMs = trustedTime(database, now).getTime();
  forgetIdempotentBefore(database, new Date(trustedMs - idempotencyKeptMs).toISOString());
  const earlier = findIdempotent(database, idempotency.keyScope, idempotency.key);
  if (!earlier) return null;
  if (earlier.fingerprint !== fingerprint) throw new EngineError('idempotency_conflict');
  return earlier.jobUuid;
}
