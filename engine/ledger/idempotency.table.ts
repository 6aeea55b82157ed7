// The table `idempotency`: which request each Idempotency-Key was used for, and the job it made.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** What a key was used for. */
export interface IdempotentUse {
  /** SHA-256 of everything in the request that must be the same in a repeat. */
  readonly fingerprint: string;
  readonly jobUuid: string;
  readonly at: string;
}

/** The use of a key within its scope, or null. The caller judges whether it is still kept. */
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
 * Notes a use, in the transaction that makes the job. An older use is replaced: the caller has
 * looked, in the same transaction, and found none or one that is no longer kept.
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

/** Forgets every use before a time; the number forgotten. */
export const forgetIdempotentBefore = (database: WritableDatabase, at: string): number =>
  statement(database, 'DELETE FROM idempotency WHERE at < ?').run(at).changes;
