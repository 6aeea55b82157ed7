// The audit log. Entries about the suppression list are in the live log, in the list's file.
import type { AuditActorKind, AuditFilter } from '../contract/audit/audit.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** The log of this environment, or the one of the live environment next to it. */
export type AuditSchema = 'main' | 'live';

export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly environment: EnvironmentName;
  readonly actorKind: AuditActorKind;
  readonly actor: string;
  readonly keyPrefix: string | null;
  /** UUID. */
  readonly account: string | null;
  readonly action: string;
  readonly subject: string;
  readonly rowCount: number | null;
  readonly creditUnits: number | null;
  /** JSON. */
  readonly details: string;
  readonly hash: string;
}

const columns =
  'e.id, e.at, e.environment, e.actor_kind AS actorKind, e.actor, e.key_prefix AS keyPrefix, ' +
  'e.account, e.action, e.subject, e.row_count AS rowCount, e.credit_units AS creditUnits, ' +
  'e.details, e.hash';

/** Adds an entry. Throws a SqliteError unless it follows the last one. */
export const insertAuditRow = (
  database: WritableDatabase,
  schema: AuditSchema,
  row: AuditRow,
): void =>
  void statement(
    database,
    `INSERT INTO ${schema}.audit_entry (id, at, environment, actor_kind, actor, key_prefix, account,
       action, subject, row_count, credit_units, details, hash)
     VALUES (@id, @at, @environment, @actorKind, @actor, @keyPrefix, @account,
       @action, @subject, @rowCount, @creditUnits, @details, @hash)`,
  ).run(row);

export const getAuditHead = (
  database: ReadableDatabase,
  schema: AuditSchema = 'main',
): Pick<AuditRow, 'id' | 'hash'> | undefined =>
  statement<Pick<AuditRow, 'id' | 'hash'>>(
    database,
    `SELECT id, hash FROM ${schema}.audit_entry ORDER BY id DESC LIMIT 1`,
  ).get();

export const getAuditHash = (database: ReadableDatabase, id: number): string | undefined =>
  statement<{ hash: string }>(database, 'SELECT hash FROM audit_entry WHERE id = ?').get(id)?.hash;

/** The highest number that an entry has ever had; 0 for a log that never had one. */
export const readHighestId = (database: ReadableDatabase): number =>
  statement<{ seq: number }>(
    database,
    "SELECT seq FROM sqlite_sequence WHERE name = 'audit_entry'",
  ).get()?.seq ?? 0;

const recorded = [
  ['job', "'job ' || r.uuid", 'r.uuid', "r.kind = 'enrichment'", ['job_started', 'job_retried']],
  [
    '(SELECT m.id, j.created_at FROM monitor_job m JOIN job j ON j.id = m.job_id)',
    "'monitor run ' || r.id",
    'CAST(r.id AS TEXT)',
    'true',
    ['monitor_job_started'],
  ],
  ['pipeline', "'pipeline ' || r.uuid", 'r.uuid', 'true', ['pipeline_started']],
  ['email_validation', "'email validation ' || r.uuid", 'r.uuid', 'true', ['validation_started']],
  ['api_key', "'API key ' || r.prefix", 'r.id', 'true', ['key_created']],
] as const;

const unrecorded = recorded.map(
  ([table, name, subject, which, actions]) =>
    `SELECT ${name} AS what, r.created_at AS at FROM ${table} r WHERE ${which} AND NOT EXISTS (
       SELECT 1 FROM audit_entry e WHERE e.subject = ${subject} AND e.subject <> ''
         AND e.action IN (${actions.map((action) => `'${action}'`).join()}))`,
);

const countGrants = `(SELECT count(*) FROM ledger_entry l
  WHERE l.account_id = a.id AND l.kind = 'grant')`;

/** The first record whose entry is missing from the log; undefined if all entries are there. */
export const findUnrecorded = (
  database: ReadableDatabase,
): { readonly what: string; readonly at: string } | undefined =>
  statement<{ what: string; at: string }>(
    database,
    `${unrecorded.join(' UNION ALL ')}
     UNION ALL SELECT 'account ' || a.uuid, a.created_at FROM account a WHERE NOT EXISTS (
       SELECT 1 FROM audit_entry e WHERE e.action = 'account_created' AND e.account = a.uuid)
     UNION ALL SELECT 'credits granted to account ' || a.uuid, max(l.at)
       FROM account a JOIN ledger_entry l ON l.account_id = a.id AND l.kind = 'grant'
       GROUP BY a.id
       HAVING ${countGrants} > (SELECT count(*) FROM audit_entry e
         WHERE e.action = 'credits_granted' AND e.account = a.uuid)
     ORDER BY at LIMIT 1`,
  ).get();

