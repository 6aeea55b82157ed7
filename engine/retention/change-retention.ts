// Changes the days of kinds, within what the organisation and the product rule.
import { recordAudit } from '../audit/record-audit.ts';
import type { AuditDetails } from '../contract/audit/audit.ts';
import { EngineError, invalid } from '../contract/errors.ts';
import {
  type DueItems,
  type EffectiveRetention,
  type RetentionChange,
  type RetentionKind,
  type RetentionPolicy,
  retentionKinds,
} from '../contract/retention/retention.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { confirmClock, describeClockStop, findClockStop } from '../platform/trusted-clock.ts';
import { readRetention } from './effective-days.ts';
import { planRun, readRun } from './retention-run.table.ts';
import { putSetting } from './retention-setting.table.ts';
import { hasDays } from './rules-by-kind.ts';

export interface RetentionReads {
  /** What would be deleted for an account at some days. Changes nothing. */
  previewRetention(command: {
    readonly accountId: number;
    readonly kinds: readonly Pick<EffectiveRetention, 'kind' | 'days'>[];
    /** Milliseconds since 1970. */
    readonly nowMs: number;
  }): Promise<DueItems[]>;
}

interface RetentionCommandDeps {
  readonly database: WritableDatabase;
  readonly policy: RetentionPolicy;
  now(): Date;
  onChange(): void;
  wake(): void;
}

/** Throws `validation_error` if the days of a kind must not be set to this. */
export function checkDays(
  { kind, is_fixed: isFixed, days_max: daysMax }: ReturnType<typeof readRetention>[number],
  days: number | null,
): void {
  const { label } = retentionKinds[kind];
  if (kind === 'uploads') throw invalid(`${label} are always deleted after a day.`);
  if (isFixed) throw invalid(`${label}: the days are set by your organisation.`);
  if (daysMax !== null && days !== null && days > daysMax)
    throw invalid(`${label} are kept for at most ${daysMax} days. Give fewer days.`);
}

export function createRetentionCommands(deps: RetentionCommandDeps) {
  const { database, policy, now, onChange, wake } = deps;
  return {
    /**
     * Sets days, and starts a run if they delete anything. Rejects with `validation_error` if the
     * organisation or the product rules otherwise.
     */
    async changeRetention({ accountId, days }: RetentionChange & { readonly accountId: number }) {
      const chosen = Object.entries(days) as [RetentionKind, number | null][];
      const at = now().toISOString();
      inTransaction(database, () => {
        const known = readRetention(database, accountId, policy);
        const details: AuditDetails = {};
        for (const [kind, given] of chosen) {
          const current = known.find((one) => one.kind === kind);
          const wanted = given || null;
          if (!current || wanted === current.setting) continue;
          checkDays(current, wanted);
          putSetting(database, accountId, kind, wanted);
          details[`${kind}_days`] = [current.setting, wanted];
        }
        if (Object.keys(details).length > 0)
          recordAudit(database, { action: 'retention_changed', at, accountId, details });
        if (hasDays(database, policy)) planRun(database, at);
      });
      onChange();
      wake();
    },
    /** Rejects with `not_ready` if the clock is not trusted and not confirmed. */
    async runRetention({ isClockConfirmed }: { readonly isClockConfirmed: boolean }) {
      if (isClockConfirmed) confirmClock(database, now());
      const lastAt = findClockStop(database, now());
      if (lastAt) throw new EngineError('not_ready', describeClockStop(lastAt, now()));
      if (readRun(database).state === 'idle') planRun(database, now().toISOString());
      wake();
    },
  };
}

export type RetentionCalls = ReturnType<typeof createRetentionCommands>;
