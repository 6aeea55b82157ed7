// The tables `suppression` and `suppression_version`, in engine.db of the live environment. A
// connection of the staging environment has that file attached as `live`.
import type {
  SuppressionEntry,
  SuppressionKind,
  SuppressionQuery,
  SuppressionSource,
} from '../contract/suppression/suppression.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { liveSchema } from '../platform/sqlite/open-store.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface NewEntry {
  readonly kind: SuppressionKind;
  readonly key: string;
  readonly value: string;
  readonly reason: string;
  readonly source: SuppressionSource;
  readonly author: string;
  readonly at: string;
  /** The job whose request a service refused. */
  readonly job: string | null;
}

const columns = 'id, kind, value, reason, source, author, at AS added_at, job_uuid AS job_id';

/** Adds an entry. Returns false if the value is in the list already. */
export const insertEntry = (database: WritableDatabase, entry: NewEntry): boolean =>
  statement(
    database,
    `INSERT OR IGNORE INTO ${liveSchema(database)}.suppression
       (kind, key, value, reason, source, author, at, job_uuid)
     VALUES (@kind, @key, @value, @reason, @source, @author, @at, @job)`,
  ).run(entry).changes > 0;

/** Deletes entries. Returns the kind and the key of each. */
export const deleteEntries = (
  database: WritableDatabase,
  ids: readonly number[],
): { kind: SuppressionKind; key: string }[] =>
  statement<{ kind: SuppressionKind; key: string }>(
    database,
    `DELETE FROM ${liveSchema(database)}.suppression
     WHERE id IN (SELECT value FROM json_each(?)) RETURNING kind, key`,
  ).all(JSON.stringify(ids));

/** Deletes the entries that refusals of a job's requests made, and returns them likewise. */
export const deleteEntriesOfJob = (
  database: WritableDatabase,
  job: string,
): { kind: SuppressionKind; key: string }[] =>
  statement<{ kind: SuppressionKind; key: string }>(
    database,
    `DELETE FROM ${liveSchema(database)}.suppression WHERE job_uuid = ? RETURNING kind, key`,
  ).all(job);

export const readVersion = (database: ReadableDatabase): number =>
  statement<{ number: number }>(
    database,
    `SELECT number FROM ${liveSchema(database)}.suppression_version`,
  ).get()?.number ?? 0;

export const countEntries = (database: ReadableDatabase): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM ${liveSchema(database)}.suppression`,
  ).get()?.count ?? 0;

export const listKeys = (database: ReadableDatabase): { kind: SuppressionKind; key: string }[] =>
  statement<{ kind: SuppressionKind; key: string }>(
    database,
    `SELECT kind, key FROM ${liveSchema(database)}.suppression`,
  ).all();

export const listNewEntries = (database: ReadableDatabase): NewEntry[] =>
  statement<NewEntry>(
    database,
    `SELECT kind, key, value, reason, source, author, at, job_uuid AS job
     FROM ${liveSchema(database)}.suppression ORDER BY id`,
  ).all();

/** Raises the version above another list's. */
export const raiseVersion = (database: WritableDatabase, other: number): void =>
  void statement(
    database,
    `UPDATE ${liveSchema(database)}.suppression_version SET number = max(number, ?) + 1`,
  ).run(other);

/** The entries with some keys, "kind:key" each, oldest first. */
export const findEntries = (
  database: ReadableDatabase,
  keys: readonly string[],
): SuppressionEntry[] =>
  statement<SuppressionEntry>(
    database,
    `SELECT ${columns} FROM ${liveSchema(database)}.suppression
     WHERE (kind, key) IN (SELECT substr(value, 1, instr(value, ':') - 1),
       substr(value, instr(value, ':') + 1) FROM json_each(?)) ORDER BY id`,
  ).all(JSON.stringify(keys));

export const listEntries = (
  database: ReadableDatabase,
  { search, kind, before, limit }: SuppressionQuery,
): SuppressionEntry[] =>
  statement<SuppressionEntry>(
    database,
    `SELECT ${columns} FROM ${liveSchema(database)}.suppression
     WHERE id < @before AND (@kind IS NULL OR kind = @kind)
       AND (@search = '' OR instr(lower(value), @search) OR instr(key, @search)
         OR instr(lower(reason), @search) OR instr(lower(author), @search))
     ORDER BY id DESC LIMIT @limit`,
  ).all({
    search: search.toLowerCase(),
    kind: kind ?? null,
    before: before ?? Number.MAX_SAFE_INTEGER,
    limit,
  });
