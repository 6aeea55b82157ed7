// The table `tool_answer`: answers of paid tool calls with idempotency keys, kept so that a repeat
// returns the same answer. A row is written with the charge and never changed.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface KeptAnswer {
  /** SHA-256 of the tool and its arguments, lower-case hex. */
  readonly fingerprint: string;
  /** JSON of the result. */
  readonly material: string;
  /** JSON of the state of each value. */
  readonly report: string;
  readonly at: string;
}

/** The answer for a key that is not older than `since`; null if there is none. */
export const findKeptAnswer = (
  database: ReadableDatabase,
  keyScope: string,
  key: string,
  since: string,
): KeptAnswer | null =>
  statement<KeptAnswer>(
    database,
    `SELECT fingerprint, material, report, at FROM tool_answer
     WHERE key_scope = ? AND key = ? AND at >= ?`,
  ).get(keyScope, key, since) ?? null;

/** Stores an answer, in the transaction that charges for it. Replaces an expired one. */
export function keepAnswer(
  database: WritableDatabase,
  keyScope: string,
  key: string,
  answer: KeptAnswer,
): void {
  statement(
    database,
    `INSERT INTO tool_answer (key_scope, key, fingerprint, material, report, at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (key_scope, key) DO UPDATE SET fingerprint = excluded.fingerprint,
       material = excluded.material, report = excluded.report, at = excluded.at`,
  ).run(keyScope, key, answer.fingerprint, answer.material, answer.report, answer.at);
}

export function forgetAnswersBefore(database: WritableDatabase, at: string): void {
  statement(database, 'DELETE FROM tool_answer WHERE at < ?').run(at);
}
