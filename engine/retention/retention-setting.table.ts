// The table `retention_setting`: the days that accounts chose. No row keeps forever.
import { type RetentionKind, retentionKinds } from '../contract/retention/retention.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** Days by kind; a kind that is kept forever is missing. */
export type RetentionSettings = Readonly<Partial<Record<RetentionKind, number>>>;

/** What an account chose, with the choices for the folder that all accounts share. */
export const readSettings = (database: ReadableDatabase, accountId: number): RetentionSettings =>
  Object.fromEntries(
    statement<{ kind: RetentionKind; days: number }>(
      database,
      `SELECT kind, days FROM retention_setting
       WHERE account_id = ? OR account_id IS NULL ORDER BY kind`,
    )
      .all(accountId)
      .map(({ kind, days }) => [kind, days]),
  );

/** Sets the days of a kind: of an account, or of the folder. Null keeps forever. */
export function putSetting(
  database: WritableDatabase,
  accountId: number,
  kind: RetentionKind,
  days: number | null,
): void {
  const owner = retentionKinds[kind].scope === 'account' ? accountId : null;
  statement(database, 'DELETE FROM retention_setting WHERE account_id IS ? AND kind = ?').run(
    owner,
    kind,
  );
  if (days !== null)
    statement(
      database,
      'INSERT INTO retention_setting (account_id, kind, days) VALUES (?, ?, ?)',
    ).run(owner, kind, days);
}
