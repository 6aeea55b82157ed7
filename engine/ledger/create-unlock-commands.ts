// The commands that charge for values of people and make them owned, on the writing connection.
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type UnlockCommand,
  type UnlockOnceCommand,
  type UnlockOnceReport,
  unlock,
} from './unlock.ts';
import { unlockOnce } from './unlock-once.ts';

interface UnlockCommandDeps {
  readonly database: WritableDatabase;
  now(): Date;
  onWallet(accountId: number): void;
}

/** Creates the handlers. A repeat with the same idempotency key charges nothing. */
export const unlockCommands = ({ database, now, onWallet }: UnlockCommandDeps) => ({
  /** Charges for values that the account does not own yet, and makes them owned. */
  async unlock(command: UnlockCommand) {
    const report = unlock(database, command, now());
    if (report.chargedUnits > 0) onWallet(command.accountId);
    return report;
  },
  /** The same with an idempotency key. Throws `idempotency_conflict`. */
  async unlockOnce(command: UnlockOnceCommand): Promise<UnlockOnceReport> {
    const done = unlockOnce(database, command, now());
    if (!done.replayed && done.report.chargedUnits > 0) onWallet(command.accountId);
    return done;
  },
});

export type UnlockCalls = ReturnType<typeof unlockCommands>;
