// The table `provider_request`: what was sent to providers, and what it cost.
//
//   insertIntent ──> intent ──markSent──> sent ──endRequest──> answered, uncertain, failed
//                      │ ^                  │  (setTicket: the service works on it)
//                      │ └────markUnsent────┘   the service did not accept it
//                      └──endRequest──> failed
//
// A request that is `sent` without a ticket when the engine starts has an unknown outcome.
import { z } from 'zod';
import type { ProviderFailure, RequestedRow } from '../../contract/provider.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readJson } from '../../platform/sqlite/read-json.ts';
import { insertRow } from '../../platform/sqlite/rows.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface SentRow extends RequestedRow {
  readonly subject: string;
}

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
  /** `ProviderRequest.via`. */
  readonly via?: readonly string[];
}

export interface Intent {
  readonly uuid: string;
  readonly provider: string;
  readonly jobId: number | null;
  readonly rows: readonly SentRow[];
  readonly costMaxUnits: number;
  readonly at: string;
}

export type RequestEnd =
  | {
      readonly state: 'answered';
      readonly costUnits: number;
      readonly isReported: boolean;
      /** The most that its parts with an unknown outcome cost; null if there are none. */
      readonly uncertainUnits: number | null;
      /** Rows whose person was refused for legal reasons. */
      readonly refusedRows: number;
      readonly failure?: undefined;
      /** Remarks about the answer; null if there are none. */
      readonly detail: string | null;
    }
  | {
      readonly state: 'uncertain' | 'failed';
      readonly failure: ProviderFailure;
      readonly detail: string;
    };

export function insertIntent(database: WritableDatabase, intent: Intent): number {
  const fields = [...new Set(intent.rows.flatMap((row) => row.fields))];
  return insertRow(database, 'provider_request', {
    uuid: intent.uuid,
    provider: intent.provider,
    jobId: intent.jobId,
    rowCount: intent.rows.length,
    fields: JSON.stringify(fields),
    rows: JSON.stringify(intent.rows),
    costMaxUnits: intent.costMaxUnits,
    createdAt: intent.at,
  });
}

function change(database: WritableDatabase, sql: string, ...values: unknown[]): void {
  if (statement(database, sql).run(...values).changes !== 1)
    throw new Error('provider_request_in_another_state');
}

/** intent → sent; a second call counts another send. Durable before the bytes are sent. */
export const markSent = (database: WritableDatabase, id: number, at: string): void =>
  change(
    database,
    `UPDATE provider_request SET state = 'sent', sent_at = ifnull(sent_at, ?), sends = sends + 1
     WHERE id = ? AND state IN ('intent', 'sent')`,
    at,
    id,
  );

/** sent → intent: the service said that it did not accept the request. */
export const markUnsent = (database: WritableDatabase, id: number): void =>
  change(
    database,
    `UPDATE provider_request SET state = 'intent', sent_at = NULL
     WHERE id = ? AND state IN ('intent', 'sent') AND ticket IS NULL`,
    id,
  );

export const setTicket = (database: WritableDatabase, id: number, ticket: string): void =>
  change(
    database,
    "UPDATE provider_request SET ticket = ? WHERE id = ? AND state = 'sent'",
    ticket,
    id,
  );

/** Ends a request. Its rows are removed. Call in the transaction that stores its answers. */
export function endRequest(
  database: WritableDatabase,
  id: number,
  end: RequestEnd,
  at: string,
): void {
  // A refusal of several rows does not say which of them is meant.
  const refusedIfAlone = end.failure === 'legal_refusal' ? 1 : 0;
  const [costUnits, isReported] =
    end.state === 'answered'
      ? [end.costUnits, end.isReported ? 1 : 0]
      : [end.state === 'failed' ? 0 : null, null];
  change(
    database,
    `UPDATE provider_request SET state = ?, cost_units = ?, cost_is_reported = ?, failure = ?,
       uncertain_units = iif(? = 'uncertain', cost_max_units, ?), detail = ?, rows = NULL,
       ended_at = ?,
       refused_rows = ifnull(?, iif(row_count = 1, ?, 0)),
       sent_at = iif(? = 'uncertain', ifnull(sent_at, created_at), sent_at)
     WHERE id = ? AND ended_at IS NULL`,
    end.state,
    costUnits,
    isReported,
    end.failure ?? null,
    end.state,
    end.state === 'answered' ? end.uncertainUnits : null,
    end.detail,
    at,
    end.state === 'answered' ? end.refusedRows : null,
    refusedIfAlone,
    end.state,
    id,
  );
}

