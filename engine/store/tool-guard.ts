// The table `tool_guard`: limits of a client of the tool server beside those of its key.
import type { CreditUnits } from '../contract/credits.ts';
import type { ReadableDatabase, WritableDatabase } from '../sqlite/open.ts';
import { statement } from '../sqlite/statement.ts';

/** Limits of a client; null is none. */
export interface GuardRow {
  /** The most that one call may cost. */
  readonly capCallUnits: CreditUnits | null;
  /** A call that would cost more is asked about first. */
  readonly askAboveUnits: CreditUnits | null;
}

/** The limits of a client by its key scope: none where they were never set. */
export const readGuard = (database: ReadableDatabase, keyScope: string): GuardRow =>
  statement<GuardRow>(
    database,
    `SELECT cap_call_units AS capCallUnits, ask_above_units AS askAboveUnits
     FROM tool_guard WHERE key_scope = ?`,
  ).get(keyScope) ?? { capCallUnits: null, askAboveUnits: null };

/** Sets the limits of a client of an account. */
export function setGuard(
  database: WritableDatabase,
  accountId: number,
  keyScope: string,
  guard: GuardRow,
): void {
  statement(
    database,
    `INSERT INTO tool_guard (key_scope, account_id, cap_call_units, ask_above_units)
     VALUES (?, ?, ?, ?)
     ON CONFLICT (key_scope) DO UPDATE SET
       cap_call_units = excluded.cap_call_units, ask_above_units = excluded.ask_above_units`,
  ).run(keyScope, accountId, guard.capCallUnits, guard.askAboveUnits);
}
