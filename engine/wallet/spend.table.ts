// The table `ledger_spend`, which triggers keep up to date, and what data services cost.
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface SpendRow {
  readonly day: string;
  /** An API key; '' for the app. */
  readonly client: string;
  readonly part: string;
  readonly units: number;
}

/** What an account spent between two days, both included. */
export const listSpend = (
  database: ReadableDatabase,
  accountId: number,
  { since, until }: { readonly since: string; readonly until: string },
): SpendRow[] =>
  statement<SpendRow>(
    database,
    `SELECT day, client, part, units FROM ledger_spend
     WHERE account_id = ? AND day BETWEEN ? AND ? ORDER BY day`,
  ).all(accountId, since, until);

/** What data services cost an account's jobs on one day, in their own units. */
interface ProviderSpendRow {
  readonly day: string;
  readonly provider: string;
  readonly units: number;
}

/** What services cost between two days, both included. Open requests cost their maximum. */
export const listProviderSpend = (
  database: ReadableDatabase,
  accountId: number,
  { since, until }: { readonly since: string; readonly until: string },
): ProviderSpendRow[] =>
  statement<ProviderSpendRow>(
    database,
    `SELECT substr(r.created_at, 1, 10) AS day, r.provider,
       total(ifnull(r.cost_units, r.cost_max_units)) AS units
     FROM provider_setting s
       JOIN provider_request r ON r.provider = s.provider
         AND r.created_at >= ? AND r.created_at <= ? || '~'
       JOIN job j ON j.id = r.job_id
     WHERE j.account_id = ? GROUP BY day, r.provider`,
  ).all(since, until, accountId);
