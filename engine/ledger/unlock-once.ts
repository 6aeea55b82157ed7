// Unlocking with an idempotency key: the result and its cost are stored with the charge, and a
// repeat within 24 hours returns them even if the directory has changed.
import { EngineError } from '../contract/errors.ts';
import { idempotencyKeptMs } from '../contract/limits/ledger.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { trustedTime } from '../platform/trusted-clock.ts';
import { spendAllowed } from './approve-spending.ts';
import type { IdempotencyUse } from './idempotency-use.ts';
import { findKeptAnswer, forgetAnswersBefore, keepAnswer } from './tool-answer.table.ts';
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
