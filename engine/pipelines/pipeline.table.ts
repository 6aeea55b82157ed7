// The table `pipeline`: the progress of each step, the hold and the spending of a pipeline.
//
//   insert ──> queued ──begin──> running: look up ──> hold ──> unlock ──> verify ──end──> completed
//                │                  │  └──the upstream refuses──end──> failed   (without a hold)
//                └──cancel──┐       ├──kill──> running             (continues in its current step)
//                           └───────┴──cancel──end──> cancelled    (what is unlocked is settled)
//
// A step processes all positions before the next one begins, so nothing is held until all contacts
// are looked up. Counters change in the transaction that writes what they count. The end resolves
// the hold in one transaction (pipelines/end-pipeline.ts).
import { z } from 'zod';
import { type CreditUnits, creditUnits } from '../contract/credits.ts';
import { EngineError, type ErrorCode } from '../contract/errors.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import {
  type PipelineKind,
  type PipelineReason,
  type PipelineStatus,
  pipelineKinds,
} from '../contract/pipelines/pipeline.ts';
import { ColumnMappingSchema } from '../contract/uploads.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { type JsonColumns, readJsonColumns } from '../platform/sqlite/read-json.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { insertSubjects } from './pipeline-subjects.ts';

export type PipelineSource = 'contacts' | 'uuids' | 'people';

export type HoldBound = Extract<PipelineReason, 'insufficient_credits' | 'spending_cap_reached'>;

export interface PipelineRow {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly keyId: string | null;
  /** The most that its key could spend when it was accepted; null if no key started it. */
  readonly authorisedUnits: CreditUnits | null;
  readonly title: string;
  readonly source: PipelineSource;
  readonly mapping: ColumnMapping;
  readonly matchThreshold: number;
  readonly kinds: readonly PipelineKind[];
  /** Price of each decided email; null if emails are not verified. */
  readonly verifyPriceUnits: CreditUnits | null;
  readonly status: PipelineStatus;
  /** Number of contacts; their positions are 0 to total - 1. */
  readonly total: number;
  readonly lookedUpTo: number;
  readonly unlockedTo: number;
  readonly verifiedTo: number;
  readonly matched: number;
  readonly unlocked: number;
  readonly locked: number;
  readonly verified: number;
  /** When the hold was decided, even if nothing is held; null before. */
  readonly heldAt: string | null;
  readonly holdId: number | null;
  readonly heldUnits: CreditUnits;
  /** What kept the hold from covering all known values; null if it covers them. */
  readonly heldShortBy: HoldBound | null;
  /** The part of the hold spent so far; settled at the end. */
  readonly chargedUnits: CreditUnits;
  /** 0 until the end. */
  readonly releasedUnits: CreditUnits;
  /** The columns of the stored order that cannot be read, and are empty here; null if none. */
  readonly damage: string | null;
  readonly error: ErrorCode | null;
  readonly errorDetail: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

const selectPipeline = `SELECT id, uuid, account_id AS accountId, key_id AS keyId,
    authorised_units AS authorisedUnits, title, source, mapping,
    match_threshold AS matchThreshold, kinds, verify_price_units AS verifyPriceUnits,
    status, total, looked_up_to AS lookedUpTo, unlocked_to AS unlockedTo,
    verified_to AS verifiedTo, matched, unlocked, locked, verified,
    held_at AS heldAt, hold_id AS holdId, held_units AS heldUnits, held_short_by AS heldShortBy,
    charged_units AS chargedUnits, released_units AS releasedUnits,
    error, error_detail AS errorDetail,
    created_at AS createdAt, started_at AS startedAt, completed_at AS completedAt
  FROM pipeline`;

type JsonColumn = 'mapping' | 'kinds';
type PipelineRecord = Omit<PipelineRow, JsonColumn | 'damage'> & Record<JsonColumn, string>;

const jsonColumns: JsonColumns<Pick<PipelineRow, JsonColumn>> = {
  mapping: [ColumnMappingSchema, {}],
  kinds: [z.array(z.enum(pipelineKinds)), []],
};

const readRecord = (record: PipelineRecord): PipelineRow => ({
  ...record,
  ...readJsonColumns(record, jsonColumns),
});

/** Returns a pipeline whose order can be read. Throws `database_damaged` for any other. */
export function requireWholePipeline(pipeline: PipelineRow): PipelineRow {
  if (pipeline.damage !== null)
    throw new EngineError(
      'database_damaged',
      `What engine.db has about the pipeline ${pipeline.uuid} is damaged (${pipeline.damage}). ` +
        'Restore a backup: desk restore FILE. Other pipelines are not affected.',
    );
  return pipeline;
}

function findOne(database: ReadableDatabase, rest: string, ...values: unknown[]) {
  const sql = `${selectPipeline} ${rest}`;
  const record = statement<PipelineRecord>(database, sql).get(...values);
  return record ? readRecord(record) : null;
}

export const getPipeline = (
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): PipelineRow | null =>
  findOne(database, 'WHERE uuid = ? AND account_id = ? AND deleted_at IS NULL', uuid, accountId);

/** The pipeline with an id. Throws 'pipeline_unknown'. */
export function requirePipelineById(database: ReadableDatabase, id: number): PipelineRow {
  const row = findOne(database, 'WHERE id = ?', id);
  if (!row) throw new Error('pipeline_unknown');
  return row;
}

export const hasPipeline = (database: ReadableDatabase, uuid: string): boolean =>
  statement(database, 'SELECT 1 FROM pipeline WHERE uuid = ? AND deleted_at IS NULL').get(uuid) !==
  undefined;

/** The first open pipeline after an id, else the first of all, so that they take turns. */
export const nextOpenPipeline = (database: ReadableDatabase, afterId: number): PipelineRow | null =>
  findOne(database, 'WHERE completed_at IS NULL AND id > ? ORDER BY id LIMIT 1', afterId) ??
  findOne(database, 'WHERE completed_at IS NULL AND id > ? ORDER BY id LIMIT 1', 0);

/** The pipelines of all accounts that have not ended, without one of them. */
export const countOtherOpen = (database: ReadableDatabase, id: number): number =>
  statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM pipeline WHERE completed_at IS NULL AND id <> ?',
  ).get(id)?.count ?? 0;

