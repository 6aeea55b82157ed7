// The table `key_spending`: the spending of each API key by day, and its caps.
//
//   hold ──> counts in full on its day ──resolved──> the settled amount counts on the same day
//   charge ──> counts on its day
//
// Days and months are in UTC. Triggers write the rows (migrations/001-engine.sql).
import { type CreditUnits, creditUnits, sayCredits, showCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface KeySpending {
  readonly spentDayUnits: CreditUnits;
  readonly spentMonthUnits: CreditUnits;
  /** null if there is no cap. */
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
}

/** The spending on the day and in the month of `at` (ISO 8601, UTC). Throws 'key_unknown'. */
export function readKeySpending(database: ReadableDatabase, keyId: string, at: string) {
  const spending = statement<KeySpending>(
    database,
    `SELECT cap_day_units AS capDayUnits, cap_month_units AS capMonthUnits,
       (SELECT ifnull(sum(spent_units), 0) FROM key_spending
        WHERE key_id = api_key.id AND day = ?) AS spentDayUnits,
       (SELECT ifnull(sum(spent_units), 0) FROM key_spending
        WHERE key_id = api_key.id AND day BETWEEN ? AND ?) AS spentMonthUnits
     FROM api_key WHERE id = ?`,
  ).get(at.slice(0, 10), `${at.slice(0, 7)}-01`, `${at.slice(0, 7)}-31`, keyId);
  if (!spending) throw new Error('key_unknown');
  return spending;
}

function endOf(period: 'day' | 'month', at: string): string {
  const time = new Date(at);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  const end =
    period === 'day' ? Date.UTC(year, month, time.getUTCDate() + 1) : Date.UTC(year, month + 1);
  return new Date(end).toISOString();
}

/**
 * Refuses what a key may not spend; the error has the cap, what is left of it and when it is reset.
 * Call in the transaction that spends. A cost of 0 is never refused. Throws EngineError
 * spending_cap_reached; 'key_unknown'.
 */
export function assertWithinCaps(
  database: ReadableDatabase,
  keyId: string,
  units: CreditUnits,
  at: string,
): void {
  if (units === 0) return;
  const spending = readKeySpending(database, keyId, at);
  // The month first: if both are reached, waiting for the next day does not help.
  const caps = [
    ['month', spending.capMonthUnits, spending.spentMonthUnits],
    ['day', spending.capDayUnits, spending.spentDayUnits],
  ] as const;
  for (const [period, capUnits, spentUnits] of caps) {
    if (capUnits === null || spentUnits + units <= capUnits) continue;
    const leftUnits = creditUnits(Math.max(0, capUnits - spentUnits));
    throw new EngineError(
      'spending_cap_reached',
      `This needs ${sayCredits(units)}. This key may spend ` +
        `${showCredits(capUnits)} a ${period} and has ${showCredits(leftUnits)} left until ` +
        `${endOf(period, at)}. Raise its cap in Connections, or request less.`,
    );
  }
}
