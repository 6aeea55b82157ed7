// What the user is shown about requests and answers, over the tables of the waterfall: spend, hit
// rates, notes, and the log of requests.
import { z } from 'zod';
import { type ProviderField, providerFieldNames } from '../../contract/provider.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readJson } from '../../platform/sqlite/read-json.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { isUndecided } from '../waterfall/provider-request.table.ts';

export interface DaySpend {
  readonly day: string;
  readonly units: number;
  readonly requests: number;
}

/** The days with requests since a day, oldest first. Open requests count with their maximum. */
export const listDaySpend = (
  database: ReadableDatabase,
  provider: string,
  since: string,
): DaySpend[] =>
  statement<DaySpend>(
    database,
    `SELECT substr(created_at, 1, 10) AS day, count(*) AS requests,
       total(ifnull(cost_units, cost_max_units)) AS units
     FROM provider_request WHERE provider = ? AND created_at >= ? GROUP BY day ORDER BY day`,
  ).all(provider, since);

export const countAnswers = (database: ReadableDatabase, provider: string): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM provider_answer
     WHERE provider = ? AND outcome IN ('hit', 'miss')`,
  ).get(provider)?.count ?? 0;

/**
 * Deletes what a provider answered. What its unknown outcomes left open stays: it may have been
 * paid for, and must not be asked again. So does what was paid for and lost.
 */
export const deleteAnswers = (database: WritableDatabase, provider: string): number =>
  statement(
    database,
    "DELETE FROM provider_answer WHERE provider = ? AND outcome IN ('hit', 'miss')",
  ).run(provider).changes;

export interface ProviderJobNote {
  readonly jobUuid: string;
  readonly failure: string;
  readonly detail: string;
  readonly at: string;
}

/** A job that is not deleted, also not with an undo. */
const isShown = 'ifnull(j.deleted_at, j.removed_at) IS NULL';

/** The latest notes of a provider since it last answered, newest first. */
export const listProviderNotes = (
  database: ReadableDatabase,
  provider: string,
  limit: number,
): ProviderJobNote[] =>
  statement<ProviderJobNote>(
    database,
    `SELECT j.uuid AS jobUuid, n.failure, n.detail, n.at
     FROM provider_note n JOIN job j ON j.id = n.job_id AND ${isShown}
     WHERE n.provider = ? AND NOT EXISTS (
       SELECT 1 FROM provider_request r
       WHERE r.provider = n.provider AND r.created_at > n.at AND r.state = 'answered'
     )
     ORDER BY n.at DESC, j.id DESC LIMIT ?`,
  ).all(provider, limit);

export interface LoggedRequest {
  readonly id: number;
  readonly at: string;
  readonly provider: string;
  readonly jobUuid: string | null;
  readonly rows: number;
  readonly fields: readonly ProviderField[];
  readonly state: 'intent' | 'sent' | 'answered' | 'uncertain' | 'failed';
  readonly costMaxUnits: number;
  readonly costUnits: number | null;
  /** The most that its parts with an unknown outcome cost; null if there are none. */
  readonly uncertainUnits: number | null;
  readonly isReported: boolean | null;
  readonly detail: string | null;
}

const FieldsSchema = z.array(z.enum(providerFieldNames));

type RequestRecord = Omit<LoggedRequest, 'fields' | 'isReported'> & {
  readonly fields: string;
  readonly isReported: number | null;
};

const selectRequest = `SELECT r.id, r.created_at AS at, r.provider, j.uuid AS jobUuid,
    r.row_count AS rows, r.fields, r.state, r.cost_max_units AS costMaxUnits,
    r.cost_units AS costUnits, r.uncertain_units AS uncertainUnits,
    r.cost_is_reported AS isReported, r.detail
  FROM provider_request r LEFT JOIN job j ON j.id = r.job_id AND ${isShown}`;

const readRequest = ({ fields, isReported, ...request }: RequestRecord): LoggedRequest => ({
  ...request,
  fields: readJson(FieldsSchema, fields, []),
  isReported: isReported === null ? null : isReported === 1,
});

/** Requests with ids below `before`, newest first. */
export const listRequests = (
  database: ReadableDatabase,
  page: {
    readonly limit: number;
    readonly before: number | undefined;
    /** Only those with an unknown outcome that no person has decided about. */
    readonly isUncertain: boolean;
  },
): LoggedRequest[] =>
  statement<RequestRecord>(
    database,
    `${selectRequest} WHERE r.id < ? ${page.isUncertain ? `AND ${isUndecided}` : ''}
     ORDER BY r.id DESC LIMIT ?`,
  )
    .all(page.before ?? Number.MAX_SAFE_INTEGER, page.limit)
    .map(readRequest);

export function findRequest(database: ReadableDatabase, id: number): LoggedRequest | undefined {
  const record = statement<RequestRecord>(database, `${selectRequest} WHERE r.id = ?`).get(id);
  return record && readRequest(record);
}