export function listPipelines(
  database: ReadableDatabase,
  accountId: number,
  page: { limit: number; offset: number },
): { count: number; pipelines: PipelineRow[] } {
  const counted = statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM pipeline WHERE account_id = ? AND deleted_at IS NULL',
  ).get(accountId);
  const records = statement<PipelineRecord>(
    database,
    `${selectPipeline} WHERE account_id = ? AND deleted_at IS NULL
     ORDER BY id DESC LIMIT ? OFFSET ?`,
  ).all(accountId, page.limit, page.offset);
  return { count: counted?.count ?? 0, pipelines: records.map(readRecord) };
}

export const listPipelineInputs = (
  database: ReadableDatabase,
): { uuid: string; rowCount: number }[] =>
  statement<{ uuid: string; rowCount: number }>(
    database,
    `SELECT uuid, total AS rowCount FROM pipeline
     WHERE source = 'contacts' AND deleted_at IS NULL`,
  ).all();

export type NewPipelineRow = Pick<
  PipelineRow,
  | 'uuid'
  | 'accountId'
  | 'keyId'
  | 'authorisedUnits'
  | 'title'
  | 'source'
  | 'mapping'
  | 'matchThreshold'
  | 'kinds'
  | 'verifyPriceUnits'
  | 'total'
  | 'createdAt'
> & {
  /** Ids or UUIDs; omitted if the contacts are a table. */
  readonly subjects?: readonly (number | string)[];
};

