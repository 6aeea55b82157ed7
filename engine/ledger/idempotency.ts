// The table `idempotency`: requests by their Idempotency-Key (docs/api.md, "Answer").
import { EngineError } from '../contract/errors.ts';
import { idempotencyKeptMs } from '../contract/limits/ledger.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { trustedTime } from '../platform/trusted-clock.ts';

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

/** An idempotency key and its scope: "<API key id>" or "app:<account uuid>". */
export interface IdempotencyUse {
  readonly keyScope: string;
  readonly key: string;
}

interface IdempotentUse {
  /** SHA-256 of everything that must be identical in a repeat. */
  readonly fingerprint: string;
  readonly jobUuid: string;
  readonly at: string;
}

/** The use of a key within its scope, or null. The caller checks whether it has expired. */
export const findIdempotent = (
  database: ReadableDatabase,
  keyScope: string,
  key: string,
): IdempotentUse | null =>
  statement<IdempotentUse>(
    database,
    `SELECT fingerprint, job_uuid AS jobUuid, at FROM idempotency
     WHERE key_scope = ? AND key = ?`,
  ).get(keyScope, key) ?? null;

/**
 * Records a use, in the transaction that creates the job. Replaces an older use: in the same
 * transaction, the caller has found that there is none or that it has expired.
 * @param use keyScope: id of the API key, or 'app:' and the account's uuid
 */
export function rememberIdempotent(
  database: WritableDatabase,
  use: { keyScope: string; key: string; fingerprint: string; jobUuid: string; at: string },
): void {
  statement(
    database,
    `INSERT INTO idempotency (key_scope, key, fingerprint, job_uuid, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (key_scope, key) DO UPDATE SET
       fingerprint = excluded.fingerprint, job_uuid = excluded.job_uuid, at = excluded.at`,
  ).run(use.keyScope, use.key, use.fingerprint, use.jobUuid, use.at);
}

/** Deletes all uses before a time. Returns their number. */
export const forgetIdempotentBefore = (database: WritableDatabase, at: string): number =>
  statement(database, 'DELETE FROM idempotency WHERE at < ?').run(at).changes;