const isSentRow = (one: Partial<SentRow> | null): boolean =>
  typeof one?.subject === 'string' && Array.isArray(one.fields) && typeof one.row === 'object';

const SentRowsSchema = z.array(
  z.custom<SentRow>((one) => isSentRow(one as Partial<SentRow> | null)),
);

/** Requests that have not ended, oldest first. Without rows if these are damaged. */
export const listOpenRequests = (database: ReadableDatabase): OpenRequest[] =>
  statement<Omit<OpenRequest, 'rows' | 'via'> & { rows: string; via: string | null }>(
    database,
    `SELECT r.id, r.uuid, r.provider, r.job_id AS jobId, r.state, r.ticket, r.sent_at AS sentAt,
       r.rows, j.via
     FROM provider_request r LEFT JOIN job j ON j.id = r.job_id
     WHERE r.ended_at IS NULL ORDER BY r.id`,
  )
    .all()
    .map(({ via, ...record }) => ({
      ...record,
      rows: readJson(SentRowsSchema, record.rows, []),
      ...(via !== null && { via: readJson(z.array(z.string()), via, []) }),
    }));

export const hasRequest = (database: ReadableDatabase, uuids: readonly string[]): boolean =>
  uuids.some(
    (uuid) =>
      statement(database, 'SELECT 1 FROM provider_request WHERE uuid = ?').get(uuid) !== undefined,
  );

/** The requests that were sent to a provider since a time, oldest first. */
export const listSends = (
  database: ReadableDatabase,
  provider: string,
  since: string,
): { readonly at: string; readonly sends: number; readonly rows: number }[] =>
  statement<{ at: string; sends: number; rows: number }>(
    database,
    `SELECT ifnull(sent_at, created_at) AS at, sends, row_count AS rows FROM provider_request
     WHERE provider = ? AND created_at >= ? AND sends > 0 ORDER BY at`,
  ).all(provider, since);

// total() has no largest sum, whatever the rows have.
const spent = 'SELECT total(ifnull(cost_units, cost_max_units)) AS units';

/** What a job has spent at a provider; open and uncertain requests count with their maximum. */
export const sumJobUnits = (database: ReadableDatabase, provider: string, jobId: number): number =>
  statement<{ units: number }>(
    database,
    `${spent} FROM provider_request WHERE job_id = ? AND provider = ?`,
  ).get(jobId, provider)?.units ?? 0;

/** What some requests have spent at a provider, counted in the same way. */
export const sumRequestUnits = (
  database: ReadableDatabase,
  provider: string,
  ids: Iterable<number>,
): number =>
  statement<{ units: number }>(
    database,
    `${spent} FROM provider_request
     WHERE id IN (SELECT value FROM json_each(?)) AND provider = ?`,
  ).get(JSON.stringify([...ids]), provider)?.units ?? 0;

/**
 * What was spent at a provider in a day or month, counted in the same way. Requests of later days
 * were sent while the clock was ahead, and do not use up the cap of this one.
 * @param period the beginning of the timestamps: 2026-11-20 or 2026-11
 */
export const sumUnitsIn = (database: ReadableDatabase, provider: string, period: string): number =>
  statement<{ units: number }>(
    database,
    `${spent} FROM provider_request WHERE provider = @provider
       AND created_at BETWEEN @period AND @period || '~'`,
  ).get({ provider, period })?.units ?? 0;

/** SQL: the outcome of a part is unknown, and no person has decided about it. */
export const isUndecided = 'uncertain_units IS NOT NULL AND decided_at IS NULL';