/** Adds a queued pipeline with its people. Returns its id. */
export function insertPipeline(database: WritableDatabase, order: NewPipelineRow): number {
  return inTransaction(database, () => {
    const { subjects = [], mapping, kinds, ...columns } = order;
    const id = insertRow(database, 'pipeline', {
      ...columns,
      mapping: JSON.stringify(mapping),
      kinds: JSON.stringify(kinds),
      status: 'queued',
    });
    insertSubjects(database, id, subjects);
    return id;
  });
}

/** Whether a pipeline has ended; false if it does not exist. */
export const hasPipelineEnded = (database: ReadableDatabase, uuid: string): boolean =>
  statement(database, 'SELECT 1 FROM pipeline WHERE uuid = ? AND completed_at IS NOT NULL').get(
    uuid,
  ) !== undefined;

/** queued → running. A running pipeline is unchanged. */
export const beginPipeline = (database: WritableDatabase, id: number, at: string): void =>
  void statement(
    database,
    "UPDATE pipeline SET status = 'running', started_at = ? WHERE id = ? AND status = 'queued'",
  ).run(at, id);

/** Throws 'pipeline_has_held' the second time, and a SqliteError before the look-up ends. */
export const notePipelineHold = (
  database: WritableDatabase,
  id: number,
  held: Pick<PipelineRow, 'heldAt' | 'holdId' | 'heldUnits' | 'heldShortBy'>,
): void =>
  void statement(
    database,
    `UPDATE pipeline SET held_at = ?, hold_id = ?, held_units = ?, held_short_by = ?
     WHERE id = ?`,
  ).run(held.heldAt, held.holdId, held.heldUnits, held.heldShortBy, id);

export interface PipelineProgress {
  readonly lookedUp?: number;
  readonly matched?: number;
  readonly passedUnlock?: number;
  readonly unlocked?: number;
  readonly locked?: number;
  readonly passedVerify?: number;
  readonly verified?: number;
  readonly paidVerdicts?: number;
  readonly chargedUnits?: number;
}

/** Call in the batch's transaction. Throws 'pipeline_moved' from another position. */
export function advancePipeline(
  database: WritableDatabase,
  from: PipelineRow,
  by: PipelineProgress,
): void {
  const { changes } = statement(
    database,
    `UPDATE pipeline SET looked_up_to = looked_up_to + ?, matched = matched + ?,
       unlocked_to = unlocked_to + ?, unlocked = unlocked + ?, locked = locked + ?,
       verified_to = verified_to + ?, verified = verified + ?,
       paid_verdicts = paid_verdicts + ?, charged_units = charged_units + ?
     WHERE id = ? AND (looked_up_to, unlocked_to, verified_to) = (?, ?, ?)`,
  ).run(
    by.lookedUp ?? 0,
    by.matched ?? 0,
    by.passedUnlock ?? 0,
    by.unlocked ?? 0,
    by.locked ?? 0,
    by.passedVerify ?? 0,
    by.verified ?? 0,
    by.paidVerdicts ?? 0,
    creditUnits(by.chargedUnits ?? 0),
    from.id,
    from.lookedUpTo,
    from.unlockedTo,
    from.verifiedTo,
  );
  if (changes !== 1) throw new Error('pipeline_moved');
}

export interface PipelineEnd {
  readonly status: Extract<PipelineStatus, 'completed' | 'failed' | 'cancelled'>;
  /** Why it failed; otherwise null. */
  readonly failure: { readonly code: ErrorCode; readonly detail: string } | null;
  readonly releasedUnits: CreditUnits;
  readonly at: string;
}

/** Ends a pipeline, in the transaction that resolves its hold. Throws 'pipeline_has_ended'. */
export const endPipeline = (
  database: WritableDatabase,
  id: number,
  { status, failure, releasedUnits, at }: PipelineEnd,
): void =>
  void statement(
    database,
    `UPDATE pipeline SET status = ?, error = ?, error_detail = ?, released_units = ?,
       completed_at = ? WHERE id = ?`,
  ).run(status, failure?.code ?? null, failure?.detail ?? null, releasedUnits, at, id);
