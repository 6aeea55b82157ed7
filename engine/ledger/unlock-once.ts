// Unlocking with an idempotency key: the result and its cost are stored in the table `tool_answer`,
// in the transaction of the charge. A repeat within 24 hours returns them even if the directory has
// changed.
import { EngineError } from '../contract/errors.ts';
import { idempotencyKeptMs } from '../contract/limits/ledger.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { trustedTime } from '../platform/trusted-clock.ts';
import { spendAllowed } from './approve-spending.ts';
import type { IdempotencyUse } from './idempotency.ts';
import {
  type UnlockOnceCommand,
  type UnlockOnceReport,
  type UnlockReport,
  unlockAllowed,
  unlockFingerprint,
} from './unlock.ts';

const keptSince = (database: ReadableDatabase, now: Date): string =>
  new Date(trustedTime(database, now).getTime() - idempotencyKeptMs).toISOString();

/** The result of the first call with a key. Throws `idempotency_conflict` for another call. */
export function findUnlocked(
  database: ReadableDatabase,
  use: IdempotencyUse,
  fingerprint: string,
  now: Date,
): UnlockOnceReport | null {
  const kept = findKeptAnswer(database, use.keyScope, use.key, keptSince(database, now));
  if (!kept) return null;
  if (kept.fingerprint !== fingerprint)
    throw new EngineError(
      'idempotency_conflict',
      'This idempotency_key was used for another call. Use a new key. Nothing was charged.',
    );
  const report = JSON.parse(kept.report) as UnlockReport;
  return { report, material: kept.material, replayed: true };
}

/** Unlocks, or returns what the first call did. Throws what both throw. */
export function unlockOnce(
  database: WritableDatabase,
  { once, ...command }: UnlockOnceCommand,
  now: Date,
): UnlockOnceReport {
  return spendAllowed(database, command, unlockFingerprint(command), now, (permit) => {
    forgetAnswersBefore(database, keptSince(database, now));
    const earlier = findUnlocked(database, once, once.fingerprint, now);
    if (earlier) return earlier;
    const report = unlockAllowed(database, command, permit, now);
    // A call in which every value stayed locked is not stored, so that it can be repeated with more
    // credits.
    const hasGiven = report.states.some((state) => state !== 'locked');
    if (!hasGiven) return { report, material: once.material, replayed: false };
    keepAnswer(database, once.keyScope, once.key, {
      fingerprint: once.fingerprint,
      material: once.material,
      report: JSON.stringify(report),
      at: now.toISOString(),
    });
    return { report, material: once.material, replayed: false };
  });
}

interface KeptAnswer {
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
function keepAnswer(
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
