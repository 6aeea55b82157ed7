// The table `idempotency`: what each Idempotency-Key was used for, and the job it created.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface IdempotentUse {
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