export const readAuditRows = (
  database: ReadableDatabase,
  after: number,
  limit: number,
): AuditRow[] =>
  statement<AuditRow>(
    database,
    `SELECT ${columns} FROM audit_entry e WHERE e.id > ? ORDER BY e.id LIMIT ?`,
  ).all(after, limit);

export type NamedAuditRow = AuditRow & { readonly accountName: string | null };

const filterOf = ({ action, actor, since }: AuditFilter): string[] => [
  ...(action === undefined ? [] : ['e.action = @action']),
  ...(actor === undefined ? [] : ['e.actor = @actor']),
  ...(since === undefined ? [] : ['e.at >= @since']),
];

const named = `SELECT ${columns}, a.name AS accountName
  FROM audit_entry e LEFT JOIN account a ON a.uuid = e.account`;

/** Entries that match a filter, newest first. @param before the last number of the page before */
export function listAuditRows(
  database: ReadableDatabase,
  filter: AuditFilter & { readonly before?: number | undefined; readonly limit: number },
): NamedAuditRow[] {
  const before = '(e.at, e.id) < (SELECT b.at, b.id FROM audit_entry b WHERE b.id = @before)';
  const wanted = [...filterOf(filter), ...(filter.before === undefined ? [] : [before])];
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.join(' AND ')}`;
  const sql = `${named} ${where} ORDER BY e.at DESC, e.id DESC LIMIT @limit`;
  return statement<NamedAuditRow>(database, sql).all(filter);
}

export function readMatchingRows(
  database: ReadableDatabase,
  filter: AuditFilter & { readonly after: number; readonly last: number; readonly limit: number },
): NamedAuditRow[] {
  const where = ['e.id > @after', 'e.id <= @last', ...filterOf(filter)].join(' AND ');
  // The unary plus keeps the order of the primary key, so that no page sorts the whole log.
  const sql = `${named} WHERE ${where.replaceAll(/e\.(action|actor|at) /g, '+e.$1 ')}
    ORDER BY e.id LIMIT @limit`;
  return statement<NamedAuditRow>(database, sql).all(filter);
}

export function countAuditRows(database: ReadableDatabase, filter: AuditFilter): number {
  const wanted = filterOf(filter);
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.join(' AND ')}`;
  const sql = `SELECT count(*) AS count FROM audit_entry e ${where}`;
  return statement<{ count: number }>(database, sql).get(filter)?.count ?? 0;
}

/** The names of the actors in the log, in alphabetical order; each is one step in the index. */
export const listActors = (database: ReadableDatabase, limit: number): string[] =>
  statement<{ name: string }>(
    database,
    `WITH RECURSIVE names (name) AS (
       SELECT min(actor) FROM audit_entry
       UNION ALL
       SELECT (SELECT min(actor) FROM audit_entry WHERE actor > name) FROM names
       WHERE name IS NOT NULL)
     SELECT name FROM names WHERE name IS NOT NULL LIMIT ?`,
  )
    .all(limit)
    .map(({ name }) => name);

/** Who caused an action, as the log names them. */
export type AuditActor = Pick<AuditRow, 'actorKind' | 'actor' | 'keyPrefix'>;

export const findStarter = (
  database: ReadableDatabase,
  action: string,
  subject: string,
): AuditActor | undefined =>
  statement<AuditActor>(
    database,
    `SELECT actor_kind AS actorKind, actor, key_prefix AS keyPrefix FROM audit_entry
     WHERE subject = ? AND subject <> '' AND action = ? ORDER BY id DESC LIMIT 1`,
  ).get(subject, action);

export const findKeyActor = (database: ReadableDatabase, keyId: string): AuditActor | undefined =>
  statement<AuditActor>(
    database,
    `SELECT iif(coalesce(c.client_name, s.name) IS NULL, 'api_key', 'assistant') AS actorKind,
       coalesce(nullif(c.client_name, ''), s.name, nullif(k.label, ''), k.prefix) AS actor,
       k.prefix AS keyPrefix
     FROM api_key k LEFT JOIN oauth_connection c ON c.key_id = k.id
       LEFT JOIN stdio_client s ON (s.account_id, s.key_id) = (k.account_id, k.id)
     WHERE k.id = ?`,
  ).get(keyId);

export const findAccountUuid = (database: ReadableDatabase, id: number): string | undefined =>
  statement<{ uuid: string }>(database, 'SELECT uuid FROM account WHERE id = ?').get(id)?.uuid;

/** The key of the hashes of suppressed values. */
export function readAuditKey(database: ReadableDatabase, schema: AuditSchema): Uint8Array {
  const row = statement<{ key: Uint8Array }>(database, `SELECT key FROM ${schema}.audit_key`).get();
  if (!row) throw new Error('engine.db has no audit key');
  return row.key;
}
