// The table `provider_request`: what was sent to providers, and what it cost.
//
//   insertIntent ──> intent ──markSent──> sent ──endRequest──> answered, uncertain, failed
//                      │ ^                  │  (setTicket: the service works on it)
//                      │ └────markUnsent────┘   the service did not accept it
//                      └──endRequest──> failed
//
// A request that is `sent` without a ticket when the engine starts has an unknown outcome.
import type { ProviderFailure, RequestedRow } from '../../contract/provider.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** A row of a request, with the hash that identifies it. */
export interface SentRow extends RequestedRow {
  readonly subject: string;
}

/** A request that has not ended. */
export interface OpenRequest {
  readonly id: number;
  /** `ProviderRequest.id`. */
  readonly uuid: string;
  readonly provider: string;
  readonly jobId: number | null;
  readonly state: 'intent' | 'sent';
  readonly ticket: string | null;
  readonly sentAt: string | null;
  readonly rows: readonly SentRow[];
}

/** What a request is about before it is sent. */
export interface Intent {
  readonly uuid: string;
  readonly provider: string;
  readonly jobId: number | null;
  readonly rows: readonly SentRow[];
  readonly costMaxUnits: number;
  readonly at: string;
}

/** How a request ended. */
export type RequestEnd =
  | {
      readonly state: 'answered';
      readonly costUnits: number;
      readonly isReported: boolean;
      readonly failure?: undefined;
      readonly detail?: undefined;
    }
  | {
      readonly state: 'uncertain' | 'failed';
      readonly failure: ProviderFailure;
      readonly detail: string;
    };

/** Records that a request is about to be sent. Returns its id. */
export function insertIntent(database: WritableDatabase, intent: Intent): number {
  const fields = [...new Set(intent.rows.flatMap((row) => row.fields))];
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO provider_request (uuid, provider, job_id, row_count, fields, rows,
       cost_max_units, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[intent.uuid, intent.provider, intent.jobId, intent.rows.length, JSON.stringify(fields)],
    ...[JSON.stringify(intent.rows), intent.costMaxUnits, intent.at],
  );
  return Number(lastInsertRowid);
}

function change(database: WritableDatabase, sql: string, ...values: unknown[]): void {
  if (statement(database, sql).run(...values).changes !== 1)
    throw new Error('provider_request_in_another_state');
}

/** intent → sent; a second call changes nothing. Durable before the request leaves the machine. */
export const markSent = (database: WritableDatabase, id: number, at: string): void =>
  change(
    database,
    `UPDATE provider_request SET state = 'sent', sent_at = ifnull(sent_at, ?)
     WHERE id = ? AND state IN ('intent', 'sent')`,
    ...[at, id],
  );

/** sent → intent: the service said that it did not accept the request. */
export const markUnsent = (database: WritableDatabase, id: number): void =>
  change(
    database,
    `UPDATE provider_request SET state = 'intent', sent_at = NULL
     WHERE id = ? AND state IN ('intent', 'sent') AND ticket IS NULL`,
    id,
  );

/** Stores the ticket of an asynchronous service. */
export const setTicket = (database: WritableDatabase, id: number, ticket: string): void =>
  change(
    database,
    "UPDATE provider_request SET ticket = ? WHERE id = ? AND state = 'sent'",
    ...[ticket, id],
  );

/** Ends a request. Its rows are removed. Call in the transaction that stores its answers. */
export function endRequest(
  database: WritableDatabase,
  id: number,
  end: RequestEnd,
  at: string,
): void {
  const [costUnits, isReported] =
    end.state === 'answered'
      ? [end.costUnits, end.isReported ? 1 : 0]
      : [end.state === 'failed' ? 0 : null, null];
  change(
    database,
    `UPDATE provider_request SET state = ?, cost_units = ?, cost_is_reported = ?, failure = ?,
       detail = ?, rows = NULL, ended_at = ?,
       sent_at = iif(? = 'uncertain', ifnull(sent_at, created_at), sent_at)
     WHERE id = ? AND ended_at IS NULL`,
    ...[end.state, costUnits, isReported, end.failure ?? null, end.detail ?? null, at],
    ...[end.state, id],
  );
}

/** Requests that have not ended, oldest first. */
export const listOpenRequests = (database: ReadableDatabase): OpenRequest[] =>
  statement<Omit<OpenRequest, 'rows'> & { rows: string }>(
    database,
    `SELECT id, uuid, provider, job_id AS jobId, state, ticket, sent_at AS sentAt, rows
     FROM provider_request WHERE ended_at IS NULL ORDER BY id`,
  )
    .all()
    .map((record) => ({ ...record, rows: JSON.parse(record.rows) as SentRow[] }));

const spent = 'SELECT ifnull(sum(ifnull(cost_units, cost_max_units)), 0) AS units';

/** What a job has spent at a provider; open and uncertain requests count with their maximum. */
export const sumJobUnits = (database: ReadableDatabase, provider: string, jobId: number): number =>
  statement<{ units: number }>(
    database,
    `${spent} FROM provider_request WHERE job_id = ? AND provider = ?`,
  ).get(jobId, provider)?.units ?? 0;

/** What was spent at a provider since a time, likewise. */
export const sumUnitsSince = (database: ReadableDatabase, provider: string, at: string): number =>
  statement<{ units: number }>(
    database,
    `${spent} FROM provider_request WHERE provider = ? AND created_at >= ?`,
  ).get(provider, at)?.units ?? 0;

/** Requests to a provider whose outcome is unknown. */
export const countUncertain = (database: ReadableDatabase, provider: string): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM provider_request WHERE provider = ? AND state = 'uncertain'`,
  ).get(provider)?.count ?? 0;

/** What a job spent at a provider. */
export interface JobSpending {
  readonly provider: string;
  readonly requests: number;
  readonly rows: number;
  readonly costUnits: number;
  /** The maximum of open and uncertain requests. */
  readonly openUnits: number;
  readonly uncertain: number;
  /** 1 if the cost of a request is derived from its answer; null before the first answer. */
  readonly isEstimated: 0 | 1 | null;
}

/** What a job spent, by provider. */
export const listJobSpending = (database: ReadableDatabase, jobId: number): JobSpending[] =>
  statement<JobSpending>(
    database,
    `SELECT provider, count(*) AS requests, sum(row_count) AS rows,
       ifnull(sum(cost_units), 0) AS costUnits,
       ifnull(sum(iif(cost_units IS NULL, cost_max_units, 0)), 0) AS openUnits,
       sum(state = 'uncertain') AS uncertain, max(cost_is_reported = 0) AS isEstimated
     FROM provider_request WHERE job_id = ? GROUP BY provider ORDER BY provider`,
  ).all(jobId);
