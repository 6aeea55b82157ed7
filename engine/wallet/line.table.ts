// The tables `ledger_line` and `ledger_block`, which triggers keep up to date with the ledger.
import type { CreditUnits } from '../contract/credits.ts';
import { walletBatchLines } from '../contract/limits/wallet.ts';
import type { WalletFilter, WalletLineKind } from '../contract/wallet/wallet-lines.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface ClientRow {
  /** Null for the app and the command line. */
  readonly keyId: string | null;
  readonly clientName: string | null;
  readonly isAssistant: 0 | 1;
}

export interface LineRow extends ClientRow {
  readonly id: number;
  readonly kind: WalletLineKind;
  readonly workId: string | null;
  /** The title of its work, the origin of a grant, or the name of a tool. */
  readonly name: string | null;
  readonly at: string;
  readonly addedUnits: CreditUnits;
  readonly heldUnits: CreditUnits;
  readonly settledUnits: CreditUnits;
  readonly releasedUnits: CreditUnits;
  readonly chargedUnits: CreditUnits;
  readonly refundedUnits: CreditUnits;
  readonly netUnits: CreditUnits;
}

const clientColumns = `
  coalesce(nullif(c.client_name, ''), s.name, nullif(k.label, ''), k.prefix) AS clientName,
  coalesce(c.client_name, s.name) IS NOT NULL AS isAssistant`;
const clientTables = `
  LEFT JOIN oauth_connection c ON c.key_id = k.id
  LEFT JOIN stdio_client s ON (s.account_id, s.key_id) = (k.account_id, k.id)`;

const selectLine = `
  SELECT l.id, l.kind, l.work_id AS workId, l.at, l.key_id AS keyId, ${clientColumns},
    CASE l.kind
      WHEN 'job' THEN (SELECT title FROM job WHERE uuid = l.work_id)
      WHEN 'pipeline' THEN (SELECT title FROM pipeline WHERE uuid = l.work_id)
      WHEN 'monitor_job' THEN (SELECT j.title FROM monitor_job m JOIN job j ON j.id = m.job_id
        WHERE m.id = CAST(l.work_id AS INTEGER))
      WHEN 'grant' THEN (SELECT subject_id FROM ledger_entry WHERE id = l.id)
      WHEN 'tool' THEN (SELECT subject_id FROM ledger_entry WHERE id = l.id)
    END AS name,
    l.added_units AS addedUnits, l.held_units AS heldUnits, l.settled_units AS settledUnits,
    l.released_units AS releasedUnits, l.charged_units AS chargedUnits,
    l.refunded_units AS refundedUnits, l.net_units AS netUnits
  FROM ledger_line l LEFT JOIN api_key k ON k.id = l.key_id ${clientTables}`;

/** The filters that an index answers; the name is compared by the caller. */
type IndexedFilter = Omit<WalletFilter, 'name'>;

/** The day after, as far as texts are compared: every time of the day is before it. */
const endOf = (day: string): string => `${day}~`;

function wantedOf({ kind, client, since, until }: IndexedFilter): string[] {
  return [
    'l.account_id = @accountId',
    ...(kind === undefined ? [] : ['l.kind = @kind']),
    ...(client === undefined ? [] : [`l.key_id ${client === 'app' ? 'IS NULL' : '= @client'}`]),
    ...(since === undefined ? [] : ['l.at >= @since']),
    ...(until === undefined ? [] : ['l.at <= @until']),
  ];
}

const valuesOf = (filter: IndexedFilter) => ({
  ...filter,
  ...(filter.until !== undefined && { until: endOf(filter.until) }),
});

/** Lines that match, newest first. @param before id of the last line of the page before */
export function listLines(
  database: ReadableDatabase,
  accountId: number,
  filter: IndexedFilter & { readonly before?: number | undefined; readonly limit: number },
): LineRow[] {
  const before = '(l.at, l.id) < (SELECT b.at, b.id FROM ledger_line b WHERE b.id = @before)';
  const wanted = [...wantedOf(filter), ...(filter.before === undefined ? [] : [before])];
  const sql = `${selectLine} WHERE ${wanted.join(' AND ')}
    ORDER BY l.at DESC, l.id DESC LIMIT @limit`;
  return statement<LineRow>(database, sql).all({ ...valuesOf(filter), accountId });
}

/** The lines of an account after an id, in the order of the ledger. */
export const readLinesAfter = (
  database: ReadableDatabase,
  accountId: number,
  after: number,
): LineRow[] =>
  statement<LineRow>(
    database,
    `${selectLine} WHERE l.id > ? AND +l.account_id = ? ORDER BY l.id LIMIT ${walletBatchLines}`,
  ).all(after, accountId);

export const getLine = (
  database: ReadableDatabase,
  accountId: number,
  id: number,
): LineRow | undefined =>
  statement<LineRow>(database, `${selectLine} WHERE l.id = ? AND l.account_id = ?`).get(
    id,
    accountId,
  );

/** Lines in a block of the table `ledger_block`. */
const blockLines = 1_024;

/** The available credits after a line and every line before it in the ledger. */
export function readBalanceAt(
  database: ReadableDatabase,
  accountId: number,
  lineId: number,
): number {
  const block = Math.floor(lineId / blockLines);
  const before = statement<{ units: number | null }>(
    database,
    'SELECT sum(net_units) AS units FROM ledger_block WHERE account_id = ? AND block < ?',
  ).get(accountId, block);
  const within = statement<{ units: number | null }>(
    database,
    `SELECT sum(net_units) AS units FROM ledger_line
     WHERE id BETWEEN ? AND ? AND +account_id = ?`,
  ).get(block * blockLines, lineId, accountId);
  return (before?.units ?? 0) + (within?.units ?? 0);
}

/** The clients of an account's lines; each is one step in the index. */
export const listClients = (
  database: ReadableDatabase,
  accountId: number,
  limit: number,
): ClientRow[] =>
  statement<ClientRow>(
    database,
    `WITH RECURSIVE used (id) AS (
       SELECT '' UNION ALL
       SELECT (SELECT l.key_id FROM ledger_line l INDEXED BY ledger_line_client
         WHERE l.account_id = @accountId AND l.key_id > used.id ORDER BY l.key_id LIMIT 1)
       FROM used WHERE id IS NOT NULL)
     SELECT nullif(u.id, '') AS keyId, ${clientColumns}
     FROM used u LEFT JOIN api_key k ON k.id = u.id ${clientTables}
     WHERE u.id IS NOT NULL LIMIT @limit`,
  ).all({ accountId, limit });

/** The ids of the newest entries of a line, newest first. */
export function listLineEntries(
  database: ReadableDatabase,
  accountId: number,
  { id, kind, workId }: Pick<LineRow, 'id' | 'kind' | 'workId'>,
  limit: number,
): number[] {
  if (workId === null) return [id];
  const kinds = kind === 'job' ? "('job', 'review')" : '(@kind)';
  return statement<{ id: number }>(
    database,
    `SELECT id FROM ledger_entry
     WHERE subject_kind IN ${kinds} AND subject_id = @workId AND account_id = @accountId
     ORDER BY id DESC LIMIT @limit`,
  )
    .all({ accountId, workId, limit, kind })
    .map((entry) => entry.id);
}
