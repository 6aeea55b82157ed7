// The table `provider_balance`: the credits at a service, each time that they were read.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface ProviderBalance {
  readonly provider: string;
  readonly credits: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The request with an unknown outcome after which it was read. */
  readonly requestId?: number;
  /** The job before or after which it was read. */
  readonly jobId?: number;
}

export function insertBalance(database: WritableDatabase, balance: ProviderBalance): void {
  const { provider, credits, at, requestId = null, jobId = null } = balance;
  statement(
    database,
    `INSERT INTO provider_balance (provider, credits, at, request_id, job_id)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(provider, credits, at, requestId, jobId);
}

/** Deletes the balances of a provider: those of another key say nothing about the next one. */
export function deleteBalances(database: WritableDatabase, provider: string): void {
  statement(database, 'DELETE FROM provider_balance WHERE provider = ?').run(provider);
}

type Reading = Pick<ProviderBalance, 'credits' | 'at'>;

/** The balance that was read last; undefined if none was. */
export const findLatestBalance = (
  database: ReadableDatabase,
  provider: string,
): Reading | undefined =>
  statement<Reading>(
    database,
    'SELECT credits, at FROM provider_balance WHERE provider = ? ORDER BY id DESC LIMIT 1',
  ).get(provider);

export const listLatestBalances = (
  database: ReadableDatabase,
): Pick<ProviderBalance, 'provider' | 'credits' | 'at'>[] =>
  statement<Pick<ProviderBalance, 'provider' | 'credits' | 'at'>>(
    database,
    `SELECT provider, credits, at FROM provider_balance
     WHERE id IN (SELECT max(id) FROM provider_balance GROUP BY provider) ORDER BY provider`,
  ).all();

/** The first balance that was read for a job; undefined if none was. */
export const findJobBalance = (
  database: ReadableDatabase,
  provider: string,
  jobId: number,
): Reading | undefined =>
  statement<Reading>(
    database,
    `SELECT credits, at FROM provider_balance WHERE job_id = ? AND provider = ?
     ORDER BY id LIMIT 1`,
  ).get(jobId, provider);

export interface RequestBalances {
  readonly before: Reading | null;
  readonly after: Reading;
  /** Other requests to the provider between the two that may have cost something. */
  readonly others: number;
}

/** The balances around a request; null if none was read after it. */
export function findRequestBalances(
  database: ReadableDatabase,
  request: { readonly id: number; readonly provider: string; readonly at: string },
): RequestBalances | null {
  const after = statement<Reading & { id: number }>(
    database,
    `SELECT id, credits, at FROM provider_balance
     WHERE provider = ? AND request_id = ? ORDER BY id LIMIT 1`,
  ).get(request.provider, request.id);
  if (!after) return null;
  const before = statement<Reading>(
    database,
    `SELECT credits, at FROM provider_balance
     WHERE provider = ? AND id < ? AND at <= ? ORDER BY id DESC LIMIT 1`,
  ).get(request.provider, after.id, request.at);
  const others = statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM provider_request
     WHERE provider = ? AND id <> ? AND created_at <= ? AND ifnull(ended_at, ?) > ?
       AND ifnull(cost_units, cost_max_units) > 0`,
  ).get(request.provider, request.id, after.at, after.at, before?.at ?? '')?.count;
  return { before: before ?? null, after, others: others ?? 0 };
}