export const countUncertain = (database: ReadableDatabase, provider: string): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM provider_request WHERE provider = ? AND ${isUndecided}`,
  ).get(provider)?.count ?? 0;

export interface JobSpending {
  readonly provider: string;
  readonly requests: number;
  readonly rows: number;
  readonly costUnits: number;
  /** The maximum of open and uncertain requests. */
  readonly openUnits: number;
  readonly openRows: number;
  readonly uncertain: number;
  /** 1 if the cost of a request is derived from its answer; null before the first answer. */
  readonly isEstimated: 0 | 1 | null;
}

export const listJobSpending = (database: ReadableDatabase, jobId: number): JobSpending[] =>
  statement<JobSpending>(
    database,
    `SELECT provider, count(*) AS requests, sum(row_count) AS rows,
       total(cost_units) AS costUnits,
       total(iif(cost_units IS NULL, cost_max_units, 0)) AS openUnits,
       sum(iif(ended_at IS NULL, row_count, 0)) AS openRows,
       sum(${isUndecided}) AS uncertain, max(cost_is_reported = 0) AS isEstimated
     FROM provider_request WHERE job_id = ? GROUP BY provider ORDER BY provider`,
  ).all(jobId);

export interface JobFailures {
  readonly provider: string;
  readonly rows: number;
  /** The first of them, and what it says; null once that was deleted. */
  readonly failure: string;
  readonly detail: string | null;
}

/** What a job was not answered, by provider. A refusal of values or of a person is an answer. */
export const listJobFailures = (database: ReadableDatabase, jobId: number): JobFailures[] =>
  statement<JobFailures & { readonly id: number }>(
    database,
    // With min(), SQLite takes the other columns from the same row.
    `SELECT provider, sum(row_count) AS rows, min(id) AS id, failure, detail FROM provider_request
     WHERE job_id = ? AND (state = 'failed' OR state = 'uncertain' AND decided_at IS NULL)
       AND failure NOT IN ('bad_input', 'legal_refusal')
     GROUP BY provider`,
  ).all(jobId);

/** Whether the outcome of a part of a request is unknown, and no person has decided about it. */
export const isRequestUndecided = (database: ReadableDatabase, id: number): boolean =>
  statement(database, `SELECT 1 FROM provider_request WHERE id = ? AND ${isUndecided}`).get(id) !==
  undefined;

/** A request of a job whose cost the balance may correct. */
export interface MeasuredRequest {
  readonly id: number;
  readonly at: string;
  /** `open`: it has not ended, or its outcome was unknown. */
  readonly state: 'known' | 'open';
  readonly isReported: boolean;
  readonly costUnits: number;
  readonly costMaxUnits: number;
}

/** The requests of a job to a provider that may have cost something, oldest first. */
export const listJobRequests = (
  database: ReadableDatabase,
  provider: string,
  jobId: number,
): MeasuredRequest[] =>
  statement<Omit<MeasuredRequest, 'isReported'> & { isReported: number }>(
    database,
    `SELECT id, created_at AS at, iif(ended_at IS NULL OR uncertain_units IS NOT NULL, 'open',
       'known') AS state, ifnull(cost_is_reported, 0) AS isReported,
       ifnull(cost_units, 0) AS costUnits, cost_max_units AS costMaxUnits
     FROM provider_request WHERE job_id = ? AND provider = ? AND state <> 'failed' ORDER BY id`,
  )
    .all(jobId, provider)
    .map((request) => ({ ...request, isReported: request.isReported === 1 }));

/** Requests of other work to a provider that were open at some time between two balances. */
export const countOtherRequests = (
  database: ReadableDatabase,
  {
    provider,
    jobId,
    before,
    after,
  }: {
    readonly provider: string;
    readonly jobId: number;
    readonly before: { readonly at: string };
    readonly after: { readonly at: string };
  },
): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM provider_request
     WHERE provider = ? AND job_id IS NOT ? AND state <> 'failed' AND created_at <= ?
       AND ifnull(ended_at, ?) >= ?`,
  ).get(provider, jobId, after.at, after.at, before.at)?.count ?? 0;

export const setMeasuredCost = (database: WritableDatabase, id: number, units: number): void =>
  change(
    database,
    'UPDATE provider_request SET cost_units = ?, cost_is_reported = 1 WHERE id = ?',
    units,
    id,
  );
